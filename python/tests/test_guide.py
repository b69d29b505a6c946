"""The blocks of the guide, docs/python.md, run one after the other."""

from __future__ import annotations

import os
import re
from importlib.util import find_spec
from pathlib import Path

import pytest
from conftest import SAMPLES

GUIDE = SAMPLES.parents[1] / "docs" / "python.md"

#: A block of Python, and the packages that a comment before it names.
BLOCK = re.compile(r"(?:<!-- needs: (.*?) -->\n)?```python\n(.*?)```", re.DOTALL)


def lichess() -> str:
    """A hundred games as Lichess has them."""
    games = []
    for number in range(100):
        result = ["1-0", "0-1", "1/2-1/2"][number % 3]
        tags = {
            "Event": "Rated Blitz game",
            "White": f"white{number % 7}",
            "Black": f"black{number % 5}",
            "Result": result,
            "UTCDate": f"2013.01.{number % 28 + 1:02}",
            "WhiteElo": str(1500 + 5 * number),
            "BlackElo": str(1990 - 5 * number),
            "ECO": ["B20", "C20", "B01"][number % 3],
        }
        second = ["c5", "e5", "d5"][number % 3]
        moves = (
            "1. e4 { [%eval 0.17] [%clk 0:03:00] } "
            f"1... {second} {{ [%eval 0.3] [%clk 0:02:59] }} "
            f"2. Nf3 {{ [%eval #3] [%clk 0:02:58] }} {result}"
        )
        lines = [f'[{name} "{value}"]' for name, value in tags.items()]
        games.append("\n".join([*lines, "", moves, ""]))
    return "\n".join(games)


def test_the_guide(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MPLBACKEND", "agg")
    Path("lichess.pgn").write_text(lichess(), encoding="utf-8")
    names: dict[str, object] = {}
    text = GUIDE.read_text(encoding="utf-8")
    blocks = list(BLOCK.finditer(text))
    assert len(blocks) == text.count("```python") > 10
    left_out = 0
    for block in blocks:
        needs = re.findall(r"\w+", block[1] or "")
        if not all(find_spec(package) for package in needs):
            left_out += 1
            continue
        first_line = text.count("\n", 0, block.start(2))
        code = "\n" * first_line + block[2]
        exec(compile(code, str(GUIDE), "exec"), names)  # noqa: S102
    # The mode of .ci/python for the guide installs all packages.
    assert left_out == 0 or os.environ.get("PGNA_MODE") != "docs"
