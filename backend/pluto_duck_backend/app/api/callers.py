"""Who calls: the owner, by a token of the settings, or by one that was made; and whether a token is asked for."""

from __future__ import annotations

import hmac

from pluto_duck_backend.app.core.config import Settings
from pluto_duck_backend.app.core.principal import OWNER, Principal
from pluto_duck_backend.app.core.tokens import TokenFile
from pluto_duck_backend.app.listening import is_loopback


class Callers:
    """`owner_token` opens everything; `is_asked`: a token is asked for even where none was made."""

    def __init__(self, settings: Settings, made: TokenFile, owner_token: str, is_asked: bool) -> None:
        named = settings.server.tokens.items()
        self._set = {each.token.get_secret_value(): Principal(name, each.rights, each.role) for name, each in named}
        if owner_token:
            self._set[owner_token] = OWNER
        self._made = made
        self._is_asked = is_asked or bool(named) or not is_loopback(settings.server.host)

    @property
    def need_token(self) -> bool:
        """Whether a call without one is nobody's. On loopback: from the first token on."""
        return self._is_asked or bool(self._made.every())

    def who(self, authorization: str) -> Principal | None:
        """Who an `Authorization` header stands for; None: nobody. Set tokens are all compared: time tells nothing."""
        if not self.need_token:
            return OWNER
        scheme, _, said = authorization.partition(" ")
        given = said.strip() if scheme.lower() == "bearer" else ""
        if not given:
            return None
        found = [who for token, who in self._set.items() if hmac.compare_digest(given.encode(), token.encode())]
        return found[0] if found else self._made.find(given)
