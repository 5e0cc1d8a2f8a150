"""In a real Jupyter kernel: what an answer, a chart and a board show, `await` at the top, and an interrupt."""

from html import unescape

import pytest
from jupyter_client.manager import start_new_kernel

CSV = "sale_id,country,total\n1,France,10\n2,Germany,30\n3,France,15\n4,Italy,5\n"
OPEN = "import pluto_duck\nduck = pluto_duck.connect()\nduck.load('sales.csv')\na = duck.ask('total by country')"
ENDLESS = "SELECT sum(a.range * b.range) FROM range(10000000) a, range(10000000) b"


@pytest.fixture(scope="module")
def kernel(tmp_path_factory):
    """A kernel with `duck` and an answer `a`, its files and settings in a folder of its own."""
    folder = tmp_path_factory.mktemp("kernel")
    (folder / "sales.csv").write_text(CSV)
    with pytest.MonkeyPatch.context() as patch:
        for name in ("IPYTHONDIR", "JUPYTER_RUNTIME_DIR", "JUPYTER_CONFIG_DIR", "PLUTODUCK_ROOT"):
            patch.setenv(name, str(folder / name.lower()))
        manager, client = start_new_kernel(cwd=str(folder))
    assert _run(client, OPEN) == []
    yield manager, client
    client.stop_channels()
    manager.shutdown_kernel()


def _run(client, code, when_it_prints=lambda: None):
    """What a cell shows: each a dict of MIME types, or `(name, message)` of what it raised."""
    shown = []

    def keep(message):
        kind, content = message["msg_type"], message["content"]
        if kind == "stream":
            when_it_prints()
        if kind in ("execute_result", "display_data"):
            shown.append(content["data"])
        if kind == "error":
            shown.append((content["ename"], content["evalue"]))

    client.execute_interactive(code, output_hook=keep, timeout=100)
    return shown


def test_an_answer_shows_its_sentence_chart_rows_and_sql(kernel):
    [shown] = _run(kernel[1], "a")
    assert all(part in shown["text/html"] for part in ("<p>", "<svg", "<td>Germany</td>", "SELECT"))
    assert shown["text/plain"].startswith("<Answer succeeded: 'total by country', 3 rows")


def test_a_chart_is_a_specification_for_jupyter_and_an_image_for_others(kernel):
    [shown] = _run(kernel[1], "a.chart")
    spec = shown["application/vnd.vegalite.v6+json"]
    assert spec["$schema"].endswith("v6.json") and {"Germany", "France", "Italy"} <= set(str(spec["data"]).split("'"))
    assert shown["image/svg+xml"].startswith("<svg") and shown["text/plain"].startswith("<Chart bar")


def test_frames_and_boards_show_themselves(kernel):
    frame, polars, board = _run(kernel[1], "display(a.df())\ndisplay(a.pl())\nduck.boards.create('Sales').pin(a)")
    assert "Germany" in frame["text/html"] and "Germany" in polars["text/html"]
    assert "sandbox" in board["text/html"] and "<svg" in unescape(board["text/html"])


def test_await_works_at_the_top_of_a_cell(kernel):
    [shown] = _run(kernel[1], "b = await a.athen('only the top 2')\nb.rows")
    assert shown["text/plain"] == "[['Germany', 30], ['France', 25]]"


def test_an_error_says_what_to_do(kernel):
    [(name, message)] = _run(kernel[1], "duck.sql('SELECT nothing FROM sales')")
    assert name == "QueryFailed" and "nothing" in message


def test_an_interrupt_ends_the_query_and_the_next_cell_runs(kernel):
    manager, client = kernel
    # what comes before a cell's own code, and a second interrupt, is lost in the kernel itself: one write, one message
    cell = f"import sys; sys.stdout.write('begun'); duck.sql('{ENDLESS}')"
    [(name, _)] = _run(client, cell, when_it_prints=manager.interrupt_kernel)
    assert name == "KeyboardInterrupt"
    [shown] = _run(client, "duck.sql('SELECT 42 AS n').pl().item()")
    assert shown["text/plain"] == "42"
