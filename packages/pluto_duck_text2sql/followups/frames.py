"""The words that frame a follow-up: "and", "only", "instead", "as a share", "all years", "the first one".

They are taken out of the text, each noted under its kind; what is left names things and is read as a fragment.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from pluto_duck_text2sql.followups.framing import PEELS
from pluto_duck_text2sql.language.patterns import Pattern

_LIMITS = frozenset(("spec",))
_WHAT = Pattern(r"^(?:and )?what(?:'s| is| was| were| are)\b", re.IGNORECASE)
_OWNED = Pattern(r"\b(?:their|its|his|her)\b", re.IGNORECASE)
_OF_THEM = Pattern(r"\b(?:of|among) (?:them|those|these)\b", re.IGNORECASE)


@dataclass(frozen=True)
class Frame:
    """What the framing words say, by kind with the parts of their match, and the text that is left."""

    text: str
    said: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    rest: str = ""
    drops: tuple[str, ...] = ()

    def has(self, *kinds: str) -> bool:
        return any(kind in self.said for kind in kinds)

    @property
    def of_them(self) -> bool:
        """Whether it speaks of the rows just shown, as those."""
        return bool(_OF_THEM.search(self.text))

    @property
    def owned(self) -> bool:
        """Whether it speaks of what belongs to the rows just shown: their, its."""
        return bool(_OWNED.search(self.text))

    @property
    def asks_what(self) -> bool:
        """Whether it asks for a value: what is …"""
        return bool(_WHAT.search(self.text))

    @property
    def without_lead(self) -> str:
        """The text without "and" or "what about" before it."""
        lead = Pattern("|".join(pattern for kind, pattern in PEELS if kind in ("lead", "about")), re.IGNORECASE)
        return lead.sub("", self.text).strip() or self.text

    def part(self, kind: str, name: str) -> str:
        """What a part of the pattern of a kind matched; nothing where it is not there."""
        return self.said.get(kind, {}).get(name, "") or ""


def framed(question: str) -> Frame:
    """The frame of a question."""
    text = re.sub(r"\s+", " ", question).strip(" ?!.")
    said: dict[str, Mapping[str, str]] = {}
    drops: list[str] = []
    rest = text
    for kind, pattern in PEELS:
        if (kind in _LIMITS and "show" not in said) or (kind in ("show", "sort_that") and "count" in said):
            continue  # `how many of those are open`, `… ordered`: no order to open or sort them
        rest = _peeled(rest, kind, pattern, said, drops)
    return Frame(text, said, rest.strip(" ,;:.?!"), tuple(drops))


def _peeled(rest: str, kind: str, pattern: str, said: dict[str, Mapping[str, str]], drops: list[str]) -> str:
    if kind.startswith("="):
        return re.sub(pattern, kind[1:], rest, count=1, flags=re.IGNORECASE)
    found = re.search(pattern, rest, re.IGNORECASE)
    if found is None or not found[0].strip():
        return rest
    said.setdefault(kind, {"": found[0].strip(), **{key: text for key, text in found.groupdict().items() if text}})
    if kind == "all":
        drops += [text for text in found.groupdict().values() if text]
    left = f"{rest[: found.start()]} {rest[found.end() :]}"
    again = re.sub(r"\s+", " ", left).strip(" ,;")
    return _peeled(again, kind, pattern, said, drops) if kind == "all" else again
