"""Takes one step: its SQL is made, mended and run like any other; Python runs beside, and its rows become a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pluto_duck_backend.agent.conversation import Ask
from pluto_duck_backend.agent.findings.finding import Finding, caveats, facts, is_broken, stopped
from pluto_duck_backend.agent.querying import run_query
from pluto_duck_backend.agent.state import Tools
from pluto_duck_backend.agent.steps import relations, sandbox
from pluto_duck_backend.agent.steps.step import Step, Taken
from pluto_duck_backend.app.core.errors import QueryFailed
from pluto_duck_text2sql.plans.composing import composed, is_named

_MOST_ROWS = 200_000
#   of a step that Python is given


def take(step: Step, before: Mapping[str, Taken], job_id: str, tools: Tools) -> Taken:
    """The step's rows as a query that ran. Raises PlutoDuckError for what went wrong, or the token's reason."""
    tools.token.check()
    tools.meter.add_query()
    sql, mended = mend(_sql(step, before, tools), before, tools)
    result = run_query(sql, job_id, tools)
    found = tools.provider.look(Ask(step.purpose), result)
    told = tuple(f"Step {step.name}: {each}" for each in caveats([*mended, *found]))
    return Taken(step, sql, job_id, result.columns, result.row_count or 0, told)


def mend(sql: str, before: Mapping[str, Taken], tools: Tools) -> tuple[str, Sequence[Finding]]:
    """`sql` with the steps that it names, as it can run. Raises PlutoDuckError where it cannot be mended."""
    whole, findings = tools.provider.mend(composed(sql, {name: each.sql for name, each in before.items()}))
    if is_broken(findings):
        raise stopped(findings, tools.provider.seen(findings) or facts(findings))
    return whole, findings


def _sql(step: Step, before: Mapping[str, Taken], tools: Tools) -> str:
    if step.kind == "calculate":
        return relations.calculation(step, before)
    if step.kind == "statistics":
        return relations.statistic(step, before)
    return _by_python(step, before, tools) if step.kind == "python" else step.text


def _by_python(step: Step, before: Mapping[str, Taken], tools: Tools) -> str:
    used = {name: each for name, each in before.items() if is_named(name, step.text)}
    sandbox.check(step.text, used)
    inputs = {name: _arrow(each, tools) for name, each in used.items()}
    return relations.table(sandbox.run(step.text, inputs, tools.sandbox, tools.token))


def _arrow(taken: Taken, tools: Tools) -> bytes:
    """A step's rows as an Arrow stream."""
    if taken.row_count > _MOST_ROWS:
        raise QueryFailed(
            f"{taken.step.name} has more rows than Python is given, which is {_MOST_ROWS:,}.",
            code="step_failed",
            hint="Have the query aggregate or filter first.",
        )
    return b"".join(bytes(each) for each in tools.queries.stream(taken.job_id, "arrow", tools.who)[1])
