"""The PGN archive: a chess collection in a fraction of the space, lossless.

>>> with pgna.open("games.pgna") as archive:
...     for game in archive.find("Result = 1-0"):
...         print(game.number, game.headers["White"])
1 Morphy, Paul
3 Kasparov, Garry

Games are numbered from 1, as everywhere in pgna: ``archive.game(1)``, ``game.number``. An archive
is also a Python sequence, whose indexes begin at 0: ``archive[0].number == 1``.
"""

from __future__ import annotations

import os as _os

from ._errors import (
    DamagedError,
    LimitError,
    ModelError,
    PgnaError,
    SignatureError,
    VersionError,
)
from ._pgna import Archive, Batch, Game, Scan, append, merge, open, pack, unpack
from ._pgna import after_fork as _after_fork
from ._pgna import column_names as _column_names
from ._types import MATE, Comment, Nag, PackReport, Source, Variation, mate_in

#: The names of the columns of a scan; names of other tags are columns too.
COLUMNS: tuple[str, ...] = tuple(_column_names(False))

#: The names of the columns that a scan has by default.
DEFAULT_COLUMNS: tuple[str, ...] = tuple(_column_names(True))

if hasattr(_os, "register_at_fork"):
    _os.register_at_fork(after_in_child=_after_fork)

__version__ = "0.1.0"

__all__ = [
    "COLUMNS",
    "DEFAULT_COLUMNS",
    "MATE",
    "Archive",
    "Batch",
    "Comment",
    "DamagedError",
    "Game",
    "LimitError",
    "ModelError",
    "Nag",
    "PackReport",
    "PgnaError",
    "Scan",
    "SignatureError",
    "Source",
    "Variation",
    "VersionError",
    "append",
    "mate_in",
    "merge",
    "open",
    "pack",
    "unpack",
]
