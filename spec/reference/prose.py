"""The model of prose. columns.md, section 7."""

from __future__ import annotations

import copy
from dataclasses import dataclass, field

from .base import EXPANSION_LIMIT, MASK64, Bytes, require
from .cells import NEW, learn, read_bit
from .columns import unpack
from .rangecoder import RangeDecoder

C = [1, 2, 3, 6, 10, 16, 27, 45, 73, 120, 194, 310, 488, 747, 1101, 1546, 2047, 2549, 2994, 3348,
     3607, 3785, 3901, 3975, 4022, 4050, 4068, 4079, 4085, 4089, 4092, 4093, 4094]
PHI = 0x9E3779B97F4A7C15


def squash(s: int) -> int:
    s = max(-2047, min(2047, s))
    i, f = divmod(s + 2048, 128)
    return C[i] * (128 - f) + C[i + 1] * f + 64 >> 7


def stretch_table() -> list[int]:
    """stretch(p) for p = 0 … 4095."""
    table, s = [], -2047
    for p in range(4096):
        while s < 2047 and squash(s) < p:
            s += 1
        table.append(s)
    return table


SQUASH = [squash(s) for s in range(-2047, 2048)]
STRETCH = stretch_table()


@dataclass
class Model:
    """A model of b; the bytes that it has read are `text`."""

    b: int
    text: bytearray = field(default_factory=bytearray)
    buckets: list[dict[int, list[int]]] = field(default_factory=lambda: [{} for _ in range(4)])
    last_cells: list[int] = field(default_factory=lambda: [NEW] * 65536)  # L[last][node]
    node_cells: list[int] = field(default_factory=lambda: [NEW] * 256)  # N[node]
    match_cells: list[int] = field(default_factory=lambda: [NEW] * 50)  # M[length][bit]
    weights: dict[int, list[int]] = field(default_factory=dict)  # W[class × 256 + last]
    places: dict[int, int] = field(default_factory=dict)
    place: int = 0
    length: int = 0
    newest: int = 0
    word: int = 0

    def read_byte(self, stream: RangeDecoder) -> int:
        predicted = None
        if self.length and self.place < len(self.text):
            predicted = self.text[self.place]
        last = self.newest & 255
        node = 1
        for half in (0, 1):
            cells = [self.bucket(c, half and node) for c in range(4)]
            inner = 1
            for _ in range(4):
                expected = None
                if predicted is not None:
                    expected = predicted >> 8 - node.bit_length() & 1
                used = [(bucket, inner) for bucket in cells]
                used += [(self.last_cells, last << 8 | node), (self.node_cells, node)]
                if expected is not None:
                    used.append((self.match_cells, 2 * self.length + expected))
                bit = self.read_bit(stream, used, self.weights_of(expected, last))
                for array, i in used:
                    learn(array, i, bit)
                if expected != bit:
                    predicted = None
                inner, node = 2 * inner + bit, 2 * node + bit
        byte = node - 256
        self.append(byte)
        return byte

    def bucket(self, c: int, node: int) -> list[int]:
        """The cells of a context in a half of a byte; the cell 0 holds the tag."""
        value = self.word if c == 3 else self.newest & (1 << 16 + 8 * c) - 1
        z = (256 * value + node) * PHI & MASK64
        z = (z ^ z >> 32) * 0xD6E8FEB86659FD93 & MASK64
        index, tag = z >> 64 - self.b, z >> 16 & 0xFFFF
        cells = self.buckets[c].get(index)
        if cells is None or cells[0] != tag:
            # The tag of an unused bucket is 8000, but its cells are new as well.
            cells = self.buckets[c][index] = [tag] + [NEW] * 15
        return cells

    def weights_of(self, expected: int | None, last: int) -> list[int]:
        kind = 0
        if expected is not None:
            kind = 1 if self.length <= 8 else 2 if self.length <= 15 else 3
        return self.weights.setdefault(kind * 256 + last, [16384] * 8)

    @staticmethod
    def read_bit(stream: RangeDecoder, used: list[tuple[list[int], int]], w: list[int]) -> int:
        """A bit by the mixed predictions of the cells; the weights learn."""
        x = []
        for array, i in used:
            cell = array[i]
            x.append(STRETCH[cell >> 4] if cell & 15 else 0)
        x += [0] * (7 - len(x)) + [256]
        s = sum(map(int.__mul__, x, w)) >> 16
        p = max(1, min(4095, SQUASH[max(-2047, min(2047, s)) + 2047]))
        bit = read_bit(stream, p)
        error = (4096 * bit - p) * 14
        for i in range(8):
            w[i] = max(-(2**20), min(2**20, w[i] + (x[i] * error + 2**15 >> 16)))
        return bit

    def append(self, byte: int) -> None:
        text = self.text
        if self.length and self.place < len(text) and text[self.place] == byte:
            self.place, self.length = self.place + 1, min(self.length + 1, 24)
        else:
            self.length = 0
        text.append(byte)
        self.newest = (256 * self.newest + byte) & MASK64
        if len(text) >= 6:
            h = ((self.newest << 16) & MASK64) * PHI % 2**64 >> 64 - self.b
            q = self.places.get(h, 0)
            self.places[h] = len(text)
            if self.length == 0:
                equal = 0
                while equal < min(24, q) and text[q - 1 - equal] == text[-1 - equal]:
                    equal += 1
                if equal >= 6:
                    self.place, self.length = q, equal
        letter = 65 <= byte <= 90 or 97 <= byte <= 122 or byte >= 128
        self.word = (self.word + (byte | 32) + 1) * 0x9E3779B1 % 2**32 if letter else 0


def read_mixed(model: Model, data: bytes, size: int) -> bytes:
    stream = RangeDecoder(data)
    raw = bytes(model.read_byte(stream) for _ in range(size))
    stream.finish()
    return raw


def read_preset(pack: bytes) -> Model:
    """The model of the preset text of a segment."""
    require(pack[:1] == b"\2", "preset text that is not mixed")
    model, _ = read_new(pack, 2**20, preset=True)
    return model


def read_new(pack: bytes, bound: int, preset: bool) -> tuple[Model, bytes]:
    """Method 2, mixed: the model that has read the bytes, and the bytes."""
    reader = Bytes(pack, 1)
    b = reader.byte()
    require(8 <= b <= 16, "size of a model of prose")
    size = size_of(reader, pack, bound)
    if not preset:
        require(1 << b <= max(256, 1 << (size // 2 - 1).bit_length()), "model of prose too large")
    model = Model(b)
    return model, read_mixed(model, reader.rest(), size)


def size_of(reader: Bytes, pack: bytes, bound: int) -> int:
    """R, and its bounds."""
    size = reader.varint()
    require(1 <= size <= min(2**20, 64 * len(pack), EXPANSION_LIMIT * len(pack), bound),
            "size of prose")
    return size


def unpack_prose(pack: bytes, bound: int, preset: Model | None) -> bytes:
    """A pack where prose is read."""
    method = pack[0] if pack else 0
    if method == 2:
        return read_new(pack, bound, preset=False)[1]
    if method == 3:
        require(preset, "primed prose without a preset text")
        reader = Bytes(pack, 1)
        size = size_of(reader, pack, bound)
        return read_mixed(copy.deepcopy(preset), reader.rest(), size)
    return unpack(pack, bound)
