"""Archives as lazy frames of Polars.

>>> import polars as pl
>>> from pgna.polars import scan_pgna
>>> games = scan_pgna("games.pgna").filter(pl.col("WhiteElo") > 2800)
>>> games.select("number", "White").collect().rows()
[(2, 'Carlsen, Magnus')]
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from os import PathLike
from typing import Any, Literal

import polars as pl
from polars.io.plugins import register_io_source

from ._errors import DamagedError
from ._filters import Narrowing
from ._pgna import Archive, Scan
from ._pgna import open as _open
from ._pushdown import narrowing

__all__ = ["scan_pgna"]


def scan_pgna(
    source: str | PathLike[str] | Archive,
    columns: Iterable[str] | None = None,
    where: str | None = None,
    *,
    fen: str | None = None,
    after: str | None = None,
    material: str | None = None,
    pattern: str | None = None,
    position: str | None = None,
    pieces_only: bool = False,
    mirror: bool = False,
    flip: bool = False,
    variations: bool = False,
    games: range | None = None,
    on_damage: Literal["raise"] | Callable[[DamagedError], object] = "raise",
    storage_options: Mapping[str, Any] | None = None,
) -> pl.LazyFrame:
    """The games of an archive as a lazy frame. The arguments are those of ``Archive.scan``; those
    of ``pgna.open`` are ``source``, which may be a URL, and ``storage_options``.

    Only the columns that the frame needs are decoded, and reading ends after the rows that it
    needs. Of a filter of the frame, what pgna can test before it decodes games narrows the scan:
    comparisons of tags, dates, ``ply_count`` and ``number`` with constants, ``is_in``,
    ``is_between``, ``is_not_null``, and text that a tag contains, joined by ``&`` and ``|``. The
    whole filter is applied to what is read, so the result never depends on that.
    """
    if isinstance(source, Archive):
        if storage_options is not None:
            raise ValueError("storage_options are for URLs, not for an open archive")
        archive = source
    else:
        archive = _open(source, storage_options=storage_options)

    def scan(names: Iterable[str] | None, narrowed: Narrowing) -> Scan:
        return archive.scan(
            names,
            narrowed.filter_with(where),
            fen=fen,
            after=after,
            material=material,
            pattern=pattern,
            position=position,
            pieces_only=pieces_only,
            mirror=mirror,
            flip=flip,
            variations=variations,
            games=narrowed.games_within(games, len(archive)),
            on_damage=on_damage,
        )

    def read(
        with_columns: list[str] | None,
        predicate: pl.Expr | None,
        n_rows: int | None,
        batch_size: int | None,
    ) -> Iterator[pl.DataFrame]:
        wanted = all_columns if with_columns is None else with_columns
        needed = [] if predicate is None else predicate.meta.root_names()
        narrowed = Narrowing()
        # Rows are counted before the predicate: none that it rejects may be left out then.
        if predicate is not None and n_rows is None:
            narrowed = narrowing(predicate, schema)
        names = list(dict.fromkeys([*wanted, *needed]))
        try:
            found = scan(names, narrowed)
        except ValueError:  # The filter is nested too deep.
            found = scan(names, Narrowing())
        for batch in found:
            frame = pl.DataFrame(batch)
            if n_rows is not None:
                frame = frame.head(n_rows)
                n_rows -= frame.height
            if predicate is not None:
                frame = frame.filter(predicate)
            yield frame.select(wanted)
            if n_rows == 0:
                break

    # Wrong arguments are errors here, not when the frame is collected.
    all_columns = scan(columns, Narrowing()).columns
    schema = pl.DataFrame(archive.scan(all_columns, games=range(0))).schema
    return register_io_source(read, schema=schema, is_pure=on_damage == "raise")
