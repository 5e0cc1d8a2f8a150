"""The self-check: what is run to judge the readings of a question."""

import pytest

from pluto_duck_text2sql.pool import once


def test_each_sql_is_run_once_also_where_it_fails():
    asked = []

    def run(sql):
        asked.append(sql)
        if sql == "broken":
            raise ValueError(sql)
        return [(sql,)]

    remembered = once(run)
    for _ in range(2):
        assert remembered("one") == [("one",)]
        with pytest.raises(ValueError, match="broken"):
            remembered("broken")
    assert asked == ["one", "broken"]
