"""The position code `combined` of stored start positions. positions.md."""

from __future__ import annotations

from math import perm

from .base import Bits, require
from .chess import BLACK, KING, KNIGHT, PAWN, RANKS, ROOK, WHITE, Position, home_rank, squares
from .fen import STANDARD, read_board

# "huffman-static": the codes of the values 0 to 12.
STATIC = ["0", "110", "10110", "10100", "11111", "111010", "101110",
          "100", "10101", "11100", "11110", "111011", "101111"]
ENDS = RANKS[0] | RANKS[7]
MIXED_BITS = 233
Values = list[int]  # the value of each square; "Conventions"


def piece_of(value: int) -> int:
    """The piece of a value, as on the board of a position."""
    return value if value <= 6 else 6 - value


def value_of(piece: int) -> int:
    return piece if piece >= 0 else 6 - piece


START = [value_of(piece) for piece in read_board(STANDARD.decode().split()[0])[0]]


def decode_combined(data: bytes) -> Position:
    """ "combined"."""
    bits = Bits(data)
    selector = bits.field(2)
    values = [read_static, read_difference, read_piece_list, read_mixed_base][selector](bits)
    require(not any(values[s] in (PAWN, 6 + PAWN) for s in squares(ENDS)), "pawn")
    position = read_trailer(bits, tuple(map(piece_of, values)))
    bits.end()
    return position


def read_trailer(bits: Bits, board: tuple[int, ...]) -> Position:
    """ "Trailer"."""
    turn = bits.field(1)
    position = Position(board, turn)
    rights = set()
    for side in (WHITE, BLACK):
        for kingside in (True, False):
            if bits.field(1):
                rights.add(outermost(position, side, kingside))
    en_passant = None
    if bits.field(1):
        en_passant = (16 if turn else 40) + bits.field(3)
    clock = number = None
    if bits.field(1):
        clock = bits.field(8)
    if bits.field(1):
        number = bits.field(16)
    require(clock != 0 and number not in (0, 1), "counter")
    return Position(board, turn, frozenset(rights), en_passant, clock or 0, number or 1)


def outermost(position: Position, side: int, kingside: bool) -> int:
    """The rook of a right."""
    king = position.king(side)
    require(king is not None and home_rank(side) >> king & 1, "castling")
    rooks = [s for s in squares(position.sets[side][ROOK] & home_rank(side)) if (s > king) == kingside]
    require(rooks, "castling")
    return rooks[-1] if kingside else rooks[0]


def read_static(bits: Bits) -> Values:
    """ "huffman-static"."""
    values = []
    while len(values) < 64:
        code = ""
        while code not in STATIC:
            code += str(bits.field(1))
        values.append(STATIC.index(code))
    return values


def read_difference(bits: Bits) -> Values:
    """ "difference"."""
    form = bits.field(1)
    nibbles: list[int] = []
    while len(nibbles) < 64:
        if form == 0:
            coded = bits.field(1)
            nibbles.append(bits.field(4) if coded else 0)
            require(nibbles[-1] or not coded, "value")
            continue
        width = bits.zeros()
        require(width < 7, "number")
        run = (1 << width | bits.field(width)) - 1
        nibbles += [0] * run
        require(len(nibbles) <= 64, "number")
        if len(nibbles) < 64:
            nibbles.append(bits.field(4))
            require(nibbles[-1], "value")
    values = [nibble ^ start for nibble, start in zip(nibbles, START)]
    require(max(values) <= 12, "value")
    return values


def read_piece_list(bits: Bits) -> Values:
    """ "piece-list"."""
    values = [0] * 64

    def place(square: int, value: int) -> None:
        require(values[square] == 0, "occupied")
        values[square] = value

    place(bits.field(6), KING)
    place(bits.field(6), 6 + KING)
    pawns = []
    for side in (WHITE, BLACK):
        pawns.append(bits.field(3) + 1 if bits.field(1) else 0)
        last = -1
        for _ in range(bits.field(4)):
            kind, square = bits.field(2), bits.field(6)
            require(square > last, "order")
            last = square
            place(square, 6 * side + KNIGHT + kind)
    for side, count in enumerate(pawns):
        free = [square for square in range(8, 56) if not values[square]]
        bound = perm(len(free), count)
        number = bits.field((bound - 1).bit_length()) if count else 0
        require(number < bound, "number")
        digits = []
        for left in range(len(free) - count + 1, len(free) + 1):
            number, digit = divmod(number, left)
            digits.insert(0, digit)
        chosen = [free.pop(digit) for digit in digits]
        require(chosen == sorted(chosen), "order")
        for square in chosen:
            place(square, 6 * side + PAWN)
    return values


def read_mixed_base(bits: Bits) -> Values:
    """ "mixed-base"."""
    number = bits.field(MIXED_BITS)
    values = []
    for square in range(63, -1, -1):
        number, digit = divmod(number, 11 if ENDS >> square & 1 else 13)
        if ENDS >> square & 1:  # the digits without pawns
            digit += (digit > 0) + (digit > 5)
        values.insert(0, digit)
    require(number == 0, "number")
    return values
