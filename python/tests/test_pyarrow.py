"""pyarrow."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from test_interrupt import interrupted

import pgna

pa = pytest.importorskip("pyarrow")


def test_tables_have_all_columns_and_games(samples: Path) -> None:
    archive = pgna.open(samples)
    table = pa.table(archive.scan(pgna.COLUMNS))
    table.validate(full=True)
    assert table.column_names == list(pgna.COLUMNS)
    assert table.num_rows == len(archive)
    assert table.column("number").to_pylist() == list(range(1, len(archive) + 1))


def test_columns_are_what_games_say(samples: Path) -> None:
    columns = [
        *("moves", "moves_san", "moves_uci", "clocks", "evals"),
        *("comments", "nags", "variations", "pgn", "White"),
    ]
    archive = pgna.open(samples)
    rows = pa.table(archive.scan(columns)).to_pylist()
    for row, game in zip(rows, archive, strict=True):
        assert row["moves"] == list(game.moves)
        assert row["moves_san"] == game.san
        assert row["moves_uci"] == game.uci
        assert row["clocks"] == game.clocks
        assert row["evals"] == game.evals
        assert [tuple(it.values()) for it in row["comments"]] == game.comments
        assert [tuple(it.values()) for it in row["nags"]] == game.nags
        variations = [(*it[:2], list(it.moves)) for it in game.variations]
        assert [tuple(it.values()) for it in row["variations"]] == variations
        assert row["pgn"] == game.pgn_bytes
        assert row["White"] == game.headers.get("White")


def test_a_scan_is_read_anew_each_time(samples: Path) -> None:
    scan = pgna.open(samples).scan(["number", "ECO"])
    assert pa.table(scan) == pa.table(scan)


def test_schemas_and_batches(samples: Path) -> None:
    scan = pgna.open(samples).scan(["number", "WhiteElo", "Date", "moves"])
    schema = pa.schema(scan)
    assert [str(field.type) for field in schema] == [
        "int64",
        "int16",
        "date32[day]",
        "list<item: uint16>",
    ]
    batches = [pa.record_batch(batch) for batch in scan]
    assert pa.Table.from_batches(batches) == pa.table(scan)
    assert all(batch.schema == schema for batch in batches)


def test_streams_are_lazy(samples: Path) -> None:
    class Counting:
        """A file that counts its reads."""

        def __init__(self) -> None:
            self.file = samples.open("rb")
            self.reads = 0
            self.seek = self.file.seek

        def read(self, size: int) -> bytes:
            self.reads += 1
            return self.file.read(size)

    file = Counting()
    scan = pgna.open(file).scan(["number"])
    before = file.reads
    reader = pa.RecordBatchReader.from_stream(scan)
    assert file.reads == before
    assert reader.read_next_batch().num_rows > 0
    assert file.reads > before


def test_errors_have_the_message(samples: Path) -> None:
    def refuse(_: object) -> None:
        raise AssertionError("nothing is damaged here")

    class Failing:
        def __init__(self) -> None:
            self.file = samples.open("rb")
            self.fails = False
            self.seek = self.file.seek

        def read(self, size: int) -> bytes:
            if self.fails:
                raise ConnectionError("the line is dead")
            return self.file.read(size)

    file = Failing()
    scan = pgna.open(file).scan(["moves"], on_damage=refuse)
    file.fails = True
    with pytest.raises(Exception, match="the line is dead"):
        pa.table(scan)


def test_streams_are_interrupted(samples: Path) -> None:
    """The interrupt comes as such, not as an error of the stream."""

    class Slow:
        def __init__(self) -> None:
            self.file = samples.open("rb")
            self.seek = self.file.seek
            self.waits = 0.0

        def read(self, size: int) -> bytes:
            time.sleep(self.waits)
            return self.file.read(size)

    file = Slow()
    scan = pgna.open(file).scan(["moves"], games=range(1, 1000))
    file.waits = 0.2
    with interrupted(0.1):
        try:
            pa.table(scan)
        finally:
            # pyarrow raises an exception of its own, and the next call is interrupted.
            time.sleep(0)
