"""What of a Polars predicate pgna can test: filters that pass every row that the predicate passes.

Polars applies the predicate again. The rules of the filters are in `_filters`.
"""

from __future__ import annotations

import json
import warnings
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from io import BytesIO
from typing import Any

import polars as pl

from ._filters import Kind, Narrowing, Tests, Unknown, numbers

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

#: A part of a predicate, as Polars serializes it.
Node = Any


def narrowing(predicate: pl.Expr, schema: pl.Schema) -> Narrowing:
    """What pgna can test of a predicate on columns of a scan."""
    try:
        return narrowing_of(json.loads(serialized(predicate)), schema)
    except Exception:  # noqa: BLE001
        # As of one that calls a Python function, or is nested too deep. It is applied all the same.
        return Narrowing()


def narrowing_of(node: Node, schema: pl.Schema) -> Narrowing:
    """What pgna can test of a serialized predicate."""
    kinds: dict[str, Kind] = {name: kind_of(found) for name, found in schema.items()}
    translator = Translator(Tests(kinds))
    found = Narrowing()
    for part in parts_of(node, "And"):
        with suppress(Unknown):
            found = found.both(numbers(comparisons(part)))
            continue
        with suppress(Unknown):
            found = found.both(Narrowing(translator.filter(part)))
    return found


def kind_of(column_type: pl.DataType) -> Kind:
    """What the values of a column of this type are."""
    kinds: dict[Any, Kind] = {
        pl.Binary: Kind.BINARY,
        pl.Date: Kind.DATE,
        pl.Int16: Kind.INTEGER,
        pl.String: Kind.TEXT,
    }
    return kinds.get(column_type.base_type(), Kind.OTHER)


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


def comparisons(node: Node) -> list[tuple[str, str, Any]]:
    """The comparisons that a part means."""
    try:
        return bounds(node)
    except Unknown:
        return [comparison(node)]


@dataclass(frozen=True)
class Translator:
    """Translates parts of predicates."""

    tests: Tests

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
        return self.tests.compared(*comparison(node))

    def between(self, node: Node) -> str:
        return (
            f"({' and '.join(self.tests.compared(*bound) for bound in bounds(node))})"
        )

    def among(self, node: Node) -> str:
        match function(node, "Boolean"):
            case (name, [constants], {"IsIn": {"nulls_equal": False}}):
                values = value_of(constants)
                if isinstance(values, list):
                    return self.tests.among(name, values)
        raise Unknown

    def present(self, node: Node) -> str:
        match function(node, "Boolean"):
            case (name, [], "IsNotNull"):
                return self.tests.present(name)
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
        return self.tests.contained(name, text)


def is_plain(pattern: str) -> bool:
    """Whether a regular expression is the text that it matches."""
    return all(sign.isalnum() or sign in " ,_'/:;" for sign in pattern)
