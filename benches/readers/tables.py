"""The columns of an archive, read from each export by each tool, as Arrow tables of one schema."""

import csv
import datetime
import json
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb
import pandas
import polars
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.ipc
import pyarrow.parquet

import reference
from schema import SCHEMA


@dataclass(frozen=True)
class Door:
    """A format, and a tool that reads it."""

    format: str
    tool: str
    read: Callable[[Any], pa.Table]
    # In CSV a null is an empty text.
    has_nulls: bool = True
    # In CSV and JSON the text of a game is text.
    has_bytes: bool = True


def _parquet_by_pyarrow(path: Path) -> pa.Table:
    return pa.parquet.read_table(path)


def _parquet_by_polars(path: Path) -> pa.Table:
    return polars.read_parquet(path).to_arrow()


def _parquet_by_duckdb(path: Path) -> pa.Table:
    return _of_duckdb(duckdb.read_parquet(str(path)))


def _parquet_by_pandas(path: Path) -> pa.Table:
    return pa.Table.from_pandas(pandas.read_parquet(path, dtype_backend="pyarrow"))


def _arrow_by_pyarrow(path: Path) -> pa.Table:
    with pa.memory_map(str(path)) as file:
        return _ipc_reader(file).read_all()


def _ipc_reader(file: pa.MemoryMappedFile) -> Any:
    """A reader of an IPC file or of an IPC stream."""
    is_file = file.read(6) == b"ARROW1"
    file.seek(0)
    return _AsTable(pa.ipc.open_file(file)) if is_file else pa.ipc.open_stream(file)


class _AsTable:
    """Gives the batches of an IPC file the interface of a stream."""

    def __init__(self, reader: pa.ipc.RecordBatchFileReader) -> None:
        self.read_all = reader.read_all


def _arrow_by_polars(path: Path) -> pa.Table:
    with path.open("rb") as file:
        is_file = file.read(6) == b"ARROW1"
    read = polars.read_ipc if is_file else polars.read_ipc_stream
    return read(path).to_arrow()


def _csv_by_python(path: Path) -> pa.Table:
    csv.field_size_limit(sys.maxsize)
    with path.open(newline="", encoding="utf-8") as file:
        reader = csv.reader(file)
        names = next(reader)
        rows = (zip(names, cells, strict=True) for cells in reader)
        return _table({name: cell or None for name, cell in row} for row in rows)


def _ndjson_by_python(path: Path) -> pa.Table:
    with path.open(encoding="utf-8", newline="\n") as file:
        return _table(map(json.loads, file))


def _stream_by_pyarrow(stream: Any) -> pa.Table:
    return pa.table(stream)


def _stream_by_polars(stream: Any) -> pa.Table:
    return polars.DataFrame(stream).to_arrow()


def _stream_by_duckdb(stream: Any) -> pa.Table:
    return _of_duckdb(duckdb.sql("select * from stream"))


def _stream_by_pandas(stream: Any) -> pa.Table:
    return pa.Table.from_pandas(pandas.DataFrame.from_arrow(stream))


FILES = [
    Door("parquet", "pyarrow", _parquet_by_pyarrow),
    Door("parquet", "polars", _parquet_by_polars),
    Door("parquet", "duckdb", _parquet_by_duckdb),
    Door("parquet", "pandas", _parquet_by_pandas),
    Door("arrow", "pyarrow", _arrow_by_pyarrow),
    Door("arrow", "polars", _arrow_by_polars),
    Door("csv", "python", _csv_by_python, has_nulls=False, has_bytes=False),
    Door("ndjson", "python", _ndjson_by_python, has_bytes=False),
]

STREAMS = [
    Door("stream", "pyarrow", _stream_by_pyarrow),
    Door("stream", "polars", _stream_by_polars),
    Door("stream", "duckdb", _stream_by_duckdb),
    Door("stream", "pandas", _stream_by_pandas),
]


def _of_duckdb(relation: duckdb.DuckDBPyRelation) -> pa.Table:
    return relation.to_arrow_table()


def in_schema(table: pa.Table) -> pa.Table:
    """The columns in the types of the schema, whatever types a tool has made of them."""
    return pa.table(
        {field.name: _cast(table.column(field.name), field.type) for field in SCHEMA},
        schema=SCHEMA,
    )


def _cast(column: pa.ChunkedArray, data_type: pa.DataType) -> pa.ChunkedArray:
    try:
        return column.cast(data_type)
    except pa.ArrowNotImplementedError:
        return pa.chunked_array([pa.array(column.to_pylist(), data_type)])


def in_format(table: pa.Table, door: Door) -> pa.Table:
    """A table as far as a format can represent it."""
    columns = {name: _in_format(table.column(name), door) for name in table.column_names}
    return pa.table(columns, schema=table.schema)


def _in_format(column: pa.ChunkedArray, door: Door) -> pa.ChunkedArray:
    if pa.types.is_string(column.type) and not door.has_nulls:
        return pc.if_else(pc.equal(column, ""), pa.scalar(None, column.type), column)
    if pa.types.is_binary(column.type) and not door.has_bytes:
        texts = (reference.readable(value).encode() for value in column.to_pylist())
        return pa.chunked_array([pa.array(texts, column.type)])
    return column


_ROWS_OF_BATCH = 1000


def _table(rows: Iterator[dict[str, Any]]) -> pa.Table:
    """The rows of a text format as a table."""
    batches = list(_batches(rows))
    return pa.Table.from_batches(batches, SCHEMA)


def _batches(rows: Iterator[dict[str, Any]]) -> Iterator[pa.RecordBatch]:
    part = []
    for row in rows:
        part.append({field.name: _value(row.get(field.name), field.type) for field in SCHEMA})
        if len(part) == _ROWS_OF_BATCH:
            yield pa.RecordBatch.from_pylist(part, SCHEMA)
            part = []
    yield pa.RecordBatch.from_pylist(part, SCHEMA)


def _value(value: Any, data_type: pa.DataType) -> Any:
    """A value of JSON, or a cell of CSV, as one of a type."""
    if value is None or pa.types.is_string(data_type):
        return value
    if pa.types.is_binary(data_type):
        return value.encode()
    if pa.types.is_date(data_type):
        return datetime.date.fromisoformat(value)
    if pa.types.is_time(data_type):
        return datetime.time.fromisoformat(value)
    return json.loads(value) if isinstance(value, str) else value
