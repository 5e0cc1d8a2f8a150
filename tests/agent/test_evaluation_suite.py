"""Suites are read strictly, and the shipped ones hold what they say."""

import json
from pathlib import Path

import pytest

from pluto_duck_backend.agent.evaluation_suite import kinds_of, load_suite
from pluto_duck_backend.app.core.errors import InvalidInput, NotFound

SUITES = Path(__file__).parents[1] / "fixtures" / "suites"
GOOD = {"id": "q1", "question": "How many?", "rows": [[3]]}


def written(tmp_path, *lines):
    path = tmp_path / "suite.jsonl"
    path.write_text("\n".join(line if isinstance(line, str) else json.dumps(line) for line in lines))
    return path


def test_a_full_line_is_read_whole(tmp_path):
    line = GOOD | {"db": "d", "history": ["before"], "sql": "select 3", "columns": ["n"], "row_count": 9}
    (case,) = load_suite(written(tmp_path, "", line | {"ordered": True, "limited": True, "new_field": 1}))
    assert (case.id, case.db, case.history, case.columns, case.rows) == ("q1", "d", ("before",), ("n",), ((3,),))
    assert case.ordered and case.limited and case.cut_short


def test_a_suite_may_say_kind_split_dialogue_and_that_there_is_no_answer(tmp_path):
    line = {"id": "u", "question": "x", "answerable": False, "kind": "out", "split": "dev", "dialogue": "d"}
    path = written(tmp_path, line)
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())
    (case,) = load_suite(path)
    assert (case.answerable, case.kind, case.split, case.dialogue) == (False, "out", "dev", "d")
    assert (case.rows, case.sql) == (None, None)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("{", "not JSON"),
        ("[1]", "expected an object"),
        ({"question": "x", "rows": []}, "field 'id'"),
        (GOOD | {"question": " "}, "field 'question'"),
        (GOOD | {"rows": 3}, "field 'rows'"),
        (GOOD | {"rows": [[1], [1, 2]]}, "field 'rows'"),
        (GOOD | {"ordered": "yes"}, "field 'ordered'"),
        (GOOD | {"row_count": -1}, "field 'row_count'"),
        (GOOD | {"row_count": True}, "field 'row_count'"),
        (GOOD | {"row_count": 0}, "field 'row_count'"),
        (GOOD | {"history": "before"}, "field 'history'"),
        (GOOD | {"history": [""]}, "field 'history'"),
        (GOOD | {"answerable": False}, "field 'answerable'"),
        (GOOD | {"answerable": "no"}, "field 'answerable'"),
        (GOOD | {"kind": ""}, "field 'kind'"),
        (GOOD | {"split": ["dev"]}, "field 'split'"),
        (GOOD | {"dialogue": 1}, "field 'dialogue'"),
        ({"id": "q2", "question": "x"}, "no 'sql'"),
        (GOOD | {"id": "q0"}, "already taken"),
    ],
)
def test_a_bad_line_is_named_with_its_field(tmp_path, line, said):
    path = written(tmp_path, GOOD | {"id": "q0"}, line)
    with pytest.raises(InvalidInput, match="line 2") as error:
        load_suite(path)
    assert said in str(error.value)
    assert error.value.hint


def test_no_file_and_an_empty_file_are_errors(tmp_path):
    with pytest.raises(NotFound, match="nowhere"):
        load_suite(tmp_path / "nowhere.jsonl")
    with pytest.raises(InvalidInput, match="no question"):
        load_suite(written(tmp_path, ""))


@pytest.mark.parametrize(
    ("sql", "kinds"),
    [
        ("select a from t where b = 1", ("plain",)),
        ("select a from t join u using (id)", ("join",)),
        ("select a, count(*) from t group by a order by 2 limit 3", ("group", "order")),
        ("select a from t where b in (select b from u)", ("nested",)),
        ("select a from t where b in (1, 2) union select a from u", ("set",)),
        ("select a from t where b > (select avg(b) from t) except select a from u", ("nested", "set")),
        ("with c as (select a from t) select a from c", ("nested",)),
        ("select from where", ("unknown",)),
        (None, ("unknown",)),
    ],
)
def test_kinds_come_from_the_expected_sql(sql, kinds):
    assert kinds_of(sql) == kinds


@pytest.mark.parametrize(
    ("name", "at_least"),
    [
        ("chinook", 30),
        ("northwind", 30),
        ("titanic", 12),
        ("shop", 12),
        ("tpch", 12),
        ("analysts", 220),
        ("dialogues", 220),
        ("unseen", 120),
        ("fresh", 120),
        ("practice", 70),
    ],
)
def test_the_shipped_suites_are_whole(name, at_least):
    cases = load_suite(SUITES / f"{name}.jsonl")
    assert len(cases) >= at_least
    for case in cases:
        assert case.sql and case.rows and case.columns, case.id
        assert case.row_count == len(case.rows) <= 60, case.id
        assert {len(row) for row in case.rows} == {len(case.columns)}, case.id
        assert not case.limited or case.ordered, case.id
