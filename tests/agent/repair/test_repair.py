"""A model's reply becomes SQL that binds; what is open goes back with the facts."""

import json
import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pluto_duck_backend.agent.evaluation_match import matches
from pluto_duck_backend.agent.findings.finding import facts
from pluto_duck_backend.agent.repair import repair
from pluto_duck_backend.agent.repair.dialect import parses
from pluto_duck_backend.agent.repair.reply import statements

CASES = [
    json.loads(line) for line in (Path(__file__).parents[2] / "fixtures/repair/cases.jsonl").read_text().splitlines()
]


def _of(key):
    return [pytest.param(case, id=case["reply"][:60]) for case in CASES if key in case]


@pytest.mark.parametrize("case", _of("sql"))
def test_a_reply_gives_the_rows_that_it_means(data, case):
    repaired = repair(case["reply"], data)
    assert repaired.sql, facts(repaired.findings)
    assert matches(data.rows(case["sql"]), data.rows(repaired.sql), ordered=False), repaired.sql
    noticed = [each.code for each in repaired.findings if each.weight == "repaired"]
    assert list(dict.fromkeys(noticed)) == case["codes"], repaired.findings


@pytest.mark.parametrize("case", _of("asked"))
def test_what_is_open_is_told_to_the_model_and_not_run(data, case):
    repaired = repair(case["reply"], data)
    assert repaired.sql == ""
    assert case["asked"] in [each.code for each in repaired.findings if each.weight == "broken"]
    assert facts(repaired.findings)


@pytest.mark.parametrize("case", _of("doubt"))
def test_a_text_that_means_no_value_is_doubted_with_what_there_is(data, case):
    repaired = repair(case["reply"], data)
    found = next(each for each in repaired.findings if each.weight == "doubt")
    assert found.code == case["doubt"]
    assert found.told
    assert set(case.get("options", [])) <= set(found.options)


def test_the_options_of_an_open_name_are_real(data):
    repaired = repair("SELECT g.game_id FROM games g JOIN teams t", data)
    assert repaired.findings[-1].options == ("g.home_team = t.team_id", "g.away_team = t.team_id")


@given(st.text(max_size=300), st.sampled_from(["", "```sql\n", '{"sql": "', "SELECT ", "<think>", "`", "'", "/*"]))
@settings(deadline=None, max_examples=150)
def test_no_reply_is_too_odd_to_be_read(text, start):
    for each in statements(start + text, parses):
        assert each.strip()


@given(st.integers(0, 2**32))
@settings(deadline=None, max_examples=40)
def test_sql_is_found_between_any_prose(seed):
    chance = random.Random(seed)
    sql = chance.choice(["SELECT a\nFROM t", "WITH x AS (\n\nSELECT 1 AS a) SELECT a FROM x", "SELECT 'a;b' FROM t"])
    before = chance.choice(["", "Sure!\n\n", "We could select it with this:\n", "1. Look\n2. Count\n\n"])
    after = chance.choice(["", ";", ";\n\nThis works.", "\n\nThis works, as you can see."])
    assert statements(before + sql + after, parses) == [sql]


def test_a_long_hostile_reply_is_read_in_a_bounded_number_of_tries():
    tries = []
    statements("SELECT ( " * 20_000, lambda sql: bool(tries.append(sql)))
    assert len(tries) < 200
