"""The command: write the sources of an archive, or print one of its games. See README.md."""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path

from .archive import read_game, read_sources
from .base import Damaged, require
from .container import open_archive

RESERVED = re.compile(r"con|prn|aux|nul|(com|lpt)[0-9]")


def check_name(name: str) -> None:
    """A name that may be used as a path. archive.md, section 8."""
    require(1 <= len(name.encode()) <= 4096, "length of a name")
    require(not re.search(r'[\x00-\x1f\x7f-\x9f<>:"|?*]', name), "character of a name")
    for part in name.split("/"):
        require(part and part[-1] not in ". ", "part of a name")
        require(not {".", ".."} & set(part.split("\\")), "part of a name")
        require(not RESERVED.fullmatch(part.split(".")[0].rstrip(" ").lower()), "reserved name")


def main() -> int:
    parser = argparse.ArgumentParser(prog="python3 -m reference", description=__doc__)
    parser.add_argument("archive", type=Path)
    action = parser.add_mutually_exclusive_group(required=True)
    action.add_argument("-o", metavar="FOLDER", type=Path, help="write all sources to a folder")
    action.add_argument("--game", metavar="N", type=int, help="print a game, counted from 1")
    options = parser.parse_args()
    try:
        archive = open_archive(options.archive.read_bytes())
        if options.game is not None:
            sys.stdout.buffer.write(read_game(archive, options.game))
            return 0
        for source, text in read_sources(archive):
            check_name(source.name)
            path = options.o / source.name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text)
    except Damaged as error:
        print(f"{options.archive}: {error}", file=sys.stderr)
        return 4
    return 0


if __name__ == "__main__":
    sys.exit(main())
