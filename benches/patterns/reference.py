"""The questions, answered by python-chess: slow, and plain."""

import io
import re
from collections import Counter
from collections.abc import Callable

import chess
import chess.pgn
from chess import BLACK, WHITE, Board, Color


def _stands(board: Board, squares: str) -> bool:
    """Whether these pieces stand there: `Bh7 kg8`."""
    return all(
        board.piece_at(chess.parse_square(word[1:])) == chess.Piece.from_symbol(word[0])
        for word in squares.split()
    )


def _pawns(board: Board, color: Color) -> list[int]:
    return list(board.pieces(chess.PAWN, color))


def _on_files(board: Board, color: Color, files: str) -> list[int]:
    return [p for p in _pawns(board, color) if chess.FILE_NAMES[chess.square_file(p)] in files]


def _material(board: Board) -> Counter:
    return Counter(piece.symbol() for piece in board.piece_map().values())


def _is_material(board: Board, pieces: str, any_number: str = "") -> bool:
    """Whether just these pieces are there, and of some others any number."""
    found = {piece: n for piece, n in _material(board).items() if piece not in any_number}
    return found == Counter(pieces)


def _isolated(board: Board, color: Color, pawn: int) -> bool:
    """No pawn of its side on an adjacent file."""
    file = chess.square_file(pawn)
    return not any(abs(chess.square_file(other) - file) == 1 for other in _pawns(board, color))


def _doubled(board: Board, color: Color, pawn: int) -> bool:
    """Another pawn of its side on its file."""
    file = chess.square_file(pawn)
    return any(chess.square_file(other) == file for other in _pawns(board, color) if other != pawn)


def _passed(board: Board, color: Color, pawn: int) -> bool:
    """No enemy pawn further ahead on its file or an adjacent one."""
    forward = 1 if color == WHITE else -1
    return not any(
        abs(chess.square_file(other) - chess.square_file(pawn)) <= 1
        and (chess.square_rank(other) - chess.square_rank(pawn)) * forward > 0
        for other in _pawns(board, not color)
    )


def _opposite_bishops(board: Board) -> bool:
    """Each side has one bishop, and their squares have different colours."""
    white, black = (list(board.pieces(chess.BISHOP, color)) for color in (WHITE, BLACK))
    if len(white) != 1 or len(black) != 1:
        return False
    light = [bool(chess.BB_SQUARES[bishop] & chess.BB_LIGHT_SQUARES) for bishop in white + black]
    return light[0] != light[1]


def _flipped(test: Callable[[Board], bool]) -> Callable[[Board], bool]:
    return lambda board: test(board) or test(board.mirror())


def _isolated_d(board: Board) -> bool:
    return any(
        _isolated(board, color, pawn)
        for color in (WHITE, BLACK)
        for pawn in _on_files(board, color, "d")
    )


def _passed_seventh(board: Board) -> bool:
    return any(
        _passed(board, color, pawn)
        for color, rank in ((WHITE, 6), (BLACK, 1))
        for pawn in _pawns(board, color)
        if chess.square_rank(pawn) == rank
    )


def _passed_a(board: Board) -> bool:
    return (
        board.pieces_mask(chess.PAWN, WHITE) != 0
        and _is_material(board, "KRkr", "Pp")
        and bool(_on_files(board, WHITE, "a"))
        and not _on_files(board, BLACK, "ab")
    )


def _maroczy(board: Board) -> bool:
    return (
        _stands(board, "Pc4 Pe4")
        and bool(_on_files(board, BLACK, "d"))
        and not _on_files(board, WHITE, "d")
        and not _on_files(board, BLACK, "c")
        and not _stands(board, "pd5")
    )


def _outpost(board: Board) -> bool:
    return _stands(board, "Nd5 pd6 pe5")


# Tests of a position.
BOARDS: dict[str, Callable[[Board], bool]] = {
    "bishop h7": lambda board: _stands(board, "Bh7 Kg1 kg8"),
    "empty e4": lambda board: _stands(board, "Nd5 pd6") and board.piece_at(chess.E4) is None,
    "rooks a7 b7": lambda board: _stands(board, "Ra7 Rb7"),
    "outpost": _flipped(_outpost),
    "isolated d pawn": _isolated_d,
    "opposite bishops": lambda board: _opposite_bishops(board) and board.pawns != 0,
    "doubled c pawn": lambda board: any(
        _doubled(board, WHITE, pawn) for pawn in _on_files(board, WHITE, "c")
    ),
    "passed on the seventh": _passed_seventh,
    "rook and pawn each": lambda board: _is_material(board, "KRPkrp"),
    "queen and pawn, queen": lambda board: _is_material(board, "KQPkq"),
    "rook ending": lambda board: _is_material(board, "KRkr", "Pp"),
    "bishops, knights": lambda board: _is_material(board, "KBBknn", "Pp"),
    "opposite bishops ending": lambda board: (
        _opposite_bishops(board) and _is_material(board, "KBkb", "Pp")
    ),
    "rook ending, passed a pawn": _flipped(_passed_a),
    "Maroczy bind": _maroczy,
}


def _castled_opposite(game: chess.pgn.Game) -> bool:
    """Both sides castle in the main line, to different sides of the board."""
    board, castled = game.board(), {}
    for move in game.mainline_moves():
        if board.is_castling(move):
            castled[board.turn] = board.is_kingside_castling(move)
        board.push(move)
    return len(castled) == 2 and castled[WHITE] != castled[BLACK]


def _nodes(game: chess.pgn.Game) -> list[chess.pgn.GameNode]:
    nodes = [game]
    for node in nodes:
        nodes.extend(node.variations)
    return nodes


# Tests of a game. Commands in comments, such as clocks, are comments too.
GAMES: dict[str, Callable[[chess.pgn.Game], bool]] = {
    "castled opposite": _castled_opposite,
    "comments": lambda game: any(n.comment or n.starting_comment for n in _nodes(game)),
    "variations": lambda game: any(len(n.variations) > 1 for n in _nodes(game)),
    "clocks": lambda game: any(n.clock() is not None for n in _nodes(game)),
}


def parse(text: bytes) -> chess.pgn.Game:
    # For python-chess a game without moves ends at a second empty line after the tags.
    text = re.sub(rb"(\r?\n){3,}", b"\n\n", text)
    game = chess.pgn.read_game(io.StringIO(text.decode("utf-8", "replace")))
    assert game is not None
    return game


def satisfied(game: chess.pgn.Game, names: list[str]) -> set[str]:
    """Those of the questions to which the game is an answer, by its main line."""
    found = {name for name in names if name in GAMES and GAMES[name](game)}
    left = [name for name in names if name in BOARDS]
    board = game.board()
    for move in [None, *game.mainline_moves()]:
        if move is not None:
            board.push(move)
        for name in list(left):
            if BOARDS[name](board):
                found.add(name)
                left.remove(name)
    return found
