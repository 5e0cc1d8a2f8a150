"""What can be asked, and in which conversation: checked before a run begins."""

from __future__ import annotations

from pluto_duck_backend.agent.conversation import MAX_QUESTION
from pluto_duck_backend.app.core.errors import InvalidInput, NotFound
from pluto_duck_backend.app.core.ids import new_id
from pluto_duck_backend.app.services.execution.guard.text import is_torn

MAX_CONVERSATION = 200
"""Characters of a conversation's id."""


def usable_question(question: str) -> str:
    """The question without blanks around it. Raises InvalidInput for one that is empty, too long, or no text."""
    _check_text(question)
    text = question.strip()
    if not text:
        raise InvalidInput("The question is empty.", code="empty_question", hint="Ask something, in plain words.")
    if len(text) > MAX_QUESTION:
        raise InvalidInput(
            f"The question has {len(text):,} characters; at most {MAX_QUESTION:,} are read.",
            code="question_too_long",
            hint="Ask in a few sentences.",
        )
    return text


def _check_text(question: object) -> None:
    """Python hands on what no terminal and no JSON does: other things than text, and half a character."""
    if not isinstance(question, str):
        raise InvalidInput(
            f"The question {question!r} is no text.", code="question_no_text", hint="Ask something, in plain words."
        )
    if is_torn(question):
        raise InvalidInput(
            f"The question {question[:100]!a} holds half a character.",
            code="question_no_text",
            hint="Read it as UTF-8 where it comes from.",
        )


def usable_conversation(conversation_id: str | None) -> str:
    """The id as given, or a new one. Raises InvalidInput for one that is empty or too long."""
    if conversation_id is None:
        return new_id("conv")
    if not conversation_id.strip() or len(conversation_id) > MAX_CONVERSATION:
        raise InvalidInput(
            f"conversation_id {conversation_id[:40]!r} must have 1 to {MAX_CONVERSATION} characters.",
            code="bad_conversation",
            hint="Leave it out to begin one.",
        )
    return conversation_id


def no_conversation(conversation_id: str) -> NotFound:
    """The error for an id of ours that nobody began."""
    return NotFound(
        f"There is no conversation {conversation_id!r}.",
        code="conversation_not_found",
        hint="Leave it out to begin one; `pluto-duck runs list --json` has each run's conversation_id.",
    )
