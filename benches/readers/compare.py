"""Compares the columns of pgna with those that python-chess reads from the PGN, game by game.

    python compare.py --pgna target/release/pgna tests/data games.pgn.zst archive.pgna

See README.md. Exit status 1: a difference is not explained by a rule of rules.py.
"""

import argparse
import collections
import importlib.util
import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pyarrow as pa

import reference
import rules
import tables
from schema import SCHEMA
from sources import Collection, Program, open_collection

# What python-chess does not give; the text of each game is cut by lexemes.py.
_OF_TEXT = ("number", "source", "found_at", "pgn")
_SHOWN = 20
_ROWS_AT_A_TIME = 256


@dataclass
class Outcome:
    """What was found in one collection, read from one format by one tool."""

    collection: str
    door: str
    games: int
    columns: int = 0
    differences: int = 0
    differing: set[int] = field(default_factory=set)
    faults: set[int] = field(default_factory=set)
    missing: list[str] = field(default_factory=list)
    types: list[str] = field(default_factory=list)

    def row(self) -> str:
        cells = [self.collection, self.door, self.games, self.columns, self.differences]
        cells += [len(self.differing), len(self.faults)]
        return "| " + " | ".join(map(str, cells)) + " |"


@dataclass
class Comparison:
    """The comparison of one collection over all formats."""

    collection: Collection
    expected: pa.Table
    shows_all: bool
    explanations: dict[int, tuple[dict[str, Any], list[rules.Rule] | None]] = field(
        default_factory=dict
    )
    shown: collections.Counter[str] = field(default_factory=collections.Counter)

    def compare(self, door: tables.Door, source: Any) -> Outcome:
        """Compares all columns that a tool has read from a source."""
        found = door.read(source)
        name = f"{door.format}, {door.tool}"
        outcome = Outcome(self.collection.name, name, self.expected.num_rows)
        outcome.missing = self._missing(found)
        if outcome.missing:
            return outcome
        if door.tool == "pyarrow":
            outcome.types = schema_differences(found.schema, door.format)
        outcome.columns = len(SCHEMA)
        given = tables.in_schema(found)
        expected = tables.in_format(self.expected, door)
        places = {column: differing(given, expected, column) for column in SCHEMA.names}
        for column, rows in places.items():
            outcome.differences += len(rows)
            outcome.differing.update(rows)
            for row in rows:
                self._judge(outcome, door, given, column, row)
        return outcome

    def _missing(self, found: pa.Table) -> list[str]:
        problems = [f"no column {name}" for name in SCHEMA.names if name not in found.column_names]
        if found.num_rows != self.expected.num_rows:
            problems.append(f"{found.num_rows} games instead of {self.expected.num_rows}")
        return problems

    def _judge(
        self, outcome: Outcome, door: tables.Door, given: pa.Table, column: str, row: int
    ) -> None:
        found = self._explanation(given, row, door.has_nulls)
        is_fault = found is None or column in _OF_TEXT
        if is_fault:
            outcome.faults.add(row)
        if is_fault or self.shows_all:
            self._show(outcome, given, column, row, found)

    def _explanation(self, given: pa.Table, row: int, has_nulls: bool) -> list[rules.Rule] | None:
        values = given.slice(row, 1).to_pylist()[0]
        values = {name: value for name, value in values.items() if name not in _OF_TEXT}
        known = self.explanations.get(row)
        if known is None or known[0] != values:
            text = self.expected.column("pgn")[row].as_py()
            known = (values, rules.explain(text, values, has_nulls))
            self.explanations[row] = known
        return known[1]

    def _show(
        self,
        outcome: Outcome,
        given: pa.Table,
        column: str,
        row: int,
        found: list[rules.Rule] | None,
    ) -> None:
        self.shown[column] += 1
        if self.shown[column] > _SHOWN:
            return
        ours, theirs = (table.column(column)[row].as_py() for table in (given, self.expected))
        at = first_difference(ours, theirs)
        reasons = "; ".join(rule.name for rule in found) if found else "NOT EXPLAINED"
        print(f"{outcome.collection}, {outcome.door}, game {row + 1}, {column}{at}: {reasons}")
        print(f"    pgna         {shortened(ours, at)}\n    python-chess {shortened(theirs, at)}")

    def classes(self) -> collections.Counter[str]:
        """The number of games of each class of difference."""
        counts: collections.Counter[str] = collections.Counter()
        for _, found in self.explanations.values():
            counts[" + ".join(rule.name for rule in found) if found else "NOT EXPLAINED"] += 1
        return counts


def differing(given: pa.Table, expected: pa.Table, column: str) -> list[int]:
    """The rows (from 0) in which a column differs."""
    ours, theirs = given.column(column), expected.column(column)
    if ours.equals(theirs):
        return []
    return list(_differing(ours, theirs))


def _differing(ours: pa.ChunkedArray, theirs: pa.ChunkedArray) -> Iterator[int]:
    for start in range(0, len(theirs), _ROWS_AT_A_TIME):
        pair = [values.slice(start, _ROWS_AT_A_TIME) for values in (ours, theirs)]
        if pair[0].equals(pair[1]):
            continue
        rows = zip(*(values.to_pylist() for values in pair))
        yield from (row for row, (our, their) in enumerate(rows, start) if our != their)


def first_difference(ours: Any, theirs: Any) -> str:
    """The index of the first difference of two lists."""
    if not isinstance(ours, list) or not isinstance(theirs, list):
        return ""
    pairs = enumerate(zip(ours, theirs))
    at = next((at for at, (our, their) in pairs if our != their), min(len(ours), len(theirs)))
    return f"[{at}]"


def shortened(value: Any, at: str) -> str:
    if at and isinstance(value, list):
        value = value[int(at[1:-1]) :]
    text = repr(value)
    return text if len(text) <= 200 else text[:200] + "…"


def schema_differences(found: pa.Schema, format: str) -> list[str]:
    """Where types are not those that are documented."""
    expected = {column.name: column for column in SCHEMA}
    if format == "parquet":
        # Parquet has no times in seconds.
        expected["UTCTime"] = expected["UTCTime"].with_type(pa.time32("ms"))
    return [
        f"type of {column.name}: {column.type}, nullable: {column.nullable}"
        for column in found
        if column.name not in expected
        or column.type != expected[column.name].type
        or column.nullable != expected[column.name].nullable
    ]


def sources_of(collection: Collection, pgna: Program) -> Iterator[tuple[tables.Door, Any]]:
    """What each format's tools read: files, and streams if the package is installed."""
    exported: dict[str, Path] = {}
    for door in tables.FILES:
        if door.format not in exported:
            path = collection.archive.with_suffix(f".{door.format}")
            options = ["--to", door.format, "--columns", "all", "-o", path, "-f"]
            pgna.run("export", "-q", collection.archive, *options)
            exported[door.format] = path
        yield door, exported[door.format]
    if importlib.util.find_spec("pgna"):
        import pgna as package

        archive = package.open(str(collection.archive))
        for door in tables.STREAMS:
            yield door, archive.scan(columns=SCHEMA.names)


def compare_collection(
    path: Path, options: argparse.Namespace, pgna: Program
) -> tuple[list[Outcome], collections.Counter[str]]:
    work = options.work
    collection = open_collection(path, work, pgna, options.megabytes, ["--codec", options.codec])
    expected = reference.table(collection.files, work / "cache", options.processes)
    comparison = Comparison(collection, expected, options.all)
    outcomes = []
    for door, source in sources_of(collection, pgna):
        outcomes.append(comparison.compare(door, source))
        print(outcomes[-1].row(), *outcomes[-1].missing, *outcomes[-1].types, flush=True)
    return outcomes, comparison.classes()


HEAD = """
| collection | format, tool | games | columns | differences | games that differ | not explained |
|---|---|---|---|---|---|---|"""


def report(outcomes: list[Outcome], classes: dict[str, collections.Counter[str]]) -> None:
    print(HEAD)
    for outcome in outcomes:
        print(outcome.row(), *outcome.missing, *outcome.types)
    print("\n| collection | class of difference | games |\n|---|---|---|")
    for collection, counts in classes.items():
        for name, games in counts.most_common():
            print(f"| {collection} | {name} | {games} |")
    names = {part for counts in classes.values() for name in counts for part in name.split(" + ")}
    print()
    for rule in rules.RULES:
        if rule.name in names:
            print(f"- {rule.name}: {rule.reason}.")


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("inputs", nargs="+", type=Path, help="PGN, folders of PGN, archives")
    parser.add_argument("--pgna", default="target/release/pgna", help="the program")
    parser.add_argument("--work", type=Path, default=Path("target/readers"))
    parser.add_argument("--codec", default="radix", help="codec of `pgna pack`")
    parser.add_argument("--megabytes", type=float, help="only so many of each file")
    parser.add_argument("--processes", type=int, default=os.cpu_count())
    parser.add_argument("--all", action="store_true", help="show explained differences too")
    return parser.parse_args()


def main() -> int:
    options = arguments()
    pgna = Program(options.pgna)
    outcomes: list[Outcome] = []
    classes: dict[str, collections.Counter[str]] = {}
    for path in options.inputs:
        found, counts = compare_collection(path, options, pgna)
        outcomes += found
        classes[found[0].collection] = counts
    report(outcomes, classes)
    return int(any(outcome.faults or outcome.missing or outcome.types for outcome in outcomes))


if __name__ == "__main__":
    sys.exit(main())
