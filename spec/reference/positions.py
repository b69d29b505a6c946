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
    start = bits.at
    values = [read_static, read_difference, read_piece_list, read_mixed_base][selector](bits)
    size = bits.at - start
    require(not any(values[s] in (PAWN, 6 + PAWN) for s in squares(ENDS)), "pawn")
    sizes = sizes_of(values)
    require(size == sizes[selector] == min(sizes) and selector == sizes.index(size), "not-smallest")
    position = read_trailer(bits, tuple(map(piece_of, values)))
    bits.end()
    return position


def sizes_of(values: Values) -> list[float]:
    """The bits of the pieces in the four codes."""
    difference = min(difference_sizes(values))
    return [sum(len(STATIC[value]) for value in values), 1 + difference, piece_list_size(values), MIXED_BITS]


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
    sizes = difference_sizes(values)
    require(sizes.index(min(sizes)) == form, "not-smallest")
    return values


def difference_sizes(values: Values) -> list[int]:
    """The bits of both forms of "difference"."""
    nibbles = [value ^ start for value, start in zip(values, START)]
    plain = sum(5 if nibble else 1 for nibble in nibbles)
    runs = "".join("x" if nibble else "0" for nibble in nibbles).split("x")
    if runs[-1] == "":
        runs.pop()  # the 64th nibble is not 0: no run follows
        return [plain, sum(gamma_size(len(run) + 1) + 4 for run in runs)]
    return [plain, sum(gamma_size(len(run) + 1) + 4 for run in runs) - 4]


def gamma_size(n: int) -> int:
    return 2 * n.bit_length() - 1


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


def piece_list_size(values: Values) -> float:
    """The bits of "piece-list"; infinite if it cannot represent the pieces."""
    size, free = 12, 48
    pawns, officers = [], []
    for side in (WHITE, BLACK):
        own = [value - 6 * side for value in values if 6 * side < value <= 6 * side + 6]
        pawns.append(own.count(PAWN))
        officers.append(len(own) - own.count(PAWN) - own.count(KING))
        if own.count(KING) != 1 or pawns[side] > 8 or officers[side] > 15:
            return float("inf")
        size += 1 + (3 if pawns[side] else 0) + 4 + 8 * officers[side]
    free -= sum(value not in (0, PAWN, 6 + PAWN) for value in values[8:56])
    for count in pawns:
        size += (perm(free, count) - 1).bit_length()
        free -= count
    return size


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
