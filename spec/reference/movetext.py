"""From the stored parts of a movetext to its nodes. pgn.md, section 4."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Iterator

from .annotations import (CLOSE, NULL_MARK, OPEN, RESULT, Field, Mark, Notation, Text,
                          read_marks)
from .base import PLIES_LIMIT, Bytes, require
from .chess import NULL, Ply, Position, Variant, pass_turn, play
from .codecs import MODEL, RADIX_END, Digits, decode, decode_radix_end
from .fen import read_fen, start_position
from .layout import PLY, Node
from .lines import LineReader, Lines
from .model import Coder, GameData, Model, State

Tags = list[tuple[bytes, bytes]]


@dataclass
class Parts:
    """The stored parts of a movetext. Section 4."""

    start: int
    plies: int
    codec: int
    moves: bytes
    variation_plies: int
    variations: bytes
    marks: bytes
    lines: bytes
    prose: bytes
    default_spelling: int
    exceptions: bytes
    result: int


@dataclass
class Context:
    """What the tables of a segment contribute to movetexts."""

    notation: Notation
    lines: Lines
    model: Model | None


@dataclass
class Step:
    """A place in a line: the ply that leads there, and the place before it."""

    position: Position
    ply: Ply = NULL
    previous: Step | None = None
    state: State | None = None  # of the model, if one codes the moves


@dataclass
class Movetext:
    """The nodes, and the positions of the main line from the start position on."""

    start: Position
    nodes: list[Node]
    main_line: list[Position]


def tag_value(tags: Tags, name: bytes) -> bytes | None:
    """The value of the first tag pair with a name."""
    return next((value for tag, value in tags if tag == name), None)


def read_start(start: int, tags: Tags) -> Position:
    """ "Start"."""
    variant, chess960 = start // 4, bool(start & 2)
    require(variant <= Variant.HORDE, "unknown variant")
    if not start & 1:
        return start_position(Variant(variant), chess960)
    fen = tag_value(tags, b"FEN")
    require(fen is not None, "no tag FEN")
    return read_fen(fen, Variant(variant), chess960)


def rating(value: bytes | None) -> int | None:
    """ "Variations"."""
    return int(value) or None if value and re.fullmatch(rb"[0-9]{1,4}", value) else None


def read_spellings(exceptions: bytes, default: int, n: int) -> list[int]:
    """ "Exceptions"."""
    spellings, reader, ply = [default] * n, Bytes(exceptions), -1
    while reader.more():
        ply += 1 + reader.varint()
        require(ply < n, "exception of a ply that does not exist")
        spellings[ply] = reader.byte()
    return spellings


def main_plies(groups: list[list[Mark]], plies: int) -> tuple[list[bool], list[int]]:
    """Whether each ply is of the main line; which plies of the main line are null moves."""
    is_main: list[bool] = []
    nulls: list[int] = []
    depth = main = 0
    for i, group in enumerate(groups):
        for mark in group:
            depth += (mark.kind == OPEN) - (mark.kind == CLOSE)
            require(depth >= 0, "close without an open variation")
            require(mark.kind != NULL_MARK or mark is group[-1] and i + 1 < len(groups), "misplaced mark null")
        if i + 1 < len(groups):
            is_main.append(depth == 0)
            if depth == 0:
                if is_null(group):
                    nulls.append(main)
                main += 1
    require(main == plies, "plies of the main line")
    return is_main, nulls


def is_null(group: list[Mark]) -> bool:
    """Whether the ply after a group is a null move."""
    return bool(group) and group[-1].kind == NULL_MARK


def read_movetext(parts: Parts, tags: Tags, context: Context, bound: int) -> Movetext:
    """ "Assembly"."""
    start = read_start(parts.start, tags)
    line: list[Ply] | None = None
    plies, result = parts.plies, parts.result
    if parts.codec == RADIX_END:
        require(plies == 0 and result == 0, "radix-end has its plies and result in its moves")
        line, number = decode_radix_end(parts.moves, [], start)
        plies, result = len(line), 1 + number
    n = plies + parts.variation_plies
    require(n <= min(bound, PLIES_LIMIT), "too many plies")
    groups = read_marks(context.notation, parts.marks, parts.prose, n, tag_value(tags, b"TimeControl"), bound)
    is_main, nulls = main_plies(groups, plies)
    coder = None
    if parts.codec == RADIX_END:
        require(not nulls, "null moves in radix-end")
    elif plies == 0:
        require(parts.codec == 0 and not parts.moves, "moves without plies")
        line = []
    elif parts.codec == MODEL:
        model = context.model
        require(model is not None, "codec model without a model")
        require(not parts.variations, "variations outside the moves of a model")
        coder = Coder(model, game_data(tags, result, plies), parts.moves)
    else:
        line = decode(parts.codec, parts.moves, plies, nulls, start)
    spellings = read_spellings(parts.exceptions, parts.default_spelling, n)
    walk = Walk(start, coder, iter(line or []), Digits(parts.variations), is_main, spellings)
    walk.run(groups)
    if coder:
        coder.stream.finish()
    walk.digits.end()
    read_lines(walk, parts.lines, context.lines, coder, bound)
    if result:
        walk.nodes.append(Node(RESULT + result - 1))
    return Movetext(start, walk.nodes, walk.main_line)


def game_data(tags: Tags, result: int, plies: int) -> GameData:
    """What the model knows of a game. "Variations"; models.md, "The context", "Book"."""
    names = (tag_value(tags, b"White") or b"", tag_value(tags, b"Black") or b"")
    ratings = (rating(tag_value(tags, b"WhiteElo")), rating(tag_value(tags, b"BlackElo")))
    return GameData(ratings, result - 1 if 1 <= result <= 3 else None, plies, names)


@dataclass
class Walk:
    """Plays a movetext in the order of the text."""

    start: Position
    coder: Coder | None
    line: Iterator[Ply]  # of the main line, if no model codes it
    digits: Digits
    is_main: list[bool]
    spellings: list[int]
    nodes: list[Node] = field(default_factory=list)
    comments: list[tuple[Node, Text, Step]] = field(default_factory=list)
    steps: list[tuple[Step, bool]] = field(default_factory=list)  # after each ply; whether of the main line
    main_line: list[Position] = field(init=False)

    def run(self, groups: list[list[Mark]]) -> None:
        state = self.coder.start(self.start) if self.coder else None
        at, outer = Step(self.start, state=state), []
        self.main_line = [self.start]
        for i, group in enumerate(groups):
            for mark in group:
                if mark.kind == OPEN:
                    require(at.previous is not None, "variation before a ply")
                    outer.append(at)
                    at = at.previous
                elif mark.kind == CLOSE:
                    at = outer.pop()
                if mark.kind != NULL_MARK:
                    self.mark(mark, at)
            require(len(outer) <= 255 or not self.coder, "too many open variations")
            if i < len(self.is_main):
                at = self.step(i, at, is_null(group))

    def mark(self, mark: Mark, at: Step) -> None:
        """The node of a mark; the text of a comment may have to wait for its lines."""
        node = Node(mark.kind, mark.number)
        if any(isinstance(item, Field) for item in mark.text):
            self.comments.append((node, mark.text, at))
        else:
            node.text = b"".join(mark.text)
        self.nodes.append(node)

    def step(self, i: int, at: Step, null: bool) -> Step:
        """Ply i, played at a place."""
        is_main, state = self.is_main[i], None
        if self.coder:
            ply, state = self.coder.next_ply(at.state, null, is_main)
            after = state.position
        else:
            if is_main:
                ply = next(self.line)
            else:
                ply = NULL if null else self.digits.move(at.position)
            after = pass_turn(at.position) if ply is NULL else play(at.position, ply)
        step = Step(after, ply, at, state)
        self.nodes.append(Node(PLY, ply=ply, spelling=self.spellings[i], before=at.position, after=after))
        self.steps.append((step, is_main))
        if is_main:
            self.main_line.append(after)
        return step


def read_lines(walk: Walk, bits: bytes, lines: Lines, coder: Coder | None, bound: int) -> None:
    """Completes the comments with fields of moves. annotations.md, section 6."""
    if not walk.comments:
        require(not bits, "lines without a field of moves")
        return
    reader = LineReader(lines, coder, bits, bound)
    reader.remember_game(walk.steps)
    for node, text, step in walk.comments:
        for item in text:
            node.text += item if isinstance(item, bytes) else reader.read_field(item.line_kind, step)
    reader.stream.finish()
