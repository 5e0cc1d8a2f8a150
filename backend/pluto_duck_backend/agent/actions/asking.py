"""Questions: a run, followed to its end. Only an answer and a question back are no error."""

from __future__ import annotations

import json
from functools import partial
from typing import Annotated, Any

from pydantic import Field

from pluto_duck_backend.agent.actions.contract import Call, Details, Result, action, told, with_error
from pluto_duck_backend.agent.actions.data import Rows
from pluto_duck_backend.agent.conversation import MAX_QUESTION
from pluto_duck_backend.agent.markdown import escaped, fenced
from pluto_duck_backend.agent.progress import progress

_NOT_SHOWN = ("finished", "chart", "next")
_ROWS_IN_TEXT = 20


@action("Ask the data", "viewer", timeout_s=86_400)
def ask(
    call: Call,
    question: Annotated[
        str,
        Field(min_length=1, max_length=MAX_QUESTION, description="In plain words, or the answer to a question back."),
    ],
    conversation: Annotated[str | None, Field(description="The `conversation` of an earlier call.")] = None,
    max_rows: Rows = 100,
    agent: Annotated[str | None, Field(description="Who answers; empty: whose scope fits best.")] = None,
    provider: Annotated[str | None, Field(description="Who writes the SQL; empty: the setting agent.provider.")] = None,
    model: Annotated[str | None, Field(description="The provider's model.")] = None,
) -> Result:
    """Answer a question about the data, with SQL, rows and confidence; needs_input: call again with a choice."""
    begun = call.workspace.runs.start(
        question,
        conversation_id=conversation,
        provider=provider,
        model=model,
        max_rows=max_rows,
        agent=agent,
        who=call.who,
    )
    return _followed(call, begun.run_id)


def _followed(call: Call, run_id: str) -> Result:
    """How a run ends, its steps told meanwhile; whoever ends the call ends it."""
    runs = call.workspace.runs
    with call.token.interrupting(partial(runs.cancel, run_id)):
        for event in runs.log(run_id, call.who).follow(0):
            message = progress(event)
            if message:
                call.tell(message)
    call.token.check()
    return of_run(runs.get(run_id, call.who))


def of_run(run: Details) -> Result:
    """How a run ended: the final object with `run_id` and `conversation`, or its error."""
    names = {"run_id": run["run_id"], "conversation": run["conversation_id"]}
    final = {name: value for name, value in (run["final"] or {}).items() if name not in _NOT_SHOWN}
    if not final or run["error"]:
        error = {**_error(run["status"], f"The run was {run['status']}."), **(run["error"] or {})}
        return Result(told(error), {**names, "status": run["status"]}, error)
    details = {**names, **final}
    if run["status"] in _TEXT:
        return Result(_TEXT[run["status"]](details), details)
    said = f"{run['status'].replace('_', ' ')}: {final['answer']}"
    return with_error(Result(said, details), _error(run["status"], final["answer"]))


def _error(code: str, message: str) -> Details:
    return {"code": code, "message": message, "hint": "", "retryable": False, "refused": False}


def _answer(details: dict[str, Any]) -> str:
    names = [column["name"] for column in details["columns"]]
    rows = {"columns": names, "rows": details["rows"][:_ROWS_IN_TEXT], "row_count": details["row_count"]}
    lines = [
        details["answer"],
        fenced(details["sql"], "sql"),
        fenced(json.dumps(rows, ensure_ascii=False, default=str), "json"),
        *(f"Note: {escaped(caveat)}" for caveat in details["caveats"]),
        f"confidence {details['confidence']:.0%}, job {details['job_id']}, conversation {details['conversation']}",
    ]
    return "\n\n".join(lines)


def _question(details: dict[str, Any]) -> str:
    asked = details["clarification"]
    lines = [f"Not answered yet. {asked['question']}", *(f"- {option}" for option in asked["options"])]
    then = f"Call ask with the choice as question and conversation={details['conversation']!r}."
    return "\n".join([*map(escaped, lines), then])


_TEXT = {"succeeded": _answer, "needs_input": _question}
