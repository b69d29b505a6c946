"""pandas."""

from __future__ import annotations

from pathlib import Path

import pytest

import pgna

pd = pytest.importorskip("pandas")


def test_frames_have_all_columns_and_games(samples: Path) -> None:
    archive = pgna.open(samples)
    frame = pd.DataFrame.from_arrow(archive.scan(pgna.COLUMNS))
    assert list(frame.columns) == list(pgna.COLUMNS)
    assert list(frame["number"]) == list(range(1, len(archive) + 1))
    whites = [game.headers.get("White") for game in archive]
    assert [None if pd.isna(white) else white for white in frame["White"]] == whites
