"""Packing on a cluster."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from os import PathLike
from pathlib import PurePosixPath
from typing import Any, Literal, NamedTuple

import pyarrow as pa
from pyspark.sql import SparkSession

from ._parts import MESSAGE, Part, check_target, merge_parts, part_from, together
from ._paths import FoundFile, find_files
from ._store import Store
from ._tasks import PackTask, divided, run

#: How the names of files end that are packed from folders.
SUFFIXES = tuple(
    f".pgn{compressed}" for compressed in ("", ".zst", ".gz", ".bz2", ".xz")
)

#: The bytes of files, compressed as they are, that a task packs.
TASK_BYTES = 256 << 20


class ClusterReport(NamedTuple):
    """What was packed: ``parts`` archives were merged, of which an earlier run had left ``resumed``."""

    games: int
    sources: int
    raw_bytes: int
    parts: int
    resumed: int


def pack(
    spark: SparkSession,
    files: str | PathLike[str] | Iterable[str | PathLike[str]],
    out: str | PathLike[str],
    *,
    level: Literal["fast", "default", "max"] = "default",
    codec: str | None = None,
    index: Literal["none", "openings", "full"] = "openings",
    task_bytes: int = TASK_BYTES,
    staging: str | PathLike[str] | None = None,
    verify: bool = True,
    force: bool = False,
    storage_options: Mapping[str, Any] | None = None,
) -> ClusterReport:
    """Packs files into an archive, in tasks of a cluster.

    ``files`` are paths, globs, folders or URLs; folders and globs are sorted by name, all else stays
    in the order given. ``level``, ``codec`` and ``index`` are those of ``pgna.pack``. Files that
    follow each other go into one task, up to ``task_bytes`` of them; a file is never divided.

    Each task leaves an archive in ``staging``, a folder or URL that the driver and the executors
    share, by default ``out`` with ``.parts`` at the end; with ``verify`` it has decoded it again and
    compared the digest of each file. The driver merges these archives in the order of the files,
    compares the digests of what it has written with those of the tasks, and removes them. So ``out``
    is the same whatever tasks fail or run twice. After a kill, the same call goes on with the
    archives in ``staging`` whose files have not changed.
    """
    paths = [files] if isinstance(files, str | PathLike) else files
    found = find_files([os.fspath(path) for path in paths], SUFFIXES, storage_options)
    check_names(found)
    target = os.fspath(out)
    check_target(target, force, storage_options)
    options = {"level": level, "codec": codec, "index": index}
    tasks = divided(found, task_bytes, options)
    folder = f"{target}.parts" if staging is None else os.fspath(staging)
    store = Store(folder, storage_options)
    parts = left_parts(tasks, store)
    resumed = len(parts)
    missing = [number for number in range(len(tasks)) if number not in parts]
    parts |= run_tasks(spark, tasks, missing, store, verify)
    ordered = [parts[number] for number in range(len(tasks))]
    merge_parts(ordered, store, target, force)
    keys = tuple(task.key for task in tasks)
    store.remove([name for name in store.names() if name.startswith(keys)])
    return report_of(ordered, resumed)


def check_names(files: Sequence[FoundFile]) -> None:
    """Refuses files of the same name, of which an archive could unpack only one."""
    seen: dict[str, str] = {}
    for file in files:
        name = PurePosixPath(file.path.replace(os.sep, "/")).name.lower()
        for compressed in SUFFIXES[1:]:
            if name.endswith(compressed):
                name = name.removesuffix(compressed) + SUFFIXES[0]
        if name in seen:
            raise ValueError(f"{file.path}: has the same name as {seen[name]}")
        seen[name] = file.path


def left_parts(tasks: Sequence[PackTask], store: Store) -> dict[int, Part]:
    """The parts that an earlier run has left, by the number of the task."""
    names = store.names()
    left = {}
    for number, task in enumerate(tasks):
        own = [name for name in names if name.startswith(task.key)]
        whole = [name for name in own if f"{name}{MESSAGE}" in own]
        if whole:
            left[number] = part_from(store.read(f"{whole[0]}{MESSAGE}"))
    return left


def run_tasks(
    spark: SparkSession,
    tasks: Sequence[PackTask],
    numbers: Sequence[int],
    store: Store,
    verify: bool,
) -> dict[int, Part]:
    """Runs tasks, each in one of Spark, and returns what the attempts say that Spark has chosen."""
    if not numbers:
        return {}
    chosen = {number: tasks[number] for number in numbers}

    def work(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            for at in batch.column(0).to_pylist():
                number = numbers[at]
                message = json.dumps(run(chosen[number], store, verify))
                yield pa.record_batch({"number": [number], "part": [message]})

    ids = spark.range(0, len(numbers), 1, len(numbers))
    rows = ids.mapInArrow(work, "number bigint, part string").collect()
    return {row["number"]: part_from(row["part"]) for row in rows}


def report_of(parts: Sequence[Part], resumed: int) -> ClusterReport:
    sources = together(parts).sources
    return ClusterReport(
        games=sum(source.games for source in sources),
        sources=len(sources),
        raw_bytes=sum(source.bytes for source in sources),
        parts=len(parts),
        resumed=resumed,
    )
