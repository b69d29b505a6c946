"""Processor seconds and bytes of packing and reading games, beside other programs.

    python3 benches/speed.py GAMES.pgn… [--megabytes 8] [--rounds 5] > speed.md

Takes the first megabytes of each file, cut at the end of a game. Every program runs once in each round,
one after the other, with one thread; a figure is the median of the rounds. pgna packs without indexes and
proves each block. pgn-extract and Scid have no level of compression: pgn-extract reads the games and
writes them again, Scid imports them into its base (SCID4) and forgets their layout. A program that is
not in PATH is left out with a note on standard error.
"""

import argparse
import re
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

IMPORT = Path(__file__).parent / "scid" / "import.tcl"


class Peer:
    """A program with its commands: `{games}` is the PGN, `{out}` what packing writes."""

    def __init__(self, name, pack, unpack=None, has_output=True):
        self.name, self.pack, self.unpack, self.has_output = name, pack, unpack, has_output
        self.packing, self.reading, self.size = [], [], None

    def run(self, games: Path, out: Path) -> None:
        for stale in out.parent.glob(out.name + "*"):
            stale.unlink()
        names = {"games": games, "out": out}
        self.packing.append(seconds(self.pack, names))
        if self.has_output:
            self.size = sum(path.stat().st_size for path in out.parent.glob(out.name + "*"))
        if self.unpack:
            self.reading.append(seconds(self.unpack, names))


def seconds(command: str, names: dict) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(
        ["sh", "-c", command.format(**names)], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
    )
    if done.returncode:
        sys.exit(f"{command.format(**names)}: {done.stderr.decode(errors='replace')}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def peers(pgna: str) -> list[Peer]:
    def ours(name: str, option: str) -> Peer:
        pack = f"{pgna} pack '{{games}}' -o '{{out}}' -f -q --threads 1 --index none {option}"
        return Peer(f"pgna {name}", pack, f"{pgna} unpack '{{out}}' -o - -q --threads 1")

    levels = [ours(level, f"--level {level}") for level in ("fast", "default", "max")]
    all_of_them = [ours("radix", "--codec radix"), *levels]
    others = [
        ("xz", Peer("xz -9e", "xz -9e -T1 -kc '{games}' > '{out}'", "xz -dc '{out}'")),
        (
            "zstd",
            Peer(
                "zstd -19 --long=27",
                "zstd -q -19 --long=27 -kc '{games}' > '{out}'",
                "zstd -q -dc --long=27 '{out}'",
            ),
        ),
        ("pgn-extract", Peer("pgn-extract", "pgn-extract -s '{games}'", has_output=False)),
        ("tkscid", Peer("Scid 4", f"tkscid '{IMPORT}' '{{games}}' '{{out}}'")),
    ]
    for program, peer in others:
        if shutil.which(program):
            all_of_them.append(peer)
        else:
            print(f"{program} is not in PATH and is left out", file=sys.stderr)
    return all_of_them


def first_games(path: Path, most: int) -> bytes:
    with path.open("rb") as file:
        text = file.read(most + 1)
    if len(text) <= most:
        return text
    ends = [match.end() for match in re.finditer(rb"\n\r?\n(?=\[)", text)]
    return text[: ends[-1]] if ends else text[:most]


def table(path: Path, text: bytes, found: list[Peer]) -> None:
    median = statistics.median
    named = {peer.name: peer for peer in found}
    references = [named[name] for name in ("xz -9e", "zstd -19 --long=27") if name in named]
    heads = [f"packing ÷ {peer.name.split()[0]}" for peer in references]
    print(f"\n{path.name}, {len(text):,} bytes\n")
    print("| | bytes | packing, s | " + "".join(f"{head} | " for head in heads) + "reading, s |")
    print("|---" * (4 + len(heads)) + "|")
    for peer in found:
        ratios = [f"{median(peer.packing) / median(other.packing):.2f}" for other in references]
        size = f"{peer.size:,}" if peer.size else "–"
        reading = f"{median(peer.reading):.2f}" if peer.reading else "–"
        cells = [peer.name, size, f"{median(peer.packing):.2f}", *ratios, reading]
        print("| " + " | ".join(cells) + " |", flush=True)


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("games", nargs="+", type=Path, help="PGN files")
    arguments.add_argument("--megabytes", type=float, default=8)
    arguments.add_argument("--rounds", type=int, default=5)
    arguments.add_argument("--pgna", default="target/release/pgna", help="the program to measure")
    given = arguments.parse_args()
    for path in given.games:
        found = peers(given.pgna)
        with tempfile.TemporaryDirectory() as folder:
            games = Path(folder) / "games.pgn"
            text = first_games(path, int(given.megabytes * (1 << 20)))
            games.write_bytes(text)
            for _ in range(given.rounds):
                for peer in found:
                    peer.run(games, Path(folder) / "packed")
        table(path, text, found)


if __name__ == "__main__":
    main()
