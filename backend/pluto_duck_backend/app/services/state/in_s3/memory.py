"""Texts as objects `<prefix>/<scope>/<name>`; a mark is the object's ETag with the moment it was put.

Whoever replaces what it has seen does so by a conditional put (If-Match, If-None-Match), which the store must know.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pluto_duck_backend.app.core.state import Entry, changed_meanwhile, checked, no_text
from pluto_duck_backend.app.services.state.in_s3.bucket import Bucket, key, library


class S3Memory:
    def __init__(self, bucket: Bucket) -> None:
        self._bucket = bucket
        self.place = bucket.place

    def entries(self, scope: str) -> list[Entry]:
        return [Entry(name, _mark(found)) for name, found in self._bucket.names(scope)]

    def read(self, scope: str, name: str) -> tuple[bytes, str]:
        try:
            with self._bucket.worded():
                answer = self._bucket.store.get(key(scope, checked(name)))
                return bytes(answer.bytes()), _mark(answer.meta)
        except FileNotFoundError:
            raise no_text(scope, name) from None

    def write(self, scope: str, name: str, data: bytes, instead_of: str | None = None) -> str:
        errors = library().exceptions
        at, condition = key(scope, checked(name)), _condition(instead_of)
        try:
            with self._bucket.worded():
                put = self._bucket.store.put(at, data, mode=condition, use_multipart=False)
        except (FileNotFoundError, errors.AlreadyExistsError, errors.PreconditionError):
            raise changed_meanwhile(scope, name) from None
        return _mark(put)

    def delete(self, scope: str, name: str) -> bool:
        return self._bucket.delete(scope, checked(name))


def _condition(instead_of: str | None) -> Any:
    if instead_of is None:
        return "overwrite"
    return {"e_tag": instead_of} if instead_of else "create"


def _mark(found: Mapping[str, Any]) -> str:
    return str(found["e_tag"])
