"""Reference decoder of the PGN archive format: the spec that executes. See README.md."""
