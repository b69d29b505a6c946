"""Control-C, and other threads while work is done."""

from __future__ import annotations

import io
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from conftest import GAMES, SAMPLES

import pgna


@contextmanager
def interrupted(
    seconds: float = 0.3, *, starts: bool = True
) -> Iterator[threading.Timer]:
    """Sends Control-C a while after the timer starts, which must interrupt the body."""
    # Python ignores the signal if it was started in the background.
    handler = signal.signal(signal.SIGINT, signal.default_int_handler)
    timer = threading.Timer(seconds, os.kill, (os.getpid(), signal.SIGINT))
    if starts:
        timer.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            yield timer
    finally:
        timer.cancel()
        signal.signal(signal.SIGINT, handler)


class Endless(io.RawIOBase):
    """A file without an end, which fails before it fills the disk."""

    reads = 0

    def read(self, size: int = -1, /) -> bytes:
        self.reads += 1
        assert self.reads < 10_000
        return (GAMES * 3000)[:size]


def test_packing_is_interrupted_while_it_reads(folder: Path) -> None:
    with interrupted():
        pgna.pack(("endless.pgn", Endless()), "a.pgna")
    assert sorted(os.listdir()) == ["games.pgn", "games.pgna", "some"]


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Text that takes seconds to pack."""
    path = tmp_path_factory.mktemp("large") / "large.pgn"
    samples = sorted(SAMPLES.glob("*.pgn"))
    text = b"\n\n".join(path.read_bytes() for path in samples)
    path.write_bytes(text * (3_000_000 // len(text)))
    return path


def test_packing_is_interrupted_while_it_encodes(folder: Path, large: Path) -> None:
    with interrupted(0.5):
        pgna.pack(large, "a.pgna")
    assert sorted(os.listdir()) == ["games.pgn", "games.pgna", "some"]


def test_appending_is_interrupted(folder: Path) -> None:
    with interrupted():
        pgna.append("games.pgna", ("endless.pgn", Endless()))
    assert len(pgna.open("games.pgna")) == 3


class Slow(io.BytesIO):
    """A file that gives its bytes slowly."""

    reads = 0

    def read(self, size: int | None = -1, /) -> bytes:
        self.reads += 1
        time.sleep(0.001)
        return super().read(size)


@pytest.mark.parametrize(
    "work",
    [
        lambda archive: list(
            archive.find("plies = 123456", fen="8/8/8/8/8/4k3/8/4K3 w")
        ),
        lambda archive: list(archive.scan(["moves"])),
        lambda archive: list(archive.scan(["moves"], fen="8/8/8/8/8/4k3/8/4K3 w")),
        lambda archive: pgna.unpack(archive, "out"),
    ],
    ids=["find", "scan", "search of a scan", "unpack"],
)
def test_reading_is_interrupted(
    folder: Path, many: Path, work: Callable[[pgna.Archive], object]
) -> None:
    file = Slow(many.read_bytes())
    archive = pgna.open(file)
    file.reads = 0
    with interrupted():
        work(archive)
    # Whole, each takes thousands of reads.
    assert 0 < file.reads < 1000


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An archive of many segments, which are read one after the other."""
    folder = tmp_path_factory.mktemp("many")
    one = folder / "one.pgna"
    pgna.pack(SAMPLES / "variations.pgn", one, level="fast", index="none")
    path = folder / "many.pgna"
    pgna.merge([one] * 1000, path)
    return path


def test_merging_many_archives_is_interrupted(folder: Path) -> None:
    archive = pgna.open("games.pgna")

    def archives(timer: threading.Timer) -> Iterator[pgna.Archive]:
        yield from [archive] * 200_000
        timer.start()

    # What follows takes much longer.
    with interrupted(0.1, starts=False) as timer:
        pgna.merge(archives(timer), "a.pgna")
    assert sorted(os.listdir()) == ["games.pgn", "games.pgna", "some"]


def test_a_handler_cannot_ask_for_more(many: Path, deadline: None) -> None:
    batches = iter(pgna.open(Slow(many.read_bytes())).scan(["moves"], "plies = 9999"))

    def ask(*_: object) -> None:
        next(batches)

    before = signal.signal(signal.SIGINT, ask)
    timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    try:
        with pytest.raises(ValueError, match="iterator already executing"):
            list(batches)
    finally:
        timer.cancel()
        signal.signal(signal.SIGINT, before)


def test_other_threads_wait_for_an_iterator(samples: Path) -> None:
    archive = pgna.open(samples)
    batches = iter(archive.scan(["moves"]))
    found: list[int] = []
    threads = [
        threading.Thread(target=lambda: found.extend(map(len, batches)))
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sum(found) == len(archive)


def test_other_threads_run_while_it_packs(folder: Path, large: Path) -> None:
    done = threading.Event()

    def pack() -> None:
        pgna.pack(large, "a.pgna", level="fast")
        done.set()

    thread = threading.Thread(target=pack)
    thread.start()
    turns = 0
    while not done.is_set():
        time.sleep(0.001)
        turns += 1
    thread.join()
    # Without the work being detached, this thread would have had a turn or two.
    assert turns > 20
