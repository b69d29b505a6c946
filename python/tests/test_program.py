"""The program."""

from __future__ import annotations

import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest
from conftest import GAMES

import pgna

COMMANDS = [
    [sys.executable, "-m", "pgna"],
    [str(Path(sysconfig.get_path("scripts")) / "pgna")],
]


@pytest.mark.parametrize("command", COMMANDS, ids=["module", "entry point"])
def test_the_program_runs(folder: Path, command: list[str]) -> None:
    def run(*args: str) -> subprocess.CompletedProcess[bytes]:
        return subprocess.run([*command, *args], capture_output=True, check=False)

    assert run("unpack", "games.pgna", "-c").stdout == GAMES
    assert run("find", "games.pgna", "-w", "White ~ morphy", "--list").stdout == b"1\n"
    assert run("find", "games.pgna", "-w", "White = nobody").returncode == 1
    wrong = run("no-such-verb")
    assert wrong.returncode == 2 and b"no-such-verb" in wrong.stderr
    assert run("--version").stdout.split()[0] == b"pgna"


def test_a_pipe_that_is_closed_is_no_error(samples: Path) -> None:
    command = f'"{sys.executable}" -m pgna unpack "{samples}" -c | head -c 10'
    done = subprocess.run(["bash", "-c", command], capture_output=True, check=True)
    assert len(done.stdout) == 10 and done.stderr == b""


def test_versions_agree() -> None:
    from importlib.metadata import version

    assert version("pgna") == pgna.__version__
