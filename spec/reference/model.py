"""Probabilities of legal moves: net, temperature, book, weights. models.md, from "The net" on."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cache
from operator import mul
from pathlib import Path

from blake3 import blake3

from .base import Bytes, Damaged, require
from .chess import (BISHOP, KING, KNIGHT, NULL, PAWN, QUEEN, ROOK, Move, Ply, Position, Variant, in_check, is_capture,
                    pass_turn, play_within_bounds, squares)
from .features import GROUPS, WITH_WEIGHTS, Choice
from .fen import start_position
from .rangecoder import Adaptive, RangeDecoder
from .view import OURS, THEIRS, Played, View, bucket

INPUTS = 3236
ROWS = 512  # rows of origins, and of targets
FIRST_MEAN = 664
P = [round(2 ** (22 - i / 64)) for i in range(64)]


@dataclass
class Level:
    """ "Levels"."""

    bits: int
    plays_out: bool
    units: int  # H
    move_units: int  # K
    groups: list[int]


FAST = Level(16, False, 96, 32, [4, 5, 9, 18, 26, 35])
DEFAULT = Level(16, True, 128, 32, [1, 2, 3, 4, 5, 6, 9, 10, 13, 14, 17, 18, 19, 22, 23, 25, 26, 27, 28, 32, 33, 34,
                                    35, 36, 39])
MAX = Level(18, True, 256, 64, list(range(40)))
LEVELS = {1: FAST, 2: DEFAULT, 3: MAX}


@dataclass
class Weights:
    """ "Models"."""

    level: Level
    groups: dict[int, memoryview]
    inputs: memoryview  # rows of H
    origins: memoryview
    targets: memoryview
    units: memoryview  # K rows of H
    move_origins: memoryview  # rows of K
    move_targets: memoryview
    rows: dict[int, memoryview]
    bias: list[int]
    move_bias: list[int]
    outputs: list[int]
    terms: list[int]


@dataclass
class BookNode:
    """ "Book": by number of a move its share, and the node after it."""

    shares: dict[int, int] = field(default_factory=dict)
    after: dict[int, BookNode] = field(default_factory=dict)


@dataclass
class Adaptation:
    """ "Adaptation"."""

    terms: list[int]
    players: list[bytes]
    trees: list[BookNode | None]


NO_ADAPTATION = Adaptation([0] * 31, [], [None])


@dataclass
class Model:
    """Weights, and their adaptation to a segment."""

    weights: Weights
    adaptation: Adaptation = field(default_factory=lambda: NO_ADAPTATION)


@dataclass
class GameData:
    """What is known of a game before its moves. "The context", "Book"."""

    ratings: tuple[int | None, int | None]
    result: int | None  # winner, or 2 for a draw
    plies: int
    names: tuple[bytes, bytes] = (b"", b"")


@dataclass(frozen=True)
class State:
    """The state of a line."""

    position: Position
    history: tuple[Played | None, ...] = (None,) * 4
    ply: int = 0
    means: tuple[int, int] = (FIRST_MEAN, FIRST_MEAN)  # of White and Black
    node: BookNode | None = None


# --- Weights -----------------------------------------------------------------------------------


@cache
def built_in(level: str) -> tuple[Weights, bytes]:
    """The built-in model of a level, and its digest. "Models"."""
    data = (Path(__file__).parent.parent / "models" / f"{level}.model").read_bytes()
    return parse_model(data), blake3(data).digest()


def built_in_with(digest: bytes) -> Weights:
    """The built-in model with this digest."""
    for level in ("fast", "default", "max"):
        weights, found = built_in(level)
        if found == digest:
            return weights
    raise Damaged(f"no model {digest.hex()}")


def parse_model(data: bytes) -> Weights:
    """The file of a model. "Models"."""
    require(len(data) > 0 and data[-1] in LEVELS, "level of a model")
    level = LEVELS[data[-1]]
    reader = Bytes(data[:-1])

    def signed(count: int) -> memoryview:
        return memoryview(reader.take(count)).cast("b")

    def shorts(count: int) -> list[int]:
        return [int.from_bytes(reader.take(2), "little", signed=True) for _ in range(count)]

    h, k = level.units, level.move_units
    sizes = {group: 1 << (GROUPS[group][0] or level.bits) for group in level.groups}
    groups = {group: signed(size) for group, size in sizes.items() if group in WITH_WEIGHTS}
    inputs, origins, targets, units = (signed(rows * h) for rows in (INPUTS, ROWS, ROWS, k))
    move_origins, move_targets = signed(ROWS * k), signed(ROWS * k)
    rows = {group: signed(size * k) for group, size in sizes.items() if group not in WITH_WEIGHTS}
    bias, move_bias, outputs = shorts(h), shorts(k), shorts(k)
    require(sum(map(abs, outputs)) <= 2**18, "outputs of a model")
    terms = read_terms(reader.rest())
    return Weights(level, groups, inputs, origins, targets, units, move_origins, move_targets, rows, bias, move_bias,
                   outputs, terms)


def read_terms(data: bytes) -> list[int]:
    """The 31 terms of the inverse temperature. "Temperature"."""
    require(len(data) == 16 and data[-1] % 16 == 0, "terms of the inverse temperature")
    halves = [half for byte in data for half in (byte >> 4, byte & 15)]
    return [half - 16 if half >= 8 else half for half in halves[:31]]


# --- Adaptation --------------------------------------------------------------------------------


def read_adaptation(table: bytes) -> Adaptation:
    """ "Adaptation", "Book"."""
    reader = Bytes(table)
    terms = read_terms(reader.take(16))
    adaptation = Adaptation(terms, [], [None])
    if reader.more():
        count = reader.varint()
        require(count <= 15, "too many frequent players")
        adaptation.players = [reader.sized() for _ in range(count)]
        require(len(set(adaptation.players)) == count, "frequent players are not distinct")
        adaptation.trees = BookReader(RangeDecoder(reader.rest())).trees(1 + 2 * count)
    require(reader.at > 16 or any(terms), "empty adaptation with bytes")
    return adaptation


@dataclass
class BookReader:
    """The stream of a book, with its adaptive counts."""

    stream: RangeDecoder
    nodes: int = 0

    def __post_init__(self) -> None:
        self.roots, self.moves, self.children = Adaptive(2), Adaptive(2), Adaptive(2)
        self.numbers, self.shares = Adaptive(256), Adaptive(32)

    def trees(self, count: int) -> list[BookNode | None]:
        trees = [self.node(0) if self.roots.read(self.stream) else None for _ in range(count)]
        self.stream.finish()
        require(self.nodes > 0, "book without a node")
        return trees

    def node(self, ply: int) -> BookNode:
        self.nodes += 1
        require(ply < 40 and self.nodes <= 65536, "nodes of a book")
        node, following, left = BookNode(), 0, 31
        while following == 0 or self.moves.read(self.stream):
            number = self.numbers.read(self.stream)
            require(number >= following, "moves of a book do not ascend")
            share = self.shares.read(self.stream)
            require(share <= left, "shares of a book")
            node.shares[number] = share
            has_node = share == 0 or ply < 39 and self.children.read(self.stream)
            if has_node:
                node.after[number] = self.node(ply + 1)
            following, left = number + 1, left - share
        return node


def root_of(adaptation: Adaptation, start: Position, names: tuple[bytes, bytes]) -> BookNode | None:
    """The root of the tree of a game. "Book"."""
    same = replace(start, clock=0, number=1)
    if same != start_position(Variant.CHESS, False):
        return None
    for number, player in enumerate(adaptation.players):
        if player in names:
            return adaptation.trees[(1 if player == names[0] else 2) + 2 * number]
    return adaptation.trees[0]


# --- Moves and scores --------------------------------------------------------------------------

ORDER = [KING, KNIGHT, BISHOP, ROOK, QUEEN, PAWN]


def model_order(position: Position) -> list[Move]:
    """The legal moves in the order of the model. "The order of moves"."""
    flip = 56 if position.turn else 0

    def key(move: Move) -> tuple[int, ...]:
        return (ORDER.index(move.role), move.origin ^ flip, target_of(move) ^ flip, -move.promotion)

    return sorted(position.legal, key=key)


def target_of(move: Move) -> int:
    """The target of a move; of castling, the square of the rook. "The board"."""
    return move.target if move.rook is None else move.rook


def active_inputs(view: View) -> list[int]:
    """The inputs of the net that are on. "The net"."""
    active = [512 * side + 64 * role + square for side in (OURS, THEIRS) for role in range(PAWN, KING + 1)
              for square in squares(view.sets[side][role])]
    for last, first in ((view.their_last, 1024), (view.our_last, 1600)):
        if last:
            active += [first + 64 * last.role + last.target, first + 512 + last.origin]
    ours, theirs = map(len, view.may_castle)
    active.append(2176 + min(2, ours) + 4 * (theirs > 0))
    if in_check(view.position, view.position.turn):
        active.append(2184)
    active += [2185 + view.ply_bucket, 2193 + view.rating, 2200 + view.phase, 2204 + 2 * view.our_result + view.last]
    for sets, first in ((view.exchanges.hanging, 2212), (view.exchanges.winning, 2724)):
        active += [first + 64 * view.roles[square] + square for mask in sets for square in squares(mask)]
    return active


def clamp(value: int) -> int:
    return 0 if value < 0 else 127 if value > 127 else value


def position_units(weights: Weights, view: View) -> list[int]:
    """ "Units of the position"."""
    h = weights.level.units
    rows = [weights.inputs[i * h : i * h + h] for i in active_inputs(view)]
    sums = map(sum, zip(weights.bias, *rows))
    return [clamp((s + 2**15) % 2**16 - 2**15) for s in sums]


def scores(weights: Weights, view: View, moves: list[Move]) -> list[int]:
    """The score of each move. "The net", "Probabilities"."""
    level = weights.level
    h, k = level.units, level.move_units
    units = position_units(weights, view)

    @cache
    def product(rows: str, row: int) -> int:
        """The units of the position times a row of H weights."""
        return sum(map(mul, units, getattr(weights, rows)[row * h : row * h + h]))

    base = [max(-(2**14), min(2**14, bias + (product("units", i) >> 6))) for i, bias in enumerate(weights.move_bias)]
    result = []
    for move in moves:
        choice = Choice(view, move.role, move.origin ^ view.flip, target_of(move) ^ view.flip, move.promotion,
                        move.rook is not None, level.plays_out, level.bits)
        under = 7 if move.promotion and move.promotion != QUEEN else 0
        origin, target = 64 * move.role + choice.origin, 64 * (under or move.role) + choice.to
        linear, rows = 0, [base, weights.move_origins[origin * k : origin * k + k],
                           weights.move_targets[target * k : target * k + k]]
        for group in level.groups:
            index = GROUPS[group][1](choice)
            if index is None:
                continue
            if group in WITH_WEIGHTS:
                linear += weights.groups[group][index]
            else:
                rows.append(weights.rows[group][index * k : index * k + k])
        net = product("origins", 64 * (under or move.role) + choice.origin) + product("targets", target)
        net += sum(map(mul, map(clamp, map(sum, zip(*rows))), weights.outputs))
        result.append(2955 * linear + 23 * net >> 10)
    return result


# --- Probabilities -----------------------------------------------------------------------------


@dataclass
class Evaluation:
    """The legal moves of a position in the order of the model, with their frequencies."""

    moves: list[Move]
    below: list[int]
    frequencies: list[int]


@dataclass
class Coder:
    """Decodes the moves of a game. "Probabilities", "Lines"."""

    model: Model
    game: GameData
    data: bytes
    stream: RangeDecoder = field(init=False)

    def __post_init__(self) -> None:
        self.stream = RangeDecoder(self.data)

    def start(self, position: Position) -> State:
        require(position.variant == Variant.CHESS, "not-chess")
        return State(position, node=root_of(self.model.adaptation, position, self.game.names))

    def inverse_temperature(self, state: State, rating: int, choice: int) -> int:
        """ "Temperature"."""
        own, other = state.means[state.position.turn], state.means[1 - state.position.turn]
        numbers = [bucket(2 * own + other, (1344, 1600, 1792, 1952, 2144, 2400, 2784)), 8 + rating,
                   15 + bucket(state.ply, (4, 8, 12, 16, 24, 40, 80)), 23 + bucket(choice, (3, 5, 7, 10, 14, 19, 25))]
        total = 32 + sum(terms[number] for terms in (self.model.weights.terms, self.model.adaptation.terms)
                         for number in numbers)
        return max(16, min(48, total))

    def evaluate(self, state: State, last: bool) -> Evaluation:
        """ "Probabilities"; there are at least two legal moves."""
        view = View(state.position, state.history, state.ply, last, self.game.ratings, self.game.result)
        moves = model_order(state.position)
        found = scores(self.model.weights, view, moves)
        highest = max(found)
        below = [highest - score for score in found]
        temperature = self.inverse_temperature(state, view.rating, sum(b <= 256 for b in below))
        frequencies = []
        for b in below:
            d = min(b, 2**15) * temperature // 32
            frequencies.append((P[d % 64] >> min(31, d // 64)) + 16)
        if state.node:
            rest, whole = 32 - sum(state.node.shares.values()), sum(frequencies) // 32
            frequencies = [(frequency * rest + 31) // 32 + state.node.shares.get(i, 0) * whole
                           for i, frequency in enumerate(frequencies)]
        return Evaluation(moves, below, frequencies)

    def next_ply(self, state: State, null: bool, is_main: bool) -> tuple[Ply, State]:
        """Reads a ply, and gives the state after it."""
        if null:
            return NULL, pass_state(state)
        legal = state.position.legal
        require(legal, "no-legal-move")
        if len(legal) == 1:
            return legal[0], play_state(state, legal[0], None)
        last = is_main and state.ply == self.game.plies - 1
        evaluation = self.evaluate(state, last)
        return self.read_move(self.stream, state, evaluation, evaluation.frequencies)

    @staticmethod
    def read_move(stream: RangeDecoder, state: State, evaluation: Evaluation,
                  frequencies: list[int]) -> tuple[Move, State]:
        """Reads one of the evaluated moves."""
        number = stream.weighted(frequencies, sum(frequencies))
        return evaluation.moves[number], play_state(state, evaluation.moves[number], evaluation.below[number])


def pass_state(state: State) -> State:
    """The state after a null move."""
    return State(pass_turn(state.position), (*state.history[1:], None), state.ply + 1, state.means, None)


def play_state(state: State, move: Move, below: int | None) -> State:
    """The state after a move; `below` is none if the means do not change."""
    position, turn = state.position, state.position.turn
    played = Played(move.role, move.origin, target_of(move), is_capture(position, move))
    means = list(state.means)
    if below is not None:
        means[turn] += min(below, 1024) - means[turn] // 8
    node = None
    if state.node:
        node = state.node.after.get(model_order(position).index(move))
    return State(play_within_bounds(position, move), (*state.history[1:], played), state.ply + 1, (means[0], means[1]), node)
