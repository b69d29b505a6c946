"""The program ``pgna``."""

from __future__ import annotations

import sys

from . import _models, _pgna


def main() -> int:
    """Runs the program; returns its exit status."""
    _models.load_installed()
    return _pgna.run(["pgna", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
