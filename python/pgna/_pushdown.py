"""What of a Polars predicate pgna can test: filters that pass every row that the predicate passes.

The filter may pass more rows, since Polars applies the predicate again. It must not pass fewer, so
each rule below is restricted to where the meanings of both are known to agree:

- Filters compare with a number where the constant looks like one, and with a date where the name of
  the tag ends in `Date`; a quoted constant is equal to exactly its text.
- Filters contain text without regard to case and accents, so they pass more.
- The name of a tag is quoted, since that of a field would mean its values.
- Filters use a tag whose name differs in case if a segment has none of the exact name. So they can
  pass more games where a value is wanted, and `is_null` is never translated.
- Integers and dates of columns are null where the value is none; filters then fail, or pass more.
"""

from __future__ import annotations

import json
import warnings
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import date
from io import BytesIO
from typing import Any

import polars as pl

#: The signs of a filter for operators of Polars, and those with the sides exchanged.
SIGNS = {"Eq": "=", "NotEq": "!=", "Lt": "<", "LtEq": "<=", "Gt": ">", "GtEq": ">="}
TURNED = {"=": "=", "!=": "!=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}

#: The signs of the bounds of `is_between`.
BOUNDS = {
    "Both": (">=", "<="),
    "Left": (">=", "<"),
    "Right": (">", "<="),
    "None": (">", "<"),
}

#: More alternatives than this are not worth a filter.
MAX_ALTERNATIVES = 1000

#: A part of a predicate, as Polars serializes it.
Node = Any


class Unknown(Exception):
    """A part of a predicate that has no translation."""


@dataclass(frozen=True)
class Narrowing:
    """Conditions that all wanted games fulfil: a filter, and a range of numbers."""

    filter: str | None = None
    first: int = 1
    last: int | None = None

    def filter_with(self, where: str | None) -> str | None:
        """The filter, and another one."""
        parts = [part for part in (where, self.filter) if part is not None]
        return " and ".join(f"({part})" for part in parts) or None

    def games_within(self, games: range | None, count: int) -> range | None:
        """The numbers of the wanted games that are in a range too, of so many games."""
        if self.first <= 1 and self.last is None:
            return games
        within = range(1, count + 1) if games is None else games
        last = count if self.last is None else self.last
        return range(max(within.start, self.first), min(within.stop, last + 1))


def narrowing(predicate: pl.Expr, schema: pl.Schema) -> Narrowing:
    """What pgna can test of a predicate on columns of a scan."""
    try:
        return narrowing_of(json.loads(serialized(predicate)), schema)
    except Exception:  # noqa: BLE001
        # As of one that calls a Python function, or is nested too deep. It is applied all the same.
        return Narrowing()


def narrowing_of(node: Node, schema: pl.Schema) -> Narrowing:
    """What pgna can test of a serialized predicate."""
    translator = Translator(schema)
    first, last = 1, None
    filters = []
    for part in parts_of(node, "And"):
        with suppress(Unknown):
            low, high = numbers(part)
            first = max(first, low)
            last = high if last is None else min(last, last if high is None else high)
            continue
        with suppress(Unknown):
            filters.append(translator.filter(part))
    return Narrowing(" and ".join(filters) or None, first, last)


def serialized(predicate: pl.Expr) -> str:
    """The form of a predicate. It may change between versions of Polars; what is not recognized is
    not translated.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return predicate.meta.serialize(format="json")


def value_of(node: Node) -> Any:
    """The value of a constant."""
    if not (isinstance(node, dict) and "Literal" in node):
        raise Unknown
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        text = json.dumps(node).encode()
        literal = pl.Expr.deserialize(BytesIO(text), format="json")
    values = pl.select(literal).to_series().to_list()
    if len(values) != 1:  # One for each row.
        raise Unknown
    return values[0]


def parts_of(node: Node, op: str) -> list[Node]:
    """The parts that an operator joins."""
    parts, left = [], [node]
    while left:
        match left.pop():
            case {"BinaryExpr": {"left": first, "op": found, "right": second}} if (
                found == op
            ):
                left += [second, first]
            case part:
                parts.append(part)
    return parts


def comparison(node: Node) -> tuple[str, str, Any]:
    """The column, the sign and the constant of a comparison."""
    match node:
        case {"BinaryExpr": {"left": {"Column": name}, "op": op, "right": constant}}:
            if op in SIGNS:
                return name, SIGNS[op], value_of(constant)
        case {"BinaryExpr": {"left": constant, "op": op, "right": {"Column": name}}}:
            if op in SIGNS:
                return name, TURNED[SIGNS[op]], value_of(constant)
    raise Unknown


def function(node: Node, kind: str) -> tuple[str, list[Node], Any]:
    """The column, the other arguments and the name of a function of this kind."""
    match node:
        case {
            "Function": {"input": [{"Column": column}, *rest], "function": {**named}}
        }:
            if list(named) == [kind]:
                return column, rest, named[kind]
    raise Unknown


def bounds(node: Node) -> list[tuple[str, str, Any]]:
    """The comparisons that `is_between` means."""
    match function(node, "Boolean"):
        case (name, [low, high], {"IsBetween": {"closed": closed}}):
            if closed in BOUNDS:
                below, above = BOUNDS[closed]
                return [(name, below, value_of(low)), (name, above, value_of(high))]
    raise Unknown


def numbers(node: Node) -> tuple[int, int | None]:
    """The first and the last number of a game that a part admits."""
    try:
        parts = bounds(node)
    except Unknown:
        parts = [comparison(node)]
    first, last = 1, None
    for name, sign, value in parts:
        if name != "number" or type(value) is not int or sign == "!=":
            raise Unknown
        if sign in (">", ">=", "="):
            first = max(first, value + (sign == ">"))
        if sign in ("<", "<=", "="):
            last = value - (sign == "<")
    return first, last


@dataclass(frozen=True)
class Translator:
    """Translates parts of predicates on columns with these types."""

    schema: pl.Schema

    def filter(self, node: Node) -> str:
        """The filter for a part, in parentheses if it needs them."""
        rules: list[Callable[[Node], str]] = [
            self.both,
            self.either,
            self.compared,
            self.between,
            self.among,
            self.present,
            self.contained,
        ]
        for rule in rules:
            with suppress(Unknown):
                return rule(node)
        raise Unknown

    def both(self, node: Node) -> str:
        """Some parts suffice, since the others are tested later."""
        parts = parts_of(node, "And")
        filters = []
        for part in parts if len(parts) > 1 else []:
            with suppress(Unknown):
                filters.append(self.filter(part))
        if not filters:
            raise Unknown
        return f"({' and '.join(filters)})"

    def either(self, node: Node) -> str:
        parts = parts_of(node, "Or")
        if len(parts) == 1:
            raise Unknown
        return f"({' or '.join(map(self.filter, parts))})"

    def compared(self, node: Node) -> str:
        return self.test(*comparison(node))

    def between(self, node: Node) -> str:
        return f"({' and '.join(self.test(*bound) for bound in bounds(node))})"

    def among(self, node: Node) -> str:
        match function(node, "Boolean"):
            case (name, [constants], {"IsIn": {"nulls_equal": False}}):
                values = value_of(constants)
                if isinstance(values, list) and 0 < len(values) <= MAX_ALTERNATIVES:
                    # A null in the list is equal to nothing.
                    wanted = [value for value in values if value is not None]
                    tests = [self.test(name, "=", value) for value in wanted]
                    if tests:
                        return f"({' or '.join(tests)})"
        raise Unknown

    def present(self, node: Node) -> str:
        match function(node, "Boolean"):
            case (name, [], "IsNotNull"):
                return f"{self.tag(name)}?"
        raise Unknown

    def contained(self, node: Node) -> str:
        """Text that the value of a tag begins with, ends with or contains. Filters ignore case."""
        match function(node, "StringExpr"):
            case (name, [constant], "StartsWith" | "EndsWith"):
                text = value_of(constant)
            case (name, [constant], {"Contains": {"literal": literal}}):
                text = value_of(constant)
                # A pattern without signs is the text itself.
                if not literal and not (isinstance(text, str) and is_plain(text)):
                    raise Unknown
            case _:
                raise Unknown
        tag = self.tag(name)
        if not (isinstance(text, str) and text.isascii()):
            raise Unknown
        return f"{tag} ~ {quoted(text)}"

    def test(self, name: str, sign: str, value: Any) -> str:
        """A comparison of a column with a constant."""
        column_type = self.schema.get(name)
        if name == "ply_count" and type(value) is int and value >= 0:
            return number_test("plies", sign, value)
        if column_type == pl.Date and type(value) is date:
            day = f"{value.year:04}.{value.month:02}.{value.day:02}"
            return f"{self.tag(name)} {sign} {day}"
        if column_type == pl.Int16 and type(value) is int:
            return number_test(self.tag(name), sign, value)
        if column_type == pl.String and type(value) is str:
            return self.text_test(name, sign, value)
        raise Unknown

    def text_test(self, name: str, sign: str, value: str) -> str:
        tag = self.tag(name)
        is_exact = sign in ("=", "!=")
        is_text = not tag.lower().endswith(NOT_TEXT)
        if not (is_exact or (is_text and not looks_like_number(value))):
            raise Unknown
        return f"{tag} {sign} {quoted(value)}"

    def tag(self, name: str) -> str:
        """The tag of a column."""
        column_type = self.schema.get(name)
        if not name[:1].isupper() or column_type == pl.Binary:
            raise Unknown
        typed = name.removesuffix("_text")
        is_text_of_typed = typed != name and typed in TYPED_TAGS
        tag = typed if is_text_of_typed else name
        is_name = tag.isascii() and tag.replace("_", "").isalnum()
        if not is_name:
            raise Unknown
        return f'"{tag}"'


#: How the quoted names of tags end that filters compare as dates or numbers.
NOT_TEXT = ('date"', 'elo"', 'ratingdiff"', 'plycount"')

#: The tags whose columns are not text.
TYPED_TAGS = {
    "BlackElo",
    "BlackRatingDiff",
    "Date",
    "UTCDate",
    "UTCTime",
    "WhiteElo",
    "WhiteRatingDiff",
}


def number_test(name: str, sign: str, value: int) -> str:
    """A comparison of numbers. Equality of a filter is also one of texts, so two orders are used."""
    if sign == "=":
        return f"({name} >= {value} and {name} <= {value})"
    if sign == "!=":
        return f"not ({name} >= {value} and {name} <= {value})"
    return f"{name} {sign} {value}"


def quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def is_plain(pattern: str) -> bool:
    """Whether a regular expression is the text that it matches."""
    return all(sign.isalnum() or sign in " ,_'/:;" for sign in pattern)


def looks_like_number(text: str) -> bool:
    """Whether filters may read a text as a number."""
    return all(sign in "+-.0123456789 \t" for sign in text.strip())
