"""The page in Chromium: its first view, a million rows scrolled, what the tab holds.

Of the first view: when it was painted, requests and bytes on a first visit, both to a server that runs and to servers
that started up to three seconds ago and still load what answers questions. Of the grid: the time between frames while
it scrolls without pause, through pages that have to be fetched. Chromium is the one of the machine.
"""

import os
import shutil
import statistics
import tempfile
import time
from pathlib import Path

from playwright.sync_api import Request, sync_playwright

from tests.benchmarks._server import Server

VISITS = 5
STARTS, LATER_S = 12, 0.25  # how many, each visited so much later than the one before
SQL = """
  SELECT range AS id, 'name ' || range AS name, range * 1.37 AS amount,
         DATE '2020-01-01' + (range % 2000)::INT AS day, range % 97 AS kind
  FROM range(1000000)"""
PAINTED = """() => new Promise((done) => new PerformanceObserver((list) => {
  const paint = list.getEntriesByName("first-contentful-paint")[0];
  if (paint) done(paint.startTime);
}).observe({ type: "paint", buffered: true }))"""
# Scrolls a screen every frame for `ms`, jumping to another place now and then; gives the times between frames.
SCROLL = """async (ms) => {
  const view = document.querySelector("#sql-result .grid");
  const times = [];
  const end = performance.now() + ms;
  let last = await new Promise(requestAnimationFrame);
  while (last < end) {
    view.scrollTop = times.length % 40 ? view.scrollTop + 300 : Math.random() * view.scrollHeight;
    const now = await new Promise(requestAnimationFrame);
    times.push(now - last);
    last = now;
  }
  return times;
}"""


def main():
    print(f"load of the machine: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    root = Path(tempfile.mkdtemp()) / "root"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        _tell("first view right after a start", [_visit_of_a_start(browser, root, n * LATER_S) for n in range(STARTS)])
        with Server(root) as server:
            _tell("first view", [_visit(browser, server.address) for _ in range(VISITS)])
            _scroll(browser, server.address)
        browser.close()


def _tell(name, visits):
    painted, ready, requests, sizes = zip(*visits, strict=True)
    for what, times in (("painted", painted), ("ready to type", ready)):
        print(
            f"{name}: {what} after {statistics.median(times):.0f} ms (median of {len(times)}, worst {max(times):.0f})"
        )
    print(f"{name}: {requests[0]} requests, {sizes[0] / 1000:.0f} kB")


def _visit_of_a_start(browser, root, after_s):
    with Server(root) as server:
        time.sleep(after_s)
        return _visit(browser, server.address)


def _visit(browser, address):
    """Of a browser that has never been here: ms to the first paint and to a field to type in, requests, bytes."""
    context = browser.new_context()
    page = context.new_page()
    requests: list[Request] = []
    page.on("requestfinished", lambda request: requests.append(request))
    page.goto(address, wait_until="load")
    painted = page.evaluate(PAINTED)
    ready = page.evaluate("performance.getEntriesByType('navigation')[0].domContentLoadedEventEnd")
    sent = [len(each.response().body()) for each in requests if each.url.startswith(address)]
    context.close()
    return painted, ready, len(sent), sum(sent)


def _scroll(browser, address):
    page = browser.new_page(viewport={"width": 1000, "height": 800})
    page.set_default_timeout(120_000)
    page.goto(f"{address}/#sql")
    page.wait_for_selector("#sql-text")
    page.fill("#sql-text", SQL)
    page.keyboard.press("Control+Enter")
    page.wait_for_selector("#sql-result .grid")
    times = sorted(page.evaluate(SCROLL, 10_000))
    print(
        f"a million rows, {len(times)} frames: median {statistics.median(times):.0f} ms, "
        f"95 % {times[int(len(times) * 0.95)]:.0f}, worst {times[-1]:.0f}, "
        f"over 50 ms: {sum(each > 50 for each in times)}"
    )
    heap = page.evaluate("performance.memory.usedJSHeapSize") / 1e6
    print(f"the tab holds {_renderer_mb(browser):.0f} MB (proportional set size), of them {heap:.0f} MB JavaScript")


def _renderer_mb(browser):
    """The largest renderer process: the tab that scrolled."""
    processes = browser.new_browser_cdp_session().send("SystemInfo.getProcessInfo")["processInfo"]
    return max(_pss_mb(each["id"]) for each in processes if each["type"] == "renderer")


def _pss_mb(pid):
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("Pss:")) / 1000
