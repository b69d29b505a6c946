"""Positions as text: reading a FEN (pgn.md, "Start"), writing one (archive.md, sections 5 and 6)."""

from __future__ import annotations

import re

from .base import require
from .chess import (BISHOP, BLACK, KING, KNIGHT, LETTERS, MOST, PAWN, QUEEN, RANKS, ROOK, WHITE, Position, Variant,
                    crazyhouse_bound, home_rank, in_check, sign, squares)

STANDARD = b"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
USUAL = {  # moves.md, "Usual start positions"
    Variant.ANTICHESS: b"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1",
    Variant.RACING_KINGS: b"8/8/8/8/8/8/krbnNBRK/qrbnNBRQ w - - 0 1",
    Variant.HORDE: b"rnbqkbnr/pppppppp/8/1PP2PP1/PPPPPPPP/PPPPPPPP/PPPPPPPP/PPPPPPPP w kq - 0 1",
}


def start_position(variant: Variant, chess960: bool) -> Position:
    """The usual start position of a variant."""
    return read_fen(USUAL.get(variant, STANDARD), variant, chess960)


def read_fen(text: bytes, variant: Variant, chess960: bool) -> Position:
    """A FEN as a position by the rules of the variant. pgn.md, "Start"."""
    fields = [field.decode("latin-1") for field in re.split(rb"[ _]+", text) if field]
    require(fields, "empty FEN")
    board, promoted, hands = read_board(fields.pop(0))
    fields += ["w", "-", "-"][len(fields):]
    turn = {"w": WHITE, "b": BLACK}.get(fields[0])
    require(turn is not None, "side to move of a FEN")
    en_passant = None if fields[2] == "-" else square_named(fields[2])
    counters, checks = fields[3:], (3, 3)
    place = 0 if counters and "+" in counters[0] else 2  # before the counters or after them
    if len(counters) > place:
        checks = read_checks(counters.pop(place))
    require(len(counters) <= 2 and all(re.fullmatch("[0-9]+", c) for c in counters), "counters of a FEN")
    clock, number = [min(MOST, int(c)) for c in counters] + [0, 1][len(counters):]
    if variant != Variant.CRAZYHOUSE:
        promoted, hands = 0, ((0,) * 7, (0,) * 7)
    if variant != Variant.THREE_CHECK:
        checks = (3, 3)
    position = Position(board, turn, frozenset(), None, clock, max(1, number), variant, chess960,
                        promoted, hands, checks)
    rights = read_rights(fields[1], position)
    if variant in (Variant.ANTICHESS, Variant.RACING_KINGS):
        rights = frozenset()
    if variant == Variant.RACING_KINGS or not en_passant_fits(position, en_passant):
        en_passant = None
    position = Position(board, turn, rights, en_passant, clock, max(1, number), variant, chess960,
                        promoted, hands, checks)
    check_rules(position)
    return position


def square_named(name: str) -> int:
    require(re.fullmatch("[a-h][1-8]", name), "square of a FEN")
    return ord(name[0]) - 97 + 8 * (int(name[1]) - 1)


def square_name(square: int) -> str:
    return "abcdefgh"[square % 8] + str(square // 8 + 1)


def read_board(text: str) -> tuple[tuple[int, ...], int, tuple[tuple[int, ...], tuple[int, ...]]]:
    """The squares, the promoted pieces and the hands."""
    hand = ""
    if bracket := re.fullmatch(r"([^\[]*)\[([^\]]*)\]", text):
        text, hand = bracket.groups()
    ranks = text.split("/")
    if len(ranks) == 9 and not bracket:
        hand = ranks.pop()
    require(len(ranks) == 8, "ranks of a FEN")
    board, promoted = [0] * 64, 0
    for rank, content in zip(range(7, -1, -1), ranks):
        require(re.fullmatch("([1-8]|[A-Za-z]~?)*", content), "rank of a FEN")
        file = 0
        for letter in content:
            if letter == "~":
                promoted |= 1 << 8 * rank + file - 1
                continue
            require(file < 8, "rank of a FEN")
            if letter in "12345678":
                file += int(letter)
                continue
            board[8 * rank + file] = piece_of(letter)
            file += 1
        require(file == 8, "rank of a FEN")
    counts = [[0] * 7, [0] * 7]
    require(len(hand) <= 64, "hand of a FEN")
    for letter in hand:
        piece = piece_of(letter)
        counts[piece < 0][abs(piece)] += 1
    return tuple(board), promoted, (tuple(counts[0]), tuple(counts[1]))


def piece_of(letter: str) -> int:
    role = LETTERS.find(letter.upper())
    require(role > 0, "piece of a FEN")
    return role if letter.isupper() else -role


def read_checks(text: str) -> tuple[int, int]:
    """Checks still to give."""
    given = re.fullmatch(r"(\+?)([0-3])\+([0-3])", text)
    require(given, "checks of a FEN")
    white, black = int(given[2]), int(given[3])
    return (3 - white, 3 - black) if given[1] else (white, black)


def rook_of_letter(position: Position, side: int, letter: str) -> int:
    """The square that a letter of the field castling means, whether or not a rook is there."""
    rank = 56 if side else 0
    if letter in "ABCDEFGH":
        return rank + "ABCDEFGH".index(letter)
    require(letter in "KQ", "castling of a FEN")
    pieces = [position.board[rank + file] * sign(side) for file in range(8)]
    files = [file for file in range(8) if pieces[file] in (ROOK, KING)]
    outermost = (max if letter == "K" else min)(files, default=None)
    if outermost is None or pieces[outermost] != ROOK:
        return rank + (7 if letter == "K" else 0)
    return rank + outermost


def read_rights(text: str, position: Position) -> frozenset[int]:
    """The castling rights that remain when those without meaning are dropped."""
    rights: set[int] = set()
    for side in (WHITE, BLACK):
        letters = [c.upper() for c in text if c.isupper() == (side == WHITE)] if text != "-" else []
        rooks = {rook_of_letter(position, side, letter) for letter in letters}
        require(len(rooks) <= 2, "castling rights on more than two files")
        king = position.king(side)
        if king is None or not home_rank(side) >> king & 1:
            continue
        rooks = {rook for rook in rooks if position.board[rook] == sign(side) * ROOK}
        if not position.chess960:
            rooks = {rook for rook in rooks if king % 8 == 4 and rook % 8 in (0, 7)}
        above, below = [r for r in rooks if r > king], [r for r in rooks if r < king]
        rights.update(above and [max(above)], below and [min(below)])
    return frozenset(rights)


def en_passant_fits(position: Position, square: int | None) -> bool:
    """The conditions at the end of moves.md, "huffman"."""
    if square is None or not home_rank(position.turn, 5) >> square & 1:
        return False
    ahead = 8 * sign(position.turn)
    board = position.board
    return (not board[square] and not board[square + ahead]
            and board[square - ahead] == -sign(position.turn) * PAWN)


def check_rules(position: Position) -> None:
    """The rules of the variant for positions. moves.md, "Positions"."""
    variant, sets = position.variant, position.sets
    kings = [sets[side][KING].bit_count() for side in (WHITE, BLACK)]
    turn = position.turn
    if variant == Variant.ANTICHESS:
        require(position.occupied, "no pieces")
    elif variant == Variant.HORDE:
        require(sorted(kings) == [0, 1], "kings of a horde")
    elif variant == Variant.ATOMIC:
        require(kings[1 - turn] == 1 and kings[turn] <= 1, "kings of a position")
    else:
        require(kings == [1, 1], "kings of a position")
    require(not in_check(position, 1 - turn), "side that is not to move is in check")
    for side in (WHITE, BLACK):
        horde = variant == Variant.HORDE and not kings[side]
        forbidden = home_rank(side, 7) | (0 if horde else home_rank(side))
        require(not sets[side][PAWN] & forbidden, "pawn on a first or last rank")
        check_counts(position, side, horde)
    require(variant != Variant.THREE_CHECK or any(position.checks), "no checks to give")
    if variant == Variant.RACING_KINGS:
        require(not sets[WHITE][PAWN] | sets[BLACK][PAWN] and not in_check(position, turn), "no race")
        require(turn == WHITE or not all(s[KING] & RANKS[7] for s in sets), "no race")
    if variant == Variant.CRAZYHOUSE:
        check_crazyhouse(position)


LIGHT = 0x55AA55AA55AA55AA


def check_counts(position: Position, side: int, horde: bool) -> None:
    """How many pieces a side may have."""
    sets = position.sets[side]
    counts = [pieces.bit_count() for pieces in sets]
    if horde:
        require(counts[0] <= 36, "pieces of a horde")
    elif position.variant == Variant.RACING_KINGS:
        most = {KNIGHT: 2, BISHOP: 2, ROOK: 2, QUEEN: 1}
        require(all(counts[role] <= n for role, n in most.items()), "pieces of a side")
    elif position.variant != Variant.CRAZYHOUSE:
        light = (sets[BISHOP] & LIGHT).bit_count()
        extra = [counts[QUEEN] - 1, counts[ROOK] - 2, counts[KNIGHT] - 2, light - 1, counts[BISHOP] - light - 1]
        require(counts[PAWN] + sum(max(0, n) for n in extra) <= 8, "pieces of a side")
        require(position.variant != Variant.ANTICHESS or counts[0] <= 16, "pieces of a side")


def check_crazyhouse(position: Position) -> None:
    """The bound on pieces on the board and in both hands."""
    total = [0] * 7
    for side in (WHITE, BLACK):
        require(not position.hands[side][KING], "king in hand")
        for role in range(PAWN, KING):
            own = position.sets[side][role]
            total[role] += (own & ~position.promoted).bit_count() + position.hands[side][role]
    pawns = total[PAWN] + position.promoted.bit_count()
    require(max(total[KNIGHT], total[BISHOP], total[ROOK]) <= 4 and total[QUEEN] <= 2 and pawns <= 16,
            "pieces of Crazyhouse")
    require(crazyhouse_bound(position), "moves of Crazyhouse")


def write_fen(position: Position, shredder: bool) -> bytes:
    """`fen(position, f)`: f is 2 for Shredder-FEN, else 1. archive.md, section 5."""
    letters = {rook: right_letter(position, rook, shredder, nearest=False) for rook in position.rights}
    return join_fen(position, letters, position.en_passant, position.clock)


def write_last(position: Position, shown: int | None, clock: int) -> bytes:
    """The FEN of a back-reference. archive.md, section 6."""
    letters = {rook: right_letter(position, rook, False, nearest=True) for rook in position.rights}
    return join_fen(position, letters, shown, clock)


def right_letter(position: Position, rook: int, shredder: bool, nearest: bool) -> str:
    """The letter of a right; with `nearest` K and Q only for the outermost rook."""
    side = int(rook >= 56)
    kingside = rook > position.king(side)
    letter = "K" if kingside else "Q"
    if shredder or nearest and outer_rook(position, side, kingside) != rook:
        letter = "ABCDEFGH"[rook % 8]
    return letter.lower() if side else letter


def outer_rook(position: Position, side: int, kingside: bool) -> int:
    rooks = list(squares(position.sets[side][ROOK] & home_rank(side)))
    return rooks[-1] if kingside else rooks[0]


def join_fen(position: Position, letters: dict[int, str], en_passant: int | None, clock: int) -> bytes:
    """The six fields."""
    rows = []
    for rank in range(7, -1, -1):
        row = ""
        for piece in position.board[8 * rank : 8 * rank + 8]:
            letter = LETTERS[abs(piece)]
            row += letter.lower() if piece < 0 else letter
        rows.append(re.sub(" +", lambda run: str(len(run[0])), row))
    # White's rights first, those of each side towards the h file first.
    castling = "".join(letters[rook] for side in (0, 56) for rook in sorted(letters, reverse=True)
                       if side <= rook < side + 8)
    shown = "-" if en_passant is None else square_name(en_passant)
    return " ".join(["/".join(rows), "wb"[position.turn], castling or "-", shown, str(clock),
                     str(position.number)]).encode()
