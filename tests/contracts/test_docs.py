"""What the docs claim: generated pages are as generated, links lead somewhere, no page names another machine."""

import re

import pytest
from tests.contracts.reference import PAGES, ROOT

from pluto_duck_backend.app.core.config import load_settings
from pluto_duck_backend.app.core.errors import Refused
from pluto_duck_backend.app.core.warehouse import Warehouse
from pluto_duck_backend.app.services.execution.executor import QueryService

MARKDOWN = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
LONGEST_CELL = 300
FILES = [
    path.as_posix()
    for room in ("packages", "backend")
    for path in (ROOT / room).rglob("*")
    if path.suffix in (".py", ".txt")
]


@pytest.mark.parametrize("name", PAGES)
def test_generated_pages_are_as_generated(name):
    assert (ROOT / "docs" / name).read_text() == PAGES[name](), f"docs/{name} is stale: run `make docs`"


def _prose(path):
    """A page without what stands in fences, which holds no headings and no links."""
    return re.sub(r"^```.*?^```", "", path.read_text(), flags=re.DOTALL | re.MULTILINE)


def _anchors(path):
    """What its headings are linked by: in lower case, signs left out, spaces as hyphens."""
    headings = re.findall(r"^#+ (.+)$", _prose(path), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("path", MARKDOWN, ids=lambda path: path.name)
def test_links_lead_to_files_and_headings_that_exist(path):
    for target, anchor in re.findall(r"\]\((?!https?:|mailto:)([^)#\s]*)(?:#([^)\s]+))?\)", _prose(path)):
        page = path.parent / target if target else path
        assert page.exists(), f"{path.name} links to {target}"
        assert not anchor or anchor in _anchors(page), f"{path.name} links to {target}#{anchor}"


def test_every_page_is_linked_from_another():
    linked = {
        (path.parent / target).resolve()
        for path in MARKDOWN
        for target in re.findall(r"\]\((?!https?:|mailto:)([^)#\s]+)", _prose(path))
        if (path.parent / target).resolve() != path
    }
    assert [path.name for path in MARKDOWN if path.name != "README.md" and path not in linked] == []


@pytest.mark.parametrize("path", MARKDOWN, ids=lambda path: path.name)
def test_no_cell_of_a_table_is_a_wall(path):
    """What is longer belongs below the table: a page that grew cell by cell had rows of 800 characters."""
    rows = [line for line in _prose(path).splitlines() if line.startswith("|")]
    cells = [re.sub(r"\]\([^)]*\)", "]", cell) for row in rows for cell in row.strip("| ").split(" | ")]
    assert [cell[:60] for cell in cells if len(cell) > LONGEST_CELL] == []


@pytest.mark.parametrize("path", sorted((ROOT / "docs").glob("embedded-analyst*.md")), ids=lambda path: path.name)
def test_parts_of_the_analyst_named_in_backticks_exist(path):
    named = set(re.findall(r"`([\w/]+\.(?:py|txt))`", path.read_text()))
    assert [name for name in named if not any(file.endswith(f"/{name}") for file in FILES)] == []


@pytest.mark.parametrize("path", MARKDOWN, ids=lambda path: path.name)
def test_files_named_in_backticks_exist(path):
    named = re.findall(r"`((?:tests|docs|docker|packages|dbt_project|backend)/[\w./-]+\.\w+)`", path.read_text())
    assert [name for name in named if not (ROOT / name).exists()] == []


@pytest.fixture(scope="module")
def shop(tmp_path_factory):
    """A service over the tables that the docs' examples name."""
    settings = load_settings(tmp_path_factory.mktemp("docs") / "root")
    warehouse = Warehouse.open(settings.paths.create().warehouse)
    with warehouse.write() as session:
        session.execute("CREATE TABLE customers (id INTEGER, name VARCHAR, country VARCHAR)")
        session.execute("CREATE TABLE orders (id INTEGER, total DECIMAL(10,2), status VARCHAR, region VARCHAR)")
    service = QueryService(warehouse, settings.paths, settings.query)
    yield service
    service.close()
    warehouse.close()


def _examples(kind):
    blocks = re.findall(rf"```sql {kind}\n(.*?)```", (ROOT / "docs" / "sql-safety.md").read_text(), re.DOTALL)
    return [line for block in blocks for line in block.splitlines()]


@pytest.mark.parametrize("sql", _examples("runs"))
def test_what_the_docs_say_runs_runs(shop, sql):
    assert shop.run(sql).status == "succeeded"


@pytest.mark.parametrize("sql", _examples("refused"))
def test_what_the_docs_say_is_refused_is_refused(shop, sql):
    with pytest.raises(Refused):
        shop.run(sql)


def test_the_refusal_that_the_docs_show_is_the_refusal(shop):
    with pytest.raises(Refused) as raised:
        shop.run("SELECT * FROM 'secrets.csv'")
    page = (ROOT / "docs" / "sql-safety.md").read_text()
    assert f"error: {raised.value.message}\nhint: {raised.value.hint}\n$ echo $?\n{raised.value.exit_code}\n" in page
