"""Hostile cells, names and words: read by a parser of Markdown, no picture, link or tag comes of them."""

import json
import re
from itertools import pairwise
from pathlib import Path

import pytest
from markdown_it import MarkdownIt

from pluto_duck_backend.agent.markdown import escaped, fenced, plain
from pluto_duck_backend.agent.workspace import Workspace
from pluto_duck_backend.app.core.config import load_settings
from pluto_duck_cli.local_client import LocalClient

HOSTILE = (Path(__file__).parents[1] / "fixtures/markdown/hostile.txt").read_text().splitlines()
PARSER = MarkdownIt("commonmark").enable("table")
LOADS = {"image", "link_open", "html_inline", "html_block"}


def tokens(markdown):
    return [each for block in PARSER.parse(markdown) for each in [block, *(block.children or [])]]


def text_of(markdown):
    return "".join(each.content for each in tokens(markdown) if not each.children)


@pytest.fixture(scope="module")
def told(tmp_path_factory):
    """`told(sql, title)`: the final object, the Markdown report, and what `ask` gives back, of a scripted question."""
    root, script = tmp_path_factory.mktemp("root"), tmp_path_factory.mktemp("script") / "script.json"
    script.write_text(json.dumps({"replies": [{"cannot_answer": ""}]}))
    workspace = Workspace.open(load_settings(root, agent={"provider": "scripted", "script": script}), wait_s=0)
    client = LocalClient(workspace)

    def ask(reply):
        script.write_text(json.dumps({"replies": [reply]}))
        result = client.act({"name": "ask", "arguments": {"question": "what is there?"}})
        details = result["details"]
        report = b"".join(client.export(details["run_id"], "md")).decode() if details.get("sql") else ""
        return details, report, result["content"]

    yield ask
    workspace.close()


def _bare(text):
    """Without what makes it bold, or code: that loads nothing."""
    return re.sub("[`*]", "", text)


def quoted(text):
    return "'" + text.replace("'", "''") + "'"


@pytest.mark.parametrize("cell", HOSTILE)
def test_a_cell_is_text_in_answers_reports_and_tools(told, cell):
    many = f"SELECT * FROM (VALUES ({quoted(cell)}, 1), ('b', 2)) t(name, n)"
    for sql in (f"SELECT {quoted(cell)} AS name", many):
        final, report, content = told({"sql": sql, "title": cell})
        for markdown in (final["answer"], report, content):
            assert not LOADS & {each.type for each in tokens(markdown)}, markdown
        assert _bare(cell) in _bare(text_of(final["answer"]))


@pytest.mark.parametrize("words", HOSTILE)
def test_a_question_back_and_a_refusal_are_text(told, words):
    for reply in ({"clarify": {"question": words, "options": [words, "b"]}}, {"cannot_answer": words}):
        final, _, content = told(reply)
        for markdown in (final["answer"], content):
            assert not LOADS & {each.type for each in tokens(markdown)}, markdown


@pytest.mark.parametrize("text", HOSTILE)
def test_escaped_in_pieces_it_is_the_same_and_can_be_read_back(text):
    pieces = [text[start:end] for start, end in pairwise(range(len(text) + 1))]
    assert "".join(map(escaped, pieces)) == escaped(text)
    assert plain(escaped(text)) == text.replace("**", "")


def test_a_fence_holds_fences():
    assert [each.type for each in tokens(fenced("SELECT '\n```\n![seen](http://x/y)'", "sql"))] == ["fence"]
