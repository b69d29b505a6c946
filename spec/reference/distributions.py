"""Stored distributions of symbols. columns.md, section 6."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field

from .base import TABLES_LIMIT, require
from .rangecoder import Adaptive, RangeDecoder

TOTAL = 65536
UNFITTED: dict[int, int] = {}  # levels of no node
T = [30723, 26695, 22849, 19282, 16062, 13226, 10782, 8714, 6992, 5577, 4427, 3500, 2758, 2168,
     1701, 1333, 1042, 815, 636, 497, 387, 302, 236, 184, 143, 111, 87, 68, 53, 41, 32, 25]

# Starts of the shares of the symbols, and 65,536 after them.
Distribution = list[int]
# The levels of the fitted nodes of a family's tree, by number of the node.
Levels = dict[int, int]


@dataclass
class Family:
    """Symbols 0 to n − 1, with a distribution in each pair of contexts."""

    symbols: int
    outer: int = 1
    inner: int = 1
    distributions: list[Distribution] = field(default_factory=list)

    def read(self, stream: RangeDecoder, outer: int = 0, inner: int = 0, least: int = 0) -> int:
        """A symbol that is known to be at least `least`."""
        starts = self.distributions[outer * self.inner + inner]
        below = starts[least]
        total = TOTAL - below
        symbol = bisect_right(starts, stream.part(total) + below) - 1
        stream.narrow(starts[symbol] - below, starts[symbol + 1] - starts[symbol], total)
        return symbol

    def number(self, stream: RangeDecoder, outer: int = 0, inner: int = 0) -> int:
        """A number, 0 to 2^64 − 1, of a family of 256 symbols."""
        symbol = self.read(stream, outer, inner)
        if symbol < 16:
            return symbol
        exponent, bits = symbol // 4, symbol % 4
        return 4 + bits << exponent - 2 | stream.uniform(exponent - 2)

    def signed(self, stream: RangeDecoder, outer: int = 0, inner: int = 0) -> int:
        """A signed number of a family of 256 symbols."""
        symbol = self.read(stream, outer, inner)
        if symbol < 16:
            negative, size = divmod(symbol, 8)
        else:
            first, a, b = next(row for row in SIGNED_ROWS if row[1] <= symbol)
            step, bits = divmod(symbol - a, 1 << b)
            exponent, negative = first + step // 2, step % 2
            size = (1 << b | bits) << exponent - b | stream.uniform(exponent - b)
        return -size - 1 if negative else size


# f, a, b, the last row first.
SIGNED_ROWS = [(23, 176, 0), (15, 144, 1), (7, 80, 2), (3, 16, 3)]


def depth_of(symbols: int) -> int:
    """The depth of the leaves: the least k with 2^k ≥ symbols."""
    return (symbols - 1).bit_length()


def below_n(symbols: int, node: int) -> int:
    """How many of the symbols of a node are below n."""
    height = depth_of(symbols) - (node.bit_length() - 1)
    first = (node << height) - (1 << depth_of(symbols))
    return max(0, min(symbols - first, 1 << height))


def decides(symbols: int, node: int) -> bool:
    """Whether there are symbols below n in both halves of the node."""
    return below_n(symbols, 2 * node + 1) > 0


def is_leaf(symbols: int, node: int) -> bool:
    return node >> depth_of(symbols) > 0


def right(level: int) -> int:
    return T[31 - level] if level < 32 else TOTAL - T[level - 32]


def divide(symbols: int, levels: Levels) -> Distribution:
    """The distribution that follows from the levels, by division of the total."""
    starts: Distribution = []

    def share(node: int, start: int, size: int) -> None:
        if is_leaf(symbols, node):
            starts.append(start)
        elif not decides(symbols, node):
            share(2 * node, start, size)
        else:
            l, r = below_n(symbols, 2 * node), below_n(symbols, 2 * node + 1)
            if node in levels:
                s = size * (TOTAL - right(levels[node])) // TOTAL
            else:
                s = size * l // (l + r)
            s = max(l, min(size - r, s))
            share(2 * node, start, s)
            share(2 * node + 1, start + s, size - s)

    share(1, 0, TOTAL)
    return starts + [TOTAL]


def read_distributions(table: bytes, families: list[Family]) -> list[Family]:
    """`read_table`: the distributions of the families; without bytes, no levels."""
    contexts = sum(family.outer * family.inner for family in families)
    require(4 * contexts <= TABLES_LIMIT, "too many contexts of distributions")
    if not table:
        for family in families:
            even = divide(family.symbols, UNFITTED)
            family.distributions = [even] * (family.outer * family.inner)
        return families
    stream = RangeDecoder(table)
    counts = TreeCounts()
    memory = 0
    for family in families:
        memory += read_family(stream, counts, family)
        require(memory <= TABLES_LIMIT, "distributions above the limit for tables")
    stream.finish()
    return families


@dataclass
class TreeCounts:
    """The adaptive counts of a table; they persist through all of it."""

    flags: Adaptive = field(default_factory=lambda: Adaptive(2))
    actions: list[list[Adaptive]] = field(
        default_factory=lambda: [[Adaptive(3), Adaptive(3)] for _ in range(3)])
    distances: list[Adaptive] = field(default_factory=lambda: [Adaptive(64) for _ in range(3)])


def read_family(stream: RangeDecoder, counts: TreeCounts, family: Family) -> int:
    """Reads the distributions of a family; gives the memory of the distinct ones."""
    cache: dict[tuple, Distribution] = {}

    def distribution(levels: Levels) -> Distribution:
        key = tuple(sorted(levels.items()))
        if key not in cache:
            cache[key] = divide(family.symbols, levels)
        return cache[key]

    of_family = read_tree(stream, counts, family.symbols, 0, UNFITTED)
    for _ in range(family.outer):
        of_outer = of_family
        if family.outer > 1:
            of_outer = read_tree(stream, counts, family.symbols, 1, of_family)
        if family.inner > 1 and counts.flags.read(stream):
            for _ in range(family.inner):
                levels = read_tree(stream, counts, family.symbols, 2, of_outer)
                family.distributions.append(distribution(levels))
        else:
            family.distributions += [distribution(of_outer)] * family.inner
    return len(cache) * (4 * family.symbols + 96)


def read_tree(stream: RangeDecoder, counts: TreeCounts, symbols: int, depth: int,
              inherited: Levels) -> Levels:
    """The levels that result from changes of inherited ones."""
    levels = dict(inherited)

    def visit(node: int) -> None:
        if is_leaf(symbols, node):
            return
        if decides(symbols, node):
            action = counts.actions[depth][node == 1].read(stream)
            if action == 0:
                return
            if action == 2:
                distance = counts.distances[depth].read(stream)
                levels[node] = (levels.get(node, 32) + distance) % 64
            visit(2 * node + 1)
        visit(2 * node)

    visit(1)
    return levels
