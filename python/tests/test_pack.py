"""Packing, appending, merging and unpacking."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import os
import random
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import GAMES, SAMPLES

import pgna


def program(*args: str | Path) -> None:
    """Runs the program."""
    command = [sys.executable, "-m", "pgna", *map(str, args), "--quiet"]
    subprocess.run(command, check=True)


def names(archive: str | Path) -> list[str]:
    return [source.name for source in pgna.open(archive).sources]


@pytest.mark.parametrize(
    ("options", "arguments"),
    [
        ([], {}),
        (["--level", "fast", "--index", "full"], {"level": "fast", "index": "full"}),
        (["--codec", "radix", "--index", "none"], {"codec": "radix", "index": "none"}),
    ],
)
def test_the_archive_is_that_of_the_program(
    folder: Path, options: list[str], arguments: dict
) -> None:
    sources: list[str | Path] = ["some", "games.pgn", "games.pgn"]
    pgna.pack(sources, "a.pgna", **arguments)
    program("pack", *sources, "-o", "b.pgna", *options)
    assert Path("a.pgna").read_bytes() == Path("b.pgna").read_bytes()


def test_appends_are_those_of_the_program(folder: Path) -> None:
    for archive in ("a.pgna", "b.pgna"):
        pgna.pack("games.pgn", archive, index="full")
    report = pgna.append("a.pgna", ["games.pgn", "some"])
    program("append", "b.pgna", "games.pgn", "some")
    assert Path("a.pgna").read_bytes() == Path("b.pgna").read_bytes()
    assert report.games == len(pgna.open("a.pgna")) - 3
    assert names("a.pgna")[:2] == ["games.pgn", "games (2).pgn"]


def test_merges_are_those_of_the_program(folder: Path, samples: Path) -> None:
    pgna.merge(["games.pgna", pgna.open(samples)], "a.pgna")
    program("merge", "games.pgna", samples, "-o", "b.pgna")
    assert Path("a.pgna").read_bytes() == Path("b.pgna").read_bytes()


def test_compressed_sources_are_decompressed(folder: Path) -> None:
    for suffix, compressor in (("gz", gzip), ("bz2", bz2), ("xz", lzma)):
        Path(f"{suffix}.pgn.{suffix}").write_bytes(compressor.compress(GAMES))
    paths = ["gz.pgn.gz", "bz2.pgn.bz2", "xz.pgn.xz"]
    pgna.pack(paths, "a.pgna")
    program("pack", *paths, "-o", "b.pgna")
    assert Path("a.pgna").read_bytes() == Path("b.pgna").read_bytes()
    with open("gz.pgn.gz", "rb") as file:
        named = ("bz2.pgn.bz2", io.BytesIO(bz2.compress(GAMES)))
        pgna.pack([file, named, "xz.pgn.xz"], "c.pgna")
    assert Path("a.pgna").read_bytes() == Path("c.pgna").read_bytes()
    assert names("a.pgna") == ["gz.pgn", "bz2.pgn", "xz.pgn"]


def test_a_file_that_is_not_what_its_name_says(folder: Path) -> None:
    with pytest.raises(OSError):
        pgna.pack(("x.pgn.gz", io.BytesIO(b"not gzip")), "a.pgna")
    assert not Path("a.pgna").exists()


@pytest.mark.parametrize("seed", range(8))
def test_any_bytes_come_back(folder: Path, seed: int) -> None:
    draw = random.Random(seed)
    pieces = [
        GAMES,
        b"\xff\x00",
        b"1. e4 {",
        b"\r\n\r\n",
        b"[White ",
        b'"]',
        b" e5 *\n",
    ]
    texts = [b"".join(draw.choices(pieces, k=draw.randrange(30))) for _ in range(3)]
    files = [(f"{number}.pgn", io.BytesIO(text)) for number, text in enumerate(texts)]
    pgna.pack(files, "a.pgna", level="fast")
    pgna.unpack("a.pgna", "out")
    assert [Path(f"out/{number}.pgn").read_bytes() for number in range(3)] == texts
    archive = pgna.open("a.pgna")
    assert sum(source.games for source in archive.sources) == len(archive)


def test_samples_come_back(folder: Path, samples: Path) -> None:
    pgna.unpack(pgna.open(samples), "out")
    for path in SAMPLES.iterdir():
        assert (folder / "out" / "data" / path.name).read_bytes() == path.read_bytes()


def test_reports(folder: Path) -> None:
    text = (SAMPLES / "illegal-move.pgn").read_bytes()
    broken = ("broken.pgn", io.BytesIO(text))
    report = pgna.pack(["games.pgn", broken], "a.pgna")
    assert (report.games, report.sources) == (len(pgna.open("a.pgna")), 2)
    assert report.raw_bytes == len(GAMES) + len(text)
    assert report.verbatim["illegal"] > 0
    assert all(reason.replace("_", "").islower() for reason in report.verbatim)


def test_existing_files_are_not_replaced(folder: Path) -> None:
    before = Path("games.pgna").read_bytes()
    Path("out").mkdir()
    Path("out/games.pgn").write_bytes(b"mine")
    for write in (
        lambda force: pgna.pack(("x.pgn", io.BytesIO(b"*")), "games.pgna", force=force),
        lambda force: pgna.merge(["other.pgna"], "games.pgna", force=force),
        lambda force: pgna.unpack("games.pgna", "out", force=force),
    ):
        Path("games.pgna").write_bytes(before)
        pgna.pack("games.pgn", "other.pgna", force=True)
        with pytest.raises(FileExistsError, match="force=True"):
            write(False)
        assert Path("games.pgna").read_bytes() == before
        assert Path("out/games.pgn").read_bytes() == b"mine"
        write(True)
    assert Path("out/games.pgn").read_bytes() == GAMES


def test_wrong_arguments(folder: Path) -> None:
    for arguments in ({"level": "best"}, {"codec": "zip"}, {"index": "some"}):
        (name,) = arguments
        with pytest.raises(ValueError, match=f"{name}: "):
            pgna.pack("games.pgn", "a.pgna", **arguments)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="no levels"):
        pgna.pack("games.pgn", "a.pgna", codec="radix", level="fast")
    with pytest.raises(TypeError, match="without a name"):
        pgna.pack(io.BytesIO(b"*"), "a.pgna")
    with pytest.raises(ValueError, match="PGN archive already"):
        pgna.pack("games.pgna", "a.pgna")
    with pytest.raises(ValueError, match="is a source"):
        pgna.pack("games.pgn", "games.pgn", force=True)
    for source in (Path("games.pgn"), ("x.pgn", Path("games.pgn"))):
        file = source if isinstance(source, Path) else source[1]
        with file.open("rb") as opened, pytest.raises(ValueError, match="is a source"):
            packed = opened if file is source else (source[0], opened)
            pgna.pack(packed, "games.pgn", force=True)
    with Path("games.pgna").open("rb") as opened:
        with pytest.raises(ValueError, match="is a source"):
            pgna.append("games.pgna", ("x.pgn", opened))
    with pytest.raises(TypeError, match="not a file"):
        pgna.pack([("x.pgn", "games.pgn")], "a.pgna")  # type: ignore[list-item]
    for single in ("games.pgna", Path("games.pgna"), pgna.open("games.pgna")):
        with pytest.raises(TypeError, match="not a single one"):
            pgna.merge(single, "a.pgna")  # type: ignore[arg-type]
    with pytest.raises(ValueError) as codecs:
        pgna.pack("games.pgn", "a.pgna", codec="zip")
    names = str(codecs.value).partition(" one of ")[2].split(", ")
    assert len(names) == len(set(names)) > 1
    with pytest.raises(ValueError, match="one of the archives"):
        pgna.merge(["games.pgna"], "games.pgna", force=True)
    with pytest.raises(IsADirectoryError) as occupied:
        pgna.pack("games.pgn", folder, force=True)
    assert occupied.value.filename == str(folder)
    assert Path("games.pgn").read_bytes() == GAMES
    assert sorted(os.listdir()) == ["games.pgn", "games.pgna", "some"]


def test_missing_files(folder: Path) -> None:
    for call in (
        lambda: pgna.pack("missing.pgn", "a.pgna"),
        lambda: pgna.pack("games.pgn", "missing/a.pgna"),
        lambda: pgna.append("missing.pgna", "games.pgn"),
        lambda: pgna.append("games.pgna", ["games.pgn", "missing.pgn"]),
        lambda: pgna.merge(["missing.pgna"], "a.pgna"),
        lambda: pgna.unpack("missing.pgna", "out"),
    ):
        with pytest.raises(FileNotFoundError):
            call()
    assert sorted(os.listdir()) == ["games.pgn", "games.pgna", "some"]
    assert len(pgna.open("games.pgna")) == 3


class Failing(io.RawIOBase):
    """A file that fails in its middle."""

    def __init__(self) -> None:
        self.left = 3

    def read(self, size: int = -1, /) -> bytes:
        self.left -= 1
        if not self.left:
            raise ConnectionError("the line is dead")
        return b"1. e4 e5 *\n\n"


def test_nothing_is_left_of_a_source_that_fails(folder: Path) -> None:
    with pytest.raises(ConnectionError, match="the line is dead"):
        pgna.pack(("x.pgn", Failing()), "a.pgna")
    before = Path("games.pgna").read_bytes()
    with pytest.raises(ConnectionError, match="the line is dead"):
        pgna.append("games.pgna", ["games.pgn", ("x.pgn", Failing())])
    assert len(pgna.open("games.pgna")) == 3
    assert Path("games.pgna").read_bytes()[: len(before)] == before
    assert sorted(os.listdir()) == ["games.pgn", "games.pgna", "some"]


@pytest.mark.parametrize("name", ["../x.pgn", "/x.pgn", "a/../../x.pgn", "con", "a:b"])
def test_unsafe_names_are_made_safe(folder: Path, name: str) -> None:
    pgna.pack((name, io.BytesIO(b"*")), "a.pgna")
    pgna.unpack("a.pgna", "out/in")
    files = [path for path in Path("out").rglob("*") if path.is_file()]
    assert len(files) == 1 and files[0].is_relative_to("out/in")


@pytest.mark.skipif(os.name != "posix", reason="links need rights elsewhere")
def test_links_are_not_followed(folder: Path) -> None:
    Path("x").mkdir()
    Path("x/a.pgn").write_bytes(GAMES)
    pgna.pack("x", "x.pgna")
    Path("outside").mkdir()
    Path("out").mkdir()
    Path("out/x").symlink_to("../outside")
    with pytest.raises(OSError, match="link"):
        pgna.unpack("x.pgna", "out")
    assert list(Path("outside").iterdir()) == []


def test_folders_are_checked_before_anything_is_written(folder: Path) -> None:
    names = ["y.pgn", "x/a.pgn"]
    pgna.pack([(name, io.BytesIO(b"*")) for name in names], "a.pgna")
    Path("out").mkdir()
    Path("out/x").write_bytes(b"mine")
    for force in (False, True):
        with pytest.raises(OSError, match="not a folder"):
            pgna.unpack("a.pgna", "out", force=force)
    assert os.listdir("out") == ["x"] and Path("out/x").read_bytes() == b"mine"
