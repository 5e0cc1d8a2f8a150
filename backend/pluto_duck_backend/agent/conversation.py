"""What a message means within its conversation.

A message after `needs_input` answers the pending question, which stays open while what is said instead finds no answer;
a number that no option has asks it again. One that only says how to draw asks the last question again; any other is a
question of its own that may lean on the earlier ones. One that begins with `rather` and names what an unsure answer may
mean besides asks the same question again, so read; a number that was not offered is an error. The event logs hold the
turns; nothing else is remembered.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from pluto_duck_backend.agent.charting.asked import is_only_about_kind, without_kind
from pluto_duck_backend.agent.replies import is_number, named
from pluto_duck_backend.app.core.errors import InvalidInput
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
    def as_meant(self) -> str:
        """The question in words, with the reading picked of it."""
        return Earlier(self.question, self.choice).as_meant

    @property
    def before(self) -> tuple[str, ...]:
        """The earlier questions in words, each with the option picked of it."""
        return tuple(each.as_meant for each in self.history)


@dataclass(frozen=True)
class _Pending:
    """A question that went back; `choice` is the reading chosen before a call was to be approved; `again` where it is
    the last question answered, read otherwise."""

    question: str
    options: tuple[str, ...]
    approval: dict[str, Any] | None = None
    choice: str | None = None
    again: bool = False


_RATHER = "rather: "
_ASKS_RATHER = re.compile(r"rather:\s*(?P<other>.+)", re.IGNORECASE | re.DOTALL)


def rather(other: str) -> str:
    """The message that asks for another reading of the question just answered."""
    return _RATHER + other


def others_in(messages: Sequence[str]) -> tuple[str, ...]:
    """The readings that these messages ask for."""
    return tuple(each.removeprefix(_RATHER) for each in messages if is_rather(each))


def is_rather(message: str) -> bool:
    """Whether a message that is offered asks for another reading."""
    return message.startswith(_RATHER)


def understand(message: str, turns: Sequence[Turn]) -> Ask:
    """What `message` asks after `turns` (oldest first). Raises InvalidInput for `rather: 9` where fewer are offered."""
    told = _Told()
    for turn in turns:
        told.add(turn)
    return told.ask(message)


@dataclass(frozen=True)
class _Meant:
    """What a message asks; `again` where that is the last question answered, `is_reread` where the message says so."""

    question: str
    choice: str | None
    approval: dict[str, Any] | None
    again: bool = False
    is_reread: bool = False


@dataclass
class _Told:
    """A conversation so far: what was answered, as it was meant; what waits for the user; what an answer may mean."""

    history: list[Earlier] = field(default_factory=list)
    turns: list[Turn] = field(default_factory=list)
    pending: _Pending | None = None
    offered: _Pending | None = None

    def add(self, turn: Turn) -> None:
        """The next turn; one that took another reading stands as the question that it read so."""
        meant = self._meant(turn.message)
        self.turns.append(replace(turn, message=meant.question) if meant.is_reread else turn)
        if turn.status == "needs_input":
            kept = meant.choice if turn.approval else None
            self.pending = _Pending(meant.question, turn.options, turn.approval, kept, meant.again)
            return
        is_reply = bool(meant.choice) and not meant.is_reread
        if turn.status == "succeeded" or is_reply or (self.pending and self.pending.approval):
            self.pending = None
        if turn.status == "succeeded":
            self._answered(turn, meant)

    def _answered(self, turn: Turn, meant: _Meant) -> None:
        if self.history and is_only_about_kind(meant.question):
            self._drawn(turn)
            return
        if meant.again:
            self.history.pop()
        if not meant.is_reread:
            self.offered = _Pending(meant.question, turn.others)
        self.history.append(Earlier(meant.question, meant.choice))

    def _drawn(self, turn: Turn) -> None:
        """What was offered stands, drawn as it was last."""
        if self.offered:
            question, others = _drawn_as(self.offered.question, turn.message), turn.others or self.offered.options
            self.offered = replace(self.offered, question=question, options=others)

    def ask(self, message: str) -> Ask:
        """The next message."""
        self._check(message)
        meant, history = self._meant(message), list(self.history)
        question, choice = meant.question, meant.choice
        if meant.again:
            history.pop()
        elif history and is_only_about_kind(question):
            last = history.pop()
            question, choice = _drawn_as(last.question, question), choice or last.choice
        return Ask(question, tuple(history), choice, tuple(self.turns), meant.approval)

    def _check(self, message: str) -> None:
        options = self.offered.options if self.offered else ()
        if self.history and _is_unoffered(message, options):
            raise _unoffered(message, options)

    def _meant(self, message: str) -> _Meant:
        other = _other(message, self.offered) if self.history else None
        if other and self.offered:
            return _Meant(self.offered.question, other, None, again=True, is_reread=True)
        question, choice, approval = _resolve(message, self.pending)
        again = bool(self.pending and self.pending.again and question == self.pending.question != message)
        return _Meant(question, choice, approval, again)


def _drawn_as(question: str, message: str) -> str:
    """The question with what a message says of its drawing."""
    return f"{without_kind(question)} {message}"


def _is_unoffered(message: str, options: Sequence[str]) -> bool:
    found = _ASKS_RATHER.fullmatch(message.strip())
    return found is not None and is_number(found["other"]) and named(found["other"], options) is None


def _unoffered(message: str, options: Sequence[str]) -> InvalidInput:
    ways = " or ".join(f"`{_RATHER}{number}` ({option})" for number, option in enumerate(options, 1))
    said = f"`{message.strip()}` names no reading of the last answer: it has {len(options) or 'no'} others."
    hint = f"Ask {ways}." if ways else "Ask the question in other words."
    return InvalidInput(said, code="unknown_reading", hint=hint)


def _other(message: str, offered: _Pending | None) -> str | None:
    """Another reading of the question just answered, where the message asks for one that was offered."""
    found = _ASKS_RATHER.fullmatch(message.strip())
    said, options = found["other"] if found else "", offered.options if offered else ()
    exact = next((each for each in options if each.casefold() == said.casefold()), None)
    return exact or (named(said, options) if said else None)


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
