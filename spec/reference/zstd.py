"""The zstd frames of packs. columns.md, section 2."""

from __future__ import annotations

from .base import Damaged, require

try:
    from compression import zstd as library  # Python 3.14 and later
except ImportError:
    import zstandard as library


def header(size: int) -> bytes:
    """The six bytes of a frame that a pack omits."""
    window = min(27, max(10, (size - 1).bit_length()))
    return bytes([0x28, 0xB5, 0x2F, 0xFD, 0x00, 8 * (window - 10)])


def frame_end(body: bytes) -> int:
    """Where the last block of a frame ends. RFC 8878, section 3.1.1.2."""
    at, last = 0, False
    while not last:
        require(at + 3 <= len(body), "zstd frame ends early")
        block = int.from_bytes(body[at : at + 3], "little")
        last, kind, size = block & 1 == 1, block >> 1 & 3, block >> 3
        at += 3 + (1 if kind == 1 else size)  # a block of kind 1 is one byte, repeated
    return at


def decompress(body: bytes, size: int) -> bytes:
    """The `size` raw bytes of a frame without its header, and with padding."""
    end = frame_end(body)
    require(not any(body[end:]), "padding of a pack is not zeros")
    frame = header(size) + body[:end]
    try:
        if library.__name__ == "zstandard":
            raw = library.ZstdDecompressor().decompress(frame, max_output_size=max(1, size))
        else:
            raw = library.ZstdDecompressor().decompress(frame, max_length=size + 1)
    except library.ZstdError as error:
        raise Damaged(f"zstd frame: {error}") from error
    require(len(raw) == size, "zstd frame of another size")
    return raw
