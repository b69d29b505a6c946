"""The output function of SplitMix64. models.md, "The board"; openings.md, section 1."""

from __future__ import annotations

from functools import lru_cache

from .base import MASK64


@lru_cache(1 << 16)
def mix(n: int) -> int:
    z = n + 0x9E3779B97F4A7C15 & MASK64
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & MASK64
    z = (z ^ z >> 27) * 0x94D049BB133111EB & MASK64
    return z ^ z >> 31
