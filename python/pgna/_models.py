"""Move models that are packages of their own."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec

from ._pgna import load_model


def load_installed() -> None:
    """Loads the model ``max`` if the package ``pgna-max`` is installed."""
    if find_spec("pgna_max") is not None:
        load_model("max", import_module("pgna_max").weights())
