"""One Redis server: its keys below a prefix, its scripts, and its errors in our words.

The address's fragment is the prefix (`redis://host:6379/0#team`). All keys of a prefix are in one slot of a cluster,
since a script works on several. What must stay true: what must happen together is one script; no message shows the
password.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar
from urllib.parse import quote, unquote, urldefrag

from pluto_duck_backend.app.core.secret_references import without_password
from pluto_duck_backend.app.core.state import place_of, unreachable
from pluto_duck_backend.app.services.state.drivers import driver_missing

T = TypeVar("T")
_PREFIX = "pluto-duck"
_WAIT_S = 10
_SAFE = {"appendonly": "yes", "maxmemory-policy": "noeviction"}


class Server:
    """Thread-safe."""

    def __init__(self, address: str) -> None:
        self._address, fragment = urldefrag(address)
        self._prefix = f"{{{unquote(fragment) or _PREFIX}}}"
        self.place = place_of("Redis", self._address)
        self._client: Any = None
        self._scripts: dict[str, Any] = {}

    def key(self, *parts: str) -> str:
        return ":".join([self._prefix, *(quote(part, safe="/ ") for part in parts)])

    def run(self, work: Callable[[Any], T]) -> T:
        """What `work` gives, given the client. Raises EnvironmentFault."""
        redis = _library()
        try:
            if self._client is None:
                waits = {"socket_timeout": _WAIT_S, "socket_connect_timeout": _WAIT_S}
                self._client = redis.Redis.from_url(self._address, **waits)
            return work(self._client)
        except (redis.RedisError, ValueError) as error:
            reason = " ".join(without_password(str(error), self._address).split())[:300]
            raise unreachable(self.place, reason or type(error).__name__) from None

    def together(self, *commands: Sequence[Any]) -> list[Any]:
        """What these commands give, as one transaction."""

        def work(client: Any) -> list[Any]:
            pipe = client.pipeline(transaction=True)
            for command in commands:
                pipe.execute_command(*command)
            return list(pipe.execute())

        return self.run(work)

    def script(self, text: str, keys: Sequence[str], values: Sequence[Any]) -> Any:
        """What a Lua script gives, which the server knows by its digest after the first time."""

        def work(client: Any) -> Any:
            if text not in self._scripts:
                self._scripts[text] = client.register_script(text)
            return self._scripts[text](keys=keys, args=values)

        return self.run(work)

    def fault(self) -> str:
        """What of its configuration may lose state; empty where nothing does, or where it does not say."""
        redis = _library()

        def work(client: Any) -> str:
            client.ping()
            try:
                told = _texts(client.config_get(*_SAFE))
            except redis.ResponseError:
                return ""
            return _hint(self.place, {name: value for name, value in told.items() if value != _SAFE.get(name, value)})

        return self.run(work)

    def close(self) -> None:
        if self._client is not None:
            self._client.close()
            self._client = None


def _hint(place: str, unsafe: dict[str, str]) -> str:
    if not unsafe:
        return ""
    found, safe = (", ".join(f"{name} {of[name]}" for name in unsafe) for of in (unsafe, _SAFE))
    return f"{place} may lose what was kept there ({found}): set {safe}."


def _texts(told: dict[Any, Any]) -> dict[str, str]:
    return {_text(name): _text(value) for name, value in told.items()}


def _text(value: Any) -> str:
    return value.decode() if isinstance(value, bytes) else str(value)


def _library() -> Any:
    try:
        import redis
    except ImportError as error:
        raise driver_missing("Redis", "redis", "redis") from error
    return redis
