"""The same question through each real protocol: Anthropic's messages, Ollama's chat, OpenAI's; and by preset."""

import pytest
from tests.models.conftest import final, of
from tests.models.server import Says, sql

COUNT = "SELECT count(*) AS n FROM albums"
FAMILIES = ("openai", "anthropic", "ollama", "vllm", "lmstudio", "llamacpp", "openrouter", "azure")


@pytest.fixture
def ask_of(open_workspace, ask, server):
    """`ask_of(name)`: the events of a question to the provider of that name."""

    def _ask_of(name, **agent):
        url = server.url if name in ("anthropic", "ollama", "azure") else f"{server.url}/v1"
        workspace = open_workspace({"provider": name, **agent}, providers={name: {"base_url": url, "model": "fake"}})
        return ask(workspace)

    return _ask_of


@pytest.mark.parametrize("name", FAMILIES)
def test_a_tool_call_answers(ask_of, server, name, monkeypatch):
    monkeypatch.setenv("AZURE_OPENAI_API_KEY", "k")
    server.says(Says(thought="Count them all.", calls=(("answer_with_sql", {"sql": COUNT}),)))
    answer = final(ask_of(name, words="plain"))
    assert (answer["rows"], answer["provider"], answer["model"]) == ([[5]], name, "fake")
    assert (answer["usage"]["input_tokens"], answer["usage"]["output_tokens"]) == (11, 7)


@pytest.mark.parametrize("name", ["openai", "anthropic", "ollama"])
def test_text_answers_and_words_stream(ask_of, server, name):
    server.says(f"```sql\n{COUNT}\n```", "There are 5 albums in the collection at the moment.")
    events = ask_of(name)
    assert final(events)["answer"] == "There are 5 albums in the collection at the moment."
    assert len(of(events, "message.chunk")) > 3
    moments = [event["timestamp"] for event in events if event["type"] == "message" and event["subtype"] == "chunk"]
    assert len(set(moments)) == len(moments), "each is told as it comes"


@pytest.mark.parametrize("name", ["openai", "anthropic", "ollama"])
def test_thinking_is_reasoning(ask_of, server, name):
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
