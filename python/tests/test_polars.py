"""Polars: data frames, and lazy frames whose filters reach the archive."""

from __future__ import annotations

import io
from datetime import date
from pathlib import Path

import pytest

import pgna

pl = pytest.importorskip("polars")

from pgna import _pushdown
from pgna.polars import scan_pgna

COLUMNS = [*pgna.DEFAULT_COLUMNS, "Date_text", "WhiteElo_text", "Eco", "DATE", "White_bytes", "Annotator"]
DAY = date(2010, 5, 17)


def column(name: str):
    return pl.col(name)


TESTS = [
    column("White") == "carlsen",
    column("White") == "Müller",
    column("White") == "M\ufffdller",
    column("WhiteElo_text") > "x",
    column("White") == 'B"x"',
    column("White") == "",
    column("White") != "carlsen",
    column("White") != "Müller",
    column("White") < "a",
    column("White") >= "Carlsen",
    column("White") > "Mz",
    column("White") <= "Mü",
    column("White").is_in(["carlsen", "Carlsen, M.", None]),
    column("White").is_in([]),
    column("White").is_in([None]),
    ~column("White").is_in(["carlsen"]),
    column("White").is_between(pl.lit("A"), pl.lit("D"), closed="left"),
    column("White").is_null(),
    column("White").is_not_null(),
    column("DATE").is_not_null(),
    column("DATE") == "2012.03.04",
    column("White").str.contains("arls"),
    column("White").str.contains("a.l"),
    column("White").str.contains("(?i)CARLSEN"),
    column("White").str.contains("ü", literal=True),
    column("White").str.contains(".", literal=True),
    column("White").str.starts_with("C"),
    column("White").str.ends_with("n"),
    column("White").str.starts_with(""),
    column("White").str.to_lowercase() == "carlsen",
    column("White").str.len_bytes() > 5,
    column("White").eq_missing("carlsen"),
    column("White").eq_missing(None),
    column("White") == column("Black"),
    column("WhiteElo") == 2700,
    column("WhiteElo") != 2700,
    column("WhiteElo") > 2699,
    column("WhiteElo") <= 2700,
    column("WhiteElo") > -5,
    column("WhiteElo") == -5,
    column("WhiteElo") > 32766,
    column("WhiteElo") > 2699.5,
    pl.lit(2700) <= column("WhiteElo"),
    column("WhiteElo").is_between(2000, 2700),
    column("WhiteElo").is_between(2000, 2700, closed="none"),
    column("WhiteElo").is_in([2700, 2500]),
    column("WhiteElo").is_null(),
    column("WhiteElo").is_not_null(),
    column("WhiteElo") + 1 == 2701,
    column("WhiteElo").cast(pl.Int64) > 2500,
    column("Date") == DAY,
    column("Date") != DAY,
    column("Date") > DAY,
    column("Date") <= DAY,
    column("Date").is_between(DAY, date(2012, 1, 1)),
    column("Date").is_in([DAY, date(2010, 5, 18)]),
    column("Date") > date(800, 1, 1),
    column("Date").is_null(),
    column("Date").is_not_null(),
    column("Date").dt.year() == 2010,
    column("UTCDate") >= DAY,
    column("UTCDate") != DAY,
    column("Date_text") == "2010.05.??",
    column("Date_text") == "2010",
    column("Date_text") != "x",
    column("Date_text") < "2010.05.2",
    column("Date_text").str.starts_with("????"),
    column("Date_text").str.starts_with("2010"),
    column("Date_text").is_not_null(),
    column("ECO").is_between(pl.lit("B90"), pl.lit("B98")),
    column("ECO") == "B90",
    column("ECO") != "B90",
    column("ECO") < "C",
    column("ECO") > "7",
    column("ECO") >= "07",
    column("ECO").is_null(),
    column("ECO").is_not_null(),
    column("Eco") == "B95",
    column("Eco").is_null(),
    column("Result") == "1-0",
    column("White_bytes") == b"carlsen",
    column("number") == 7,
    column("number") > 400,
    column("number") < 10,
    column("number") <= -1,
    column("number") != 7,
    column("number").is_between(5, 9),
    column("number").is_in([5, 9]),
    column("ply_count") == 8,
    column("ply_count") >= 12,
    column("ply_count") > -1,
    column("ply_count") != 8,
    column("movetext").str.contains("Nf3"),
    column("source") == "0.pgn",
    column("start").is_not_null(),
    pl.lit(True),
    pl.lit(False),
    column("White").map_elements(lambda text: "r" in text, return_dtype=pl.Boolean),
]

NAMED = {str(test): test for test in TESTS}


@pytest.fixture(scope="module")
def everything(odd: Path):
    """All columns, read without Polars' help."""
    return pl.DataFrame(pgna.open(odd).scan(COLUMNS))


@pytest.mark.parametrize("name", NAMED)
def test_filters_give_what_they_give_to_a_frame(
    odd: Path, everything, name: str
) -> None:
    found = scan_pgna(odd, COLUMNS).filter(NAMED[name]).collect()
    assert found.equals(everything.filter(NAMED[name]))


@pytest.mark.parametrize("seed", range(60))
def test_combined_filters_do_too(odd: Path, everything, seed: int) -> None:
    import random

    draw = random.Random(seed)

    def test(depth: int):
        if depth == 0:
            return draw.choice(TESTS)
        left, right = test(depth - 1), test(draw.randrange(depth))
        return draw.choice([left & right, left | right, left & ~right, left ^ right])

    predicate = test(draw.choice([1, 2, 3]))
    found = scan_pgna(odd, COLUMNS).filter(predicate).collect()
    assert found.equals(everything.filter(predicate))


@pytest.mark.parametrize("engine", ["auto", "streaming"])
@pytest.mark.parametrize("rows", [1, 7, 200, 10_000])
def test_rows_are_counted_before_a_filter_that_follows(
    odd: Path, everything, rows: int, engine: str
) -> None:
    for predicate in TESTS[::5]:
        found = scan_pgna(odd, COLUMNS).head(rows).filter(predicate)
        found = found.collect(engine=engine)
        assert found.equals(everything.head(rows).filter(predicate))
        found = scan_pgna(odd, COLUMNS).filter(predicate).head(rows)
        found = found.collect(engine=engine)
        assert found.equals(everything.filter(predicate).head(rows))


def test_a_list_for_each_row_is_not_translated(everything) -> None:
    lists = pl.Series([["carlsen"], ["x"]])
    predicate = column("White").is_in(lists)
    translated = _pushdown.narrowing(predicate, everything.schema)
    assert translated == _pushdown.Narrowing()
    # One list for all rows is.
    predicate = column("White").is_in(lists.head(1))
    assert _pushdown.narrowing(predicate, everything.schema).filter is not None


def test_a_filter_of_the_scan_and_one_of_the_frame(odd: Path, everything) -> None:
    frame = scan_pgna(
        odd, COLUMNS, "White ~ carlsen or plies = 8", games=range(20, 500)
    )
    found = frame.filter(
        (pl.col("WhiteElo") >= 2700) & (pl.col("number") < 300)
    ).collect()
    numbers = [
        game.number for game in pgna.open(odd).find("White ~ carlsen or plies = 8")
    ]
    wanted = pl.col("number").is_in([it for it in numbers if 20 <= it < 300])
    assert found.height > 0
    assert found.equals(everything.filter(wanted & (pl.col("WhiteElo") >= 2700)))


@pytest.mark.parametrize(
    ("predicate", "expected"),
    [
        (pl.col("White") == 'a"\\', r'"White" = "a\"\\"'),
        (
            pl.col("ECO").is_between(pl.lit("B90"), pl.lit("B99")),
            '("ECO" >= "B90" and "ECO" <= "B99")',
        ),
        (pl.col("ECO").is_in(["B90", "B91"]), '("ECO" = "B90" or "ECO" = "B91")'),
        ((pl.col("Date") >= DAY) & (pl.col("number") > 3), '"Date" >= 2010.05.17'),
        (
            (pl.col("ply_count") > 3) | (pl.col("WhiteElo") == 2700),
            '(plies > 3 or ("WhiteElo" >= 2700 and "WhiteElo" <= 2700))',
        ),
        ((pl.col("White") == "a") & pl.col("Black").is_null(), '"White" = "a"'),
        ((pl.col("White") == "a") | pl.col("Black").is_null(), None),
        (pl.col("Date_text").str.starts_with("2010"), '"Date" ~ "2010"'),
        (pl.col("White") > "07", None),
        (pl.col("WhiteElo_text") > "x", None),
        (pl.col("White") != "é", '"White" != "é"'),
        (pl.col("WhiteElo").is_not_null(), '"WhiteElo"?'),
        (pl.col("Site").str.contains("Wijk aan Zee"), '"Site" ~ "Wijk aan Zee"'),
    ],
)
def test_filters_reach_the_archive(
    odd: Path, monkeypatch: pytest.MonkeyPatch, predicate, expected: str | None
) -> None:
    seen: list[str | None] = []
    original = _pushdown.Narrowing.filter_with

    def filter_with(narrowed: _pushdown.Narrowing, where: str | None) -> str | None:
        seen.append(narrowed.filter)
        return original(narrowed, where)

    monkeypatch.setattr(_pushdown.Narrowing, "filter_with", filter_with)
    scan_pgna(odd, COLUMNS).filter(predicate).collect()
    assert seen[-1] == expected


def read_rows(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The numbers of rows of the frames that the source makes from now on."""
    rows: list[int] = []

    def frame(batch):
        made = pl.DataFrame(batch)
        rows.append(made.height)
        return made

    import pgna.polars

    class Polars:
        DataFrame = staticmethod(frame)
        Expr = pl.Expr

    monkeypatch.setattr(pgna.polars, "pl", Polars)
    return rows


def test_fewer_games_are_read(odd: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    frame = scan_pgna(odd, COLUMNS)
    rows = read_rows(monkeypatch)
    found = frame.filter(pl.col("White") == "carlsen").collect()
    assert sum(rows) == found.height > 0
    rows.clear()
    frame.filter(pl.col("number").is_between(5, 9)).collect()
    assert sum(rows) == 5
    rows.clear()
    assert frame.head(3).collect().height == 3
    assert sum(rows) <= 256


def test_only_the_columns_that_are_needed_are_read(
    odd: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[list[str]] = []

    class Spy:
        """An archive that notes the columns of its scans."""

        def __init__(self) -> None:
            self.archive = pgna.open(odd)

        def __len__(self) -> int:
            return len(self.archive)

        def scan(self, columns: list[str], *args, **options) -> pgna.Scan:
            scan = self.archive.scan(columns, *args, **options)
            seen.append(scan.columns)
            return scan

    import pgna.polars

    monkeypatch.setattr(pgna.polars, "_open", lambda source, **_: Spy())
    frame = scan_pgna(odd)
    frame.filter(pl.col("WhiteElo") > 2000).select("White").collect()
    assert sorted(seen[-1]) == ["White", "WhiteElo"]


def test_counts_and_groups(odd: Path, everything) -> None:
    frame = scan_pgna(odd, COLUMNS)
    assert frame.select(pl.len()).collect().item() == everything.height
    found = frame.filter(pl.col("ECO") == "B90").select(pl.len()).collect().item()
    assert found == everything.filter(pl.col("ECO") == "B90").height > 0
    groups = frame.group_by("ECO").len().sort("ECO").collect()
    assert groups.equals(everything.group_by("ECO").len().sort("ECO"))
    assert frame.slice(100, 20).collect().equals(everything.slice(100, 20))


def test_streaming_gives_the_same(odd: Path, everything) -> None:
    found = (
        scan_pgna(odd, COLUMNS)
        .filter(pl.col("ply_count") > 4)
        .collect(engine="streaming")
    )
    assert found.equals(everything.filter(pl.col("ply_count") > 4))


def test_a_filter_that_is_nested_too_deep(odd: Path, everything) -> None:
    predicate = pl.col("White") == "carlsen"
    for number in range(150):
        predicate = (predicate | (pl.col("ply_count") == number + 100)) & (
            pl.col("number") > 0
        )
    found = scan_pgna(odd, COLUMNS).filter(predicate).collect()
    assert found.equals(everything.filter(predicate))


def test_wrong_arguments_are_errors_at_once(odd: Path) -> None:
    with pytest.raises(ValueError, match="where: "):
        scan_pgna(odd, where="White ==")
    with pytest.raises(ValueError, match="columns: "):
        scan_pgna(odd, ["nothing"])
    with pytest.raises(TypeError, match="not a single str"):
        scan_pgna(odd, "White")
    with pytest.raises(FileNotFoundError):
        scan_pgna("missing.pgna")


def test_columns_are_those_of_the_games(odd: Path) -> None:
    frame = pl.DataFrame(
        pgna.open(odd).scan(["number", "moves", "moves_san", "clocks", "pgn"])
    )
    for row, game in zip(frame.iter_rows(named=True), pgna.open(odd), strict=True):
        assert row["number"] == game.number
        assert row["moves"] == list(game.moves)
        assert row["moves_san"] == game.san
        assert row["clocks"] == game.clocks
        assert row["pgn"] == game.pgn_bytes


def test_errors_of_the_source_come_through(folder: Path) -> None:
    path = folder / "games.pgna"
    archive = pgna.open(path)
    frame = scan_pgna(archive)
    archive.close()
    with pytest.raises(Exception, match="closed"):
        frame.collect()


def test_columns_are_any_iterable_of_names(odd: Path) -> None:
    names = (name for name in ["White", "number"])
    assert scan_pgna(odd, names).collect().columns == ["White", "number"]


@pytest.mark.parametrize("value", [2**63 - 1, 2**63, 2**64, -(2**63), -(2**63) + 1])
def test_numbers_that_no_game_can_have(odd: Path, value: int) -> None:
    frame = scan_pgna(odd, ["number"])
    rows = frame.collect().height
    greater = frame.filter(pl.col("number") > value).collect().height
    assert greater == (0 if value > 0 else rows)
    assert frame.filter(pl.col("number") == value).collect().height == 0
    between = pl.col("number").is_between(2, abs(value))
    assert frame.filter(between).collect().height == rows - 1


def test_lazy_frames_are_serialized(odd: Path, everything) -> None:
    pytest.importorskip("cloudpickle")
    found = scan_pgna(odd, COLUMNS).filter(pl.col("WhiteElo") > 2000)
    bytes_of_frame = found.serialize()
    again = pl.LazyFrame.deserialize(io.BytesIO(bytes_of_frame))
    assert again.collect().equals(everything.filter(pl.col("WhiteElo") > 2000))


def test_a_url_is_scanned_as_the_file_is(samples: Path) -> None:
    fsspec = pytest.importorskip("fsspec")
    fsspec.filesystem("memory").pipe("/scanned.pgna", samples.read_bytes())
    frame = scan_pgna("memory://scanned.pgna", storage_options={})
    expected = scan_pgna(samples).collect()
    assert frame.collect().equals(expected)
    with pytest.raises(ValueError, match="storage_options are for URLs"):
        scan_pgna(pgna.open(samples), storage_options={})
