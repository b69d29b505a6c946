"""The questions, in the language of each program that has words for them."""

from dataclasses import dataclass
from itertools import combinations, product

# Scid's ranges of pieces have to be given. It leaves out games by their signature of material only
# up to three pieces of a kind; its own window proposes two.
_ANY = " ".join(f"-{side}{piece} {{0 3}}" for side in "wb" for piece in "qrbn")
_PAWNS = "-wp {0 8} -bp {0 8}"


@dataclass(frozen=True)
class Question:
    name: str
    """The key of the test in `reference.py`."""
    pgna: tuple[str, ...]
    """Options of `pgna find`."""
    scid: str | None = None
    """A line for `search.tcl`."""
    scoutfish: tuple[dict, ...] = ()
    """Queries that no game satisfies two of; the hits are the sum."""
    positions: tuple[str, ...] = ()
    """Lines of a file of tags for `-t` of pgn-extract."""
    materials: tuple[str, ...] = ()
    """Lines of a file of materials for its option `-y`."""


def _scid(patterns: str, options: str = "") -> str:
    """A search for patterns such as `Yes wb h 7, No wp c ?` among any pieces."""
    words = " ".join(f"-pattern {{{pattern.strip()}}}" for pattern in patterns.split(","))
    return f"material {_ANY} {_PAWNS} {options} {words}"


def _board(squares: dict[str, str], other: str = "?") -> str:
    """A board for pgn-extract: what is at the squares, and `other` at those that are not named."""
    ranks = ("".join(squares.get(file + rank, other) for file in "abcdefgh") for rank in "87654321")
    return "/".join(ranks)


def _pattern(squares: dict[str, str]) -> str:
    return f'FENPattern "{_board(squares)}"'


def _either(squares: dict[str, str]) -> str:
    """The same with colours exchanged as well."""
    return f'FENPatternI "{_board(squares)}"'


def _sub_fen(squares: dict[str, str]) -> str:
    return _board(squares, "1")


def _without(piece: str, files: str) -> dict[str, str]:
    return {file + rank: f"[^{piece}]" for file in files for rank in "12345678"}


def _materials(white: str, black: str) -> list[str]:
    """Materials for Scoutfish: these pieces and up to eight pawns of each side."""
    return [f"K{white}{'P' * i}K{black}{'P' * j}" for i, j in product(range(9), repeat=2)]


_OUTPOST = {"d5": "N", "d6": "p", "e5": "p"}
_OUTPOST_FLIPPED = {"d4": "n", "d3": "P", "e4": "P"}
_DOUBLED = [{"c" + a: "P", "c" + b: "P"} for a, b in combinations("234567", 2)]
_SEVENTH = [{f + "7": "P"} for f in "abcdefgh"] + [{f + "2": "p"} for f in "abcdefgh"]
_MAROCZY = _without("p", "c") | {"c4": "P", "e4": "P"}
_EMPTY_E4 = ", ".join(f"No {side}{piece} e 4" for side in "wb" for piece in "kqrbnp")


def _maroczy(rank: str) -> str:
    """The bind with a black pawn on this rank of the d file, and neither P on it nor p on d5."""
    file = {"d" + r: "[^P]" for r in "1234678"} | {"d5": "[^Pp]", "d" + rank: "p"}
    return _pattern(_MAROCZY | file)


def _castled(white: str, black: str) -> dict:
    """Both castlings, in either order: each side castles once at most."""
    either = {"white-move": white, "black-move": black}
    return {"sequence": [either, either]}


QUESTIONS = [
    Question(
        "bishop h7",
        ("--pattern", "Bh7 Kg1 kg8"),
        _scid("Yes wb h 7, Yes wk g 1, Yes bk g 8"),
        ({"sub-fen": _sub_fen({"h7": "B", "g1": "K", "g8": "k"})},),
        positions=(_pattern({"h7": "B", "g1": "K", "g8": "k"}),),
    ),
    Question(
        "empty e4",
        ("--pattern", "Nd5 pd6 .e4"),
        _scid(f"Yes wn d 5, Yes bp d 6, {_EMPTY_E4}"),
        positions=(_pattern({"d5": "N", "d6": "p", "e4": "1"}),),
    ),
    Question(
        "rooks a7 b7",
        ("--pattern", "Ra7 Rb7"),
        _scid("Yes wr a 7, Yes wr b 7"),
        ({"sub-fen": _sub_fen({"a7": "R", "b7": "R"})},),
        positions=(_pattern({"a7": "R", "b7": "R"}),),
    ),
    Question(
        "outpost",
        ("--pattern", "Nd5 pd6 pe5", "--flip"),
        _scid("Yes wn d 5, Yes bp d 6, Yes bp e 5", "-flip 1"),
        ({"sub-fen": [_sub_fen(_OUTPOST), _sub_fen(_OUTPOST_FLIPPED)]},),
        positions=(_either(_OUTPOST),),
    ),
    Question(
        "isolated d pawn",
        ("--position", "isolated [Pp]d"),
        _scid("Yes wp d ?, No wp c ?, No wp e ?", "-flip 1"),
        positions=tuple(_either(_without("P", "ce") | {"d" + rank: "P"}) for rank in "234567"),
    ),
    Question(
        "opposite bishops",
        ("--position", "opposite bishops and [Pp] >= 1"),
        f"material {_ANY} -wb {{1 1}} -bb {{1 1}} -wp {{1 8}} -bp {{0 8}} -flip 1"
        " -bishops Opposite",
    ),
    Question(
        "doubled c pawn",
        ("--position", "doubled Pc"),
        scoutfish=({"sub-fen": [_sub_fen(squares) for squares in _DOUBLED]},),
        positions=tuple(_pattern(squares) for squares in _DOUBLED),
    ),
    Question(
        "passed on the seventh",
        ("--position", "passed P7 or passed p2"),
        _scid("Yes wp ? 7", "-flip 1"),
        ({"sub-fen": [_sub_fen(squares) for squares in _SEVENTH]},),
        positions=('FENPatternI "*/*P*/*/*/*/*/*/*"',),
    ),
    Question(
        "castled opposite",
        ("--position", "castled opposite"),
        scoutfish=(_castled("O-O", "O-O-O"), _castled("O-O-O", "O-O")),
    ),
    Question(
        "rook and pawn each",
        ("--material", "KRPkrp"),
        "material -wr {1 1} -br {1 1} -wp {1 1} -bp {1 1}",
        ({"material": "KRPKRP"},),
        materials=("0 rp rp",),
    ),
    # Searches from the menus of Scid's window for material and patterns.
    Question(
        "queen and pawn, queen",
        ("--material", "KQPkq"),
        "material -wq {1 1} -bq {1 1} -wp {1 1}",
        ({"material": "KQPKQ"},),
        materials=("0 qp q",),
    ),
    Question(
        "rook ending",
        ("--material", "KRP*krp*"),
        f"material -wr {{1 1}} -br {{1 1}} {_PAWNS}",
        ({"material": _materials("R", "R")},),
        materials=("0 rp* rp*",),
    ),
    Question(
        "bishops, knights",
        ("--material", "KBBP*knnp*"),
        f"material -wb {{2 2}} -bn {{2 2}} {_PAWNS}",
        ({"material": _materials("BB", "NN")},),
        materials=("0 b2p* n2p*",),
    ),
    Question(
        "opposite bishops ending",
        ("--position", "material KBP*kbp* and opposite bishops"),
        f"material -wb {{1 1}} -bb {{1 1}} {_PAWNS} -bishops Opposite",
    ),
    Question(
        "rook ending, passed a pawn",
        ("--position", "material KRP+krp* and Pa and not p[a,b]", "--flip"),
        "material -wr {1 1} -br {1 1} -wp {1 8} -bp {0 8} -flip 1"
        " -pattern {Yes wp a ?} -pattern {No bp a ?} -pattern {No bp b ?}",
    ),
    Question(
        "Maroczy bind",
        ("--position", "Pc4 and Pe4 and pd and not Pd and not pc and not pd5"),
        _scid("Yes wp c 4, Yes wp e 4, Yes bp d ?, No wp d ?, No bp c ?, No bp d 5"),
        positions=tuple(_maroczy(rank) for rank in "23467"),
    ),
    # What the games come with.
    Question("comments", ("-w", "has comments"), "header -n_comments {1 9999}"),
    Question("variations", ("-w", "has variations"), "header -n_variations {1 9999}"),
    Question("clocks", ("-w", "has clocks")),
]
