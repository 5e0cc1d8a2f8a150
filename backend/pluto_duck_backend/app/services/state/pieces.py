"""Bytes of any length as pieces of one size, for places that keep values rather than files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

PIECE = 1 << 20


def pieces(chunks: Iterable[bytes], size: int = PIECE) -> Iterator[bytes]:
    """Pieces of `size` bytes, the last one shorter; nothing for nothing."""
    held = bytearray()
    for chunk in chunks:
        held += chunk
        while len(held) >= size:
            yield bytes(held[:size])
            del held[:size]
    if held:
        yield bytes(held)
