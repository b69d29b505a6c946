"""Archives by their URLs, which fsspec opens."""

from __future__ import annotations

import errno
import io
import pickle
import re
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

import pgna
from pgna import _urls


class Served(ThreadingHTTPServer):
    """A web server with one file, which answers requests for ranges of bytes and logs them."""

    def __init__(self, content: bytes) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.content = content
        self.ranges: list[tuple[int, int]] = []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/games.pgna"


class Handler(BaseHTTPRequestHandler):
    server: Served

    def do_HEAD(self) -> None:
        self.send_response(200)
        self.send_header("Accept-Ranges", "bytes")
        self.send_header("Content-Length", str(len(self.server.content)))
        self.end_headers()

    def do_GET(self) -> None:
        content = self.server.content
        found = re.fullmatch(r"bytes=(\d+)-(\d+)", self.headers.get("Range", ""))
        assert found is not None, "only ranges are requested"
        first, last = int(found[1]), min(int(found[2]), len(content) - 1)
        self.server.ranges.append((first, last + 1))
        self.send_response(206)
        self.send_header("Content-Range", f"bytes {first}-{last}/{len(content)}")
        self.send_header("Content-Length", str(last + 1 - first))
        self.end_headers()
        self.wfile.write(content[first : last + 1])

    def log_message(self, format: str, *args: Any) -> None:
        pass


@pytest.fixture
def served(samples: Path) -> Iterator[Served]:
    server = Served(samples.read_bytes())
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server
    server.shutdown()
    server.server_close()


@pytest.fixture
def in_memory(samples: Path) -> Iterator[str]:
    fsspec = pytest.importorskip("fsspec")
    filesystem = fsspec.filesystem("memory")
    filesystem.pipe("/games.pgna", samples.read_bytes())
    yield "memory://games.pgna"
    filesystem.rm("/games.pgna")


def test_a_url_gives_the_same_as_the_file(samples: Path, in_memory: str) -> None:
    with pgna.open(samples) as of_file, pgna.open(in_memory) as archive:
        assert [game.pgn_bytes for game in archive] == [
            game.pgn_bytes for game in of_file
        ]
        assert archive.path == in_memory
        assert in_memory in repr(archive)


def test_all_functions_take_urls(in_memory: str, tmp_path: Path) -> None:
    pgna.unpack(in_memory, tmp_path / "unpacked")
    assert any((tmp_path / "unpacked").iterdir())
    pgna.merge([in_memory], tmp_path / "merged.pgna")
    assert len(pgna.open(tmp_path / "merged.pgna")) == len(pgna.open(in_memory))


def test_an_archive_is_pickled_as_its_url(in_memory: str) -> None:
    archive = pgna.open(in_memory, encoding="iso-8859-2", storage_options={})
    assert len(pickle.loads(pickle.dumps(archive))) == len(archive)


def test_the_file_is_closed_with_the_last_game(
    samples: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = io.BytesIO(samples.read_bytes())
    monkeypatch.setattr(_urls, "open_url", lambda url, options: file)
    with pgna.open("memory://games.pgna") as archive:
        game = archive[100]
    assert not file.closed and game.pgn
    del game, archive
    assert file.closed


def test_options_are_those_of_fsspec(samples: Path, tmp_path: Path) -> None:
    pytest.importorskip("fsspec")
    url = f"simplecache::{samples.as_uri()}"
    options = {"simplecache": {"cache_storage": str(tmp_path)}}
    assert len(pgna.open(url, storage_options=options)) == len(pgna.open(samples))
    assert any(tmp_path.iterdir())
    with pytest.raises(ValueError, match="storage_options are for URLs"):
        pgna.open(samples, storage_options={})


def test_few_and_short_ranges_are_requested(served: Served, samples: Path) -> None:
    pytest.importorskip("fsspec")
    pytest.importorskip("aiohttp")
    with pgna.open(served.url) as archive:
        opened = len(served.ranges)
        middle = len(archive) // 2
        with pgna.open(samples) as of_file:
            assert archive[middle].pgn == of_file[middle].pgn
        read = sum(end - start for start, end in served.ranges)
        print(f"{opened} requests to open, {len(served.ranges)} with a game, {read} bytes")
        assert opened <= 4 and len(served.ranges) <= opened + 3
        [game.pgn for game in archive]
        # Blocks are fetched once.
        assert sum(end - start for start, end in served.ranges) <= len(served.content)


def test_a_missing_file_is_an_error(served: Served) -> None:
    pytest.importorskip("fsspec")
    with pytest.raises(FileNotFoundError):
        pgna.open("memory://missing.pgna")


def test_passwords_are_not_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_urls, "open_url", lambda url, options: io.BytesIO(b"text" * 99))
    with pytest.raises(pgna.SignatureError) as raised:
        pgna.open("https://ann:secret@example.org/games.pgna")
    assert "example.org" in str(raised.value) and "secret" not in str(raised.value)


@pytest.mark.parametrize(
    ("url", "packages"), [("s3://b/a", "s3fs"), ("https://b/a", "aiohttp")]
)
def test_what_is_not_installed_is_named(
    url: str, packages: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "fsspec.core", None)
    with pytest.raises(ImportError, match=f"pip install fsspec {packages}"):
        pgna.open(url)


def test_a_backend_that_is_not_installed_is_named() -> None:
    fsspec = pytest.importorskip("fsspec")
    try:
        fsspec.get_filesystem_class("abfs")
    except ImportError:
        with pytest.raises(ImportError, match="pip install fsspec adlfs"):
            pgna.open("abfs://container/games.pgna")


class Unreadable(io.BytesIO):
    """A file on a medium that cannot read some bytes."""

    bad = range(0)

    def read(self, size: int | None = -1, /) -> bytes:
        at = self.tell()
        content = super().read(size)
        if at < self.bad.stop and at + len(content) > self.bad.start:
            raise OSError(errno.EIO, "Input/output error")
        return content


@pytest.mark.skipif(sys.platform == "win32", reason="EIO has another number there")
def test_bytes_that_a_medium_cannot_read_are_damaged(samples: Path) -> None:
    content = samples.read_bytes()
    file = Unreadable(content)
    # The footer repeats what the header states.
    file.bad = range(16)
    archive = pgna.open(file)
    assert len(archive) == len(pgna.open(samples))
    assert archive.warnings
    # A game has none.
    whole = Unreadable(content)
    archive = pgna.open(whole)
    whole.bad = range(len(content))
    with pytest.raises(OSError) as raised:
        archive[len(archive) // 2].pgn
    assert raised.value.errno == errno.EIO
