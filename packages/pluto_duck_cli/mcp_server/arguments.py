"""Arguments that a tool does not take are refused: the library would leave them out, and what was meant be lost."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from typing import Any

from pluto_duck_backend.app.core.errors import InvalidInput, NotFound, did_you_mean
from pluto_duck_cli.mcp_server import results

_FAULT = re.compile(r"^(\S+)\n  (.+?) \[type=", re.MULTILINE)
"""Of the library's words for arguments that do not fit: which one, and why."""


class KnownArguments:
    """The library's middleware. `taken`: what each tool takes, by its name."""

    def __init__(self, taken: Mapping[str, Collection[str]]) -> None:
        self._taken = taken

    async def __call__(self, ctx: Any, call_next: Any) -> Any:
        if ctx.method == "tools/call":
            params = ctx.params or {}
            fault = self._fault(params)
            return results.of_fault(fault) if fault else self._told(params, await call_next(ctx))
        return await call_next(ctx)

    def _told(self, params: Mapping[str, Any], result: Any) -> Any:
        """The library's own refusals, which are text alone, in the form of ours."""
        if not isinstance(result, dict) or not result.get("isError") or result.get("structuredContent"):
            return result
        name, text = str(params.get("name")), "".join(each.get("text", "") for each in result["content"])
        if name not in self._taken:
            return results.of_fault(
                NotFound(
                    f"{text[:200]}. {did_you_mean(name, self._taken)}".rstrip(),
                    code="tool_not_found",
                    hint="tools/list has those there are.",
                )
            )
        said = "; ".join(f"{field}: {what}" for field, what in _FAULT.findall(text)) or text
        hint = f"It takes {', '.join(self._taken[name]) or 'nothing'}."
        return results.of_fault(InvalidInput(f"{name}: {said}", code="invalid_arguments", hint=hint))

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
