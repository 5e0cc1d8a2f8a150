"""Metrics by their definitions: equal to SQL by hand, for every type and grain; what cannot be asked is told."""

import re
from contextlib import nullcontext
from pathlib import Path

import anyio
import pytest
from mcp.client import Client

from pluto_duck_backend.app.core.errors import InvalidInput, NotFound
from pluto_duck_cli.local_client import LocalClient
from pluto_duck_cli.main import execute
from pluto_duck_cli.mcp_server.lease import Lease
from pluto_duck_cli.mcp_server.stdio import build

GRAINS = ("day", "week", "month", "quarter", "year")
PAGE = Path(__file__).parents[2] / "docs" / "transformation.md"
FILE = Path(__file__).parents[1] / "fixtures" / "dbt" / "metrics.sql"
LISTS = {"--by": "by", "--where": "where", "--order": "order"}


def _cases():
    for block in FILE.read_text().split("\n\n")[1:]:
        asked, sql = block.strip().removeprefix("-- ").split("\n", 1)
        for grain in GRAINS if "{grain}" in asked else [""]:
            yield asked.replace("{grain}", grain), sql.replace("{grain}", grain).strip().rstrip(";")


CASES = list(_cases())


def _request(asked):
    """What the command line makes of these words."""
    metric, _, words = asked.partition(";")
    request = {"metrics": [metric], "by": [], "where": [], "order": []}
    left = words.strip()
    for part in (f"--{each}" for each in left.split("--") if each):
        option, _, value = part.strip().partition(" ")
        if option in LISTS:
            request[LISTS[option]].append(value)
        else:
            request[option.strip("-")] = int(value) if value.isdigit() else value
    return request


def _ask(workspace, **request):
    return workspace.queries.wait(workspace.query_metrics({"max_rows": 5000, **request}))


def _plain(rows):
    return sorted([tuple(_number(cell) for cell in row) for row in rows], key=str)


def _number(value):
    try:
        return round(float(value), 6)
    except (TypeError, ValueError):
        return str(value)[:10] if value is not None else None


def _coverage(rides):
    """The cases as the page has them: type by grain, and how many have a filter, a join, both."""
    types = {each["name"]: each["type"] for each in rides.metrics.every()}
    lines = ["| type | " + " | ".join(GRAINS) + " | no grain | filter | join | both |", "|---" * 10 + "|"]
    for kind in ("simple", "ratio", "derived", "cumulative", "conversion"):
        of_kind = [(asked, sql) for asked, sql in CASES if types[asked.split(";")[0]] == kind]
        grains = [re.search(r"--grain (\w+)|$", asked)[1] for asked, _ in of_kind]
        kept = [bool(re.search(r"--(where|start)", asked)) for asked, _ in of_kind]
        joined = [bool(re.search(r"JOIN (riders|bikes)", sql)) for _, sql in of_kind]
        counts = [*(grains.count(each) for each in (*GRAINS, None)), sum(kept), sum(joined)]
        counts.append(sum(both == (True, True) for both in zip(kept, joined, strict=True)))
        lines.append(f"| {kind} | " + " | ".join(map(str, counts)) + " |")
    return lines


def test_every_type_is_asked_at_every_grain_with_filters_and_joins_as_the_page_counts(rides):
    table = _coverage(rides)
    assert "\n".join(table) in PAGE.read_text(), "put into docs/transformation.md:\n" + "\n".join(table)
    assert f"{len(CASES)} cases" in PAGE.read_text()
    assert len(CASES) >= 60
    cells = [[int(each) for each in line.strip("|").split("|")[1:]] for line in table[2:]]
    assert all(count for line in cells for count in (*line[:5], *line[6:]))


@pytest.mark.parametrize(("asked", "sql"), CASES, ids=[asked for asked, _ in CASES])
def test_a_metric_is_what_its_definition_says(rides, asked, sql):
    job = _ask(rides, **_request(asked))
    assert job.status == "succeeded", job.error
    with rides.warehouse.read() as session:
        expected = session.rows(sql)
    assert expected
    assert _plain(job.rows) == _plain(expected)


def test_a_metric_tells_what_it_is_and_what_it_can_be_cut_by(rides):
    (rate,) = [each for each in rides.metrics.every() if each["name"] == "late_rate"]
    assert rate["description"] == "Share of rides that came back late."
    assert (rate["type"], rate["metrics"]) == ("ratio", ["late_rides", "ride_count"])
    assert {"metric_time", "ride__state", "rider__plan", "bike__region"} <= set(rate["dimensions"])


@pytest.mark.parametrize(
    ("request_", "error", "words"),
    [
        ({"metrics": ["takngs"]}, NotFound, "There is no metric 'takngs'. Did you mean takings"),
        ({"metrics": ["takings"], "by": ["regon"]}, InvalidInput, "takings cannot be cut by 'regon'"),
        ({"metrics": ["takings"], "by": ["visit__visited_on"]}, InvalidInput, "cannot be cut by"),
        ({"metrics": ["takings"], "where": ["state ="]}, InvalidInput, "is no condition in SQL"),
        ({"metrics": ["takings"], "where": ["state = '{{ 7 * 7 }}'"]}, InvalidInput, "Templates are not read here"),
        ({"metrics": ["takings"], "where": ["secret > 1"]}, InvalidInput, "cannot be cut by 'secret'"),
        ({"metrics": ["takings"], "grain": "decade"}, InvalidInput, "No grain 'decade'"),
        ({"metrics": ["takings"], "start": "yesterday"}, InvalidInput, "is no day such as"),
        ({"metrics": []}, InvalidInput, "No metric is named"),
    ],
)
def test_what_cannot_be_asked_is_told_with_what_can(rides, request_, error, words):
    with pytest.raises(error, match=words):
        rides.query_metrics(request_)


def test_a_condition_runs_nothing_but_what_any_query_may(rides):
    job = _ask(rides, metrics=["takings"], where=["state = (SELECT getenv('HOME'))"])
    assert (job.status, job.refused) == ("failed", True)


def test_a_coding_agent_gets_the_same_metrics(rides):
    asked = {"names": ["takings"], "grain": "month", "start": "2024-02-01", "end": "2024-03-31"}
    lease = Lease(lambda: nullcontext(LocalClient(rides)))

    async def work():
        async with Client(build(lease)) as client:
            return [await client.call_tool("metrics", words) for words in ({}, asked)]

    listed, queried = [each.structured_content for each in anyio.run(work)]
    lease.close()
    assert listed["metrics"] == rides.metrics.every()
    job = _ask(rides, metrics=["takings"], grain="month", start="2024-02-01", end="2024-03-31")
    assert (queried["status"], queried["sql"]) == ("succeeded", job.sql)
    assert _plain(queried["rows"]) == _plain(job.rows)


@pytest.fixture
def command(rides, monkeypatch):
    """The command line, over this workspace."""
    monkeypatch.setattr("pluto_duck_cli.commands.metrics.connect", lambda settings: nullcontext(LocalClient(rides)))
    return lambda *words: execute(["metrics", *words])


def test_the_command_lists_and_queries(command, capsys):
    assert command("list") == 0
    assert re.search(r"late_rate +ratio +Share of rides that came back late\. .*region", capsys.readouterr().out)
    assert command("query", "takings", "ride_count", "--by", "region", "--order", "region", "--format", "csv") == 0
    header, first, *_ = capsys.readouterr().out.splitlines()
    assert header == "bike__region,takings,ride_count"
    assert first.startswith("East,")


def test_the_command_shows_the_sql_and_tells_what_fails(command, capsys):
    assert command("query", "takings", "--sql") == 0
    assert 'FROM "warehouse"."main"."rides"' in capsys.readouterr().err
    assert command("query", "takings", "--by", "regions") == 2
    assert "hint: There is: bike__city" in capsys.readouterr().err
