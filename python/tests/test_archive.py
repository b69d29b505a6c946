"""Archives as sequences of games."""

from __future__ import annotations

import io
import pickle
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import GAMES

import pgna


def test_indexes_begin_at_0_and_numbers_at_1(archive: pgna.Archive) -> None:
    assert len(archive) == 3
    assert [game.number for game in archive] == [1, 2, 3]
    assert [archive[at].number for at in (0, 2, -1, -3)] == [1, 3, 3, 1]
    assert [archive.game(number).number for number in (1, 3)] == [1, 3]
    assert [game.number for game in reversed(archive)] == [3, 2, 1]


@pytest.mark.parametrize("at", [3, -4, 10**15, 2**63, -(2**63), -(2**64)])
def test_indexes_out_of_range(archive: pgna.Archive, at: int) -> None:
    with pytest.raises(IndexError):
        archive[at]


@pytest.mark.parametrize("number", [0, -1, 4, 2**62, 2**63, 2**64, -(2**70)])
def test_numbers_without_a_game(archive: pgna.Archive, number: int) -> None:
    with pytest.raises(IndexError, match=f"no game {number}: the archive has 3"):
        archive.game(number)


@pytest.mark.parametrize("start", [None, 0, 1, -2, 7, -9])
@pytest.mark.parametrize("stop", [None, 0, 2, -1, 9])
@pytest.mark.parametrize("step", [None, 1, 2, -1, -3])
def test_slices_are_those_of_lists(
    archive: pgna.Archive, start: int | None, stop: int | None, step: int | None
) -> None:
    numbers = [game.number for game in archive[start:stop:step]]
    assert numbers == [1, 2, 3][start:stop:step]


def test_other_indexes_are_refused(archive: pgna.Archive) -> None:
    with pytest.raises(TypeError):
        archive["1"]  # type: ignore[call-overload]
    with pytest.raises(TypeError):
        archive.game(1.0)  # type: ignore[arg-type]
    with pytest.raises(ValueError):
        archive[::0]


def test_paths_and_files_give_the_same(folder: Path) -> None:
    path = folder / "games.pgna"
    with path.open("rb") as file:
        sources = [str(path), path, file, io.BytesIO(path.read_bytes())]
        archives = [pgna.open(source) for source in sources]  # type: ignore[arg-type]
        pgns = [[game.pgn_bytes for game in archive] for archive in archives]
    assert pgns == pgns[:1] * 4
    paths = [archive.path for archive in archives]
    assert paths == [str(path), str(path), None, None]


def test_a_file_is_read_from_several_threads(samples: Path) -> None:
    expected = [game.pgn_bytes for game in pgna.open(samples)]
    archive = pgna.open(io.BytesIO(samples.read_bytes()))
    found: list[list[bytes]] = []
    threads = [
        threading.Thread(
            target=lambda: found.append([game.pgn_bytes for game in archive])
        )
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [expected] * 4


class Short(io.BytesIO):
    """A file that gives few bytes at a time, as those of a network do."""

    def read(self, size: int | None = -1, /) -> bytes:
        return super().read(min(size or 0, 1000) if size != -1 else size)


def test_short_reads_are_continued(samples: Path) -> None:
    archive = pgna.open(Short(samples.read_bytes()))
    assert sum(1 for _ in archive.find("plies > 0")) > 100


class Failing(io.BytesIO):
    """A file that fails after some reads."""

    left = 3

    def read(self, size: int | None = -1, /) -> bytes:
        self.left -= 1
        if self.left < 0:
            raise ConnectionError("the line is dead")
        return super().read(size)


def test_exceptions_of_files_come_through(samples: Path) -> None:
    archive = None
    with pytest.raises(ConnectionError, match="the line is dead"):
        archive = pgna.open(Failing(samples.read_bytes()))
        [game.pgn for game in archive]
    with pytest.raises(ConnectionError, match="the line is dead"):
        file = Failing(samples.read_bytes())
        file.left = 100
        archive = pgna.open(file)
        file.left = 0
        list(archive.scan(["moves"]))


def test_a_text_file_is_refused(folder: Path) -> None:
    with pytest.raises(TypeError, match="binary mode"):
        pgna.open(io.StringIO("not bytes"))  # type: ignore[arg-type]


def test_a_closed_archive_is_refused_but_its_games_stay(archive: pgna.Archive) -> None:
    with archive as entered:
        assert entered is archive and not archive.closed
        game, scan = archive[0], archive.scan(["White"])
        hits = archive.find("Result = 1-0")
    assert archive.closed
    for use in (
        lambda: len(archive),
        lambda: archive[0],
        lambda: iter(archive),
        lambda: archive.find("plies > 0"),
        archive.__enter__,
    ):
        with pytest.raises(ValueError, match="closed"):
            use()
    assert game.headers["White"] == "Morphy, Paul"
    assert sum(len(batch) for batch in scan) == 3
    assert len(list(hits)) == 2
    assert "closed" in repr(archive)


def test_errors_of_opening(folder: Path) -> None:
    with pytest.raises(FileNotFoundError) as missing:
        pgna.open("missing.pgna")
    assert missing.value.filename == "missing.pgna"
    with pytest.raises(ValueError, match="NUL|nul"):
        pgna.open("x\0y")
    with pytest.raises(OSError):
        pgna.open(folder)
    with pytest.raises(pgna.SignatureError, match="^games.pgn: "):
        pgna.open("games.pgn")
    with pytest.raises(pgna.SignatureError, match="^(?!games.pgn)"):
        pgna.open(io.BytesIO(GAMES))
    with pytest.raises(pgna.SignatureError, match="^games.pgn: "):
        pgna.append("games.pgn", "some")
    with pytest.raises(pgna.SignatureError, match="^games.pgn: "):
        pgna.merge(["games.pgna", "games.pgn"], "a.pgna")
    with pytest.raises(TypeError):
        pgna.open(7)  # type: ignore[arg-type]
    Path("empty").touch()
    with pytest.raises(pgna.PgnaError):
        pgna.open("empty")


def test_repr(archive: pgna.Archive) -> None:
    assert repr(archive).endswith("games.pgna: 3 games>")


class Inward(io.BytesIO):
    """A file whose `read` uses an archive."""

    archive: pgna.Archive | None = None
    use: Callable[[pgna.Archive], object]

    def read(self, size: int | None = -1, /) -> bytes:
        if self.archive is not None:
            self.use(self.archive)
        return super().read(size)


@pytest.mark.parametrize(
    "use",
    [
        lambda archive: archive[0].san,
        lambda archive: list(archive.find("plies > 0")),
        lambda archive: list(archive.scan(["moves"])),
    ],
    ids=["game", "find", "scan"],
)
def test_a_file_cannot_read_the_archive_that_is_in_it(
    folder: Path, deadline: None, use: Callable[[pgna.Archive], object]
) -> None:
    file = Inward(Path("games.pgna").read_bytes())
    file.use = use
    archive = pgna.open(file)
    file.archive = archive
    for outer in (
        lambda: archive[1].pgn,
        lambda: list(archive.find("plies > 0")),
        lambda: list(archive.scan(["moves"])),
    ):
        with pytest.raises(OSError, match="reads the archive in the file"):
            outer()
    # Other archives it can read, and what needs no read.
    file.archive = pgna.open("games.pgna")
    batches = iter(archive.scan(["moves"]))
    assert archive[1].pgn == file.archive[1].pgn
    file.archive, file.use = archive, len
    assert sum(len(batch) for batch in archive.scan(["moves"])) == 3
    for use in (
        lambda archive: next(batches),
        lambda archive: pgna.unpack(archive, "out"),
        lambda archive: pgna.merge([archive], "a.pgna"),
    ):
        batches = iter(archive.scan(["moves"]))
        file.use = use
        with pytest.raises(OSError, match="reads the archive in the file"):
            list(batches)


def test_an_archive_is_pickled_as_its_path(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pickled = pickle.dumps(pgna.open("games.pgna"))
    monkeypatch.chdir("/")
    archive = pickle.loads(pickled)
    assert [game.number for game in archive] == [1, 2, 3]
    file = io.BytesIO((folder / "games.pgna").read_bytes())
    with pytest.raises(TypeError, match="by its path"):
        pickle.dumps(pgna.open(file))
    archive.close()
    with pytest.raises(ValueError, match="closed"):
        pickle.dumps(archive)


def test_segments_and_blocks(odd: Path) -> None:
    with pgna.open(odd) as archive:
        segments = archive.segments()
        assert [number for games in segments for number in games] == list(
            range(1, len(archive) + 1)
        )
        for at, games in enumerate(segments):
            blocks = archive.blocks(at)
            assert [number for block in blocks for number in block] == list(games)
        with pytest.raises(IndexError, match=f"no segment {len(segments)}: "):
            archive.blocks(len(segments))
        with pytest.raises(OverflowError):
            archive.blocks(-1)


def test_digests_are_those_of_the_files(folder: Path) -> None:
    pgna.pack(["games.pgn", "some/suffixes.pgn"], "two.pgna")
    pgna.pack("some/suffixes.pgn", "one.pgna", level="fast")
    digests = pgna.open("two.pgna").digests
    assert digests[0] == pgna.open("games.pgna").digests[0] != digests[1]
    assert digests[1:] == pgna.open("one.pgna").digests
    pgna.open("two.pgna").verify()
