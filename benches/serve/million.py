"""Makes a collection of a million games: PGN files, repeated with other names and years.

    million.py --games 1000000 FILE.pgn[.zst] … > million.pgn

Each copy after the first has a number after the names of the players, and its dates are so many
years earlier: so the copies share lines, as large collections do, but not players and dates.
"""

import argparse
import re
import subprocess
import sys

PLAYER = re.compile(rb'^(\[(?:White|Black) "[^"]+)"\]', re.MULTILINE)
DATE = re.compile(rb'^(\[(?:UTC|Event)?Date ")(\d{4})(?=[.\d])', re.MULTILINE)
GAME = re.compile(rb"^\[Event ", re.MULTILINE)


def read(name: str) -> bytes:
    if name.endswith(".zst"):
        return subprocess.run(["zstd", "-dcq", name], check=True, stdout=subprocess.PIPE).stdout
    with open(name, "rb") as file:
        return file.read()


def changed(text: bytes, copy: int) -> bytes:
    if copy == 0:
        return text
    text = PLAYER.sub(rb'\1 %d"]' % (copy + 1), text)
    return DATE.sub(lambda found: found[1] + b"%04d" % (int(found[2]) - copy), text)


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--games", type=int, default=1_000_000)
    arguments.add_argument("files", nargs="+")
    options = arguments.parse_args()
    games, copy = 0, 0
    while games < options.games:
        before = games
        for name in options.files:
            if games >= options.games:
                break
            text = changed(read(name), copy)
            games += len(GAME.findall(text))
            sys.stdout.buffer.write(text + b"\n")
        if games == before:
            sys.exit("no game in these files")
        copy += 1
    print(f"{games} games, {copy} copies", file=sys.stderr)


main()
