"""The page over a server that crashes in the middle of a run: what it shows at the end is what the log says."""

import os
import signal

from playwright.sync_api import expect
from tests.api.conftest import browser  # noqa: F401
from tests.e2e.test_survival import start  # noqa: F401


def test_a_crash_in_the_middle_of_a_run_ends_on_the_page_as_in_the_log(start, browser):  # noqa: F811
    server = start()
    server.load(10)
    page = browser.new_page()
    page.goto(server.owner.address)
    page.fill("#question", "how many numbers")
    page.keyboard.press("Enter")
    expect(page.locator("#steps")).to_contain_text("write the SQL")
    os.kill(server.children()[0], signal.SIGSEGV)
    expect(page.locator("#answer .lines .line:visible")).to_have_text("10", timeout=60_000)
    run = server.client.get(f"/agent/{page.url.partition('#')[2]}").json()
    assert (run["status"], run["final"]["rows"]) == ("succeeded", [[10]])
    expect(page.locator("#steps .error")).to_have_count(0)
    page.close()
