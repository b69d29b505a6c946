"""The options of a reader and a writer: texts, as Spark passes them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

#: The options that are conditions of `Archive.scan`: texts, and switches.
CONDITIONS = ("where", "fen", "after", "material", "pattern", "position")
SWITCHES = ("pieces_only", "mirror", "flip", "variations")

#: The other options of a reader.
OTHERS = (
    "columns",
    "encoding",
    "on_damage",
    "partition_games",
    "path",
    "paths",
    "storage_options",
)

#: The options of a writer.
WRITER = (
    "codec",
    "index",
    "level",
    "path",
    "staging",
    "storage_options",
    "verify",
)

#: The games of a partition, unless the option says it. Few segments have more: they have 128 MiB of
#: text.
PARTITION_GAMES = 200_000


@dataclass(frozen=True)
class ReadOptions:
    """The options of a reader."""

    paths: tuple[str, ...]
    columns: tuple[str, ...] | None
    #: Arguments of `Archive.scan`.
    conditions: Mapping[str, Any]
    encoding: str
    skips_damage: bool
    partition_games: int
    storage_options: Mapping[str, Any] | None


@dataclass(frozen=True)
class WriteOptions:
    """The options of a writer."""

    path: str
    #: Arguments of `pgna.pack`.
    pack: Mapping[str, Any]
    staging: str | None
    verify: bool
    storage_options: Mapping[str, Any] | None


def read_options(options: Mapping[str, str]) -> ReadOptions:
    """The options of a reader from texts."""
    check_names(options, (*CONDITIONS, *SWITCHES, *OTHERS))
    conditions: dict[str, Any] = {it: options[it] for it in CONDITIONS if it in options}
    conditions |= {it: switch(it, options[it]) for it in SWITCHES if it in options}
    columns = options.get("columns")
    return ReadOptions(
        paths=paths_of(options),
        columns=None if columns is None else names_of(columns),
        conditions=conditions,
        encoding=options.get("encoding", "windows-1252"),
        skips_damage=skips(options.get("on_damage", "raise")),
        partition_games=count(options.get("partition_games")),
        storage_options=storage_options(options.get("storage_options")),
    )


def write_options(options: Mapping[str, str]) -> WriteOptions:
    """The options of a writer from texts."""
    check_names(options, WRITER)
    if "path" not in options:
        raise ValueError('no path: .save("games.pgna")')
    return WriteOptions(
        path=options["path"],
        pack={
            "level": options.get("level", "default"),
            "codec": options.get("codec"),
            "index": options.get("index", "openings"),
        },
        staging=options.get("staging"),
        verify=switch("verify", options.get("verify", "true")),
        storage_options=storage_options(options.get("storage_options")),
    )


def check_names(options: Mapping[str, str], known: tuple[str, ...]) -> None:
    """Refuses an option that does not exist: it could be a condition that is misspelled."""
    for name in options:
        if name.lower() not in known:
            raise ValueError(f"option {name}: not one of {', '.join(sorted(known))}")


def paths_of(options: Mapping[str, str]) -> tuple[str, ...]:
    """The paths of `load`: one, or several as JSON."""
    if "path" in options:
        return (options["path"],)
    paths = json.loads(options.get("paths", "[]"))
    if not paths:
        raise ValueError('no path: .load("games.pgna")')
    return tuple(paths)


def names_of(columns: str) -> tuple[str, ...]:
    """The names of columns, between commas."""
    names = tuple(name.strip() for name in columns.split(",") if name.strip())
    if not names:
        raise ValueError('option columns: no names; write them as "number, White"')
    return names


def switch(name: str, text: str) -> bool:
    if text.lower() not in ("true", "false"):
        raise ValueError(f"option {name}: {text!r} is not true or false")
    return text.lower() == "true"


def skips(text: str) -> bool:
    if text not in ("raise", "skip"):
        raise ValueError(f"option on_damage: {text!r} is not raise or skip")
    return text == "skip"


def count(text: str | None) -> int:
    if text is None:
        return PARTITION_GAMES
    if not text.isdecimal() or int(text) == 0:
        raise ValueError(f"option partition_games: {text!r} is not a number from 1")
    return int(text)


def storage_options(text: str | None) -> Mapping[str, Any] | None:
    if text is None:
        return None
    options = json.loads(text)
    if not isinstance(options, dict):
        raise ValueError("option storage_options: not a JSON object")  # noqa: TRY004
    return options
