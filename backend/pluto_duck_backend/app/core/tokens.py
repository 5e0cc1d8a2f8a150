"""Tokens that were made for users and programs: hashed, in `configs/tokens.json` (0600), each shown once.

The command line writes the file and a running server looks at it on each call, so that a revoked token ends at once.
A token has 256 random bits, so that a plain hash keeps it: there is nothing to guess.
"""

from __future__ import annotations

import contextlib
import hashlib
import re
import secrets
import threading
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import orjson
from filelock import FileLock

from pluto_duck_backend.app.core.errors import Conflict, EnvironmentFault, InvalidInput, NotFound, did_you_mean
from pluto_duck_backend.app.core.lines import cannot_write
from pluto_duck_backend.app.core.principal import OWNER, ROLES, Principal, Role
from pluto_duck_backend.app.core.whole_files import write_whole

_NAME = re.compile(r"[a-z0-9][a-z0-9._-]{0,63}")
_PREFIX = "pd_"


@dataclass(frozen=True)
class MadeToken:
    """`digest` is SHA-256 in hex; `created` and `expires` are ISO-8601 in UTC, `expires` empty: never."""

    name: str
    role: Role
    digest: str
    created: str
    rights: str = ""
    expires: str = ""
    agent: str = ""

    @property
    def principal(self) -> Principal:
        who = Principal(self.name, self.rights, self.role)
        return who.within(self.agent) if self.agent else who

    def is_expired(self, now: datetime) -> bool:
        return bool(self.expires) and datetime.fromisoformat(self.expires) <= now

    def to_dict(self) -> dict[str, Any]:
        """What may be shown of it: all but the hash."""
        shown = {name: value or None for name, value in asdict(self).items() if name != "digest"}
        return {**shown, "expired": self.is_expired(datetime.now(UTC))}


class TokenFile:
    """The tokens of one data root. Thread-safe, and between processes too."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = threading.Lock()
        self._seen: tuple[int, int, int] | None = None
        self._by_digest: dict[str, MadeToken] = {}

    def create(
        self,
        name: str,
        role: Role,
        *,
        rights: str = "",
        agent: str = "",
        expires: datetime | None = None,
        taken: Iterable[str] = (),
    ) -> tuple[MadeToken, str]:
        """A token and its text, which is kept nowhere. Raises InvalidInput for a name, Conflict for a taken one."""
        _check_name(name, taken)
        text = _PREFIX + secrets.token_urlsafe(32)
        until = _iso(expires) if expires else ""
        made = MadeToken(name, role, _digest(text), _iso(datetime.now(UTC)), rights, until, agent)
        with self._changing() as kept:
            if name in kept:
                raise _name_taken(name)
            kept[name] = made
        return made, text

    def revoke(self, name: str) -> MadeToken:
        """Forget a token; it opens nothing from now on. Raises NotFound."""
        with self._changing() as kept:
            if name not in kept:
                raise NotFound(
                    f"There is no token {name!r}. {did_you_mean(name, kept)}".rstrip(),
                    code="token_not_found",
                    hint="`pluto-duck tokens list` shows them.",
                )
            return kept.pop(name)

    def every(self) -> list[MadeToken]:
        """All of them by name, also those that have expired. Raises EnvironmentFault for a broken file."""
        return sorted(self._known().values(), key=lambda each: each.name)

    def find(self, text: str) -> Principal | None:
        """Who `text` is the token of; None: nobody, or one that has expired."""
        made = self._known().get(_digest(text))
        return made.principal if made and not made.is_expired(datetime.now(UTC)) else None

    @contextlib.contextmanager
    def _changing(self) -> Iterator[dict[str, MadeToken]]:
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            with FileLock(str(self._path.with_suffix(".lock"))):
                kept = {each.name: each for each in self.every()}
                yield kept
                written = orjson.dumps(list(map(asdict, kept.values())), option=orjson.OPT_INDENT_2)
                write_whole(self._path, [written], private=True)
        except OSError as error:
            raise cannot_write(self._path, error) from error

    def _known(self) -> dict[str, MadeToken]:
        """By digest; read again where the file is another than before."""
        with self._lock:
            mark = self._mark()
            if mark != self._seen:
                self._by_digest = {each.digest: each for each in self._read()} if mark else {}
                self._seen = mark
            return self._by_digest

    def _mark(self) -> tuple[int, int, int] | None:
        try:
            stat = self._path.stat()
        except FileNotFoundError:
            return None
        return stat.st_ino, stat.st_mtime_ns, stat.st_size

    def _read(self) -> list[MadeToken]:
        try:
            return [_checked(MadeToken(**each)) for each in _listed(orjson.loads(self._path.read_bytes()))]
        except (OSError, ValueError, TypeError) as error:
            raise EnvironmentFault(
                f"{self._path} holds no tokens: {error}", code="bad_token_file", hint="Mend the file, or move it away."
            ) from error


def _listed(read: Any) -> list[dict[str, Any]]:
    if not isinstance(read, list):
        raise TypeError("it is no list")
    return read


def _checked(token: MadeToken) -> MadeToken:
    """Raises ValueError for what a hand has written wrongly: nobody gets more than a file says."""
    if token.role not in ROLES:
        raise ValueError(f"{token.name!r} has the role {token.role!r}, not one of {', '.join(ROLES)}")
    if token.expires and datetime.fromisoformat(token.expires).tzinfo is None:
        raise ValueError(f"{token.name!r} expires at {token.expires!r}, which names no time zone")
    return token


def _check_name(name: str, taken: Iterable[str]) -> None:
    if not _NAME.fullmatch(name):
        raise InvalidInput(
            f"{name!r} is no name for a token.",
            code="bad_token_name",
            hint="Lower-case letters, digits, `.`, `_` and `-`, at most 64, such as anna or nightly-load.",
        )
    if name in {OWNER.name, *taken}:
        raise _name_taken(name)


def _name_taken(name: str) -> Conflict:
    hint = f"Choose another name, or `pluto-duck tokens revoke {name}` first."
    return Conflict(f"There is a token {name!r} already.", code="token_exists", hint=hint)


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _iso(at: datetime) -> str:
    return at.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
