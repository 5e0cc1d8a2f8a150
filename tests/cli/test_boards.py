"""`pluto-duck boards`: pinned in one process, seen and run again in another, here and through a server alike."""

import json

import pytest
from tests.api.conftest import serve, workspace  # noqa: F401 - fixtures

from pluto_duck_cli.main import execute


@pytest.fixture
def cli(capsys):
    """`cli(*words)`: exit code, stdout, stderr."""

    def _cli(*words):
        code = execute(list(map(str, words)))
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return _cli


def _job(cli, root, sql):
    """The id of a query that ran."""
    assert cli("query", sql, "--root", root)[0] == 0
    last = (root / "artifacts" / "queries" / "queries.jsonl").read_text().splitlines()[-1]
    return json.loads(last)["job_id"]


def _root(workspace, serve, tmp_path, is_served):  # noqa: F811
    """A root that a server owns, or nobody."""
    if is_served:
        address = serve()
        workspace.opened[-1].serve_at(address, "")
    else:
        workspace().close()
        workspace.opened.clear()
    return tmp_path / "root"


@pytest.mark.parametrize("is_served", [False, True])
def test_pin_show_refresh_export_unpin(cli, workspace, serve, tmp_path, is_served):  # noqa: F811
    root = _root(workspace, serve, tmp_path, is_served)
    assert cli("boards", "list", "--root", root)[0] == 0
    code, _, said = cli("boards", "pin", _job(cli, root, "SELECT count(*) AS n FROM t"), "--root", root)
    assert code == 0 and "made the board 'My board' (configs/boards/my-board.toml)" in said
    code, shown, _ = cli("boards", "show", "my-board", "--root", root)
    assert (code, shown.splitlines()[0]) == (0, "My board  (configs/boards/my-board.toml)")
    assert "not run yet" not in shown and "\n5\n" in shown.replace(" ", "")
    board = root / "configs" / "boards" / "my-board.toml"
    board.write_text(board.read_text().replace("FROM t", "FROM gone"))
    code, shown, _ = cli("boards", "refresh", "my board", "--root", root)
    assert code == 1 and "! failed 20" in shown and "gone" in shown
    board.write_text(board.read_text().replace("FROM gone", "FROM t"))
    code, shown, _ = cli("boards", "refresh", "my-board", "--root", root, "--json")
    (tile,) = json.loads(shown)["tiles"]
    assert (code, tile["result"]["rows"], tile["failure"]) == (0, [[5]], None)
    assert cli("boards", "export", "my-board", "--to", tmp_path / "b.html", "--root", root)[0] == 0
    assert "<p class=one>5</p>" in (tmp_path / "b.html").read_text()
    code, _, said = cli("boards", "unpin", "my-board", tile["tile_id"], "--root", root)
    assert code == 0 and "tiles left: 0" in said
    code, _, said = cli("boards", "rename", "My board", "Sales", "--root", root)
    assert code == 0 and "is now 'Sales' (configs/boards/my-board.toml)" in said
    code, told, _ = cli("boards", "delete", "sales", "--root", root, "--json")
    assert (code, json.loads(told), board.exists()) == (0, {"board_id": "my-board"}, False)


@pytest.mark.parametrize("is_served", [False, True])
def test_what_cannot_be_pinned_leaves_no_board(cli, workspace, serve, tmp_path, is_served):  # noqa: F811
    root = _root(workspace, serve, tmp_path, is_served)
    code, _, said = cli("boards", "pin", "run-000000000000-000000000000", "--board", "New", "--root", root)
    assert code == 1 and "There is no run 'run-000000000000-000000000000'" in said and "made" not in said
    assert json.loads(cli("boards", "list", "--json", "--root", root)[1]) == {"boards": []}
    job = _job(cli, root, "SELECT 1 AS n")
    assert cli("boards", "pin", job, "--board", "Kept", "--root", root)[0] == 0
    assert cli("boards", "pin", "query-000000000000-000000000000", "--board", "kept", "--root", root)[0] == 1
    assert [
        each["tile_count"] for each in json.loads(cli("boards", "list", "--json", "--root", root)[1])["boards"]
    ] == [1]


def test_which_board_is_asked_and_a_misspelt_one_hinted_at(cli, workspace, tmp_path):  # noqa: F811
    workspace().close()
    workspace.opened.clear()
    root = tmp_path / "root"
    job = _job(cli, root, "SELECT 1 AS n")
    for board in ("Sales", "Stock"):
        assert cli("boards", "pin", job, "--board", board, "--root", root)[0] == 0
    code, _, said = cli("boards", "pin", job, "--root", root)
    assert (code, said) == (1, "error: There are 2 boards: sales, stock.\nhint: Name one with --board.\n")
    code, _, said = cli("boards", "show", "stok", "--root", root)
    assert code == 1 and "There is no board 'stok'. Did you mean stock?" in said
    (root / "configs" / "boards" / "mine.toml").write_text("version = 1")
    code, listed, said = cli("boards", "list", "--root", root)
    assert code == 0 and "stock" in listed and "mine.toml is no board: title: Field required." in said
