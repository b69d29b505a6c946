"""A position from the view of the side to move. models.md, "The board" to "The context"."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

from .chess import (BISHOP, BLACK, DIAGONAL, KING, KING_STEPS, KNIGHT, KNIGHT_STEPS, PAWN, PAWN_STEPS, QUEEN, ROOK,
                    STRAIGHT, WHITE, Position, attacks, slide, squares)
from .mix import mix

OURS, THEIRS = WHITE, BLACK  # our pawns move from lower to higher numbers, like White's
VALUE = [0, 1, 3, 3, 5, 9, 100]  # of roles
NO_CLASS, PAWNS, MINORS, ROOKS, QUEENS, KINGS = range(6)  # classes of attackers
CLASS = [NO_CLASS, PAWNS, MINORS, MINORS, ROOKS, QUEENS, KINGS]  # of roles
CLASS_VALUE = [0, 1, 3, 5, 9, 100]
Sets = tuple[int, int, int, int]


@dataclass(frozen=True)
class Played:
    """A ply of the past, with squares as White counts them. The role of a promotion is pawn."""

    role: int
    origin: int
    target: int  # of castling, the square of the rook
    captured: bool

    def seen(self, flip: int) -> Played:
        return Played(self.role, self.origin ^ flip, self.target ^ flip, self.captured)


@dataclass
class AttackMap:
    """The squares that the pieces of a side attack. "Attack maps"."""

    once: int = 0  # attacked at least once
    twice: int = 0
    thrice: int = 0
    by_class: list[int] = field(default_factory=lambda: [0] * 6)

    def count(self, square: int) -> int:
        """At most 3."""
        return (self.once >> square & 1) + (self.twice >> square & 1) + (self.thrice >> square & 1)

    def least(self, square: int) -> int:
        """The class of the least attacker of a square."""
        return next((c for c in range(PAWNS, KINGS + 1) if self.by_class[c] >> square & 1), NO_CLASS)


@dataclass(frozen=True)
class Code:
    """The code of a square."""

    least: int
    theirs: int
    ours: int

    def number(self) -> int:
        return self.least | self.theirs << 3 | self.ours << 5


def bucket(value: int, bounds: tuple[int, ...]) -> int:
    """How many of the bounds a value reaches."""
    return sum(value >= bound for bound in bounds)


def ray(a: int, b: int) -> int:
    """The line from a, without it, through b to the edge; nothing if there is none."""
    for lines in STRAIGHT[a] + DIAGONAL[a]:
        for mask in lines:
            if mask >> b & 1:
                return mask
    return 0


def level_of(value: int) -> int:
    """`level(v)`. "Hanging pieces"."""
    return bucket(value, (2, 4, 6))


@dataclass
class View:
    """What depends on the position and the game, but not on the move."""

    position: Position
    history: tuple[Played | None, ...]  # the last four plies, the last one last
    ply: int
    last: bool
    ratings: tuple[int | None, int | None]
    result: int | None  # winner, or 2 for a draw

    def __post_init__(self) -> None:
        turn = self.position.turn
        self.flip = 56 if turn else 0
        sets = self.position.sets
        if turn:
            sets = [[int.from_bytes(mask.to_bytes(8, "little"), "big") for mask in sets[side]] for side in (1, 0)]
        self.sets: list[list[int]] = sets
        self.roles = [abs(self.position.board[square ^ self.flip]) for square in range(64)]
        self.occupied = self.position.occupied if not turn else sets[0][0] | sets[1][0]
        self.our_king = sets[OURS][KING].bit_length() - 1
        self.their_king = sets[THEIRS][KING].bit_length() - 1
        past = [played and played.seen(self.flip) for played in self.history]
        self.our_last_but_one, self.their_last_but_one, self.our_last, self.their_last = past
        self.maps = [self.attack_map(OURS), self.attack_map(THEIRS)]
        rights = [right ^ self.flip for right in self.position.rights]
        self.may_castle = [[r for r in rights if r < 8], [r for r in rights if r >= 56]]

    # The context

    @cached_property
    def rating(self) -> int:
        own = self.ratings[self.position.turn]
        return 0 if own is None else 1 + bucket(own, (1200, 1500, 1800, 2100, 2400))

    @cached_property
    def our_result(self) -> int:
        if self.result is None:
            return 0
        return 1 if self.result == 2 else 2 if self.result == self.position.turn else 3

    @cached_property
    def phase(self) -> int:
        if self.ply < 16:
            return 0
        officers = sum(VALUE[role] * (self.sets[OURS][role] | self.sets[THEIRS][role]).bit_count()
                       for role in range(KNIGHT, KING))
        return 1 if officers >= 40 else 2 if officers >= 20 else 3

    @cached_property
    def ply_bucket(self) -> int:
        return bucket(self.ply, (6, 10, 14, 18, 24, 32, 48))

    @cached_property
    def balance(self) -> int:
        value = sum(VALUE[role] * (self.sets[OURS][role].bit_count() - self.sets[THEIRS][role].bit_count())
                    for role in range(PAWN, KING))
        return bucket(value, (-2, 0, 1, 3))

    @cached_property
    def hash(self) -> int:
        """ "Hash"."""
        value = 0
        for side in (OURS, THEIRS):
            for role in range(PAWN, KING + 1):
                for square in squares(self.sets[side][role]):
                    value ^= mix(512 * side + 64 * role + square)
        return value

    @cached_property
    def hash_with_rights(self) -> int:
        """mix(hash ⊕ r). "Lines" of "Groups"."""
        return mix(self.hash ^ sum(1 << rook for side in self.may_castle for rook in side))

    # Attacks

    def attacks(self, side: int, square: int, occupied: int | None = None) -> int:
        """The squares that the piece on a square attacks."""
        return attacks(self.roles[square], side, square, self.occupied if occupied is None else occupied)

    def attackers(self, side: int, square: int, occupied: int) -> int:
        """The pieces of a side, on occupied squares, that attack a square."""
        sets = self.sets[side]
        found = PAWN_STEPS[1 - side][square] & sets[PAWN] | KNIGHT_STEPS[square] & sets[KNIGHT]
        found |= KING_STEPS[square] & sets[KING]
        if straight := sets[ROOK] | sets[QUEEN]:
            found |= slide(STRAIGHT[square], occupied) & straight
        if diagonal := sets[BISHOP] | sets[QUEEN]:
            found |= slide(DIAGONAL[square], occupied) & diagonal
        return found & occupied

    def attack_map(self, side: int) -> AttackMap:
        """ "Attack maps": sliders see through some pieces."""
        sets = self.sets[side]
        seen_through = self.sets[OURS][KING] if side == THEIRS else 0
        diagonal = self.occupied & ~(sets[BISHOP] | sets[QUEEN] | seen_through)
        straight = self.occupied & ~(sets[ROOK] | sets[QUEEN] | seen_through)
        result = AttackMap()
        for role in range(PAWN, KING + 1):
            for square in squares(sets[role]):
                mask = 0
                if role in (BISHOP, QUEEN):
                    mask |= slide(DIAGONAL[square], diagonal)
                if role in (ROOK, QUEEN):
                    mask |= slide(STRAIGHT[square], straight)
                if role in (PAWN, KNIGHT, KING):
                    mask = attacks(role, side, square, 0)
                result.by_class[CLASS[role]] |= mask
                result.thrice |= result.twice & mask
                result.twice |= result.once & mask
                result.once |= mask
        return result

    def code(self, square: int) -> Code:
        """ "Square codes"."""
        theirs = self.maps[THEIRS]
        return Code(theirs.least(square), theirs.count(square), self.maps[OURS].count(square))

    # Exchanges

    def swap_off(self, square: int, prize: int, occupied: int, side: int) -> int:
        """ "Exchanges"."""
        attackers = self.attackers(side, square, occupied)
        if not attackers:
            return 0
        role = next(role for role in range(PAWN, KING + 1) if attackers & self.sets[side][role])
        least = attackers & self.sets[side][role]
        if role == KING and self.attackers(1 - side, square, occupied):
            return 0
        rest = occupied & ~(least & -least)
        return max(0, prize - self.swap_off(square, VALUE[role], rest, 1 - side))

    def safety(self, square: int) -> int:
        """The safety of our piece on a square."""
        code, role = self.code(square), self.roles[square]
        if code.theirs == 0:
            return 0
        if role != KING and CLASS_VALUE[code.least] < VALUE[role]:
            return 1
        if code.ours == 0:
            return 2
        return 3 if role != KING and code.ours >= 2 else 4

    def loss(self, square: int, side: int) -> tuple[int, int]:
        """What a side loses on a square to the other, and the value of the least attacker."""
        own, other = self.maps[side].count(square), self.maps[1 - side].count(square)
        prize, least = VALUE[self.roles[square]], CLASS_VALUE[self.maps[1 - side].least(square)]
        if own == 0:
            return prize, least
        if least < prize:
            return prize - least, least
        return self.swap_off(square, prize, self.occupied, 1 - side) if other >= 2 else 0, least

    @cached_property
    def exchanges(self) -> Exchanges:
        """ "Hanging pieces"."""
        found = Exchanges([0] * 4, [0] * 4, [0] * 4)
        for side in (OURS, THEIRS):
            own, other = self.maps[side], self.maps[1 - side]
            for square in squares(self.sets[side][0] & ~self.sets[side][KING] & other.once):
                bit, prize = 1 << square, VALUE[self.roles[square]]
                loss, least = self.loss(square, side)
                even = own.count(square) == other.count(square) <= 2
                if side == THEIRS:
                    if loss > 0:
                        found.winning[level_of(loss)] |= bit
                    elif even:
                        found.nearly |= bit
                elif loss > 0:
                    found.hanging[level_of(loss)] |= bit
                    found.savable |= bit if least >= prize else 0
                elif even:
                    found.critical[level_of(prize) if own.count(square) == 1 else 0] |= bit
        return found

    @cached_property
    def top(self) -> Top | None:
        """The top hanging piece, its attacker and its line."""
        hanging = union(self.exchanges.hanging)
        if not hanging:
            return None
        role = max(self.roles[square] for square in squares(hanging))
        square = next(squares(hanging & self.sets[OURS][role]))
        attacker = 0
        if self.maps[THEIRS].count(square) == 1:
            attacker = self.attackers(THEIRS, square, self.occupied)
        if not attacker:
            return Top(role, square, None, 0)
        of = attacker.bit_length() - 1
        return Top(role, square, of, ray(square, of) & ray(of, square))

    def threats(self, role: int) -> Sets:
        """The four sets of pieces that a piece of ours threatens when it attacks them."""
        return self.all_threats[{PAWN: 0, KNIGHT: 1, BISHOP: 1, ROOK: 2}.get(role, 3)]

    @cached_property
    def all_threats(self) -> list[Sets]:
        """The rows of the table of "Threats"."""
        theirs = self.sets[THEIRS]
        minors, rooks, queens = theirs[KNIGHT] | theirs[BISHOP], theirs[ROOK], theirs[QUEEN]
        loose = ~self.maps[THEIRS].once
        pawns = theirs[PAWN] & loose | self.exchanges.nearly
        return [(pawns, minors, rooks, queens),
                (pawns, minors & loose | rooks, rooks & loose, queens),
                (pawns, minors & loose, rooks & loose | queens, queens & loose),
                (pawns, minors & loose, rooks & loose, queens & loose)]

    @cached_property
    def discoveries(self) -> dict[int, int]:
        """The squares of ours that alone are between their king and a slider of ours: the line through both."""
        found = {}
        king, sets = self.their_king, self.sets[OURS]
        sliders = [(sets[ROOK] | sets[QUEEN], STRAIGHT), (sets[BISHOP] | sets[QUEEN], DIAGONAL)]
        for pieces, lines in sliders:
            for square in squares(pieces & slide(lines[king], 0)):
                there, back = ray(king, square), ray(square, king)
                blockers = there & back & self.occupied
                if blockers.bit_count() == 1:
                    found[blockers.bit_length() - 1] = there | back
        return found

    @cached_property
    def stepped_pawn_attacks(self) -> int:
        """The squares that pawns of theirs could attack after a step of one square."""
        mask = 0
        for square in squares(self.sets[THEIRS][PAWN] >> 8 & ~self.occupied):
            mask |= PAWN_STEPS[THEIRS][square]
        return mask

    def shield(self, s: int) -> int:
        """ "Shield" of a piece of ours."""
        shield = 0
        for slider in squares(self.attackers(THEIRS, s, self.occupied)):
            if self.roles[slider] not in (BISHOP, ROOK, QUEEN):
                continue
            beyond = ray(slider, s) & ~ray(s, slider) & ~(1 << s)
            found = slide(STRAIGHT[s], self.occupied) | slide(DIAGONAL[s], self.occupied)
            after = found & beyond & self.sets[OURS][0]
            if after:
                square = after.bit_length() - 1
                role = self.roles[square]
                if VALUE[role] > VALUE[self.roles[slider]] or not self.maps[OURS].once >> square & 1:
                    shield = max(shield, role)
        return shield

    def surroundings(self, square: int, role: int, bits: int) -> int:
        """ "Surroundings" of a square."""
        parts = []
        for side in (OURS, THEIRS):
            mask = self.sets[side][0]
            mask = mask >> square - 9 if square >= 9 else mask << 9 - square
            parts.append(mask & 0x70707)
        return mix(parts[0] + (parts[1] << 24) + (square << 48) + (role << 54)) >> 64 - bits

    def file_class(self, square: int) -> int:
        """ "File"."""
        file = 0x0101010101010101 << square % 8
        return 0 if self.sets[OURS][PAWN] & file else 1 if self.sets[THEIRS][PAWN] & file else 2


@dataclass
class Exchanges:
    """Sets of squares; those of four entries by level."""

    hanging: list[int]
    critical: list[int]
    winning: list[int]
    savable: int = 0
    nearly: int = 0


@dataclass
class Top:
    """The top hanging piece."""

    role: int
    square: int
    attacker: int | None
    line: int


def union(sets: list[int]) -> int:
    return sets[0] | sets[1] | sets[2] | sets[3]


def signature(sets: list[int]) -> int:
    """Bit i is 1 if set i is not empty."""
    return sum(1 << i for i, mask in enumerate(sets) if mask)
