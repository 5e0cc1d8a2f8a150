"""The page: served from here alone, and doing its work against a real server."""

import json
import re
import shutil
import subprocess
from pathlib import Path

import httpx
import pytest

import pluto_duck_backend.app.web as web

WEB = Path(web.__file__).parent
ROWS = ({"sql": "SELECT a, b FROM t ORDER BY a"},)
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


def test_every_element_the_script_names_is_in_the_page():
    named = set(re.findall(r'\$\("(\w+)"\)', (WEB / "page.js").read_text()))
    assert named <= set(re.findall(r'id="(\w+)"', (WEB / "index.html").read_text()))


@pytest.fixture
def show(serve):
    """`show(replies, questions, token="")`: what the page shows in the end, run by Node."""
    node = shutil.which("node")
    if not node:
        pytest.skip("Node is not installed, and nothing else here runs JavaScript")

    def _show(replies, *questions, token=""):
        words = [serve(replies, token=token), str(WEB / "page.js"), token, *questions]
        script = Path(__file__).with_name("page.mjs")
        done = subprocess.run([node, str(script), *words], capture_output=True, text=True, timeout=60)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    return _show


def test_a_question_is_answered_though_the_stream_breaks_off(show):
    shown = show(ROWS, "List all")
    assert shown["broken"] is True
    assert shown["table"] == "a|b|0|x0|1|x1|2|x2|3|x3|4|x4"
    assert "FROM t" in shown["sql"]
    steps = shown["steps"].split("|")
    assert len(steps) == len(set(steps))


def test_a_question_back_shows_its_options(show):
    shown = show(BACK, "Total")
    assert (shown["text"], shown["options"]) == ("Which one?", "gross|net")


def test_a_failure_is_shown_with_what_to_do(show):
    assert "the model is away" in show(({"fail": "the model is away"},), "Total")["steps"]


def test_a_server_with_a_token_is_asked_for_it_once(show):
    shown = show(ROWS, "List all", "List again", token="a-token")
    assert (shown["logins"], shown["table"][:4]) == (1, "a|b|")
