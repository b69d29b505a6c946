"""Collections to compare: files of PGN, folders and archives, decompressed into a work folder."""

import os
import shutil
import subprocess
import tarfile
from dataclasses import dataclass
from pathlib import Path

import zstandard

import lexemes

_WINDOW = 2**31


@dataclass
class Collection:
    """Some files of one archive, each with its name there."""

    name: str
    archive: Path
    files: list[tuple[str, bytes]]

    @property
    def raw_bytes(self) -> int:
        return sum(len(text) for _, text in self.files)


@dataclass
class Program:
    """The program pgna."""

    path: str

    def run(self, *arguments: str | Path) -> None:
        subprocess.run([self.path, *map(str, arguments)], check=True)


def open_collection(
    path: Path, work: Path, pgna: Program, megabytes: float | None, codec: list[str]
) -> Collection:
    """Prepares a collection in a work folder: an archive, and the texts that are in it."""
    folder = work / path.name
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    if path.suffix == ".pgna":
        pgna.run("unpack", path, "-o", folder / "files")
        return Collection(path.stem, path, _texts(folder / "files"))
    files = folder / "files"
    files.mkdir()
    _copy(path, files, megabytes)
    archive = folder / "all.pgna"
    pgna.run("pack", "-q", *sorted(files.iterdir(), key=os.fsencode), "-o", archive, *codec)
    return Collection(path.name.split(".")[0], archive, _texts(files))


def _texts(folder: Path) -> list[tuple[str, bytes]]:
    """The files of a folder in the byte order of their names, as in an archive."""
    paths = [path for path in folder.rglob("*") if path.is_file()]
    paths.sort(key=os.fsencode)
    return [(str(path.relative_to(folder)), path.read_bytes()) for path in paths]


def _copy(path: Path, folder: Path, megabytes: float | None) -> None:
    """Copies a file, decompressed, or the PGN files of a folder."""
    if path.is_dir():
        for file in sorted(path.glob("*.pgn")):
            _copy(file, folder, megabytes)
    elif path.name.endswith(".tar.zst"):
        with _zstd(path) as stream, tarfile.open(fileobj=stream, mode="r|") as tar:
            tar.extractall(folder, filter="data")
        _remove_compressed(folder)
    elif path.suffix == ".zst":
        with _zstd(path) as stream:
            text = stream.read()
        (folder / path.stem).write_bytes(_beginning(text, megabytes))
    else:
        (folder / path.name).write_bytes(_beginning(path.read_bytes(), megabytes))


def _remove_compressed(folder: Path) -> None:
    """pgna would decompress them, and pack them under other names."""
    for path in folder.rglob("*"):
        if path.suffix in (".zst", ".gz", ".bz2", ".xz"):
            path.unlink()


def _zstd(path: Path) -> zstandard.ZstdDecompressionReader:
    return zstandard.ZstdDecompressor(max_window_size=_WINDOW).stream_reader(path.open("rb"))


def _beginning(text: bytes, megabytes: float | None) -> bytes:
    """The whole games of the first megabytes."""
    if megabytes is None or len(text) <= megabytes * 1e6:
        return text
    games = lexemes.games(text[: int(megabytes * 1e6)])
    return text[: max((game.start for game in games), default=0)]
