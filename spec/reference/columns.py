"""Columns of integers and strings, dictionaries, packs. columns.md, sections 2 to 5."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Callable

from .base import BLOCK_LIMIT, EXPANSION_LIMIT, MASK64, Bits, Bytes, Damaged, element, require
from .cells import NEW, read_bit, read_by_cell
from .distributions import Family, read_distributions
from .rangecoder import RangeDecoder
from .zstd import decompress


def unpack(data: bytes, bound: int) -> bytes:
    """A `pack` of at most `bound` raw bytes. Section 2."""
    reader = Bytes(data)
    method = reader.byte()
    if method == 0:
        require(len(data) - 1 <= bound, "pack exceeds its bound")
        return reader.rest()
    require(method == 1, f"unknown method {method} of a pack")
    size = reader.varint()
    require(size <= min(bound, EXPANSION_LIMIT * len(data)), "pack exceeds its bound")
    return decompress(reader.rest(), size)


def read_ints(data: bytes, n: int) -> list[int]:
    """A column of n integers. Section 3."""
    require(8 * n <= BLOCK_LIMIT, "column of integers exceeds the limit for blocks")
    reader = Bytes(data)
    if n == 0:
        reader.end()
        return []
    encoding = reader.byte()
    if encoding == 0:
        value = reader.varint()
        reader.end()
        return [value] * n
    if encoding == 1:
        return read_runs(reader.rest(), n)
    if encoding == 3:
        return read_adaptive(reader.rest(), n)
    require(encoding == 2, f"unknown encoding {encoding} of integers")
    k = reader.byte()
    require(k <= 63, "parameter of a Rice code")
    bits = Bits(reader.rest())
    values = [bits.zeros() << k | bits.field(k) for _ in range(n)]
    require(max(values) <= MASK64, "Rice code of more than 64 bits")
    bits.end()
    return values


def read_runs(data: bytes, n: int) -> list[int]:
    """Encoding *runs*. Section 3."""
    runs = Bytes(unpack(data, 20 * n))
    values: list[int] = []
    while runs.more():
        value, count = runs.varint(), runs.varint()
        require(1 <= count <= n - len(values), "count of a run")
        values += [value] * count
    require(len(values) == n, "runs do not add up")
    return values


def read_adaptive(data: bytes, n: int) -> list[int]:
    """Encoding *adaptive*. Section 3."""
    require(n <= 64 * (1 + len(data)), "adaptive codes of fewer bytes")
    stream = RangeDecoder(data)
    a, b = [NEW] * 64, [[NEW] * 256 for _ in range(64)]
    values: list[int] = []
    for _ in range(n):
        m = 1
        for _ in range(6):
            m = 2 * m + read_by_cell(stream, a, m)
        length = m - 64
        value = int(length > 0)
        for _ in range(length - 1):
            bit = read_by_cell(stream, b[length], value) if value < 256 else read_bit(stream, 2048)
            value = 2 * value + bit
        values.append(value)
    stream.finish()
    return values


def announced_strings(data: bytes) -> int | None:
    """The number of strings of a large dictionary, if that is what the table has. Section 4."""
    reader = Bytes(data)
    if reader.byte() != 1:
        return None
    strings = reader.varint()
    reader.end()
    return strings


def read_dictionary(data: bytes, bound: int) -> list[bytes]:
    """All strings of a dictionary, in the order of their IDs. Section 4."""
    reader = Bytes(data)
    method = reader.byte()
    require(method == 0, f"unknown method {method} of a dictionary")
    total, per_page, most = reader.varint(), reader.varint(), reader.varint()
    require(1 <= per_page <= 64 and most <= 16384, "pages of a dictionary")
    pages = -(-total // per_page)
    require(pages * (most + 1024) <= bound, "dictionary exceeds the limit for tables")
    singles, pieces = read_recipe(reader)
    families = read_distributions(reader.sized(), [
        Family(len(pieces) + 1, len(singles) + 1), Family(256, 32)])
    sizes = read_ints(reader.sized(), pages)
    strings: list[bytes] = []
    for size in sizes:
        count = min(per_page, total - len(strings))
        stream = RangeDecoder(reader.take(size))
        strings += read_page(stream, count, most, singles, pieces, families)
    reader.end()
    require(all(a < b for a, b in zip(strings, strings[1:])), "dictionary does not ascend")
    return strings


def read_recipe(reader: Bytes) -> tuple[list[int], list[bytes]]:
    """The bytes that are pieces, and all pieces in the order of their symbols from 1 on."""
    b = reader.varint()
    require(b <= 255, "too many pieces")
    singles: list[int] = []
    for gap in read_ints(reader.sized(), b):
        singles.append(gap if not singles else singles[-1] + 1 + gap)
    require(all(byte < 256 for byte in singles), "piece is no byte")
    pieces = [bytes([byte]) for byte in singles]
    j = reader.varint()
    require(b + j <= 255, "too many pieces")
    left = 0
    for step, r in zip(read_ints(reader.sized(), j), read_ints(reader.sized(), j)):
        p = len(pieces)
        require(step < p and r < p, "piece of pieces that do not exist")
        left = (left + step) % p
        pieces.append(pieces[left] + pieces[r])
        require(len(pieces[-1]) <= 32, "piece of more than 32 bytes")
    require(len(set(pieces)) == len(pieces), "two equal pieces")
    return singles, sorted(pieces)


def read_page(stream: RangeDecoder, count: int, most: int, singles: list[int],
              pieces: list[bytes], families: list[Family]) -> list[bytes]:
    """`read_page`. Section 4."""
    of_piece, of_shared = families
    index = {byte: i + 1 for i, byte in enumerate(singles)}
    strings: list[bytes] = []
    last, shared, size = b"", 0, 0
    for i in range(count):
        least = 0
        if i:
            shared = of_shared.read(stream, min(shared, 31))
            require(shared <= len(last), "string shares more than there is")
            least = 1
            if shared < len(last):
                greater = (s for s, piece in enumerate(pieces, 1) if piece[0] > last[shared])
                least = next(greater, 0)
                require(least, "no piece makes the string greater")
            last = last[:shared]
        while symbol := of_piece.read(stream, index[last[-1]] if last else 0, 0, least):
            last += pieces[symbol - 1]
            least = 0
            require(size + len(last) <= most, "page exceeds its bound")
        size += len(last)
        strings.append(last)
    stream.finish()
    return strings


@dataclass
class Strings:
    """What a column of strings is read with: its dictionary, how a pack of literals is read."""

    dictionary: list[bytes]
    unpack: Callable[[bytes, int], bytes] = unpack


def read_strings(data: bytes, n: int, source: Strings, bound: int) -> list[bytes]:
    """A column of n byte strings. Section 5."""
    reader = Bytes(data)
    numbers = read_ints(reader.sized(), n)
    literals = numbers.count(0)
    lengths: list[int] = []
    text = Bytes(b"")
    if literals:
        lengths = read_ints(reader.sized(), literals)
        require(sum(lengths) <= bound, "strings exceed their bound")
        text = Bytes(source.unpack(reader.rest(), sum(lengths)))
    reader.end()
    length = iter(lengths)
    strings, size = [], 0
    for number in numbers:
        if number:
            strings.append(element(source.dictionary, number - 1, "string"))
        else:
            strings.append(text.take(next(length)))
        size += len(strings[-1])
        if size > bound:
            raise Damaged("strings exceed their bound")
    text.end()
    return strings
