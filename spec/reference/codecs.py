"""The move codecs without a model. moves.md, from "Trees" to "san"."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Callable

from .base import PLIES_LIMIT, Bits, Bytes, Damaged, element, require
from .chess import (BISHOP, BLACK, DRAW, KING, KNIGHT, NULL, PAWN, QUEEN, ROOK, WHITE, Move, Ply, Position, home_rank,
                    outcome, pass_turn, play, play_within_bounds, sign, squares)
from .fen import check_rules, en_passant_fits, start_position
from .san import castling_text, move_text, san

HUFFMAN_WRITTEN, HUFFMAN_ELIDED, INDEX_WRITTEN, INDEX_ELIDED, RADIX, RADIX_END, SQUARES, SAN, MODEL = range(1, 10)
STANDARD_KINDS = [ROOK, KNIGHT, BISHOP, QUEEN, KING, BISHOP, KNIGHT, ROOK] + [PAWN] * 8
Line = list[Ply]


def decode(selector: int, data: bytes, plies: int, nulls: list[int], start: Position) -> Line:
    """The main line, coded by one of the codecs 1 to 5, 7 and 8."""
    check_nulls(plies, nulls)
    if HUFFMAN_WRITTEN <= selector <= INDEX_ELIDED:
        found, line = decode_huffman(selector, data, plies, nulls, start)
        require(found == start, "wrong-start")
        return line
    decoders = {RADIX: decode_radix, SQUARES: decode_squares, SAN: decode_san}
    require(selector in decoders, f"unknown codec {selector}")
    return decoders[selector](data, plies, nulls, start)


def check_nulls(plies: int, nulls: list[int]) -> None:
    """The numbers that are outside the bits. "Lines"."""
    require(plies <= PLIES_LIMIT, "too-many-plies")
    require(all(a < b for a, b in zip(nulls, nulls[1:] + [plies])), "null-plies")


def decode_line(start: Position, plies: int, nulls: list[int], next_move: Callable[[Position], Move]) -> Line:
    """A line whose moves `next_move` reads in their positions. "Lines"."""
    line: Line = []
    position, passes = start, set(nulls)
    for ply in range(plies):
        if ply in passes:
            line.append(NULL)
            position = pass_turn(position)
        else:
            line.append(next_move(position))
            position = play_within_bounds(position, line[-1])
    return line


def written_target(position: Position, move: Move) -> int:
    """The target of a move; with Chess960 castling the rook's square. "Conventions"."""
    return move.rook if position.chess960 and move.rook is not None else move.target


def find_move(position: Position, origin: int, target: int, promotion: int) -> Move:
    """The legal move with these squares."""
    for move in position.legal:
        if (move.origin, written_target(position, move), move.promotion) == (origin, target, promotion):
            return move
    raise Damaged("illegal-move")


def promotes(position: Position, origin: int, target: int) -> bool:
    """Whether a pawn of the side to move is on the origin, and the target on its last rank."""
    turn = position.turn
    return position.board[origin] == sign(turn) * PAWN and bool(home_rank(turn, 7) >> target & 1)


# --- huffman and huffman-index -----------------------------------------------------------------

Codes = dict[int, str]  # the code of each ID, as digits 0 and 1


@dataclass
class Codes:
    """The codes of a tree, as digits 0 and 1, with the ID of each, and the IDs that were read. "Trees"."""

    numbers: dict[str, int] = field(default_factory=dict)
    used: set[int] = field(default_factory=set)

    @classmethod
    def read(cls, bits: Bits, width: int, bound: int) -> Codes:
        codes = cls()
        outstanding = [""]
        while outstanding:
            path = outstanding.pop()
            if bits.field(1):
                number = bits.field(width)
                require(number < bound, "tree-foreign-id")
                require(number not in codes.numbers.values(), "tree-repeated-id")
                codes.numbers[path] = number
            else:
                outstanding += [path + "1", path + "0"]
            require(len(codes.numbers) + len(outstanding) <= bound, "tree-too-many-leaves")
        return codes

    def next(self, bits: Bits) -> int:
        """The ID whose code comes next."""
        path = ""
        while path not in self.numbers:
            path += str(bits.field(1))
        self.used.add(self.numbers[path])
        return self.numbers[path]

    def require_used(self) -> None:
        require(self.used == set(self.numbers.values()), "tree-foreign-id")


def decode_huffman(selector: int, data: bytes, plies: int, nulls: list[int],
                   rest: Position) -> tuple[Position, Line]:
    """ "Decoding" and "Encoding and decoding numbers".

    Of `rest` only what the bits do not contain is used. Gives the start position too.
    """
    with_index = selector in (INDEX_WRITTEN, INDEX_ELIDED)
    written = selector in (HUFFMAN_WRITTEN, INDEX_WRITTEN)
    no_moves = len(nulls) == plies
    bits = Bits(data)
    start = start_position(rest.variant, False)
    if not written:
        require(replace(rest, board=start.board, turn=start.turn) == start and rest.variant == 0, "wrong-start")
        if no_moves:
            require(not data, "trailing")
            return start, [NULL] * plies
    pieces, second = Codes.read(bits, 5, 32), Codes()
    if not (no_moves and with_index):
        second = Codes.read(bits, *((5, 27) if with_index else (6, 64)))
    if written:
        start = read_start(bits, with_index, pieces, second, rest, no_moves, leading_nulls(nulls))
    line = read_moves(bits, with_index, pieces, second, start, plies, nulls)
    bits.end()
    pieces.require_used()
    second.require_used()
    return start, line


def leading_nulls(nulls: list[int]) -> int:
    """How many null moves precede the first move."""
    return next((i for i, ply in enumerate(nulls) if ply != i), len(nulls))


def kind_of(number: int) -> int:
    """The kind of the piece in the standard start position. "Piece IDs"."""
    return STANDARD_KINDS[number % 16]


def read_start(bits: Bits, with_index: bool, pieces: Codes, second: Codes, rest: Position, no_moves: bool,
               leading: int) -> Position:
    """Promotion table, initial position and side to move. "Start written"."""
    kinds: dict[int, int] = {}
    for _ in range(bits.field(4)):
        number = pieces.next(bits)
        require(kind_of(number) == PAWN, "table-not-pawn")
        require(number > max(kinds, default=-1), "table-order")
        kinds[number] = KNIGHT + bits.field(2)
    board = [0] * 64
    ids: dict[int, int] = {}
    for number in sorted(pieces.numbers.values()):
        require(pieces.next(bits) == number, "initial-order")
        square = bits.field(6) if with_index else second.next(bits)
        require(board[square] == 0, "two-on-square")
        board[square] = (kinds.get(number) or kind_of(number)) * sign(number // 16)
        ids[square] = number
    if no_moves:
        turn = bits.field(1)
    else:
        at = bits.at
        turn = (pieces.next(bits) // 16 + leading) % 2
        bits.at = at
    start = replace(rest, board=tuple(board), turn=turn)
    require(all(start.king(side) is not None for side in (WHITE, BLACK)), "not-a-position")
    check_rules(start)
    check_start(start)
    require(piece_ids(start) == ids, "initial-ids")
    return start


def check_start(start: Position) -> None:
    """The two more conditions at the end of "huffman", "Decoding"."""
    for rook in start.rights:
        side = int(rook >= 56)
        king = start.king(side)
        require(home_rank(side) >> king & home_rank(side) >> rook & 1, "not-a-position")
        require(start.board[rook] == sign(side) * ROOK, "not-a-position")
        require(start.chess960 or king % 8 == 4 and rook % 8 in (0, 7), "not-a-position")
    require(start.en_passant is None or en_passant_fits(start, start.en_passant), "not-a-position")


def piece_ids(position: Position) -> dict[int, int]:
    """The IDs of the pieces, by square. "Piece IDs"."""
    ids: dict[int, int] = {}
    for side in (WHITE, BLACK):
        spare, promoted = [], []
        for role in (PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING):
            own = [16 * side + i for i, kind in enumerate(STANDARD_KINDS) if kind == role]
            found = list(squares(position.sets[side][role]))
            ids.update(zip(found, own))
            promoted += found[len(own):]
            if role == PAWN:
                spare = own[len(found):]
        require(len(promoted) <= len(spare), "not-a-position")
        ids.update(zip(promoted, spare))
    return ids


def read_moves(bits: Bits, with_index: bool, pieces: Codes, second: Codes, start: Position, plies: int,
               nulls: list[int]) -> Line:
    """Moves. "Start written", "Numbers, start written"."""
    ids = piece_ids(start)

    def next_move(position: Position) -> Move:
        number = pieces.next(bits)
        origin = next((square for square, piece in ids.items() if piece == number), None)
        require(origin is not None, "captured-moves")
        target = second.next(bits)
        if with_index:
            own = [move for move in position.legal if move.origin == origin]
            target = element(sorted({written_target(position, move) for move in own}), target, "no-target:")
        promotion = KNIGHT + bits.field(2) if promotes(position, origin, target) else 0
        move = find_move(position, origin, target, promotion)
        track(ids, move, play(position, move))
        return move

    return decode_line(start, plies, nulls, next_move)


def track(ids: dict[int, int], move: Move, after: Position) -> None:
    """Moves the IDs along with the pieces, and removes those of captured pieces."""
    moved = {move.target: ids.pop(move.origin)}
    if move.rook is not None:
        moved[move.target + (-1 if move.target % 8 == 6 else 1)] = ids.pop(move.rook)
    ids.update(moved)
    for square in [square for square in ids if not after.board[square]]:
        del ids[square]


# --- radix and radix-end -----------------------------------------------------------------------

DIGITS = 1024
MOST_BYTES = 2048  # of 1,024 digits below 2^16; a longer number has a remainder


@dataclass
class Digits:
    """The digits of a number, or of several. "radix"."""

    data: bytes
    number: int = 0
    digits: int = 0
    sized: Bytes = field(init=False)

    def __post_init__(self) -> None:
        """`open`."""
        self.sized = Bytes(b"")
        if self.data[-1:] == b"\0":
            self.sized = Bytes(self.data[:-1])
            self.number = self.next_sized()
            require(self.sized.more(), "single-number")
        else:
            self.number = self.from_bytes(self.data)

    @staticmethod
    def from_bytes(raw: bytes) -> int:
        require(len(raw) <= MOST_BYTES, "remainder")
        require(raw[-1:] != b"\0", "leading-zeros")
        return int.from_bytes(raw, "little")

    def next_sized(self) -> int:
        return self.from_bytes(self.sized.sized())

    def next_number(self) -> None:
        if self.digits == DIGITS:
            require(self.number == 0, "remainder")
            self.number, self.digits = self.next_sized(), 0

    def digit(self, base: int) -> int:
        require(base > 0, "no-legal-move")
        self.next_number()
        self.digits += 1
        self.number, digit = divmod(self.number, base)
        return digit

    def move(self, position: Position) -> Move:
        return position.legal[self.digit(len(position.legal))]

    def end(self) -> None:
        require(self.number == 0, "remainder")
        require(not self.sized.more(), "trailing")


def decode_radix(data: bytes, plies: int, nulls: list[int], start: Position) -> Line:
    digits = Digits(data)
    line = decode_line(start, plies, nulls, digits.move)
    digits.end()
    return line


def decode_radix_end(data: bytes, nulls: list[int], start: Position) -> tuple[Line, int]:
    """The line, and the number of its result. "radix-end"."""
    digits, passes = Digits(data), set(nulls)
    line: Line = []
    position = start
    while True:
        if len(line) in passes:
            ply, after = NULL, pass_turn
        else:
            legal = position.legal
            if not legal:
                digits.next_number()
                result = outcome(position)
                break
            digit = digits.digit(len(legal) + 1)
            if digit == len(legal):
                require(digits.number <= 1, "remainder")
                result = DRAW if digits.number else 1 - position.turn
                digits.number = 0
                break
            ply, after = legal[digit], lambda p: play_within_bounds(p, ply)
        require(len(line) < PLIES_LIMIT, "too-many-plies")
        line.append(ply)
        position = after(position)
    require(all(a < b for a, b in zip(nulls, nulls[1:] + [len(line)])), "null-plies")
    digits.end()
    return line, result


# --- squares and san ---------------------------------------------------------------------------


def decode_squares(data: bytes, plies: int, nulls: list[int], start: Position) -> Line:
    """ "squares"."""
    bits = Bits(data)

    def next_move(position: Position) -> Move:
        file, rank, to_file, to_rank = (bits.field(3) for _ in range(4))
        origin, target = file + 8 * rank, to_file + 8 * to_rank
        promotion = KNIGHT + bits.field(2) if promotes(position, origin, target) else 0
        return find_move(position, origin, target, promotion)

    line = decode_line(start, plies, nulls, next_move)
    bits.end()
    return line


def decode_san(data: bytes, plies: int, nulls: list[int], start: Position) -> Line:
    """ "san"."""
    reader = Bytes(data)

    def next_move(position: Position) -> Move:
        end = data.find(b" ", reader.at)
        require(end >= 0, "cut-short")
        text = reader.take(end + 1 - reader.at)[:-1]
        bare = text.rstrip(b"+#").decode("latin-1")
        for move in position.legal:
            if bare == (castling_text(move, 0) or move_text(position, move, 0)):
                require(san(position, move, 0) == text, "not-standard")
                return move
        raise Damaged("illegal-move")

    line = decode_line(start, plies, nulls, next_move)
    reader.end()
    return line
