"""The division of the packing of files into tasks, and what a task does."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any, BinaryIO, cast

from ._parts import Part, pack_part
from ._paths import FoundFile, filesystem, is_url
from ._store import Store


@dataclass(frozen=True)
class PackTask:
    """Files that one task packs, in order. The key says what comes out: files, their state, options;
    a part of an earlier run with the same key is the same.
    """

    files: tuple[FoundFile, ...]
    options: Mapping[str, Any]
    key: str


def divided(
    files: Sequence[FoundFile], most: int, options: Mapping[str, Any]
) -> list[PackTask]:
    """Tasks of files that follow each other, of at most so many bytes unless a file has more."""
    groups: list[list[FoundFile]] = []
    size = 0
    for file in files:
        if not groups or size + file.bytes > most:
            groups.append([])
            size = 0
        groups[-1].append(file)
        size += file.bytes
    return [PackTask(tuple(it), options, key_of(it, options)) for it in groups]


def key_of(files: Sequence[FoundFile], options: Mapping[str, Any]) -> str:
    from .. import __version__

    text = json.dumps([__version__, dict(options), files], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:24]


def run(task: PackTask, store: Store, verify: bool) -> Part:
    """Packs the files of a task."""
    with ExitStack() as stack:
        sources = [opened(file, store, stack) for file in task.files]
        return pack_part(task.key, sources, task.options, store, verify)


def opened(
    file: FoundFile, store: Store, stack: ExitStack
) -> str | tuple[str, BinaryIO]:
    """A source of `pgna.pack`: a path, or the stream of a URL, which is decompressed by its name."""
    if not is_url(file.path):
        return file.path
    files, path = filesystem(file.path, store.options)
    stream = stack.enter_context(files.open(path, "rb"))
    return path.rsplit("/", 1)[-1], cast(BinaryIO, stream)
