"""The worked examples of the specification, decoded and compared with what it says of them.

Not decoded: those of index.md, and those of models.md that need weights made for the example.
"""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Callable, Iterator

from .annotations import read_marks, read_notation
from .archive import Segment, open_block, read_names, read_records, read_rosters
from .base import Damaged
from .chess import Variant
from .columns import Strings, read_dictionary, read_ints, read_strings, unpack
from .container import BlockEntry
from .distributions import Family, read_distributions
from .fen import start_position
from .fields import FieldReader, Value, complete_plan, read_plans, text_of
from .layout import read_layouts
from .lines import read_lines_table
from .model import BookReader
from .movetext import Context
from .openings import position_key, read_openings
from .prose import read_preset, unpack_prose
from .rangecoder import RangeDecoder

SPEC = Path(__file__).resolve().parent.parent
Examples = dict[str, bytes]


def examples_of(document: str) -> Examples:
    """The examples of a document, by name."""
    text = (SPEC / document).read_text()
    found = re.findall(r"^`([a-z][a-z0-9, -]*)`: ((?:[0-9a-f]+ ?)+)$", text, re.MULTILINE)
    return {name: bytes.fromhex(digits) for name, digits in found}


def columns(e: Examples) -> Iterator[tuple[str, bool]]:
    """columns.md"""
    players = [b"Karpov, Alexander", b"Karpov, Anatoly", b"Kasparov, Garry"]
    yield "pack-stored", unpack(e["pack-stored"], 99) == b"Linares"
    yield "pack-zstd", unpack(e["pack-zstd"], 999) == b"1/2-1/2 " * 40
    for name, values in {
        "constant": [300] * 256, "runs": [7] * 20 + [500] * 20,
        "rice": (odd := [5, 6, 3, 0, 6, 5, 7, 4, 5, 6, 5, 4, 7, 5, 40]), "adaptive": odd + [70000],
    }.items():
        yield name, read_ints(e["ints-" + name], len(values)) == values
    for name, n in {"ints-adaptive, wrong": 1, "ints-adaptive, too many": 65}.items():
        yield name, refused(lambda: read_ints(e[name], n))
    yield "dictionary", read_dictionary(e["dictionary"], 1 << 20) == players
    of_strings = read_strings(e["strings"], 4, Strings([b"B07", b"C42"]), 99)
    yield "strings", of_strings == [b"B07", b"C42", b"A00", b"C42"]
    symbols, numbers = read_distributions(e["distributions-table"], [Family(3, 2), Family(256)])
    stream = RangeDecoder(e["distributions-symbols"])
    read = [symbols.read(stream, outer) for outer in (0, 0, 0, 1)] + [numbers.number(stream)]
    stream.finish()
    yield "distributions", read == [2, 2, 0, 1, 1000]
    preset = read_preset(e["prose-mixed"])
    yield "prose-mixed", preset.text == b"better is Nf3} better is Nf3} even better is Nf3}"
    yield "prose-primed", unpack_prose(e["prose-primed"], 99, preset) == b"worse is Nf3}"


def fields(e: Examples) -> Iterator[tuple[str, bool]]:
    """fields.md"""
    plans = read_plans(e["plans"])
    for plan in plans:
        complete_plan(plan, b"", b"", b"")
    read = [FieldReader(0, plans, [], [RangeDecoder(e["white"]), RangeDecoder(e["black"])],
                        lambda r, s: (r, s) != (1, 1), 3).read()]
    yield "white", read[0][0] == [Value(0, 1500), Value(0, 1612), Value(0, 1620)]
    yield "black", read[0][1] == [Value(0, 1620), None, Value(0, 1500)]

    def dates(name: str) -> list[bytes]:
        values = FieldReader(1, plans, read, [RangeDecoder(e[name])], lambda r, s: True, 3).read()[0]
        return [text_of(plans[1], value) for value in values]

    yield "dates", dates("dates") == [b"2024.01.05", b"2024.01.05", b"2024.??.??"]
    for name in ("predicts-nothing", "nothing-recent", "no-entry", "literal-too-long"):
        yield name, refused(lambda: dates(name))


def refused(decode: Callable[[], object]) -> bool:
    try:
        decode()
    except Damaged:
        return True
    return False


def models(e: Examples) -> Iterator[tuple[str, bool]]:
    """models.md"""
    for name, totals, symbols in (
        ("sixths", [[1, 2, 3]] * 3, [1, 2, 0]), ("certain", [[5]] * 100 + [[1, 1]], [0] * 100 + [1]),
        ("settled", [[1, 1, 1], [2**30 - 1, 1], [1, 1, 1]], [1, 1, 1]),
        ("carry", [[1, 1, 1]] * 23, [1] * 21 + [2, 2]),
    ):
        stream = RangeDecoder(e["range-" + name])
        read = [stream.weighted(weights, sum(weights)) for weights in totals]
        stream.finish()
        yield "range-" + name, read == symbols
    trees = BookReader(RangeDecoder(e["book"][5:])).trees(3)
    first, second = trees[0], trees[2]
    after = first.after[next(iter(first.shares))]
    deep = next(iter(after.after.values()))
    shares = [list(node.shares.values()) for node in (first, after, deep, second)]
    yield "book", trees[1] is None and shares == [[20], [9, 0], [31], [1]]
    for name in ("book-repeated", "book-overfull"):
        yield name, refused(lambda: BookReader(RangeDecoder(e[name][1:])).trees(1))


def marks(e: Examples) -> Iterator[tuple[str, bool]]:
    """annotations.md"""
    notation = read_notation(e["notation"], e["notation-distributions"])
    groups = read_marks(notation, e["marks"], b"Why?}", 4, b"180+2", 99)
    texts = [[b"".join(mark.text) for mark in group] for group in groups]
    yield "marks", texts == [[], [b"[%clk 0:03:00]"], [], [b"[%clk 0:03:01]", b"Why?"], []]


def openings(e: Examples) -> Iterator[tuple[str, bool]]:
    """openings.md"""
    values = {0x9E3779: 7, 0x3C6EF3: 8, 0xDAA66D: 9}
    yield "openings", read_openings(e["openings"]).values == values
    yield "key", position_key(start_position(Variant.CHESS, False)) == 0x48E10201


def blocks(e: Examples) -> Iterator[tuple[str, bool]]:
    """archive.md"""
    records = [
        ("", "notation-distributions", e["tag-names"][1:],
         b'[White "Greco"]\n[Black "NN"]\n\n1. e4 e5 2. Ng1f3 Nc6 {Two knights} 3. Bc4\nBc5 5. 0-0 Nf6 1-0\n'),
        ("-of-the-set-up", "notation-distributions-of-the-set-up", b"\5White\3FEN",
         b'[White "A"]\n[FEN "4k3/8/8/8/8/8/4P3/4K2R w K - 0 1"]\n\n'
         b"1. O-O (1. e4 Kd7 (1... Ke7) 2. e5) 1... Kd7 (1... Kh1 2. Kg2) 2. Kg2 *\n"),
    ]
    layouts = read_layouts(unpack(e["layouts"], 999))
    set_up = replace(layouts[0], mode=0, templates=layouts[0].templates | GAPS_OF_THE_SET_UP)
    for suffix, distributions, names, text in records:
        context = Context(read_notation(unpack(e["notation"], 999), e[distributions]), read_lines_table(b""), {})
        rosters = read_rosters(unpack(e["rosters"], 999), 2)
        segment = Segment(read_names(names), rosters, [set_up] if suffix else layouts, {}, [], context, None)
        entry = BlockEntry(1, 1, len(text), 0, 0, 0, b"")
        block = open_block(segment, entry, e["tags" + suffix], e["movetext" + suffix])
        yield "movetext" + suffix, list(read_records(block)) == [text]
        yield "tags, wrong", refused(lambda: open_block(segment, entry, e["tags, wrong"], e["movetext" + suffix]))


# The gaps that the record of archive.md, section 10, has and that of section 9 has not.
GAPS_OF_THE_SET_UP = {13 * 3 + 9: b" ", 13 * 9 + 3: b"#. ", 13 * 9 + 4: b"#... ", 13 * 10 + 3: b" #. ",
                      13 * 10 + 4: b" #... "}


def check_examples() -> Iterator[tuple[str, bool]]:
    for check in (columns, fields, models, marks, openings, blocks):
        for name, same in check(examples_of(check.__doc__)):
            yield f"{check.__doc__}: {name}", same
