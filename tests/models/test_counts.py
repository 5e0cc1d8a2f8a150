"""Calls of models in what Prometheus reads: by provider, outcome and tokens, named once they have answered."""

import pytest
from prometheus_client.parser import text_string_to_metric_families
from tests.models.conftest import final
from tests.models.server import Breaks, sql

from pluto_duck_backend.app.core import counts

CALLS = "pluto_duck_model_call_duration_seconds_count"
TOKENS = "pluto_duck_model_tokens_total"


def _told():
    families = text_string_to_metric_families(counts.exposition(0, 0))
    return {(each.name, frozenset(each.labels.items())): each.value for one in families for each in one.samples}


@pytest.mark.parametrize(
    ("reply", "model", "outcome", "by"),
    [
        (sql("SELECT count(*) AS n FROM albums"), "fake", "ok", "openai"),
        (Breaks("status", 401), "unknown", "unauthorized", "embedded"),
    ],
)
def test_a_call_counts_by_its_outcome_and_its_tokens(open_workspace, ask, server, reply, model, outcome, by):
    server.says(reply)
    before = _told()
    answer = final(ask(open_workspace({"words": "plain"})))
    told = _told()
    rise = {key: value - before.get(key, 0) for key, value in told.items()}
    assert answer["provider"] == by
    assert rise[CALLS, frozenset({("provider", "openai"), ("model", model), ("outcome", outcome)})] >= 1
    spent = [
        rise[TOKENS, frozenset({("provider", "openai"), ("model", model), ("direction", way)})]
        for way in ("input", "output")
    ]
    assert spent == [answer["usage"].get(f"{way}_tokens", 0) for way in ("input", "output")]
