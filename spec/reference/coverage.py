"""Prints the lines of the decoder that the golden archives do not reach.

python3 -m reference.coverage, from the folder spec/. Exit status 1 if there are any, except those that
report damage.
"""

from __future__ import annotations

import sys
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

FOLDER = Path(__file__).resolve().parent
GOLDEN = FOLDER.parent.parent / "tests/golden"
NOT_OF_DECODER = {"__init__.py", "__main__.py", "check.py", "coverage.py", "examples.py"}

Lines = dict[tuple[str, int], set[int]]


def lines_of(code: CodeType) -> Lines:
    """The lines of the functions of a module, by file and first line."""
    lines: Lines = {}
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            lines[inner.co_filename, inner.co_firstlineno] = {line for _, _, line in inner.co_lines() if line}
            lines |= lines_of(inner)
    return lines


def remove_reached(lines: Lines) -> Any:
    """A trace function that removes the lines that are reached. Functions without others are not traced."""

    def trace(frame: FrameType, event: str, _: Any) -> Any:
        left = lines.get((frame.f_code.co_filename, frame.f_code.co_firstlineno))
        if not left:
            return None
        left.discard(frame.f_lineno)
        return trace

    return trace


def decode_all() -> None:
    """Reads all sources and the last game of each archive, and mends a lost sector of each."""
    from .archive import read_game, read_sources
    from .container import open_archive
    from .parity import mended

    for path in sorted(GOLDEN.glob("*/*.pgna")):
        data = path.read_bytes()
        archive = open_archive(data)
        for _ in read_sources(archive):
            pass
        if games := sum(segment.games for segment in archive.segments):
            read_game(archive, games)
        span = archive.parity[-1]
        size = 1 << data[span.end - 6]
        at = -(-span.start // size) * size
        mended(data[:at] + bytes(size) + data[at + size :], span)


def main() -> int:
    modules = [path for path in sorted(FOLDER.glob("*.py")) if path.name not in NOT_OF_DECODER]
    texts = {str(path): path.read_text() for path in modules}
    lines: Lines = {}
    for path, text in texts.items():
        lines |= lines_of(compile(text, path, "exec"))
    total = sum(map(len, lines.values()))
    sys.settrace(remove_reached(lines))
    decode_all()
    sys.settrace(None)
    missed = 0
    for (path, _), left in sorted(lines.items()):
        for line in sorted(left):
            text = texts[path].splitlines()[line - 1].strip()
            if not text.startswith(("raise ", "except ")):
                missed += 1
                print(f"{Path(path).name}:{line}: {text}")
    print(f"{total - missed} of {total} lines reached")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
