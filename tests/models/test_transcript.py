"""What a model tried before, told to it again in little room."""

from hypothesis import given
from hypothesis import strategies as st

from pluto_duck_backend.agent.providers.contract import Draft
from pluto_duck_backend.agent.providers.transcript import Exchange, shortened
from pluto_duck_backend.agent.steps.step import Step

_NOTE = len(" [... 1,000,000 characters left out ...] ")


@given(st.text(max_size=300), st.integers(0, 400))
def test_what_is_shortened_keeps_its_ends_and_is_no_longer(text, most):
    short = shortened(text, most)
    assert short == text if len(text) <= most else len(short) <= most + _NOTE
    assert short.startswith(text[: most - most // 3])


def test_a_plan_is_told_within_its_room():
    steps = tuple(Step(f"part_{n}", "python", "x = 1\n" * 2_000) for n in range(4))
    tried = Exchange.tried(Draft("SELECT 1", 0.9, steps=steps), "It failed.", 1_000)
    assert tried.length < 2_000
