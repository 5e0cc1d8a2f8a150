"""Artifacts as objects `<prefix>/<scope>/<name>`; large ones go up in parts and are there when all have come."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain, islice
from typing import Any

from pluto_duck_backend.app.core.state import checked, no_artifact
from pluto_duck_backend.app.services.state.in_s3.bucket import Bucket, key, library
from pluto_duck_backend.app.services.state.pieces import pieces

_PART = 5 << 20  # the least that S3 takes
_PARTS_AT_ONCE = 1
_PIECES_AT_ONCE = 5


class S3Artifacts:
    def __init__(self, bucket: Bucket) -> None:
        self._bucket = bucket
        self.place = bucket.place

    def write(self, scope: str, name: str, chunks: Iterable[bytes]) -> int:
        at, rest = key(scope, checked(name)), pieces(chunks)
        first = list(islice(rest, _PIECES_AT_ONCE))
        with self._bucket.worded():
            if len(first) < _PIECES_AT_ONCE:
                small = b"".join(first)
                self._bucket.store.put(at, small, use_multipart=False)
                return len(small)
            return self._write_in_parts(at, chain(first, rest))

    def _write_in_parts(self, at: str, rest: Iterator[bytes]) -> int:
        """A writer that is not closed has put nothing; its parts are the bucket's to sweep."""
        writer = library().open_writer(self._bucket.store, at, buffer_size=_PART, max_concurrency=_PARTS_AT_ONCE)
        size = sum(writer.write(piece) for piece in rest)
        writer.close()
        return size

    def read(self, scope: str, name: str) -> Iterator[bytes]:
        try:
            with self._bucket.worded():
                answer = self._bucket.store.get(key(scope, checked(name)))
        except FileNotFoundError:
            raise no_artifact(scope, name) from None
        return self._pieces(answer)

    def _pieces(self, answer: Any) -> Iterator[bytes]:
        with self._bucket.worded():
            for piece in answer.stream(min_chunk_size=1 << 20):
                yield bytes(piece)

    def names(self, scope: str) -> list[str]:
        return [name for name, _ in self._bucket.names(scope)]

    def delete(self, scope: str, name: str) -> bool:
        return self._bucket.delete(scope, checked(name))
