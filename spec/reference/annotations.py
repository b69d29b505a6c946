"""Marks between the plies: notation, templates, slots, the stream. annotations.md, sections 1 to 5."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from .base import PLIES_LIMIT, Bytes, element, require
from .distributions import Family, read_distributions
from .fen import square_name
from .rangecoder import RangeDecoder

# First bytes of marks. Section 1.
COMMENT, LINE_COMMENT, NAG, NULL_MARK, OPEN, CLOSE, VERBATIM, NOTE = range(1, 9)
GLYPH, RESULT = 16, 32  # plus the number of the glyph, 1 to 6, and of the result, 0 to 3
KINDS = [COMMENT, LINE_COMMENT, NAG, NULL_MARK, OPEN, CLOSE, VERBATIM,
         *range(GLYPH + 1, GLYPH + 7), *range(RESULT, RESULT + 4)]
KIND_OF = {mark: kind for kind, mark in enumerate(KINDS)} | {NOTE: 0}
END_OF_GROUP = 17
NUMBER, TIME, SQUARES, ARROWS, MOVES = range(1, 6)  # kinds of fields
MOST = 10**18


@dataclass
class Field:
    """A field of a template. Section 2."""

    kind: int
    least: int = 0
    most: int = 0
    style: int = 0
    slot: int = 0  # of a field of numbers or times
    line_kind: int = 0  # of a field of moves; section 6


@dataclass
class Slot:
    """The scheme of a slot. Section 3."""

    most: int
    reference: int = 0
    operands: list[int] = field(default_factory=list)
    oriented: bool = False
    weights: tuple[int, int, int] = (8, 0, 0)
    families: list[Family] = field(default_factory=list)


Template = list[bytes | Field]
# Text with fields of moves, whose texts are read later.
Text = list[bytes | Field]


@dataclass
class Mark:
    """A mark; a note has the number of its template."""

    kind: int
    number: int = 0
    text: Text = field(default_factory=list)


@dataclass
class Notation:
    """The notation of a segment, with its distributions. Section 4."""

    templates: list[Template]
    patterns: list[list[Mark]]
    slots: list[Slot]
    families: list[Family]


# References. Section 3.
NOTHING, OWN, OTHER, TIME_LEFT, LAST, OWN_LESS_LAST, PRODUCT = range(7)
OPERANDS = [0, 0, 0, 1, 1, 1, 3]
WEIGHTS = [(8, 0, 0), (4, 4, 0), (4, 2, 2), (0, 0, 8)]


def read_notation(table: bytes, distributions: bytes) -> Notation:
    """ "The tables". Section 4."""
    reader = Bytes(table or b"\0\0")
    count = reader.varint()
    require(count <= 4095, "too many templates")
    templates = [read_template(reader) for _ in range(count)]
    slots = number_slots(templates)
    count = reader.varint()
    require(count <= 255, "too many patterns")
    patterns = [[read_table_mark(reader, templates) for _ in range(pattern_size(reader))] for _ in range(count)]
    for slot in slots:
        read_scheme(reader, slot, len(slots))
    reader.end()
    families = [Family(2), Family(256, 32, 32), Family(18, 18), Family(256), Family(16), Family(256, 16),
                Family(256), Family(2), Family(26), Family(64), Family(64, 64)]
    for slot in slots:
        slot.families = [Family(2, 8, 32), Family(256, 2, 16), Family(256, 5, 96)]
        families += slot.families
    return Notation(templates, patterns, slots, read_distributions(distributions, families))


def read_template(reader: Bytes) -> Template:
    """Section 2."""
    template: Template = [reader.sized()]
    while kind := reader.byte():
        require(kind <= MOVES, "unknown kind of field")
        item = Field(kind)
        if kind <= TIME:
            digits, item.style = reader.byte(), reader.byte()
            item.least, item.most = divmod(digits, 16)
            require(item.least <= item.most <= 6, "digits of a field")
            require(item.style <= 3 if kind == TIME else item.style < 16 and item.style % 4 < 3, "style of a field")
        template += [item, reader.sized()]
    require(len(template) <= 2 * 64 + 1, "too many fields")
    require(sum(len(text) for text in template[::2]) <= 4096, "text of a template")
    return template


def number_slots(templates: list[Template]) -> list[Slot]:
    """Gives the fields of numbers and times their slots, those of moves their kinds. Sections 3, 6."""
    slots: list[Slot] = []
    numbers: dict[tuple, int] = {}
    line_kinds: dict[tuple, int] = {}
    for template in templates:
        label, ordinal = b"", 0
        for text, item in zip(template[::2], template[1::2]):
            letters = re.findall(rb"[A-Za-z]+", text)
            label, ordinal = (letters[-1], 0) if letters else (label, ordinal + 1)
            if item.kind == MOVES:
                item.line_kind = min(15, line_kinds.setdefault((label, ordinal), len(line_kinds)))
            if item.kind > TIME:
                continue
            key = (item.kind, label, ordinal, item.most)
            if key not in numbers and len(slots) < 64:
                numbers[key] = len(slots)
                slots.append(Slot(item.most))
            item.slot = numbers.get(key, 63)
    return slots


def pattern_size(reader: Bytes) -> int:
    size = reader.varint()
    require(size <= 32, "too many marks in a pattern")
    return size


def read_table_mark(reader: Bytes, templates: list[Template]) -> Mark:
    """A mark of a pattern. Section 1."""
    kind = reader.byte()
    require(kind in KIND_OF, "unknown mark")
    if kind == NAG:
        return Mark(kind, reader.byte())
    if kind == NOTE:
        number = reader.varint()
        element(templates, number, "template")
        return Mark(kind, number)
    return Mark(kind)


def read_scheme(reader: Bytes, slot: Slot, slots: int) -> None:
    """ "Slots and schemes". Section 3."""
    slot.reference = reader.byte()
    require(slot.reference <= PRODUCT, "unknown reference")
    slot.operands = [reader.byte() for _ in range(OPERANDS[slot.reference])]
    named = slot.operands[:2] if slot.reference >= LAST else []
    require(all(a < slots for a in named), "slot does not exist")
    require(slot.reference < PRODUCT or slot.operands[2] <= 12, "power of a reference")
    weights, oriented = divmod(reader.byte(), 2)
    slot.weights, slot.oriented = element(WEIGHTS, weights, "weights"), bool(oriented)


# --- Values as text. Section 2 -----------------------------------------------------------------


def fraction(value: int, item: Field) -> str:
    text = f"{value:0{item.most}d}" if item.most else ""
    while len(text) > item.least and text.endswith("0"):
        text = text[:-1]
    return "." + text if text else ""


def number_text(v: int, is_mate: bool, item: Field) -> str:
    sign, mates = item.style % 4, item.style // 4
    hashed = is_mate and mates == 1
    text = "#" if hashed else ""
    if v < 0:
        text += "-"
    elif not hashed and (sign == 1 or sign == 2 and v):
        text += "+"
    if is_mate:
        return text + ("", "", "#", "M")[mates] + str(abs(v))
    whole, part = divmod(abs(v), 10**item.most)
    return text + str(whole) + fraction(part, item)


def time_text(v: int, item: Field) -> str:
    require(v >= 0, "negative time")
    s, part = divmod(v, 10**item.most)
    width = 2 if item.style in (2, 3) else 1
    if item.style in (1, 3):
        text = f"{s // 3600:0{width}d}:{s // 60 % 60:02d}"
    else:
        text = f"{s // 60:0{width}d}"
    return f"{text}:{s % 60:02d}" + fraction(part, item)


# --- The stream. Section 5 ---------------------------------------------------------------------


def size(x: int) -> int:
    """Section 3."""
    y = abs(x) + 1
    e = y.bit_length() - 1
    return 64 * e + (y * 64 >> e) - 64


def divide(a: int, b: int) -> int:
    """a / b, b positive, rounded towards 0."""
    return -(-a // b) if a < 0 else a // b


@dataclass
class History:
    """The values of a slot so far, in units."""

    last: int | None = None
    of_side: list[int | None] = field(default_factory=lambda: [None, None])
    means: list[int | None] = field(default_factory=lambda: [None, None])
    mate: int | None = None  # the last value, if it was a mate


@dataclass
class MarkReader:
    """The state of `read_marks`."""

    notation: Notation
    stream: RangeDecoder
    prose: Bytes
    base: int | None
    increment: int | None
    budget: int
    histories: list[History] = field(init=False)
    plies: int = 0  # of the line so far
    outer: list[int] = field(default_factory=list)  # plies of the outer lines
    fault: int = 0

    def __post_init__(self) -> None:
        self.histories = [History() for _ in self.notation.slots]

    def read(self, family: int, outer: int = 0, inner: int = 0) -> int:
        return self.notation.families[family].read(self.stream, outer, inner)

    def side(self) -> int:
        """Of a comment: 0 White, 1 Black. Section 3."""
        return 1 - self.plies % 2

    def spend(self) -> None:
        """The bound on marks, fields and items. Section 7."""
        self.budget -= 1
        require(self.budget >= 0, "too many marks")

    def groups(self, n: int) -> list[list[Mark]]:
        """`read_marks`."""
        groups: list[list[Mark]] = [[] for _ in range(n + 1)]
        if self.read(0):
            p = q = 0
            for i in range(n + 1):
                place = 0 if i == 0 else 1 if i == n else 2 if self.outer else 3
                p, q = self.read_group(groups[i], min(31, p), min(7, q) * 4 + place), p
                self.plies += 1
        self.stream.finish()
        self.prose.end()
        return groups

    def read_group(self, group: list[Mark], outer: int, inner: int) -> int:
        """Reads a group; gives its symbol of the family pattern."""
        self.fault = 0
        symbol = self.read(1, outer, inner)
        if symbol:
            for mark in element(self.notation.patterns, symbol - 1, "pattern"):
                group.append(self.read_mark(mark))
            return symbol
        previous = END_OF_GROUP
        while (kind := self.read(2, previous)) != END_OF_GROUP:
            mark = Mark(KINDS[kind])
            if mark.kind == NAG:
                mark.number = self.read(3)
            group.append(self.read_mark(mark))
            previous = kind
        return symbol

    def read_mark(self, mark: Mark) -> Mark:
        """Completes a mark with what the stream and the prose contain of it."""
        self.spend()
        kind, number = mark.kind, mark.number
        if kind == COMMENT:
            number = 256 * (page := self.read(4)) + self.read(5, page)
            if number == 0:
                return Mark(COMMENT, 0, [self.text_up_to(b"}")])
            kind, number = NOTE, number - 1
        if kind == NOTE:
            return Mark(COMMENT, 0, self.read_note(element(self.notation.templates, number, "template")))
        if kind == LINE_COMMENT:
            return Mark(kind, 0, [self.text_up_to(b"\n")])
        if kind == VERBATIM:
            return Mark(kind, 0, [self.prose.take(self.notation.families[6].number(self.stream))])
        if kind == OPEN:
            self.outer.append(self.plies)
            self.plies = max(0, self.plies - 1)
        if kind == CLOSE:
            require(self.outer, "close without an open variation")
            self.plies = self.outer.pop()
        fault = number if kind == NAG else kind - GLYPH
        self.fault = {6: 1, 2: 2, 4: 3}.get(fault, self.fault)
        return Mark(kind, number)

    def text_up_to(self, end: bytes) -> bytes:
        """Prose up to its end, which is skipped."""
        stop = self.prose.data.find(end, self.prose.at)
        require(stop >= 0, "prose ends early")
        return self.prose.take(stop + 1 - self.prose.at)[:-1]

    def read_note(self, template: Template) -> Text:
        return [item if isinstance(item, bytes) else self.read_value(item) for item in template]

    def read_value(self, item: Field) -> bytes | Field:
        """The text of a field; a field of moves is read later."""
        self.spend()
        if item.kind == MOVES:
            return item
        if item.kind in (SQUARES, ARROWS):
            return ",".join(self.read_list(item.kind)).encode()
        slot, history = self.notation.slots[item.slot], self.histories[item.slot]
        if item.kind == NUMBER and item.style // 4 and self.read_is_mate(slot, history):
            return number_text(self.read_mate(slot, history), True, item).encode()
        value = self.read_difference(slot, history)
        return (time_text(value, item) if item.kind == TIME else number_text(value, False, item)).encode()

    def read_list(self, kind: int) -> list[str]:
        items = []
        while not items or self.read(7):
            if items:
                self.spend()
            text, square = chr(65 + self.read(8)), self.read(9)
            text += square_name(square)
            items.append(text + square_name(self.read(10, square)) if kind == ARROWS else text)
        return items

    def read_is_mate(self, slot: Slot, history: History) -> int:
        """Family 11 + 3s."""
        last = history.last
        inner = 0 if last is None else min(31, size(last) // 32)
        return slot.families[0].read(self.stream, self.fault + (4 if history.mate is not None else 0), inner)

    def read_mate(self, slot: Slot, history: History) -> int:
        """Family 12 + 3s."""
        m = history.mate or 0
        s = -1 if self.side() else 1
        mate = m + s * slot.families[1].signed(self.stream, int(m * s > 0), min(15, abs(m)))
        mate = max(-MOST, min(MOST, mate))
        sign = (mate > 0) - (mate < 0)
        self.remember(history, sign * 10 * 10**slot.most, mate)
        return mate

    def read_difference(self, slot: Slot, history: History) -> int:
        """Family 13 + 3s."""
        predicted, available = self.predict(slot, history)
        inner = self.predicted_size(slot, history, predicted)
        outer = self.fault if available else 4
        difference = slot.families[2].signed(self.stream, outer, inner)
        negative = slot.reference in (TIME_LEFT, OWN_LESS_LAST) or slot.oriented and self.side() == 1
        direction = -1 if negative else 1
        value = max(-MOST, min(MOST, predicted + direction * difference))
        if available:
            z, mean = size(difference), history.means[self.side()]
            history.means[self.side()] = z if mean is None else mean + (z - mean) // 4
        self.remember(history, value, None)
        return value

    def remember(self, history: History, value: int, mate: int | None) -> None:
        history.last = value
        history.of_side[self.side()] = value
        history.mate = mate

    def predict(self, slot: Slot, history: History) -> tuple[int, bool]:
        """The predicted value, and whether the reference is available. Section 3."""
        predicted = self.refer(slot, history)
        available = predicted is not None
        if predicted is None and slot.reference == TIME_LEFT and self.base is not None:
            predicted = self.base * 10**slot.most
        if predicted is None:
            predicted = history.last or 0
        return max(-MOST, min(MOST, predicted)), available

    def increment_of(self, slot: Slot) -> int:
        """In units of the slot."""
        seconds = slot.operands[0] if self.increment is None else self.increment
        return seconds * 10**slot.most

    def refer(self, slot: Slot, history: History) -> int | None:
        """The value of the reference; none if it is unavailable."""
        kind, side = slot.reference, self.side()
        own, other = history.of_side[side], history.of_side[1 - side]
        if kind == NOTHING:
            return 0
        if kind == OWN or kind == OTHER:
            return own if kind == OWN else other
        if kind == TIME_LEFT:
            return None if own is None else own + self.increment_of(slot)
        last = self.histories[slot.operands[0]].last
        if last is None or kind == LAST:
            return last
        if kind == OWN_LESS_LAST:
            return None if own is None else own - last
        second = self.histories[slot.operands[1]].last
        if second is None:
            return None
        power = slot.operands[2] - 6
        return divide(last * second * 10 ** max(0, power), 10 ** max(0, -power))

    def predicted_size(self, slot: Slot, history: History, predicted: int) -> int:
        """The inner context of a difference. Section 3."""
        level = size(predicted)
        if slot.reference == TIME_LEFT:
            increment = self.increment_of(slot)
            level = size(divide(predicted - increment, 40) + increment)
        initial = max(0, level - 192)
        means = [history.means[self.side()], history.means[1 - self.side()]]
        known = [mean for mean in means if mean is not None]
        own, other = [mean if mean is not None else (known or [initial])[0] for mean in means]
        a, b, c = slot.weights
        return min(95, (own * a + other * b + level * c) // 128)


def read_time_control(value: bytes | None) -> tuple[int | None, int | None]:
    """Base and increment in seconds, if they are known. Section 3."""
    if value is None:
        return None, None
    base, plus, increment = value.split(b":")[0].split(b"/")[-1].partition(b"+")
    known = re.compile(rb"[0-9]{1,6}")
    seconds = int(base) if known.fullmatch(base) else None
    if plus:
        return seconds, int(increment) if known.fullmatch(increment) else None
    return seconds, None if seconds is None else 0


def read_marks(notation: Notation, bits: bytes, prose: bytes, n: int, time_control: bytes | None,
               bound: int) -> list[list[Mark]]:
    """The groups of marks of a movetext of n plies."""
    budget = min(bound, PLIES_LIMIT - n)
    base, increment = read_time_control(time_control)
    reader = MarkReader(notation, RangeDecoder(bits), Bytes(prose), base, increment, budget)
    return reader.groups(n)
