"""What the router saves: a model that is right in 85 of 100 calls, alone and behind `auto`, over sampled databases.

The embedded analyst's weights have seen the shared questions in training, so its share is flattered on them; the suites
of tests/fixtures hold questions and databases that it has not.
"""

import os
import random
import tempfile
from collections import Counter
from pathlib import Path

from pluto_duck_backend.agent.evaluation_suite import load_suite
from pluto_duck_backend.agent.evaluation_verdict import Outcome, score
from pluto_duck_backend.agent.workspace import Workspace
from pluto_duck_backend.app.core.config import load_settings

SHARED = Path(os.environ.get("PLUTODUCK_SHARED", Path(__file__).parents[3] / "shared"))
SUITES = Path(__file__).parents[1] / "fixtures" / "suites"
DATABASES, QUESTIONS = 25, 8
MODES = {"alone": ("gold", "best"), "prefer-local": ("auto", "prefer-local"), "best": ("auto", "best")}


def main():
    chance = random.Random(5)
    shared = [each for each in load_suite(SHARED / "nl2sql" / "questions.jsonl") if each.sql and each.rows is not None]
    names = chance.sample(sorted({each.db for each in shared}), DATABASES)
    sampled = {name: chance.sample(mine, min(QUESTIONS, len(mine))) for name in names if (mine := _of(shared, name))}
    _measured("shared questions, seen in training", sampled, SHARED / "nl2sql" / "databases")
    unseen = {name: _of(load_suite(SUITES / f"{name}.jsonl"), name) for name in ("chinook", "northwind")}
    _measured("suites, not seen in training", unseen, SHARED / "data")


def _of(cases, name):
    return [each for each in cases if each.db == name and each.sql and each.rows is not None and not each.history]


def _measured(title, cases, folder):
    for mode in MODES:
        total = Counter()
        for name, mine in cases.items():
            with tempfile.TemporaryDirectory() as root:
                total += _asked(mine, folder / f"{name}.sqlite", Path(root), *MODES[mode])
        asked = total["asked"]
        print(
            f"{title}: {mode:13} {asked} questions, right {total['right'] / asked:.1%}, calls {total['calls']} "
            f"({total['calls'] / asked:.2f} a question)",
            flush=True,
        )


def _asked(cases, source, root, provider, policy):
    known = {each.question.strip(): each.sql for each in cases}
    options = {"class": "tests.models.in_process:Knowing", "known": known}
    gold = {"kind": "langchain", "model": "gold", "is_local": True, "options": options}
    agent = {"provider": provider, "policy": policy, "words": "plain", "max_rows": 10_000}
    workspace = Workspace.open(load_settings(root, agent=agent, providers={"gold": gold}), wait_s=0)
    try:
        for request in workspace.ingestion.plan([str(source)]):
            list(workspace.ingestion.load(request, cancelled=lambda: False))
        total = Counter(asked=len(cases))
        for case in cases:
            total["right"] += score(case, _outcome(workspace, case.question)).right
        total["calls"] = sum(each["calls"] for each in workspace.usage())
        return total
    finally:
        workspace.close()


def _outcome(workspace, question):
    handle = workspace.runs.start(question)
    final = None
    for event in workspace.runs.log(handle.run_id).follow():
        final = event["content"] if event["subtype"] == "final" else final
    if final is None:
        return Outcome("failed")
    return Outcome(final["status"], [tuple(row) for row in final["rows"]])
