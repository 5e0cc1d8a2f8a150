"""Turns a reply that is being written into events: thinking into reasoning chunks, the rest into chunks of the tool.

Pieces are put together to a line or so, since a log has no use for one event a token.
"""

from __future__ import annotations

from types import TracebackType

from pluto_duck_backend.agent.events import Emit, ReasoningChunk, ToolChunk
from pluto_duck_backend.agent.models.faults import ModelFault
from pluto_duck_backend.agent.providers.contract import RunContext

_CHARS = 60


class Hearing:
    """Hears one reply of a model; what is left is told at the end."""

    def __init__(self, run: RunContext) -> None:
        self._run = run
        self._text = ""
        self._thought = ""
        self._has_told = False

    def __enter__(self) -> Hearing:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if isinstance(error, ModelFault):
            self.again()
        self._tell(self._run.hold, least=1)

    def again(self) -> None:
        """The reply is void: what was told of it is replaced by what comes."""
        self._text = self._thought = ""
        if self._has_told:
            self._run.emit(ToolChunk("sql", "", replaces=True))
        self._has_told = False

    def hear(self, text: str, thought: str) -> None:
        """A piece of the reply."""
        self._text += text
        self._thought += thought
        self._tell(self._run.emit, least=_CHARS)

    def _tell(self, tell: Emit, least: int) -> None:
        if len(self._thought) >= least:
            tell(ReasoningChunk("sql", self._thought))
            self._thought, self._has_told = "", True
        if len(self._text) >= least:
            tell(ToolChunk("sql", self._text))
            self._text, self._has_told = "", True
