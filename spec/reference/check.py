"""Checks the decoder: golden archives, vectors, the examples of the specification.

python3 -m reference.check [--quick], from the folder spec/; exit status 1 on any difference. --quick
leaves out the larger archives, mending and the vectors of move codecs.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Iterator

from blake3 import blake3

from .archive import read_sources
from .base import Damaged, require
from .chess import LETTERS, NULL, Ply, Position, Variant, play
from .codecs import (INDEX_ELIDED, MODEL, RADIX_END, Line, check_nulls, decode, decode_huffman, decode_radix_end,
                     written_target)
from .container import open_archive
from .examples import check_examples
from .fen import read_fen, square_name, square_named, write_fen
from .layout import RESULTS
from .model import Coder, GameData, Model, built_in
from .parity import mended
from .positions import decode_combined

ROOT = Path(__file__).resolve().parent.parent.parent
VARIANTS = ["chess", "atomic", "antichess", "kingofthehill", "3check", "crazyhouse", "racingkings", "horde"]
SMALL_ARCHIVE = 8000
CODECS = ["huffman", "huffman-index", "model", "radix", "radix-end", "san", "squares"]


def check_golden(most_bytes: int = 1 << 30) -> Iterator[tuple[str, bool]]:
    """The golden archives and their sources have the digests of sources.txt."""
    for folder in sorted((ROOT / "tests/golden").glob("*/")):
        expected = (folder / "sources.txt").read_text().splitlines()
        for path in sorted(folder.glob("*.pgna")):
            if path.stat().st_size > most_bytes:
                continue
            data = path.read_bytes()
            lines = [f"{path.stem}: {blake3(data).hexdigest()}"]
            for source, text in read_sources(open_archive(data)):
                lines.append(f"{path.stem} {source.name} {source.games} {blake3(text).hexdigest()}")
            yield path.name, lines == [line for line in expected if line.split()[0].rstrip(":") == path.stem]


def check_mending() -> Iterator[tuple[str, bool]]:
    """Each parity section of the golden archives restores what it covers."""
    for path in sorted((ROOT / "tests/golden").glob("*/*.pgna")):
        data = path.read_bytes()
        for span in open_archive(data).parity:
            size = 1 << data[span.end - 6]
            for at in range(span.start, span.offset, max(size, (span.offset - span.start) // 50)):
                end = min(at // size * size + size, span.offset)
                damaged = data[:at] + bytes(end - at) + data[end:]
                yield f"{path.name}: bytes {at} to {end}", mended(damaged, span) == data


def ply_text(position: Position, ply: Ply) -> str:
    """A ply as in the vectors."""
    if ply is NULL:
        return "--"
    if ply.origin is None:
        return LETTERS[ply.role] + "@" + square_name(ply.target)
    promotion = LETTERS[ply.promotion].lower() if ply.promotion else ""
    return square_name(ply.origin) + square_name(written_target(position, ply)) + promotion


def start_of(vector: dict) -> Position:
    """The start position of a vector, or what the bits do not contain of it."""
    if start := vector.get("start"):
        return read_fen(start["fen"].encode(), Variant(VARIANTS.index(start["variant"])), start["chess960"])
    require(vector["codec"].startswith("huffman"), "start-unknown")
    rest = vector["rest_of_start"]
    rights = frozenset(map(square_named, rest["castling_rooks"]))
    en_passant = square_named(rest["ep_square"]) if rest["ep_square"] else None
    variant = Variant(VARIANTS.index(rest.get("variant", "chess")))
    return Position((0,) * 64, 0, rights, en_passant, rest["halfmoves"], rest["fullmoves"], variant, rest["chess960"])


def decode_model(bits: bytes, vector: dict, start: Position) -> Line:
    """A line that a model codes."""
    ratings = tuple(vector.get("ratings", (None, None)))
    result = vector.get("result")
    number = RESULTS.index(result.encode()) if result and result != "*" else None
    coder = Coder(Model(built_in(vector["level"])[0]), GameData(ratings, number, vector["plies"]), bits)
    state, line = coder.start(start), []
    for ply in range(vector["plies"]):
        move, state = coder.next_ply(state, ply in vector["null_plies"], is_main=True)
        line.append(move)
    coder.stream.finish()
    return line


def result_of(vector: dict) -> str | None:
    return vector.get("result") or vector.get("line", {}).get("result")


def decode_vector(vector: dict, bits: bytes) -> tuple[Position, Line, str | None]:
    """Start position, line and result of a vector."""
    start, result = start_of(vector), result_of(vector)
    selector, plies, nulls = vector["selector"], vector["plies"], vector["null_plies"]
    if selector == RADIX_END:
        line, number = decode_radix_end(bits, nulls, start)
        return start, line, RESULTS[number].decode()
    check_nulls(plies, nulls)
    if selector == MODEL:
        return start, decode_model(bits, vector, start), result
    if selector <= INDEX_ELIDED:
        return *decode_huffman(selector, bits, plies, nulls, start), result
    return start, decode(selector, bits, plies, nulls, start), result


def check_vector(path: Path) -> bool:
    """Whether a vector gives its line, or an error."""
    vector = json.loads(path.read_text())
    try:
        position, line, result = decode_vector(vector, path.with_suffix(".bin").read_bytes())
    except Damaged:
        return "error" in vector
    texts = []
    for ply in line:
        texts.append(ply_text(position, ply))
        position = play(position, ply)
    return "error" not in vector and texts == vector["line"]["plies"] and result == result_of(vector)


def check_vectors() -> Iterator[tuple[str, bool]]:
    """The vectors of the move codecs."""
    for codec in CODECS:
        for path in sorted((ROOT / "tests/vectors" / codec).glob("*.json")):
            yield f"{codec}/{path.stem}", check_vector(path)


def check_positions() -> Iterator[tuple[str, bool]]:
    """The vectors of the position code `combined`."""
    for vector in json.loads((ROOT / "tests/vectors/position/combined.json").read_text()):
        try:
            position = decode_combined(bytes.fromhex(vector["hex"]))
        except Damaged:
            yield f"combined/{vector['name']}", "error" in vector
            continue
        texts = [write_fen(position, shredder).decode() for shredder in (False, True)]
        yield f"combined/{vector['name']}", vector.get("fen") in texts


def main() -> int:
    checks = {"examples of the specification": check_examples, "vectors of positions": check_positions}
    if "--quick" in sys.argv:
        checks |= {"sources of small golden archives": lambda: check_golden(SMALL_ARCHIVE)}
    else:
        checks |= {"vectors of move codecs": check_vectors, "sources of golden archives": check_golden,
                   "mended golden archives": check_mending}
    different = 0
    for name, check in checks.items():
        results = list(check())
        failed = [of for of, same in results if not same]
        different += len(failed) + (not results)
        print(f"{name}: {len(results) - len(failed)} of {len(results)}")
        for of in failed:
            print(f"  differs: {of}")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
