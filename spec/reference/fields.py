"""Predicted columns: plans, ranks, maps, and the columns of a field. fields.md."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Callable, NamedTuple

from .base import MASK64, Bytes, element, require
from .columns import read_ints
from .distributions import Family, read_distributions
from .openings import OpeningBook
from .rangecoder import RangeDecoder

NUMBER, ENTRY, LITERAL, OPENING = range(4)  # kinds of values
TEXT, DECIMAL, DATE, CLOCK, CODE, ROUND = range(6)  # shapes
PREVIOUS, LAST, MAP, CONSTANT, OF = range(5)  # predictors; OF is only a base
RECENT, RUNS, FOLLOWS = 1, 2, 4  # flags
SAME_SIDE = 2
DIGITS62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"


class Value(NamedTuple):
    """A number, an entry by its ID, a literal, or the opening. Section 1."""

    kind: int
    of: int | bytes = 0


Column = list[Value | None]  # a value in each record, or none
THE_OPENING = Value(OPENING)


class Source(NamedTuple):
    """A column of a field; the side may be SAME_SIDE."""

    field: int
    side: int


class Predictor(NamedTuple):
    kind: int
    source: Source | None = None
    value: int = 0  # of CONSTANT


@dataclass
class Plan:
    """A field with its plan and its tables. Sections 3 and 4."""

    columns: list[int]
    shape: int
    parameter: bytes
    flags: int
    predictors: list[Predictor]
    base: Predictor | None
    contexts: list[Source | int | None]  # a source, a field or none
    dictionary: list[bytes] = field(default_factory=list)
    ranks: list[int] = field(default_factory=list)  # IDs in the order of their ranks
    rank_of: dict[int, int] = field(default_factory=dict)
    map: dict[int, int] = field(default_factory=dict)
    book: OpeningBook | None = None
    families: list[Family] = field(default_factory=list)

    @property
    def first(self) -> int:
        return self.columns[0]


# --- Tables ------------------------------------------------------------------------------------


def read_plans(table: bytes) -> list[Plan]:
    """Section 3."""
    reader = Bytes(table)
    plans: list[Plan] = []
    while reader.more():
        plans.append(read_plan(reader, len(plans)))
    require(len(plans) <= 512, "too many fields")
    columns = [column for plan in plans for column in plan.columns]
    require(len(set(columns)) == len(columns), "column in two fields")
    return plans


def read_plan(reader: Bytes, number: int) -> Plan:
    """A field; sources have lower numbers than its own."""
    count = reader.varint()
    require(count in (1, 2), "columns of a field")
    columns = [reader.varint() for _ in range(count)]
    shape = reader.varint()
    require(shape <= ROUND, "unknown shape")
    parameter = b""
    if shape in (DECIMAL, CODE):
        parameter = reader.sized()
        require(len(parameter) <= 255, "prefix")
    elif shape == DATE:
        parameter = reader.take(1)
    flags = reader.varint()
    require(flags < 8, "unknown flags of a plan")
    plan = Plan(columns, shape, parameter, flags, [], None, [])
    count = reader.varint()
    require(count <= 2, "predictors of a plan")
    plan.predictors = [read_predictor(reader, number) for _ in range(count)]
    plan.base = read_base(reader, number)
    plan.contexts = [read_context(reader, number) for _ in range(2)]
    return plan


def read_field(reader: Bytes, number: int) -> int:
    named = reader.varint()
    require(named < number, "plan refers to a later field")
    return named


def read_source(reader: Bytes, number: int) -> Source:
    source = Source(read_field(reader, number), reader.varint())
    require(source.side <= SAME_SIDE, "side of a source")
    return source


def read_predictor(reader: Bytes, number: int) -> Predictor:
    kind = reader.varint()
    require(kind <= CONSTANT, "unknown predictor")
    if kind == MAP:
        return Predictor(kind, read_source(reader, number))
    if kind == LAST:
        return Predictor(kind, Source(read_field(reader, number), SAME_SIDE))
    return Predictor(kind, None, reader.varint() if kind == CONSTANT else 0)


def read_base(reader: Bytes, number: int) -> Predictor | None:
    kind = reader.varint()
    require(kind <= 3, "unknown base")
    if kind == 3:
        return Predictor(LAST, Source(read_field(reader, number), SAME_SIDE))
    return [None, Predictor(PREVIOUS), kind == 2 and Predictor(OF, read_source(reader, number))][kind]


def read_context(reader: Bytes, number: int) -> Source | int | None:
    kind = reader.varint()
    require(kind <= 2, "unknown context")
    return None if kind == 0 else read_source(reader, number) if kind == 1 else read_field(reader, number)


def complete_plan(plan: Plan, distributions: bytes, ranks: bytes, map_table: bytes) -> None:
    """Ranks and map (section 4), distributions (section 5); the dictionary is known."""
    entries = len(plan.dictionary)
    classes = read_ints(ranks, entries) if ranks else [0] * entries
    require(max(classes, default=0) <= 63, "class of an entry")
    plan.ranks = sorted(range(entries), key=lambda entry: (-classes[entry], entry))
    plan.rank_of = {entry: rank for rank, entry in enumerate(plan.ranks)}
    if map_table:
        reader = Bytes(map_table)
        count = reader.varint()
        gaps, values = read_ints(reader.sized(), count), read_ints(reader.rest(), count)
        key = -1
        for gap, value in zip(gaps, values):
            key += 1 + gap
            plan.map[key] = value
            require(stored_value(plan, value) is not None, "rank of a map")
        require(key < MASK64, "key of a map")
    sides, predictors = len(plan.columns), len(plan.predictors)
    a, c = (16 if context is not None else 1 for context in plan.contexts)
    history = 64 if plan.flags & RECENT else 8
    methods = predictors + (5 if plan.flags & FOLLOWS else 4)
    plan.families = read_distributions(distributions, [
        Family(methods, sides * a, 3**predictors * history), Family(256, sides * a, 2 * c if plan.base else c),
        Family(256, sides * a, c), Family(256, sides, history), Family(256), Family(256, sides)])


# --- Values ------------------------------------------------------------------------------------


def stored_value(plan: Plan, v: int) -> Value | None:
    """A value of a map, of a book or of the predictor 3. Sections 3 and 4."""
    if v == 0:
        return THE_OPENING
    if v % 2 == 0:
        return Value(NUMBER, v // 2 - 1)
    rank = (v - 1) // 2
    return Value(ENTRY, plan.ranks[rank]) if rank < len(plan.ranks) else None


def map_key(value: Value) -> int:
    return {NUMBER: 2 * value.of + 2, ENTRY: 2 * value.of + 1, OPENING: 0}[value.kind]


def number_in(value: Value | None) -> int | None:
    return value.of if value is not None and value.kind == NUMBER else None


def text_of(plan: Plan, value: Value) -> bytes:
    """The text of a number, an entry or a literal. Section 2."""
    if value.kind == ENTRY:
        return plan.dictionary[value.of]
    if value.kind == LITERAL:
        return value.of
    require(value.kind == NUMBER and plan.shape != TEXT, "value without a text")
    n = value.of
    if plan.shape == DECIMAL:
        require(n < 10**18, "number without a text")
        return plan.parameter + str(n).encode()
    if plan.shape == DATE:
        return date_text(n, plan.parameter)
    if plan.shape == CLOCK:
        require(n < 360000, "number without a text")
        return f"{n // 3600:02d}:{n // 60 % 60:02d}:{n % 60:02d}".encode()
    if plan.shape == CODE:
        require(n < 62**8, "number without a text")
        return plan.parameter + "".join(DIGITS62[n // 62**i % 62] for i in range(7, -1, -1)).encode()
    r, b = divmod(n, 1024)
    require(r < 1 << 40, "number without a text")
    return (f"{r}.{b - 1}" if b else f"{r}").encode()


def date_text(n: int, separator: bytes) -> bytes:
    y, m, d = n // 32 // 13, n // 32 % 13, n % 32
    require(y <= 10000, "number without a text")
    parts = ["????" if y == 0 else f"{y - 1:04d}", "??" if m == 0 else f"{m:02d}", "??" if d == 0 else f"{d:02d}"]
    return separator.join(part.encode() for part in parts)


# --- Columns -----------------------------------------------------------------------------------


def last_seen(sides: list[Column]) -> list[list[tuple[int, int] | None]]:
    """For each record and side of a key, where the same value was last: record and side. Section 3."""
    seen: dict[Value, tuple[int, int]] = {}
    found = []
    for r, row in enumerate(zip(*sides)):
        found.append([])
        for side, value in enumerate(row):
            usable = value is not None and value.kind != LITERAL
            found[-1].append(seen.get(value) if usable else None)
            if usable:
                seen[value] = (r, side)
    return found


@dataclass
class FieldReader:
    """The state of `read_field`. Section 5."""

    number: int
    plans: list[Plan]
    columns: list[list[Column]]  # of the fields read so far, by side
    streams: list[RangeDecoder]
    has_value: Callable[[int, int], bool]  # record, side
    records: int
    values: list[Column] = field(init=False)
    last: list[Value | None] = field(default_factory=lambda: [None, None])
    history: list[int] = field(default_factory=lambda: [0, 0])
    recent: list[Value] = field(default_factory=list)
    keys: dict[int, list[list[tuple[int, int] | None]]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.plan = self.plans[self.number]
        self.values = [[] for _ in self.plan.columns]
        for predictor in self.plan.predictors + [self.plan.base]:
            if predictor is not None and predictor.kind == LAST:
                self.keys[predictor.source.field] = last_seen(self.columns[predictor.source.field])

    def read(self) -> list[Column]:
        """`read_field`."""
        plan = self.plan
        predicted_only = not any(stream.data for stream in self.streams)
        remaining: list[int | None] = [None, None]
        for r in range(self.records):
            for s in range(len(plan.columns)):
                value = None
                if self.has_value(r, s):
                    if predicted_only:
                        value = self.first_prediction(s, r)
                    else:
                        value = self.read_run(s, r, remaining) if plan.flags & RUNS else self.read_value(s, r)
                    self.last[s] = value
                self.values[s].append(value)
        if not predicted_only:
            for stream in self.streams:
                stream.finish()
        return self.values

    def first_prediction(self, s: int, r: int) -> Value:
        require(self.plan.predictors, "field without a predictor")
        return self.required(self.predict(self.plan.predictors[0], s, r))

    def required(self, value: Value | None) -> Value:
        require(value is not None, "prediction does not exist")
        return value

    def symbol(self, s: int, family: int, outer: int, inner: int = 0) -> int:
        return self.plan.families[family].read(self.streams[s], outer, inner)

    def coded_number(self, s: int, family: int, outer: int, inner: int = 0) -> int:
        return self.plan.families[family].number(self.streams[s], outer, inner)

    def read_run(self, s: int, r: int, remaining: list[int | None]) -> Value:
        """A value of a field with the flag *runs*."""
        if remaining[s] is None:
            remaining[s] = self.coded_number(s, 5, s)
        if remaining[s] > 0:
            remaining[s] -= 1
            return self.first_prediction(s, r)
        remaining[s] = None
        return self.read_value(s, r)

    def read_value(self, s: int, r: int) -> Value:
        plan = self.plan
        count = len(plan.predictors)
        predictions = [self.predict(predictor, s, r) for predictor in plan.predictors]
        pattern = 0
        for i, value in enumerate(predictions):
            pattern = 3 * pattern + (0 if value is None else 2 if value in predictions[:i] else 1)
        a, c = (self.class_of(context, s, r) for context in plan.contexts)
        outer = s * (16 if plan.contexts[0] is not None else 1) + a
        is_recent = plan.flags & RECENT
        h = 8 * self.history[s] + self.history[1 - s] if is_recent else self.history[s]
        method = self.symbol(s, 0, outer, pattern * (64 if is_recent else 8) + h)
        if method < count:
            value, outcome = self.required(predictions[method]), method
            if value in self.recent:
                self.forget(value)
        elif method == count:
            d = self.coded_number(s, 3, s, h)
            require(d < len(self.recent), "no such recent value")
            value = self.recent.pop(-1 - d)
            outcome = 3 if d == 0 else 4 if d == 1 else 5 if d < 8 else 6
        else:
            value, outcome = self.read_explicit(method - count, s, r, outer, c), 7
        if is_recent:
            self.recent.append(value)
        self.history[s] = outcome
        return value

    def forget(self, value: Value) -> None:
        """Removes the last of several equal values from the recent ones."""
        del self.recent[len(self.recent) - 1 - self.recent[::-1].index(value)]

    def read_explicit(self, method: int, s: int, r: int, outer: int, c: int) -> Value:
        """The methods P + 1 to P + 4."""
        if method == 1:
            return self.read_number(s, r, outer, c)
        if method == 2:
            return Value(ENTRY, element(self.plan.ranks, self.coded_number(s, 2, outer, c), "entry of rank"))
        if method == 3:
            size = self.coded_number(s, 4, 0)
            require(size <= 8 * len(self.streams[s].data), "literal too long")
            return Value(LITERAL, bytes(self.streams[s].uniform(8) for _ in range(size)))
        return THE_OPENING

    def read_number(self, s: int, r: int, outer: int, c: int) -> Value:
        plan = self.plan
        base = number_in(self.predict(plan.base, s, r)) if plan.base else None
        family = plan.families[1]
        inner = 2 * c + (base is not None) if plan.base else c
        if base is None:
            n = family.number(self.streams[s], outer, inner)
        else:
            n = base + family.signed(self.streams[s], outer, inner)
        require(0 <= n < 1 << 62, "number out of range")
        return Value(NUMBER, n)

    def source_value(self, source: Source, s: int, r: int) -> Value | None:
        sides = self.columns[source.field]
        side = s if source.side == SAME_SIDE else source.side
        return sides[side][r] if side < len(sides) else None

    def predict(self, predictor: Predictor, s: int, r: int) -> Value | None:
        """The predicted value, if there is one. Section 3."""
        value = self.predict_any(predictor, s, r)
        if value is None or value.kind == LITERAL or value.kind == NUMBER and value.of >= 1 << 62:
            return None
        return value

    def predict_any(self, predictor: Predictor, s: int, r: int) -> Value | None:
        kind = predictor.kind
        if kind == PREVIOUS:
            return self.last[s]
        if kind == OF:
            return self.source_value(predictor.source, s, r)
        if kind == CONSTANT:
            return stored_value(self.plan, predictor.value)
        if kind == MAP:
            value = self.source_value(predictor.source, s, r)
            if value is None or value.kind == LITERAL:
                return None
            mapped = self.plan.map.get(map_key(value))
            return None if mapped is None else stored_value(self.plan, mapped)
        key = predictor.source.field
        sides = len(self.columns[key])
        if sides > len(self.plan.columns):
            return None
        found = self.keys[key][r][s if sides == 2 else 0]
        return found and self.values[found[1] if sides == 2 else s][found[0]]

    def class_of(self, context: Source | int | None, s: int, r: int) -> int:
        """The class of a context. Section 3."""
        if context is None:
            return 0
        if isinstance(context, Source):
            value = self.source_value(context, s, r)
            if value is None:
                return 15
            if value.kind == ENTRY:
                return min(13, self.plans[context.field].rank_of[value.of])
            return 14 if value.kind == LITERAL else min(13, value.of)  # 0 for the opening
        sides = self.columns[context]
        if len(sides) == 1:
            return 15
        own, other = (number_in(sides[side][r]) for side in (s, 1 - s))
        if own is None or other is None:
            return 15
        w = min(6, (abs(own - other) // 16).bit_length())
        return 6 - w if own < other else 7 + w
