"""Seconds for the columns of all games: pgna's package beside other readers, in one run.

    python times.py --pgna target/release/pgna games.pgn.zst > times.md

Each measurement is a process of its own; the least of some rounds counts. Prints Markdown.
"""

import argparse
import io
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import zstandard

import lexemes
from schema import SCHEMA
from sources import Collection, Program, open_collection

TAGS = ["White", "Black", "Result", "Date"]
SETS = {"four tags": TAGS, "tags and moves": [*TAGS, "moves"], "everything": None}
LEVELS = {
    "radix": ["--codec", "radix"],
    "fast": ["--level", "fast"],
    "default": ["--level", "default"],
}
# The variable that gives the program's path to the processes that measure.
PROGRAM = "PGNA_PROGRAM"
_PYTHON_CHESS_GAMES = 500


@dataclass
class Reading:
    """What the clock is to measure. `slices` such readings would read all games."""

    run: Callable[[], object]
    slices: float = 1


def _names(columns: str) -> list[str]:
    return SETS[columns] or SCHEMA.names


def by_pgna(path: Path, columns: str, threads: int) -> Reading:
    import pgna
    import pyarrow

    # pyarrow imports pandas, if it is installed, when it first takes a table.
    pyarrow.table(pgna.open(str(path)).scan(columns=["number"], games=range(0)))
    return Reading(lambda: pyarrow.table(pgna.open(str(path)).scan(columns=_names(columns))))


def by_program(path: Path, columns: str, threads: int) -> Reading:
    """The program, which writes an Arrow file."""
    out = path.with_suffix(".times.arrow")
    command = [os.environ[PROGRAM], "export", "-q", "-f", path, "-o", out, "-T", str(threads)]
    command += ["--columns", ",".join(_names(columns))]
    return Reading(lambda: subprocess.run(command, check=True))


def by_duckdb(path: Path, columns: str, threads: int) -> Reading:
    import duckdb
    import pyarrow  # noqa: F401, imported by DuckDB otherwise

    duckdb.execute(f"set threads = {threads}")
    names = ", ".join(f'"{name}"' for name in _names(columns))
    query = f"select {names} from read_parquet(?)"
    return Reading(lambda: duckdb.execute(query, [str(path)]).to_arrow_table())


def by_duckdb_extension(path: Path, columns: str, threads: int) -> Reading:
    """The extension gives moves as text only."""
    import duckdb

    duckdb.execute("install chess from community")
    duckdb.execute("load chess")
    duckdb.execute(f"set threads = {threads}")
    moves = [*TAGS, "movetext"]
    names = {"four tags": TAGS, "tags and moves": moves}.get(columns, ["*"])
    query = f"select {', '.join(names)} from read_pgn(?)"
    return Reading(lambda: duckdb.execute(query, [str(path)]).to_arrow_table())


def by_rust_pgn_reader(path: Path, columns: str, threads: int) -> Reading:
    """The games are cut and in memory when the clock starts: the package reads no files."""
    import pyarrow
    import rust_pgn_reader_python_binding as binding

    texts = pyarrow.chunked_array([[text.decode("utf-8", "replace") for text in _texts(path)]])
    has_comments = columns == "everything"
    return Reading(
        lambda: binding.parse_games(texts, num_threads=threads, store_comments=has_comments)
    )


def by_python_chess(path: Path, columns: str, threads: int) -> Reading:
    """A slice of the games, spread over all of them."""
    import chess.pgn

    import reference

    def game_of(text: bytes) -> io.StringIO:
        return io.StringIO(reference.lossless(text), newline=None)

    def moves(text: bytes) -> list[int]:
        game = chess.pgn.read_game(game_of(text))
        return [reference.bits(move) for move in game.mainline_moves()]

    reads = {
        "four tags": lambda text: chess.pgn.read_headers(game_of(text)),
        "tags and moves": moves,
        "everything": reference.read,
    }
    texts = _texts(path)
    some = texts[:: max(1, len(texts) // _PYTHON_CHESS_GAMES)]
    return Reading(lambda: list(map(reads[columns], some)), len(texts) / len(some))


def _texts(path: Path) -> list[bytes]:
    source = path.read_bytes()
    return [source[game.start : game.end] for game in lexemes.games(source)]


@dataclass(frozen=True)
class Reader:
    """A reader, the file that it reads and whether it uses more than one thread."""

    name: str
    prepare: Callable[[Path, str, int], Reading]
    file: str
    has_threads: bool = True


READERS = {
    **{
        f"pgna-{level}": Reader(f"pgna, package, `{level}`", by_pgna, f"{level}.pgna")
        for level in LEVELS
    },
    **{
        f"export-{level}": Reader(f"pgna export to Arrow, `{level}`", by_program, f"{level}.pgna")
        for level in LEVELS
    },
    "duckdb": Reader("DuckDB, pgna's Parquet", by_duckdb, "parquet"),
    "extension": Reader("DuckDB, extension `chess`, PGN", by_duckdb_extension, "pgn"),
    "rust": Reader("rust-pgn-reader-python-binding, PGN in memory", by_rust_pgn_reader, "pgn"),
    "python-chess": Reader("python-chess, PGN, scaled", by_python_chess, "pgn", has_threads=False),
}


def measure(name: str, columns: str, threads: str, path: str) -> None:
    """Reads in this process, and prints the seconds."""
    reading = READERS[name].prepare(Path(path), columns, int(threads))
    start = time.perf_counter()
    reading.run()
    print((time.perf_counter() - start) * reading.slices)


def seconds(name: str, path: Path, columns: str, threads: int, rounds: int) -> float | None:
    """The least seconds of some rounds; `None` if the reader fails, for example to be installed."""
    variables = ["RAYON_NUM_THREADS", "POLARS_MAX_THREADS", "OMP_NUM_THREADS"]
    environment = os.environ | dict.fromkeys(variables, str(threads))
    command = [sys.executable, __file__, "--measure", name, columns, str(threads), str(path)]
    found = []
    for _ in range(rounds):
        run = subprocess.run(command, env=environment, capture_output=True, text=True)
        if run.returncode:
            print(f"{name}: {run.stderr.strip().splitlines()[-1]}", file=sys.stderr)
            return None
        found.append(float(run.stdout))
    return min(found)


def files_of(collection: Collection, source: Path, pgna: Program) -> dict[str, Path]:
    """The files that are read and measured, by their kinds."""
    folder = collection.archive.parent
    files = {"pgn": source}
    for level, options in LEVELS.items():
        files[f"{level}.pgna"] = folder / f"{level}.pgna"
        pgna.run("pack", "-q", "-f", source, "-o", files[f"{level}.pgna"], *options)
    for kind in ("parquet", "csv"):
        files[kind] = folder / f"all.{kind}"
        options = ["--to", kind, "--columns", "all", "-o", files[kind], "-f"]
        pgna.run("export", "-q", files["radix.pgna"], *options)
    files["zstd -19 of the PGN"] = folder / "source.zst"
    compressor = zstandard.ZstdCompressor(level=19, threads=-1)
    files["zstd -19 of the PGN"].write_bytes(compressor.compress(source.read_bytes()))
    return files


def table_of_sizes(files: dict[str, Path], games: int) -> Iterator[str]:
    yield "| file | bytes | bytes a game |"
    yield "|---|---|---|"
    for kind, path in files.items():
        size = path.stat().st_size
        yield f"| {kind} | {size:,} | {size / games:,.1f} |"


def table_of_times(files: dict[str, Path], rounds: int) -> Iterator[str]:
    yield "| reader | threads | " + " | ".join(SETS) + " |"
    yield "|---|---|" + "---|" * len(SETS)
    for name, reader in READERS.items():
        for threads in [1, os.cpu_count()] if reader.has_threads else [1]:
            path = files[reader.file]
            cells = []
            for columns in SETS:
                found = seconds(name, path, columns, threads, rounds)
                if found is None:
                    break
                cells.append(f"{found:.3g}")
            if cells:
                yield f"| {reader.name} | {threads} | " + " | ".join(cells) + " |"


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("input", type=Path, help="one file of PGN, or a folder of one")
    parser.add_argument("--pgna", default="target/release/pgna", help="the program")
    parser.add_argument("--work", type=Path, default=Path("target/readers"))
    parser.add_argument("--megabytes", type=float, help="only so many of the file")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--bench", type=Path, help="output of `cargo bench --bench columns`")
    return parser.parse_args()


def main() -> None:
    if sys.argv[1:2] == ["--measure"]:
        measure(*sys.argv[2:])
        return
    options = arguments()
    pgna = Program(options.pgna)
    os.environ[PROGRAM] = options.pgna
    collection = open_collection(
        options.input, options.work, pgna, options.megabytes, LEVELS["radix"]
    )
    source = collection.archive.with_name("source.pgn")
    source.write_bytes(b"".join(text for _, text in collection.files))
    games = len(_texts(source))
    files = files_of(collection, source, pgna)
    print(f"{collection.name}: {games:,} games, {os.cpu_count()} cores.")
    print(f"Seconds for the columns of all games, least of {options.rounds}.\n")
    print(*table_of_times(files, options.rounds), sep="\n", end="\n\n")
    print(*table_of_sizes(files, games), sep="\n")
    if options.bench:
        print(
            "\n`cargo bench --bench columns`:\n\n```text",
            options.bench.read_text(),
            "```",
            sep="\n",
        )


if __name__ == "__main__":
    main()
