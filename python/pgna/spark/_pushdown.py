"""What a scan does of the filters of a query.

A filter that pgna can test narrows the scan, so that games which fail it are not decoded. That may
pass some games too many, so the rows that were read are tested with exactly the meaning of Spark
before they leave for it. What cannot be tested this way is handed back to Spark.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from datetime import date
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
from pyspark.sql import datasource as ds

from .._filters import Narrowing, Tests, Unknown, numbers
from ._columns import kind_of

#: The signs of comparisons, and the functions of Arrow that test them.
SIGNS: dict[type[ds.Filter], str] = {
    ds.EqualTo: "=",
    ds.GreaterThan: ">",
    ds.GreaterThanOrEqual: ">=",
    ds.LessThan: "<",
    ds.LessThanOrEqual: "<=",
}
FUNCTIONS = {
    "=": "equal",
    "!=": "not_equal",
    ">": "greater",
    ">=": "greater_equal",
    "<": "less",
    "<=": "less_equal",
}
TEXTS = {
    ds.StringStartsWith: "starts_with",
    ds.StringEndsWith: "ends_with",
    ds.StringContains: "match_substring",
}


@dataclass(frozen=True)
class RowTest:
    """A function of Arrow on a column, and its argument; it is null where Spark's filter is."""

    column: str
    function: str
    value: Any = None

    def mask(self, batch: pa.RecordBatch) -> Any:
        column = batch.column(self.column)
        arguments, options = [column], None
        if self.function == "is_in":
            options = pc.SetLookupOptions(pa.array(self.value, column.type))
        elif self.function in TEXTS.values():
            options = pc.MatchSubstringOptions(self.value)
        elif self.function != "is_valid":
            arguments.append(pa.scalar(self.value, column.type))
        return pc.call_function(self.function, arguments, options)


@dataclass(frozen=True)
class Pushed:
    """What a scan does of a filter: the games that it leaves out, and the test of each row."""

    narrowing: Narrowing
    test: RowTest


def pushed(found: ds.Filter, schema: pa.Schema) -> Pushed:
    """What a scan with this schema does of a filter of Spark."""
    tests = Tests({it.name: kind_of(it.type) for it in schema})
    name = name_of(found)
    if name not in schema.names:  # As the column of the source itself.
        raise Unknown
    column_type = schema.field(name).type
    match found:
        case ds.IsNotNull():
            narrowing = Narrowing()
            with suppress(Unknown):
                narrowing = Narrowing(tests.present(name))
            return Pushed(narrowing, RowTest(name, "is_valid"))
        case ds.In(value=values):
            wanted = [value for value in values if value is not None]
            check_values(wanted, column_type)
            return Pushed(
                Narrowing(tests.among(name, wanted)), RowTest(name, "is_in", wanted)
            )
        case ds.StringStartsWith() | ds.StringEndsWith() | ds.StringContains():
            test = RowTest(name, TEXTS[type(found)], found.value)
            return Pushed(Narrowing(tests.contained(name, found.value)), test)
    sign, value = comparison(found)
    check_values([value], column_type)
    return Pushed(
        compared(tests, name, sign, value), RowTest(name, FUNCTIONS[sign], value)
    )


def name_of(found: ds.Filter) -> str:
    """The column of a filter."""
    if isinstance(found, ds.Not):
        found = found.child
    path: tuple[str, ...] = getattr(found, "attribute", ())
    if len(path) != 1:  # A field of a structure.
        raise Unknown
    return path[0]


def comparison(found: ds.Filter) -> tuple[str, Any]:
    """The sign and the constant of a comparison."""
    match found:
        case ds.Not(child=ds.EqualTo(value=value)):
            return "!=", value
        # Equal to a value that is not null, as rows of a result must be, means the same.
        case ds.EqualNullSafe(value=value) if value is not None:
            return "=", value
        case ds.EqualTo(value=value) | ds.GreaterThan(value=value):
            return SIGNS[type(found)], value
        case ds.GreaterThanOrEqual(value=value) | ds.LessThan(value=value):
            return SIGNS[type(found)], value
        case ds.LessThanOrEqual(value=value):
            return SIGNS[type(found)], value
    raise Unknown


def compared(tests: Tests, name: str, sign: str, value: Any) -> Narrowing:
    with suppress(Unknown):
        return numbers([(name, sign, value)])
    return Narrowing(tests.compared(name, sign, value))


def check_values(values: list[Any], column_type: pa.DataType) -> None:
    """Refuses constants that are not of the type of the column."""
    for value in values:
        if type(value) not in (int, str, date):
            raise Unknown
        try:
            pa.scalar(value, column_type)
        except (pa.ArrowException, OverflowError, TypeError, ValueError) as error:
            raise Unknown from error


def keep_rows(batch: pa.RecordBatch, tests: list[RowTest]) -> pa.RecordBatch:
    """The rows that pass all tests."""
    for test in tests:
        batch = batch.filter(test.mask(batch))
    return batch
