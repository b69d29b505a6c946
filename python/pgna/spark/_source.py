"""The data source `pgna`: archives as a frame."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace

import pyarrow as pa
from pyspark.sql.datasource import (
    DataSource,
    DataSourceReader,
    DataSourceWriter,
    Filter,
    InputPartition,
)
from pyspark.sql.types import StructType

from .._filters import Narrowing, Unknown
from .._pgna import Archive
from .._pgna import open as _open
from ._columns import OWN, arrow_schema, check_schema, scanned, spark_schema
from ._options import ReadOptions, read_options, write_options
from ._partitions import partitions_of
from ._paths import find_files
from ._pushdown import RowTest, pushed
from ._read import read_games
from ._threads import limit_threads
from ._write import PgnaWriter

#: Archives that are opened at once to plan a query.
OPENED_AT_ONCE = 16


class PgnaDataSource(DataSource):
    """Archives as a frame: see ``pgna.spark.register``."""

    @classmethod
    def name(cls) -> str:
        return "pgna"

    def schema(self) -> StructType:
        limit_threads()
        options = read_options(self.options)
        return spark_schema(columns_of(options, options.columns))

    def reader(self, schema: StructType) -> DataSourceReader:
        limit_threads()
        options = read_options(self.options)
        names = tuple(schema.fieldNames())
        if options.columns is not None and names != options.columns:
            raise ValueError("option columns: the schema names the columns too")
        columns = columns_of(options, names)
        check_schema(schema, spark_schema(columns))
        return PgnaReader(options, columns, arrow_schema(schema))

    def writer(self, schema: StructType, overwrite: bool) -> DataSourceWriter:
        return PgnaWriter(write_options(self.options), schema, overwrite)


def columns_of(options: ReadOptions, names: tuple[str, ...] | None) -> pa.Schema:
    """The columns with these names, with the types of a scan. Wrong names and conditions are errors
    here, and not only in a task.
    """
    path = find_files(options.paths[:1], (".pgna",), options.storage_options)[0].path
    archive = open_archive(path, options)
    asked = None if names is None else scanned(names)
    scan = archive.scan(asked, **options.conditions)
    found = pa.schema(scan)
    fields = [
        pa.field(name, OWN[name]) if name in OWN else found.field(name)
        for name in (found.names if names is None else names)
    ]
    return pa.schema(fields)


def open_archive(path: str, options: ReadOptions) -> Archive:
    """The archive at a path or URL."""
    return _open(
        path,
        encoding=options.encoding,
        storage_options=options.storage_options if "://" in path else None,
    )


@dataclass
class GamesPartition(InputPartition):
    """Games of an archive, for one task."""

    path: str
    first: int
    last: int


class PgnaReader(DataSourceReader):
    """Reads games. Tasks have a copy of it."""

    def __init__(
        self, options: ReadOptions, columns: pa.Schema, schema: pa.Schema
    ) -> None:
        self.options = options
        self.columns = columns
        self.schema = schema
        self.narrowing = Narrowing()
        self.tests: list[RowTest] = []

    def pushFilters(self, filters: list[Filter]) -> Iterator[Filter]:
        own = [name for name in self.columns.names if name in OWN]
        of_games = pa.schema([it for it in self.columns if it.name not in own])
        for found in filters:
            try:
                taken = pushed(found, of_games)
            except Unknown:
                yield found
                continue
            self.narrowing = self.narrowing.both(taken.narrowing)
            self.tests.append(taken.test)

    def partitions(self) -> list[InputPartition]:
        limit_threads()
        options = self.options
        files = find_files(options.paths, (".pgna",), options.storage_options)
        # Each is opened, which takes some requests if it is at a URL.
        with ThreadPoolExecutor(OPENED_AT_ONCE) as pool:
            found = list(pool.map(self.partitions_of, (file.path for file in files)))
        partitions = [partition for of_file in found for partition in of_file]
        # Spark would make a partition of its own of none.
        return partitions or [GamesPartition(files[0].path, 1, 0)]

    def partitions_of(self, path: str) -> list[InputPartition]:
        """The partitions of an archive that have a wanted game."""
        with open_archive(path, self.options) as archive:
            wanted = self.narrowing.games_within(None, len(archive))
            return [
                GamesPartition(path, games.start, games.stop - 1)
                for games in partitions_of(archive, self.options.partition_games)
                if wanted is None or overlap(games, wanted)
            ]

    def read(self, partition: InputPartition) -> Iterator[pa.RecordBatch]:
        limit_threads()
        assert isinstance(partition, GamesPartition)
        archive = open_archive(partition.path, self.options)
        games = range(partition.first, partition.last + 1)
        within = self.narrowing.games_within(games, len(archive))
        where = self.narrowing.filter_with(self.options.conditions.get("where"))
        conditions = {**self.options.conditions, "where": where}
        options = replace(self.options, conditions=conditions)
        return read_games(archive, partition.path, within, self, options)


def overlap(one: range, other: range) -> bool:
    return max(one.start, other.start) < min(one.stop, other.stop)
