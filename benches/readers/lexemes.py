"""Games and lexemes of PGN, by section 10 of spec/pgn.md.

python-chess ends a game at a blank line. This module cuts a source into the games that the
specification defines, so that games pair up by number, and splits a game into tokens whose
concatenation is its text. It shares no code with pgna.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

_LINE_START = rb"(?:(?<![^\r\n])|(?<=\A\xef\xbb\xbf)|(?<=[\r\n]\xef\xbb\xbf))"
_WORD_END = rb"(?=[ \t\r\n.{}()!?$;]|\Z)"
# A value ends with the first `"` before a `]` that is not escaped, else with the first of all.
_TAG_VALUE = (
    rb'(?:"(?P<escaped>(?:\\[^\r\n]|[^"\\\r\n]|"(?![ \t]*\]))*)"'
    rb'|"(?P<plain>(?:[^"\r\n]|"(?![ \t]*\]))*)")[ \t]*\]'
)
_TOKEN = re.compile(
    rb"(?P<space>[ \t\r\n.]+)"
    rb"|(?P<move>(?:[NBRQK]?[a-h]?[1-8]?x?[a-h][1-8](?:=?[NBRQK])?"
    rb"|O-O-O|O-O|0-0-0|0-0|--|Z0|[PNBRQK]?@[a-h][1-8])[+#]*" + _WORD_END + rb")"
    rb"|(?P<comment>\{[^}]*\})"
    rb"|(?P<brace>\{)"
    rb"|(?P<result>(?:1-0|0-1|1/2-1/2|\*)" + _WORD_END + rb")"
    rb"|(?P<number>[0-9]+)"
    rb"|(?P<nag>\$(?:0|[1-9][0-9]?|1[0-9][0-9]|2[0-4][0-9]|25[0-5])(?![0-9]))"
    rb"|(?P<dollar>\$[0-9]*)"
    rb"|(?P<glyph>[!?]{1,2})"
    rb"|(?P<open>\()"
    rb"|(?P<close>\))"
    rb"|(?P<line_comment>;[^\r\n]*)"
    rb"|" + _LINE_START + rb"(?:"
    rb"(?P<tag>\[(?P<name>[A-Za-z0-9_]{1,255})[ \t]*" + _TAG_VALUE + rb")"
    rb"|(?P<bracket>\[)"
    rb"|(?P<mark>\xef\xbb\xbf)"
    rb"|(?P<percent>%[^\r\n]*))"
    rb"|(?P<word>[^ \t\r\n.{}()!?$;]+|.)",
    re.DOTALL,
)


class Token(NamedTuple):
    """A stretch of a game. `name` and `value`, escapes resolved, are those of a tag pair."""

    kind: str
    text: bytes
    name: bytes = b""
    value: bytes = b""


@dataclass
class Game:
    """The place of a game in its source."""

    start: int
    end: int


def tokens(text: bytes) -> list[Token]:
    """The tokens of a text; their concatenation is the text."""
    return [_token(found) for found in _TOKEN.finditer(text)]


def _token(found: re.Match[bytes]) -> Token:
    kind = found.lastgroup if found["tag"] is None else "tag"
    if kind != "tag":
        return Token(kind, found[0])
    value = found["escaped"] if found["escaped"] is not None else found["plain"]
    return Token(kind, found[0], found["name"], unescape(value))


def unescape(value: bytes) -> bytes:
    """A tag's value with escapes resolved."""
    return re.sub(rb"\\(.)", rb"\1", value, flags=re.DOTALL)


@dataclass
class _Record:
    """The state of a record that is being scanned."""

    start: int
    is_game: bool = False
    has_body: bool = False
    has_ended: bool = False
    depth: int = 0
    first_tag: bytes | None = None

    def ends_before_tag(self, name: bytes, start: int) -> bool:
        is_preceded = not self.is_game and start > self.start
        return self.has_body or is_preceded or self.first_tag == name

    def add_tag(self, name: bytes) -> None:
        self.is_game = True
        if self.first_tag is None:
            self.first_tag = name

    def add_move(self) -> None:
        self.is_game = True
        self.has_body = True

    def add_result(self) -> None:
        self.has_body = True
        self.has_ended |= self.depth == 0


def games(source: bytes) -> Iterator[Game]:
    """The games of a source, in order."""
    record = _Record(0)
    number = None
    for found in _TOKEN.finditer(source):
        kind = found.lastgroup
        if kind == "space":
            continue
        start = found.start()
        if kind == "move":
            if record.has_ended:
                yield from _game(record, start if number is None else number)
                record = _Record(start if number is None else number)
            record.add_move()
        elif kind == "number":
            number = start if number is None else number
            continue
        elif kind == "result":
            record.add_result()
        elif kind == "open":
            record.depth += 1
        elif kind == "close":
            record.depth -= record.depth > 0
        elif found["tag"] is not None:
            if record.ends_before_tag(found["name"], start):
                yield from _game(record, start)
                record = _Record(start)
            record.add_tag(found["name"])
        elif kind not in ("nag", "glyph", "comment", "line_comment"):
            continue
        number = None
    yield from _game(record, len(source))


def _game(record: _Record, end: int) -> Iterator[Game]:
    if record.is_game:
        yield Game(record.start, end)
