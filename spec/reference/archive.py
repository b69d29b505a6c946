"""The content of tables and blocks: records, columns, tag values. archive.md."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from typing import Iterator

from blake3 import blake3

from . import container
from .annotations import read_notation
from .base import TABLES_LIMIT, Bytes, Damaged, element, require
from .chess import PAWN, Position, Variant
from .codecs import MODEL
from .columns import Strings, announced_strings, read_dictionary, read_ints, read_strings, unpack
from .container import BlockEntry, Tables
from .fen import write_fen, write_last
from .fields import (FOLLOWS, NUMBER, OPENING, Column, FieldReader, Plan, Value, complete_plan, read_plans, stored_value,
                     text_of)
from .layout import Layout, read_layouts, render
from .lines import read_lines_table
from .model import Model, built_in_with, parse_model, read_adaptation
from .movetext import Context, Movetext, Parts, Tags, read_movetext
from .openings import predict_opening, read_openings
from .positions import decode_combined
from .prose import Model as ProseModel
from .prose import read_preset, unpack_prose
from .rangecoder import RangeDecoder

# Kinds of tables. Section 2.
NAMES, ROSTERS, LAYOUTS, DICTIONARY, _, ADAPTATION, NOTATION, NOTATION_DISTRIBUTIONS, PLANS, \
    DISTRIBUTIONS, RANKS, MAPS = range(16, 28)
OPENINGS, LINES_DISTRIBUTIONS, PRESET, LARGE_DICTIONARY = 29, 30, 31, 32

# Columns. Section 3.
IS_GAME, REASON, LAYOUT, ROSTER, SPELLING, RESULT, PLIES, CODEC, MOVE_BYTES = range(9)
MOVES, COMMENTS, EXCEPTIONS, PATCH, TAIL, START, VARIATION_PLIES, VARIATION_BYTES, VARIATIONS, POSITIONS, MOVE_RATE, \
    MARKS, MARK_BYTES, LINES, LINE_BYTES = 10, *range(12, 26)
FIRST_TAG = 32
INTS = [IS_GAME, REASON, LAYOUT, ROSTER, SPELLING, RESULT, PLIES, CODEC, MOVE_BYTES, START, VARIATION_PLIES,
        VARIATION_BYTES, MOVE_RATE, MARK_BYTES, LINE_BYTES]
OF_TAGS = (IS_GAME, REASON, ROSTER, RESULT, PLIES, CODEC, START, POSITIONS)
NEEDED_FIRST = (b"White", b"Black", b"WhiteElo", b"BlackElo", b"TimeControl", b"FEN")


@dataclass
class Segment:
    """What the tables of a segment contain."""

    names: list[bytes]
    rosters: list[list[int]]
    layouts: list[Layout]
    dictionaries: dict[int, list[bytes]]
    plans: list[Plan]
    context: Context
    preset: ProseModel | None

    def strings(self, column: int) -> Strings:
        """How a column of strings is read."""
        dictionary = self.dictionaries.get(column, [])
        if column in (COMMENTS, TAIL):
            return Strings(dictionary, partial(unpack_prose, preset=self.preset))
        return Strings(dictionary)


def read_segment(archive: container.Archive, tables: Tables) -> Segment:
    """Section 2."""
    budget = TABLES_LIMIT

    def unpacked(kind: int) -> bytes:
        nonlocal budget
        require((kind, 0) in tables, "required table is missing")
        raw = unpack(tables[kind, 0], budget)
        budget -= len(raw)
        return raw

    names = read_names(unpacked(NAMES))
    rosters = read_rosters(unpacked(ROSTERS), len(names))
    layouts = read_layouts(unpacked(LAYOUTS))
    dictionaries = {}
    for (kind, key), table in tables.items():
        if kind == DICTIONARY:
            announced = announced_strings(table)
            if announced is not None:
                require((LARGE_DICTIONARY, key) in tables, "large dictionary is missing")
                table = tables[LARGE_DICTIONARY, key]
            dictionaries[key] = read_dictionary(table, budget)
            require(announced in (None, len(dictionaries[key])), "number of strings of a large dictionary")
            budget -= sum(map(len, dictionaries[key]))
    packed = tables.get((NOTATION, 0))
    notation = read_notation(unpack(packed, budget) if packed else b"", tables.get((NOTATION_DISTRIBUTIONS, 0), b""))
    plans = read_plans(tables.get((PLANS, 0), b""))
    for plan in plans:
        plan.dictionary = dictionaries.get(plan.first, [])
        complete_plan(plan, *(tables.get((kind, plan.first), b"") for kind in (DISTRIBUTIONS, RANKS, MAPS)))
        if plan.flags & FOLLOWS:
            require((OPENINGS, plan.first) in tables and len(plan.columns) == 1, "book of a field")
            require(name_of(names, plan.first) not in NEEDED_FIRST, "field with a book")
            plan.book = read_openings(tables[OPENINGS, plan.first])
    planned = {column - FIRST_TAG for plan in plans for column in plan.columns}
    for roster in rosters:
        require(all(roster.count(name) == 1 for name in planned.intersection(roster)), "planned tag that occurs twice")
    lines = read_lines_table(tables.get((LINES_DISTRIBUTIONS, 0), b""))
    preset = tables.get((PRESET, COMMENTS))
    return Segment(names, rosters, layouts, dictionaries, plans, Context(notation, lines, read_model(archive, tables)),
                   read_preset(preset) if preset else None)


def name_of(names: list[bytes], column: int) -> bytes:
    """The tag name of a column; it may be one that the segment does not have."""
    number = column - FIRST_TAG
    return names[number] if 0 <= number < len(names) else b""


def read_names(raw: bytes) -> list[bytes]:
    reader, names = Bytes(raw), []
    while reader.more():
        names.append(reader.sized())
        require(1 <= len(names[-1]) <= 255 and len(names) <= 65536, "tag names")
    return names


def read_rosters(raw: bytes, names: int) -> list[list[int]]:
    reader, rosters = Bytes(raw), []
    while reader.more():
        count = reader.varint()
        require(count <= 255 and len(rosters) < 65536, "rosters")
        rosters.append([reader.varint() for _ in range(count)])
        require(all(name < names for name in rosters[-1]), "tag name of a roster")
    return rosters


def read_model(archive: container.Archive, tables: Tables) -> Model | None:
    """The model of the segment, with its adaptation."""
    digest, adaptation = tables.get((2, 0)), tables.get((ADAPTATION, 0))
    if not digest:
        require(adaptation is None, "adaptation without a model")
        return None
    require(len(digest) == 32, "digest of a model")
    packed = container.read_model(archive, digest)
    if packed is None:
        model = Model(built_in_with(digest))
    else:
        file = unpack(packed, TABLES_LIMIT)
        require(blake3(file).digest() == digest, "digest of a model")
        model = Model(parse_model(file))
    if adaptation is not None:
        model.adaptation = read_adaptation(adaptation)
    return model


# --- Blocks. Sections 3 and 4 ------------------------------------------------------------------


def read_columns(packed: bytes) -> dict[int, bytes]:
    """The columns of packed tags or of a packed movetext. Section 3."""
    reader = Bytes(packed)
    count = reader.varint()
    require(count <= len(packed), "number of columns")
    number, lengths = -1, {}
    for _ in range(count):
        number += 1 + reader.varint()
        lengths[number] = reader.varint()
    columns = {number: reader.take(length) for number, length in lengths.items()}
    reader.end()
    return columns


Pairs = list[tuple[bytes, bytes | Value, Plan | None]]  # name, stored value, its plan


@dataclass
class Block:
    """The values of the columns of a block. Section 4."""

    segment: Segment
    entry: BlockEntry
    ints: dict[int, list[int]] = field(default_factory=dict)
    strings: dict[int, list[bytes]] = field(default_factory=dict)
    raw: dict[int, list[bytes]] = field(default_factory=dict)
    tags: dict[int, list] = field(default_factory=dict)  # of tags, with or without a plan
    pairs: list[Pairs] = field(default_factory=list)  # of each record
    positions: list[bytes | None] = field(default_factory=list)  # stored start position of each record


def open_block(segment: Segment, entry: BlockEntry, tags: bytes, movetext: bytes) -> Block:
    """A block, without its records. Section 4."""
    require(entry.records <= 4096, "too many records in a block")
    columns = read_columns(tags)
    require(all(number in OF_TAGS or number >= FIRST_TAG for number in columns), "column in the tags")
    of_movetext = read_columns(movetext)
    require(not any(number in OF_TAGS or number >= FIRST_TAG for number in of_movetext), "column in the movetext")
    columns |= of_movetext
    block = Block(segment, entry)
    plan_of = {column: plan for plan in segment.plans for column in plan.columns}
    n, bound = entry.records, min(8 * entry.raw, entry.raw + (1 << 24))
    for number in INTS:
        if number not in plan_of:
            block.ints[number] = read_ints(columns[number], n) if number in columns else [0] * n
    read_fields(block, columns)
    require(sum(map(bool, block.ints[IS_GAME])) == entry.games, "number of games of a block")
    require(sum(block.ints[PLIES]) + sum(block.ints[VARIATION_PLIES]) <= entry.raw, "plies of a block")
    split_raw(block, columns)
    rosters = [element(segment.rosters, roster, "roster") for roster in block.ints[ROSTER]]
    stored = [start >= 32 for start in block.ints[START]]
    counts = {COMMENTS: n, EXCEPTIONS: n, PATCH: n, TAIL: n, POSITIONS: sum(stored)}
    for name in (name for roster in rosters for name in roster):
        counts[FIRST_TAG + name] = counts.get(FIRST_TAG + name, 0) + 1
    for number, count in counts.items():
        if number not in plan_of:
            strings = [b""] * count
            if number in columns:
                strings = read_strings(columns[number], count, segment.strings(number), bound)
            of_kind = block.strings if number < FIRST_TAG else block.tags
            of_kind[number] = strings
    values = {number: iter(column) for number, column in block.tags.items()}
    for roster in rosters:
        columns_of = [FIRST_TAG + name for name in roster]
        block.pairs.append([(name_of(segment.names, c), next(values[c]), plan_of.get(c)) for c in columns_of])
    positions = iter(block.strings[POSITIONS])
    block.positions = [next(positions) if is_stored else None for is_stored in stored]
    return block


def read_fields(block: Block, columns: dict[int, bytes]) -> None:
    """The columns with a plan. Section 3; fields.md, section 5."""
    segment, read = block.segment, []

    def has_value(plan: Plan, r: int, s: int) -> bool:
        name = plan.columns[s] - FIRST_TAG
        return name < 0 or name in element(segment.rosters, block.ints[ROSTER][r], "roster")

    for number, plan in enumerate(segment.plans):
        streams = [RangeDecoder(columns.get(column, b"")) for column in plan.columns]
        values = FieldReader(number, segment.plans, read, streams, partial(has_value, plan),
                             block.entry.records).read()
        read.append(values)
        for column, of_column in zip(plan.columns, values):
            take_column(block, column, of_column)


def take_column(block: Block, column: int, values: Column) -> None:
    """Keeps the values of a column with a plan."""
    if column >= FIRST_TAG:
        block.tags[column] = [value for value in values if value is not None]
        return
    require(column in INTS and column != REASON, "column that has no plan")
    require(all(value.kind == NUMBER for value in values), "value of a column of integers")
    block.ints[column] = [value.of for value in values]


def moves_length(block: Block, r: int) -> int:
    """`length of moves of a record`. Section 4."""
    ints = block.ints
    value, rate = ints[MOVE_BYTES][r], ints[MOVE_RATE][r]
    if rate == 0:
        return value
    plies = ints[PLIES][r] + (ints[VARIATION_PLIES][r] if ints[CODEC][r] == MODEL else 0)
    predicted = min(plies * rate, 2**64 - 1) // 256
    return predicted + value // 2 if value % 2 == 0 else predicted - (value + 1) // 2


def split_raw(block: Block, columns: dict[int, bytes]) -> None:
    """The values of the raw columns."""
    lengths = {MOVES: [moves_length(block, r) for r in range(block.entry.records)]}
    lengths |= {VARIATIONS: block.ints[VARIATION_BYTES], MARKS: block.ints[MARK_BYTES], LINES: block.ints[LINE_BYTES]}
    for number, sizes in lengths.items():
        require(min(sizes) >= 0, "length of the moves of a record")
        reader = Bytes(columns.get(number, b""))
        block.raw[number] = [reader.take(size) for size in sizes]
        reader.end()


# --- Records. Sections 4 to 6 ------------------------------------------------------------------

def read_records(block: Block) -> Iterator[bytes]:
    """The texts of the records of a block."""
    total = 0
    for r in range(block.entry.records):
        text = read_record(block, r)
        total += len(text)
        yield text
    require(total == block.entry.raw, "raw bytes of a block")


def read_record(block: Block, r: int) -> bytes:
    """The text of a record. Section 4."""
    segment, ints, strings, bound = block.segment, block.ints, block.strings, block.entry.raw
    pairs = block.pairs[r]
    start, form = ints[START][r] % 32, ints[START][r] // 32
    require(form <= 2, "start of a record")
    fen = stored_fen(block.positions[r], form, pairs) if form else None
    parts = Parts(start, ints[PLIES][r], ints[CODEC][r], block.raw[MOVES][r], ints[VARIATION_PLIES][r],
                  block.raw[VARIATIONS][r], block.raw[MARKS][r], block.raw[LINES][r], strings[COMMENTS][r],
                  ints[SPELLING][r], strings[EXCEPTIONS][r], ints[RESULT][r])
    require(parts.default_spelling < 256 and parts.result < 5 and parts.codec < 256, "value out of range")
    known = tag_texts(segment, pairs, fen, None)
    movetext = read_movetext(parts, known, segment.context, bound)
    tags = tag_texts(segment, pairs, fen, movetext)
    layout = element(segment.layouts, ints[LAYOUT][r], "layout")
    tail = strings[TAIL][r]
    text = render(layout, strings[PATCH][r], movetext.start, tags, movetext.nodes, bool(tail), bound) + tail
    require(len(text) <= bound, "text of a record exceeds that of its block")
    return text


def stored_fen(data: bytes, form: int, pairs: Pairs) -> bytes:
    """The value of a FEN tag that is stored as a position. Section 5."""
    values = [stored_text(value, plan, None) for name, value, plan in pairs if name == b"FEN"]
    require(values[:1] == [b""], "stored start position without an empty tag FEN")
    position = decode_combined(data)
    require(form == 1 or position.rights, "Shredder-FEN without rights")
    return write_fen(position, shredder=form == 2)


def tag_texts(segment: Segment, pairs: Pairs, fen: bytes | None, movetext: Movetext | None) -> Tags:
    """The tag pairs of a record; before its moves are known, only those that moves need. Section 6."""
    tags: Tags = []
    for name, stored, plan in pairs:
        if name == b"FEN" and fen is not None and all(tag != b"FEN" for tag, _ in tags):
            tags.append((name, fen))
        elif movetext or name in NEEDED_FIRST:
            value = stored_text(stored, plan, movetext)
            require(value is not None, "value that moves need follows from them")
            tags.append((name, resolve(value, segment, pairs, movetext)))
    return tags


def stored_text(stored: bytes | Value, plan: Plan | None, movetext: Movetext | None) -> bytes | None:
    """The stored value of a tag pair; none if it is known only after the moves."""
    if isinstance(stored, bytes):
        return stored
    if stored.kind == OPENING:
        if movetext is None:
            return None
        number = predict_opening(plan.book, movetext.main_line)
        require(number is not None, "opening of a game that the book does not contain")
        stored = stored_value(plan, number)
        require(stored is not None and stored.kind != OPENING, "value of a book")
    return text_of(plan, stored)


def resolve(stored: bytes, segment: Segment, pairs: Pairs, movetext: Movetext | None) -> bytes:
    """The text of a stored value: its back-references are replaced. Section 6."""
    reader, text, references = Bytes(stored), b"", 0
    while reader.more():
        end = stored.find(b"\0", reader.at)
        text += reader.take((end if end >= 0 else len(stored)) - reader.at)
        if end < 0:
            break
        reader.take(1)
        number = reader.varint()
        references += number > 0
        require(references <= 255, "too many back-references")
        if number == 0:
            text += b"\0"
        elif number <= 6:
            require(movetext, "back-reference to the last position in a value that moves need")
            text += last_position(movetext, number)
        else:
            text += referred(segment, pairs, number - 7)
    return text


def referred(segment: Segment, pairs: Pairs, number: int) -> bytes:
    """The stored value of the first tag pair with a name."""
    name = element(segment.names, number, "tag name")
    found = next(((value, plan) for tag, value, plan in pairs if tag == name), None)
    require(found, "back-reference to a tag pair that the record does not have")
    value = stored_text(*found, None)
    require(value is not None and b"\0" not in value, "back-reference to a value with back-references")
    return value


def last_position(movetext: Movetext, number: int) -> bytes:
    """The back-references 1 to 6."""
    position = movetext.main_line[-1]
    require(position.variant == Variant.CHESS, "back-reference to the position of a variant")
    shown = position.en_passant if number in (3, 4, 6) or can_capture(position) else None
    clock = position.clock + (number >= 5 and position.clock < 2**32 - 1)
    text = write_last(position, shown, clock)
    return b" ".join(text.split(b" ")[:4]) if number in (2, 4) else text


def can_capture(position: Position) -> bool:
    """Whether a pawn can capture en passant by the rules."""
    return any(move.role == PAWN and move.target == position.en_passant for move in position.legal)


def read_archive(archive: container.Archive) -> Iterator[bytes]:
    """The texts of all records in their order. Section 1."""
    for entry in archive.segments:
        tables, blocks = container.read_segment(archive, entry)
        segment = read_segment(archive, tables)
        for block in blocks:
            opened = open_block(segment, block, *container.read_block(archive, entry, block))
            yield from read_records(opened)


def read_sources(archive: container.Archive) -> Iterator[tuple[container.Source, bytes]]:
    """The sources with their bytes. Section 1."""
    records, text = read_archive(archive), b""
    for source in archive.sources:
        while len(text) < source.size:
            text += next(records)
        source_text, text = text[: source.size], text[source.size :]
        require(blake3(source_text).digest() == source.digest, f"digest of the source {source.name}")
        yield source, source_text


def read_game(archive: container.Archive, number: int) -> bytes:
    """The text of a game, counted from 1. format.md, "Finding a game"."""
    g = number - 1
    for entry in archive.segments:
        if 0 <= g < entry.games:
            tables, blocks = container.read_segment(archive, entry)
            block = [b for b in blocks if b.first_game <= g][-1]
            opened = open_block(read_segment(archive, tables), block, *container.read_block(archive, entry, block))
            games = [r for r, is_game in enumerate(opened.ints[IS_GAME]) if is_game]
            return read_record(opened, games[g - block.first_game])
        g -= entry.games
    raise Damaged(f"no game {number}")
