"""Archives that tasks make, and their merge."""

from __future__ import annotations

import json
import os
import uuid
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from typing import Any, NamedTuple

from .._errors import DamagedError
from .._pgna import Archive
from .._pgna import merge as _merge
from .._pgna import open as _open
from .._pgna import pack as _pack
from .._types import Source
from ._paths import StorageOptions, filesystem, is_url, local
from ._store import Store
from ._threads import limit_threads

#: How the name of the file ends that has the message of a part. It is written after the part, so that
#: a part that has one is complete.
MESSAGE = ".json"


class Part(NamedTuple):
    """An archive that a task has made: its name in the store, and the files in it."""

    name: str
    sources: tuple[Source, ...]
    digests: tuple[str, ...]


def part_of(name: str, archive: Archive) -> Part:
    return Part(name, archive.sources, archive.digests)


def part_from(message: str) -> Part:
    """The part that a message in JSON describes."""
    name, sources, digests = json.loads(message)
    return Part(name, tuple(Source(*source) for source in sources), tuple(digests))


def pack_part(
    key: str,
    sources: Sequence[Any],
    options: Mapping[str, Any],
    store: Store,
    verify: bool,
) -> Part:
    """Packs sources. The name of the archive is that of this attempt: another one of the same task,
    which Spark may have started too, writes another file.
    """
    limit_threads()
    name = f"{key}-{uuid.uuid4().hex}.pgna"
    with store.work_folder(name) as folder:
        path = folder / "part.pgna"
        _pack(sources, path, **options)
        with _open(path) as archive:
            if verify:
                archive.verify()
            part = part_of(name, archive)
        store.take(path, name)
    store.write(f"{name}{MESSAGE}", json.dumps(part))
    return part


def check_target(target: str, force: bool, options: StorageOptions) -> None:
    """Refuses a target before work is done that would be lost."""
    if is_url(local(target)):
        files, path = filesystem(target, options)
        exists = files.exists(path)
    else:
        exists = os.path.lexists(local(target))
    if exists and not force:
        raise FileExistsError(f"{target}: already exists")


def merge_parts(parts: Sequence[Part], store: Store, target: str, force: bool) -> None:
    """Merges parts, in their order, into the target. It appears when its digests are those that the
    tasks have reported.
    """
    folder, name = os.path.split(local(target))
    place = Store(folder, store.options)
    work_name = f"{name}.{uuid.uuid4().hex}"
    with place.work_folder(work_name) as work, ExitStack() as stack:
        opened = [
            stack.enter_context(_open(store.path(part.name), **store.storage_options()))
            for part in parts
        ]
        for part, archive in zip(parts, opened, strict=True):
            compare(part, part_of(part.name, archive), store.path(part.name))
        path = work / "merged.pgna"
        _merge(opened, path)
        with _open(path) as merged:
            compare(together(parts), part_of(name, merged), target)
        check_target(target, force, store.options)
        place.take(path, name)


def together(parts: Sequence[Part]) -> Part:
    """What an archive of all parts has."""
    sources = tuple(source for part in parts for source in part.sources)
    return Part("", sources, tuple(digest for part in parts for digest in part.digests))


def compare(expected: Part, found: Part, path: str) -> None:
    """Refuses an archive that does not have the files that the tasks have packed."""
    wanted = list(zip(expected.sources, expected.digests, strict=True))
    have = list(zip(found.sources, found.digests, strict=True))
    if wanted == have:
        return
    for at, (source, digest) in enumerate(wanted):
        if have[at : at + 1] != [(source, digest)]:
            raise DamagedError(f"{path}: {source.name} is not what was packed")
    raise DamagedError(f"{path}: has files that were not packed")
