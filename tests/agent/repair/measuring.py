"""Good SQL of the shared questions, broken in every known way, repaired without a model, and compared by its rows."""

import json
from collections import Counter, defaultdict
from contextlib import contextmanager

from tests.agent.repair.breaking import KINDS, break_
from tests.agent.seen import data_of

from pluto_duck_backend.agent.evaluation_match import matches
from pluto_duck_backend.agent.repair import repair
from pluto_duck_backend.agent.workspace import Workspace
from pluto_duck_backend.app.core.config import load_settings
from pluto_duck_backend.app.core.errors import PlutoDuckError
from pluto_duck_backend.app.services.execution.results import json_value

MOST_ROWS = 5_000


def questions(folder):
    """The questions that have SQL, by database."""
    found = defaultdict(list)
    for line in (folder / "questions.jsonl").read_text(encoding="utf-8").splitlines():
        question = json.loads(line)
        found[question["db"]].append(question)
    return found


@contextmanager
def opened(name, folder, root):
    """What repairing may look at in one database."""
    workspace = Workspace.open(load_settings(root / name), wait_s=0)
    try:
        for request in workspace.ingestion.plan([str(folder / "databases" / f"{name}.sqlite")]):
            for _ in workspace.ingestion.load(request, cancelled=lambda: False):
                pass
        yield data_of(workspace, MOST_ROWS)
    finally:
        workspace.close()


def outcomes(data, questions, random):
    """`{kind: Counter of right, wrong, doubted, asked}` of one broken query a kind, where there is one."""
    found = defaultdict(Counter)
    for kind in (each["kind"] for each in KINDS):
        for question in random.sample(questions, len(questions)):
            broken = break_(kind, question["sql"], data.catalog, random)
            if broken and (outcome := _outcome(broken, question, data)):
                found[kind][outcome] += 1
                break
    return found


def _outcome(broken, question, data):
    """`asked`: the model hears what is open; `doubted`: it runs and the model hears why it may be wrong."""
    try:
        expected = _rows(question["sql"], data)
    except PlutoDuckError:
        return None
    repaired = repair(broken, data)
    if not repaired.sql:
        return "asked"
    if matches(expected, _rows(repaired.sql, data), ordered=question["ordered"] and not question["limited"]):
        return "right"
    return "doubted" if any(each.weight == "doubt" for each in repaired.findings) else "wrong"


def _rows(sql, data):
    return [[json_value(cell) for cell in row] for row in data.rows(sql)]
