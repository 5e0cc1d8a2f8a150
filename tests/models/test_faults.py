"""Every way a model's call can fail, in each protocol, against servers that really do so, and what the user then sees.

The table in docs/models.md is made of these cases; a test compares.
"""

import queue
import time
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path
from types import SimpleNamespace

import pytest
from tests.models.conftest import final, names
from tests.models.server import Breaks, Reply, Says, sql

from pluto_duck_backend.agent.models.prices import Prices
from pluto_duck_backend.agent.models.streaming import PATIENCE_S

COUNT = "SELECT count(*) AS n FROM albums"
PAGE = Path(__file__).parents[2] / "docs" / "models.md"
LATER = {"Retry-After": "0"}
PROTOCOLS = ("openai", "anthropic", "ollama", "google")


@dataclass(frozen=True)
class Case:
    """A fault; `calls` is how often the server is asked until somebody else is, `of` the protocols that have it."""

    title: str
    reply: Reply
    calls: int
    caveat: str
    of: tuple[str, ...] = PROTOCOLS


CASES = [
    Case("429 with Retry-After", Breaks("status", 429, headers=LATER), 3, "{name} is rate limited: HTTP 429"),
    Case(
        "429 that asks for more patience than `max_wait_s`",
        Breaks("status", 429, headers={"Retry-After": "3600"}),
        1,
        "{name} is rate limited: HTTP 429",
        of=("openai", "anthropic", "google"),
    ),
    Case("500, 502, 503, 529", Breaks("status", 503), 3, "{name} failed on its side: HTTP 503"),
    Case("an error within the stream", Breaks("error_in_stream"), 3, "{name} failed on its side"),
    Case("a stream that stalls", Breaks("stall"), 3, "{name} stopped talking: nothing for 60 s"),
    Case("a connection cut in the middle", Breaks("cut"), 3, "{name} broke off in the middle of its reply"),
    Case("a stream that ends too early", Breaks("end"), 3, "{name} broke off in the middle of its reply"),
    Case(
        "a reply cut short at its greatest length",
        Says("SELECT 1 FR", finish="length"),
        2,
        "{name} did not come to an end within the tokens of one reply: providers.{name}.max_output_tokens",
    ),
    Case(
        "a prompt that is too long for the model",
        Breaks("status", 400, body={"error": {"message": "the request exceeds the available context size"}}),
        2,
        "{name} has no room for so long a prompt and reply: HTTP 400",
    ),
    Case(
        "a prompt that a filter rejects",
        Breaks("status", 400, body={"error": {"message": "filtered by the content management policy"}}),
        1,
        "{name} refused to answer: HTTP 400",
    ),
    Case("a stream that is no JSON", Breaks("garbage"), 3, "{name} failed on its side: its reply is no JSON"),
    Case(
        "arguments of a tool that are no JSON",
        Says(calls=(("answer_with_sql", '{"sql": SELECT'),)),
        2,
        "{name} called a tool that does not exist, or wrongly",
        of=("openai", "anthropic"),
    ),
    Case(
        "a tool that does not exist",
        Says(calls=(("launch_rocket", {"to": "the moon"}),)),
        2,
        "{name} called a tool that does not exist, or wrongly: 'launch_rocket'",
    ),
    Case(
        "a refusal with words",
        Says(refusal="I cannot help with that."),
        1,
        "{name} refused to answer: 'I cannot help",
        of=("openai",),
    ),
    Case("a refusal without words", Says(finish="refusal"), 1, "{name} refused to answer", of=("anthropic",)),
    Case("a filtered reply", Says(finish="content_filter"), 1, "{name} refused to answer", of=("openai",)),
    Case("a reply held back as unsafe", Says(finish="safety"), 1, "{name} refused to answer", of=("google",)),
    Case("prose without SQL", Says("As a language model I like ducks."), 2, "{name} replied with nothing usable"),
    Case("an empty reply", Says(""), 2, "{name} replied with nothing usable"),
    Case("200 kB of text", Breaks("flood"), 1, "{name} wrote without end"),
    Case("a key that is not accepted", Breaks("status", 401), 1, "{name} does not accept the key: HTTP 401"),
    Case("a model that does not exist", Breaks("status", 404), 1, "{name} does not have the model: HTTP 404"),
    Case(
        "a redirect, which is not followed",
        Breaks("status", 307, headers={"Location": "/elsewhere"}),
        3,
        "{name} cannot be reached: HTTP 307",
    ),
]


@dataclass(frozen=True)
class Limit:
    """What keeps a model from being called; `before`: the day's budget, which an earlier question used up."""

    title: str
    calls: int
    caveat: str
    limits: dict = field(default_factory=dict)
    budget: dict = field(default_factory=dict)
    before: bool = False
    name: str = ""
    of: tuple[str, ...] = PROTOCOLS
    reply: Reply | None = None


LIMITS = [
    Limit(
        "a reply that takes longer than `timeout_s`",
        1,
        "{name} took longer than one call may: providers.{name}.timeout_s",
        limits={"timeout_s": 0.3},
        reply=Says("It is a long story. " * 100, pause_s=0.01),
    ),
    Limit(
        "nobody listens at its address",
        3,
        "{name} cannot be reached: Connection refused",
        limits={"base_url": "http://127.0.0.1:1/v1"},
    ),
    Limit(
        "its address names no host",
        3,
        "{name} cannot be reached: ",
        limits={"base_url": "http://nobody.invalid/v1", "api_key": "k"},
    ),
    *(
        Limit(
            "money is limited, and nobody says what the model costs",
            0,
            "{name} may not be called, since budget.*_usd limits money: nobody says what unheard-of costs",
            limits={"model": "unheard-of"},
            budget={f"{whose}_usd": 25},
            name=f"unpriced for a {whose}",
        )
        for whose in ("run", "day")
    ),
    *(
        Limit(
            "what one question may use is used up by a query that failed",
            1,
            f"{{name}} may not be called any more: budget.run_{what}={most:g} is used up",
            budget={f"run_{what}": most},
            name=f"run_{what}",
        )
        for what, most in (("tokens", 18), ("usd", 25), ("calls", 1), ("s", 1e-6))
    ),
    *(
        Limit(
            "what a day may use is used up by earlier questions",
            0,
            f"{{name}} may not be called any more: budget.day_{what}={most:g} is used up",
            budget={f"day_{what}": most},
            name=f"day_{what}",
            before=True,
        )
        for what, most in (("tokens", 18), ("usd", 25), ("calls", 1), ("s", 1e-6))
    ),
]


@pytest.fixture
def quick(open_workspace, server, monkeypatch):
    """The server as a provider of each protocol, with hardly a wait: a stall is over when it falls silent."""

    class Patience(queue.SimpleQueue):
        def get(self, timeout):
            while timeout > PATIENCE_S:
                try:
                    return super().get(timeout=0.01)
                except queue.Empty:
                    if server.silent.is_set():
                        server.silent.clear()
                        raise
            return super().get(timeout=timeout)

    patient = SimpleNamespace(SimpleQueue=Patience, Empty=queue.Empty)
    monkeypatch.setattr("pluto_duck_backend.agent.models.streaming.queue", patient)
    monkeypatch.setattr("pluto_duck_backend.agent.models.model._FIRST_WAIT_S", 0.01)
    limits = {"stall_s": 60, "max_wait_s": 0.5}
    other = {"base_url": server.url, "model": "fake", **limits}
    hosted = {**other, "api_key": "k"}
    return open_workspace(limits=limits, providers={"anthropic": hosted, "google": hosted, "ollama": other})


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.title)
def test_the_embedded_analyst_answers_and_says_so(quick, ask, server, case):
    for name in case.of:
        server.requests.clear()
        server.says(case.reply)
        answer = final(ask(quick, provider=name))
        assert (answer["status"], answer["rows"], answer["provider"]) == ("succeeded", [[5]], "embedded")
        assert case.caveat.format(name=name) in answer["caveats"][0]
        assert answer["caveats"][0].endswith("The embedded analyst was asked instead.")
        assert len(server.requests) == case.calls, name


def test_a_day_has_its_calls_however_many_questions_are_asked_at_once(open_workspace, ask, server):
    server.says(Says(calls=(("answer_with_sql", {"sql": COUNT}),), pause_s=0.2))
    workspace = open_workspace({"words": "plain"}, budget={"day_calls": 2})
    runs = [workspace.runs.start(f"How many albums are there, number {n}?") for n in range(6)]
    answers = [final(list(workspace.runs.log(run.run_id).follow())) for run in runs]
    assert sorted(each["provider"] for each in answers) == ["embedded"] * 4 + ["openai"] * 2
    assert len(server.requests) == 2


def test_a_reply_under_way_counts_as_the_longest_there_may_be(open_workspace, ask, server):
    server.says(Says(calls=(("answer_with_sql", {"sql": COUNT}),), pause_s=0.2))
    workspace = open_workspace({"words": "plain"}, budget={"day_tokens": 4_000})
    runs = [workspace.runs.start(f"How many albums are there, number {n}?") for n in range(2)]
    answers = [final(list(workspace.runs.log(run.run_id).follow())) for run in runs]
    assert sorted(each["provider"] for each in answers) == ["embedded", "openai"]


@pytest.mark.parametrize(
    ("name", "kind", "model"),
    [("work", "openai", "fa-large"), ("azure", "azure", "fa-large"), ("openrouter", "openai", "openai/fa-large")],
)
def test_a_price_holds_for_the_model_whoever_serves_it(open_workspace, ask, server, name, kind, model):
    url = server.url if kind == "azure" else f"{server.url}/v1"
    provider = {"kind": kind, "base_url": url, "model": model, "is_local": False, "api_key": "k"}
    workspace = open_workspace({"provider": name, "words": "plain"}, providers={name: provider})
    workspace.paths.prices.write_text('[openai]\n"fa" = { input = 1_000_000, output = 2_000_000 }\n')
    server.says(sql(COUNT))
    answer = final(ask(workspace))
    assert (answer["usage"]["cost_usd"], answer["caveats"]) == (11 + 2 * 7, [])


@pytest.mark.parametrize(
    ("model", "is_known"),
    [
        ("gpt-5", True),
        ("gpt-5-2025-08-07", True),
        ("gpt-5-pro", False),
        ("gpt-5.9", False),
        ("claude-haiku-4-5-20251001", True),
        ("claude-haiku-4-5-latest", True),
        ("claude-haiku-4-59", False),
    ],
)
def test_a_price_that_ships_holds_for_a_model_and_its_versions_alone(tmp_path, model, is_known):
    cost = Prices(tmp_path / "none").cost(["openai", "anthropic"], model, 1_000_000, 0)
    assert (cost is not None) == is_known


@pytest.mark.parametrize("ahead_s", [-60, 0, 3600])
def test_a_date_to_retry_after_is_a_wait_until_then(quick, ask, server, ahead_s):
    when = format_datetime(datetime.now(UTC) + timedelta(seconds=ahead_s), usegmt=True)
    server.says(Breaks("status", 429, headers={"Retry-After": when}), sql(COUNT))
    answer = final(ask(quick))
    assert answer["provider"] == ("embedded" if ahead_s > 0 else "openai")


@pytest.mark.parametrize("name", ["openai", "anthropic"])
def test_a_provider_is_quoted_without_its_librarys_wrapping(quick, ask, server, name):
    server.says(Breaks("status", 401, body={"type": "error", "error": {"type": "any", "message": "no such key"}}))
    told = final(ask(quick, provider=name))["caveats"][0]
    assert told.startswith(f"{name} does not accept the key: HTTP 401, 'no such key'.")


@pytest.mark.parametrize("name", ["openai", "anthropic", "google"])
def test_a_key_that_the_provider_repeats_is_not_shown(open_workspace, ask, server, name):
    server.says(Breaks("status", 401, body={"error": {"message": "Incorrect API key provided: sk-very-secret."}}))
    provider = {"base_url": server.url, "model": "m", "api_key": "sk-very-secret"}
    events = ask(open_workspace({"provider": name}, providers={name: provider}))
    assert "Incorrect API key provided: …" in final(events)["caveats"][0]
    assert "sk-very-secret" not in str(events)


@pytest.mark.parametrize("case", [case for case in CASES if case.calls > 1], ids=lambda case: case.title)
def test_what_passes_is_not_told(quick, ask, server, case):
    server.says(case.reply, sql(COUNT), "There are 5 albums, all in all.")
    answer = final(ask(quick))
    assert (answer["provider"], answer["rows"], answer["caveats"]) == ("openai", [[5]], [])


def test_a_stall_is_over_after_the_seconds_that_are_set(open_workspace, ask, server):
    server.says(Breaks("stall"))
    answer = final(ask(open_workspace(limits={"stall_s": 0.1, "retries": 0})))
    assert "openai stopped talking: nothing for 0.1 s" in answer["caveats"][0]


def test_a_call_under_way_ends_with_the_seconds_of_its_question(open_workspace, ask, server):
    server.says(Says("It is a long story. " * 10_000, pause_s=0.01))
    answer = final(ask(open_workspace(budget={"run_s": 0.5})))
    assert answer["caveats"][0].startswith("openai may not be called any more: budget.run_s=0.5 is used up.")
    assert server.hung_up.wait(30)


@pytest.mark.parametrize(("is_local", "answers"), [(True, "openai"), (False, "embedded")])
def test_a_model_in_the_house_may_take_its_time_for_the_first_word(open_workspace, ask, server, is_local, answers):
    def slowly(request):
        time.sleep(1)
        return sql(COUNT)

    server.says(slowly)
    limits = {"stall_s": 0.5, "retries": 0, "is_local": is_local, "api_key": "k"}
    assert final(ask(open_workspace({"words": "plain"}, limits)))["provider"] == answers


@pytest.mark.parametrize("case", LIMITS, ids=lambda case: case.name or case.title)
def test_a_model_that_cannot_or_may_not_be_called(open_workspace, ask, server, monkeypatch, case):
    monkeypatch.setattr("pluto_duck_backend.agent.models.model._FIRST_WAIT_S", 0.01)
    priced = {"is_local": False, "api_key": "k", **case.limits}
    workspace = open_workspace({"words": "plain"}, priced, budget=case.budget)
    workspace.paths.prices.write_text('[openai]\n"fa" = { input = 1_000_000, output = 2_000_000 }\n')
    server.says(case.reply or sql(COUNT if case.before else "SELECT nope FROM albums"))
    if case.before:
        assert final(ask(workspace))["provider"] == "openai"
    events = ask(workspace)
    answer = final(events)
    assert (answer["status"], answer["rows"], answer["provider"]) == ("succeeded", [[5]], "embedded")
    assert answer["caveats"][0].startswith(case.caveat.format(name="openai"))
    assert answer["caveats"][0].endswith("The embedded analyst was asked instead.")
    assert "Error" not in answer["caveats"][0]
    assert events[-1]["content"].get("usage", {"calls": 0})["calls"] == case.calls


def test_the_next_in_the_chain_answers_before_the_embedded_analyst(open_workspace, ask, server):
    server.says(lambda request: sql(COUNT) if request["model"] == "second" else Breaks("status", 401))
    providers = {"vllm": {"base_url": f"{server.url}/v1", "model": "second"}}
    answer = final(ask(open_workspace({"chain": ["openai", "vllm"], "words": "plain"}, providers=providers)))
    assert (answer["provider"], answer["model"]) == ("vllm", "second")
    assert answer["caveats"] == [
        "openai does not accept the key: HTTP 401, 'as the test wants'. vllm was asked instead."
    ]


@pytest.mark.parametrize("reply", [Breaks("stall"), Says("x" * 50_000, pause_s=0.01)], ids=["silent", "talking"])
def test_cancelling_ends_the_call_at_once(open_workspace, server, reply):
    server.says(reply)
    workspace = open_workspace()
    handle = workspace.runs.start("How many albums are there?")
    while not server.requests:
        time.sleep(0.01)
    workspace.runs.cancel(handle.run_id)
    assert names(list(workspace.runs.log(handle.run_id).follow()))[-1] == "run.end"
    assert workspace.runs.get(handle.run_id)["status"] == "cancelled"
    assert server.hung_up.wait(30), "the connection to the model was not closed"


def test_a_run_that_takes_too_long_ends_the_call(open_workspace, ask, server):
    workspace = open_workspace({"words": "plain"})
    server.says(sql(COUNT))
    ask(workspace)  # whatever is slow once is done
    server.says(Breaks("stall"))
    events = ask(workspace, timeout_s=1)
    assert (names(events)[-1], events[-1]["content"]["code"]) == ("run.error", "run_timeout")
    assert server.hung_up.wait(30)


def table():
    """The table of the docs."""
    rows = [
        f"| {case.title} | {_where(case.of)} | {_times(case.calls)} | {_begins(case)} |" for case in [*CASES, *LIMITS]
    ]
    head = ["| what goes wrong | with | asked | the caveat begins |", "|---|---|---|---|"]
    return "\n".join([*head, *dict.fromkeys(rows)])


def _where(protocols):
    return "any" if protocols == PROTOCOLS else ", ".join(protocols)


def _begins(case):
    return case.caveat.partition(": ")[0].format(name="openai")


def _times(calls):
    return {0: "not at all", 1: "once"}.get(calls, f"{calls} times")


def test_the_docs_have_the_table():
    assert table() in PAGE.read_text(), f"put this into {PAGE.name}:\n{table()}"
