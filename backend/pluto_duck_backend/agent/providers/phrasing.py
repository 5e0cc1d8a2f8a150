"""Who puts a result in words: the model where it may see rows, else wording.py; the table is always ours.

The model's words are shown as they come, once their beginning shows that they are words. A number in them that the
result does not hold is told in a caveat, since the words are the only part of an answer that nothing has run.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from langchain_core.messages import HumanMessage, SystemMessage

from pluto_duck_backend.agent.markdown import escaped, on_one_line
from pluto_duck_backend.agent.models.faults import ModelFault
from pluto_duck_backend.agent.models.model import Call, Model
from pluto_duck_backend.agent.providers.contract import Answer, RunContext
from pluto_duck_backend.agent.providers.describing import rows_shown
from pluto_duck_backend.agent.providers.privacy import Sight
from pluto_duck_backend.agent.providers.prompting import Prompts
from pluto_duck_backend.agent.wording import say, show
from pluto_duck_backend.app.core.config import Words

_HEARD_FIRST = 24
_MOST_CHARS = 2_000
_ROOM_FOR_ROWS = 4_000
_CODE = ("```", "{", "[", "select ", "with ", "<")


class Phrasing:
    """Puts results in words for one model."""

    def __init__(self, model: Model, prompts: Prompts, sight: Sight, words: Words) -> None:
        self._model = model
        self._prompts = prompts
        self._is_asked = sight.rows and words != "plain"

    def say(self, answer: Answer, run: RunContext) -> Iterator[str]:
        """The answer, piece by piece."""
        if not (self._is_asked and answer.result.rows):
            yield from say(answer.draft.title, answer.result)
            return
        words = ""
        run.emit()
        for piece in self._words(answer, run):
            words += piece
            yield escaped(piece)
            run.emit()
        run.caveats.extend(unfounded(words, answer))
        yield from _proof(words, answer)

    def _words(self, answer: Answer, run: RunContext) -> Iterator[str]:
        """The model's words from where they show to be some; nothing where it has none."""
        held, is_heard = "", False
        try:
            for piece in self._model.speak(self._call(answer, run), most_chars=_MOST_CHARS):
                held += piece
                if is_heard or (len(held.lstrip()) >= _HEARD_FIRST and not _is_code(held)):
                    yield held if is_heard else held.lstrip()
                    held, is_heard = "", True
                elif _is_code(held):
                    return
        except ModelFault as fault:
            run.caveats.append(f"The words are ours: {fault.message}")
            return
        if held.strip() and not _is_code(held):
            yield held.lstrip()

    def _call(self, answer: Answer, run: RunContext) -> Call:
        names, count = [str(column["name"]) for column in answer.result.columns], answer.result.row_count or 0
        rows = rows_shown(names, answer.result.rows, _ROOM_FOR_ROWS)
        here = rows.count("\n")  # the first line are the names
        told = self._prompts.text(
            "result",
            question=answer.ask.as_meant,
            title=on_one_line(answer.draft.title) or "what was asked",
            row_count=f"{count:,}",
            shown="all of them here" if here >= count else f"the first {here:,} of them here",
            rows=rows,
        )
        return Call([SystemMessage(self._prompts.text("words")), HumanMessage(told)], run.token, run.meter)


def _is_code(text: str) -> bool:
    return text.lstrip().casefold().startswith(_CODE)


def _proof(words: str, answer: Answer) -> Iterator[str]:
    """The result itself below the words, unless it is one value that they hold."""
    rows = answer.result.rows
    if words and len(rows) == 1 and len(rows[0]) == 1 and show(rows[0][0]) in words:
        return
    yield "\n\n" if words else ""
    yield from say("" if words else answer.draft.title, answer.result)


_NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?")


def unfounded(words: str, answer: Answer) -> list[str]:
    """A caveat for numbers in the words that neither the result nor the question holds."""
    cells = [cell for row in answer.result.rows for cell in row]
    numbers = [float(cell) for cell in cells if isinstance(cell, int | float)] + [float(answer.result.row_count or 0)]
    texts = " ".join([answer.ask.question, *(str(cell) for cell in cells)])
    found = [each for each in _NUMBER.findall(words) if each not in texts and not _is_among(each, numbers)]
    named = ", ".join(dict.fromkeys(found))
    return [f"These numbers in the words are not in the result: {named}."] if named else []


def _is_among(said: str, numbers: list[float]) -> bool:
    """Whether a number, as precisely as it is said, is one of these."""
    plain = said.replace(",", "")
    decimals = len(plain.partition(".")[2])
    return any(f"{abs(number):.{decimals}f}" == f"{float(plain):.{decimals}f}" for number in numbers)
