"""Files that the tests read."""

from __future__ import annotations

import faulthandler
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

import pgna

#: The sample collection of the repository.
SAMPLES = Path(__file__).parents[2] / "tests" / "data"

#: Some of its files.
SOME = [
    "chess960.pgn",
    "illegal-move.pgn",
    "latin-1.pgn",
    "suffixes.pgn",
    "variations.pgn",
]

#: Three games: one plain, one with clocks, evaluations and a variation, one without a move.
GAMES = b"""\
[White "Morphy, Paul"]
[Black "Amateur"]
[Date "1858.??.??"]
[Result "1-0"]

1. e4 e5 2. Nf3 d6 1-0

[White "Carlsen, Magnus"]
[Black "Anand"]
[WhiteElo "2863"]
[Date "2013.11.22"]
[Result "1/2-1/2"]

1. e4 $1 { [%eval 0.17] [%clk 0:03:00] } (1. d4 d5 { solid }) 1... e5 { [%eval -0.03] [%clk 0:02:59.5] } 1/2-1/2

[White "Kasparov, Garry"]
[Black "Topalov"]
[Result "1-0"]

1-0
"""


@pytest.fixture(scope="session")
def samples(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The archive of the sample collection."""
    path = tmp_path_factory.mktemp("samples") / "samples.pgna"
    pgna.pack(SAMPLES, path, index="full", level="fast")
    return path


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """An empty folder, which is the current one, with `games.pgn`, `games.pgna` and some samples in `some`."""
    before = Path.cwd()
    os.chdir(tmp_path)
    Path("games.pgn").write_bytes(GAMES)
    Path("some").mkdir()
    for name in SOME:
        shutil.copy(SAMPLES / name, "some")
    pgna.pack("games.pgn", "games.pgna")
    yield tmp_path
    os.chdir(before)


@pytest.fixture
def archive(folder: Path) -> pgna.Archive:
    """The archive of the three games."""
    return pgna.open(folder / "games.pgna")


@pytest.fixture
def deadline() -> Iterator[None]:
    """Ends the tests if one waits for ever, which Control-C could not."""
    faulthandler.dump_traceback_later(120, exit=True)
    yield
    faulthandler.cancel_dump_traceback_later()
