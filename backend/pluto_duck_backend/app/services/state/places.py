"""Which backend keeps which state, by the settings state.*: files where no address is given.

The scheme of an address names its backend; packages add some under the entry-point group `pluto_duck.state`.
"""

from __future__ import annotations

import uuid
from functools import cached_property
from importlib.metadata import EntryPoint, entry_points
from typing import Any, cast

from pydantic import SecretStr

from pluto_duck_backend.app.core.config import Settings
from pluto_duck_backend.app.core.errors import InvalidInput, did_you_mean
from pluto_duck_backend.app.core.secret_references import resolve
from pluto_duck_backend.app.core.state import Address, ArtifactService, Backend, MemoryService, SessionService, Shape
from pluto_duck_backend.app.core.whole_files import write_whole
from pluto_duck_backend.app.services.state.in_files.backend import FileState

GROUP = "pluto_duck.state"
KINDS = ("sessions", "memory", "artifacts")
_HERE = "pluto_duck_backend.app.services.state"
_BUILT_IN = {
    "postgresql": "in_postgres.backend:PostgresState",
    "postgres": "in_postgres.backend:PostgresState",
    "redis": "in_redis.backend:RedisState",
    "rediss": "in_redis.backend:RedisState",
    "s3": "in_s3.backend:S3State",
}


class Places:
    """The services of one data root; each is reached when it is first used."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._root = settings.root
        self._open: dict[str, Backend] = {}

    def sessions(self, scope: str, shape: Shape) -> SessionService:
        return self.backend("sessions").sessions(scope, shape)

    @cached_property
    def memory(self) -> MemoryService:
        return self.backend("memory").memory()

    @cached_property
    def beside_sessions(self) -> MemoryService:
        """For what belongs to sessions and is no log: whoever goes on with them needs it, too."""
        return self.backend("sessions").memory()

    @cached_property
    def artifacts(self) -> ArtifactService:
        return self.backend("artifacts").artifacts()

    @property
    def shares_artifacts(self) -> bool:
        """Whether they are anywhere but below the root."""
        return self._settings.state.artifacts is not None

    def backend(self, kind: str) -> Backend:
        """The one that keeps `kind` of KINDS. Raises InvalidInput for an address that none opens."""
        given: SecretStr | None = getattr(self._settings.state, kind)
        url = str(resolve(given.get_secret_value())) if given else ""
        if url not in self._open:
            self._open[url] = self._opened(kind, url) if url else FileState(self._root)
        return self._open[url]

    def _opened(self, kind: str, url: str) -> Backend:
        scheme = url.partition("://")[0]
        doors = _doors()
        if scheme not in doors:
            raise _unknown(kind, scheme, sorted(doors))
        options = {name: str(resolve(each.get_secret_value())) for name, each in self._settings.state.options.items()}
        address = Address(url, options, self.process_name)
        return cast(Backend, cast(Any, doors[scheme].load())(address))

    @cached_property
    def process_name(self) -> str:
        """Random, made once for a root: one process at a time owns it, so it is that process's name."""
        path = self._root / "artifacts" / "process_name"
        if not path.is_file():
            write_whole(path, [uuid.uuid4().hex.encode()], private=True)
        return path.read_text()

    def check(self) -> tuple[str, str]:
        """Where everything is, in words; and what is to be mended. Raises EnvironmentFault where one is not reached."""
        backends = {kind: self.backend(kind) for kind in KINDS}
        faults = {each.place: fault for each in backends.values() if (fault := each.check())}
        return "; ".join(f"{kind}: {each.place}" for kind, each in backends.items()), " ".join(faults.values())

    def close(self) -> None:
        for each in self._open.values():
            each.close()


def _doors() -> dict[str, EntryPoint]:
    ours = {name: EntryPoint(name, f"{_HERE}.{value}", GROUP) for name, value in _BUILT_IN.items()}
    return {**{each.name: each for each in entry_points(group=GROUP)}, **ours}


def _unknown(kind: str, scheme: str, known: list[str]) -> InvalidInput:
    """The scheme only: what stands behind it may hold a password."""
    return InvalidInput(
        f"state.{kind}: no backend opens {scheme[:20]!r} addresses. Known: {', '.join(f'{each}://' for each in known)}."
        f" {did_you_mean(scheme, known)}".rstrip(),
        code="unknown_state_backend",
        hint="docs/state.md shows addresses; leave it out for files.",
    )
