"""What every error tells: a next step, and a near name only where there is one."""

import pytest

from pluto_duck_backend.app.core.errors import PlutoDuckError, did_you_mean


def _kinds(kind):
    for child in kind.__subclasses__():
        yield child
        yield from _kinds(child)


OURS = [each for each in (PlutoDuckError, *_kinds(PlutoDuckError)) if each.__module__ == PlutoDuckError.__module__]


@pytest.mark.parametrize("kind", OURS, ids=lambda kind: kind.__name__)
def test_an_error_without_a_hint_of_its_own_still_names_a_next_step(kind):
    assert kind("It did not work.").hint
    assert kind("It did not work.", hint="Do this.").hint == "Do this."


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("exel", "Did you mean excel?"),
        ("SALE", "Did you mean sales?"),
        ("embeded", "Did you mean embedded?"),
        ("nope", ""),
        ("zzz", ""),
    ],
)
def test_a_near_name_is_told_where_there_is_one(said, told):
    assert did_you_mean(said, ["excel", "sales", "embedded", "compile", "ünïcode"]) == told
