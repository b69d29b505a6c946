"""Games."""

from __future__ import annotations

import io
import pickle
from contextlib import suppress
from pathlib import Path

import pytest

import pgna

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"


def game_of(pgn: bytes, tmp_path: Path) -> pgna.Game:
    """The only game of a text."""
    pgna.pack(("one.pgn", io.BytesIO(pgn)), tmp_path / "one.pgna", force=True)
    (game,) = pgna.open(tmp_path / "one.pgna")
    return game


def test_headers(tmp_path: Path) -> None:
    pgn = b'[White "M\xfcller \\"x\\""]\n[B "1"]\n[B "2"]\n[Empty ""]\n\n1. e4 *\n'
    headers = game_of(pgn, tmp_path).headers
    assert headers == {"White": 'Müller "x"', "B": "1", "Empty": ""}
    assert list(headers) == ["White", "B", "Empty"]


def test_text_is_read_in_an_encoding(tmp_path: Path) -> None:
    pgn = b'[White "\xd2\xe0\xeb\xfc"]\n\n1. e4 {\xd5\xee\xe4} *\n'
    pgna.pack(("one.pgn", io.BytesIO(pgn)), tmp_path / "one.pgna")
    archive = pgna.open(tmp_path / "one.pgna", encoding="windows-1251")
    for opened in (archive, pickle.loads(pickle.dumps(archive))):
        (game,) = opened
        assert game.headers["White"] == "Таль"
        assert game.comments[0].text == "Ход"
        assert game.pgn_bytes == pgn
        assert [game.number for game in opened.find("White ~ таль")] == [1]
    with pytest.raises(LookupError, match="windows-1252"):
        pgna.open(tmp_path / "one.pgna", encoding="utf-16")


def test_headers_of_a_game_that_is_stored_verbatim(tmp_path: Path) -> None:
    pgn = b'[White "x"]\n[FEN "nonsense"]\n\n1. e4 Ke7 zzz *\n'
    assert game_of(pgn, tmp_path).headers == {"White": "x", "FEN": "nonsense"}


def test_texts_are_exact(tmp_path: Path) -> None:
    pgn = b'[White "M\xfcller"]\r\n\r\n1.e4  e5 {\xe9} *\r\n\r\n\r\n'
    game = game_of(pgn, tmp_path)
    assert game.pgn_bytes == pgn
    assert game.pgn == str(game) == pgn.decode("latin-1")


def test_moves(tmp_path: Path) -> None:
    game = game_of(b"1. e4 d5 2. exd5 c6 3. dxc6 -- 4. cxb7 a6 5. bxa8=N *", tmp_path)
    assert game.san == ["e4", "d5", "exd5", "c6", "dxc6", "--", "cxb7", "a6", "bxa8=N"]
    assert game.uci[0] == "e2e4" and game.uci[5] == "0000" and game.uci[8] == "b7a8n"
    moves = game.moves
    assert (moves.format, moves.itemsize, moves.readonly) == ("H", 2, True)
    assert len(moves) == 9
    assert moves[5] == 0
    assert moves[8] == 49 | 56 << 6 | 2 << 12


def test_moves_end_before_an_illegal_one(tmp_path: Path) -> None:
    game = game_of(b"1. e4 e5 2. Ke4 Nf6 {x} *", tmp_path)
    assert game.san == ["e4", "e5"]
    assert game.comments == []


def test_clocks_and_evals(archive: pgna.Archive) -> None:
    assert archive[1].clocks == [180_000, 179_500]
    assert archive[1].evals == [17, -3]
    assert archive[0].clocks == [None] * 4
    assert archive[2].evals == []


def test_mates(tmp_path: Path) -> None:
    game = game_of(
        b"1. f3 {[%eval #-2]} e5 {[%eval #3]} 2. g4 {[%eval -9.5]} *", tmp_path
    )
    assert [pgna.mate_in(value) for value in game.evals] == [-2, 3, None]
    assert game.evals[2] == -950
    assert pgna.mate_in(None) is None


def test_comments_nags_and_variations(archive: pgna.Archive) -> None:
    game = archive[1]
    assert [(comment.line, comment.ply) for comment in game.comments] == [
        (0, 1),
        (1, 2),
        (0, 2),
    ]
    assert game.comments[1].text.strip() == "solid"
    assert game.nags == [pgna.Nag(0, 1, 1)]
    (variation,) = game.variations
    assert (variation.parent, variation.ply, len(variation.moves)) == (0, 0, 2)
    assert archive[0].comments == archive[0].nags == archive[0].variations == []


def test_nested_variations(tmp_path: Path) -> None:
    game = game_of(b"1. e4 (1. d4 d5 (1... Nf6 2. c4) 2. Nf3) 1... e5 *", tmp_path)
    shape = [(it.parent, it.ply, len(it.moves)) for it in game.variations]
    assert shape == [(0, 0, 3), (1, 1, 2)]


def test_positions(archive: pgna.Archive) -> None:
    game = archive[0]
    assert game.board(0) == START
    assert game.board() == game.board(4)
    assert (
        game.board(4).split()[0] == "rnbqkbnr/ppp2ppp/3p4/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R"
    )
    assert archive[2].board() == START
    with pytest.raises(IndexError):
        game.board(5)
    for ply in (-1, 2**63, 2**64, -(2**70)):
        with pytest.raises(IndexError, match=f"no position at ply {ply}"):
            game.board(ply)
    with pytest.raises(TypeError):
        game.board(1.5)  # type: ignore[arg-type]


def test_a_game_from_an_illegal_position_has_no_board(folder: Path) -> None:
    text = b'[SetUp "1"]\n[FEN "8/8/8/8/8/8/8/8 w - - 0 1"]\n\n1. e4 *\n'
    pgna.pack(("x.pgn", io.BytesIO(text)), "x.pgna")
    with pytest.raises(IndexError, match="no position"):
        pgna.open("x.pgna")[0].board()


def test_games_are_equal_if_they_are_the_same(archive: pgna.Archive) -> None:
    other = pgna.open("games.pgna")
    assert archive[0] == archive.game(1) != archive[1]
    assert archive[0] != other[0] and archive[0] != 1
    assert archive[2] in archive and other[2] not in archive
    assert len({*archive, *archive, *other}) == 6
    assert next(archive.find("White ~ carlsen")) == archive[1]


def test_no_legal_start_position(tmp_path: Path) -> None:
    game = game_of(b'[FEN "8/8/8/8/8/8/8/8 w - - 0 1"]\n\n1. e4 *', tmp_path)
    assert list(game.moves) == game.san == game.clocks == game.comments == []
    with pytest.raises(IndexError):
        game.board(0)


def test_all_samples_can_be_read(samples: Path) -> None:
    for game in pgna.open(samples):
        length = len(game.moves)
        assert len(game.san) == len(game.uci) == length, game
        assert len(game.clocks) == len(game.evals) == length, game
        assert all(comment.line <= len(game.variations) for comment in game.comments)
        # A text that is not UTF-8 is read in another encoding.
        with suppress(UnicodeDecodeError):
            assert game.pgn_bytes.decode() == game.pgn
        assert isinstance(game.headers, dict) and repr(game)


def test_attributes_cannot_be_set(archive: pgna.Archive) -> None:
    with pytest.raises(AttributeError):
        archive[0].number = 3  # type: ignore[misc]
