"""Spark: archives as frames on a small cluster of this machine, and packing there."""

from __future__ import annotations

import gzip
import io
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

import pytest
from conftest import SAMPLES

import pgna

pytest.importorskip("pyspark")
duckdb = pytest.importorskip("duckdb")
pa = pytest.importorskip("pyarrow")

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import datasource as ds

from pgna._filters import Narrowing, Unknown
from pgna.spark import ClusterReport, _tasks, pack, register
from pgna.spark._options import read_options
from pgna.spark._partitions import divided
from pgna.spark._paths import find_files
from pgna.spark._pushdown import pushed
from pgna.spark._store import Store

#: Columns on which filters and columns could disagree.
COLUMNS = [
    *pgna.DEFAULT_COLUMNS,
    "Date_text",
    "WhiteElo_text",
    "Eco",
    "DATE",
    "White_bytes",
    "Annotator",
]

#: The cluster: two executors of one core, each a process of its own.
MASTER = "local-cluster[2,1,1024]"


@pytest.fixture(scope="module")
def spark() -> Iterator[SparkSession]:
    os.environ["PYSPARK_PYTHON"] = sys.executable
    os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
    session = (
        SparkSession.builder.master(MASTER)
        .config("spark.ui.enabled", "false")
        .config("spark.sql.shuffle.partitions", "2")
        # What a test kills must not end the session.
        .config("spark.task.maxFailures", "8")
        .getOrCreate()
    )
    session.sparkContext.setLogLevel("OFF")
    register(session)
    yield session
    session.stop()


def games(
    spark: SparkSession, path: Path | str, columns: list[str], **options: Any
) -> DataFrame:
    reader = spark.read.format("pgna").option("columns", ",".join(columns))
    return reader.options(**options).load(str(path))


def numbers(frame: DataFrame) -> list[int]:
    return sorted(row["number"] for row in frame.select("number").collect())


def plan(frame: DataFrame) -> str:
    """What `explain` prints."""
    printed = io.StringIO()
    with redirect_stdout(printed):
        frame.explain("formatted")
    return printed.getvalue()


# What is asked.

QUESTIONS = [
    "select count(*) from games",
    "select Result, count(*) from games group by Result",
    "select count(*), avg(ply_count) from games where Result = '1-0'",
    "select ECO, count(*) from games where ECO >= 'B' and ECO < 'C' group by ECO",
    "select count(*) from games where WhiteElo > 2000 and BlackElo < 1900",
    "select White, count(*) from games where White like '%e%' group by White",
    "select year(Date), count(*) from games where Date >= date '1900-01-01' group by 1",
    "select count(*), max(ply_count) from games where number between 5 and 40",
    "select count(*) from games where Date is null or Result not in ('1-0', '0-1')",
    "select source, count(*), sum(ply_count) from games where ply_count >= 20 group by source",
]


@pytest.mark.parametrize("question", QUESTIONS)
def test_answers_are_those_of_duckdb(
    spark: SparkSession, odd: Path, question: str
) -> None:
    frame = spark.read.format("pgna").option("partition_games", 100).load(str(odd))
    frame.createOrReplaceTempView("games")
    found = [tuple(row) for row in spark.sql(question).collect()]
    with duckdb.connect() as connection:
        connection.register("games", pa.table(pgna.open(odd).scan()))
        expected = connection.sql(question).fetchall()
    assert sorted(found, key=str) == sorted(expected, key=str)


PREDICATES = [
    "White = 'carlsen'",
    "White = 'M\xfcller'",
    "White <> 'carlsen'",
    "White <=> 'carlsen'",
    "White <=> null",
    "White < 'a'",
    "White >= 'Carlsen'",
    "White = ''",
    "White = 'B\"x\"'",
    "White in ('carlsen', 'Carlsen, M.', null)",
    "White not in ('carlsen')",
    "White is null",
    "White is not null",
    "White like 'C%'",
    "White like '%n'",
    "White like '%arls%'",
    "White like '%\xfc%'",
    "White like 'a_l%'",
    "lower(White) = 'carlsen'",
    "White = Black",
    "WhiteElo = 2700",
    "WhiteElo <> 2700",
    "WhiteElo > 2699",
    "WhiteElo <= 2700",
    "WhiteElo > -5",
    "WhiteElo > 2699.5",
    "WhiteElo > 40000",
    "WhiteElo in (2700, 2500)",
    "WhiteElo between 2000 and 2700",
    "WhiteElo is null",
    "WhiteElo + 1 = 2701",
    "Date = date '2010-05-17'",
    "Date <> date '2010-05-17'",
    "Date > date '2010-05-17'",
    "Date <= '2010-05-17'",
    "Date in (date '2010-05-17', date '2010-05-18')",
    "Date is null",
    "year(Date) = 2010",
    "Date_text = '2010.05.??'",
    "Date_text < '2010.05.2'",
    "Date_text like '2010%'",
    "WhiteElo_text > 'x'",
    "UTCDate >= date '2010-06-01'",
    "UTCTime > '12:00:00'",
    "ECO between 'B90' and 'B98'",
    "ECO <> 'B90'",
    "ECO > '07'",
    "Eco is not null",
    "DATE = '2012.03.04'",
    "White_bytes = X'6361726C73656E'",
    "number = 7",
    "number > 400",
    "number <= -1",
    "number <> 7",
    "number in (5, 9)",
    "number between 5 and 9",
    "ply_count = 8",
    "ply_count <> 8",
    "ply_count > -1",
    "source = '0.pgn'",
    "start is not null",
    "White = 'carlsen' and WhiteElo >= 2700 and number < 300",
    "White = 'carlsen' or ply_count = 8",
    "White = 'carlsen' and (Date is null or ECO = 'B90')",
    "not (White = 'carlsen' and WhiteElo >= 2700)",
    "true",
    "false",
]


@pytest.fixture(scope="module")
def everything(spark: SparkSession, odd: Path) -> DataFrame:
    """The games as a frame that Spark alone filters. Names that differ in case are renamed."""
    table = pa.table(pgna.open(odd).scan(COLUMNS))
    at = table.schema.get_field_index("UTCTime")
    times = table.column("UTCTime").cast(pa.string())
    table = table.set_column(at, "UTCTime", times)
    return spark.createDataFrame(table).cache()


@pytest.fixture(scope="module")
def case(spark: SparkSession) -> Iterator[None]:
    """Names of columns by their exact case: the archive has `ECO` and `Eco`."""
    spark.conf.set("spark.sql.caseSensitive", "true")
    yield
    spark.conf.unset("spark.sql.caseSensitive")


@pytest.mark.parametrize("predicate", PREDICATES)
def test_filters_give_what_spark_gives(
    spark: SparkSession, case: None, odd: Path, everything: DataFrame, predicate: str
) -> None:
    found = games(spark, odd, COLUMNS).where(predicate)
    assert numbers(found) == numbers(everything.where(predicate))


def test_all_columns_can_be_read(spark: SparkSession, odd: Path) -> None:
    rows = games(spark, odd, list(pgna.COLUMNS), partition_games=200).collect()
    archive = pgna.open(odd)
    assert [row["number"] for row in rows] == list(range(1, len(archive) + 1))
    for row, game in zip(rows, archive, strict=True):
        assert bytes(row["pgn"]) == game.pgn_bytes
        assert row["moves"] == list(game.moves)
        assert row["moves_san"] == game.san
        assert row["clocks"] == game.clocks
        assert [tuple(it) for it in row["comments"]] == [
            tuple(it) for it in game.comments
        ]
        assert [list(it["moves"]) for it in row["variations"]] == [
            list(it.moves) for it in game.variations
        ]


# What is pushed down.


def test_explain_shows_what_is_pushed_down(spark: SparkSession, odd: Path) -> None:
    frame = games(spark, odd, ["number", "White", "WhiteElo"])
    shown = plan(
        frame.where(
            "WhiteElo > 2699 and White >= 'carlsen' and upper(White) = 'CARLSEN'"
        )
    )
    assert (
        "IsNotNull(WhiteElo), IsNotNull(White), GreaterThan(WhiteElo,2699), GreaterThanOrEqual(White,carlsen)"
        in shown
    )
    condition = next(
        line for line in shown.splitlines() if line.startswith("Condition")
    )
    assert "upper(White" in condition and "2699" not in condition


SCHEMA = pa.schema(
    [
        ("number", pa.int64()),
        ("ply_count", pa.int32()),
        ("White", pa.string()),
        ("WhiteElo", pa.int16()),
        ("Date", pa.date32()),
        ("Date_text", pa.string()),
        ("White_bytes", pa.binary()),
    ]
)


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        (ds.EqualTo(("White",), 'a"\\'), Narrowing(r'"White" = "a\"\\"')),
        (ds.Not(ds.EqualTo(("White",), "a")), Narrowing('"White" != "a"')),
        (ds.In(("White",), ("a", "b")), Narrowing('("White" = "a" or "White" = "b")')),
        (ds.StringStartsWith(("White",), "a"), Narrowing('"White" ~ "a"')),
        (ds.IsNotNull(("WhiteElo",)), Narrowing('"WhiteElo"?')),
        (ds.IsNotNull(("ply_count",)), Narrowing()),
        (ds.GreaterThan(("ply_count",), 3), Narrowing("plies > 3")),
        (ds.LessThan(("number",), 9), Narrowing(None, 1, 8)),
        (ds.GreaterThanOrEqual(("WhiteElo",), 2700), Narrowing('"WhiteElo" >= 2700')),
        # Handed back: a null, a text that filters read as a number, a value that no row has.
        (ds.IsNull(("White",)), None),
        (ds.GreaterThan(("White",), "07"), None),
        (ds.LessThan(("Date_text",), "2010"), None),
        (ds.GreaterThan(("WhiteElo",), 40_000), None),
        (ds.EqualTo(("WhiteElo",), 2699.5), None),
        (ds.EqualTo(("White_bytes",), b"a"), None),
        (ds.EqualNullSafe(("White",), None), None),
        (ds.Not(ds.In(("White",), ("a",))), None),
        (ds.EqualTo(("_metadata", "number"), 3), None),
        (ds.Not(ds.EqualTo(("number",), 3)), None),
    ],
)
def test_filters_reach_the_archive(
    found: ds.Filter, expected: Narrowing | None
) -> None:
    try:
        assert pushed(found, SCHEMA).narrowing == expected
    except Unknown:
        assert expected is None


def test_numbers_leave_out_partitions(spark: SparkSession, odd: Path) -> None:
    frame = games(spark, odd, ["number"], partition_games=100)
    assert frame.rdd.getNumPartitions() > 4
    assert frame.where("number = 7").rdd.getNumPartitions() == 1
    assert frame.where("number < 0").count() == 0


# Options and columns.


def test_conditions_are_those_of_a_scan(spark: SparkSession, samples: Path) -> None:
    archive = pgna.open(samples)
    for conditions in (
        {"where": "Result = 1-0"},
        {"after": "1. e4", "where": "plies > 10"},
        {"material": "KRPkr"},
        {"fen": "startpos", "pieces_only": True},
        {"position": "isolated Pd", "variations": True},
    ):
        found = games(spark, samples, ["number", "found_at"], **conditions)
        scan = pa.table(archive.scan(["number", "found_at"], **conditions))
        assert [tuple(row) for row in found.collect()] == list(
            zip(*(column.to_pylist() for column in scan.columns), strict=True)
        )


def test_the_schema_of_a_user(spark: SparkSession, odd: Path) -> None:
    reader = spark.read.format("pgna")
    frame = reader.schema("WhiteElo int, number bigint, Annotator string").load(
        str(odd)
    )
    assert (
        frame.schema.simpleString()
        == "struct<WhiteElo:int,number:bigint,Annotator:string>"
    )
    assert (
        frame.where("WhiteElo > 2699").count()
        == games(spark, odd, ["WhiteElo"]).where("WhiteElo > 2699").count()
    )
    with pytest.raises(
        Exception, match="column WhiteElo: is smallint, and the schema says string"
    ):
        reader.schema("WhiteElo string").load(str(odd)).count()


def test_where_a_game_is(spark: SparkSession, folder: Path) -> None:
    Path("more").mkdir()
    pgna.pack("some", "more/some.pgna")
    shutil.copy("games.pgna", "more")
    frame = games(spark, folder / "more", ["White", "_metadata"])
    rows = (
        frame.where("_metadata.number = 2")
        .select("_metadata.file_path", "White")
        .collect()
    )
    assert tuple(rows[0]) == (
        str(folder / "more/games.pgna"),
        "Carlsen, Anand"[:7] + ", Magnus",
    )
    assert {row[0] for row in rows} == {
        str(it) for it in Path(folder, "more").iterdir()
    }


def test_paths_globs_and_lists(spark: SparkSession, folder: Path) -> None:
    for name in ("a", "b"):
        shutil.copy("games.pgna", f"{name}.pgna")
    reader = spark.read.format("pgna").schema("number bigint")
    assert reader.load(f"{folder}/[ab].pgna").count() == 6
    assert reader.load([f"{folder}/a.pgna", f"file://{folder}/games.pgna"]).count() == 6
    assert reader.load(str(folder)).count() == 9
    with pytest.raises(Exception, match=r"none\.pgna: no such file"):
        reader.load(f"{folder}/none.pgna").count()


def test_urls(spark: SparkSession, folder: Path) -> None:
    pytest.importorskip("fsspec")
    found = games(spark, f"local://{folder}/g*.pgna", ["number"])
    assert numbers(found) == [1, 2, 3]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"colums": "White"}, "option colums: not one of "),
        ({"on_damage": "ignore"}, "is not raise or skip"),
        ({"mirror": "yes"}, "is not true or false"),
        ({"partition_games": "0"}, "is not a number from 1"),
        ({"columns": " ,"}, "option columns: no names"),
    ],
)
def test_wrong_options(options: dict[str, str], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        read_options({"path": "games.pgna", **options})


def test_wrong_filters_are_errors_before_a_task(spark: SparkSession, odd: Path) -> None:
    with pytest.raises(Exception, match="where: at character 11"):
        games(spark, odd, ["number"], where="WhiteElo >>> 3")
    with pytest.raises(Exception, match="nosuch"):
        games(spark, odd, ["nosuch"])


def test_partitions_are_blocks_of_a_segment_or_small_segments() -> None:
    large = [range(1, 101), range(101, 201), range(201, 251)]
    small = [range(251 + 10 * at, 261 + 10 * at) for at in range(5)]
    segments = [range(1, 251), *small]
    asked: list[int] = []

    def blocks(segment: int) -> list[range]:
        asked.append(segment)
        return large if segment == 0 else [segments[segment]]

    def sizes(most: int) -> list[int]:
        asked.clear()
        return [len(it) for it in divided(segments, blocks, most)]

    assert sizes(150) == [100, 150, 50]
    assert sizes(1000) == [300] and asked == []
    assert sizes(250) == [250, 50] and asked == []
    assert sizes(200) == [200, 100] and asked == [0]
    assert sizes(10) == [100, 100, 50, *[10] * 5]
    assert list(divided([], blocks, 10)) == []


# Damage.


def test_damage_is_an_error(spark: SparkSession, damaged: Path) -> None:
    with pytest.raises(
        Exception, match=r"DamagedError.*damaged\.pgna: .*; games \d+ to \d+"
    ):
        games(spark, damaged, ["moves"]).count()


def test_damage_is_counted_and_left_out(spark: SparkSession, damaged: Path) -> None:
    losses: list[pgna.DamagedError] = []
    archive = pgna.open(damaged)
    scan = archive.scan(["number", "moves"], on_damage=losses.append)
    expected = [
        number
        for batch in scan
        for number in pa.record_batch(batch)["number"].to_pylist()
    ]
    frame = games(
        spark, damaged, ["number", "moves"], on_damage="skip", partition_games=100
    )
    assert numbers(frame) == expected
    frame = games(
        spark,
        damaged,
        ["number", "moves", "_damage", "_metadata"],
        on_damage="skip",
        partition_games=100,
    )
    lost = frame.where("_damage is not null")
    rows = lost.selectExpr(
        "sum(_damage.last - _damage.first + 1)", "max(_metadata.file_path)"
    ).collect()
    assert tuple(rows[0]) == (len(archive) - len(expected), str(damaged))
    assert numbers(frame.where("_damage is null")) == expected
    # The other columns of such a row are null, and a filter treats them so.
    assert numbers(frame.where("number > 0")) == expected


# Packing.


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of files, one of them compressed."""
    folder = tmp_path_factory.mktemp("files")
    for at in range(12):
        text = (
            b"\n\n".join(
                it.read_bytes() for it in sorted(SAMPLES.glob("*.pgn"))[at::12]
            )
            * 20
        )
        if at == 3:
            (folder / "3.pgn.gz").write_bytes(gzip.compress(text))
        else:
            (folder / f"{at}.pgn").write_bytes(text)
    return folder


@pytest.fixture(scope="module")
def whole(
    spark: SparkSession, files: Path, tmp_path_factory: pytest.TempPathFactory
) -> bytes:
    """What packing gives if nothing fails."""
    out = tmp_path_factory.mktemp("whole") / "all.pgna"
    report = pack(spark, files, out, level="fast", task_bytes=1)
    assert report == ClusterReport(*report[:2], report.raw_bytes, parts=12, resumed=0)
    assert sorted(it.name for it in out.parent.iterdir()) == ["all.pgna"]
    return out.read_bytes()


def test_an_archive_of_all_files_in_order(
    files: Path, whole: bytes, tmp_path: Path
) -> None:
    parts = []
    for at, file in enumerate(sorted(files.iterdir())):
        parts.append(tmp_path / f"{at}.pgna")
        pgna.pack(file, parts[-1], level="fast")
    pgna.merge(parts, tmp_path / "all.pgna")
    assert (tmp_path / "all.pgna").read_bytes() == whole
    pgna.open(tmp_path / "all.pgna").verify()


def test_files_are_grouped(files: Path) -> None:
    found = find_files([str(files)], (".pgn", ".gz"), None)
    tasks = _tasks.divided(found, sum(it.bytes for it in found[:5]), {})
    assert [file for task in tasks for file in task.files] == found
    assert len(tasks[0].files) == 5 and len({task.key for task in tasks}) == len(tasks)


def descendants(of: int) -> dict[int, str]:
    """The processes below one, with their commands."""
    parents, commands = {}, {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal():
            try:
                stat = (entry / "stat").read_text()
                commands[int(entry.name)] = (
                    (entry / "cmdline").read_text().replace("\0", " ")
                )
            except OSError:
                continue
            parents[int(entry.name)] = int(stat.rpartition(")")[2].split()[1])
    found = {of}
    while True:
        more = {pid for pid, parent in parents.items() if parent in found} - found
        if not more:
            return {pid: commands[pid] for pid in found if pid in commands}
        found |= more


def kill_one(what: str) -> None:
    """Kills a process of the cluster of these tests."""
    found = sorted(
        pid for pid, command in descendants(os.getpid()).items() if what in command
    )
    assert found, f"no process of {what}"
    os.kill(found[0], signal.SIGKILL)


def during(
    work: Callable[[], Any], is_time: Callable[[], bool], then: Callable[[], None]
) -> Any:
    """Does work, and something else when it is time."""
    results: list[Any] = []
    thread = threading.Thread(target=lambda: results.append(work()))
    thread.start()
    while not is_time():
        assert thread.is_alive(), "the work was over too soon"
        time.sleep(0.02)
    then()
    thread.join()
    return results[0]


#: A JVM that runs tasks, and the processes of Python that it has started.
KILLED = ["CoarseGrainedExecutorBackend", "pyspark.daemon"]


@pytest.mark.parametrize("what", KILLED)
def test_a_worker_is_killed_while_it_packs(
    spark: SparkSession, files: Path, whole: bytes, tmp_path: Path, what: str
) -> None:
    out = tmp_path / "all.pgna"
    parts = Path(f"{out}.parts")

    def is_time() -> bool:
        return len(list(parts.glob("*.pgna"))) >= 2 and any(parts.glob("*.work"))

    def work() -> ClusterReport:
        return pack(spark, files, out, level="fast", task_bytes=1)

    report = during(work, is_time, lambda: kill_one(what))
    assert report.parts == 12
    assert out.read_bytes() == whole
    assert sorted(it.name for it in tmp_path.iterdir()) == ["all.pgna"]


@pytest.mark.parametrize("what", KILLED)
def test_a_worker_is_killed_while_it_reads(
    spark: SparkSession, odd: Path, tmp_path: Path, what: str
) -> None:
    many = tmp_path / "many.pgna"
    pgna.merge([odd] * 20, many)
    frame = games(spark, many, ["Result", "moves_san", "fens"], partition_games=1)
    expected = len(pgna.open(many))
    status = spark.sparkContext.statusTracker()

    def is_time() -> bool:
        for stage in status.getActiveStageIds():
            info = status.getStageInfo(stage)
            if info is not None and info.numCompletedTasks >= 5 and info.numActiveTasks:
                return True
        return False

    assert frame.rdd.getNumPartitions() >= 80
    counted = during(frame.count, is_time, lambda: kill_one(what))
    assert counted == expected


DRIVER = """
import sys
from pyspark.sql import SparkSession
from pgna.spark import pack
spark = SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false").getOrCreate()
pack(spark, sys.argv[1], sys.argv[2], level="fast", task_bytes=1)
"""


def test_a_driver_is_killed_and_the_next_one_resumes(
    spark: SparkSession, files: Path, whole: bytes, tmp_path: Path
) -> None:
    out = tmp_path / "all.pgna"
    parts = Path(f"{out}.parts")
    with (tmp_path / "log").open("wb") as log:
        driver = subprocess.Popen(
            [sys.executable, "-c", DRIVER, files, out], stdout=log, stderr=log
        )
        while len(list(parts.glob("*.json"))) < 3:
            assert driver.poll() is None, (tmp_path / "log").read_text()
            time.sleep(0.02)
        for pid in descendants(driver.pid):
            os.kill(pid, signal.SIGKILL)
        driver.wait()
    assert not out.exists()
    left = len(list(parts.glob("*.json")))
    report = pack(spark, files, out, level="fast", task_bytes=1)
    assert report.resumed == left >= 3
    assert out.read_bytes() == whole
    assert not parts.exists()


def test_a_doubled_task_changes_nothing(
    spark: SparkSession, files: Path, whole: bytes, tmp_path: Path
) -> None:
    found = find_files([str(files)], (".pgn", ".gz"), None)
    options = {"level": "fast", "codec": None, "index": "openings"}
    tasks = _tasks.divided(found, 1, options)
    store = Store(str(tmp_path / "all.pgna.parts"), None)
    names = [_tasks.run(tasks[at], store, True).name for at in (0, 0, 5)]
    assert len(set(names)) == 3
    # One without its message, and the folder of a task that was killed.
    Path(store.path(f"{tasks[1].key}-0.pgna")).write_bytes(b"PGNA")
    Path(store.path(f"{tasks[2].key}-0.pgna.work")).mkdir()
    report = pack(spark, files, tmp_path / "all.pgna", level="fast", task_bytes=1)
    assert report.resumed == 2
    assert (tmp_path / "all.pgna").read_bytes() == whole
    assert not Path(store.folder).exists()


def test_a_file_that_has_changed_is_packed_again(
    spark: SparkSession, folder: Path
) -> None:
    Path("in").mkdir()
    Path("in/a.pgn").write_bytes(b"1. e4 *\n")
    options = {"level": "fast", "codec": None, "index": "openings"}
    task = _tasks.divided(
        find_files([str(folder / "in")], (".pgn",), None), 1, options
    )[0]
    _tasks.run(task, Store(str(folder / "out.pgna.parts"), None), True)
    Path("in/a.pgn").write_bytes(b"1. d4 *\n")
    assert pack(spark, folder / "in", folder / "out.pgna", level="fast").resumed == 0
    assert pgna.open("out.pgna")[0].san == ["d4"]


def test_a_task_that_fails_changes_nothing(spark: SparkSession, folder: Path) -> None:
    Path("in").mkdir()
    Path("in/a.pgn").write_bytes(b"1. e4 *\n")
    Path("in/b.pgn.gz").write_bytes(gzip.compress(b"1. d4 *\n" * 1000)[:-20])
    Path("out.pgna").write_bytes(b"as it was")
    with pytest.raises(Exception, match=r"b\.pgn"):
        pack(
            spark,
            folder / "in",
            folder / "out.pgna",
            level="fast",
            task_bytes=1,
            force=True,
        )
    assert Path("out.pgna").read_bytes() == b"as it was"
    with pytest.raises(FileExistsError, match=r"out\.pgna: already exists"):
        pack(spark, folder / "in", folder / "out.pgna")


def test_names_that_repeat_are_refused(spark: SparkSession, folder: Path) -> None:
    Path("some/games.pgn.gz").write_bytes(gzip.compress(b"1. d4 *\n"))
    with pytest.raises(
        ValueError, match=r"games\.pgn\.gz: has the same name as .*games\.pgn"
    ):
        pack(spark, ["games.pgn", "some"], folder / "out.pgna")


def test_urls_are_packed(spark: SparkSession, folder: Path) -> None:
    pytest.importorskip("fsspec")
    Path("some/z.pgn.gz").write_bytes(gzip.compress(b"1. d4 *\n"))
    url = f"local://{folder}"
    report = pack(
        spark,
        f"{url}/some/*",
        f"{url}/out.pgna",
        level="fast",
        staging=f"{url}/staging",
    )
    assert pgna.open("out.pgna").sources[-1] == pgna.Source("z.pgn", 1, 8)
    assert report.sources == len(list(Path("some").iterdir()))


# Writing a frame.


def test_games_are_written(spark: SparkSession, samples: Path, tmp_path: Path) -> None:
    archive = pgna.open(samples)
    frame = games(spark, samples, ["pgn"], partition_games=300, where="plies > 20")
    assert frame.rdd.getNumPartitions() > 1
    out = tmp_path / "out.pgna"
    frame.write.format("pgna").option("level", "fast").mode("append").save(str(out))
    expected = [game.pgn_bytes.strip() for game in archive.find("plies > 20")]
    assert [game.pgn_bytes.strip() for game in pgna.open(out)] == expected
    assert [it.name for it in tmp_path.iterdir()] == ["out.pgna"]
    assert pgna.open(out).sources[0].name == "part-00000.pgn"
    with pytest.raises(Exception, match=r"out\.pgna: already exists"):
        frame.write.format("pgna").mode("append").save(str(out))
    # Text, in another order, over the archive.
    texts = frame.selectExpr("cast(pgn as string) as pgn").orderBy("pgn").limit(5)
    texts.write.format("pgna").option("level", "fast").mode("overwrite").save(str(out))
    assert len(pgna.open(out)) == 5


def test_frames_that_are_not_written(
    spark: SparkSession, samples: Path, tmp_path: Path
) -> None:
    out = str(tmp_path / "out.pgna")
    for columns, message in (
        (
            ["number", "pgn"],
            "the column pgn alone is written; the frame has number, pgn",
        ),
        (["number"], "the column pgn alone is written"),
    ):
        frame = games(spark, samples, columns)
        with pytest.raises(Exception, match=message):
            frame.write.format("pgna").mode("append").save(out)
    frame = spark.sql("select cast(null as string) as pgn union all select '1. e4 *'")
    with pytest.raises(Exception, match="pgn is null"):
        frame.write.format("pgna").mode("append").save(out)
    assert list(tmp_path.iterdir()) == []
