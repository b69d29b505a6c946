"""Annotations: complete, and those of the native module what it has."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("mypy")

USE = """
from pathlib import Path
import pgna

def use(path: Path) -> None:
    report = pgna.pack([path, ("x.pgn", path.open("rb"))], "a.pgna", level="fast", force=True)
    games: int = report.games
    with pgna.open("a.pgna") as archive:
        game: pgna.Game = archive[0]
        some: list[pgna.Game] = archive[1:3]
        clocks: list[int | None] = game.clocks
        for found in archive.find("Result = 1-0", after="e4"):
            number: int = found.number
        scan: pgna.Scan = archive.scan(["White"], on_damage=lambda error: print(error.games))
"""


def mypy(folder: Path, *args: str) -> str:
    """What a tool of mypy prints if it finds faults. The folder takes its cache."""
    command = [sys.executable, "-m", *args]
    env = {**os.environ, "MYPY_CACHE_DIR": str(folder / "cache")}
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=env)
    return "" if done.returncode == 0 else done.stdout + done.stderr


def test_the_stubs_are_those_of_the_module(tmp_path: Path) -> None:
    # Some packages that modules of pgna import have no types.
    config = tmp_path / "mypy.ini"
    config.write_text("[mypy]\nignore_missing_imports = True\n")
    options = ["--ignore-disjoint-bases", "--mypy-config-file", str(config)]
    assert mypy(tmp_path, "mypy.stubtest", "pgna", *options) == ""


def test_users_are_checked(tmp_path: Path) -> None:
    path = tmp_path / "use.py"
    path.write_text(USE)
    assert mypy(tmp_path, "mypy", "--strict", str(path)) == ""
    path.write_text(USE + '\npgna.open("a").find(fem="startpos")\n')
    assert "fem" in mypy(tmp_path, "mypy", "--strict", str(path))
