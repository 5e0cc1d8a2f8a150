"""The glossary as people meet it: files under configs/knowledge, told by answers, `schema` and `doctor`."""

import json
import time

import pytest
from tests.cli.running import run

from pluto_duck_backend.agent.workspace import Workspace
from pluto_duck_backend.app.core.config import load_settings

SALES = """# Sales

- client = customers
- turnover: orders.total
- big order: orders where total > 15
- broken: orders.totl
"""


@pytest.fixture(scope="module")
def root(tmp_path_factory):
    folder = tmp_path_factory.mktemp("glossary")
    (folder / "customers.csv").write_text("customer_id,name,country\n1,Ann,Germany\n2,Bob,France\n3,Cid,Germany\n")
    (folder / "orders.csv").write_text("order_id,customer_id,order_date,total\n1,1,2024-05-01,10\n2,1,2025-11-05,20\n")
    done = run("--root", folder / "root", "ingest", folder / "customers.csv", folder / "orders.csv")
    assert done.returncode == 0, done.stderr
    (folder / "root" / "configs" / "knowledge" / "sales.md").write_text(SALES)
    return folder / "root"


def test_an_answer_shows_the_line_it_leans_on(root):
    done = run("ask", "how many big orders are there", "--root", root)
    assert done.returncode == 0, done.stderr
    assert '"big orders" is orders where total > 15 (configs/knowledge/sales.md:5)' in done.stdout


def test_doctor_warns_of_a_wrong_line_and_fails_for_nothing_else(root):
    done = run("doctor", "--json", "--root", root)
    (told,) = [each for each in json.loads(done.stdout) if each["check"] == "glossary"]
    assert (done.returncode, told["ok"]) == (0, True)
    assert told["found"].startswith("3 terms in configs/knowledge; configs/knowledge/sales.md:6: broken: there is no")
    assert "total" in told["found"]
    assert "docs/knowledge.md" in told["hint"]


def test_the_catalog_tells_terms_and_warnings(root):
    glossary = json.loads(run("schema", "--json", "--root", root).stdout)["glossary"]
    assert glossary["terms"][0] == {"term": "client", "meaning": "customers", "place": "configs/knowledge/sales.md:3"}
    assert [each.split(": ")[0] for each in glossary["warnings"]] == ["configs/knowledge/sales.md:6"]


def test_a_changed_file_counts_from_the_next_question_on(root):
    file = root / "configs" / "knowledge" / "more.md"
    workspace = Workspace.open(load_settings(root))
    try:
        assert workspace.analyst().ask("how many zorgs are there").status == "cannot_answer"
        file.write_text("- zorg = customers\n")
        before = workspace.analyst()
        assert "customers" in before.ask("how many zorgs are there").candidates[0].sql
        assert workspace.analyst() is before
        time.sleep(0.01)
        file.write_text("- zorg = orders\n")
        assert "orders" in workspace.analyst().ask("how many zorgs are there").candidates[0].sql
        file.unlink()
        assert workspace.analyst().ask("how many zorgs are there").status == "cannot_answer"
    finally:
        workspace.close()
