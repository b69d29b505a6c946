"""The division of an archive into parts, each for one task."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from .._errors import DamagedError
from .._pgna import Archive


def partitions_of(archive: Archive, most: int) -> list[range]:
    """Ranges of at most so many games, unless a block has more."""

    def blocks(segment: int) -> list[range]:
        try:
            return archive.blocks(segment)
        except DamagedError:  # What reads it says so.
            return [archive.segments()[segment]]

    return list(divided(archive.segments(), blocks, most))


def divided(
    segments: Sequence[range], blocks: Callable[[int], Sequence[range]], most: int
) -> Iterator[range]:
    """Ranges of whole segments that follow each other, or of blocks of one. A task that reads from a
    segment reads its tables first, so only one that is too large is divided. The blocks of others
    are not asked for, since that is to read from each.
    """
    start, stop = 1, 1
    for number, segment in enumerate(segments):
        if stop > start and segment.stop - start > most:
            yield range(start, stop)
            start = stop
        stop = segment.stop
        if stop - start > most:
            *whole, rest = joined(blocks(number), most)
            yield from whole
            start = rest.start
    if stop > start:
        yield range(start, stop)


def joined(blocks: Sequence[range], most: int) -> list[range]:
    """Ranges of blocks of at most so many games, unless a block has more."""
    found = [blocks[0]]
    for block in blocks[1:]:
        if block.stop - found[-1].start > most:
            found.append(block)
        else:
            found[-1] = range(found[-1].start, block.stop)
    return found
