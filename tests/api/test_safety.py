"""Who is let in: names, origins, tokens; and where the server refuses to start."""

import stat

import pytest
from tests.api.conftest import ONE, listening, opened_with_a_table, script
from tests.api.reading import calling

from pluto_duck_backend.app.core.config import load_settings
from pluto_duck_backend.app.core.errors import EnvironmentFault, InvalidInput
from pluto_duck_backend.app.main import _token, create_app
from pluto_duck_backend.app.main import serve as start

TOKEN = "a-token"


def _code(answer):
    return answer.json()["code"] if answer.is_error else ""


@pytest.fixture(scope="module")
def guarded(tmp_path_factory):
    """The address of a server that has a token."""
    made = opened_with_a_table(script(tmp_path_factory.mktemp("guarded"), ONE))
    with listening(create_app(made, TOKEN)) as address:
        yield address
    made.close()


@pytest.mark.parametrize(
    ("host", "code"),
    [
        ("localhost:8000", ""),
        ("127.0.0.1", ""),
        ("[::1]:8000", ""),
        ("evil.example", "foreign_host"),
        ("localhost.evil.example:8000", "foreign_host"),
        ("127.0.0.1.evil.example", "foreign_host"),
        ("[::2]:8000", "foreign_host"),
        ("", "foreign_host"),
    ],
)
def test_only_loopback_names_are_served_without_a_token(shared_api, host, code):
    client = shared_api()
    for path in ("/agent", "/schema"):
        assert _code(client.get(path, headers={"Host": host})) == code


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "null", "http://127.0.0.1:1", "https://localhost.evil.example", "http://[::1"]
)
def test_another_sites_page_changes_nothing(shared_api, origin):
    client = shared_api()
    before = client.get("/agent").json()["runs"]
    answer = client.post("/agent/run", json={"question": "q"}, headers={"Origin": origin})
    assert (answer.status_code, _code(answer)) == (403, "foreign_origin")
    assert len(client.get("/agent").json()["runs"]) == len(before)


def test_the_servers_own_page_and_programs_without_origin_do(shared_api):
    client = shared_api()
    own = f"http://{client.base_url.host}:{client.base_url.port}"
    assert client.post("/agent/run", json={"question": "q"}, headers={"Origin": own}).status_code == 202
    assert client.post("/agent/run", json={"question": "q"}).status_code == 202


def test_no_other_site_may_read_answers(shared_api):
    answer = shared_api().get("/agent", headers={"Origin": "http://evil.example"})
    assert "access-control-allow-origin" not in answer.headers


@pytest.mark.parametrize(
    ("said", "status"),
    [
        (None, 401),
        (f"Bearer {TOKEN}", 200),
        (f"bearer {TOKEN}", 200),
        (TOKEN, 401),
        (f"Basic {TOKEN}", 401),
        ("Bearer", 401),
        ("Bearer a-token-too", 401),
        ("Bearer ä", 401),
    ],
)
def test_a_token_is_asked_for_everywhere_but_where_nothing_is_secret(guarded, said, status):
    headers = {"Authorization": said.encode()} if said else {}
    with calling(guarded, headers=headers) as client:
        for path in ("/api/v1/agent", "/api/v1/schema"):
            answer = client.get(path)
            assert answer.status_code == status
            assert ("www-authenticate" in answer.headers) == (status == 401)
        for path in ("/", "/health", "/openapi.json", "/docs", "/web/page.js"):
            assert client.get(path).status_code == 200


def test_with_a_token_any_name_is_served(guarded):
    headers = {"Authorization": f"Bearer {TOKEN}", "Host": "duck.example"}
    with calling(guarded, headers=headers) as client:
        assert client.get("/api/v1/agent").status_code == 200


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.1", "duck.example"])
def test_an_open_address_without_a_token_is_refused_before_anything_opens(tmp_path, host):
    settings = load_settings(tmp_path / "root", server={"host": host, "port": 0})
    with pytest.raises(InvalidInput, match="no token"):
        start(settings, tell=print)
    assert not settings.paths.warehouse.exists()


def test_a_token_file_is_made_once_and_kept_private(tmp_path):
    settings = load_settings(tmp_path / "root", server={"host": "0.0.0.0", "token_file": "secrets/token"})
    token = _token(settings)
    path = tmp_path / "root" / "secrets" / "token"
    assert len(token) >= 32
    assert (path.read_text().strip(), stat.S_IMODE(path.stat().st_mode)) == (token, 0o600)
    assert _token(settings) == token


def test_loopback_needs_no_token_and_keeps_one_that_is_set(tmp_path):
    assert _token(load_settings(tmp_path / "a")) == ""
    assert _token(load_settings(tmp_path / "b", server={"token": TOKEN})) == TOKEN


def test_an_address_in_use_is_named(tmp_path, serve):
    port = int(serve().rsplit(":", 1)[1])
    settings = load_settings(tmp_path / "other", server={"port": port})
    with pytest.raises(EnvironmentFault, match=f"127.0.0.1:{port}"):
        start(settings, tell=print)
