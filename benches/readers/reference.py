"""The columns of games as python-chess reads them.

`table(source)` gives the expected columns of all games of a source; `read(text)` those of one
game. Only three adaptations are made here, all to what a column is documented to be: a comment is
on one line, blanks beside the braces belong to it (python-chess takes one off each end), and there
are no glyphs above 255. All other differences are for rules.py to explain.
"""

import datetime
import hashlib
import io
import logging
import math
import multiprocessing
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import chess
import chess.pgn
import pyarrow as pa
import pyarrow.parquet

import lexemes
from schema import INT32_MAX, MATE, MATES, MAX_NAG, SCHEMA

logging.getLogger("chess.pgn").setLevel(logging.CRITICAL)

Row = dict[str, Any]


@dataclass(frozen=True)
class Options:
    """Where python-chess is to read otherwise than it does. rules.py has the reasons."""

    refuses_illegal_starts: bool = False
    refuses_unknown_variants: bool = False
    refuses_nulls_in_check: bool = False
    refuses_coordinates: bool = False
    refuses_false_captures: bool = False
    refuses_false_mates: bool = False
    ends_lines: bool = False
    has_letters_of_drops: bool = False
    counts_drops_of_pawns: bool = False
    counts_moves_of_text: bool = False
    counts_moves_in_words: bool = False
    mate_in_0_by_sign: bool = False
    clocks_are_cut: bool = False
    names_standard_fen: bool = False
    has_later_tags_in_movetext: bool = False


@dataclass
class _Line:
    """A line of a game while it is read: 0 is the main line."""

    number: int
    plies: int
    is_over: bool = False


@dataclass
class Reader(chess.pgn.BaseVisitor[None]):
    """Collects the columns of a game from what python-chess visits."""

    options: Options = Options()
    tags: dict[str, str] = field(default_factory=dict)
    start: chess.Board | None = None
    moves: list[int] = field(default_factory=list)
    san: list[str] = field(default_factory=list)
    uci: list[str] = field(default_factory=list)
    fens: list[str] = field(default_factory=list)
    clocks: list[int | None] = field(default_factory=list)
    evals: list[int | None] = field(default_factory=list)
    comments: list[Row] = field(default_factory=list)
    nags: list[Row] = field(default_factory=list)
    variations: list[Row] = field(default_factory=list)
    errors: list[Exception] = field(default_factory=list)
    lines: list[_Line] = field(default_factory=lambda: [_Line(0, 0)])
    ignores_moves: bool = False
    is_sign_of_mate_next: bool = False
    has_sign_of_mate: bool = False

    def visit_header(self, tagname: str, tagvalue: str) -> None:
        self.tags[tagname] = tagvalue

    def handle_error(self, error: Exception) -> None:
        self.errors.append(error)
        if self.start is None and self.options.refuses_unknown_variants:
            self.ignores_moves = True

    def visit_board(self, board: chess.Board) -> None:
        if self.start is None:
            self.start = board.copy()
            if self.options.refuses_illegal_starts and not has_legal_start(board):
                self.ignores_moves = True
        if self.options.counts_drops_of_pawns and is_after_drop_of_pawn(board):
            board.halfmove_clock = 0
        # It is called after moves of variations too, and after those that are illegal.
        if not self.ignores_moves and len(self.lines) == 1 and len(self.fens) <= len(self.moves):
            self.fens.append(fen(board, self.options))

    def begin_parse_san(self, board: chess.Board, san: str) -> chess.pgn.SkipType | None:
        self.has_sign_of_mate, self.is_sign_of_mate_next = self.is_sign_of_mate_next, False
        if self._is_over():
            return chess.pgn.SKIP
        if self.options.ends_lines:
            try:
                self.parse_san(board, san)
            except ValueError:
                self.lines[-1].is_over = True
                return chess.pgn.SKIP
        return None

    def parse_san(self, board: chess.Board, san: str) -> chess.Move:
        move = board.parse_san(san)
        if not move and self.options.refuses_nulls_in_check and is_over_or_check(board):
            raise chess.IllegalMoveError(san)
        if self.options.refuses_coordinates and is_piece_without_letter(board, san, move):
            raise chess.IllegalMoveError(san)
        if self.options.refuses_false_captures and "x" in san and not board.is_capture(move):
            raise chess.IllegalMoveError(san)
        if self.has_sign_of_mate and not is_check_or_win(board, move):
            raise chess.IllegalMoveError(san)
        return move

    def _is_over(self) -> bool:
        return self.ignores_moves or any(line.is_over for line in self.lines)

    def visit_move(self, board: chess.Board, move: chess.Move) -> None:
        line = self.lines[-1]
        line.plies += 1
        if line.number:
            self.variations[line.number - 1]["moves"].append(bits(move))
            return
        self.moves.append(bits(move))
        self.san.append(san(board, move, self.options))
        self.uci.append(board.uci(move))
        self.clocks.append(None)
        self.evals.append(None)

    def begin_variation(self) -> None:
        outer = self.lines[-1]
        if self._is_over():
            self.lines.append(_Line(outer.number, outer.plies))
            return
        place = {"parent": outer.number, "ply": outer.plies - 1, "moves": []}
        self.variations.append(place)
        self.lines.append(_Line(len(self.variations), outer.plies - 1))

    def end_variation(self) -> None:
        if len(self.lines) > 1:
            self.lines.pop()

    def visit_nag(self, nag: int) -> None:
        if nag == _SIGN_OF_MATE and self.options.refuses_false_mates:
            self.is_sign_of_mate_next = True
        if nag <= MAX_NAG and not self._is_over():
            self.nags.append(self._place() | {"nag": nag})

    def visit_comment(self, comment: str) -> None:
        if self._is_over():
            return
        text = on_one_line(comment.encode("utf-8", "surrogateescape"))
        self.comments.append(self._place() | {"text": readable(text)})
        line = self.lines[-1]
        if line.number == 0 and line.plies:
            self._add_values(comment)

    def _place(self) -> Row:
        return {"line": self.lines[-1].number, "ply": self.lines[-1].plies}

    def _add_values(self, comment: str) -> None:
        """After a ply the first clock counts, and the first evaluation."""
        turn = not chess.WHITE if len(self.moves) % 2 else chess.WHITE
        node = NODES[turn ^ (self.start.turn == chess.BLACK)]
        node.comment = comment
        if self.clocks[-1] is None and "[%clk" in comment:
            self.clocks[-1] = clock(node, self.options.clocks_are_cut)
        if self.evals[-1] is None and "[%eval" in comment:
            self.evals[-1] = evaluation(node, self.options.mate_in_0_by_sign)

    def result(self) -> None:
        return None


def _nodes() -> dict[bool, chess.pgn.GameNode]:
    """A node with each side to move, for python-chess's reading of comments."""
    root = chess.pgn.Game()
    return {chess.WHITE: root, chess.BLACK: root.add_variation(chess.Move.null())}


NODES = _nodes()


def clock(node: chess.pgn.GameNode, is_cut: bool) -> int | None:
    """Milliseconds."""
    seconds = node.clock()
    if seconds is None:
        return None
    # Floating point has no exact tenths, so a value is cut only after the sixth decimal place.
    millis = 1000 * round(seconds, 6)
    millis = math.floor(round(millis, 3)) if is_cut else round(millis)
    return millis if millis <= INT32_MAX else None


def evaluation(node: chess.pgn.GameNode, mate_in_0_by_sign: bool) -> int | None:
    """Centipawns for White; a mate in n moves is MATE - n."""
    score = node.eval()
    if score is None:
        return None
    white = score.white()
    if not white.is_mate():
        return white.score() if abs(white.score()) < MATE - MATES else None
    moves = white.mate()
    if moves == 0:
        if mate_in_0_by_sign:
            return -MATE if "[%eval #-" in node.comment else MATE
        return MATE if white is chess.engine.MateGiven else -MATE
    if abs(moves) >= MATES:
        return None
    return MATE - moves if moves > 0 else -MATE - moves


def bits(move: chess.Move) -> int:
    """`Ply::to_bits` of src/pgn/play.rs."""
    if not move:
        return 0
    if move.drop is not None:
        return 1 << 15 | move.drop << 12 | move.to_square << 6
    return move.from_square | move.to_square << 6 | (move.promotion or 0) << 12


# Positions that cannot arise in a game, but have legal moves.
_UNLIKELY = (
    chess.STATUS_BAD_CASTLING_RIGHTS
    | chess.STATUS_INVALID_EP_SQUARE
    | chess.STATUS_TOO_MANY_CHECKERS
    | chess.STATUS_IMPOSSIBLE_CHECK
)


def has_legal_start(board: chess.Board) -> bool:
    """Whether a position is one by the rules of its variant."""
    return not board.status() & ~_UNLIKELY


def is_over_or_check(board: chess.Board) -> bool:
    return board.is_check() or board.is_variant_end()


def is_check_or_win(board: chess.Board, move: chess.Move) -> bool:
    """Whether a move gives check, or a side has won by a rule of the variant."""
    after = board.copy(stack=False)
    after.push(move)
    return after.is_check() or after.is_variant_win() or after.is_variant_loss()


def is_after_drop_of_pawn(board: chess.Board) -> bool:
    return bool(board.move_stack) and board.move_stack[-1].drop == chess.PAWN


def is_piece_without_letter(board: chess.Board, san: str, move: chess.Move) -> bool:
    """Whether a text is coordinates alone of the move of a piece."""
    is_coordinates = re.match(r"[a-h][1-8][-x]?[a-h][1-8]", san) is not None
    return is_coordinates and board.piece_type_at(move.from_square) != chess.PAWN


def san(board: chess.Board, move: chess.Move, options: Options) -> str:
    text = board.san(move)
    return "P" + text if options.has_letters_of_drops and text.startswith("@") else text


def fen(board: chess.Board, options: Options) -> str:
    text = board.fen()
    return re.sub(r"\[.*\]", _hands, text) if options.has_letters_of_drops else text


def _hands(found: re.Match[str]) -> str:
    """Pieces in hand in the order of their values, White's first."""
    return "".join(sorted(found[0], key="[PNBRQpnbrq]".index))


def on_one_line(comment: bytes) -> bytes:
    """White space with a line break is one blank."""
    return re.sub(rb"[ \t\f\r\n]*[\r\n][ \t\f\r\n]*", b" ", comment)


def readable(text: bytes) -> str:
    """Text as in a column: lines that are not UTF-8 are Windows-1252."""
    try:
        return text.decode()
    except UnicodeDecodeError:
        return "\n".join(map(_readable_line, text.split(b"\n")))


def _readable_line(line: bytes) -> str:
    try:
        return line.decode()
    except UnicodeDecodeError:
        # Bytes that Windows-1252 leaves open are control characters for browsers, as in Latin-1.
        characters = (bytes([byte]) for byte in line)
        return "".join(
            it.decode("latin-1" if it in b"\x81\x8d\x8f\x90\x9d" else "cp1252")
            for it in characters
        )


def lossless(text: bytes) -> str:
    """Text for python-chess, from which the bytes can be recovered."""
    return text.decode("utf-8", "surrogateescape")


def with_blanks_doubled(text: bytes) -> bytes:
    """python-chess takes one blank after `{` and one before `}` for layout: it gets two."""
    if b"{ " not in text and b" }" not in text:
        return text
    return b"".join(map(_with_blanks_doubled, lexemes.tokens(text)))


def _with_blanks_doubled(token: lexemes.Token) -> bytes:
    text = token.text
    if token.kind != "comment":
        return text
    if text.startswith(b"{ "):
        text = b"{ " + text[1:]
    return text[:-1] + b" }" if text.endswith(b" }") else text


# python-chess does not show the signs of a move, so a glyph before the move says that it has a `#`.
_SIGN_OF_MATE = 1000


def with_signs_of_mate(text: bytes) -> bytes:
    return b"".join(
        b" $%d " % _SIGN_OF_MATE + token.text
        if token.kind == "move" and b"#" in token.text
        else token.text
        for token in lexemes.tokens(text)
    )


def parse(text: bytes, options: Options = Options()) -> Reader:
    """Reads a game by python-chess."""
    reader = Reader(options)
    if options.refuses_false_mates and b"#" in text:
        text = with_signs_of_mate(text)
    handle = io.StringIO(lossless(with_blanks_doubled(text)), newline=None)
    chess.pgn.read_game(handle, Visitor=lambda: reader)
    return reader


def read(text: bytes, options: Options = Options()) -> Row:
    """The columns of a game that python-chess gives."""
    reader = parse(text, options)
    row = {name: None for name in SCHEMA.names}
    row |= _tag_columns(reader.tags)
    return row | {
        "ply_count": len(reader.moves),
        "start": start(reader),
        "moves": reader.moves,
        "moves_san": reader.san,
        "moves_uci": reader.uci,
        "fens": reader.fens,
        "clocks": reader.clocks,
        "evals": reader.evals,
        "comments": reader.comments,
        "nags": reader.nags,
        "variations": reader.variations,
    }


_LAST_MOVE = re.compile(
    rb"(?:[PNBRQK]?[a-h]?[1-8]?x?[a-h][1-8](?:=?[NBRQK])?[+#]?)*?"
    rb"P?([NBRQK]?[a-h]?[1-8]?x?[a-h][1-8](?:=?[NBRQK])?[+#]?)"
)


def moves_in_word(word: bytes) -> list[bytes]:
    """The moves that pgn-reader finds in a word that is no move by spec/pgn.md, section 10."""
    # For pgn-reader a word ends before `*` too.
    return [move for part in word.split(b"*") if (move := _move_in_part(part))]


def _move_in_part(word: bytes) -> bytes | None:
    if word.startswith(b"0-0"):
        return b"O-O-O" if word.startswith(b"0-0-0") else b"O-O"
    found = _LAST_MOVE.fullmatch(word)
    return found[1] if found else None


def with_whole_words(tokens: list[lexemes.Token]) -> list[lexemes.Token]:
    """Tokens in which digits and the rest of their word are one word."""
    out: list[lexemes.Token] = []
    for token in tokens:
        if token.kind == "word" and out and out[-1].kind == "number":
            token = token._replace(text=out.pop().text + token.text)
        out.append(token)
    return out


def moves_in(text: bytes, options: Options) -> int:
    """The number of moves of the main line that a text names, legal or not."""
    depth = moves = 0
    for token in with_whole_words(lexemes.tokens(text)):
        depth = max(0, depth + (token.kind == "open") - (token.kind == "close"))
        if depth:
            continue
        if options.counts_moves_in_words and token.kind == "word":
            moves += len(moves_in_word(token.text))
        else:
            moves += token.kind == "move"
    return moves


def start(reader: Reader) -> str | None:
    """The FEN of the start position, or null for the standard one."""
    tag = reader.tags.get("FEN")
    if reader.start is None or reader.ignores_moves:
        return None if tag is None else _readable(tag)
    board = reader.start
    is_chess = type(board) is chess.Board and not board.chess960
    is_named = reader.options.names_standard_fen and tag
    if is_chess and not is_named and board.fen() == chess.STARTING_FEN:
        return None
    return fen(board, reader.options)


_INTEGERS = ("WhiteElo", "BlackElo", "WhiteRatingDiff", "BlackRatingDiff")
_DATES = ("UTCDate", "Date")


def _tag_columns(tags: dict[str, str]) -> Row:
    row = {name: _readable(value) for name, value in tags.items() if name in SCHEMA.names}
    row |= {name: _integer(tags[name]) for name in _INTEGERS if name in tags}
    row |= {name: _date(tags[name]) for name in _DATES if name in tags}
    if "UTCTime" in tags:
        row["UTCTime"] = _time(tags["UTCTime"])
    return row


def _readable(text: str) -> str:
    return readable(text.encode("utf-8", "surrogateescape"))


def _integer(text: str) -> int | None:
    text = text.strip()
    value = int(text) if re.fullmatch(r"[+-]?[0-9]{1,18}", text) else None
    return value if value is not None and -(2**15) <= value < 2**15 else None


def _date(text: str) -> datetime.date | None:
    parts = re.fullmatch(r"([0-9]{4})[./-]([0-9]{1,2})[./-]([0-9]{1,2})", text.strip())
    try:
        return datetime.date(*map(int, parts.groups())) if parts else None
    except ValueError:
        return None


def _time(text: str) -> datetime.time | None:
    parts = re.fullmatch(r"([0-9]{1,2}):([0-9]{1,2}):([0-9]{1,2})", text.strip())
    try:
        return datetime.time(*map(int, parts.groups())) if parts else None
    except ValueError:
        return None


_LEXEMES = {"comment", "line_comment", "nag", "glyph", "open", "close"}


def movetext(text: bytes, options: Options = Options()) -> bytes:
    """The text after the tag pairs, without white space around it."""
    end = at = 0
    ends_tags = {"move"} | (_LEXEMES if options.has_later_tags_in_movetext else set())
    for token in lexemes.tokens(text):
        at += len(token.text)
        if token.kind == "tag":
            end = at
        elif token.kind in ends_tags:
            break
    return text[end:].strip(b" \t\n\f\r")


@dataclass
class Slice:
    """Some games of a source, for a worker."""

    source: str
    first: int
    texts: list[bytes]


def _rows(part: Slice) -> Iterator[Row]:
    for number, text in enumerate(part.texts, part.first):
        yield read(text) | {
            "number": number,
            "source": part.source,
            "movetext": readable(movetext(text)),
            "pgn": text,
        }


def _batch(part: Slice) -> pa.RecordBatch:
    return pa.RecordBatch.from_pylist(list(_rows(part)), SCHEMA)


_GAMES_OF_SLICE = 250


def _slices(sources: list[tuple[str, bytes]]) -> Iterator[Slice]:
    first = 1
    for name, source in sources:
        texts = [source[game.start : game.end] for game in lexemes.games(source)]
        for at in range(0, len(texts), _GAMES_OF_SLICE):
            yield Slice(name, first + at, texts[at : at + _GAMES_OF_SLICE])
        first += len(texts)


def table(sources: list[tuple[str, bytes]], cache: Path, processes: int) -> pa.Table:
    """The expected columns of all games of some sources, which is stored in a folder."""
    path = cache / f"{_digest(sources)}.parquet"
    if not path.exists():
        cache.mkdir(parents=True, exist_ok=True)
        partial = path.with_suffix(".partial")
        _write(sources, partial, processes)
        partial.rename(path)
    return pa.parquet.read_table(path, schema=SCHEMA)


def _write(sources: list[tuple[str, bytes]], path: Path, processes: int) -> None:
    with (
        pa.parquet.ParquetWriter(path, SCHEMA, compression="zstd") as writer,
        multiprocessing.Pool(processes) as pool,
    ):
        for batch in pool.imap(_batch, _slices(sources)):
            writer.write_batch(batch)


def _digest(sources: list[tuple[str, bytes]]) -> str:
    """Names a table by the sources and by the programs that make it."""
    digest = hashlib.blake2b(digest_size=16)
    programs = [Path(__file__), Path(lexemes.__file__), Path(__file__).with_name("schema.py")]
    texts = [(path.name, path.read_bytes()) for path in programs]
    for name, text in texts + sources:
        digest.update(f"{name}\0{len(text)}\0".encode("utf-8", "surrogateescape"))
        digest.update(text)
    return digest.hexdigest()
