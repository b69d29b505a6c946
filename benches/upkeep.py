"""Seconds of mending and compacting an archive, beside what other programs do with the same games.

    python3 benches/upkeep.py games.pgna games.pgn [--base games.si4] > upkeep.md

- recover: one byte of a copy of the archive is changed, at a quarter of its length and in the middle;
  `pgna recover` writes it again. With full indexes the first is in a block, the second in an index,
  which is then built again.
- compact: the games are packed in twelve parts, appended one after the other; `pgna compact` joins them.

Scid has no archive to mend; it compacts a copy of its base, whose games it copies as they are.
pgn-extract reads and writes the text, as one must who has no archive at all. Prints Markdown: wall
seconds, in parentheses those of the processor, and bytes before and after.
"""

import argparse
import os
import re
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

PARTS = 12
COMPACT = "proc progressCallBack {args} {}\nsc_base compact [sc_base open [lindex $argv 0]]\nexit\n"


def timed(*command) -> str:
    start = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    message = process.stderr.read().decode(errors="replace")
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    # `recover` ends with another status than 0 where it mends something.
    if process.returncode < 0:
        raise RuntimeError(f"{command[0]}: {message[-500:]}")
    return f"{seconds:.2f} ({usage.ru_utime + usage.ru_stime:.2f})"


def row(what: str, seconds: str, before: int, after: int, note: str = "") -> None:
    print(f"| {what} | {seconds} | {before:,} | {after:,} | {note} |")


def damaged(archive: Path, copy: Path, part: int) -> None:
    data = bytearray(archive.read_bytes())
    data[len(data) // part] ^= 0x10
    copy.write_bytes(data)


def in_parts(pgna: str, games: Path, archive: Path, options: list[str], work: Path) -> None:
    data = games.read_bytes()
    starts = [match.start() for match in re.finditer(rb"^\[Event ", data, re.M)]
    bounds = [starts[len(starts) * part // PARTS] for part in range(PARTS)] + [len(data)]
    bounds[0] = 0
    for part in range(PARTS):
        text = work / f"part-{part}.pgn"
        text.write_bytes(data[bounds[part] : bounds[part + 1]])
        verb = ["append", archive, text] if part else ["pack", text, "-o", archive, *options]
        subprocess.run([pgna, *verb, "-q"], check=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("archive", type=Path)
    parser.add_argument("games", type=Path)
    parser.add_argument("--base", type=Path, help="the games as a base of Scid")
    parser.add_argument("--pgna", default="pgna", metavar="PROGRAM")
    parser.add_argument("--tkscid", default="tkscid", metavar="PROGRAM")
    parser.add_argument("--pgn-extract", default="pgn-extract", metavar="PROGRAM")
    parser.add_argument("--pack", default="--index full", help="options of the parts")
    options = parser.parse_args()
    size = options.games.stat().st_size

    print("| | s | bytes before | after | |\n|---|--:|--:|--:|---|")
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        hurt, mended, parts = work / "hurt.pgna", work / "mended.pgna", work / "parts.pgna"
        for part in (4, 2):
            damaged(options.archive, hurt, part)
            seconds = timed(options.pgna, "recover", hurt, "-o", mended, "-q", "-f")
            text = subprocess.run([options.pgna, "unpack", mended, "-c", "-q"], capture_output=True)
            same = "every byte" if text.stdout == options.games.read_bytes() else "not every byte"
            note = f"a byte at 1/{part}; {same}"
            row("pgna recover", seconds, hurt.stat().st_size, mended.stat().st_size, note)

        in_parts(options.pgna, options.games, parts, options.pack.split(), work)
        before = parts.stat().st_size
        seconds = timed(options.pgna, "compact", parts, "-q")
        row("pgna compact", seconds, before, parts.stat().st_size, f"{PARTS} parts")

        if options.base:
            base, script = work / "base", work / "compact.tcl"
            for suffix in (".si4", ".sg4", ".sn4"):
                shutil.copy(options.base.with_suffix(suffix), base.with_suffix(suffix))
            script.write_text(COMPACT)
            bytes_of = lambda: sum(file.stat().st_size for file in work.glob("base.s?4"))
            before = bytes_of()
            row("Scid, compact", timed(options.tkscid, script, base), before, bytes_of())
        if shutil.which(options.pgn_extract):
            written = work / "written.pgn"
            seconds = timed(options.pgn_extract, "-s", "-o", written, options.games)
            row("pgn-extract", seconds, size, written.stat().st_size, "reads and writes the text")


if __name__ == "__main__":
    main()
