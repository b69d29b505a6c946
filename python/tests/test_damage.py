"""Damaged archives."""

from __future__ import annotations

import io
import random
import re
from pathlib import Path

import pytest
from conftest import SAMPLES

import pgna


def test_games_report_damage(damaged: Path) -> None:
    lost, read = [], 0
    for game in pgna.open(damaged):
        try:
            assert game.pgn_bytes
            read += 1
        except pgna.DamagedError as error:
            assert error.games is not None and game.number in error.games
            lost.append(game.number)
            assert f"<pgna.Game {game.number}: " in repr(game)
    assert lost and read


def test_scans_report_damage_or_leave_it_out(damaged: Path) -> None:
    archive = pgna.open(damaged)
    with pytest.raises(pgna.DamagedError):
        list(archive.scan(["moves"]))
    losses: list[pgna.DamagedError] = []
    scan = archive.scan(["moves"], on_damage=losses.append)
    read = sum(len(batch) for batch in scan)
    lost = sum(len(loss.games or ()) for loss in losses)
    assert read and lost and read + lost == len(archive)


def test_damage_is_found(damaged: Path) -> None:
    with pytest.raises(pgna.DamagedError, match=f"^{re.escape(str(damaged))}: "):
        pgna.open(damaged).verify()


def test_the_function_for_damage_can_raise(damaged: Path) -> None:
    def refuse(error: pgna.DamagedError) -> None:
        raise KeyError("enough")

    batches = iter(pgna.open(damaged).scan(["moves"], on_damage=refuse))
    with pytest.raises(KeyError, match="enough"):
        list(batches)
    assert list(batches) == []


def test_a_function_cannot_ask_for_more(damaged: Path, deadline: None) -> None:
    errors = []

    def ask(_: pgna.DamagedError) -> None:
        try:
            next(batches)
        except ValueError as error:
            errors.append(str(error))

    batches = iter(pgna.open(damaged).scan(["moves"], on_damage=ask))
    assert sum(len(batch) for batch in batches) > 0
    assert errors and set(errors) == {"iterator already executing"}


def test_errors_name_the_archive(damaged: Path) -> None:
    archive = pgna.open(damaged)
    losses: list[pgna.DamagedError] = []
    list(archive.scan(["moves"], on_damage=losses.append))
    for use in (
        lambda: archive.game((losses[0].games or [0])[0]).pgn,
        lambda: list(archive.scan(["moves"])),
        lambda: list(archive.find("plies >= 0", fen="startpos")),
        lambda: pgna.unpack(archive, damaged.parent / "out", force=True),
    ):
        with pytest.raises(pgna.DamagedError, match=f"^{re.escape(str(damaged))}: "):
            use()
    assert str(losses[0]).startswith(f"{damaged}: ")


def test_a_function_cannot_end_a_scan_silently(damaged: Path) -> None:
    empty = iter(())
    scan = pgna.open(damaged).scan(["moves"], on_damage=lambda _: next(empty))
    with pytest.raises(RuntimeError, match="StopIteration"):
        list(scan)


class Ending(io.BytesIO):
    """A file whose `read` ends as an iterator does."""

    is_over = False

    def read(self, size: int | None = -1, /) -> bytes:
        if self.is_over:
            raise StopIteration
        return super().read(size)


def test_a_file_cannot_end_a_scan_silently(folder: Path) -> None:
    file = Ending(Path("games.pgna").read_bytes())
    archive = pgna.open(file)
    file.is_over = True
    with pytest.raises(RuntimeError, match="StopIteration"):
        list(archive.scan(["moves"]))


class Unsought(io.BytesIO):
    """A file whose `seek` ends as an iterator does."""

    is_over = False

    def seek(self, offset: int, whence: int = 0, /) -> int:
        if self.is_over:
            raise StopIteration
        return super().seek(offset, whence)


def test_a_seek_cannot_end_a_scan_silently(folder: Path) -> None:
    file = Unsought(Path("games.pgna").read_bytes())
    archive = pgna.open(file)
    file.is_over = True
    with pytest.raises(RuntimeError, match="StopIteration"):
        list(archive.scan(["moves"]))


def test_searches_report_damage_and_go_on(damaged: Path) -> None:
    hits = pgna.open(damaged).find("plies >= 0", fen="startpos")
    found, losses = 0, 0
    while True:
        try:
            next(hits)
            found += 1
        except pgna.DamagedError as error:
            assert error.games
            losses += len(error.games)
        except StopIteration:
            break
    assert found and losses and found + losses <= len(pgna.open(damaged))


def test_what_is_whole_is_unpacked(damaged: Path, folder: Path) -> None:
    with pytest.raises(pgna.DamagedError, match="could not be unpacked") as error:
        pgna.unpack(damaged, "out")
    lost = error.value.sources
    assert lost
    for source in pgna.open(damaged).sources:
        path = Path("out") / source.name
        assert path.exists() != (source.name in lost)
        if path.exists():
            sample = SAMPLES / path.name
            assert path.read_bytes() == sample.read_bytes()
    assert not list(Path("out").rglob("*.tmp*"))


@pytest.mark.parametrize("seed", range(20))
def test_changed_bytes_give_the_same_or_an_error(folder: Path, seed: int) -> None:
    draw = random.Random(seed)
    expected = [game.pgn_bytes for game in pgna.open("games.pgna")]
    changed = bytearray(Path("games.pgna").read_bytes())
    for _ in range(draw.choice([1, 10, 100])):
        changed[draw.randrange(len(changed))] = draw.randrange(256)
    Path("changed.pgna").write_bytes(changed[: draw.randrange(1, len(changed) + 1)])
    try:
        archive = pgna.open("changed.pgna")
        assert [game.pgn_bytes for game in archive] == expected[: len(archive)]
        list(archive.scan(pgna.COLUMNS))
    except pgna.PgnaError:
        pass
