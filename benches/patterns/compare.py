"""Hits and seconds of searches for patterns and structure, pgna beside its peers, in one run.

    python compare.py games.pgna games.pgn --base games.si4 --scout games.scout > patterns.md

Each question is asked of each program that has words for it; the least of some rounds counts. Of
Scid the search alone is timed, of the others the process. Prints Markdown: hits, seconds, and in
parentheses the seconds of the processor.
"""

import argparse
import math
import os
import shlex
import sys
import tempfile
from pathlib import Path

from programs import Answer, Rounds, add_options, programs
from questions import QUESTIONS


def cell(answer: Answer | None, hits: int) -> str:
    if answer is None:
        return "– | –"
    other = "" if answer.hits == hits else " ≠"
    return f"{answer.hits:,}{other} | {answer.seconds:.3f} ({answer.processor:.3f})"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    add_options(parser)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument(
        "--once",
        type=float,
        default=math.inf,
        metavar="SECONDS",
        help="do not repeat what takes longer",
    )
    options = parser.parse_args()
    questions = [q for q in QUESTIONS if options.only is None or q.name in options.only]

    rounds = Rounds(options.rounds, options.once)
    answers = {}
    with tempfile.TemporaryDirectory() as work:
        asked, missing = programs(options, Path(work))
        for program in asked:
            print(f"asking {program.name}", file=sys.stderr)
            known = [question for question in questions if program.asks(question)]
            for question, answer in zip(known, program.answers(known, rounds)):
                answers[program.name, question.name] = answer

    load = ", ".join(f"{value:.1f}" for value in os.getloadavg())
    print(f"{options.games.name}, {os.cpu_count()} cores, {options.threads} threads,")
    print(f"least of {options.rounds}, load at the end {load}\n")
    for line in missing:
        print(f"{line}\n")
    head = " | ".join(f"{program.name} | s" for program in asked)
    print(f"| question | {head} |")
    print("|---|" + "--:|--:|" * len(asked))
    for question in questions:
        hits = answers["pgna", question.name].hits
        cells = (cell(answers.get((program.name, question.name)), hits) for program in asked)
        print(f"| `{shlex.join(question.pgna)}` | {' | '.join(cells)} |")


if __name__ == "__main__":
    main()
