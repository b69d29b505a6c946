"""NumPy."""

from __future__ import annotations

from pathlib import Path

import pytest

import pgna

np = pytest.importorskip("numpy")


def test_moves_are_an_array_without_a_copy(samples: Path) -> None:
    for game in pgna.open(samples):
        view = game.moves
        moves = np.asarray(view)
        assert moves.dtype == np.uint16 and not moves.flags.owndata
        assert moves.tolist() == list(view)
        if len(moves):
            address = np.frombuffer(view, np.uint16).__array_interface__["data"]
            assert moves.__array_interface__["data"] == address


def test_the_memory_lives_as_long_as_the_array(samples: Path) -> None:
    games = [np.asarray(game.moves) for game in pgna.open(samples)]
    again = [np.asarray(game.moves) for game in pgna.open(samples)]
    assert all((a == b).all() for a, b in zip(games, again, strict=True))
