"""Writes the column `pgn` of a frame as an archive."""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import pyarrow as pa
from pyspark import TaskContext
from pyspark.sql.datasource import DataSourceArrowWriter, WriterCommitMessage
from pyspark.sql.types import StructType

from ._options import WriteOptions
from ._parts import Part, check_target, merge_parts, pack_part
from ._store import Store

#: The column that is written.
COLUMN = "pgn"


@dataclass
class PartMessage(WriterCommitMessage):
    """What a task has written: a part, unless it had no game."""

    partition: int
    part: Part | None


class PgnaWriter(DataSourceArrowWriter):
    """Writes games. Tasks have a copy of it."""

    def __init__(self, options: WriteOptions, schema: StructType, force: bool) -> None:
        check_column(schema)
        check_target(options.path, force, options.storage_options)
        self.options = options
        self.force = force
        self.key = f"write-{uuid.uuid4().hex}"
        folder = options.staging or f"{options.path}.parts"
        self.store = Store(folder, options.storage_options)

    def write(self, iterator: Iterator[pa.RecordBatch]) -> PartMessage:
        context = TaskContext.get()
        partition = 0 if context is None else context.partitionId()
        text = GameText(iterator)
        if text.is_empty():
            return PartMessage(partition, None)
        sources = [(f"part-{partition:05}.pgn", text)]
        part = pack_part(
            self.key, sources, self.options.pack, self.store, self.options.verify
        )
        return PartMessage(partition, part)

    def commit(self, messages: Sequence[WriterCommitMessage | None]) -> None:
        done = [it for it in messages if isinstance(it, PartMessage)]
        done.sort(key=lambda message: message.partition)
        parts = [message.part for message in done if message.part is not None]
        if not parts:
            raise ValueError(f"{self.options.path}: the frame has no games")
        merge_parts(parts, self.store, self.options.path, self.force)
        self.remove()

    def abort(self, messages: Sequence[WriterCommitMessage | None]) -> None:
        self.remove()

    def remove(self) -> None:
        """Removes what all attempts have left."""
        names = self.store.names()
        self.store.remove([name for name in names if name.startswith(self.key)])


def check_column(schema: StructType) -> None:
    types = {field.name: field.dataType for field in schema}
    if list(types) != [COLUMN]:
        names = ", ".join(types)
        raise ValueError(f"the column pgn alone is written; the frame has {names}")
    found = types[COLUMN].simpleString()
    if found not in ("binary", "string"):
        raise ValueError(f"column pgn: is {found}, not text")


class GameText:
    """A file of the games of batches, with an empty line after each."""

    def __init__(self, batches: Iterator[pa.RecordBatch]) -> None:
        self.texts = texts_of(batches)
        self.buffer = b""

    def is_empty(self) -> bool:
        self.fill(1)
        return not self.buffer

    def fill(self, size: int) -> None:
        """Takes games until there are so many bytes."""
        texts = [self.buffer]
        have = len(self.buffer)
        while have < size and (text := next(self.texts, None)) is not None:
            texts.append(text)
            have += len(text)
        self.buffer = b"".join(texts)

    def read(self, size: int = -1, /) -> bytes:
        self.fill(size)
        found, self.buffer = self.buffer[:size], self.buffer[size:]
        return found


def texts_of(batches: Iterator[pa.RecordBatch]) -> Iterator[bytes]:
    row = 0
    for batch in batches:
        for value in batch.column(0).to_pylist():
            row += 1
            if value is None:
                raise ValueError(f"row {row} of the partition: pgn is null")
            text = value.encode() if isinstance(value, str) else bytes(value)
            yield text.strip(b"\r\n") + b"\n\n"
