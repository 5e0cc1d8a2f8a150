"""The calculator: each line of the fixture, `expression = result` or `expression ! what is said of it`."""

from pathlib import Path

import pytest

from pluto_duck_backend.agent.actions.calculator import calculator
from pluto_duck_backend.app.core.errors import InvalidInput

LINES = (Path(__file__).parents[2] / "fixtures" / "actions" / "calculator.txt").read_text().splitlines()


def _done(expression):
    return calculator.do(None, calculator.taken({"expression": expression})).details["result"]


@pytest.mark.parametrize("line", [each for each in LINES if " = " in each])
def test_it_works_out(line):
    expression, _, result = line.rpartition(" = ")
    assert _done(expression) == result


@pytest.mark.parametrize("line", [each for each in LINES if " ! " in each])
def test_it_refuses(line):
    expression, _, said = line.rpartition(" ! ")
    with pytest.raises(InvalidInput, match="cannot be worked out") as raised:
        _done(expression)
    assert (raised.value.code, said in raised.value.message) == ("bad_expression", True), raised.value.message


def test_what_is_nested_deeply_is_refused():
    with pytest.raises(InvalidInput):
        _done("(" * 500 + "1" + ")" * 500)
