"""Thinking that a model writes into its text: `<think>…</think>` before the reply, where its server does not part them.

llama.cpp, vLLM and Ollama part it only where they know the model's template. Some templates begin the thought in the
prompt, so that the reply has nothing but the tag that ends it.
"""

from __future__ import annotations

import re

_TAGS = ("think", "thinking", "reasoning", "thought")
_OPENS = re.compile(rf"\s*<({'|'.join(_TAGS)})>\s*", re.IGNORECASE)
_LONGEST = len(f"</{max(_TAGS, key=len)}>")
_MOST_BLANKS = 200
_WITHOUT_BEGINNING = re.compile(rf"\A.*</(?:{'|'.join(_TAGS)})>\s*", re.IGNORECASE | re.DOTALL)


class Thoughts:
    """Parts one reply's text, piece by piece, from the thought that it begins with."""

    def __init__(self) -> None:
        self._held = ""
        #   what may yet be a tag, or a part of one
        self._closes: re.Pattern[str] | None = None
        self._is_text = False

    def part(self, piece: str) -> tuple[str, str]:
        """The text and the thought of the next piece; what may be the beginning of a tag waits for the next one."""
        if self._is_text or not (piece or self._held):
            return piece, ""
        self._held += piece
        if self._closes is None and not self._is_opened():
            return self._text() if self._is_decided() else ("", "")
        return self._thinking()

    def rest(self) -> tuple[str, str]:
        """What was held back, when the reply is over."""
        held, self._held = self._held, ""
        return ("", held) if self._closes else (held, "")

    def _is_opened(self) -> bool:
        found = _OPENS.match(self._held)
        if found and found.end() < len(self._held):
            self._closes = re.compile(rf"</{found[1]}>\s*", re.IGNORECASE)
            self._held = self._held[found.end() :]
        return self._closes is not None

    def _is_decided(self) -> bool:
        """Whether what is held begins with something else than a tag."""
        begun = self._held.strip().casefold()
        is_other = bool(begun) and not any(f"<{tag}>".startswith(begun) for tag in _TAGS)
        return is_other or len(self._held) > _MOST_BLANKS

    def _text(self) -> tuple[str, str]:
        self._is_text = True
        held, self._held = self._held, ""
        return held, ""

    def _thinking(self) -> tuple[str, str]:
        assert self._closes
        found = self._closes.search(self._held)
        if found:
            thought, self._held = self._held[: found.start()], self._held[found.end() :]
            self._closes = None
            return self._text()[0], thought
        safe = max(len(self._held) - _LONGEST, 0)
        thought, self._held = self._held[:safe], self._held[safe:]
        return "", thought


def without_thought(text: str) -> str:
    """A whole text without the thought before it of which only the end is marked."""
    return _WITHOUT_BEGINNING.sub("", text) if "</" in text else text
