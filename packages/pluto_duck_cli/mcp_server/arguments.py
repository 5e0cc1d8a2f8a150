"""Arguments that a tool does not take are refused: the library would leave them out, and what was meant be lost."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from pluto_duck_backend.app.core.errors import InvalidInput, did_you_mean
from pluto_duck_cli.mcp_server import results


class KnownArguments:
    """The library's middleware. `taken`: what each tool takes, by its name."""

    def __init__(self, taken: Mapping[str, Collection[str]]) -> None:
        self._taken = taken

    async def __call__(self, ctx: Any, call_next: Any) -> Any:
        if ctx.method == "tools/call":
            fault = self._fault(ctx.params or {})
            if fault:
                return results.of_fault(fault)
        return await call_next(ctx)

    def _fault(self, params: Mapping[str, Any]) -> InvalidInput | None:
        """What is wrong with a call's arguments; of a tool that does not exist the library tells."""
        name, given = params.get("name"), params.get("arguments") or {}
        known = self._taken.get(str(name))
        strange = [each for each in given if known is not None and each not in known]
        if not strange or known is None:
            return None
        likely = did_you_mean(strange[0], known)
        return InvalidInput(
            f"{name} takes no argument {', '.join(repr(each[:80]) for each in strange)}. {likely}".rstrip(),
            code="invalid_arguments",
            hint=f"It takes {', '.join(known) or 'nothing'}.",
        )
