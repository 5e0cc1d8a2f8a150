"""What a model decided before, told to it when it is asked once more: its reply in its own form, and what came of it.

A model with tools is shown its call and, as the call's result, what it is told; one without, its JSON object and a
message.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, ToolMessage

from pluto_duck_backend.agent.providers.contract import Draft, Looked
from pluto_duck_backend.agent.providers.decisions import ANSWER

_LONGEST_TOLD = 2_000


@dataclass(frozen=True)
class Exchange:
    """A call of a tool, ours or one from outside, and what the model is told of it."""

    name: str
    arguments: dict[str, Any]
    told: str

    @classmethod
    def tried(cls, draft: Draft, told: str, most: int) -> Exchange:
        """A draft that was run, or could not be; at most `most` characters of its SQL are said, and of its steps'."""
        return cls(ANSWER, _fields(draft.written or draft, most), told)

    @property
    def length(self) -> int:
        """The characters it takes."""
        return len(json.dumps(self.arguments, ensure_ascii=False)) + len(self.told)

    @classmethod
    def looked(cls, each: Looked, told: str) -> Exchange:
        """A tool from outside that was called."""
        return cls(each.name, each.arguments, told)

    def as_call(self, number: int) -> tuple[BaseMessage, BaseMessage]:
        """The call with its result; `number` tells it apart."""
        call = {"name": self.name, "args": self.arguments, "id": f"call_{number}"}
        return AIMessage("", tool_calls=[call]), ToolMessage(self.told, tool_call_id=call["id"])

    def as_text(self) -> tuple[BaseMessage, BaseMessage]:
        """The reply in which a model without tools says the same, with the message that follows it."""
        said = self.arguments if self.name == ANSWER else {"call": self.name, "arguments": self.arguments}
        return AIMessage(json.dumps(said, ensure_ascii=False)), HumanMessage(self.told)


Talk = Sequence[BaseMessage | Exchange]


def as_messages(talk: Talk, *, by_tool: bool) -> Iterator[BaseMessage]:
    """A conversation as a model with tools, or without, hears it."""
    for number, part in enumerate(talk):
        if isinstance(part, Exchange):
            yield from part.as_call(number) if by_tool else part.as_text()
        else:
            yield part


def shortened(text: str, most: int = _LONGEST_TOLD) -> str:
    """A text without its middle where it has more than `most` characters, 0 or more."""
    if len(text) <= most:
        return text
    end = text[len(text) - most // 3 :]
    return f"{text[: most - most // 3]} [... {len(text) - most:,} characters left out ...] {end}"


def _fields(draft: Draft, most: int) -> dict[str, Any]:
    """What a reply of this draft said, as its model wrote it; what it left out is left out."""
    said: dict[str, Any] = {
        "sql": shortened(draft.sql, most),
        "title": draft.title,
        "reading": list(draft.reading),
        "assumptions": list(draft.assumptions),
        "confidence": draft.confidence,
        "steps": [each.to_dict() | {"text": shortened(each.text, most // len(draft.steps))} for each in draft.steps],
    }
    return {name: value for name, value in said.items() if value not in ("", [])}
