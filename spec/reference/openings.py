"""Books of openings. openings.md."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Iterable

from .base import MASK64, Bytes, require
from .chess import Position
from .columns import read_ints
from .mix import mix


@dataclass
class OpeningBook:
    """Section 2. Values are coded like those of a map."""

    plies: int
    width: int
    values: dict[int, int]


def read_openings(table: bytes) -> OpeningBook:
    reader = Bytes(table)
    plies, width, count = reader.varint(), reader.varint(), reader.varint()
    require(plies <= 40 and width <= 32 and count <= 1 << 20, "numbers of a book")
    keys: list[int] = []
    for gap in read_ints(reader.sized(), count):
        keys.append(keys[-1] + 1 + gap if keys else gap)
    require(not keys or keys[-1] < 1 << width, "key of a book")
    values = read_ints(reader.sized(), count)
    reader.end()
    return OpeningBook(plies, width, dict(zip(keys, values)))


def position_key(position: Position) -> int:
    """The key of a position, 32 bits. Section 1."""
    total = mix(768) if position.turn else 0
    for square, piece in enumerate(position.board):
        if piece:
            kind = piece - 1 if piece > 0 else 5 - piece
            total += mix(64 * kind + square)
    return (total & MASK64) >> 32


def predict_opening(book: OpeningBook, positions: Iterable[Position]) -> int | None:
    """The value of the last position, of the start and those after each ply, that the book contains."""
    value = None
    for ply, position in enumerate(positions):
        if ply > book.plies:
            break
        value = book.values.get(position_key(position) >> 32 - book.width, value)
    return value
