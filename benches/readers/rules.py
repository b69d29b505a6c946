"""Where python-chess reads a game otherwise than pgna on purpose, and why.

A rule is never a tolerance. It rewrites the text of a game, or changes an option of the reading, so
that python-chess reads what pgna is documented to read. A difference is explained if python-chess
then gives exactly what pgna gives, in all columns; the rules without which it does not are its
class.
"""

import itertools
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import chess.pgn

import reference
from lexemes import Token, tokens
from reference import Options, Row

Tokens = list[Token]

BLANK = Token("space", b" ")


def _unchanged(game: Tokens) -> Tokens:
    return game


@dataclass(frozen=True)
class Rule:
    """A difference on purpose: a rewriting of the text, or an option of the reading."""

    name: str
    reason: str
    rewrite: Callable[[Tokens], Tokens] = _unchanged
    option: str | None = None
    # The rule that has to be left out for this one.
    instead_of: str | None = None


def _first_tags(game: Tokens) -> Tokens:
    seen: set[bytes] = set()
    out = []
    for token in game:
        if token.kind == "tag" and token.name in seen:
            token = BLANK
        seen.add(token.name)
        out.append(token)
    return out


def _without_unknown_fens(game: Tokens) -> Tokens:
    return [
        BLANK if token.name == b"FEN" and token.value in (b"", b"?") else token for token in game
    ]


def _standard_fens(game: Tokens) -> Tokens:
    return [_with_standard_fen(token) if token.name == b"FEN" else token for token in game]


def _with_standard_fen(tag: Token) -> Token:
    fields = tag.value.replace(b"_", b" ").split()
    if len(fields) > 2:
        fields[2] = bytes(sorted(fields[2], key=b"KQABCDEFGHkqabcdefgh-".find))
    return _with_value(tag, b" ".join(fields))


def _with_value(tag: Token, value: bytes) -> Token:
    """A tag pair with another value. What is around the value is for other rules."""
    start, end = tag.text.index(b'"') + 1, tag.text.rindex(b'"')
    return tag._replace(text=tag.text[:start] + value + tag.text[end:])


def _resolve_escapes(game: Tokens) -> Tokens:
    return [
        _with_value(token, token.value) if token.kind == "tag" and b"\\" in token.text else token
        for token in game
    ]


def _tags_on_lines(game: Tokens) -> Tokens:
    tags = [_with_blank(token) for token in game if token.kind == "tag"]
    lines = [part for tag in tags for part in (tag, Token("space", b"\n"))]
    rest = [token for token in game if token.kind != "tag"]
    while rest and rest[0].kind == "space":
        rest.pop(0)
    return lines + [Token("space", b"\n")] + rest


def _with_blank(tag: Token) -> Token:
    value = tag.text[tag.text.index(b'"') : tag.text.rindex(b'"') + 1]
    return tag._replace(text=b"[%s %s]" % (tag.name, value))


def _replacing(is_replaced: Callable[[Token], bool]) -> Callable[[Tokens], Tokens]:
    return lambda game: [BLANK if is_replaced(token) else token for token in game]


def _is_word(token: Token) -> bool:
    return token.kind in ("word", "number", "bracket", "mark")


def _is_other_notation(token: Token) -> bool:
    """Whether python-chess takes all of a word for a move."""
    text = token.text.rstrip(b"+#").decode("latin-1")
    found = chess.pgn.MOVETEXT_REGEX.fullmatch(text)
    return _is_word(token) and found is not None and found[1] is not None


def _is_other_word(token: Token) -> bool:
    return _is_word(token) and not _is_other_notation(token)


def _moves_of_pgn_reader(game: Tokens) -> Tokens:
    out = []
    for token in reference.with_whole_words(game):
        out.append(BLANK if _is_word(token) else token)
        if token.kind == "word":
            for move in reference.moves_in_word(token.text):
                out += [Token("move", move), BLANK]
    return out


# White space, and lines that begin with `%`.
_SPACE_OF_PGN_READER = rb"(?:[ \t\r\n]|(?<=\n)%[^\n]*)*"
# Without a value it is none, and ends with the line or the first `]`.
_TAG_OF_PGN_READER = re.compile(
    rb'\[(?:(?P<name>[^"\n\]]*?) ?"(?P<value>(?:\\.|[^"\\\n])*)(?:"|(?=\n)|\Z)'
    rb'|[^"\n\]]*(?:[\n\]]|\Z))(?:[ \t\r]*(?:[\n\]]' + _SPACE_OF_PGN_READER + rb")?)",
    re.DOTALL,
)
_IS_TAG_NAME = re.compile(rb"[A-Za-z0-9_]+").fullmatch


def _tags_of_pgn_reader(game: Tokens) -> Tokens:
    text = b"".join(token.text for token in game)
    tags: dict[bytes, bytes] = {}
    movetext: Tokens = []
    while text:
        text = text.removeprefix(b"\xef\xbb\xbf")
        text = text[_leading_space(text) :]
        while found := _TAG_OF_PGN_READER.match(text):
            text = text[found.end() :]
            name = (found["name"] or b"").rstrip(b" \t")
            # python-chess would take a blank in another name for its end.
            if _IS_TAG_NAME(name):
                tags.setdefault(name, found["value"])
        part = _up_to_line_of_tags(tokens(text))
        movetext += [*part, Token("space", b"\n")]
        text = text[sum(len(token.text) for token in part) :]
    lines = b"".join(b'[%s "%s"]\n' % pair for pair in tags.items())
    return [Token("tags", lines), Token("space", b"\n"), *movetext]


def _leading_space(text: bytes) -> int:
    # A line begins at the start of the text.
    found = re.match(_SPACE_OF_PGN_READER, b"\n" + text)
    return found.end() - 1


def _up_to_line_of_tags(game: Tokens) -> Tokens:
    """pgn-reader reads tag pairs again after a blank line, and on lines that begin with `[`."""
    for at, (token, following) in enumerate(itertools.pairwise(game)):
        is_line_of_tags = token.text.endswith(b"\n") and following.text.startswith(b"[")
        if token.kind == "space" and (is_line_of_tags or re.search(rb"\n\r?\n", token.text)):
            return game[: at + 1]
    return game


def _without_blank_lines(game: Tokens) -> Tokens:
    last_tag = max((at for at, token in enumerate(game) if token.kind == "tag"), default=-1)
    out = game[: last_tag + 1]
    for is_space, run in itertools.groupby(game[last_tag + 1 :], lambda it: it.kind == "space"):
        if is_space:
            text = b"".join(token.text for token in run)
            out.append(Token("space", re.sub(rb"[\r\n][ \t\r\n]*[\r\n]", b"\n", text)))
        else:
            out += run
    return out


def _without_inner_results(game: Tokens) -> Tokens:
    depth = 0
    out = []
    for token in game:
        depth = max(0, depth + (token.kind == "open") - (token.kind == "close"))
        out.append(BLANK if token.kind == "result" and depth else token)
    return out


def _up_to_misplaced(game: Tokens) -> Tokens:
    plies = [0]
    for at, token in enumerate(game):
        if token.kind == "move":
            plies[-1] += 1
        elif token.kind == "open":
            if not plies[-1]:
                return game[:at]
            plies.append(0)
        elif token.kind == "close":
            plies.pop()
            if not plies:
                return game[:at]
    return game


_TAGS_OF_PGN_READER = Rule(
    "tags as pgn-reader reads them",
    "of a game that is not structure pgna reads the tag pairs by pgn-reader: a value need not "
    "be closed, blanks may precede a tag pair, and tag pairs and moves may follow it on its line; "
    "spec/pgn.md, section 10, has it otherwise",
    _tags_of_pgn_reader,
    instead_of="layout of tags",
)

RULES = [
    Rule(
        "repeated tag",
        "python-chess takes the last of several tag pairs with a name, pgna the first",
        _first_tags,
    ),
    Rule(
        "escapes in tags",
        'python-chess gives \\" and \\\\ as written, pgna resolves them',
        _resolve_escapes,
    ),
    Rule(
        "layout of tags",
        "python-chess reads one tag pair a line, with a blank before the value and nothing after "
        "it, and no tag pairs after other text; pgna has the rules of spec/pgn.md, section 10",
        _tags_on_lines,
    ),
    Rule(
        "FEN tag without a value",
        'pgna ignores an FEN that is empty or "?"; python-chess gives no moves',
        _without_unknown_fens,
    ),
    Rule(
        "notation of an FEN",
        "pgna reads underscores between the fields, and rights to castle in any order",
        _standard_fens,
    ),
    _TAGS_OF_PGN_READER,
    Rule(
        "moves in other notation",
        "python-chess reads e2-e4, Nge2-f4, 0000 and @@@@ and promotions to small letters, which "
        "are no moves by spec/pgn.md, section 10",
        _replacing(_is_other_notation),
    ),
    Rule(
        "moves inside words",
        "python-chess finds moves, null moves and results inside other words; pgna reads words",
        _replacing(_is_other_word),
    ),
    Rule(
        "moves as pgn-reader reads them",
        "of a game that is not structure pgna reads the moves by pgn-reader: Pf4 is f4, the last "
        "move of Nf3Nc6 counts, and a word ends before `*`; spec/pgn.md, section 10, has it "
        "otherwise",
        _moves_of_pgn_reader,
        instead_of="moves inside words",
    ),
    Rule(
        "NAG with zeros",
        "python-chess reads $007 as 7; a NAG of pgna has no leading zeros, and at most 255",
        _replacing(lambda token: token.kind == "dollar"),
    ),
    Rule(
        "brace never closed",
        "python-chess takes the rest of the text for a comment; for pgna it opens none",
        _replacing(lambda token: token.kind == "brace"),
    ),
    Rule(
        "blank line in the movetext",
        "it ends a game for python-chess, not for pgna",
        _without_blank_lines,
    ),
    Rule(
        "result in a variation",
        "python-chess takes it for an illegal move, which ends the variation; pgna ignores it",
        _without_inner_results,
    ),
    Rule(
        "misplaced variation",
        "a variation before the first ply of its line, or a surplus `)`: python-chess reads its "
        "moves into another line, the columns of pgna end there",
        _up_to_misplaced,
    ),
    Rule(
        "start position that is not legal",
        "python-chess plays from any position; pgna gives no moves without a legal one",
        option="refuses_illegal_starts",
    ),
    Rule(
        "unknown variant",
        "python-chess reads it as chess; pgna gives no moves",
        option="refuses_unknown_variants",
    ),
    Rule(
        "null move in check",
        "python-chess allows it; for pgna it is illegal",
        option="refuses_nulls_in_check",
    ),
    Rule(
        "coordinates of a piece",
        "python-chess reads g1f3 as Nf3; pgna reads coordinates alone for pawns only, so the move "
        "is illegal",
        option="refuses_coordinates",
    ),
    Rule(
        "sign of a capture that is none",
        "python-chess ignores the x of Rxd1 if d1 is empty; for pgna the move is illegal",
        option="refuses_false_captures",
    ),
    Rule(
        "sign of a mate without check",
        "python-chess ignores the # of e4#; for pgna the move is illegal",
        option="refuses_false_mates",
    ),
    Rule(
        "illegal move in a variation",
        "python-chess goes on with the main line from the position in the variation; pgna ends the "
        "variation there, and goes on in the main line",
        option="ends_lines",
    ),
    Rule(
        "notation of drops and hands",
        "a drop of a pawn is @e4 for python-chess and P@e4 for pgna; the pieces in hand are in the "
        "order of their letters or of their values",
        option="has_letters_of_drops",
    ),
    Rule(
        "plies since a drop of a pawn",
        "the counter of the FEN begins anew for pgna, not for python-chess",
        option="counts_drops_of_pawns",
    ),
    Rule(
        "plies after an illegal move",
        "all moves of the text count for ply_count, as documented; python-chess has read those up "
        "to the first illegal one",
        option="counts_moves_of_text",
    ),
    Rule(
        "ply_count of words",
        "of a game that is not structure ply_count has the moves that pgn-reader finds, also such "
        "as Pf4, 0-0-0-0 and the last of Nf3Nc6; spec/pgn.md, section 10, has it otherwise",
        option="counts_moves_in_words",
        instead_of="plies after an illegal move",
    ),
    Rule(
        "mate in 0",
        "python-chess gives it to the side that has moved; pgna goes by the sign",
        option="mate_in_0_by_sign",
    ),
    Rule(
        "clock with more than three decimal places",
        "python-chess gives a float; pgna cuts off, as documented",
        option="clocks_are_cut",
    ),
    Rule(
        "FEN tag of the standard start position",
        "`start` has the FEN of a game that has an FEN tag, even if it is the usual one",
        option="names_standard_fen",
    ),
    Rule(
        "tag pair after a comment",
        "movetext begins at the first comment, also if tag pairs follow",
        option="has_later_tags_in_movetext",
    ),
]


def read(text: bytes, rules: list[Rule]) -> Row:
    """What python-chess reads under some rules."""
    game = tokens(text)
    for rule in rules:
        game = rule.rewrite(game)
    options = Options(**{rule.option: True for rule in rules if rule.option})
    row = reference.read(b"".join(token.text for token in game), options)
    if options.counts_moves_of_text or options.counts_moves_in_words:
        counted = tokens(text)
        if _TAGS_OF_PGN_READER in rules:
            counted = _TAGS_OF_PGN_READER.rewrite(counted)
        counted_text = b"".join(token.text for token in counted)
        row["ply_count"] = reference.moves_in(counted_text, options)
    row["movetext"] = reference.readable(reference.movetext(text, options))
    return row


def explain(text: bytes, given: Row, has_nulls: bool) -> list[Rule] | None:
    """The rules under which python-chess reads what pgna has given; `None` if there are none."""

    def is_same(theirs: object, ours: object) -> bool:
        return theirs == ours or (not has_nulls and theirs == "" and ours is None)

    def explains(rules: list[Rule]) -> bool:
        row = read(text, rules)
        return all(is_same(row[name], value) for name, value in given.items())

    for rules in _alternatives():
        if explains(rules):
            return _needed(rules, explains)
    return None


def _alternatives() -> Iterator[list[Rule]]:
    """All rules, with each combination of those of which only one can hold."""
    choices = [rule for rule in RULES if rule.instead_of]
    for chosen in itertools.product([False, True], repeat=len(choices)):
        left_out = {
            choice.instead_of if is_chosen else choice.name
            for choice, is_chosen in zip(choices, chosen)
        }
        yield [rule for rule in RULES if rule.name not in left_out]


def _needed(rules: list[Rule], explains: Callable[[list[Rule]], bool]) -> list[Rule]:
    """The rules without which a difference is not explained."""
    for rule in list(rules):
        fewer = [other for other in rules if other is not rule]
        if explains(fewer):
            rules = fewer
    return rules
