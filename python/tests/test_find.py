"""Searches."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import pgna


def find_with_program(archive: Path, *args: str) -> list[str]:
    """What `pgna find --list` prints."""
    command = [sys.executable, "-m", "pgna", "find", str(archive), "--list", *args]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode in (0, 1), done.stderr
    return done.stdout.split()


CASES = [
    (
        {"where": "player ~ carlsen or Result = 1-0"},
        ["-w", "player ~ carlsen or Result = 1-0"],
    ),
    ({"after": "1. e4 e5"}, ["--after", "1. e4 e5"]),
    ({"fen": "startpos"}, ["--fen", "startpos"]),
    (
        {
            "fen": "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w - -",
            "pieces_only": True,
        },
        [
            "--fen",
            "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w - -",
            "--pieces-only",
        ],
    ),
    ({"material": "KRk"}, ["--material", "KRk"]),
    ({"material": "KRk", "flip": True}, ["--material", "KRk", "--flip"]),
    ({"pattern": "Pe4 pd5"}, ["--pattern", "Pe4 pd5"]),
    (
        {"pattern": "Pe4 pd5", "flip": True, "mirror": True},
        ["--pattern", "Pe4 pd5", "--flip", "--mirror"],
    ),
    (
        {"pattern": "Pd4 pd5", "variations": True},
        ["--pattern", "Pd4 pd5", "--variations"],
    ),
    ({"position": "check then mate"}, ["--position", "check then mate"]),
    (
        {"position": "isolated Pd for 4", "flip": True},
        ["--position", "isolated Pd for 4", "--flip"],
    ),
    (
        {"where": "plies > 10", "after": "d4", "limit": 2},
        ["-w", "plies > 10", "--after", "d4", "-n", "2"],
    ),
]


@pytest.mark.parametrize(("arguments", "options"), CASES)
def test_arguments_mean_what_they_mean_to_the_program(
    samples: Path, arguments: dict, options: list[str]
) -> None:
    hits = pgna.open(samples).find(**arguments)
    places = [
        str(game.number) if game.ply is None else f"{game.number}@{game.ply}"
        for game in hits
    ]
    assert places == find_with_program(samples, *options)


def test_most_of_the_cases_find_games(samples: Path) -> None:
    found = [any(pgna.open(samples).find(**arguments)) for arguments, _ in CASES]
    assert sum(found) >= 8


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({}, "nothing to look for"),
        ({"where": "White =="}, "where: at character"),
        ({"fen": "nonsense"}, "fen: "),
        ({"fen": "startpos", "after": "e4"}, "fen and after"),
        ({"after": "1. e5"}, 'after: "e5" is not a legal move'),
        ({"material": "X"}, "material: "),
        ({"pattern": "Zz9"}, "pattern: "),
        ({"position": "check and"}, "position: at character 10"),
        ({"where": "plies > 1", "pieces_only": True}, "pieces_only needs"),
        ({"material": "Kk", "mirror": True}, "mirror needs"),
        ({"fen": "startpos", "flip": True}, "flip needs"),
        ({"where": "plies > 1", "variations": True}, "variations needs"),
        ({"where": "plies > 1", "limit": -1}, "limit: "),
    ],
)
def test_wrong_arguments(archive: pgna.Archive, arguments: dict, message: str) -> None:
    with pytest.raises(ValueError) as error:
        archive.find(**arguments)
    assert message in str(error.value)


def test_limits(archive: pgna.Archive) -> None:
    for limit in (0, 1, 2, 3, 100):
        numbers = [game.number for game in archive.find("Result?", limit=limit)]
        assert numbers == [1, 2, 3][:limit]


def test_an_iterator_ends_once(archive: pgna.Archive) -> None:
    hits = archive.find("White ~ morphy")
    assert [game.number for game in hits] == [1]
    assert list(hits) == []


def test_many_hits_are_read_lazily(samples: Path) -> None:
    """An iterator that is dropped ends its search."""
    archive = pgna.open(samples)
    for _ in range(100):
        assert next(archive.find("plies >= 0")).number == 1
    assert sum(1 for _ in archive.find("plies >= 0")) == len(archive)
