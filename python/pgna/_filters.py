"""Filters that pass every row for which a predicate of another library is true.

The filter may pass more rows, since the predicate is applied again. It must not pass fewer, so each
rule below is restricted to where the meanings of both are known to agree:

- Filters compare with a number where the constant looks like one, and with a date where the name of
  the tag ends in `Date`; a quoted constant is equal to exactly its text.
- Filters contain text without regard to case and accents, so they pass more.
- The name of a tag is quoted, since that of a field would mean its values.
- Filters use a tag whose name differs in case if a segment has none of the exact name. So they can
  pass more games where a value is wanted, and `is null` is never translated.
- Integers and dates of columns are null where the value is none; filters then fail, or pass more.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from enum import Enum
from typing import Any


class Kind(Enum):
    """What the values of a column are, as far as rules depend on it."""

    BINARY = "binary"
    DATE = "date"
    INTEGER = "integer"
    TEXT = "text"
    OTHER = "other"


#: More alternatives than this are not worth a filter.
MAX_ALTERNATIVES = 1000


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

    def both(self, other: Narrowing) -> Narrowing:
        """The conditions of both."""
        filters = [part for part in (self.filter, other.filter) if part is not None]
        lasts = [last for last in (self.last, other.last) if last is not None]
        return Narrowing(
            " and ".join(filters) or None,
            max(self.first, other.first),
            min(lasts, default=None),
        )


def numbers(comparisons: Sequence[tuple[str, str, Any]]) -> Narrowing:
    """The numbers of games that pass all comparisons (column, sign, constant) with `number`."""
    first, last = 1, None
    for name, sign, value in comparisons:
        if name != "number" or type(value) is not int or sign == "!=":
            raise Unknown
        if sign in (">", ">=", "="):
            first = max(first, value + (sign == ">"))
        if sign in ("<", "<=", "="):
            bound = value - (sign == "<")
            last = bound if last is None else min(last, bound)
    return Narrowing(None, first, last)


@dataclass(frozen=True)
class Tests:
    """Filters that test columns of these kinds, in parentheses where they need them."""

    kinds: Mapping[str, Kind]

    def compared(self, name: str, sign: str, value: Any) -> str:
        """A comparison of a column with a constant."""
        kind = self.kinds.get(name)
        if name == "ply_count" and type(value) is int and value >= 0:
            return number_test("plies", sign, value)
        if kind is Kind.DATE and type(value) is date:
            day = f"{value.year:04}.{value.month:02}.{value.day:02}"
            return f"{self.tag(name)} {sign} {day}"
        if kind is Kind.INTEGER and type(value) is int:
            return number_test(self.tag(name), sign, value)
        if kind is Kind.TEXT and type(value) is str:
            return self.text_compared(name, sign, value)
        raise Unknown

    def text_compared(self, name: str, sign: str, value: str) -> str:
        tag = self.tag(name)
        is_exact = sign in ("=", "!=")
        is_text = not tag.lower().endswith(NOT_TEXT)
        if not (is_exact or (is_text and not looks_like_number(value))):
            raise Unknown
        return f"{tag} {sign} {quoted(value)}"

    def among(self, name: str, values: Sequence[Any]) -> str:
        """A column that is equal to one of the values. A null among them is equal to nothing."""
        wanted = [value for value in values if value is not None]
        if not wanted or len(values) > MAX_ALTERNATIVES:
            raise Unknown
        return f"({' or '.join(self.compared(name, '=', value) for value in wanted)})"

    def present(self, name: str) -> str:
        """A column that is not null."""
        return f"{self.tag(name)}?"

    def contained(self, name: str, text: Any) -> str:
        """Text that the value of a tag begins with, ends with or contains."""
        tag = self.tag(name)
        if not (isinstance(text, str) and text.isascii()):
            raise Unknown
        return f"{tag} ~ {quoted(text)}"

    def tag(self, name: str) -> str:
        """The tag of a column."""
        if not name[:1].isupper() or self.kinds.get(name) is Kind.BINARY:
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


def looks_like_number(text: str) -> bool:
    """Whether filters may read a text as a number."""
    return all(sign in "+-.0123456789 \t" for sign in text.strip())
