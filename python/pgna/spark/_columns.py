"""The columns of a frame: those of a scan, with types that Spark has, and two of the source itself."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pyarrow as pa
from pyspark.sql.pandas.types import from_arrow_type, to_arrow_schema
from pyspark.sql.types import IntegralType, StructField, StructType

from .._filters import Kind

#: Where a game is: the archive, and its number there.
METADATA = "_metadata"
#: Games that are lost: their numbers, and why. Null in the rows of games.
DAMAGE = "_damage"

OWN = {
    METADATA: pa.struct([("file_path", pa.string()), ("number", pa.int64())]),
    DAMAGE: pa.struct(
        [("first", pa.int64()), ("last", pa.int64()), ("message", pa.string())]
    ),
}


def spark_type(found: pa.DataType) -> pa.DataType:
    """The type in which Spark can take the values of this one. A time is text, "23:59:59": Spark has
    a type for it, but refuses it unless a session is set up for it.
    """
    others = {
        pa.uint8(): pa.int16(),
        pa.uint16(): pa.int32(),
        pa.uint32(): pa.int64(),
        pa.time32("s"): pa.string(),
    }
    if pa.types.is_list(found):
        return pa.list_(spark_type(found.value_type))
    if pa.types.is_struct(found):
        return pa.struct([(it.name, spark_type(it.type)) for it in found])
    return others.get(found, found)


def spark_schema(schema: pa.Schema) -> StructType:
    """The schema of a frame with these columns of a scan."""
    return StructType(
        [StructField(it.name, from_arrow_type(spark_type(it.type))) for it in schema]
    )


def arrow_schema(schema: StructType) -> pa.Schema:
    """The schema that Spark expects of batches."""
    return to_arrow_schema(schema, timezone="UTC")


def check_schema(wanted: StructType, found: StructType) -> None:
    """Refuses a schema whose types the columns do not have. Integers may be wider."""
    for field, own in zip(wanted, found, strict=True):
        if is_same_or_wider(field.dataType, own.dataType):
            continue
        have, want = own.dataType.simpleString(), field.dataType.simpleString()
        raise ValueError(f"column {field.name}: is {have}, and the schema says {want}")


def is_same_or_wider(wanted: Any, found: Any) -> bool:
    if isinstance(wanted, IntegralType) and isinstance(found, IntegralType):
        widths = ["tinyint", "smallint", "int", "bigint"]
        return widths.index(wanted.simpleString()) >= widths.index(found.simpleString())
    return str(wanted.simpleString()) == str(found.simpleString())


def kind_of(found: pa.DataType) -> Kind:
    """What the values of a column of this type are, for filters."""
    kinds: dict[pa.DataType, Kind] = {
        pa.binary(): Kind.BINARY,
        pa.date32(): Kind.DATE,
        pa.int16(): Kind.INTEGER,
        pa.string(): Kind.TEXT,
    }
    return kinds.get(found, Kind.OTHER)


def scanned(names: Sequence[str]) -> list[str]:
    """The columns of a scan that these columns are made of."""
    needed = [name for name in names if name not in OWN]
    if METADATA in names and "number" not in needed:
        needed.append("number")
    return needed
