"""One S3 bucket, below a prefix: its objects, and its errors in our words.

What must stay true: an object is put whole, or not at all; what is put on a condition is put once, also where an answer
of the server is lost on its way; no message shows a key.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping
from datetime import timedelta
from typing import Any, TypeVar
from urllib.parse import quote, unquote, urlsplit

from pluto_duck_backend.app.core.secret_references import HIDDEN
from pluto_duck_backend.app.core.state import Address, unreachable
from pluto_duck_backend.app.services.state.drivers import driver_missing

T = TypeVar("T")
_WAIT = timedelta(seconds=30)


class Bucket:
    """Thread-safe. Keys are scopes and names, each part quoted but for letters, digits and a few signs."""

    def __init__(self, address: Address) -> None:
        parts = urlsplit(address.url)
        self.place = f"S3 at {parts.netloc}{parts.path}"
        self._bucket = parts.netloc
        self._prefix = parts.path.strip("/")
        self._options = address.options
        self._opened: Any = None

    @property
    def store(self) -> Any:
        """obstore's store; its methods raise obstore's errors, which `worded` takes."""
        if self._opened is None:
            endpoint = self._options.get("endpoint", "")
            client = {"allow_http": endpoint.startswith("http://"), "connect_timeout": _WAIT, "timeout": _WAIT}
            retry = {"max_retries": 2, "retry_timeout": _WAIT, "backoff": {"init_backoff": timedelta(milliseconds=100)}}
            self._opened = library().store.S3Store(
                self._bucket,
                prefix=self._prefix or None,
                config=dict(self._options),
                client_options=client,
                retry_config=retry,
            )
        return self._opened

    def names(self, scope: str) -> list[tuple[str, Mapping[str, Any]]]:
        """Names and metadata of the objects directly in a scope, by name."""
        with self.worded():
            found = self.store.list_with_delimiter(f"{_key(scope)}/")["objects"]
        named = ((unquote(str(each["path"]).rpartition("/")[2]), each) for each in found)
        return sorted(named, key=lambda each: each[0])

    def folders(self, scope: str) -> list[str]:
        """Names of the scopes directly below a scope."""
        with self.worded():
            found = self.store.list_with_delimiter(f"{_key(scope)}/")["common_prefixes"]
        return sorted(unquote(str(each).rstrip("/").rpartition("/")[2]) for each in found)

    def has(self, scope: str, name: str) -> bool:
        return self._tried(lambda at: self.store.head(at), scope, name) is not None

    def get(self, scope: str, name: str) -> bytes | None:
        """An object's bytes; None where it is not there."""
        return self._tried(lambda at: bytes(self.store.get(at).bytes()), scope, name)

    def put(self, scope: str, name: str, data: bytes) -> None:
        with self.worded():
            self.store.put(key(scope, name), data, use_multipart=False)

    def put_new(self, scope: str, name: str, data: bytes) -> bool:
        """False where there is one already, unless that is the same: then an answer was lost."""
        try:
            with self.worded():
                self.store.put(key(scope, name), data, mode="create", use_multipart=False)
        except library().exceptions.AlreadyExistsError:
            return self.get(scope, name) == data
        return True

    def delete(self, scope: str, name: str) -> bool:
        """S3 does not say whether there was one, so it is asked before."""
        if not self.has(scope, name):
            return False
        self._tried(lambda at: self.store.delete(at), scope, name)
        return True

    def delete_all(self, scope: str) -> None:
        """What is directly in a scope."""
        if found := [str(about["path"]) for _, about in self.names(scope)]:
            with self.worded():
                self.store.delete(found)

    def _tried(self, call: Callable[[str], T], scope: str, name: str) -> T | None:
        try:
            with self.worded():
                return call(key(scope, name))
        except FileNotFoundError:
            return None

    @contextlib.contextmanager
    def worded(self) -> Iterator[None]:
        """Raises EnvironmentFault for what goes wrong with the server, FileNotFoundError for what is not there."""
        errors = library().exceptions
        try:
            yield
        except FileNotFoundError:
            raise
        except (errors.AlreadyExistsError, errors.PreconditionError):
            raise
        except errors.BaseError as error:
            raise unreachable(self.place, self._reason(str(error))) from None

    def _reason(self, text: str) -> str:
        said = " ".join(text.split("Debug source")[0].split())
        for name, value in self._options.items():
            if value and name not in ("endpoint", "region"):
                said = said.replace(value, HIDDEN)
        return said[:300]


def key(scope: str, name: str) -> str:
    return f"{_key(scope)}/{quote(name, safe='')}"


def _key(scope: str) -> str:
    return "/".join(quote(part, safe="") for part in scope.split("/"))


def library() -> Any:
    try:
        import obstore.store
    except ImportError as error:
        raise driver_missing("S3", "obstore", "objects") from error
    return obstore
