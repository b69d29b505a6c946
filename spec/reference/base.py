"""Bytes, bits and the one exception. columns.md, section 1; format.md, "Conventions"."""

from __future__ import annotations

import zlib
from dataclasses import dataclass

MASK64 = 2**64 - 1

# format.md, "Rules for every reader": the default limits that bound memory.
BLOCK_LIMIT = 32 << 20
TABLES_LIMIT = 96 << 20
INDEX_LIMIT = 128 << 20
PLIES_LIMIT = 1 << 20
EXPANSION_LIMIT = 4096


class Damaged(Exception):
    """The archive violates the format, or exceeds a limit."""


def require(condition: object, message: str) -> None:
    """Refuse the archive unless the condition holds."""
    if not condition:
        raise Damaged(message)


def crc32(data: bytes) -> int:
    """format.md, "Conventions"."""
    return zlib.crc32(data)


def element(items: list, index: int, what: str):
    """An entry of a list that an archive selects by number: it must exist."""
    require(0 <= index < len(items), f"{what} {index} does not exist")
    return items[index]


@dataclass
class Bytes:
    """A byte string and the place up to which it has been read."""

    data: bytes
    at: int = 0

    def take(self, size: int) -> bytes:
        require(self.at + size <= len(self.data), "bytes end early")
        self.at += size
        return self.data[self.at - size : self.at]

    def fixed(self, size: int) -> int:
        """u8, u16, u32, u64: unsigned, little-endian."""
        return int.from_bytes(self.take(size), "little")

    def byte(self) -> int:
        return self.fixed(1)

    def varint(self) -> int:
        """LEB128, below 2^64, in its shortest form."""
        value = 0
        for shift in range(0, 70, 7):
            byte = self.byte()
            value |= (byte & 127) << shift
            if byte < 128:
                require(byte or not shift, "varint is not in its shortest form")
                require(value <= MASK64, "varint of more than 64 bits")
                return value
        raise Damaged("varint of more than ten bytes")

    def sized(self) -> bytes:
        """`bytes` of format.md, `sized(X)` of columns.md."""
        return self.take(self.varint())

    def rest(self) -> bytes:
        return self.take(len(self.data) - self.at)

    def more(self) -> bool:
        return self.at < len(self.data)

    def end(self) -> None:
        require(not self.more(), "bytes after the last field")


@dataclass
class Bits:
    """A bit string: the most significant bit of a byte first."""

    data: bytes
    at: int = 0

    def field(self, width: int) -> int:
        """An unsigned integer of `width` bits, highest bit first."""
        end = self.at + width
        require(end <= 8 * len(self.data), "bits end early")
        piece = int.from_bytes(self.data[self.at // 8 : (end + 7) // 8], "big")
        self.at = end
        return piece >> (-end % 8) & ((1 << width) - 1)

    def zeros(self) -> int:
        """The number of bits 0 before the next bit 1, which is read too."""
        count = 0
        while self.field(1) == 0:
            count += 1
        return count

    def end(self) -> None:
        """The padding: fewer than 8 bits, all 0, and no byte after them."""
        left = 8 * len(self.data) - self.at
        require(left < 8 and self.field(left) == 0, "padding is not fewer than 8 zeros")
