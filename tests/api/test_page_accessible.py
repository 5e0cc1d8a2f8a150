"""axe finds nothing serious on any part of the page, light at a desk and dark on a phone; all of it by keyboard."""

import json

import httpx
import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from pluto_duck_backend.app.core.config import load_settings
from pluto_duck_backend.app.core.dbt_models import ColumnFacts, Models, Relation, write_models

ANSWER = {"sql": "SELECT b, sum(a) AS sum_a FROM t GROUP BY b ORDER BY sum_a DESC"}
ASKS_BACK = {"clarify": {"question": "Which one?", "options": ["gross", "net"]}}
PARTS = {
    "boards": "#page-boards .error",
    "sql": "#sql-text",
    "data": "#tables details",
    "models/model.shop.orders": "#model h2",
    "history": "#runs a",
    "settings": "#page-settings table",
}


def _faults(shown):
    found = Axe().run(shown).response["violations"]
    return [(each["id"], each["nodes"][0]["html"][:200]) for each in found if each["impact"] in ("serious", "critical")]


def _lineage(paths):
    source = Relation("source.shop.raw", "main", "raw", "source", "shop")
    columns = {"id": ColumnFacts("The key.")}
    failed = Relation(
        *("model.shop.orders", "main", "orders", "model", "shop", "table", "models/orders.sql", "Orders."),
        columns=columns,
        inputs=(source.node,),
        failed_at="2026-11-21T10:00:00+00:00",
        tests={"test.shop.unique": "fail"},
    )
    write_models(paths, Models((source, failed)))


def _board(shown):
    """A board `all` of a number, a chart, rows and a tile that fails."""
    queries = {
        "One": "SELECT count(*) AS n FROM t",
        "Bars": ANSWER["sql"],
        "Rows": "SELECT b, b || '!' AS c FROM t",
        "Failing": "SELECT 1 AS n",
    }
    with httpx.Client(base_url=shown.url.split("#")[0] + "api/v1", timeout=120, trust_env=False) as client:
        client.post("/boards", json={"title": "All"})
        for title, sql in queries.items():
            job = client.post("/query?wait=true", json={"sql": sql}).json()["job_id"]
            client.post("/boards/all/tiles", json={"job_id": job, "title": title})


@pytest.mark.parametrize(("scheme", "width"), [("light", 1000), ("dark", 390)])
def test_axe_finds_nothing_serious_on_any_part(page, tmp_path, scheme, width):
    paths = load_settings(tmp_path / "root").paths.create()
    _lineage(paths)
    shown = page((ANSWER,), color_scheme=scheme)
    _board(shown)
    (paths.boards / "odd.toml").write_text("version = 9\n")
    board = paths.boards / "all.toml"
    board.write_text(board.read_text().replace("SELECT 1 AS n", "SELECT gone FROM t"))
    shown.set_viewport_size({"width": width, "height": 800})
    expect(shown.locator("#start")).to_be_visible()
    found = {"empty": _faults(shown)}
    shown.fill("#question", "List all")
    shown.keyboard.press("Enter")
    expect(shown.locator("#answer .grid")).to_be_visible()
    shown.get_by_text("SQL that ran").click()
    shown.get_by_role("button", name="Correct it").click()
    found["answer"] = _faults(shown)
    shown.get_by_role("link", name="Jobs").click()
    shown.get_by_label("A file, folder, address or database").fill("/none.csv")
    shown.get_by_role("button", name="Load", exact=True).click()
    expect(shown.locator("#job .error")).to_be_visible()
    found["jobs"] = _faults(shown)
    shown.get_by_role("link", name="Boards").click()
    shown.get_by_role("link", name="All", exact=True).click()
    shown.locator("#board-refresh").click()
    expect(shown.locator(".card .error")).to_have_count(1)
    shown.locator(".card").first.get_by_text("Change").click()
    expect(shown.locator(".card canvas")).to_be_visible()
    found["board"] = _faults(shown)
    for part, sign in PARTS.items():
        shown.evaluate("part => { location.hash = part; }", part)
        expect(shown.locator(sign).first).to_be_visible()
        found[part] = _faults(shown)
        assert shown.evaluate("document.documentElement.scrollWidth") <= width, part
    assert {part: faults for part, faults in found.items() if faults} == {}


def _tab_to(shown, name):
    """Tab until what is focused is called `name`."""
    for _ in range(60):
        shown.keyboard.press("Tab")
        focused = shown.evaluate("document.activeElement.ariaLabel || document.activeElement.textContent")
        if focused.strip() == name:
            return
    raise AssertionError(f"Tab does not reach {name!r}.")


def test_a_board_is_made_filled_and_changed_by_keyboard_alone(page):
    shown = page((ANSWER,))
    expect(shown.locator("#question")).to_be_focused()
    shown.keyboard.type("List all")
    shown.keyboard.press("Enter")
    expect(shown.locator("#answer .grid")).to_be_visible()
    _tab_to(shown, "Pin to a board")
    shown.keyboard.press("Enter")
    expect(shown.get_by_role("combobox", name="Board")).to_be_focused()
    _tab_to(shown, "Pin")
    shown.keyboard.press("Enter")
    expect(shown.get_by_text("Pinned to My board")).to_be_visible()
    _tab_to(shown, "My board")
    shown.keyboard.press("Enter")
    expect(shown.locator(".card canvas")).to_be_visible()
    _tab_to(shown, "Refresh “List all”")
    shown.keyboard.press("Enter")
    expect(shown.locator("#board-state")).to_have_text("Refreshed.")
    expect(shown.get_by_role("button", name="Refresh “List all”")).to_be_focused()
    _tab_to(shown, "Change")
    shown.keyboard.press("Enter")
    shown.keyboard.press("Tab")
    shown.keyboard.press("Control+A")
    shown.keyboard.type("Sums")
    shown.keyboard.press("Enter")
    expect(shown.locator(".card h3")).to_have_text("Sums")
    _tab_to(shown, "Change")
    shown.keyboard.press("Enter")
    _tab_to(shown, "Remove “Sums”")
    shown.keyboard.press("Enter")
    expect(shown.get_by_text("Nothing is pinned to this board yet.")).to_be_visible()


def test_completions_are_chosen_with_the_arrows_and_know_an_alias(page):
    shown = page(path="/#sql")
    editor = shown.locator("#sql-text")
    editor.click()
    editor.press_sequentially("SELECT * FROM main.t AS x WHERE x.")
    expect(shown.get_by_role("option")).to_have_text(["x.a", "x.b"])
    shown.keyboard.press("ArrowDown")
    shown.keyboard.press("ArrowDown")
    expect(shown.get_by_role("option", selected=True)).to_have_text("x.b")
    shown.keyboard.press("Enter")
    expect(editor).to_have_value("SELECT * FROM main.t AS x WHERE x.b")
    editor.press_sequentially(" = 'x3'")
    shown.keyboard.press("Control+Enter")
    expect(shown.locator("#sql-result .line:visible").last).to_contain_text("x3")


def test_ask_clarify_grid_and_sql_go_by_keyboard_alone(page, tmp_path):
    shown = page((ASKS_BACK,))
    expect(shown.locator("#question")).to_be_focused()
    shown.keyboard.type("List all")
    shown.keyboard.press("Enter")
    expect(shown.locator("#text")).to_have_text("Which one?")
    expect(shown.locator("#question")).to_be_focused()
    (tmp_path / "script.json").write_text(json.dumps({"replies": [ANSWER]}))
    _tab_to(shown, "net")
    shown.keyboard.press("Enter")
    expect(shown.locator("#answer .grid")).to_be_visible()
    _tab_to(shown, "sum_a")
    shown.keyboard.press("Enter")
    expect(shown.locator("[aria-sort=ascending]")).to_have_text("sum_a")
    _tab_to(shown, "SQL that ran")
    shown.keyboard.press("Enter")
    _tab_to(shown, "Edit it")
    shown.keyboard.press("Enter")
    expect(shown.locator("#sql-text")).to_be_focused()
    shown.keyboard.press("Control+Enter")
    expect(shown.locator("#sql-result .grid")).to_be_visible()
