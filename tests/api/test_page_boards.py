"""Boards on the page: pinned from an answer or a query, looked at, refreshed, changed, sent; failure told apart."""

from pathlib import Path

import httpx
import pytest
from playwright.sync_api import expect

BY_NAME = ({"sql": "SELECT b, sum(a) AS sum_a FROM t GROUP BY b ORDER BY sum_a DESC"},)


@pytest.fixture
def board(page):
    """`board(*queries, **window)`: the page of a board "Sales" with these queries on it."""

    def _board(*queries, **window):
        shown = page(BY_NAME, **window)
        with httpx.Client(base_url=shown.url.split("#")[0] + "api/v1", timeout=120, trust_env=False) as client:
            client.post("/boards", json={"title": "Sales"})
            for title, sql in queries:
                job = client.post("/query?wait=true", json={"sql": sql}).json()["job_id"]
                client.post("/boards/sales/tiles", json={"job_id": job, "title": title})
        shown.goto(shown.url.split("#")[0] + "#boards/sales")
        expect(shown.get_by_role("heading", name="Sales")).to_be_visible()
        return shown

    return _board


NUMBER = ("Rows", "SELECT count(*) AS n FROM t")
TWO = ("Two", "SELECT 2 AS n")
BARS = ("By name", BY_NAME[0]["sql"])
TABLE = ("All", "SELECT b, b || '!' AS c FROM t")


def _titles(shown):
    return shown.locator(".card h3").all_inner_texts()


def test_an_answer_is_pinned_to_a_board_that_is_made_for_it(page):
    shown = page(BY_NAME, path="/#boards")
    expect(shown.get_by_text("No board yet.")).to_be_visible()
    shown.get_by_role("link", name="Ask something").click()
    shown.fill("#question", "Total a by b")
    shown.keyboard.press("Enter")
    shown.get_by_role("button", name="Pin to a board").click()
    shown.get_by_label("Title of the new board").fill("Sales")
    shown.keyboard.press("Enter")
    shown.get_by_role("link", name="Sales").click()
    card = shown.locator(".card")
    expect(card.locator("canvas")).to_be_visible()
    assert card.locator(".picture").get_attribute("aria-label").startswith("bar chart: Total a by b")
    expect(card).to_contain_text("5 rows · reads main.t")
    shown.set_viewport_size({"width": 390, "height": 700})
    shown.reload()
    expect(shown.locator(".card canvas")).to_be_visible()
    assert shown.evaluate("document.documentElement.scrollWidth") <= 390


def test_a_query_is_pinned_to_a_board_there_is(board):
    shown = board()
    expect(shown.get_by_text("Nothing is pinned to this board yet.")).to_be_visible()
    shown.get_by_role("link", name="SQL").click()
    shown.fill("#sql-text", "SELECT 42 AS answer")
    shown.keyboard.press("Control+Enter")
    shown.get_by_role("button", name="Pin to a board").click()
    expect(shown.get_by_role("button", name="Pin", exact=True)).to_be_visible()
    expect(shown.get_by_label("Title of the new board")).to_be_hidden()
    shown.get_by_role("button", name="Pin", exact=True).click()
    shown.get_by_role("link", name="Sales").click()
    expect(shown.locator(".card .one")).to_have_text("42")


def test_a_refresh_shows_what_is_new_and_a_failure_beside_the_result_before(board, workspace):
    shown = board(NUMBER, TABLE)
    with workspace.opened[-1].warehouse.write() as session:
        session.execute("INSERT INTO t VALUES (5, 'x5'); ")
    shown.get_by_role("button", name="Refresh “Rows”").click()
    expect(shown.locator(".one")).to_have_text("6")
    expect(shown.locator("#board-state")).to_have_text("Refreshed.")
    with workspace.opened[-1].warehouse.write() as session:
        session.execute("ALTER TABLE t RENAME COLUMN b TO name")
    shown.locator("#board-refresh").click()
    failed = shown.locator(".card").nth(1)
    expect(failed.locator(".error")).to_contain_text("Failed")
    expect(failed.locator(".changed")).to_contain_text("main.t has no b any more")
    expect(failed.locator("td").first).to_have_text("x0")
    expect(shown.locator("#board-state")).to_have_text("Refreshed; 1 of 2 failed.")
    expect(shown.locator(".card").first.locator(".error")).to_have_count(0)


def test_tiles_are_put_in_order_by_keyboard_and_by_mouse(board):
    shown = board(NUMBER, TWO, TABLE)
    later = shown.get_by_role("button", name="Move “Rows” later")
    later.focus()
    shown.keyboard.press("Enter")
    expect(shown.locator("#board-state")).to_have_text("“Rows” is 2 of 3.")
    assert _titles(shown) == ["Two", "Rows", "All"]
    expect(shown.get_by_role("button", name="Move “Rows” later")).to_be_focused()
    expect(shown.get_by_role("button", name="Move “Two” earlier")).to_be_disabled()
    shown.locator("h3", has_text="All").drag_to(shown.locator(".card").first)
    expect(shown.locator("#board-state")).to_have_text("“All” is 1 of 3.")
    shown.reload()
    expect(shown.locator(".card")).to_have_count(3)
    assert _titles(shown) == ["All", "Two", "Rows"]


def test_tiles_and_boards_are_renamed_shown_otherwise_and_removed(board):
    shown = board(NUMBER)
    card = shown.locator(".card")
    card.get_by_text("Change").click()
    card.get_by_label("Title").fill("Sums")
    card.get_by_role("button", name="Rename").click()
    expect(shown.locator(".card h3")).to_have_text("Sums")
    card.get_by_text("Change").click()
    card.get_by_label("Shown as").select_option("table")
    expect(card.locator("td").first).to_have_text("5")
    shown.get_by_role("button", name="Rename", exact=True).first.click()
    shown.get_by_label("Title", exact=True).first.fill("<b>Sums</b> & all")
    shown.get_by_role("button", name="Rename it").click()
    expect(shown.locator("h2", has_text="<b>Sums</b> & all")).to_be_visible()
    card.get_by_text("Change").click()
    card.get_by_role("button", name="Remove “Sums”").click()
    expect(shown.get_by_text("Nothing is pinned to this board yet.")).to_be_visible()
    shown.on("dialog", lambda dialog: dialog.accept())
    shown.get_by_role("button", name="Delete").click()
    expect(shown.get_by_text("No board yet.")).to_be_visible()


def test_a_board_is_saved_as_one_file_that_shows_itself_alone(board, browser):
    shown = board(NUMBER, BARS, TABLE)
    with shown.expect_download() as saved:
        shown.get_by_role("button", name="Save as HTML").click()
    assert saved.value.suggested_filename == "sales.html"
    asked = []
    alone = browser.new_context(offline=True).new_page()
    alone.on("request", lambda request: asked.append(request.url))
    alone.set_content(Path(saved.value.path()).read_text())
    expect(alone.locator("article")).to_have_count(3)
    expect(alone.locator("svg")).to_be_visible()
    expect(alone.locator(".one")).to_have_text("5")
    assert asked == []
    alone.context.close()


def test_a_broken_board_is_told_among_the_others_on_a_phone_in_the_dark(board, tmp_path):
    shown = board(NUMBER, TABLE, color_scheme="dark")
    shown.set_viewport_size({"width": 390, "height": 700})
    expect(shown.locator(".card")).to_have_count(2)
    assert shown.evaluate("document.documentElement.scrollWidth") <= 390
    (tmp_path / "root" / "configs" / "boards" / "mine.toml").write_text('version = 9\ntitle = "Mine"\n')
    shown.get_by_role("link", name="Boards").click()
    expect(shown.locator("#page-boards .error")).to_contain_text("mine.toml is no board: it is of version 9")
    expect(shown.get_by_role("link", name="Sales")).to_be_visible()
    assert shown.evaluate("document.documentElement.scrollWidth") <= 390
