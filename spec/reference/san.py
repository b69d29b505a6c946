"""Moves as text. pgn.md, section 3."""

from __future__ import annotations

from .chess import DRAW, LETTERS, NULL, PAWN, Move, Ply, Position, in_check, is_capture, outcome, play
from .fen import square_name

FILE, RANK, NO_CAPTURE, NO_EQUALS, ZEROS, SPURIOUS = 1, 2, 4, 8, 16, 128
SUFFIXES = [("+", "#"), ("", ""), ("++", "+"), ("#", "++")]  # of check, of mate


def san(position: Position, ply: Ply, spelling: int, after: Position | None = None) -> bytes:
    """The text of a ply in a spelling; `after` is the position after it, if it is known."""
    text = castling_text(ply, spelling) or move_text(position, ply, spelling)
    after = after or play(position, ply)
    check, mate = SUFFIXES[spelling // 32 % 4]
    if outcome(after) not in (None, DRAW):
        text += mate
    elif in_check(after, after.turn):
        text += check
    elif spelling & SPURIOUS:
        text += "+"
    return text.encode()


def castling_text(ply: Ply, spelling: int) -> str:
    """The text of a null move or of castling, else nothing."""
    if ply is NULL:
        return "Z0" if spelling & ZEROS else "--"
    if ply.rook is None:
        return ""
    return "-".join(["0" if spelling & ZEROS else "O"] * (2 if ply.target % 8 == 6 else 3))


def move_text(position: Position, move: Move, spelling: int) -> str:
    """The text of another move, without its suffix."""
    letter, target = LETTERS[move.role], square_name(move.target)
    if move.origin is None:
        return ("" if spelling & FILE and move.role == PAWN else letter) + "@" + target
    capture = is_capture(position, move)
    need_file, need_rank = capture, False
    if move.role == PAWN:
        letter = ""
    else:
        rivals = [m.origin for m in position.legal if m.role == move.role and m.target == move.target
                  and m.origin not in (None, move.origin) and m.rook is None]
        need_rank = any(rival % 8 == move.origin % 8 for rival in rivals)
        same_rank = any(rival // 8 == move.origin // 8 for rival in rivals)
        need_file = bool(rivals) and (not need_rank or same_rank)
    text = letter
    if need_file != bool(spelling & FILE):
        text += square_name(move.origin)[0]
    if need_rank != bool(spelling & RANK):
        text += square_name(move.origin)[1]
    if capture and not spelling & NO_CAPTURE:
        text += "x"
    text += target
    if move.promotion:
        text += ("" if spelling & NO_EQUALS else "=") + LETTERS[move.promotion]
    return text
