"""From tag pairs and nodes to the text of a record. pgn.md, sections 5 to 8."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from .annotations import CLOSE, COMMENT, GLYPH, LINE_COMMENT, NAG, OPEN, RESULT, VERBATIM
from .base import Bytes, require
from .chess import Ply, Position
from .san import san

EDGE, TAG_NAME, TAG_VALUE, WHITES_MOVE, BLACKS_MOVE, S_NAG, S_GLYPH, S_COMMENT, S_LINE_COMMENT, S_OPEN, S_CLOSE, \
    S_RESULT, INTRO = range(13)  # slots
NO_WRAP, FIT, REACH = range(3)  # wrap modes
AFTER_NUMBERS, BEFORE_RESULT, IN_COMMENTS, ONLY_WHITE, KEEP_BLANK = 1, 2, 4, 8, 16
GLYPHS = [b"!", b"?", b"!!", b"??", b"!?", b"?!"]
RESULTS = [b"1-0", b"0-1", b"1/2-1/2", b"*"]
WHITE_SPACE = b" \t\n\r"
PLY = 0  # a node that is a ply; the others are marks


@dataclass
class Node:
    """A node: a ply with the positions before and after it, or a mark with its text."""

    kind: int
    number: int = 0
    text: bytes = b""
    ply: Ply = None
    spelling: int = 0
    before: Position | None = None
    after: Position | None = None


@dataclass
class Layout:
    """Section 6."""

    ending: bytes
    mode: int
    flags: int
    width: int
    templates: dict[int, bytes]


def read_layouts(raw: bytes) -> list[Layout]:
    reader = Bytes(raw)
    layouts = []
    while reader.more():
        ending, mode, flags, width = reader.byte(), reader.byte(), reader.byte(), reader.varint()
        require(ending <= 2 and mode <= REACH and flags < 32 and width < 2**32, "layout")
        count, templates = reader.varint(), {}
        for _ in range(count):
            context, template = reader.byte(), reader.sized()
            require(context < 169 and context not in templates and len(template) <= 255, "gap of a layout")
            templates[context] = template
        layouts.append(Layout([b"\n", b"\r\n", b"\r"][ending], mode, flags, width, templates))
    require(len(layouts) <= 255, "too many layouts")
    return layouts


def read_patch(raw: bytes) -> dict[int, bytes]:
    """The texts of replaced pieces, by number. Section 7."""
    reader, pieces, number = Bytes(raw), {}, -1
    while reader.more():
        number += 1 + reader.varint()
        pieces[number] = reader.sized()
    require(len(pieces) <= 65536, "pieces of a patch")
    return pieces


@dataclass
class Line:
    """A line while it is rendered."""

    position: Position
    before: Position | None
    half: int  # plies before the next one, counted from the first move of White

    def is_white(self) -> bool:
        return self.half % 2 == 0

    def number(self) -> bytes:
        return str(self.half // 2 + 1).encode()


@dataclass
class Renderer:
    """The state of `render`. Section 8."""

    layout: Layout
    patch: dict[int, bytes]
    line: Line
    bound: int
    text: bytearray = field(default_factory=bytearray)
    stops: list[tuple[int, bool]] = field(default_factory=list)  # offset; whether it is a wrap place
    piece: int = 0
    left: int = EDGE
    has_moved: bool = False
    outer: list[Line] = field(default_factory=list)

    def render(self, tags: list[tuple[bytes, bytes]], nodes: list[Node], has_tail: bool) -> bytes:
        for name, value in tags:
            self.lexeme(TAG_NAME, b"[" + name)
            self.lexeme(TAG_VALUE, b'"' + value + b'"]')
        for node in nodes:
            self.node(node)
            require(len(self.text) <= self.bound, "text exceeds the block")
        if not has_tail:
            self.gap(EDGE)
        require(not self.patch, "patch of a piece that does not exist")
        return self.wrap()

    def node(self, node: Node) -> None:
        kind = node.kind
        if kind == PLY:
            self.move()
            self.text += san(node.before, node.ply, node.spelling, node.after)
            self.line.before, self.line.position = node.before, node.after
        elif kind == VERBATIM:
            self.move()
            self.text += node.text
        elif kind == OPEN:
            require(self.line.before is not None, "variation before a ply")
            self.lexeme(S_OPEN, b"(")
            self.outer.append(self.line)
            self.line = Line(self.line.before, None, self.line.half - 1)
        elif kind == CLOSE:
            self.lexeme(S_CLOSE, b")")
            require(self.outer, "close without an open variation")
            self.line = self.outer.pop()
        elif kind == NAG:
            self.lexeme(S_NAG, b"$%d" % node.number)
        elif kind == COMMENT:
            slot = S_COMMENT if self.has_moved else INTRO
            if self.layout.mode != NO_WRAP and self.layout.flags & IN_COMMENTS:
                self.flowing(slot, node.text)
            else:
                self.lexeme(slot, b"{" + node.text + b"}")
        elif kind == LINE_COMMENT:
            self.lexeme(S_LINE_COMMENT, b";" + node.text)
        elif kind >= RESULT:
            self.lexeme(S_RESULT, RESULTS[kind - RESULT])
        else:
            self.lexeme(S_GLYPH, GLYPHS[kind - GLYPH - 1])

    def move(self) -> None:
        self.gap(WHITES_MOVE if self.line.is_white() else BLACKS_MOVE)
        self.piece += 1
        self.line.half += 1
        self.has_moved = True

    def lexeme(self, slot: int, written: bytes) -> None:
        self.gap(slot)
        patched = self.patched()
        self.text += written if patched is None else patched

    def patched(self) -> bytes | None:
        """The text of the next piece, if the patch replaces it."""
        self.piece += 1
        text = self.patch.pop(self.piece - 1, None)
        if text is not None:
            self.stop(False)
        return text

    def stop(self, is_wrap_place: bool) -> None:
        self.stops.append((len(self.text), is_wrap_place))

    def gap(self, right: int) -> None:
        layout = self.layout
        left = WHITES_MOVE if self.left == BLACKS_MOVE else self.left
        self.left = right
        patched = self.patched()
        if patched is not None:
            self.text += patched
            return
        if layout.mode != NO_WRAP and not layout.flags & BEFORE_RESULT and right == S_RESULT:
            self.stop(False)
        template = layout.templates.get(13 * left + right, b"")
        for i, byte in enumerate(template):
            if byte == 0x0A:
                self.text += layout.ending
            elif byte == ord("#"):
                self.text += self.line.number()
            else:
                if byte == ord(" ") and is_wrap_place(layout, template, i, left, right):
                    self.stop(True)
                self.text.append(byte)

    def flowing(self, slot: int, comment: bytes) -> None:
        """A comment with wrap places."""
        self.gap(slot)
        self.text += b"{"
        for i, byte in enumerate(comment):
            if byte == ord(" ") and stands_alone(comment, i):
                patched = self.patched()
                if patched is not None:
                    self.text += patched
                    continue
                self.stop(True)
            self.text.append(byte)
        self.text += b"}"
        self.piece += 1

    def wrap(self) -> bytes:
        out, column, at = bytearray(), 0, 0
        text, layout = bytes(self.text), self.layout

        def put(stretch: bytes) -> None:
            nonlocal column
            out.extend(stretch)
            parts = re.split(rb"[\n\r]", stretch)
            column = len(parts[-1]) + (column if len(parts) == 1 else 0)

        untils = [offset for offset, _ in self.stops[1:]] + [len(text)]
        for (offset, is_wrap_place), until in zip(self.stops, untils):
            put(text[at:offset])
            at = offset
            if is_wrap_place:
                at = offset + 1
                ahead = len(re.split(rb"[\n\r]", text[at:until], maxsplit=1)[0])
                broken = column + 1 + ahead > layout.width if layout.mode == FIT else column >= layout.width
                if broken:
                    out += (b" " if layout.flags & KEEP_BLANK else b"") + layout.ending
                    column = 0
                else:
                    put(b" ")
        put(text[at:])
        return bytes(out)


def stands_alone(text: bytes, i: int) -> bool:
    """Whether the bytes next to i are no white space."""
    return not (i and text[i - 1] in WHITE_SPACE or text[i + 1 : i + 2] and text[i + 1] in WHITE_SPACE)


def is_wrap_place(layout: Layout, template: bytes, i: int, left: int, right: int) -> bool:
    """Section 6, with `wraps`."""
    flags = layout.flags
    return (layout.mode != NO_WRAP
            and right not in (EDGE, TAG_NAME, TAG_VALUE)
            and left not in (EDGE, TAG_NAME, TAG_VALUE, S_LINE_COMMENT, INTRO)
            and (right != S_RESULT or bool(flags & BEFORE_RESULT))
            and (right == WHITES_MOVE or not flags & ONLY_WHITE)
            and stands_alone(template, i)
            and (b"#" not in template[:i] or bool(flags & AFTER_NUMBERS)))


def render(layout: Layout, patch: bytes, start: Position, tags: list[tuple[bytes, bytes]], nodes: list[Node],
           has_tail: bool, bound: int) -> bytes:
    """The text of a record, without its tail."""
    line = Line(start, None, 2 * (start.number - 1) + start.turn)
    return Renderer(layout, read_patch(patch), line, bound).render(tags, nodes, has_tail)
