"""python-chess."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

import pgna


def test_without_the_package_the_error_says_so(
    archive: pgna.Archive, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "chess.pgn", None)
    with pytest.raises(ImportError, match="pip install chess"):
        archive[0].chess()


def test_games_are_those_of_the_package(samples: Path) -> None:
    chess = pytest.importorskip("chess")
    compared = 0
    for game in pgna.open(samples).find("variant = chess and plies > 0"):
        node = game.chess()
        if (
            node is None
            or node.errors
            # Of tags with one name, the first counts here, the last there.
            or node.headers.get("FEN") != game.headers.get("FEN")
            or len(list(node.mainline_moves())) != len(game.moves)
        ):
            continue
        board = node.board()
        for san, uci, bits, move in zip(
            game.san, game.uci, game.moves, node.mainline_moves(), strict=True
        ):
            is_960 = board.chess960
            if not is_960:
                assert uci == board.uci(move)
                assert board.parse_san(san) == move
                assert (bits & 63, bits >> 6 & 63) == (move.from_square, move.to_square)
                assert (bits >> 12) == (move.promotion or 0)
            board.push(move)
        assert game.board().split()[0] == board.board_fen()
        compared += 1
    assert compared > 300
    assert chess
