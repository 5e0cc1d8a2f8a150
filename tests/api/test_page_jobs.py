"""Jobs on the page: started, followed live and through a reload, cancelled, failed with the next step, remembered."""

import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from playwright.sync_api import expect

ROWS = b"id,city\n" + b"".join(b"%d,Paris\n" % n for n in range(1000))


@pytest.fixture
def slow():
    """`(address, go)`: a file that trickles until `go` is set."""
    go = threading.Event()

    class Trickling(BaseHTTPRequestHandler):
        def log_message(self, *_):
            pass

        def do_GET(self):
            self.send_response(200)
            self.send_header("Content-Length", str(len(ROWS)))
            self.end_headers()
            sent = 0
            while not go.wait(0.05) and sent < len(ROWS) - 1:
                sent += self.wfile.write(ROWS[sent : sent + 10])
            self.wfile.write(ROWS[sent:])

    server = ThreadingHTTPServer(("127.0.0.1", 0), Trickling)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/cities.csv", go
    go.set()
    server.shutdown()
    server.server_close()


def _load(shown, source):
    shown.get_by_label("A file, folder, address or database").fill(source)
    shown.get_by_role("button", name="Load", exact=True).click()


def test_a_load_is_followed_through_a_reload_to_its_end(page, slow):
    address, go = slow
    shown = page(path="/#jobs")
    _load(shown, address)
    job = shown.locator("#job")
    expect(job.get_by_role("heading")).to_have_text(address)
    shown.reload()
    expect(job.get_by_role("button", name="Cancel")).to_be_visible()
    go.set()
    expect(job.get_by_role("status")).to_have_text("Done.")
    expect(job.get_by_role("cell", name="1,000")).to_be_visible()
    expect(shown.locator("#jobs li").filter(has_text=address)).to_contain_text("succeeded")


def test_a_load_is_cancelled_and_leaves_nothing(page, slow):
    address, _ = slow
    shown = page(path="/#jobs")
    _load(shown, address)
    shown.locator("#job").get_by_role("button", name="Cancel").click()
    expect(shown.locator("#jobs li").filter(has_text=address)).to_contain_text("cancelled")
    shown.get_by_role("link", name="Data").click()
    expect(shown.get_by_text("main.t · 5 rows")).to_be_visible()
    expect(shown.get_by_text("main.cities")).to_have_count(0)


def test_what_fails_says_the_next_step_and_stays_in_the_history(page, tmp_path):
    shown = page(path="/#jobs")
    expect(shown.locator("#jobs")).to_contain_text("Nothing was loaded or run yet.")
    _load(shown, str(tmp_path / "none.csv"))
    job = shown.locator("#job")
    expect(job.locator(".error")).to_contain_text("none.csv does not exist")
    expect(job.get_by_text("It was looked for in")).to_be_visible()
    shown.get_by_label("Which models").fill("orders")
    shown.get_by_role("button", name="Run dbt").click()
    expect(job.get_by_role("heading")).to_have_text("dbt build --select orders")
    expect(job.locator(".error")).to_contain_text("dbt_project")
    shown.locator("#jobs a").last.click()
    expect(job.locator(".error")).to_contain_text("none.csv does not exist")


def test_a_recipe_is_loaded_by_its_name(page, tmp_path):
    (tmp_path / "cities.csv").write_bytes(ROWS)
    shown = page(path="/#ask")
    recipes = tmp_path / "root" / "configs" / "sources"
    recipes.mkdir(parents=True, exist_ok=True)
    (recipes / "places.yaml").write_text(
        f"connector: auto\nconfig:\n  path: {tmp_path / 'cities.csv'}\ntarget: places\n"
    )
    shown.get_by_role("link", name="Jobs").click()
    shown.get_by_label("Or a recipe").select_option("places")
    shown.get_by_role("button", name="Load the recipe").click()
    expect(shown.locator("#job").get_by_role("status")).to_have_text("Done.")
    expect(shown.locator("#jobs li").first).to_contain_text("cities.csv → places")
