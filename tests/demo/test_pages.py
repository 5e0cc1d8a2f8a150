"""What README.md and docs/ show of the demo shop is what it answers."""

import re

import pytest

from pluto_duck_cli import render
from tests.contracts.reference import ROOT
from tests.demo.conftest import answer

PAGES = ("README.md", "docs/AGENT_CLI_GUIDE.md", "docs/embedded-analyst.md", "docs/transformation.md")
ANALYST = (ROOT / "docs" / "embedded-analyst.md").read_text()
VARIES = (" is dbt's ", "  confidence ", "…", "Next: ")
SURE = 0.6


def _examples():
    """The questions that the pages show an answer of, with the lines shown."""
    for page in PAGES:
        text = (ROOT / page).read_text()
        for question, shown in re.findall(r"^\$ pluto-duck ask \"([^\"]+)\"\n((?:(?!```).*\n)*)", text, re.MULTILINE):
            if shown:
                yield pytest.param(question, shown, id=f"{page}: {question}")


@pytest.mark.parametrize(("question", "shown"), list(_examples()))
def test_what_the_pages_show_of_an_answer_comes(shop, capsys, question, shown):
    render.answer(answer(shop, question))
    _shows(capsys.readouterr().out, shown)


def _shows(printed, shown):
    """Every line that is shown is printed, in this order, but for what differs each time."""
    rest = iter(printed.splitlines())
    lines = [line for line in shown.splitlines() if line.strip() and not any(each in line for each in VARIES)]
    assert lines and [line for line in lines if line not in rest] == []


def test_the_glossary_that_the_page_shows_is_understood(shop, capsys):
    page = (ROOT / "docs" / "knowledge.md").read_text()
    file = shop.paths.knowledge / "sales.md"
    file.write_text(re.search(r"```markdown\n(.*?)```", page, re.DOTALL).group(1))
    question, shown = re.search(r"^\$ pluto-duck ask \"([^\"]+)\"\n(.*?)```", page, re.MULTILINE | re.DOTALL).groups()
    render.answer(answer(shop, question))
    file.unlink()
    _shows(capsys.readouterr().out, shown)


def _understood():
    table = ANALYST.split("## What it understands\n")[1].split("\n\n## ")[0]
    rows = [line.split(" | ")[1] for line in table.splitlines() if line.startswith("| ") and "`" in line]
    return [question for row in rows for question in re.findall(r"`([^`]+)`", row)]


@pytest.mark.parametrize("question", _understood())
def test_what_the_analyst_is_said_to_understand_is_answered(shop, question):
    final = answer(shop, question)
    assert final["status"] == "succeeded", final["answer"]
    assert final["rows"] and final["confidence"] >= SURE, (final["confidence"], final["sql"])


def test_the_dialogue_that_the_page_shows_goes_so(shop):
    block = re.search(r"```\n(revenue by country in 2025 .*?)```", ANALYST, re.DOTALL)
    turns = [re.split(r" {2,}", line, maxsplit=1) for line in block.group(1).splitlines()]
    assert len(turns) == 4
    for question, shown in turns:
        rows = answer(shop, question, "conv-of-the-page")["rows"][:3]
        assert shown.startswith(", ".join(f"{name} {figure:,.2f}" for name, figure in rows)), (question, rows)
