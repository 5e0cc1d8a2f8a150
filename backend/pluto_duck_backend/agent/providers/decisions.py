"""What a model may decide, and how its reply is read, however it was written.

A model decides one of three things: here is the SQL, the user must be asked, the data cannot answer. A strong model
says so by calling a tool; a weak one by one JSON object, or by SQL in a fence, or by SQL among prose. A draft's SQL is
still as the model wrote it, without the prose around one statement; `repair` makes it bind.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from pluto_duck_backend.agent.models.faults import ModelFault
from pluto_duck_backend.agent.models.reply import Reply
from pluto_duck_backend.agent.providers.contract import CannotAnswer, Clarify, Draft, Offer
from pluto_duck_backend.agent.providers.loose import loosely_read
from pluto_duck_backend.agent.repair.dialect import parses
from pluto_duck_backend.agent.repair.reply import statements
from pluto_duck_backend.agent.steps.step import KINDS, Step


@dataclass(frozen=True)
class Wanted:
    """A tool from outside that the model wants called before it decides."""

    name: str
    arguments: dict[str, Any]


ANSWER = "answer_with_sql"
#   the tool that answers
Decision = Draft | Clarify | CannotAnswer | Wanted
_TEXT = {"type": "string"}
_LINES = {"type": "array", "items": _TEXT}
_UNSAID_CONFIDENCE = 0.6
_OF_TEN = 10
#   a confidence above it is a percentage; up to it, and above 1, nobody knows of how many
_REFUSED = ("refusal", "content_filter", "safety", "prohibited_content", "blocklist", "spii", "recitation")
_CUT_SHORT = ("length", "max_tokens")
#   why a reply ended, in the words of the protocols
_MOST_OPTIONS = 6
_ARGUMENTS = ("arguments", "parameters", "input")
_DEEPEST = 2
_FENCED = re.compile(r"```\w*\n(.*?)\n?```", re.DOTALL)


_STEP = {
    "type": "object",
    "properties": {
        "name": {**_TEXT, "description": "The table that later steps and `sql` read the result by."},
        "kind": {**_TEXT, "enum": list(KINDS)},
        "text": {**_TEXT, "description": "The SQL, the expression, the statistic or the Python."},
        "purpose": {**_TEXT, "description": "What it finds out, in a few words."},
    },
    "required": ["name", "kind", "text"],
}


def _tool(name: str, description: str, properties: dict[str, Any], required: list[str]) -> dict[str, Any]:
    parameters = {"type": "object", "properties": properties, "required": required}
    return {"type": "function", "function": {"name": name, "description": description, "parameters": parameters}}


TOOLS = (
    _tool(
        ANSWER,
        "Answer the question with one DuckDB SELECT.",
        {
            "sql": {**_TEXT, "description": "One SELECT statement in DuckDB's dialect."},
            "title": {**_TEXT, "description": "What the result shows, in a few words."},
            "reading": {**_LINES, "description": "Which words became which columns and conditions, a line each."},
            "assumptions": {**_LINES, "description": "What was assumed though the question does not say it."},
            "confidence": {"type": "number", "description": "How likely the SQL answers the question, 0 to 1."},
            "steps": {
                "type": "array",
                "description": "Only where one query is not enough: what is done first; `sql` reads its results.",
                "items": _STEP,
            },
        },
        ["sql"],
    ),
    _tool(
        "ask_user",
        "Ask back, where readings would give clearly different answers and nothing favours one.",
        {"question": _TEXT, "options": {**_LINES, "description": "The readings to choose from, two to four."}},
        ["question", "options"],
    ),
    _tool(
        "cannot_answer",
        "Say that the data does not hold the answer.",
        {"reason": {**_TEXT, "description": "What is missing, and what is nearest to it."}},
        ["reason"],
    ),
)


@dataclass(frozen=True)
class Read:
    """A decision, and whether the model called a tool to say it."""

    decision: Decision
    by_tool: bool


def offered(offers: Sequence[Offer]) -> list[dict[str, Any]]:
    """Tools from outside as a model is offered them beside `TOOLS`."""
    return [
        {
            "type": "function",
            "function": {"name": each.name, "description": each.description, "parameters": each.schema},
        }
        for each in offers
    ]


def read(reply: Reply, provider: str, outside: Collection[str] = ()) -> Read:
    """The decision of a reply, or the tool of `outside` that it wants. Raises ModelFault where it holds none."""
    if reply.refusal or reply.finish in _REFUSED:
        raise ModelFault("refused", provider, _shown(reply.refusal))
    for call in reply.calls:
        if call.name in outside:
            return Read(Wanted(call.name, next(_objects(call.arguments), {})), by_tool=True)
        decision = _of_tool(call.name, call.arguments, is_whole=_is_whole(reply))
        if decision:
            return Read(decision, by_tool=True)
    decision = _wanted(reply, outside) or _of_text(reply)
    if decision:
        return Read(decision, by_tool=False)
    raise _fault(reply, provider)


def _of_tool(name: str, arguments: str, *, is_whole: bool) -> Decision | None:
    """A known tool with arguments that can be read; another tool's arguments count where they hold SQL."""
    fields = next(_objects(arguments), None) or (loosely_read(arguments) if is_whole else None)
    return _MAKERS.get(name, _draft)(fields) if fields else None


def _is_whole(reply: Reply) -> bool:
    """Whether it came to its end: what is missing of one that did not, nobody may guess."""
    return bool(reply.finish) and reply.finish not in _CUT_SHORT


def _wanted(reply: Reply, outside: Collection[str]) -> Wanted | None:
    """`{"call": name, "arguments": {…}}` of a model without tools."""
    for fields in _objects(reply.text) if outside else ():
        arguments = fields.get("arguments")
        if fields.get("call") in outside:
            return Wanted(fields["call"], arguments if isinstance(arguments, dict) else {})
    return None


def _of_text(reply: Reply) -> Decision | None:
    for fields in _objects(reply.text):
        if decision := _of_fields(fields):
            return decision
    if not _is_whole(reply):
        return None
    if decision := _of_fields(loosely_read(reply.text)):
        return decision
    found = statements(reply.text, parses)
    return Draft(found[0] if len(found) == 1 else reply.text, _UNSAID_CONFIDENCE) if found else None


def _of_fields(fields: dict[str, Any], depth: int = 0) -> Decision | None:
    """The decision of an object, or of one within it: models without tools write calls, too, `{"name": "ask_user",
    "arguments": {…}}`, the arguments as an object or as its text."""
    decided = (maker(fields) for maker in _MAKERS.values())
    inner = (_of_fields(each, depth + 1) for each in _within(fields)) if depth < _DEEPEST else ()
    return next((each for each in (*decided, *inner) if each), None)


def _within(fields: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for name, value in fields.items():
        if isinstance(value, dict):
            yield value
        elif name in _ARGUMENTS and isinstance(value, str):
            yield from _objects(value)


def _draft(fields: dict[str, Any]) -> Draft | None:
    written = next((fields[name] for name in ("sql", "SQL", "query") if fields.get(name)), None)
    if not isinstance(written, str) or not written.strip():
        return None
    return Draft(
        written.strip(),
        _confidence(fields.get("confidence")),
        _line(fields.get("title")),
        _lines(fields.get("reading")),
        _lines(fields.get("assumptions")),
        steps=_steps(fields.get("steps")),
    )


def _steps(said: Any) -> tuple[Step, ...]:
    """The steps of a plan; what is none of them, or has nothing to do, is left out."""
    found = [each for each in said if isinstance(each, dict)] if isinstance(said, list) else []
    made = (Step(_line(each.get("name")), _kind(each), _code(each), _line(each.get("purpose"))) for each in found)
    return tuple(step for step in made if step.text)


def _kind(fields: dict[str, Any]) -> Any:
    """As it was said: a kind that does not exist is told to the model when the plan is looked at."""
    return _line(fields.get("kind")).casefold() or "query"


def _code(fields: dict[str, Any]) -> str:
    written = next((fields[name] for name in ("text", "sql", "code") if isinstance(fields.get(name), str)), "")
    fenced = _FENCED.fullmatch(written.strip())
    return (fenced[1] if fenced else written).strip().rstrip(";")


def _clarify(fields: dict[str, Any]) -> Clarify | None:
    question, options = _line(fields.get("question")), _lines(fields.get("options"))
    return Clarify(question, options[:_MOST_OPTIONS]) if question and options else None


def _cannot(fields: dict[str, Any]) -> CannotAnswer | None:
    reason = _line(fields.get("reason"))
    return CannotAnswer(reason) if reason else None


_MAKERS: dict[str, Callable[[dict[str, Any]], Decision | None]] = {
    ANSWER: _draft,
    "ask_user": _clarify,
    "cannot_answer": _cannot,
}


def _objects(text: str) -> Iterator[dict[str, Any]]:
    """Every JSON object in a text, outermost only; line breaks within strings are allowed."""
    decoder, at = json.JSONDecoder(strict=False), text.find("{")
    while at >= 0:
        try:
            found, end = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            found, end = None, at + 1
        if isinstance(found, dict):
            yield found
        at = text.find("{", end)


def _fault(reply: Reply, provider: str) -> ModelFault:
    if reply.finish == "too_long":
        return ModelFault("too_long", provider)
    if reply.finish in _CUT_SHORT:
        return ModelFault("cut_short", provider, f"providers.{provider}.max_output_tokens")
    if not reply.finish:
        return ModelFault("cut", provider)
    if reply.calls:
        return ModelFault("wrong_tool", provider, _shown(reply.calls[0].name))
    return ModelFault("nonsense", provider, _shown(reply.text))


def _shown(text: str) -> str:
    line = " ".join(text.split())
    return repr(line[:80] + ("…" if len(line) > 80 else "")) if line else ""


def _confidence(said: Any) -> float:
    """From 0 to 1; one above that is a percentage."""
    try:
        value = float(str(said).strip().removesuffix("%"))
    except ValueError:
        return _UNSAID_CONFIDENCE
    share = value / 100 if value > _OF_TEN else value
    return share if 0 <= share <= 1 else _UNSAID_CONFIDENCE


def _line(said: Any) -> str:
    return " ".join(said.split())[:1000] if isinstance(said, str) else ""


def _lines(said: Any) -> tuple[str, ...]:
    """Texts, or objects that have one each: `{"label": "by date"}`."""
    each = said if isinstance(said, list) else [said]
    texts = (next(filter(None, map(_line, one.values())), "") if isinstance(one, dict) else _line(one) for one in each)
    return tuple(filter(None, texts))
