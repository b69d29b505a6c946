"""The range coder. models.md, "Range coder"."""

from __future__ import annotations

from dataclasses import dataclass, field

from .base import MASK64, Damaged, require


@dataclass
class RangeDecoder:
    """A stream of symbols, each of which narrows an interval to its share."""

    data: bytes
    low: int = 0
    size: int = MASK64
    at: int = 8
    above: int = field(init=False)

    def __post_init__(self) -> None:
        self.above = self._bytes(0, 8)

    def _bytes(self, start: int, count: int) -> int:
        """Bytes as one number; after the end of the stream zeros follow."""
        return int.from_bytes(self.data[start : start + count].ljust(count, b"\0"), "big")

    def part(self, total: int) -> int:
        """The part, of `total`, that the share of the next symbol covers."""
        part = self.above // (self.size // total)
        require(part < total, "stream selects no symbol")
        return part

    def narrow(self, start: int, size: int, total: int) -> None:
        """Take the share that covers the part."""
        unit = self.size // total
        self.above -= unit * start
        self.low = self.low + unit * start & MASK64
        self.size = unit * size
        if self.size < 2**32:
            self.low = (self.low << 32) & MASK64
            self.size <<= 32
            self.above = (self.above << 32) + self._bytes(self.at, 4)
            self.at += 4

    def weighted(self, weights: list[int], total: int) -> int:
        """The symbol, of several with the sizes `weights` one after the other."""
        part, start = self.part(total), 0
        for symbol, size in enumerate(weights):
            if part < start + size:
                self.narrow(start, size, total)
                return symbol
            start += size
        raise Damaged("stream selects no symbol")

    def uniform(self, bits: int) -> int:
        """`bits` uniform bits. columns.md, section 6."""
        value = 0
        while bits:
            width = (bits - 1) % 16 + 1
            piece = self.part(1 << width)
            self.narrow(piece, 1, 1 << width)
            value, bits = value << width | piece, bits - width
        return value

    def finish(self) -> None:
        """The stream must be the one that an encoder ends with."""
        require(self.at >= len(self.data), "stream is longer than its symbols")
        require(not self.data or self.data[-1], "stream ends with a byte 0")
        for k in range(9):
            above = -self.low % (1 << 64 - 8 * k)
            if above < self.size:
                break
        require(self.above == above, "stream is not the shortest of its symbols")


@dataclass
class Adaptive:
    """Adaptive counts: `read(c)` of columns.md, section 6."""

    symbols: int
    counts: list[int] = field(init=False)

    def __post_init__(self) -> None:
        self.counts = [1] * self.symbols

    def read(self, stream: RangeDecoder) -> int:
        symbol = stream.weighted(self.counts, sum(self.counts))
        self.counts[symbol] += 24
        if sum(self.counts) > 8192:
            self.counts = [(count + 1) // 2 for count in self.counts]
        return symbol
