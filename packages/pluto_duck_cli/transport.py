"""The calls of a server as the client makes them: JSON, bytes and event streams over HTTP, errors as ours."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

from pluto_duck_backend.app.core.errors import EnvironmentFault, RemoteError
from pluto_duck_backend.app.core.owner import Owner

_RECONNECTS = 20
_RECONNECT_S = 0.5
_API = "/api/v1"
_SEEN = 204
#   the status of an event stream whose end its reader has seen


def part(name: str) -> str:
    """A name as one part of an address, whatever it holds; of a slash, which no name of ours has, its code is told."""
    return rest(name.replace("/", "%2F"))


def rest(name: str) -> str:
    """A name as the rest of an address, with the slashes that a table's may have."""
    return quote(name, safe="").replace(".", "%2E")


class Transport:
    """One server's API, over loopback. Every call may raise RemoteError, and EnvironmentFault where it is away."""

    def __init__(self, server: Owner, traceparent: str = "") -> None:
        import httpx

        self._server = server
        self._errors = httpx.HTTPError
        self._http = _connected(server, traceparent)

    def get(self, path: str, **params: Any) -> dict[str, Any]:
        """Parameters that are None are left out."""
        kept = {name: value for name, value in params.items() if value is not None}
        return self.send("GET", path, params=kept)

    def post(self, path: str, body: dict[str, Any] | None = None) -> dict[str, Any]:
        return self.send("POST", path, json=body or {})

    def send(self, method: str, path: str, **more: Any) -> dict[str, Any]:
        """The answer's JSON; `more` as httpx takes it."""
        try:
            return _read(self._http.request(method, f"{_API}{path}", **more))
        except self._errors as error:
            raise self.away(error) from error

    def awaited(self, path: str) -> dict[str, Any]:
        """What is there when it has ended, asked for again where the connection breaks meanwhile."""
        for _ in range(_RECONNECTS):
            try:
                return self.get(path, wait=True)
            except EnvironmentFault as error:
                if error.code != "server_away":
                    raise
                time.sleep(_RECONNECT_S)
        raise self.away(ConnectionError("the connection breaks off again and again"))

    def bytes(self, path: str, form: str) -> Iterator[bytes]:
        """A file of the form wanted, piece by piece."""
        try:
            with self._opened("GET", path, params={"format": form}) as answer:
                yield from answer.iter_bytes()
        except self._errors as error:
            raise self.away(error) from error

    def follow(self, path: str, after: int) -> Iterator[dict[str, Any]]:
        """Events in order, reconnecting where the connection breaks, until the terminal one; none after that."""
        position = after
        for _ in range(_RECONNECTS):
            last_seen = {"Last-Event-ID": str(position)}
            with contextlib.suppress(self._errors), self._opened("GET", path, headers=last_seen) as answer:
                if answer.status_code == _SEEN:
                    return
                for event in _events(answer):
                    position = event["seq"]
                    yield event
                    if event["type"] in ("run", "job") and event["subtype"] in ("end", "error"):
                        return
            time.sleep(_RECONNECT_S)
        raise self.away(ConnectionError("the event stream breaks off again and again"))

    def stream(self, path: str, body: dict[str, Any]) -> Iterator[dict[str, Any]]:
        """The events of what is begun here; its connection is not made again."""
        try:
            with self._opened("POST", path, params={"stream": True}, json=body) as answer:
                yield from _events(answer)
        except self._errors as error:
            raise self.away(error) from error

    @contextlib.contextmanager
    def _opened(self, method: str, path: str, **more: Any) -> Iterator[Any]:
        """An answer to be read as it comes. Raises what it says went wrong, for which all of it is read."""
        with self._http.stream(method, f"{_API}{path}", **more) as answer:
            if answer.is_error:
                answer.read()
                _read(answer)
            yield answer

    def away(self, error: Exception) -> EnvironmentFault:
        """What is told where the server is not reached, or breaks off."""
        return EnvironmentFault(
            f"The server at {self._server.address} (process {self._server.pid}) does not answer: {error}",
            code="server_away",
            hint="Start it again with `pluto-duck serve`.",
            retryable=True,
        )

    def close(self) -> None:
        self._http.close()


def _connected(server: Owner, traceparent: str) -> Any:
    import ssl

    import httpx

    headers = {"Authorization": f"Bearer {server.token}"} if server.token else {}
    headers |= {"traceparent": traceparent} if traceparent else {}
    return httpx.Client(
        base_url=server.address,
        headers=headers,
        timeout=httpx.Timeout(None),
        trust_env=False,
        verify=ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT),  # plain HTTP: no certificates to read from the disk
    )


def _events(answer: Any) -> Iterator[dict[str, Any]]:
    import orjson

    for line in answer.iter_lines():
        if line.startswith("data: "):
            yield orjson.loads(line[6:])


def _read(answer: Any) -> dict[str, Any]:
    if answer.is_error:
        is_problem = "json" in answer.headers.get("content-type", "")
        problem = answer.json() if is_problem else {"status": answer.status_code, "detail": answer.text[:500]}
        raise RemoteError.from_problem(problem)
    read: dict[str, Any] = answer.json()
    return read
