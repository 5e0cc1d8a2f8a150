"""What a message means within its conversation.

A message after `needs_input` answers the pending question, which stays open while what is said instead finds no answer;
a number that no option has asks it again. One that only says how to draw asks the last question again; any other is a
question of its own that may lean on the earlier ones. One that begins with `rather` and names what an unsure answer may
mean besides asks the same question again, so read. The event logs hold the turns; nothing else is remembered.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pluto_duck_backend.agent.charting.asked import is_only_about_kind, without_kind
from pluto_duck_backend.agent.replies import is_number, named
from pluto_duck_text2sql.earlier import Earlier

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
    approval: dict[str, Any] | None = None
    #   the call of a tool that it asked a person to approve
    others: tuple[str, ...] = ()
    #   what else its question may mean, as it was offered


@dataclass(frozen=True)
class Ask:
    """A question, the earlier ones it may lean on, each as it was meant, and the reading its asker chose."""

    question: str
    history: tuple[Earlier, ...] = ()
    choice: str | None = None
    turns: tuple[Turn, ...] = ()
    approval: dict[str, Any] | None = None
    #   a call that the earlier run asked to be approved, with the person's `choice`

    @property
    def before(self) -> tuple[str, ...]:
        """The earlier questions in words, each with the option picked of it."""
        return tuple(each.as_meant for each in self.history)


@dataclass(frozen=True)
class _Pending:
    """A question that went back; `choice` is the reading chosen before a call was to be approved."""

    question: str
    options: tuple[str, ...]
    approval: dict[str, Any] | None = None
    choice: str | None = None


_RATHER = "rather: "


def rather(other: str) -> str:
    """The message that asks for another reading of the question just answered."""
    return _RATHER + other


def others_in(messages: Sequence[str]) -> tuple[str, ...]:
    """The readings that these messages ask for."""
    return tuple(each.removeprefix(_RATHER) for each in messages if each.startswith(_RATHER))


def understand(message: str, turns: Sequence[Turn]) -> Ask:
    """What `message` asks after `turns` (oldest first)."""
    history: list[Earlier] = []
    pending: _Pending | None = None
    offered: _Pending | None = None
    for turn in turns:
        again = _reread(turn.message, offered)
        question, choice, _ = again or _resolve(turn.message, pending)
        if turn.status == "needs_input":
            pending = _Pending(question, turn.options, turn.approval, choice if turn.approval else None)
            continue
        if turn.status == "succeeded" or choice or (pending and pending.approval):
            pending = None
        if turn.status == "succeeded" and not (history and is_only_about_kind(question)):
            if again:
                history.pop()
            else:
                offered = _Pending(question, turn.others)
            history.append(Earlier(question, choice))
    again = _reread(message, offered)
    if again:
        return Ask(again[0], tuple(history[:-1]), again[1], tuple(turns))
    question, choice, approval = _resolve(message, pending)
    if history and is_only_about_kind(question):
        last = history.pop()
        question, choice = f"{without_kind(last.question)} {question}", choice or last.choice
    return Ask(question, tuple(history), choice, tuple(turns), approval)


def _reread(message: str, offered: _Pending | None) -> tuple[str, str, None] | None:
    """The question just answered and another reading of it, where the message asks for one that was offered."""
    said = message.strip()
    other = said[len(_RATHER) :] if said.casefold().startswith(_RATHER) and offered else ""
    meant = named(other, offered.options) if offered and other else None
    return (offered.question, meant, None) if offered and meant else None


def _resolve(message: str, pending: _Pending | None) -> tuple[str, str | None, dict[str, Any] | None]:
    """The question meant; where the message answers a pending one the option chosen, or what is said to a call.

    A number that no option has leaves it as it was.
    """
    option = named(message, pending.options) if pending else None
    if pending is None or (option is None and not is_number(message)):
        return message, None, None
    if option is None:
        return pending.question, pending.choice, None
    if pending.approval:
        return pending.question, pending.choice, {**pending.approval, "choice": option}
    return pending.question, option, None
