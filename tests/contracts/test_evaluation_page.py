"""docs/evaluation.md: its example runs and prints what it shows; its tables name every field, option and figure."""

import re

import pytest
from tests.contracts.reference import ROOT

from pluto_duck_backend.agent.evaluation import Report
from pluto_duck_backend.agent.evaluation_suite import _FIELDS
from pluto_duck_cli.main import execute

PAGE = (ROOT / "docs" / "evaluation.md").read_text()
SESSION = re.findall(r"^\$ (.*)\n((?:(?!\$ |```).*\n)*)", PAGE, re.MULTILINE)


@pytest.fixture(scope="module")
def session(tmp_path_factory):
    """The folder with the files that the example shows."""
    folder = tmp_path_factory.mktemp("evaluation")
    for command, shown in SESSION:
        if command.startswith("cat "):
            (folder / command.removeprefix("cat ")).write_text(shown)
    return folder


def _masked(text):
    """Lines without their numbers: how fast and how sure depends on the machine and the analyst."""
    return [re.sub(r"\d[\d.,:T+-]*", "#", line) for line in text.splitlines() if line.strip()]


def test_the_example_prints_what_the_page_shows(session, monkeypatch, capsys):
    monkeypatch.chdir(session)
    commands = [(command.split()[1:], shown) for command, shown in SESSION if command.startswith("pluto-duck ")]
    assert [words[0] for words, _ in commands] == ["ingest", "eval"]
    for words, shown in commands:
        capsys.readouterr()
        assert execute(words) == 0
        printed = iter(_masked(capsys.readouterr().out))
        for line in _masked(shown):
            assert line == "…" or line in printed, f"not printed, or not in this order: {line}"
    assert "5 questions" in (session / "shop.html").read_text()


def _rows_of(heading):
    section = PAGE.split(f"## {heading}\n")[1].split("\n## ")[0]
    return [line.split(" | ")[0] for line in section.splitlines() if line.startswith("| `")]


def test_every_field_of_a_suite_is_described():
    assert set(_named(_rows_of("A suite"))) == set(_FIELDS)


def test_every_figure_is_described():
    assert set(_named(_rows_of("The figures"))) == set(Report(()).summary())


def test_every_option_is_described(capsys):
    execute(["eval", "--help"])
    options = set(re.findall(r"--[a-z-]+", capsys.readouterr().out)) - {"--help", "--root"}
    assert [option for option in options if f"`{option}" not in PAGE] == []


def _named(cells):
    return [name for cell in cells for name in re.findall(r"`(\w+)`", cell)]
