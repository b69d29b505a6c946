"""The values that games and archives consist of."""

from __future__ import annotations

from typing import NamedTuple

#: The evaluation of a mate in 0 moves.
MATE = 2_000_000_000

# Mates take fewer moves; other evaluations are below those of mates.
_MATES = 1_000_000


class Source(NamedTuple):
    """A packed file."""

    name: str
    games: int
    bytes: int


class Comment(NamedTuple):
    """A comment, and the number of moves before it in its line."""

    line: int
    ply: int
    text: str


class Nag(NamedTuple):
    """A numeric annotation glyph, and the number of moves before it in its line."""

    line: int
    ply: int
    nag: int


class Variation(NamedTuple):
    """A variation: the line in which it branches off, the number of moves before it, its moves."""

    parent: int
    ply: int
    moves: memoryview


class PackReport(NamedTuple):
    """What was packed. ``verbatim`` has the number of games that are stored verbatim in part, which
    takes more space, by reason.
    """

    games: int
    sources: int
    raw_bytes: int
    verbatim: dict[str, int]


def mate_in(value: int | None) -> int | None:
    """The number of moves to the mate that an evaluation means, negative if Black mates; ``None``
    if it means none.

    >>> pgna.mate_in(pgna.MATE - 3), pgna.mate_in(3 - pgna.MATE), pgna.mate_in(150)
    (3, -3, None)
    """
    if value is None or abs(value) <= MATE - _MATES:
        return None
    return MATE - value if value > 0 else -MATE - value
