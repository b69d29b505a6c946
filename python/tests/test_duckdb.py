"""DuckDB."""

from __future__ import annotations

from pathlib import Path

import pytest

import pgna

duckdb = pytest.importorskip("duckdb")


def test_a_scan_is_a_table(samples: Path) -> None:
    archive = pgna.open(samples)
    scan = archive.scan(["number", "White", "Result", "ply_count"])
    assert scan is not None
    assert duckdb.sql("select count(*) from scan").fetchall() == [(len(archive),)]
    rows = duckdb.sql(
        "select Result, count(*) from scan where ply_count > 10 group by all order by all"
    ).fetchall()
    expected: dict[str | None, int] = {}
    for game in archive.find("plies > 10"):
        result = game.headers.get("Result")
        expected[result] = expected.get(result, 0) + 1
    assert dict(rows) == expected


def test_a_scan_is_joined_with_itself(samples: Path) -> None:
    scan = pgna.open(samples).scan(["number"])
    assert scan is not None
    query = "select count(*) from scan a join scan b using (number)"
    assert duckdb.sql(query).fetchall() == [(len(pgna.open(samples)),)]


def test_lists_and_structures(samples: Path) -> None:
    archive = pgna.open(samples)
    scan = archive.scan(["number", "moves_san", "comments"])
    assert scan is not None
    rows = duckdb.sql(
        "select number, len(moves_san), len(comments) from scan order by 1"
    )
    for (number, moves, comments), game in zip(rows.fetchall(), archive, strict=True):
        assert (number, moves, comments) == (
            game.number,
            len(game.san),
            len(game.comments),
        )


def test_file_objects_can_be_read(samples: Path) -> None:
    with samples.open("rb") as file:
        archive = pgna.open(file)
        scan = archive.scan(["number", "moves"])
        assert scan is not None
        rows = duckdb.sql("select count(moves) from scan").fetchall()
    assert rows == [(len(archive),)]
