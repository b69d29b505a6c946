"""Folders that the driver and the tasks share, or URLs of such."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from ._paths import StorageOptions, filesystem, is_url, local


class Store:
    """A folder. In a local one, and in a store of objects, a file appears whole or not at all."""

    def __init__(self, folder: str, options: StorageOptions) -> None:
        self.options = options
        self.is_remote = is_url(local(folder))
        # A task has another current folder.
        self.folder = (
            folder.rstrip("/") if self.is_remote else os.path.abspath(local(folder))
        )

    def path(self, name: str) -> str:
        return f"{self.folder}/{name}"

    def names(self) -> list[str]:
        """The names of its files, sorted."""
        if not self.is_remote:
            found = os.listdir(self.folder) if os.path.isdir(self.folder) else []
            return sorted(found)
        files, path = self.filesystem()
        files.invalidate_cache()
        if not files.exists(path):
            return []
        return sorted(it.rsplit("/", 1)[-1] for it in files.ls(path, detail=False))

    @contextmanager
    def work_folder(self, name: str) -> Iterator[Path]:
        """A local folder for the work on a file. In a shared folder it is beside the file, so that the
        file is moved there and not copied; what a task that was killed has left is removed with the
        parts.
        """
        if self.is_remote:
            with TemporaryDirectory(prefix="pgna-") as temporary:
                yield Path(temporary)
            return
        folder = Path(self.folder, f"{name}.work")
        folder.mkdir(parents=True)
        try:
            yield folder
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    def take(self, path: Path, name: str) -> None:
        """Moves a local file that is complete into the folder."""
        if self.is_remote:
            files, folder = self.filesystem()
            files.makedirs(folder, exist_ok=True)
            files.put_file(str(path), f"{folder}/{name}")
        else:
            os.replace(path, self.path(name))

    def write(self, name: str, text: str) -> None:
        """Writes a small file."""
        with self.work_folder(name) as folder:
            path = folder / name
            path.write_text(text, encoding="utf-8")
            self.take(path, name)

    def read(self, name: str) -> str:
        """The text of a small file."""
        if not self.is_remote:
            return Path(self.path(name)).read_text(encoding="utf-8")
        files, folder = self.filesystem()
        content: bytes = files.cat_file(f"{folder}/{name}")
        return content.decode()

    def remove(self, names: list[str]) -> None:
        """Removes files, and the folder if nothing else is in it."""
        for name in names:
            if self.is_remote:
                files, folder = self.filesystem()
                files.rm(f"{folder}/{name}")
            elif os.path.isdir(self.path(name)):
                shutil.rmtree(self.path(name), ignore_errors=True)
            else:
                Path(self.path(name)).unlink(missing_ok=True)
        if not self.is_remote and os.path.isdir(self.folder) and not self.names():
            os.rmdir(self.folder)

    def storage_options(self) -> dict[str, Any]:
        """The argument of `pgna.open` for its files."""
        return {"storage_options": self.options} if self.is_remote else {}

    def filesystem(self) -> tuple[Any, str]:
        return filesystem(self.folder, self.options)
