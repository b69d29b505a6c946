"""The rows of a partition."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pyarrow as pa

from .._errors import DamagedError
from .._pgna import Archive
from ._columns import DAMAGE, METADATA, OWN, scanned
from ._options import ReadOptions
from ._pushdown import RowTest, keep_rows

if TYPE_CHECKING:
    from ._source import PgnaReader

#: Rows that are sent to Spark together. A block has a few hundred.
BATCH_ROWS = 4096

log = logging.getLogger("pgna.spark")


def read_games(
    archive: Archive,
    path: str,
    games: range | None,
    reader: PgnaReader,
    options: ReadOptions,
) -> Iterator[pa.RecordBatch]:
    """The rows of games, and of losses, in batches with the schema that Spark expects."""
    losses: list[DamagedError] = []
    scan = archive.scan(
        scanned(reader.columns.names),
        **options.conditions,
        games=games,
        on_damage=losses.append if options.skips_damage else refuse,
    )
    rows = Rows(path, reader.columns, reader.schema, reader.tests)
    for batches in together(map(pa.record_batch, scan)):
        yield from rows.of_games(batches)
    for loss in losses:
        log.warning("%s", described(loss))
    yield from rows.of_losses(losses, games)


def refuse(loss: DamagedError) -> None:
    raise DamagedError(described(loss)) from loss


def described(loss: DamagedError) -> str:
    """A message with the games, which the exception has, but not the report of it that Spark shows."""
    if not loss.games:
        return str(loss)
    return f"{loss}; games {loss.games.start} to {loss.games.stop - 1}"


def damage_of(loss: DamagedError, games: range | None) -> dict[str, int | str | None]:
    """The value of the column for a loss. Of a segment that is lost, a partition reports its part."""
    message = described(loss)
    if loss.games is None:
        return {"first": None, "last": None, "message": message}
    within = loss.games if games is None else games
    first = max(loss.games.start, within.start)
    last = min(loss.games.stop, within.stop) - 1
    return {"first": first, "last": last, "message": message}


def together(batches: Iterator[pa.RecordBatch]) -> Iterator[list[pa.RecordBatch]]:
    """Batches in groups of at least so many rows."""
    group: list[pa.RecordBatch] = []
    rows = 0
    for batch in batches:
        group.append(batch)
        rows += batch.num_rows
        if rows >= BATCH_ROWS:
            yield group
            group, rows = [], 0
    if group:
        yield group


class Rows:
    """Makes rows for Spark."""

    def __init__(
        self, path: str, columns: pa.Schema, schema: pa.Schema, tests: list[RowTest]
    ) -> None:
        self.path = path
        self.columns = columns
        self.schema = schema
        self.tests = tests

    def of_games(self, batches: list[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """The games that pass all tests."""
        kept = [keep_rows(batch, self.tests) for batch in batches]
        table = pa.Table.from_batches(kept).combine_chunks()
        for batch in table.to_batches():
            arrays = [self.column(name, batch) for name in self.columns.names]
            yield self.converted(arrays)

    def column(self, name: str, batch: pa.RecordBatch) -> pa.Array:
        if name == METADATA:
            paths = pa.repeat(pa.scalar(self.path), batch.num_rows)
            numbers = batch.column("number")
            return pa.StructArray.from_arrays([paths, numbers], fields=list(OWN[name]))
        if name == DAMAGE:
            return pa.nulls(batch.num_rows, OWN[name])
        return batch.column(name)

    def of_losses(
        self, losses: list[DamagedError], games: range | None
    ) -> Iterator[pa.RecordBatch]:
        """A row for each loss, if the frame has a column for it. Its other columns are null, so that
        it passes no test.
        """
        if DAMAGE not in self.columns.names or self.tests or not losses:
            return
        damage = [damage_of(loss, games) for loss in losses]
        own = {
            DAMAGE: damage,
            METADATA: [{"file_path": self.path, "number": None}] * len(losses),
        }
        yield self.converted(
            [
                pa.array(own.get(it.name, [None] * len(losses)), it.type)
                for it in self.columns
            ]
        )

    def converted(self, arrays: list[pa.Array]) -> pa.RecordBatch:
        """A batch with the types that Spark expects."""
        cast = [
            array if array.type == field.type else array.cast(field.type)
            for array, field in zip(arrays, self.schema, strict=True)
        ]
        return pa.RecordBatch.from_arrays(cast, schema=self.schema)
