"""The examples in docstrings."""

from __future__ import annotations

import doctest
import inspect
import io
from collections.abc import Iterator
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import pytest

import pgna
from pgna import _errors, _pgna, _types


def documented() -> Iterator[tuple[str, str]]:
    """All docstrings with examples, by the names of what they document."""
    found = {}
    modules = [pgna, _errors, _types, _pgna]
    if find_spec("polars"):
        modules.append(import_module("pgna.polars"))
    for module in modules:
        found[module.__name__] = module
        for name, value in vars(module).items():
            if name.startswith("__") or inspect.ismodule(value):
                continue
            found[f"pgna.{name}"] = value
            if inspect.isclass(value) and value.__module__.startswith("pgna"):
                for member, attribute in vars(value).items():
                    found[f"pgna.{name}.{member}"] = attribute
    for name, value in found.items():
        text = getattr(value, "__doc__", None)
        if isinstance(text, str) and ">>>" in text:
            yield name, text


DOCSTRINGS = dict(documented())


def test_examples_are_found() -> None:
    for name in ("pgna", "pgna.open", "pgna.Archive.find", "pgna.Game.clocks"):
        assert name in DOCSTRINGS


@pytest.mark.parametrize("name", DOCSTRINGS)
def test_examples(name: str, archive: pgna.Archive) -> None:
    if name == "pgna.append":
        pgna.pack(("one.pgn", io.BytesIO(b"1. e4 e5 1-0")), "one.pgna")
    names = {"pgna": pgna, "io": io, "archive": archive, "Path": Path}
    example = doctest.DocTestParser().get_doctest(
        DOCSTRINGS[name], names, name, None, None
    )
    report = io.StringIO()
    runner = doctest.DocTestRunner()
    assert runner.run(example, out=report.write).failed == 0, report.getvalue()
