"""The move model that is a package of its own."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import SAMPLES

import pgna

REPOSITORY = Path(__file__).parents[2]

#: Packs an archive with the model, and reads it.
PACK = """
import pgna
pgna.pack("long.pgn", "max.pgna", level="max")
assert len(list(pgna.open("max.pgna").find("plies > 4", after="e4"))) > 0
"""

#: Reads the archive in all ways without the model.
READ = """
import pgna
for read in (
    lambda: [game.moves for game in pgna.open("max.pgna")],
    lambda: list(pgna.open("max.pgna").find("plies > 4", pattern="Nd5 pd6")),
    lambda: list(pgna.open("max.pgna").scan(["moves"])),
    lambda: list(pgna.open("max.pgna").scan(["moves"], on_damage=print)),
    lambda: pgna.unpack("max.pgna", "out"),
    lambda: pgna.pack("long.pgn", "new.pgna", level="max"),
):
    try:
        read()
    except pgna.ModelError as error:
        assert "pip install pgna-max" in str(error)
    else:
        raise AssertionError("it was read without the model")
"""


@pytest.fixture
def with_max(tmp_path: Path) -> Path:
    """A folder with the package `pgna_max`, as its wheel has it."""
    package = tmp_path / "installed" / "pgna_max"
    shutil.copytree(REPOSITORY / "python" / "max" / "pgna_max", package)
    shutil.copy(REPOSITORY / "spec" / "models" / "max.model", package)
    return package.parent


def run(code: str, path: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Runs code in another process, with a folder of packages."""
    lines = "" if path is None else f"import sys; sys.path.append({str(path)!r})\n"
    command = [sys.executable, "-c", lines + code]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_the_model_is_found_when_it_is_installed(folder: Path, with_max: Path) -> None:
    text = (SAMPLES / "lichess-clk-eval.pgn").read_bytes()
    Path("long.pgn").write_bytes(text)
    packed = run(PACK, with_max)
    assert packed.returncode == 0, packed.stderr
    read = run(READ)
    assert read.returncode == 0, read.stderr
    assert not Path("new.pgna").exists()
    program = "import sys; from pgna.__main__ import main; "
    program += "sys.argv[1:] = ['unpack', 'max.pgna', '-c']; sys.exit(main())"
    assert run(program, with_max).stdout.encode() == text
    assert run(program).returncode == 5


def test_other_weights_are_refused() -> None:
    from pgna import _pgna

    with pytest.raises(ValueError, match="not the weights"):
        _pgna.load_model("max", b"no weights")
    with pytest.raises(ValueError, match="level"):
        _pgna.load_model("huge", b"")


def test_the_package_that_is_installed(folder: Path) -> None:
    pytest.importorskip("pgna_max")
    text = (SAMPLES / "lichess-clk-eval.pgn").read_bytes()
    Path("long.pgn").write_bytes(text)
    pgna.pack("long.pgn", "max.pgna", level="max")
    pgna.unpack("max.pgna", "out")
    assert Path("out/long.pgn").read_bytes() == text
