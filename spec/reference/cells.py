"""Cells: adaptive probabilities of bits (columns.md, section 3)."""

from .rangecoder import RangeDecoder

RATE = [50412, 28494, 19859, 15241, 12365, 10403, 8978, 7896, 7047, 5800, 4928, 4283, 3788, 3396,
        3077, 2813]
NEW = 2048 << 4  # a cell is 16 p + n: the probability p of a bit 1, in 1/4096, and a count n


def learn(cells: list[int], i: int, bit: int) -> None:
    p, n = cells[i] >> 4, cells[i] & 15
    p += ((4095 if bit else 0) - p) * RATE[n] + 2**15 >> 16
    cells[i] = p << 4 | min(n + 1, 15)


def read_bit(stream: RangeDecoder, p: int) -> int:
    """A bit that is 1 with the probability p / 4096."""
    bit = int(stream.part(4096) < p)
    stream.narrow(0 if bit else p, p if bit else 4096 - p, 4096)
    return bit


def read_by_cell(stream: RangeDecoder, cells: list[int], i: int) -> int:
    bit = read_bit(stream, cells[i] >> 4)
    learn(cells, i, bit)
    return bit
