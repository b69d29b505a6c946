"""Children of `os.fork`, which have none of the threads of their parents."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")

#: Forks, does something in the child, and prints what comes of it.
PROGRAM = """
import os, sys
import pgna

archive = pgna.open("games.pgna")
if {is_used}:
    sum(map(len, archive.scan(["moves"], "plies >= 0")))
    hits = archive.find("plies >= 0")
    next(hits)
child = os.fork()
if child == 0:
    try:
        result = {use}
    except RuntimeError as error:
        result = error
    print(result, flush=True)
    os._exit(0)
os.waitpid(child, 0)
print(sum(map(len, archive.scan(["moves"]))))
"""

USES = [
    'len(pgna.open("games.pgna"))',
    "len(archive[1:]) + len(archive[2].san) + 1",
    'sum(1 for _ in archive.find("plies >= 0"))',
    'sum(map(len, archive.scan(["moves"])))',
    'pgna.pack("games.pgn", "a.pgna").games',
    'pgna.append("b.pgna", "games.pgn").games',
    'pgna.merge(["games.pgna"], "m.pgna")',
    'pgna.unpack("games.pgna", "out")',
]


def run(use: str, is_used: bool) -> list[str]:
    """What a child gives, and then its parent."""
    Path("b.pgna").write_bytes(Path("games.pgna").read_bytes())
    program = PROGRAM.format(use=use, is_used=is_used)
    command = [sys.executable, "-c", program]
    done = subprocess.run(
        command, capture_output=True, text=True, check=True, timeout=60
    )
    return done.stdout.splitlines()


@pytest.mark.parametrize("use", [*USES[2:], "next(hits)"])
def test_children_of_a_process_that_has_used_the_pool_are_refused(
    folder: Path, use: str
) -> None:
    child, parent = run(use, is_used=True)
    assert "spawn" in child
    assert parent == "3"


@pytest.mark.parametrize("use", USES[:2])
def test_children_can_open_archives_and_read_games(folder: Path, use: str) -> None:
    assert run(use, is_used=True) == ["3", "3"]


@pytest.mark.parametrize("use", USES)
def test_children_of_other_processes_work(folder: Path, use: str) -> None:
    child, parent = run(use, is_used=False)
    assert child in ("3", "4", "None")
    assert parent == "3"
