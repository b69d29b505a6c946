from collections.abc import Callable, Iterable, Iterator, Mapping
from os import PathLike
from types import TracebackType
from typing import Any, Literal, Protocol, TypeAlias, final, overload

import chess.pgn

from ._errors import DamagedError
from ._types import Comment, Nag, PackReport, Source, Variation

__all__ = [
    "Archive",
    "Batch",
    "Batches",
    "Game",
    "Hits",
    "Scan",
    "after_fork",
    "append",
    "column_names",
    "load_model",
    "merge",
    "open",
    "pack",
    "run",
    "unpack",
]

class _Readable(Protocol):
    def read(self, size: int, /) -> bytes: ...

class _Seekable(_Readable, Protocol):
    def seek(self, offset: int, whence: int = 0, /) -> int: ...

_Path: TypeAlias = str | PathLike[str]
_Source: TypeAlias = _Path | _Readable | tuple[str, _Readable]
_Level: TypeAlias = Literal["fast", "default", "max"]
_Index: TypeAlias = Literal["none", "openings", "full"]
_OnDamage: TypeAlias = Literal["raise"] | Callable[[DamagedError], object]

@final
class Archive:
    @property
    def path(self) -> str | None: ...
    @property
    def sources(self) -> tuple[Source, ...]: ...
    @property
    def digests(self) -> tuple[str, ...]: ...
    @property
    def warnings(self) -> list[str]: ...
    @property
    def closed(self) -> bool: ...
    def game(self, number: int, /) -> Game: ...
    def find(
        self,
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
        limit: int | None = None,
    ) -> Hits: ...
    def scan(
        self,
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
        on_damage: _OnDamage = "raise",
    ) -> Scan: ...
    def segments(self) -> list[range]: ...
    def blocks(self, segment: int) -> list[range]: ...
    def verify(self) -> None: ...
    def close(self) -> None: ...
    def __len__(self) -> int: ...
    @overload
    def __getitem__(self, index: int, /) -> Game: ...
    @overload
    def __getitem__(self, index: slice, /) -> list[Game]: ...
    def __iter__(self) -> Iterator[Game]: ...
    def __reversed__(self) -> Iterator[Game]: ...
    def __reduce__(self) -> tuple[Any, ...]: ...
    def __enter__(self) -> Archive: ...
    def __exit__(
        self,
        exc_type: type[BaseException] | None = None,
        exc_value: BaseException | None = None,
        traceback: TracebackType | None = None,
        /,
    ) -> None: ...

@final
class Game:
    @property
    def number(self) -> int: ...
    @property
    def ply(self) -> int | None: ...
    @property
    def headers(self) -> dict[str, str]: ...
    @property
    def pgn(self) -> str: ...
    @property
    def pgn_bytes(self) -> bytes: ...
    @property
    def moves(self) -> memoryview: ...
    @property
    def san(self) -> list[str]: ...
    @property
    def uci(self) -> list[str]: ...
    @property
    def clocks(self) -> list[int | None]: ...
    @property
    def evals(self) -> list[int | None]: ...
    @property
    def comments(self) -> list[Comment]: ...
    @property
    def nags(self) -> list[Nag]: ...
    @property
    def variations(self) -> list[Variation]: ...
    def board(self, ply: int | None = None) -> str: ...
    def chess(self) -> chess.pgn.Game: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Hits:
    def __iter__(self) -> Hits: ...
    def __next__(self) -> Game: ...

@final
class Scan:
    @property
    def columns(self) -> list[str]: ...
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> Any: ...
    def __arrow_c_schema__(self) -> Any: ...
    def __iter__(self) -> Batches: ...

@final
class Batches:
    def __iter__(self) -> Batches: ...
    def __next__(self) -> Batch: ...

@final
class Batch:
    @property
    def columns(self) -> list[str]: ...
    def __arrow_c_array__(
        self, requested_schema: object | None = None
    ) -> tuple[Any, Any]: ...
    def __len__(self) -> int: ...

def open(
    source: _Path | _Seekable,
    /,
    *,
    encoding: str = "windows-1252",
    storage_options: Mapping[str, Any] | None = None,
) -> Archive: ...
def pack(
    sources: _Source | Iterable[_Source],
    output: _Path,
    *,
    level: _Level = "default",
    codec: str | None = None,
    index: _Index = "openings",
    force: bool = False,
) -> PackReport: ...
def append(
    archive: _Path,
    sources: _Source | Iterable[_Source],
    *,
    level: _Level = "default",
    codec: str | None = None,
    index: _Index | None = None,
) -> PackReport: ...
def merge(
    archives: Iterable[_Path | Archive], output: _Path, *, force: bool = False
) -> None: ...
def unpack(
    archive: _Path | _Seekable | Archive, folder: _Path, *, force: bool = False
) -> None: ...
def after_fork() -> None: ...
def run(args: list[str]) -> int: ...
def load_model(level: str, weights: bytes) -> None: ...
def column_names(is_default: bool) -> list[str]: ...
