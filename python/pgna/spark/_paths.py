"""Files by their paths, globs, folders and URLs."""

from __future__ import annotations

import glob
import hashlib
import os
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

#: Options of fsspec.
StorageOptions = Mapping[str, Any] | None


class FoundFile(NamedTuple):
    """A file, and what changes when it is written again."""

    path: str
    bytes: int
    state: str


def is_url(path: str) -> bool:
    return "://" in path


def local(path: str) -> str:
    """A path without the scheme `file:`, which Spark gives to local ones."""
    if path.startswith("file:"):
        return "/" + path.removeprefix("file:").lstrip("/")
    return path


def filesystem(url: str, options: StorageOptions) -> tuple[Any, str]:
    """The filesystem of fsspec for a URL, and the path in it."""
    try:
        from fsspec.core import url_to_fs
    except ImportError as error:
        raise ImportError(f"{url}: URLs need fsspec: pip install fsspec") from error
    files, path = url_to_fs(url, **(options or {}))
    return files, path


def find_files(
    paths: Iterable[str], suffixes: tuple[str, ...], options: StorageOptions
) -> list[FoundFile]:
    """The files at paths, in their order. A folder has those of its files that end in a suffix; they
    and those of a glob are sorted by name.
    """
    found: list[FoundFile] = []
    for path in paths:
        if is_url(local(path)):
            files = find_remote(path, suffixes, options)
        else:
            files = find_local(local(path), suffixes)
        if not files:
            raise FileNotFoundError(f"{path}: no such file")
        found += files
    return found


def find_local(path: str, suffixes: tuple[str, ...]) -> list[FoundFile]:
    # A task has another current folder.
    path = os.path.abspath(path)
    if os.path.isdir(path):
        names = sorted(os.listdir(path))
        files = [os.path.join(path, name) for name in names if name.endswith(suffixes)]
    elif os.path.exists(path):
        files = [path]
    else:
        files = sorted(glob.glob(path, recursive=True))
    return [found_local(file) for file in files if os.path.isfile(file)]


def found_local(path: str) -> FoundFile:
    state = os.stat(path)
    return FoundFile(path, state.st_size, str(state.st_mtime_ns))


def find_remote(
    url: str, suffixes: tuple[str, ...], options: StorageOptions
) -> list[FoundFile]:
    files, path = filesystem(url, options)
    if glob.has_magic(path):
        found = sorted(files.glob(path))
    elif files.isdir(path):
        found = sorted(
            it for it in files.ls(path, detail=False) if it.endswith(suffixes)
        )
    else:
        # A web server has no list of its files, but it has the file.
        found = [path]
    infos = [(it, files.info(it)) for it in found]
    return [
        FoundFile(url if it == path else files.unstrip_protocol(it), *state_of(info))
        for it, info in infos
        if info.get("type") != "directory"
    ]


def state_of(info: Mapping[str, Any]) -> tuple[int, str]:
    """The size of a file, and what changes when it is written again, as its store has it."""
    names = ("ETag", "etag", "md5Hash", "mtime", "LastModified", "created")
    state = [str(info[name]) for name in names if info.get(name) is not None]
    digest = hashlib.sha256("\n".join(state).encode()).hexdigest()
    return int(info.get("size") or 0), digest
