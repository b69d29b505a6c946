"""The exceptions of the package."""

from __future__ import annotations

from collections.abc import Sequence


class PgnaError(Exception):
    """An error of an archive. Errors of the system are ``OSError``, wrong arguments
    ``ValueError`` or ``TypeError``, and games that do not exist ``IndexError``.
    """


class SignatureError(PgnaError):
    """The file is not a PGN archive."""


class DamagedError(PgnaError):
    """The archive is damaged."""

    #: The numbers of the games that cannot be read, if it is known.
    games: range | None
    #: The names of the files that cannot be unpacked.
    sources: list[str]

    def __init__(
        self,
        message: str,
        games: tuple[int, int] | None = None,
        sources: Sequence[str] = (),
    ) -> None:
        super().__init__(message)
        self.games = None if games is None else range(*games)
        self.sources = list(sources)


class VersionError(PgnaError):
    """The archive was made by another version of pgna."""


class ModelError(VersionError):
    """The archive needs a move model that is not installed."""


class LimitError(PgnaError):
    """The archive would take more memory or time than an untrusted file may."""
