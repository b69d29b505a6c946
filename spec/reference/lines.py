"""Lines of moves in comments. annotations.md, section 6."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from .base import require
from .chess import KING, LETTERS, PAWN, Move, Position, play_within_bounds, squares
from .codecs import written_target
from .distributions import Family, read_distributions
from .fen import square_name
from .mix import mix
from .model import FIRST_MEAN, Coder, State, play_state
from .rangecoder import RangeDecoder
from .san import san

if TYPE_CHECKING:
    from .movetext import Step

Lines = list[Family]
GAME, VARIATION = 2, 3  # sources of the move cache; 0 and 1 are lines in comments of White's and of Black's side
SOURCES = 4
MOST_MOVES = 1024
SQUARES_STYLE = 8


def read_lines_table(table: bytes) -> Lines:
    """The families of the distributions."""
    return read_distributions(table, [Family(256, 16, 32), Family(4, 16, 5), Family(2, 16), Family(5, 120, 42),
                                      Family(2, 16, 2), Family(256, 16), Family(256)])


def position_key(position: Position) -> int:
    """models.md, "Hash", rotated left by one bit if White is to move. "Move cache"."""
    value = 0
    for side, sets in enumerate(position.sets):
        for role in range(PAWN, KING + 1):
            for square in squares(sets[role]):
                is_theirs = side != position.turn
                value ^= mix(512 * is_theirs + 64 * role + (square ^ (56 if position.turn else 0)))
    return value if position.turn else (value << 1 | value >> 63) & (1 << 64) - 1


def count_class(n: int) -> int:
    """The class of a count."""
    if n < 16:
        return n
    e = n.bit_length() - 1
    return min(31, 16 + 4 * (e - 4) + (n >> e - 2) % 4)


@dataclass
class Last:
    """The last line of a kind and a side."""

    count: int = 0
    back: int | None = None
    style: int = 0


@dataclass
class LineReader:
    """The lines of a record: one string of bits."""

    families: Lines
    coder: Coder | None
    bits: bytes
    budget: int  # bytes that the texts may have
    stream: RangeDecoder = field(init=False)
    cache: dict[int, list[Move | None]] = field(default_factory=dict)
    last: dict[tuple[int, int], Last] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.stream = RangeDecoder(self.bits)

    def read(self, family: int, outer: int = 0, inner: int = 0) -> int:
        return self.families[family].read(self.stream, outer, inner)

    def remember_game(self, steps: list[tuple[Step, bool]]) -> None:
        """Stores the plies of the game in the move cache."""
        for step, is_main in steps:
            if self.coder and step.previous is not None:
                self.remember(step.previous.position, step.ply, GAME if is_main else VARIATION)

    def remember(self, position: Position, move: Move, source: int) -> None:
        key = position_key(position)
        if key in self.cache or len(self.cache) < 65536:
            self.cache.setdefault(key, [None] * SOURCES)[source] = move

    def read_field(self, kind: int, step: Step) -> bytes:
        """The text of a field of moves in a comment after a step."""
        side = 1 - step.position.turn
        last = self.last.get((kind, side), Last())
        count = self.families[0].number(self.stream, kind, count_class(last.count))
        require(count <= min(MOST_MOVES, self.budget // 2), "line too long")
        text = b""
        if count:
            back = self.read(1, kind, 0 if last.back is None else last.back + 1)
            style = self.stream.uniform(16) if self.read(2, kind) else last.style
            require(style & 7 <= 4 and not style & 0xF0, "style of a line")
            self.last[kind, side] = Last(count, back, style)
            for _ in range(back):
                require(step.previous, "line before the start of the game")
                step = step.previous
            text = self.read_moves(count, style, side, step)
        if self.read(4, kind, int(count == 0)):
            size = self.families[5].number(self.stream, kind)
            require(0 < size <= self.budget, "suffix of a line")
            text += bytes(self.read(6) for _ in range(size))
        self.budget -= len(text)
        require(self.budget >= 0, "text of lines too long")
        return text

    def read_moves(self, count: int, style: int, side: int, step: Step) -> bytes:
        """The moves of a line as text."""
        position = step.position
        state = None
        if self.coder:
            state = State(position, step.state.history, step.state.ply, (FIRST_MEAN, FIRST_MEAN), step.state.node)
        words, played = [], []
        left = run = 0
        for place in range(count):
            candidates = self.candidates(position, side)
            inner = (left * 3 + min(2, place)) * 7 + (run if run < 4 else 4 if run < 8 else 5 if run < 16 else 6)
            move, after, was_candidate = self.read_move(position, state, candidates, inner)
            run = run + 1 if was_candidate else 0
            left = int(left or bool(candidates) and not was_candidate)
            words.append(number_text(position, style, place == 0) + move_text(position, move, style))
            played.append((position, move))
            position, state = after.position if after else play_within_bounds(position, move), after
        for place, move in played if self.coder else []:
            self.remember(place, move, side)
        return b" ".join(words)

    def candidates(self, position: Position, side: int) -> list[Move | None]:
        """What each source names: lines of the same side, of the other side, the game, variations."""
        found = self.cache.get(position_key(position), [None] * SOURCES)
        named = [found[side], found[1 - side], found[GAME], found[VARIATION]]
        return [move if move in position.legal else None for move in named]

    def read_move(self, position: Position, state: State | None, named: list[Move | None],
                  inner: int) -> tuple[Move, State | None, bool]:
        """A move, the state after it, and whether it was a candidate."""
        candidates = list(dict.fromkeys(move for move in named if move))
        if candidates:
            d1, d2, d3, d4 = (candidates.index(move) + 1 if move else 0 for move in named)
            number = self.read(3, ((d1 * 3 + d2) * 4 + d3) * 5 + d4, inner)
            if number < 4:
                require(number < len(candidates), "candidate that does not exist")
                move = candidates[number]
                return move, play_state(state, move, None), True
        legal = position.legal
        require(legal, "no legal move in a line")
        if state is None:
            number = self.stream.uniform((len(legal) - 1).bit_length())
            require(number < len(legal), "move of a line that is not legal")
            return legal[number], None, False
        if len(legal) == 1:
            require(not candidates, "the only move was a candidate")
            return legal[0], play_state(state, legal[0], None), False
        evaluation = self.coder.evaluate(state, False)
        frequencies = [0 if move in candidates else frequency
                       for move, frequency in zip(evaluation.moves, evaluation.frequencies)]
        require(sum(frequencies), "no move is left")
        return *self.coder.read_move(self.stream, state, evaluation, frequencies), False


def number_text(position: Position, style: int, first: bool) -> bytes:
    """The number before a move. "The text"."""
    numbers = style & 7
    if not numbers or position.turn and (not first or numbers >= 3):
        return b""
    dots = b"..." if position.turn else b"."
    return str(position.number).encode() + dots + (b" " if numbers in (1, 3) else b"")


def move_text(position: Position, move: Move, style: int) -> bytes:
    if not style & SQUARES_STYLE:
        return san(position, move, style >> 8)
    require(move.origin is not None, "drop as squares")
    promotion = LETTERS[move.promotion].lower() if move.promotion else ""
    return (square_name(move.origin) + square_name(written_target(position, move)) + promotion).encode()
