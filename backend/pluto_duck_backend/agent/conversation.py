"""What a message means within its conversation.

A message after `needs_input` answers the pending question; one that only says how to draw asks the last question again;
any other is a question of its own that may lean on the earlier ones. The event logs hold the turns; nothing else is
remembered.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from pluto_duck_backend.agent.charting.asked import is_only_about_kind, without_kind

MAX_QUESTION = 10_000
"""Characters of a question that are read."""


@dataclass(frozen=True)
class Turn:
    """One earlier run of a conversation."""

    message: str
    status: str
    options: tuple[str, ...] = ()
    sql: str | None = None
    asked_back: str = ""
    #   the question that went back to the user
    columns: tuple[str, ...] = ()
    rows: tuple[tuple[Any, ...], ...] = ()
    #   the first rows of its result
    row_count: int = 0
    agent: str | None = None


@dataclass(frozen=True)
class Ask:
    """A question, the earlier ones it may lean on, and the reading its asker chose."""

    question: str
    history: tuple[str, ...] = ()
    choice: str | None = None
    turns: tuple[Turn, ...] = ()


def understand(message: str, turns: Sequence[Turn]) -> Ask:
    """What `message` asks after `turns` (oldest first)."""
    history: list[str] = []
    pending: tuple[str, tuple[str, ...]] | None = None
    for turn in turns:
        question, choice = _resolve(turn.message, pending)
        if turn.status == "needs_input":
            pending = (question, turn.options)
            continue
        pending = None
        if turn.status == "succeeded" and not (history and is_only_about_kind(question)):
            history.append(question)
    question, choice = _resolve(message, pending)
    if history and is_only_about_kind(question):
        question = f"{without_kind(history.pop())} {question}"
    return Ask(question, tuple(history), choice, tuple(turns))


def _resolve(message: str, pending: tuple[str, tuple[str, ...]] | None) -> tuple[str, str | None]:
    """The question meant, and the option chosen where the message answers a pending one."""
    if pending is None:
        return message, None
    question, options = pending
    option = _chosen(message, options)
    return (question, option) if option else (message, None)


def _chosen(message: str, options: Sequence[str]) -> str | None:
    """The option that `message` names: by its number, by its text, or as the only one with all its words."""
    said = message.strip().rstrip(".").casefold()
    if said.isdecimal() and 1 <= int(said) <= len(options):
        return options[int(said) - 1]
    exact = [option for option in options if option.casefold() == said]
    words = set(_words(said))
    holding = [option for option in options if words and words <= set(_words(option.casefold()))]
    return exact[0] if exact else holding[0] if len(holding) == 1 else None


def _words(text: str) -> Iterable[str]:
    return "".join(each if each.isalnum() else " " for each in text).split()
