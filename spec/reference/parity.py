"""Parity sections, which restore lost bytes. format.md, "Parity"."""

from __future__ import annotations

from dataclasses import dataclass

from .base import Bytes, crc32, require

FRAME_HEAD, CRC, FIELDS = 16, 4, 10


@dataclass
class Span:
    """A parity section and the first file offset that it covers."""

    start: int
    offset: int
    size: int

    @property
    def end(self) -> int:
        return self.offset + self.size


def check_spans(spans: list[Span]) -> None:
    """The rules for all parity sections, in the order of the file."""
    end = 80
    for span in spans:
        require(end <= span.start <= span.offset and span.size > 30, "parity that cannot be")
        end = span.end


def mended(data: bytes, span: Span) -> bytes:
    """The file with the sectors that the parity section restores."""
    fields = Bytes(data[span.end - CRC - FIELDS : span.end - CRC])
    start, s, p = fields.fixed(8), fields.byte(), fields.byte()
    covered_end = span.offset + FRAME_HEAD  # the parity begins here
    require(start == span.start and 4 <= s <= p <= min(20, s + 8), "fields of parity")
    size, period = 1 << s, 1 << p
    first = start // size
    sectors = -(-covered_end // size) - first
    require(span.size == FRAME_HEAD + period + 4 * sectors + FIELDS + CRC, "size of parity")
    parity = data[covered_end : covered_end + period]
    checks = Bytes(data[covered_end + period : covered_end + period + 4 * sectors])
    # The difference by position in the period. The whole is aligned to the period.
    difference = 0
    base = start // period * period
    aligned = bytes(start - base) + data[start:covered_end] + parity
    for at in range(0, len(aligned), period):
        difference ^= int.from_bytes(aligned[at : at + period].ljust(period, b"\0"), "little")
    d = difference.to_bytes(period, "little")
    damaged: dict[int, list[tuple[int, int, int]]] = {}
    for number in range(sectors):
        a = max((first + number) * size, start)
        b = min((first + number + 1) * size, covered_end)
        check = checks.fixed(4)
        if crc32(data[a:b]) != check:
            damaged.setdefault((first + number) * size % period, []).append((a, b, check))
    out = bytearray(data)

    def restored(sector: tuple[int, int, int], positions: range) -> bytes | None:
        """The sector with the difference at these positions, if its CRC-32 then matches."""
        a, b, check = sector
        found = bytes(data[o] ^ d[o % period] if o % size in positions else data[o] for o in range(a, b))
        return found if crc32(found) == check else None

    for sharing in damaged.values():
        one, other = sharing[0], sharing[-1]
        splits = [(first, second, t) for first, second in ((one, other), (other, one)) for t in range(size + 1)]
        if len(sharing) == 1:
            splits = [(one, one, t) for t in range(size + 1)]
        for first, second, t in splits if len(sharing) <= 2 else []:
            after = restored(second, range(t, size))
            before = restored(first, range(t)) if first is not second else after
            if before is not None and after is not None:
                out[first[0] : first[1]], out[second[0] : second[1]] = before, after
                break
    return bytes(out)
