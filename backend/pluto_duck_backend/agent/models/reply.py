"""What came back from one call: text, thinking, tool calls, why it ended, what it used."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import Any

from langchain_core.messages import AIMessageChunk

from pluto_duck_backend.agent.models.thoughts import Thoughts, without_thought

_ESCAPED = re.compile(
    r"(?P<whole>\\\\|\\u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2})|\\u[dD][89a-fA-F][\da-fA-F]{2}"
)
#   in JSON: a backslash and a pair of halves, which stay, or half a character


@dataclass(frozen=True)
class ToolCall:
    """A tool the model called, with its arguments as the model wrote them."""

    name: str
    arguments: str


@dataclass(frozen=True)
class Reply:
    """One whole reply; `finish` is empty where the provider broke off, `too_long` where we did."""

    text: str = ""
    thought: str = ""
    calls: tuple[ToolCall, ...] = ()
    finish: str = ""
    refusal: str = ""
    model: str = ""
    tokens: tuple[int, int] | None = None


@dataclass
class Gathering:
    """A reply while its pieces arrive."""

    text: list[str] = field(default_factory=list)
    thought: list[str] = field(default_factory=list)
    size: int = 0
    finish: str = ""
    refusal: str = ""
    model: str = ""
    tokens: tuple[int, int] | None = None
    _parting: Thoughts = field(default_factory=Thoughts)
    _names: dict[Any, str] = field(default_factory=dict)
    _arguments: dict[Any, list[str]] = field(default_factory=dict)

    def add(self, piece: AIMessageChunk) -> tuple[str, str]:
        """Take a piece in; returns its text and its thinking."""
        written, thought = parts(piece)
        called = self._add_calls(piece)
        self.size += len(written) + len(thought) + len(called)
        self._add_facts(piece)
        text, thought_in_it = self._parting.part(written)
        text, thought = self._keep(text, thought + thought_in_it)
        return text or called, thought

    def rest(self) -> tuple[str, str]:
        """The text and thinking that were held back, when no further piece comes."""
        return self._keep(*self._parting.rest())

    def _keep(self, text: str, thought: str) -> tuple[str, str]:
        self.text.append(text)
        self.thought.append(thought)
        return text, thought

    def _add_calls(self, piece: AIMessageChunk) -> str:
        called = ""
        for chunk in piece.tool_call_chunks:
            key = chunk.get("index") if chunk.get("index") is not None else len(self._names)
            self._names[key] = self._names.get(key, "") + (chunk.get("name") or "")
            self._arguments.setdefault(key, []).append(chunk.get("args") or "")
            called += chunk.get("args") or ""
        if not piece.tool_call_chunks:
            for call in piece.tool_calls:
                self._names[len(self._names)] = call["name"]
                self._arguments[len(self._arguments)] = [json.dumps(call["args"])]
        return called

    def _add_facts(self, piece: AIMessageChunk) -> None:
        facts, more = piece.response_metadata, piece.additional_kwargs
        self.finish = str(facts.get("finish_reason") or facts.get("stop_reason") or facts.get("done_reason") or "") or (
            self.finish
        )
        self.model = str(facts.get("model_name") or facts.get("model") or self.model)
        self.refusal += str(more.get("refusal") or "")
        if piece.usage_metadata:
            before = self.tokens or (0, 0)
            used = piece.usage_metadata
            self.tokens = (before[0] + used["input_tokens"], before[1] + used["output_tokens"])

    def reply(self, finish: str = "") -> Reply:
        """The whole, as far as it came."""
        calls = tuple(
            ToolCall(self._names[key], of_whole_characters("".join(self._arguments[key]))) for key in self._names
        )
        ended, text = (finish or self.finish).lower(), of_whole_characters(without_thought("".join(self.text)))
        return Reply(text, "".join(self.thought), calls, ended, self.refusal, self.model, self.tokens)


def of_whole_characters(text: str) -> str:
    """The same without halves of characters, which no query, no event and no further prompt can hold."""
    if "\\u" in text:
        text = _ESCAPED.sub(lambda found: found["whole"] or "?", text)
    try:
        text.encode()
    except UnicodeEncodeError:
        text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


def parts(piece: AIMessageChunk) -> tuple[str, str]:
    """The text and the thinking of a piece, whatever shape its content has."""
    thought = str(piece.additional_kwargs.get("reasoning_content") or "")
    if isinstance(piece.content, str):
        return piece.content, thought
    text = ""
    for block in piece.content:
        if isinstance(block, str):
            text += block
        elif block.get("type") == "thinking":
            thought += str(block.get("thinking") or "")
        elif block.get("type") == "reasoning":
            thought += str(block.get("reasoning") or "")
        else:
            text += str(block.get("text") or "")
    return text, thought
