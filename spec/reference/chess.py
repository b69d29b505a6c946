"""Positions, legal moves and the end of a game, by the rules of chess and its variants.

moves.md, "Rules", "Positions" and "Canonical order".
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import IntEnum
from functools import cached_property
from typing import Iterator, NamedTuple

from .base import require

WHITE, BLACK = 0, 1
PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING = range(1, 7)
LETTERS = " PNBRQK"
MOST = 2**32 - 1  # where the counters stop


class Variant(IntEnum):
    """The numbers of pgn.md, "Start"."""

    CHESS, ATOMIC, ANTICHESS, KING_OF_THE_HILL, THREE_CHECK, CRAZYHOUSE, RACING_KINGS, HORDE = range(8)


class Move(NamedTuple):
    """A ply that is a move. A drop has no origin; castling has the square of its rook.

    The target of castling is the square where the king arrives.
    """

    role: int
    origin: int | None
    target: int
    promotion: int = 0
    rook: int | None = None


NULL = None  # a null move
Ply = Move | None


# --- Sets of squares ---------------------------------------------------------------------------
# A set of squares is an integer; bit s is the square s, from a1 = 0 and b1 = 1 to h8 = 63.


def squares(mask: int) -> Iterator[int]:
    """The squares of a set in ascending order."""
    while mask:
        yield (mask & -mask).bit_length() - 1
        mask &= mask - 1


def step(square: int, files: int, ranks: int) -> int | None:
    """The square that is so many files and ranks away, if it is on the board."""
    file, rank = square % 8 + files, square // 8 + ranks
    return 8 * rank + file if 0 <= file < 8 and 0 <= rank < 8 else None


def steps(square: int, ways: list[tuple[int, int]]) -> int:
    """The set of squares that are one step away in some of these ways."""
    return sum(1 << s for way in ways if (s := step(square, *way)) is not None)


def line(square: int, files: int, ranks: int) -> int:
    """The set of squares in a direction, without the first."""
    mask, at = 0, step(square, files, ranks)
    while at is not None:
        mask |= 1 << at
        at = step(at, files, ranks)
    return mask


KING_WAYS = [(f, r) for f in (-1, 0, 1) for r in (-1, 0, 1) if f or r]
KNIGHT_WAYS = [(f, r) for f in (-2, -1, 1, 2) for r in (-2, -1, 1, 2) if abs(f) != abs(r)]
KING_STEPS = [steps(s, KING_WAYS) for s in range(64)]
KNIGHT_STEPS = [steps(s, KNIGHT_WAYS) for s in range(64)]
PAWN_STEPS = [[steps(s, [(-1, way), (1, way)]) for s in range(64)] for way in (1, -1)]
# The lines of a slider: towards higher squares, and towards lower ones.
STRAIGHT = [([line(s, 1, 0), line(s, 0, 1)], [line(s, -1, 0), line(s, 0, -1)]) for s in range(64)]
DIAGONAL = [([line(s, -1, 1), line(s, 1, 1)], [line(s, -1, -1), line(s, 1, -1)]) for s in range(64)]
RANKS = [0xFF << 8 * rank for rank in range(8)]


def slide(lines: tuple[list[int], list[int]], occupied: int) -> int:
    """The squares of lines up to and including the first occupied one of each."""
    up, down = lines
    reached = 0
    for ray in up:
        blockers = ray & occupied
        reached |= ray & (blockers ^ blockers - 1)
    for ray in down:
        blockers = ray & occupied
        reached |= ray & -(1 << blockers.bit_length() - 1) if blockers else ray
    return reached


def attacks(role: int, side: int, square: int, occupied: int) -> int:
    """The squares that a piece attacks, whatever occupies them."""
    if role == PAWN:
        return PAWN_STEPS[side][square]
    if role == KNIGHT:
        return KNIGHT_STEPS[square]
    if role == KING:
        return KING_STEPS[square]
    reached = 0
    if role != BISHOP:
        reached |= slide(STRAIGHT[square], occupied)
    if role != ROOK:
        reached |= slide(DIAGONAL[square], occupied)
    return reached


def between(a: int, b: int) -> int:
    """The squares from a to b in one rank, both included."""
    return (1 << max(a, b) + 1) - (1 << min(a, b))


# --- Positions ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class Position:
    """A position and the rules by which it is played."""

    board: tuple[int, ...]  # role of each square: positive for White, negative for Black, 0 empty
    turn: int = WHITE
    rights: frozenset[int] = frozenset()  # the squares of rooks with a castling right
    en_passant: int | None = None
    clock: int = 0
    number: int = 1
    variant: Variant = Variant.CHESS
    chess960: bool = False
    promoted: int = 0  # set of squares
    hands: tuple[tuple[int, ...], tuple[int, ...]] = ((0,) * 7, (0,) * 7)  # counts by role
    checks: tuple[int, int] = (3, 3)  # still to give

    @cached_property
    def sets(self) -> list[list[int]]:
        """For each side the sets of its pieces by role; number 0 is all of them."""
        sets = [[0] * 7, [0] * 7]
        for square, piece in enumerate(self.board):
            if piece:
                of_side = sets[piece < 0]
                of_side[abs(piece)] |= 1 << square
                of_side[0] |= 1 << square
        return sets

    @cached_property
    def occupied(self) -> int:
        return self.sets[WHITE][0] | self.sets[BLACK][0]

    @cached_property
    def legal(self) -> list[Move]:
        """The legal moves in canonical order."""
        return legal_moves(self)

    def king(self, side: int) -> int | None:
        """The square of the king, if the side has exactly one."""
        kings = self.sets[side][KING]
        return kings.bit_length() - 1 if kings and not kings & kings - 1 else None


def sign(side: int) -> int:
    return -1 if side else 1


def home_rank(side: int, rank: int = 0) -> int:
    """The set of squares of a rank, counted from 0 as the side sees it."""
    return RANKS[7 - rank if side else rank]


def attackers(position: Position, square: int, side: int, occupied: int | None = None) -> int:
    """The pieces of a side that attack a square."""
    occupied = position.occupied if occupied is None else occupied
    sets = position.sets[side]
    found = PAWN_STEPS[1 - side][square] & sets[PAWN] | KNIGHT_STEPS[square] & sets[KNIGHT]
    found |= KING_STEPS[square] & sets[KING]
    found |= slide(STRAIGHT[square], occupied) & (sets[ROOK] | sets[QUEEN])
    return (found | slide(DIAGONAL[square], occupied) & (sets[BISHOP] | sets[QUEEN])) & occupied


def in_check(position: Position, side: int) -> bool:
    """Whether the other side attacks the side's king, by the rules of the variant."""
    king = position.king(side)
    if king is None or position.variant == Variant.ANTICHESS:
        return False
    if position.variant == Variant.ATOMIC:
        other = position.king(1 - side)
        if other is None or KING_STEPS[king] >> other & 1:
            return False
    return attackers(position, king, 1 - side) != 0


# --- Moves -------------------------------------------------------------------------------------


def is_capture(position: Position, move: Move) -> bool:
    """Whether a move captures; an en passant capture does."""
    if move.origin is None or move.rook is not None:
        return False
    return position.board[move.target] != 0 or (move.role == PAWN and (move.origin - move.target) % 8 != 0)


def capture_square(position: Position, move: Move) -> int:
    """Where the captured piece is."""
    if move.role == PAWN and not position.board[move.target]:
        return 8 * (move.origin // 8) + move.target % 8
    return move.target


def play(position: Position, ply: Ply) -> Position:
    """The position after a ply."""
    turn = position.turn
    after = dict(turn=1 - turn, en_passant=None, clock=min(MOST, position.clock + 1),
                 number=min(MOST, position.number + turn))
    if ply is NULL:
        return replace(position, **after)
    board, rights, promoted = list(position.board), set(position.rights), position.promoted
    hands = [list(hand) for hand in position.hands]
    captured = is_capture(position, ply)
    if ply.role == PAWN or captured:
        after["clock"] = 0
    if captured:
        square = capture_square(position, ply)
        if position.variant == Variant.CRAZYHOUSE:
            hands[turn][PAWN if promoted >> square & 1 else abs(board[square])] += 1
        remove(board, square, rights)
        promoted &= ~(1 << square)
    moved_promoted = False
    if ply.origin is None:
        hands[turn][ply.role] -= 1
    else:
        moved_promoted = promoted >> ply.origin & 1 or ply.promotion
        board[ply.origin] = 0
        promoted &= ~(1 << ply.origin)
        rights.discard(ply.origin)
    if ply.rook is not None:
        board[ply.rook] = 0
        board[castled_rook(ply)] = sign(turn) * ROOK
    board[ply.target] = sign(turn) * (ply.promotion or ply.role)
    if moved_promoted:
        promoted |= 1 << ply.target
    if ply.role == KING:
        rights = {square for square in rights if not home_rank(turn) >> square & 1}
    if (ply.role == PAWN and ply.origin is not None and abs(ply.origin - ply.target) == 16
            and home_rank(turn, 1) >> ply.origin & 1):
        after["en_passant"] = (ply.origin + ply.target) // 2
    if captured and position.variant == Variant.ATOMIC:
        promoted = explode(board, ply.target, rights, promoted)
    result = replace(position, board=tuple(board), rights=frozenset(rights), promoted=promoted,
                     hands=(tuple(hands[0]), tuple(hands[1])), **after)
    if position.variant == Variant.THREE_CHECK and in_check(result, 1 - turn):
        checks = list(position.checks)
        checks[turn] -= 1
        result = replace(result, checks=(checks[0], checks[1]))
    return result


def crazyhouse_bound(position: Position) -> bool:
    """Whether the side to move has at most 450 moves by the count of "Positions"."""
    turn = position.turn
    own = position.sets[turn][0]
    count = 2
    for role in range(KNIGHT, KING + 1):
        for square in squares(position.sets[turn][role]):
            count += (attacks(role, turn, square, position.occupied) & ~own).bit_count()
    for square in squares(position.sets[turn][PAWN]):
        count += 12 if home_rank(turn, 6) >> square & 1 else 4
    kinds = sum(number > 0 for number in position.hands[turn])
    return count + kinds * (64 - position.occupied.bit_count()) <= 450


def play_within_bounds(position: Position, ply: Ply) -> Position:
    """The position after a ply of a line. "Positions"."""
    after = play(position, ply)
    require(after.variant != Variant.CRAZYHOUSE or crazyhouse_bound(after), "illegal-move")
    return after


def remove(board: list[int], square: int, rights: set[int]) -> None:
    """Takes a piece off the board, and the rights of which it is king or rook."""
    if abs(board[square]) == KING:
        side = int(board[square] < 0)
        rights.difference_update([s for s in rights if home_rank(side) >> s & 1])
    rights.discard(square)
    board[square] = 0


def explode(board: list[int], target: int, rights: set[int], promoted: int) -> int:
    """Removes the pieces of an explosion. "Atomic"."""
    for square in (target, *squares(KING_STEPS[target])):
        if square == target or abs(board[square]) != PAWN:
            remove(board, square, rights)
            promoted &= ~(1 << square)
    return promoted


def castled_rook(move: Move) -> int:
    """Where the rook of castling arrives: on the f file or the d file."""
    return move.target - 1 if move.target % 8 == 6 else move.target + 1


def pseudo_legal(position: Position) -> Iterator[Move]:
    """The moves of the pieces and the drops, whatever happens to the king."""
    turn, occupied = position.turn, position.occupied
    own = position.sets[turn][0]
    for role in range(PAWN, KING + 1):
        for origin in squares(position.sets[turn][role]):
            if role == PAWN:
                yield from pawn_moves(position, origin)
                continue
            for target in squares(attacks(role, turn, origin, occupied) & ~own):
                if not (role == KING and position.variant == Variant.ATOMIC and position.board[target]):
                    yield Move(role, origin, target)
    for rook in position.rights:
        if home_rank(turn) >> rook & 1 and (move := castling(position, rook)):
            yield move
    for role in range(PAWN, KING):
        if position.hands[turn][role] and position.variant == Variant.CRAZYHOUSE:
            forbidden = RANKS[0] | RANKS[7] if role == PAWN else 0
            for target in squares(~(occupied | forbidden) & (1 << 64) - 1):
                yield Move(role, None, target)


def pawn_moves(position: Position, origin: int) -> Iterator[Move]:
    """Steps, captures and promotions of a pawn."""
    turn = position.turn
    ahead = 8 * sign(turn)
    en_passant = 0 if position.en_passant is None else 1 << position.en_passant
    targets = PAWN_STEPS[turn][origin] & (position.sets[1 - turn][0] | en_passant)
    if not position.board[origin + ahead]:
        targets |= 1 << origin + ahead
        from_first = position.variant == Variant.HORDE and home_rank(turn) >> origin & 1
        if (from_first or home_rank(turn, 1) >> origin & 1) and not position.board[origin + 2 * ahead]:
            targets |= 1 << origin + 2 * ahead
    for target in squares(targets):
        if home_rank(turn, 7) >> target & 1:
            last = KING if position.variant == Variant.ANTICHESS else QUEEN
            for promotion in range(KNIGHT, last + 1):
                yield Move(PAWN, origin, target, promotion)
        else:
            yield Move(PAWN, origin, target)


def castling(position: Position, rook: int) -> Move | None:
    """Castling with a rook, if it is legal. "Castling"."""
    turn, king = position.turn, position.king(position.turn)
    kingside = rook > king
    rank = king - king % 8
    king_to, rook_to = (rank + 6, rank + 5) if kingside else (rank + 2, rank + 3)
    free = position.occupied & ~(1 << king | 1 << rook)
    if free & (between(king, king_to) | between(rook, rook_to)):
        return None
    other_king = position.king(1 - turn)
    safe = KING_STEPS[other_king] if position.variant == Variant.ATOMIC and other_king is not None else 0
    if not safe >> king & 1 and attackers(position, king, 1 - turn, position.occupied):
        return None
    for square in squares(between(king, king_to) & ~safe):
        occupied = free | 1 << rook_to if square == king_to else position.occupied & ~(1 << king)
        if attackers(position, square, 1 - turn, occupied):
            return None
    return Move(KING, king, king_to, 0, rook)


def is_safe(position: Position, move: Move) -> bool:
    """Whether a pseudo-legal move is legal as far as kings are concerned."""
    turn, variant = position.turn, position.variant
    after = play(position, move)
    if variant == Variant.ATOMIC:
        if not after.sets[turn][KING]:
            return False
        return not after.sets[1 - turn][KING] or not in_check(after, turn)
    if variant == Variant.RACING_KINGS and in_check(after, 1 - turn):
        return False
    return not in_check(after, turn)


def legal_moves(position: Position) -> list[Move]:
    """The legal moves in canonical order. "Rules", "Canonical order"."""
    turn, variant = position.turn, position.variant
    stays_legal = variant in (Variant.ANTICHESS, Variant.HORDE) and position.sets[turn][0]
    if ended(position) is not None and not stays_legal:
        return []
    moves = list(pseudo_legal(position))
    king = position.king(turn)
    if variant == Variant.ANTICHESS:
        captures = [move for move in moves if is_capture(position, move)]
        moves = captures or moves
    elif variant in (Variant.ATOMIC, Variant.RACING_KINGS):
        moves = [move for move in moves if is_safe(position, move)]
    elif king is not None:
        # Only a piece on a line with its king can be pinned; this test only saves time.
        lines = slide(STRAIGHT[king], 0) | slide(DIAGONAL[king], 0)
        checked = in_check(position, turn)
        moves = [move for move in moves
                 if not (checked or move.role == KING or move.origin is not None and lines >> move.origin & 1
                         or move.target == position.en_passant) or is_safe(position, move)]
    flip = 63 if turn else 0
    return sorted(moves, key=lambda m: (m.origin is None, m.role if m.origin is None else m.origin ^ flip,
                                        m.target ^ flip, m.promotion, m.rook is not None))


# --- The end of a game -------------------------------------------------------------------------

DRAW = 2
HILL = sum(1 << square for square in (27, 28, 35, 36))


def ended(position: Position) -> int | None:
    """The winner, or DRAW, if the game has ended by a rule of its variant."""
    variant, sets = position.variant, position.sets
    for side in (WHITE, BLACK):
        if variant == Variant.ATOMIC and not sets[side][KING]:
            return 1 - side
        if variant == Variant.ANTICHESS and not sets[side][0]:
            return side
        if variant == Variant.HORDE and not sets[side][0]:
            return 1 - side
        if variant == Variant.KING_OF_THE_HILL and sets[side][KING] & HILL:
            return side
        if variant == Variant.THREE_CHECK and position.checks[side] == 0:
            return side
    if variant == Variant.RACING_KINGS:
        return race(position)
    return None


def race(position: Position) -> int | None:
    """The result of a race. "Racing Kings"."""
    there = [bool(position.sets[side][KING] & RANKS[7]) for side in (WHITE, BLACK)]
    if not any(there):
        return None
    if all(there):
        return DRAW
    if there[BLACK]:
        return BLACK
    if position.turn == BLACK:
        goals = KING_STEPS[position.king(BLACK)] & RANKS[7] & ~position.sets[BLACK][0]
        if any(not attackers(position, square, WHITE) for square in squares(goals)):
            return None
    return WHITE


def outcome(position: Position) -> int | None:
    """The winner or DRAW, if the game has ended; None if it goes on. "Rules"."""
    if (by_rule := ended(position)) is not None:
        return by_rule
    if position.legal:
        return None
    if position.variant == Variant.ANTICHESS:
        return position.turn
    return 1 - position.turn if in_check(position, position.turn) else DRAW


def pass_turn(position: Position) -> Position:
    """The position after a null move, which must be possible. "Lines"."""
    require(ended(position) is None and not in_check(position, position.turn), "null move in check")
    return play_within_bounds(position, NULL)
