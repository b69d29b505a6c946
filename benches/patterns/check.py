"""The answers of pgna and its peers, game by game, beside those of python-chess.

    python check.py sample --pgna target/release/pgna games.pgn --first 4000
    python check.py peers games.pgna games.pgn --base games.si4 --scout games.scout

`sample` packs the first games and compares each answer of pgna with python-chess. `peers` compares
the answers of the peers with those of pgna, and lets python-chess decide some of the games that
only one of them finds. The exit status is 1 if python-chess differs from pgna.
"""

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

import reference
from programs import Games, Pgna, add_options, programs
from questions import QUESTIONS, Question


def some(games: set[int], number: int = 10) -> str:
    shown = " ".join(str(game) for game in sorted(games)[:number])
    return shown + (" …" if len(games) > number else "")


def sample(options: argparse.Namespace, work: Path) -> bool:
    games = Games(options.games)
    texts = [games.text(n) for n in range(1, min(options.first, len(games.starts)) + 1)]
    part, archive = work / "part.pgn", work / "part.pgna"
    part.write_bytes(b"".join(texts))
    pack = [options.pgna, "pack", "-q", part, "-o", archive, "--index", "full"]
    subprocess.run(pack, check=True)

    pgna = Pgna(options.pgna, archive, 1, work)
    found = len(pgna.games(Question("any", ("--position", "any"))))
    if found != len(texts):
        raise SystemExit(f"not one tag Event a game: {len(texts)} of these, {found} games")

    names = [question.name for question in QUESTIONS]
    expected: dict[str, set[int]] = {name: set() for name in names}
    for number, text in enumerate(texts, 1):
        for name in reference.satisfied(reference.parse(text), names):
            expected[name].add(number)

    print(f"{len(texts)} games of {options.games.name}\n")
    print("| question | python-chess | pgna | only python-chess | only pgna |")
    print("|---|--:|--:|---|---|")
    same = True
    for question in QUESTIONS:
        theirs, ours = expected[question.name], pgna.games(question)
        same = same and theirs == ours
        only = f"{some(theirs - ours)} | {some(ours - theirs)}"
        print(f"| {question.name} | {len(theirs)} | {len(ours)} | {only} |")
    return same


def peers(options: argparse.Namespace, work: Path) -> bool:
    games = Games(options.games)
    (pgna, *others), missing = programs(options, work)
    for line in missing:
        print(f"{line}\n")
    print("| question | program | both | only pgna | python-chess | only the peer | python-chess |")
    print("|---|---|--:|--:|---|--:|---|")
    right = True
    for question in QUESTIONS:
        if options.only is not None and question.name not in options.only:
            continue
        ours = pgna.games(question)
        for peer in others:
            if not peer.asks(question):
                continue
            theirs = peer.games(question)
            cells = [str(len(ours & theirs))]
            for found, by_pgna in ((ours - theirs, True), (theirs - ours, False)):
                judged = sorted(found)[: options.judge]
                agreed = [
                    question.name
                    in reference.satisfied(reference.parse(games.text(n)), [question.name])
                    for n in judged
                ]
                right = right and all(answer == by_pgna for answer in agreed)
                verdict = f"{sum(agreed)} of {len(judged)} hold: {some(set(judged))}"
                cells += [str(len(found)), verdict if judged else ""]
            print(f"| {question.name} | {peer.name} | {' | '.join(cells)} |", flush=True)
    return right


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    verbs = parser.add_subparsers(required=True)
    verb = verbs.add_parser("sample")
    verb.add_argument("games", type=Path)
    verb.add_argument("--pgna", default="pgna", metavar="PROGRAM")
    verb.add_argument("--first", type=int, default=4000)
    verb.set_defaults(run=sample)
    verb = verbs.add_parser("peers")
    add_options(verb)
    verb.add_argument("--judge", type=int, default=20, help="games for python-chess to decide")
    verb.set_defaults(run=peers)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as work:
        return 0 if options.run(options, Path(work)) else 1


if __name__ == "__main__":
    sys.exit(main())
