"""The structure of the file: header, slots, sections, segments, directory. format.md."""

from __future__ import annotations

from dataclasses import dataclass, field

from blake3 import blake3

from .base import BLOCK_LIMIT, INDEX_LIMIT, TABLES_LIMIT, Bytes, Damaged, crc32, require
from .parity import Span, check_spans

SIGNATURE = b"\x89PGNA\r\n\x1a\n"
VERSION = (0, 99)
SYNC = b"\xfb\x9e\xc4"
FRAME = 20
FIRST_SECTION = 80
FOOTER = 68
FIRST_LARGE = 31  # the least kind of large tables

Tables = dict[tuple[int, int], bytes]  # kind and key: content


@dataclass
class Source:
    """A source entry of the directory."""

    name: str
    size: int
    games: int
    records: int
    digest: bytes


@dataclass
class SegmentEntry:
    """A segment entry of the directory."""

    offset: int
    size: int
    end_size: int
    raw: int
    id: bytes
    games: int
    records: int
    first_source: int
    parts: int
    end_crc: bytes


@dataclass
class BlockEntry:
    """A block: its entry in the segment's end, and where its parts are."""

    games: int
    records: int
    raw: int
    tags_size: int
    tags_crc: int
    payload: int
    crc: bytes
    first_game: int = 0
    raw_offset: int = 0
    tags_offset: int = 0  # in the tags of its group
    tags_at: int = 0
    section_at: int = 0


@dataclass
class Archive:
    """An opened file."""

    data: bytes
    segments: list[SegmentEntry]
    parity: list[Span]
    sources: list[Source]
    models: dict[bytes, tuple[int, int]] = field(default_factory=dict)  # digest: offset and size of the section


def section(data: bytes, at: int, size: int, kind: bytes) -> bytes:
    """The payload of the section of this size and type at a file offset. "Sections"."""
    require(at >= FIRST_SECTION and size >= FRAME and at + size <= len(data), "section outside the file")
    whole = data[at : at + size]
    require(whole[:8] == kind + b"\1" + SYNC, f"no section {kind.decode()} at {at}")
    require(int.from_bytes(whole[8:16], "little") == size - FRAME, "length of a section")
    require(crc32(whole[:-4]) == int.from_bytes(whole[-4:], "little"), "CRC-32 of a section")
    return whole[16:-4]


def open_archive(data: bytes) -> Archive:
    """ "Header" and "Opening". A file with a damaged header, suspect slot or footer is refused."""
    require(data[:9] == SIGNATURE, "not a PGN archive")
    header = Bytes(data, 9)
    version = [header.byte() for _ in range(3)]
    require(len(data) >= FIRST_SECTION and crc32(data[:12]) == header.fixed(4), "damaged header")
    require((version[0], version[1]) == VERSION, f"version {version[0]}.{version[1]} is not supported")
    require(version[2] == version[1], "damaged header")
    generation, footer_at, copy_at = newest_slot(data)
    copy = section(data, copy_at, FOOTER, b"FOOT")
    require(data[copy_at : copy_at + FOOTER] == data[footer_at : footer_at + FOOTER], "footers differ")
    footer = Bytes(copy)
    require(list(footer.take(4)) == [*version, 0], "version of the footer")
    directory_crc = footer.take(4)
    require(footer.fixed(8) == generation, "generation of the footer")
    directory_at, directory_size = footer.fixed(8), footer.fixed(8)
    parity = Span(footer.fixed(8), directory_at + directory_size, footer.fixed(8))
    footer.end()
    require(directory_at == copy_at + FOOTER and parity.end == footer_at, "footer was moved")
    require(directory_size <= INDEX_LIMIT, "directory exceeds its limit")
    directory = section(data, directory_at, directory_size, b"DIRC")
    require(data[parity.offset - 4 : parity.offset] == directory_crc, "CRC-32 of the directory")
    archive = read_directory(data, directory)
    archive.parity.append(parity)
    check_spans(archive.parity)
    sums = [[sum(e.games for e in entries), sum(e.records for e in entries),
             sum(e.raw if isinstance(e, SegmentEntry) else e.size for e in entries)]
            for entries in (archive.segments, archive.sources)]
    require(sums[0] == sums[1], "sums of the directory")
    check_segments(archive, copy_at)
    return archive


def newest_slot(data: bytes) -> tuple[int, int, int]:
    """Generation, footer and its copy by the newest intact slot, or of a streamed file."""
    slots = {}
    for number, at in enumerate((16, 48)):
        raw = data[at : at + 32]
        slot = Bytes(raw, 4)
        generation, footer, copy = slot.fixed(8), slot.fixed(8), slot.fixed(8)
        if raw[:4] == b"CMIT" and slot.fixed(4) == crc32(raw[:28]):
            require(generation > 0 and generation % 2 == 1 - number, "generation of a slot")
            slots[generation] = (generation, footer, copy)
        else:
            require(not any(raw), "damaged slot")
    require(not slots or max(slots) - min(slots) == len(slots) - 1, "slots of two files")
    if slots:
        require(len(slots) == 2 or max(slots) == 1, "lost slot")
        return slots[max(slots)]
    footer_at = len(data) - FOOTER
    footer = Bytes(section(data, footer_at, FOOTER, b"FOOT"), 8)
    require(footer.fixed(8) == 1, "two lost slots")
    return 1, footer_at, footer.fixed(8) - FOOTER


def read_directory(data: bytes, payload: bytes) -> Archive:
    """ "Directory"."""
    reader = Bytes(payload)
    segments, parities, models, sources = (reader.varint() for _ in range(4))
    require(20 * segments + 3 * parities + 34 * models + 36 * sources <= len(payload), "number of entries")
    archive = Archive(data, [], [], [])
    cells = []  # The bytes of each segment in a row of names. "Summaries of segments".
    end, last_source = FIRST_SECTION, 0
    for _ in range(segments):
        segment_id, end_crc = reader.take(8), reader.take(4)
        offset = end + reader.varint()
        size, end_size, games, texts, raw = (reader.varint() for _ in range(5))
        first, parts = last_source + reader.varint(), reader.varint()
        archive.segments.append(SegmentEntry(
            offset, size, end_size, raw, segment_id, games, games + texts, first, parts, end_crc))
        end, last_source = offset + size, first + parts - 1
        for _ in range(3):  # Its days, and how many of its dates are malformed: only searches need them.
            reader.varint()
        cells.append(reader.varint() > 1)
    for first in range(0, segments, 64):
        offset = reader.varint()
        has_names = any(cells[first:first + 64])
        require(offset >= FIRST_SECTION if has_names else offset == 0, "section of names")
    end = FIRST_SECTION
    for _ in range(parities):
        start = end + reader.varint()
        archive.parity.append(Span(start, start + reader.varint(), reader.varint()))
        end = archive.parity[-1].end
    require(models <= 4096, "number of models")
    end = FIRST_SECTION
    for _ in range(models):
        digest, offset, size = reader.take(32), reader.varint(), reader.varint()
        require(digest not in archive.models, "model that is listed twice")
        require(offset >= end and size >= FRAME + 32, "section of a model")
        end = offset + size
        archive.models[digest] = offset, size
    for _ in range(sources):
        digest = reader.take(32)
        size, games, texts = (reader.varint() for _ in range(3))
        name = reader.sized()
        require(games + texts <= size and len(name) <= 65535, "counts of a source")
        try:
            archive.sources.append(Source(name.decode(), size, games, games + texts, digest))
        except UnicodeDecodeError as error:
            raise Damaged("name of a source is not UTF-8") from error
    reader.end()
    return archive


def check_segments(archive: Archive, end: int) -> None:
    """The rules for the entries of segments. "Directory"."""
    at, last_source = FIRST_SECTION, 0
    for entry in archive.segments:
        require(entry.offset >= at, "segments overlap")
        at = entry.offset + entry.size
        require(37 <= entry.end_size < entry.size, "size of a segment's end")
        require(1 <= entry.records and entry.games <= entry.records <= entry.raw, "counts of a segment")
        require(entry.first_source >= last_source and entry.parts >= 1, "sources of a segment")
        last_source = entry.first_source + entry.parts - 1
        require(last_source < len(archive.sources), "sources of a segment")
    require(at <= end, "segment after the footer's copy")


def read_segment(archive: Archive, entry: SegmentEntry) -> tuple[Tables, list[BlockEntry]]:
    """Tables and blocks of a segment. "Segment end", "Tables"."""
    data = archive.data
    end_at = entry.offset + entry.size - entry.end_size
    require(entry.end_size <= INDEX_LIMIT, "segment's end exceeds its limit")
    end = Bytes(section(data, end_at, entry.end_size, b"SEND"))
    require(data[end_at + entry.end_size - 4 : end_at + entry.end_size] == entry.end_crc,
            "CRC-32 of the segment's end")
    require(end.take(8) == entry.id, "segment ID of the segment's end")
    head_crc = end.fixed(4)
    length, head, blocks, groups, others = (end.varint() for _ in range(5))
    require(blocks >= 1 and blocks <= len(end.data), "number of blocks")
    blocks_of = [end.varint() for _ in range(min(groups, len(end.data)))]
    require(sum(blocks_of) == blocks and all(blocks_of), "blocks of the groups")
    entries = [read_entry(end) for _ in range(blocks)]
    tables_size = FRAME + length
    at = place_blocks(entries, blocks_of, entry.offset + tables_size)
    for _ in range(others):
        kind, flags = end.take(4), end.byte()
        require(flags & 1 == 0, f"unknown critical section {kind!r}")  # those of index.md are not
        at += end.varint() + FRAME
        end.take(4)
    end.end()
    require(at == end_at, "sections do not fill the segment")
    totals = [sum(b.games for b in entries), sum(b.records for b in entries),
              sum(b.raw for b in entries)]
    require(totals == [entry.games, entry.records, entry.raw], "totals of a segment")
    tables = read_tables(section(data, entry.offset, tables_size, b"TABL"), entry.id, head, head_crc)
    check_parts(tables, entry)
    return tables, entries


def read_model(archive: Archive, digest: bytes) -> bytes | None:
    """The packed model with this digest, if the archive contains it. "Models"."""
    if digest not in archive.models:
        return None
    offset, size = archive.models[digest]
    require(size <= INDEX_LIMIT, "model exceeds its limit")
    payload = section(archive.data, offset, size, b"MODL")
    require(payload[:32] == digest, "section of another model")
    return payload[32:]


def read_summary(reader: Bytes) -> tuple[int, int, int, int, int]:
    """Games, records, raw bytes, tags size, tags CRC-32. "Blocks"."""
    games, texts, raw, tags_size = (reader.varint() for _ in range(4))
    require(1 <= games + texts <= raw and tags_size >= 1, "summary of a block")
    require(max(raw, tags_size) < 2**32, "summary of a block")
    return games, games + texts, raw, tags_size, reader.fixed(4)


def read_entry(end: Bytes) -> BlockEntry:
    """A block entry. "Segment end"."""
    summary = read_summary(end)
    payload = end.varint()
    require(max(payload, summary[2], summary[3]) <= BLOCK_LIMIT, "block exceeds its limit")
    return BlockEntry(*summary, payload, end.take(4))


def place_blocks(entries: list[BlockEntry], blocks_of: list[int], at: int) -> int:
    """Gives each block its offsets; gives the file offset after the last. "Segment end"."""
    remaining = iter(entries)
    first_game = raw_offset = 0
    for count in blocks_of:
        group = [next(remaining) for _ in range(count)]
        tags_offset = 0
        for block in group:
            block.tags_offset, block.tags_at = tags_offset, at + 16 + 8 + tags_offset
            tags_offset += block.tags_size
        at += FRAME + 8 + tags_offset
        for block in group:
            block.section_at = at
            at += block.payload + FRAME
            block.first_game, block.raw_offset = first_game, raw_offset
            first_game, raw_offset = first_game + block.games, raw_offset + block.raw
    return at


def read_tables(t: bytes, segment_id: bytes, head: int, head_crc: int) -> Tables:
    """ "Tables"."""
    require(len(t) <= TABLES_LIMIT, "tables exceed their limit")
    require(blake3(t).digest()[:8] == segment_id, "segment ID of the tables")
    tables: Tables = {}
    reader, last, found = Bytes(t), (-1, -1), 0
    while reader.more():
        key = (reader.byte(), reader.varint())
        require(key > last, "tables do not ascend")
        tables[key], last = reader.sized(), key
        if key[0] < FIRST_LARGE:
            found = reader.at
    require(found == head, "length of the head of the tables")
    require(crc32(t[:head]) == head_crc, "CRC-32 of the head of the tables")
    require(len(tables) <= 65536, "too many tables")
    return tables


def check_parts(tables: Tables, entry: SegmentEntry) -> None:
    """ "Source parts"; a reader splits text by the directory, so they are only checked."""
    require((1, 0) in tables, "no source parts")
    reader = Bytes(tables[1, 0])
    require(reader.varint() == entry.parts, "number of source parts")
    sums = [0, 0, 0]
    for _ in range(entry.parts):
        reader.sized()
        reader.varint()
        sums = [total + reader.varint() for total in sums]
    reader.end()
    require(sums == [entry.raw, entry.games, entry.records], "sums of the source parts")


def read_block(archive: Archive, segment: SegmentEntry, block: BlockEntry) -> tuple[bytes, bytes]:
    """Packed tags and packed movetext of a block. "Blocks"."""
    data = archive.data
    tags = data[block.tags_at : block.tags_at + block.tags_size]
    require(crc32(tags) == block.tags_crc, "CRC-32 of the tags of a block")
    size = block.payload + FRAME
    reader = Bytes(section(data, block.section_at, size, b"BLOK"))
    crc = data[block.section_at + size - 4 : block.section_at + size]
    require(crc == block.crc, "CRC-32 of a block is not that of the index")
    require(reader.take(8) == segment.id, "segment ID of a block")
    offsets = [reader.varint() for _ in range(3)]
    require(offsets == [block.first_game, block.raw_offset, block.tags_offset], "header of a block")
    summary = (block.games, block.records, block.raw, block.tags_size, block.tags_crc)
    require(read_summary(reader) == summary, "header of a block")
    return tags, reader.rest()
