"""`pluto-duck tokens`: made, listed, revoked, refused; each made and revoked one is in the audit log."""

import json

import pytest
from tests.cli.running import run

from pluto_duck_backend.app.core.paths import Paths
from pluto_duck_backend.app.core.tokens import TokenFile

CONFIG = '[rights.emea]\ntables = ["orders"]\n\n[server.tokens.boss]\ntoken = "x"\n'


@pytest.fixture
def root(tmp_path):
    paths = Paths(tmp_path / "root").create()
    paths.config_file.write_text(CONFIG)
    return paths.root


def test_a_token_is_shown_once_listed_without_it_and_revoked(root):
    made = run("tokens", "create", "anna", "--role", "analyst", "--rights", "emea", "--expires", "30d", "--root", root)
    token = made.stdout.strip()
    assert (made.returncode, token[:3]) == (0, "pd_")
    assert "shown once" in made.stderr
    who = TokenFile(Paths(root).tokens).find(token)
    assert (who.name, who.role, who.rights) == ("anna", "analyst", "emea")
    listed = run("tokens", "list", "--root", root, "--json")
    assert token not in listed.stdout
    [shown] = json.loads(listed.stdout)["tokens"]
    assert (shown["name"], shown["role"], shown["rights"], shown["expired"]) == ("anna", "analyst", "emea", False)
    assert run("tokens", "revoke", "anna", "--root", root).returncode == 0
    assert TokenFile(Paths(root).tokens).find(token) is None
    audit = [json.loads(line) for line in Paths(root).audit.read_text().splitlines()]
    assert [each["call"] for each in audit] == ["tokens create anna --role analyst", "tokens revoke anna"]


@pytest.mark.parametrize(
    ("words", "code", "told"),
    [
        (["create", "anna"], 2, "--role"),
        (["create", "anna", "--role", "king"], 2, "viewer"),
        (["create", "Anna", "--role", "viewer"], 2, "no name for a token"),
        (["create", "boss", "--role", "viewer"], 1, "already"),
        (["create", "anna", "--role", "viewer", "--rights", "emae"], 2, "Did you mean emea?"),
        (["create", "anna", "--role", "viewer", "--expires", "soon"], 2, "is no time"),
        (["create", "anna", "--role", "viewer", "--expires", "2020-01-01"], 2, "is over already"),
        (["revoke", "anna"], 1, "There is no token 'anna'"),
    ],
)
def test_what_cannot_be_is_refused(root, words, code, told):
    done = run("tokens", *words, "--root", root)
    assert (done.returncode, done.stdout) == (code, "")
    assert told in done.stderr
    assert not Paths(root).tokens.exists()
