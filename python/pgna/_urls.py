"""Opens files at URLs, with fsspec."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, BinaryIO

#: The bytes that are requested at a time, and the blocks of them that are cached: 64 MiB. An archive
#: is read at many places, so that longer requests would bring bytes that nobody reads.
BLOCK_SIZE = 64 << 10
MAX_BLOCKS = 1024

#: The packages of fsspec for schemes.
PACKAGES = {
    "abfs": "adlfs",
    "abfss": "adlfs",
    "az": "adlfs",
    "gcs": "gcsfs",
    "gs": "gcsfs",
    "http": "aiohttp",
    "https": "aiohttp",
    "s3": "s3fs",
    "s3a": "s3fs",
}


def open_url(url: str, storage_options: Mapping[str, Any] | None) -> BinaryIO:
    """The file at a URL, which can be read at any place."""
    scheme = url.split("://")[0].rpartition("::")[2]
    install = " ".join(["pip install fsspec", PACKAGES.get(scheme, "")]).rstrip()
    try:
        from fsspec.core import url_to_fs
    except ImportError as error:
        raise ImportError(f"{scheme}:// URLs need fsspec: {install}") from error
    try:
        filesystem, path = url_to_fs(url, **(storage_options or {}))
    except ImportError as error:
        raise ImportError(f"{scheme}:// URLs: {error}: {install}") from error
    return filesystem.open(
        path,
        "rb",
        block_size=BLOCK_SIZE,
        cache_type="blockcache",
        cache_options={"maxblocks": MAX_BLOCKS},
    )
