"""The weights of the move model ``max`` of pgna.

If this package is installed, ``pgna`` reads archives that were packed with ``level="max"``, and
packs them.
"""

from importlib.resources import files


def weights() -> bytes:
    """The bytes of the weights."""
    return (files(__package__) / "max.model").read_bytes()
