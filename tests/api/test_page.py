"""The page: served from here alone, and doing its work against a real server."""

import re
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import expect

import pluto_duck_backend.app.web as web
from pluto_duck_backend.app.services.transformation import copy_starter

WEB = Path(web.__file__).parent
BY_NAME = ({"sql": "SELECT b, sum(a) AS sum_a FROM t GROUP BY b ORDER BY sum_a DESC"},)
ROWS = ({"sql": "SELECT a AS id, b FROM t ORDER BY a"},)
SLOW = ({"sql": "SELECT sum(a.range * b.range) AS s FROM range(1000000) a, range(1000000) b"},)
BACK = ({"clarify": {"question": "Which one?", "options": ["gross", "net"]}},)


def test_the_page_and_all_it_names_are_served_and_nothing_else(serve):
    with httpx.Client(base_url=serve(), timeout=120, trust_env=False) as client:
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
    page = (WEB / "index.html").read_text()
    first = ["index.html", *re.findall(r'(?:href|src)="/web/([^"]+)"', page)]
    every = [path.name for path in WEB.glob("*.[hcj]*")]
    for names, most_kb in ((first, 32), (every, 128)):
        assert sum((WEB / name).stat().st_size for name in names) < most_kb * 1000
        assert f"less than {most_kb} kB" in (Path(__file__).parents[2] / "docs" / "page.md").read_text()


def test_what_the_first_view_needs_is_loaded_at_once():
    preloaded = set(re.findall(r'"/web/(\w+\.js)"', (WEB / "index.html").read_text()))
    imported = {name for each in preloaded for name in re.findall(r'^import .*"\./(\S+)";', _text(each), re.MULTILINE)}
    assert preloaded == imported | {"page.js"}


def _text(name):
    return (WEB / name).read_text()


def test_every_element_the_script_names_is_in_the_page():
    named = {name for path in WEB.glob("*.js") for name in re.findall(r'\$\("([\w-]+)"\)', path.read_text())}
    made = {name for path in WEB.glob("*.js") for name in re.findall(r'\bid: "([\w-]+)"', path.read_text())}
    assert named <= made | set(re.findall(r'id="([\w-]+)"', (WEB / "index.html").read_text()))


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
    steps = shown.locator("#steps li").all_text_contents()
    assert len(steps) == len(set(steps)) and "The result is verified." in steps
    assert [row[1] for row in _cells(shown)] == ["x0", "x1", "x2", "x3", "x4"]


def test_a_question_back_is_answered_by_a_click(page):
    shown = page(BACK)
    _ask(shown)
    expect(shown.locator("#text")).to_have_text("Which one?")
    expect(shown.locator("#plan .asked")).to_have_text("Answer as scripted")
    shown.get_by_role("button", name="net").click()
    expect(shown.locator("#question")).to_have_value("")


def test_an_answer_is_confirmed_corrected_and_forgotten(page):
    shown = page()
    _ask(shown)
    verdict = shown.locator("#verdict")
    verdict.get_by_role("button", name="This is right").click()
    expect(verdict.get_by_role("status")).to_contain_text("Kept in configs/confirmed/list-all")
    verdict.get_by_role("button", name="Correct it").click()
    verdict.get_by_label("The right SQL").fill("SELECT nothing FROM t")
    verdict.get_by_role("button", name="Keep it as right").click()
    expect(verdict.get_by_role("alert")).to_contain_text("nothing")
    verdict.get_by_label("The right SQL").fill("SELECT b FROM t")
    verdict.get_by_role("button", name="Try it").click()
    expect(verdict.get_by_text("5 rows")).to_be_visible()
    verdict.get_by_role("button", name="Keep it as right").click()
    expect(verdict.get_by_role("alert")).to_contain_text("is confirmed already, with other SQL")
    verdict.get_by_role("button", name="Put this in its place").click()
    expect(verdict.locator("pre")).to_have_text("SELECT b FROM t")
    shown.reload()
    verdict.get_by_role("button", name="Forget it").click()
    expect(verdict.get_by_role("status")).to_have_text("Forgotten.")


def test_what_an_answer_is_saved_as_and_why_it_cannot_be(page, tmp_path):
    shown = page(BY_NAME)
    _ask(shown, "sum by name")
    verdict = shown.locator("#verdict")
    verdict.get_by_role("button", name="Save it as").click()
    expect(verdict.get_by_label("Its name")).to_have_value("sum_by_name")
    verdict.get_by_role("button", name="Save").last.click()
    expect(verdict.locator(".error")).to_contain_text("dbt_project")
    copy_starter(tmp_path / "root" / "dbt_project")
    verdict.get_by_role("button", name="Save").last.click()
    expect(verdict.get_by_role("status")).to_contain_text("models/saved/sum_by_name.sql")
    verdict.get_by_role("button", name="Save").last.click()
    expect(verdict.locator(".error")).to_contain_text("sum_by_name")
    expect(verdict.get_by_label("Its name")).to_be_focused()


def test_settings_show_what_is_configured_change_limits_and_run_the_checks(page):
    shown = page(path="/#settings")
    expect(shown.get_by_role("cell", name="agent.provider").first).to_be_visible()
    shown.get_by_label("(query.max_rows)").fill("7")
    shown.get_by_role("button", name="Save query.max_rows").click()
    expect(shown.get_by_text("Saved; it holds from now on.")).to_be_visible()
    shown.get_by_label("(query.timeout_s)").fill("0")
    shown.get_by_role("button", name="Save query.timeout_s").click()
    expect(shown.get_by_text("Input should be greater than 0")).to_be_visible()
    shown.get_by_role("button", name="Run the checks").click()
    expect(shown.get_by_role("cell", name="installation")).to_be_visible()
    shown.reload()
    expect(shown.get_by_label("(query.max_rows)")).to_have_value("7")


def test_a_long_run_is_cancelled(page):
    shown = page(SLOW)
    _ask(shown)
    expect(shown.locator("#steps")).to_contain_text("run it")
    shown.get_by_role("button", name="Cancel").click()
    expect(shown.locator("#steps")).to_contain_text("Cancelled.")
    expect(shown.locator("#cancel")).to_be_hidden()
    expect(shown.locator("#question")).to_be_focused()


def test_a_failure_is_shown_with_what_to_do(page):
    shown = page(({"fail": "the model is away"},))
    _ask(shown, "Total")
    expect(shown.locator("#steps .error")).to_contain_text("the model is away")


def test_a_server_with_a_token_is_asked_for_it_once(page):
    shown = page(token="a-token")
    expect(shown.locator("#login")).to_be_visible()
    _ask(shown)
    shown.fill("#token", "another")
    shown.keyboard.press("Enter")
    expect(shown.locator("#refused")).to_contain_text("does not know this token")
    shown.fill("#token", "a-token")
    shown.keyboard.press("Enter")
    expect(shown.locator("#answer")).to_be_visible()
    _ask(shown, "List again")
    expect(shown.locator("#answer")).to_be_visible()
    expect(shown.locator("#login")).to_be_hidden()


def test_whoever_types_while_the_token_is_asked_for_types_on(page):
    shown, held = page(token="a-token"), []
    expect(shown.locator("#login")).to_be_visible()
    shown.route("**/schema", lambda route: held.append(route), times=1)
    with shown.expect_request("**/schema"):
        shown.get_by_role("link", name="Data").click()
    shown.get_by_role("link", name="Ask").click()
    expect(shown.locator("#question")).to_be_visible()
    shown.locator("#question").press_sequentially("List")
    with shown.expect_response("**/schema"):
        held[0].continue_()
    shown.keyboard.type(" all")
    expect(shown.locator("#question")).to_have_value("List all")


def test_a_question_that_is_refused_while_its_user_logs_in_is_answered(page):
    shown, held = page(token="a-token"), []
    expect(shown.locator("#login")).to_be_visible()
    shown.route("**/agent/run", lambda route: held.append(route), times=1)
    with shown.expect_request("**/agent/run"):
        _ask(shown)
    shown.fill("#token", "a-token")
    shown.keyboard.press("Enter")
    expect(shown.locator("#login")).to_be_hidden()
    held[0].continue_()
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


def test_sums_are_shown_without_their_noise_and_small_numbers_are_not_zero(page):
    shown = page(path="/#sql")
    columns = {"a": "4.829999999999998, 7.5, 3", "b": "1.234e-5, 0.5, 0"}
    sql = ", ".join(f"unnest([{values}]::DOUBLE[]) AS {name}" for name, values in columns.items())
    shown.fill("#sql-text", f"SELECT {sql}")
    shown.keyboard.press("Control+Enter")
    assert _cells(shown) == [["4.83", "0.00001234"], ["7.50", "0.5"], ["3.00", "0"]]


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
    expect(shown.locator("#sql-words li").first).to_have_text("main.t")
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
    expect(shown.locator("#upload-state.error")).to_have_text(re.compile(r"^no\.xyz: no connector"))
    shown.get_by_role("link", name="Jobs").click()
    expect(shown.locator("#jobs li").first.get_by_role("link")).to_have_text("no.xyz")


def test_a_query_by_hand_is_cancelled_with_escape(page):
    shown = page(path="/#sql")
    shown.fill("#sql-text", SLOW[0]["sql"])
    shown.keyboard.press("Control+Enter")
    expect(shown.locator("#sql-cancel")).to_be_visible()
    shown.keyboard.press("Escape")
    expect(shown.locator("#sql-state")).to_have_text("Cancelled.")
    expect(shown.locator("#sql-result")).to_be_empty()


def test_a_server_that_is_away_is_named_as_that(page):
    shown = page()
    shown.context.set_offline(True)
    _ask(shown)
    expect(shown.locator("#steps .error")).to_contain_text("Pluto-Duck does not answer.")
    shown.context.set_offline(False)
    _ask(shown)
    expect(shown.locator("#answer")).to_be_visible()


def test_a_server_that_answers_again_is_not_called_away(page):
    shown = page()
    for part in ("Data", "Ask"):
        shown.get_by_role("link", name=part).click()
        expect(shown.locator(f"#page-{part.lower()}")).to_be_visible()
    shown.context.set_offline(True)
    shown.get_by_role("link", name="Data").click()
    expect(shown.locator("#fault")).to_contain_text("does not answer")
    shown.context.set_offline(False)
    shown.evaluate("() => import('/web/api.js').then(({ get }) => get('/schema'))")
    expect(shown.locator("#fault")).to_be_hidden()


def test_an_answer_without_a_sentence_is_headed_by_its_question(page):
    shown = page(ROWS)
    _ask(shown, "List all of them")
    expect(shown.locator("#text")).to_have_text("List all of them")


def test_the_pages_of_the_api_need_nothing_from_elsewhere(page):
    shown = page(path="/docs")
    shown.get_by_text("POST /api/v1/agent/run").click()
    expect(shown.get_by_role("cell", name="conversation_id")).to_be_visible()
