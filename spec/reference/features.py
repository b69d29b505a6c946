"""The groups of features. models.md, "Groups" and "Levels"."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Callable

from .chess import BISHOP, KING, KING_STEPS, KNIGHT, PAWN, QUEEN, ROOK, attacks
from .mix import mix
from .view import (CLASS_VALUE, OURS, PAWNS, THEIRS, VALUE, Code, View, bucket,
                   signature, union)


@dataclass
class Choice:
    """A legal move, with squares as the view has them. The target of castling is the rook's square."""

    view: View
    role: int
    origin: int
    to: int
    promotion: int
    castles: bool
    plays_out: bool
    bits: int  # h of the level

    @cached_property
    def becomes(self) -> int:
        return self.promotion or self.role

    @cached_property
    def captured(self) -> int:
        """The role of the captured piece, or 0."""
        if self.castles:
            return 0
        if self.role == PAWN and (self.to - self.origin) % 8:
            return self.view.roles[self.to] or PAWN
        return self.view.roles[self.to]

    @cached_property
    def captures(self) -> int:
        return int(self.captured > 0)

    @cached_property
    def attacks(self) -> int:
        return self.view.attacks(OURS, self.origin)

    @cached_property
    def reach(self) -> int:
        return attacks(self.becomes, OURS, self.to, self.view.occupied & ~(1 << self.origin))

    @cached_property
    def code(self) -> Code:
        """The code of the target, ours reduced."""
        code = self.view.code(self.to)
        if self.attacks >> self.to & 1 and code.ours:
            return Code(code.least, code.theirs, code.ours - 1)
        return code

    @cached_property
    def wins(self) -> int:
        """ "The gain of a move", as a bucket."""
        code, moved, captured = self.code, VALUE[self.becomes], VALUE[self.captured]
        least = CLASS_VALUE[code.least]
        if self.plays_out and self.role != KING and not self.promotion and code.theirs >= 2 and code.ours >= 1:
            occupied = self.view.occupied & ~(1 << self.origin)
            loss = self.view.swap_off(self.to, moved, occupied, THEIRS)
        elif code.theirs == 0 or self.role == KING:
            loss = 0
        elif code.ours == 0:
            loss = moved
        elif code.theirs == 1 or code.ours >= code.theirs:
            loss = moved - least
        else:
            loss = min(moved, moved - least + (3 if least >= 5 else 1))
        gain = captured - max(0, loss) + (VALUE[self.promotion] - 1 if self.promotion else 0)
        return bucket(gain, (-4, -1, 0, 1, 3, 5))

    @cached_property
    def is_direct(self) -> bool:
        return bool(self.reach >> self.view.their_king & 1)

    @cached_property
    def check(self) -> int:
        """Whether the move gives check."""
        line = self.view.discoveries.get(self.origin)
        return int(self.is_direct or line is not None and not line >> self.to & 1)

    @cached_property
    def safety(self) -> int:
        return self.view.safety(self.origin)

    @cached_property
    def again(self) -> int | None:
        """ "Again"; none if the piece did not move last or two moves ago."""
        view = self.view
        if view.our_last and view.our_last.target == self.origin:
            theirs, before = view.their_last, view.their_last_but_one
            back = theirs and before and (theirs.origin, theirs.target) == (before.target, before.origin)
            return 2 * view.our_last.captured + bool(back)
        return 4 if view.our_last_but_one and view.our_last_but_one.target == self.origin else None

    @cached_property
    def takes_back(self) -> bool:
        last = self.view.our_last
        return last is not None and (last.target, last.origin) == (self.origin, self.to)

    @cached_property
    def victim(self) -> int:
        last = self.view.their_last
        if self.captured and last and last.target == self.to:
            return self.captured + (5 if last.captured else 10)
        return self.captured

    @cached_property
    def passed(self) -> int:
        file, above = self.to % 8, (1 << 64) - (1 << 8 * (self.to // 8 + 1))
        files = sum(0x0101010101010101 << f for f in range(max(0, file - 1), min(8, file + 2)))
        return int(not self.view.sets[THEIRS][PAWN] & files & above)

    @cached_property
    def new_threats(self) -> int:
        new = self.reach & ~self.attacks
        return signature([mask & new for mask in self.view.threats(self.becomes)])

    @cached_property
    def pawns(self) -> int:
        view, above = self.view, 1 << self.to + 8
        return ((view.maps[OURS].by_class[PAWNS] >> self.to & 1)
                | (view.stepped_pawn_attacks >> self.to & 1) << 1
                | bool(view.sets[THEIRS][PAWN] & above) << 2
                | bool(view.sets[OURS][PAWN] & above) << 3)

    @cached_property
    def mobility(self) -> int:
        unusable = self.view.sets[OURS][0] | self.view.maps[THEIRS].by_class[PAWNS]
        gained = (self.reach & ~unusable).bit_count() - (self.attacks & ~unusable).bit_count()
        return max(0, min(12, 6 + gained))

    def zone(self, mask: int) -> int:
        king = self.view.their_king
        return min(3, (mask & (KING_STEPS[king] | 1 << king)).bit_count())

    @cached_property
    def response(self) -> int:
        top = self.view.top
        if self.origin == top.square:
            return 0
        if self.to == top.attacker:
            return 1
        if top.line >> self.to & 1:
            return 2
        if (self.reach & ~self.attacks) >> top.square & 1:
            return 3
        return 4 if self.check else 5 if self.captures else 6

    @cached_property
    def losses(self) -> int:
        view, found = self.view, self.view.exchanges
        given = union(found.critical) & self.attacks & ~self.reach & ~(1 << self.to)
        saved = found.savable & self.reach & ~self.attacks
        relief = 0
        if self.captured:
            if view.roles[self.to]:
                relief = view.attacks(THEIRS, self.to)
            else:  # en passant
                relief = attacks(PAWN, THEIRS, self.to, view.occupied)
            relief &= ~view.maps[THEIRS].twice
        remaining = union(found.hanging) & ~(1 << self.origin) & ~saved & ~relief
        if view.top and view.top.line >> self.to & 1:
            remaining &= ~(1 << view.top.square)
        return signature([remaining & hanging | given & critical
                          for hanging, critical in zip(found.hanging, found.critical)])

    @cached_property
    def gains(self) -> int:
        view, found = self.view, self.view.exchanges
        won = union(found.winning) & ~(1 << self.to) & ~(self.attacks & ~view.maps[OURS].twice)
        return signature([won & winning | self.reach & threat
                          for winning, threat in zip(found.winning, view.threats(self.becomes))])

    @cached_property
    def hits(self) -> int:
        ours, theirs = self.view.sets
        reach = self.reach & ~(1 << self.origin)
        found = [ours[PAWN], ours[KNIGHT] | ours[BISHOP], ours[ROOK], ours[QUEEN],
                 theirs[PAWN], theirs[KNIGHT] | theirs[BISHOP], theirs[ROOK], theirs[QUEEN], theirs[KING]]
        return sum(1 << i for i, mask in enumerate(found) if mask & reach)

    @cached_property
    def role_of_theirs(self) -> int:
        """The role of the piece that is now on the target of their last move, or 0."""
        last = self.view.their_last
        return self.view.roles[last.target] if last else 0

    def line(self, c: int) -> int:
        """ "Lines": the index by a hash of what the line depends on."""
        y = mix(c ^ (64 * self.role + self.origin))
        return y >> 64 - (self.bits - 6) << 6 | self.to ^ y % 64


def pack(*fields: int) -> int:
    """Bit fields from the highest to the lowest: value, width, value, width …"""
    index = 0
    for value, width in zip(fields[::2], fields[1::2]):
        index = index << width | value
    return index


Index = Callable[[Choice], "int | None"]
H = 0  # in place of the width b: h of the level


def their_last(m: Choice) -> int | None:
    last = m.view.their_last
    return pack(last.role, 3, last.target, 6, m.role, 3, m.to, 6) if last else None


def our_last(m: Choice) -> int | None:
    last = m.view.our_last
    return m.line(mix(pack(last.role, 3, last.target, 6))) if last else None


def their_move(m: Choice) -> int | None:
    last = m.view.their_last
    return m.line(mix(pack(last.role, 3, last.target, 6, last.origin, 6))) if last else None


def our_plan(m: Choice) -> int | None:
    last, before = m.view.our_last, m.view.our_last_but_one
    if not last or not before:
        return None
    return m.line(mix(pack(last.role, 3, last.target, 6, before.role, 3, before.target, 6)))


def top_hanging(m: Choice) -> int | None:
    top = m.view.top
    return m.line(mix(pack(top.role, 3, top.square, 6))) if top else None


def harried(m: Choice) -> int | None:
    if not m.role_of_theirs or not m.view.attacks(THEIRS, m.view.their_last.target) >> m.origin & 1:
        return None
    return pack(m.role, 3, m.role_of_theirs, 3, m.view.maps[OURS].once >> m.origin & 1, 1)


def castling(m: Choice) -> int | None:
    if not m.castles:
        return None
    return pack(m.to > m.origin, 1, m.view.ply_bucket, 3, union(m.view.exchanges.hanging) > 0, 1,
                len(m.view.may_castle[OURS]) == 2, 1)


def aim(m: Choice) -> int | None:
    if not m.role_of_theirs or not m.reach >> m.view.their_last.target & 1:
        return None
    attacked = m.view.maps[THEIRS].once >> m.view.their_last.target & 1
    return pack(m.role, 3, m.role_of_theirs, 3, m.wins >= 3, 1, attacked, 1)


def files(m: Choice) -> int | None:
    if m.role not in (ROOK, QUEEN):
        return None
    return pack(m.view.file_class(m.to), 2, m.view.file_class(m.origin), 2, m.to // 8 == 6, 1, m.role == QUEEN, 1)


# By number: width b and index, None if the condition does not hold.
GROUPS: list[tuple[int, Index]] = [
    (11, lambda m: pack(m.view.phase, 2, m.role, 3, m.to, 6)),
    (15, lambda m: pack(m.role, 3, m.origin, 6, m.to, 6)),
    (15, lambda m: pack(m.view.their_king, 6, m.role, 3, m.to, 6)),
    (15, lambda m: pack(m.view.our_king, 6, m.role, 3, m.to, 6)),
    (18, their_last),
    (H, our_last),
    (H, their_move),
    (H, our_plan),
    (H, lambda m: m.line(mix(m.view.ply)) if m.view.ply < 24 else None),
    (H, lambda m: m.line(m.view.hash_with_rights) if m.view.ply < 24 else None),
    (H, lambda m: m.line(mix(m.view.hash_with_rights + m.view.rating)) if m.view.ply < 20 else None),
    (H, top_hanging),
    (11, lambda m: pack(m.view.phase, 2, m.role, 3, m.origin, 6)),
    (12, lambda m: pack(m.role, 3, m.view.code(m.origin).number(), 7, m.view.phase, 2)),
    (8, lambda m: pack(m.role, 3, m.view.phase, 2, m.again, 3) if m.again is not None else None),
    (7, harried),
    (6, lambda m: pack(m.role, 3, m.view.shield(m.origin), 3)),
    (H, lambda m: m.view.surroundings(m.origin, m.role, m.bits)),
    (14, lambda m: pack(m.role, 3, m.victim, 4, m.code.number(), 7)),
    (12, lambda m: pack(m.role, 3, m.safety, 3, m.wins, 3, m.captures, 1, m.view.phase, 2)),
    (5, lambda m: pack(m.role, 3, m.view.phase, 2) if m.takes_back else None),
    (9, lambda m: pack(not m.is_direct, 1, m.role, 3, m.wins, 3, m.view.phase, 2) if m.check else None),
    (6, castling),
    (6, lambda m: pack(m.promotion, 3, m.wins, 3) if m.promotion else None),
    (9, lambda m: pack(m.to // 8, 3, m.passed, 1, m.wins, 3, m.view.phase, 2) if m.role == PAWN else None),
    (10, lambda m: pack(m.new_threats, 4, m.role, 3, m.wins, 3)),
    (13, lambda m: pack(m.role, 3, m.pawns, 4, m.to, 6)),
    (6, files),
    (10, lambda m: pack(m.view.rating, 3, m.wins, 3, m.captures, 1, m.safety, 3)),
    (9, lambda m: pack(m.role, 3, m.mobility, 4, m.view.phase, 2) if m.role != PAWN else None),
    (12, lambda m: pack(m.view.balance, 3, m.role, 3, m.captured, 3, m.wins, 3) if m.captured else None),
    (8, aim),
    (10, lambda m: pack(m.view.our_result, 2, m.view.last, 1, m.wins, 3, m.check, 1, m.captures, 1, m.view.phase, 2)),
    (H, lambda m: m.view.surroundings(m.to, m.role, m.bits)),
    (9, lambda m: pack(m.view.top.role, 3, m.response, 3, m.wins, 3) if m.view.top else None),
    (13, lambda m: pack(m.losses, 4, m.role, 3, m.wins, 3, m.check, 1, m.view.phase, 2)),
    (12, lambda m: pack(m.gains, 4, m.losses, 4, m.wins, 3, m.captures, 1)),
    (9, lambda m: pack(m.role, 3, m.zone(m.reach), 2, m.zone(m.attacks), 2, m.view.phase, 2)),
    (13, lambda m: pack(m.role, 3, m.code.least, 3, m.code.ours > 0, 1, m.to, 6)),
    (12, lambda m: pack(m.role, 3, m.hits, 9)),
]
WITH_WEIGHTS = {*range(12), 17, 33}  # the other groups have rows
