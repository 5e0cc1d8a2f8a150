"""What the docs claim: generated pages are as generated, links lead somewhere, no page names another machine."""

import re

import pytest
from tests.contracts.reference import PAGES, ROOT

MARKDOWN = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])


@pytest.mark.parametrize("name", PAGES)
def test_generated_pages_are_as_generated(name):
    assert (ROOT / "docs" / name).read_text() == PAGES[name](), f"docs/{name} is stale: run `make docs`"


@pytest.mark.parametrize("path", MARKDOWN, ids=lambda path: path.name)
def test_links_lead_to_files_that_exist(path):
    for target in re.findall(r"\]\((?!https?:|#|mailto:)([^)#]+)", path.read_text()):
        assert (path.parent / target).exists(), f"{path.name} links to {target}"


@pytest.mark.parametrize("path", MARKDOWN, ids=lambda path: path.name)
def test_files_named_in_backticks_exist(path):
    named = re.findall(r"`((?:tests|docs|docker|packages|dbt_project|backend)/[\w./-]+\.\w+)`", path.read_text())
    assert [name for name in named if not (ROOT / name).exists()] == []
