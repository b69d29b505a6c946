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

#: Values on which tags, columns and filters could disagree.
VALUES = {
    "White": [
        '"Carlsen, M."',
        '"carlsen"',
        '"M\xfcller"',
        '"B\\\\"x\\\\""',
        '""',
        None,
    ],
    "WhiteElo": [
        '"2700"',
        '"+2700"',
        '"02700"',
        '" 2700 "',
        '"2700.0"',
        '"?"',
        '"40000"',
        None,
    ],
    "Date": [
        '"2010.05.17"',
        '"2010.05.??"',
        '"2010-05-18"',
        '"????.??.??"',
        '"x"',
        None,
    ],
    "UTCDate": ['"2010.05.17"', '"2011.01.01"', None],
    "ECO": ['"B90"', '"B99"', '"C\xe9"', '"b90"', '"7"', None],
    "Eco": ['"B95"', None, None, None, None],
    "DATE": ['"2012.03.04"', None, None, None, None, None, None],
}


@pytest.fixture(scope="session")
def samples(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The archive of the sample collection."""
    path = tmp_path_factory.mktemp("samples") / "samples.pgna"
    pgna.pack(SAMPLES, path, index="full", level="fast")
    return path


@pytest.fixture(scope="session")
def odd(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An archive of games with all kinds of values, in several segments."""
    folder = tmp_path_factory.mktemp("odd")
    paths = []
    for segment, left_out in enumerate(["", "ECO", "Eco", "Date"]):
        games = []
        for number in range(120):
            tags = [
                f"[{name} {values[(number // (at + 1)) % len(values)]}]"
                for at, (name, values) in enumerate(VALUES.items())
                if values[(number // (at + 1)) % len(values)] and name != left_out
            ]
            moves = " ".join(["Nf3 Nf6 Ng1 Ng8"] * (number % 5))
            games.append("\n".join(tags) + f"\n\n{moves} *\n")
        source = folder / f"{segment}.pgn"
        source.write_bytes("\n".join(games).encode("latin-1"))
        paths.append(folder / f"{segment}.pgna")
        pgna.pack(source, paths[-1], level="fast")
    path = folder / "odd.pgna"
    pgna.merge([*paths, pack_samples(folder)], path)
    return path


def pack_samples(folder: Path) -> Path:
    path = folder / "samples.pgna"
    pgna.pack(SAMPLES, path, level="fast")
    return path


@pytest.fixture(scope="session")
def damaged(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An archive with a block that cannot be read, among others that can."""
    path = tmp_path_factory.mktemp("damaged") / "damaged.pgna"
    pgna.pack(SAMPLES, path, level="fast", index="none")
    whole = path.read_bytes()
    # Damage that the parity data repairs is none: so much is lost that it cannot.
    for start in range(len(whole) // 4, len(whole), 1000):
        path.write_bytes(whole[:start] + bytes(20_000) + whole[start + 20_000 :])
        losses: list[pgna.DamagedError] = []
        try:
            scan = pgna.open(path).scan(["moves"], on_damage=losses.append)
            read = sum(len(batch) for batch in scan)
        except pgna.PgnaError:
            continue
        if read and any(loss.games for loss in losses):
            return path
    raise AssertionError("no damage loses a block")


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
