"""Scans. What they give to other packages is tested with those."""

from __future__ import annotations

from pathlib import Path

import pytest

import pgna


def test_columns(archive: pgna.Archive) -> None:
    assert archive.scan().columns == list(pgna.DEFAULT_COLUMNS)
    assert set(pgna.DEFAULT_COLUMNS) < set(pgna.COLUMNS)
    assert archive.scan(pgna.COLUMNS).columns == list(pgna.COLUMNS)
    assert archive.scan(["moves", "Annotator"]).columns == ["moves", "Annotator"]
    assert archive.scan([]).columns == []


@pytest.mark.parametrize("columns", [["no such"], ["White", "White"]])
def test_wrong_columns(archive: pgna.Archive, columns: list[str]) -> None:
    with pytest.raises(ValueError, match="columns: "):
        archive.scan(columns)


def count(scan: pgna.Scan) -> int:
    return sum(len(batch) for batch in scan)


def test_batches(samples: Path) -> None:
    archive = pgna.open(samples)
    scan = archive.scan(["number", "White"])
    batches = list(scan)
    assert len(batches) > 1
    assert sum(map(len, batches)) == len(archive)
    assert batches[0].columns == ["number", "White"]
    # Each iteration reads anew.
    assert count(scan) == count(scan) == len(archive)
    # Without columns there are rows too.
    assert count(archive.scan([])) == len(archive)


@pytest.mark.parametrize(
    ("games", "expected"),
    [
        (range(1, 4), 3),
        (range(2, 3), 1),
        (range(0), 0),
        (range(-5, 2), 1),
        (range(3, 1000), 1),
        (range(4, 9), 0),
        (range(3, 2), 0),
        (range(-9, -2), 0),
        (range(1, 2**63), 3),
        (range(2, 2**70), 2),
        (range(2**63, 2**64), 0),
        (range(-(2**70), 3), 2),
    ],
)
def test_ranges_of_numbers(archive: pgna.Archive, games: range, expected: int) -> None:
    assert count(archive.scan(["White"], games=games)) == expected


def test_wrong_ranges(archive: pgna.Archive) -> None:
    with pytest.raises(ValueError, match="step"):
        archive.scan(games=range(1, 9, 2))
    with pytest.raises(ValueError, match="step"):
        archive.scan(games=range(1, 9, 2**70))
    with pytest.raises(TypeError, match="range"):
        archive.scan(games=[1, 2])  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="on_damage"):
        archive.scan(on_damage="ignore")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "arguments",
    [
        {"where": "Result = 1-0"},
        {"after": "e4"},
        {"where": "plies > 20", "pattern": "Nd5", "flip": True},
        {"material": "KRk", "flip": True, "variations": True},
    ],
)
def test_scans_and_searches_agree(samples: Path, arguments: dict) -> None:
    archive = pgna.open(samples)
    assert count(archive.scan(["number"], **arguments)) == sum(
        1 for _ in archive.find(**arguments)
    )


def test_capsules_have_the_names_of_the_interface(archive: pgna.Archive) -> None:
    scan = archive.scan()
    batch = next(scan.__iter__())
    capsules = {
        "arrow_array_stream": scan.__arrow_c_stream__(),
        "arrow_schema": scan.__arrow_c_schema__(),
        "arrow_array": batch.__arrow_c_array__()[1],
    }
    for name, capsule in capsules.items():
        assert f'"{name}"' in repr(capsule)
    # What is never consumed is freed.
    del capsules


def test_names_of_columns_are_any_iterable(folder: Path) -> None:
    archive = pgna.open("games.pgna")
    names = ["White", "moves"]
    for columns in (names, tuple(names), (name for name in names), dict.fromkeys(names)):
        assert archive.scan(columns).columns == names
    with pytest.raises(TypeError, match="not a single str"):
        archive.scan("White")
    with pytest.raises(TypeError):
        archive.scan([1])
