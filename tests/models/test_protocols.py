"""The same question by each real protocol: Anthropic's messages, Ollama's chat, Gemini's, OpenAI's; and by preset."""

import json

import pytest
from tests.models.conftest import final, of
from tests.models.server import Breaks, Says, sql

COUNT = "SELECT count(*) AS n FROM albums"
FAMILIES = ("openai", "anthropic", "ollama", "vllm", "lmstudio", "llamacpp", "openrouter", "azure", "google")


@pytest.fixture
def ask_of(open_workspace, ask, server):
    """`ask_of(name)`: the events of a question to the provider of that name."""

    def _ask_of(name, **agent):
        url = server.url if name in ("anthropic", "ollama", "azure", "google") else f"{server.url}/v1"
        workspace = open_workspace({"provider": name, **agent}, providers={name: {"base_url": url, "model": "fake"}})
        return ask(workspace)

    return _ask_of


@pytest.mark.parametrize("name", FAMILIES)
def test_a_tool_call_answers(ask_of, server, name, monkeypatch):
    monkeypatch.setenv("AZURE_OPENAI_API_KEY", "k")
    monkeypatch.setenv("GOOGLE_API_KEY", "k")
    server.says(Says(thought="Count them all.", calls=(("answer_with_sql", {"sql": COUNT}),)))
    answer = final(ask_of(name, words="plain"))
    assert (answer["rows"], answer["provider"], answer["model"]) == ([[5]], name, "fake")
    assert (answer["usage"]["input_tokens"], answer["usage"]["output_tokens"]) == (11, 7)


def _last_two(request):
    """The call and its result as the protocol has them: the tool's name, its arguments, what is told."""
    call, told = (request.get("messages") or request["contents"])[-2:]
    if "parts" in call:
        used = call["parts"][0]["functionCall"]
        return used["name"], used["args"], str(told["parts"][0]["functionResponse"]["response"])
    if "tool_calls" in call:
        function = call["tool_calls"][0]["function"]
        arguments = function["arguments"]
        return function["name"], arguments if isinstance(arguments, dict) else json.loads(arguments), told["content"]
    used = next(each for each in call["content"] if each["type"] == "tool_use")
    result = next(each for each in told["content"] if each["type"] == "tool_result")
    assert result["tool_use_id"] == used["id"]
    return used["name"], used["input"], str(result["content"])


@pytest.mark.parametrize("name", FAMILIES)
def test_what_failed_is_a_call_with_its_result_in_every_protocol(ask_of, server, name, monkeypatch):
    monkeypatch.setenv("AZURE_OPENAI_API_KEY", "k")
    monkeypatch.setenv("GOOGLE_API_KEY", "k")
    broken = "SELECT CAST(title AS INTEGER) AS n FROM albums"
    server.says(sql(broken, title="All"), sql(COUNT))
    assert final(ask_of(name, words="plain"))["rows"] == [[5]]
    called, arguments, told = _last_two(server.requests[1])
    assert (called, arguments["sql"], arguments["title"]) == ("answer_with_sql", broken, "All")
    assert "That did not work." in told and "Conversion Error" in told


@pytest.mark.parametrize("name", ["openai", "anthropic", "ollama", "google"])
def test_text_answers_and_words_stream(ask_of, server, name, monkeypatch):
    monkeypatch.setenv("GOOGLE_API_KEY", "k")
    server.says(f"```sql\n{COUNT}\n```", "There are 5 albums in the collection at the moment.")
    events = ask_of(name)
    assert final(events)["answer"] == "There are 5 albums in the collection at the moment."
    assert len(of(events, "message.chunk")) > 3
    moments = [event["timestamp"] for event in events if event["type"] == "message" and event["subtype"] == "chunk"]
    assert len(set(moments)) == len(moments), "each is told as it comes"


@pytest.mark.parametrize("name", ["openai", "anthropic", "ollama", "azure", "google"])
def test_every_protocol_is_told_how_much_may_be_written(open_workspace, ask, server, monkeypatch, name):
    monkeypatch.setenv("AZURE_OPENAI_API_KEY", "k")
    monkeypatch.setenv("GOOGLE_API_KEY", "k")
    server.says(sql(COUNT))
    limits = {
        "base_url": f"{server.url}/v1" if name == "openai" else server.url,
        "model": "m",
        "max_output_tokens": 177,
    }
    ask(open_workspace({"provider": name, "words": "plain"}, providers={name: limits}))
    assert "177" in str({key: each for key, each in server.requests[-1].items() if key != "messages"})


def test_ollama_is_told_to_make_room_for_as_long_a_prompt_as_is_set(open_workspace, ask, server):
    server.says(sql(COUNT))
    limits = {"base_url": server.url, "model": "m", "prompt_chars": 60_000, "max_output_tokens": 1_000}
    ask(open_workspace({"provider": "ollama", "words": "plain"}, providers={"ollama": limits}))
    assert server.requests[-1]["options"]["num_ctx"] == 21 * 1_024


def test_of_ollama_it_is_found_in_three_calls_that_a_model_has_neither_tools_nor_thoughts(open_workspace, ask, server):
    def replies(request):
        lacked = next((name for name in ("tools", "think") if request.get(name)), None)
        said = f"m does not support {lacked}"
        return Breaks("status", 400, body={"error": {"message": said}}) if lacked else f'{{"sql": "{COUNT}"}}'

    server.says(replies)
    workspace = open_workspace({"provider": "ollama", "words": "plain"}, providers={"ollama": {"base_url": server.url}})
    for calls in (3, 1):
        server.requests.clear()
        assert (final(ask(workspace))["rows"], len(server.requests)) == ([[5]], calls)


def test_the_only_model_that_ollama_has_is_taken(open_workspace, ask, server):
    server.says(sql(COUNT))
    answer = final(ask(open_workspace({"provider": "ollama"}, providers={"ollama": {"base_url": server.url}})))
    assert (answer["rows"], answer["model"]) == ([[5]], "the-only-model")


@pytest.mark.parametrize(
    ("models", "said"), [(["qwen3:4b", "llama3.2"], "it has qwen3:4b, llama3.2"), ([], "it has none yet")]
)
def test_of_several_models_of_ollama_a_person_chooses(open_workspace, ask, server, models, said):
    server.models = models
    workspace = open_workspace({"provider": "ollama"}, providers={"ollama": {"base_url": server.url}})
    told = " ".join(final(ask(workspace))["caveats"])
    assert f"ollama needs a model to be chosen: {said}." in told and not server.requests


def test_who_cannot_be_reached_is_named_with_the_place_and_without_a_password(open_workspace, ask):
    address = "http://ann:hush@127.0.0.1:9/v1"
    workspace = open_workspace(limits={"base_url": address, "retries": 0})
    events = ask(workspace)
    assert "openai cannot be reached: Connection refused at 127.0.0.1:9." in " ".join(final(events)["caveats"])
    assert "hush" not in str(events)


@pytest.mark.parametrize("name", ["openai", "anthropic", "ollama", "google"])
def test_thinking_is_reasoning(ask_of, server, name, monkeypatch):
    monkeypatch.setenv("GOOGLE_API_KEY", "k")
    server.says(Says(thought="I count the rows of albums. " * 4, text=COUNT))
    thoughts = "".join(each["message"] for each in of(ask_of(name, words="plain"), "reasoning.chunk"))
    assert "I count the rows of albums. " * 4 in thoughts


def test_any_chat_model_of_langchain_serves(open_workspace, ask):
    options = {"class": "tests.models.in_process:Always", "reply": COUNT}
    workspace = open_workspace(
        {"provider": "mine"}, providers={"mine": {"kind": "langchain", "model": "m", "options": options}}
    )
    assert final(ask(workspace))["rows"] == [[5]]


def test_requests_carry_the_key_and_nothing_shows_it(open_workspace, ask, server, monkeypatch, capfd, caplog):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-very-secret")
    server.says(sql(COUNT))
    workspace = open_workspace()
    events = ask(workspace)
    assert server.requests[0]["_headers"]["authorization"] == "Bearer sk-very-secret"
    shown = [
        str(events),
        caplog.text,
        *capfd.readouterr(),
        repr(workspace.settings),
        repr(workspace.providers.__dict__),
    ]
    assert [text for text in shown if "sk-very-secret" in text] == []
    files = [path for path in workspace.paths.root.rglob("*") if path.is_file()]
    assert [path for path in files if b"sk-very-secret" in path.read_bytes()] == []
