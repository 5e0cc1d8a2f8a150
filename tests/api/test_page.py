"""The page: served from here alone, and doing its work against a real server."""

import re
import shutil
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import expect, sync_playwright

import pluto_duck_backend.app.web as web

WEB = Path(web.__file__).parent
BY_NAME = ({"sql": "SELECT b, sum(a) AS sum_a FROM t GROUP BY b ORDER BY sum_a DESC"},)
ROWS = ({"sql": "SELECT a AS id, b FROM t ORDER BY a"},)
SLOW = ({"sql": "SELECT sum(a.range * b.range) AS s FROM range(1000000) a, range(1000000) b"},)
BACK = ({"clarify": {"question": "Which one?", "options": ["gross", "net"]}},)


def test_the_page_and_all_it_names_are_served_and_nothing_else(serve):
    with httpx.Client(base_url=serve(), trust_env=False) as client:
        page = client.get("/")
        assert page.headers["content-type"].startswith("text/html")
        assert "default-src 'self'" in page.headers["content-security-policy"]
        for path in re.findall(r'(?:href|src)="(/[^"]+)"', page.text):
            assert client.get(path).status_code == 200, path
        assert client.get("/web/api.js").headers["content-type"].split(";")[0].endswith("/javascript")
        for path in ("/web/__init__.py", "/web/index.html", "/web/..%2F__init__.py", "/web/none.js"):
            assert client.get(path).status_code == 404, path


@pytest.mark.parametrize("path", sorted(WEB.glob("*.[hcj]*")), ids=lambda path: path.name)
def test_the_page_needs_no_other_host(path):
    assert not re.findall(r"(?:https?:)?//[\w.-]+\.\w{2,}", path.read_text().replace("http://www.w3.org", ""))


def test_the_page_weighs_what_the_docs_say():
    weight = sum(path.stat().st_size for path in WEB.glob("*.[hcj]*"))
    assert weight < 64_000
    assert "less than 64 kB" in (Path(__file__).parents[2] / "docs" / "page.md").read_text()


def test_every_element_the_script_names_is_in_the_page():
    named = {name for path in WEB.glob("*.js") for name in re.findall(r'\$\("([\w-]+)"\)', path.read_text())}
    assert named <= set(re.findall(r'id="([\w-]+)"', (WEB / "index.html").read_text()))


@pytest.fixture(scope="module")
def browser():
    """Debian's Chromium, driven by Playwright."""
    chromium = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if not chromium:
        pytest.skip("Chromium is not installed, and nothing else here shows a page")
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        expect.set_options(timeout=30_000)
        yield opened
        opened.close()


@pytest.fixture
def page(browser, serve):
    """`page(replies, path="/", **options)`: the page of a server, in a window of its own; it may not complain."""
    said, contexts = [], []

    def _page(replies=ROWS, path="/", token="", **window):
        address = serve(replies, token=token)
        contexts.append(browser.new_context(viewport={"width": 1000, "height": 800}, **window))
        made = contexts[-1].new_page()
        made.set_default_timeout(30_000)
        made.on("request", lambda request: said.append(request.url) if not _is_here(request.url, address) else None)
        made.on("console", lambda message: said.append(message.text) if _is_complaint(message) else None)
        made.on("pageerror", lambda error: said.append(str(error)))
        made.goto(address + path)
        return made

    yield _page
    for each in contexts:
        each.close()
    assert said == []


def _is_here(url, address):
    return url.startswith((address, "data:", "blob:"))


def _is_complaint(message):
    """What the browser itself says of a refused or broken request is no fault of the page."""
    return message.type == "error" and "Failed to load resource" not in message.text


def _ask(page, question="List all"):
    page.fill("#question", question)
    page.keyboard.press("Enter")


def _cells(page):
    lines = page.locator(".lines .line:visible")
    expect(lines.first).not_to_contain_text("…")
    return [line.split("\n") for line in lines.all_inner_texts()]


def test_an_answer_has_rows_a_chart_of_several_kinds_and_its_sql(page):
    shown = page(BY_NAME)
    _ask(shown)
    picture = shown.locator(".picture")
    expect(picture.locator("canvas")).to_be_visible()
    assert picture.get_attribute("aria-label").startswith("bar chart: Total a by b")
    assert _cells(shown)[0] == ["x4", "4"]
    shown.get_by_label("Kind of chart").select_option("pie")
    expect(shown.locator(".picture[aria-label^='pie chart']")).to_be_visible()
    shown.get_by_text("SQL that ran").click()
    expect(shown.locator("#sql")).to_contain_text("GROUP BY b")
    with shown.expect_download() as saved:
        shown.get_by_text("Report .html").click()
    assert "<svg" in Path(saved.value.path()).read_text()
    shown.get_by_role("button", name="only the top").or_(shown.get_by_role("button", name="as a")).first.click()
    expect(shown.locator("#question")).not_to_have_value("List all")


def test_a_reload_and_a_cut_network_lose_nothing(page):
    shown = page(({**ROWS[0], "delay_s": 2},))
    _ask(shown)
    expect(shown.locator("#steps")).to_contain_text("write the SQL")
    shown.reload()
    expect(shown.locator("#question")).to_have_value("List all")
    shown.context.set_offline(True)
    shown.wait_for_timeout(300)
    shown.context.set_offline(False)
    expect(shown.locator("#answer")).to_be_visible()
    expect(shown.locator("#plan li:not(.done)")).to_have_count(0)
    steps = shown.locator("#steps li").all_inner_texts()
    assert len(steps) == len(set(steps)) and "The result is verified." in steps
    assert [row[1] for row in _cells(shown)] == ["x0", "x1", "x2", "x3", "x4"]


def test_a_question_back_is_answered_by_a_click(page):
    shown = page(BACK)
    _ask(shown)
    expect(shown.locator("#text")).to_have_text("Which one?")
    shown.get_by_role("button", name="net").click()
    expect(shown.locator("#question")).to_have_value("")


def test_a_long_run_is_cancelled(page):
    shown = page(SLOW)
    _ask(shown)
    expect(shown.locator("#steps")).to_contain_text("run it")
    shown.get_by_role("button", name="Cancel").click()
    expect(shown.locator("#steps")).to_contain_text("Cancelled.")
    expect(shown.locator("#cancel")).to_be_hidden()


def test_a_failure_is_shown_with_what_to_do(page):
    shown = page(({"fail": "the model is away"},))
    _ask(shown, "Total")
    expect(shown.locator("#steps .error")).to_contain_text("the model is away")


def test_a_server_with_a_token_is_asked_for_it_once(page):
    shown = page(token="a-token")
    _ask(shown)
    shown.fill("#token", "a-token")
    shown.keyboard.press("Enter")
    expect(shown.locator("#answer")).to_be_visible()
    _ask(shown, "List again")
    expect(shown.locator("#answer")).to_be_visible()
    expect(shown.locator("#login")).to_be_hidden()


def test_a_million_rows_scroll_sort_and_filter(page):
    shown = page(path="/#sql")
    shown.fill("#sql-text", "SELECT range AS id, 'name ' || range AS t FROM range(1000000)")
    shown.keyboard.press("Control+Enter")
    expect(shown.get_by_role("status").filter(has_text="1,000,000 rows")).to_be_visible()
    shown.evaluate("document.querySelector('.grid').scrollTop = 1e9")
    expect(shown.locator(".lines")).to_contain_text("name 999999")
    shown.get_by_role("button", name="id", exact=True).dblclick()
    expect(shown.locator("[aria-sort=descending]")).to_have_text("id")
    expect(shown.locator(".lines .line").first).to_contain_text("name 999999")
    shown.get_by_label("Filter rows").fill("NAME 77777")
    expect(shown.get_by_role("status").filter(has_text="11 rows")).to_be_visible()
    assert shown.locator(".lines .line").count() < 40


def test_tables_their_columns_and_earlier_questions_are_a_click_away_on_a_phone(page):
    shown = page(color_scheme="dark")
    shown.set_viewport_size({"width": 390, "height": 700})
    _ask(shown)
    expect(shown.locator("#answer")).to_be_visible()
    shown.get_by_role("link", name="Data").click()
    shown.get_by_text("main.t · 5 rows").click()
    expect(shown.locator("#tables td").get_by_text("BIGINT")).to_be_visible()
    shown.get_by_role("button", name="Look at its rows").click()
    expect(shown.locator("#sql-text")).to_have_value("SELECT * FROM main.t LIMIT 1000")
    shown.fill("#sql-text", "SELECT * FROM ma")
    shown.locator("#sql-text").press("End")
    shown.locator("#sql-text").press_sequentially("in")
    shown.locator("#sql-text").press("Tab")
    expect(shown.locator("#sql-text")).to_have_value("SELECT * FROM main.t")
    shown.get_by_role("link", name="History").click()
    shown.get_by_role("link", name="List all").click()
    expect(shown.locator("#answer")).to_be_visible()
    assert shown.evaluate("document.documentElement.scrollWidth") <= 390


def test_a_dropped_file_becomes_a_table(page):
    shown = page(path="/#data")
    expect(shown.get_by_text("main.t · 5 rows")).to_be_visible()
    shown.evaluate(
        """() => {
          const data = new DataTransfer();
          data.items.add(new File(["city,n\\nParis,1\\nRome,2\\n"], "cities.csv"));
          document.dispatchEvent(new DragEvent("drop", { dataTransfer: data, cancelable: true }));
        }"""
    )
    expect(shown.get_by_text("main.cities · 2 rows")).to_be_visible()
    shown.set_input_files("#upload", files=[{"name": "no.xyz", "mimeType": "text/plain", "buffer": b"?"}])
    expect(shown.locator("#upload-state")).to_contain_text("no.xyz")


def test_the_pages_of_the_api_need_nothing_from_elsewhere(page):
    shown = page(path="/docs")
    shown.get_by_text("POST /api/v1/agent/run").click()
    expect(shown.get_by_role("cell", name="conversation_id")).to_be_visible()
