"""Move models that are packages of their own."""

from __future__ import annotations

from importlib.util import find_spec

from ._pgna import load_model


def load_installed() -> None:
    """Loads the model ``max`` if the package ``pgna-max`` is installed."""
    if find_spec("pgna_max") is not None:
        import pgna_max

        load_model("max", pgna_max.weights())
