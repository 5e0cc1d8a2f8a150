"""What a person sees: the live view in a real terminal (tmux), the conversation, charts drawn in characters."""

import io
import json
import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest
from rich.console import Console
from tests.agent.charting import shapes

from pluto_duck_backend.agent.charting import chart_of
from pluto_duck_cli import render
from pluto_duck_cli.drawing import drawn
from pluto_duck_cli.live import LiveView

PAGE = Path(__file__).parents[2] / "docs" / "terminal.md"
DRAWN = [(each, chart_of(each.question, each.columns, each.rows, len(each.rows))) for each in shapes.read()]
QUESTION = "revenue by country in 2025"
SQL = """SELECT
  country,
  SUM(total) AS sum_total
FROM sales
WHERE
  sold_on >= DATE '2025-01-01'
GROUP BY
  country
ORDER BY
  sum_total DESC -- the largest first"""
SCRIPT = {
    "plan": ["Find the tables, columns and values named", "Write the SQL", "Run and check it", "Put it in words"],
    "tables": [{"table": "main.sales", "columns": [{"name": "sold_on", "type": "DATE"}]}],
    "values": [{"column": "country", "value": "France"}],
    "replies": [
        {
            "sql": SQL,
            "confidence": 0.91,
            "title": "Revenue by country",
            "reading": ["revenue → sales.total", "in 2025 → from 2025-01-01 of sales.sold_on"],
        }
    ],
}


@pytest.fixture(scope="module")
def root(tmp_path_factory):
    folder = tmp_path_factory.mktemp("terminal")
    days = ["2025-01-07,France,10", "2025-02-11,Germany,30", "2025-02-12,France,15", "2025-04-01,Italy,5"]
    (folder / "sales.csv").write_text("\n".join(["sold_on,country,total", *days]))
    _run("--root", folder / "root", "ingest", folder / "sales.csv")
    (folder / "script.json").write_text(json.dumps(SCRIPT))
    return folder / "root"


def _scripted(root):
    return {"PLUTODUCK_AGENT__PROVIDER": "scripted", "PLUTODUCK_AGENT__SCRIPT": str(root.parent / "script.json")}


def _run(*words, stdin=None, **env):
    command = [sys.executable, "-m", "pluto_duck_cli", *map(str, words)]
    env = {**os.environ, **env}
    return subprocess.run(command, capture_output=True, text=True, input=stdin, timeout=100, env=env)


STEERING = """SELECT 'red \x1b[31m' || chr(27) || ']0;title' || chr(7) AS "a\x9b2J", 'two\nlines' AS b, 1 AS n"""


@pytest.mark.parametrize("command", ["ask", "agent-stream"])
def test_values_do_not_steer_the_terminal(root, command):
    ours, theirs = os.openpty()
    words = [sys.executable, "-m", "pluto_duck_cli", "--root", str(root), command, "show \x1b]0;title\x07 it"]
    script = root.parent / "steering.json"
    script.write_text(json.dumps({**SCRIPT, "replies": [{**SCRIPT["replies"][0], "sql": STEERING}]}))
    env = {**os.environ, **_scripted(root), "PLUTODUCK_AGENT__SCRIPT": str(script), "TERM": "xterm"}
    with subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=theirs, stderr=theirs, env=env) as process:
        os.close(theirs)
        said = b"".join(iter(lambda: _read(ours), b"")).decode()
    os.close(ours)
    assert process.returncode == 0, said
    assert "red ␛[31m␛]0;title␇" in said and "two␊lines" in said
    assert not re.findall(r"\x1b\]|[\x07\x9b]", said)


def _read(terminal):
    """What comes next; nothing once the other side is closed."""
    try:
        return os.read(terminal, 65536)
    except OSError:
        return b""


def test_a_cell_of_several_lines_is_one_line_of_a_table(root):
    done = _run("--root", root, "query", STEERING)
    assert done.stdout.splitlines()[2] == "red ␛[31m␛]0;title␇  two␊lines  1"


@pytest.fixture
def screen(root, tmp_path):
    """`screen(width, command, until)`: what a terminal of that width shows once `until` is in it."""
    if not shutil.which("tmux"):
        pytest.skip("tmux is not installed, and nothing else here is a terminal")
    tmux = ["tmux", "-f", os.devnull, "-S", str(tmp_path / "tmux")]

    def _screen(width, words, until, keys=(), env=""):
        settings = " ".join(f"{name}={value}" for name, value in _scripted(root).items())
        command = f"{env} {settings} PLUTODUCK_ROOT={root} {sys.executable} -m pluto_duck_cli {words}"
        command = words if words.startswith("env ") else command
        subprocess.run([*tmux, "new-session", "-d", "-x", str(width), "-y", "60", "-s", "s", f"{command}; sleep 60"])
        for awaited, key in [*keys, (until, None)]:
            shown = _await(tmux, awaited)
            if key:
                subprocess.run([*tmux, "send-keys", "-t", "s", key])
        return shown

    yield _screen
    subprocess.run([*tmux, "kill-server"], capture_output=True)


def _await(tmux, text):
    deadline = time.monotonic() + 90
    while time.monotonic() < deadline:
        shown = subprocess.run([*tmux, "capture-pane", "-p", "-e", "-t", "s"], capture_output=True, text=True).stdout
        if text in re.sub(r"\x1b\[[\d;]*m", "", shown):
            return shown
        time.sleep(0.1)
    raise AssertionError(f"the terminal never showed {text!r}:\n{shown}")


def _plain(shown):
    """Without colours, and without what differs from run to run."""
    text = re.sub(r"\x1b\[[\d;]*m", "", shown)
    text = re.sub(r"job query-[\w-]+, \d+ ms", "job query-…, … ms", text)
    return "\n".join(line.rstrip() for line in text.rstrip().splitlines())


def test_the_docs_show_what_a_terminal_shows(screen):
    shown = screen(80, f"agent-stream '{QUESTION}'", "next:")
    assert "\x1b[" in shown
    captured = f"```console\n$ pluto-duck agent-stream '{QUESTION}'\n{_plain(shown)}\n```"
    if os.environ.get("CAPTURE"):
        PAGE.write_text(re.sub(r"```console\n.*?```", lambda _: captured, PAGE.read_text(), count=1, flags=re.DOTALL))
    assert captured in PAGE.read_text()


def test_a_narrow_terminal_without_colours_shows_the_same(screen):
    shown = screen(34, f"agent-stream '{QUESTION}'", "next:", env="NO_COLOR=1")
    assert not re.search(r"\x1b\[(?:\d+;)*3[1-7]m", shown)
    assert all(len(line) <= 34 for line in _plain(shown).splitlines())
    assert "Germany" in shown and "█" in shown
    assert "  ✓ Find the tables, columns and\n    values named" in _plain(shown)


def test_other_readings_stand_in_the_order_of_their_numbers(screen):
    asked = [("›", "biggest gap between countries"), ("biggest gap", "Enter")]
    shown = _plain(screen(100, "chat --provider embedded", "next:", keys=asked))
    others = [line.strip() for line in shown.splitlines() if line.startswith("  rather: ")]
    assert others == ["rather: Country of sales, the first", "rather: Highest total less lowest total, with country"]


@pytest.mark.parametrize(("status", "mark"), [("cannot_answer", "✗"), ("needs_input", "?")])
def test_what_was_not_answered_has_no_tick(status, mark):
    view, console = LiveView("why?"), Console(width=60, file=io.StringIO())
    plan = [{"description": step} for step in SCRIPT["plan"]]
    ended = [{"tool": "planner", "plan": plan}, {"tool": "schema", "schema_preview": [], "values": []}]
    for content in (*ended, {"tool": "sql", "sql": ""}):
        view.show({"type": "tool", "subtype": "end", "content": content})
    view.show({"type": "message", "subtype": "final", "content": {"status": status}})
    view.show({"type": "run", "subtype": "end", "content": {"status": status}})
    console.print(view)
    steps = [line.split()[0] for line in console.file.getvalue().splitlines()[1:5]]
    assert steps == ["✓", mark, "·", "·"]


def _told(kind, **content):
    return {"type": kind.partition(".")[0], "subtype": kind.partition(".")[2], "content": content}


def test_the_end_of_what_a_model_thinks_writes_and_says_is_seen_until_it_is_over():
    view, console = LiveView("why?"), Console(width=40, file=io.StringIO())

    def shown(*events):
        for event in events:
            view.show(event)
        console.file.truncate(console.file.seek(0))
        console.print(view)
        return [line.strip() for line in console.file.getvalue().splitlines()[2:]]

    thought = "First I look at the orders and then\nat their customers."
    plan = _told("tool.end", tool="planner", plan=[{"description": "Think"}])
    assert shown(plan, _told("reasoning.chunk", decision="sql", message=thought)) == [
        "thinks  …nd then at their customers."
    ]
    assert shown(_told("tool.chunk", tool="sql", text="SELEC")) == ["writes  SELEC"]
    assert shown(_told("tool.chunk", tool="sql", text="T 1")) == ["writes  SELECT 1"]
    assert shown(_told("tool.chunk", tool="sql", text="", replaces=True)) == []
    assert shown(_told("message.chunk", text="There are 5.")) == ["says  There are 5."]
    assert shown(_told("run.end", status="succeeded")) == []


COMMANDS = "\x1b]0;owned\x07\x1b[31mred\x9b2J"


def test_what_others_wrote_does_not_command_a_terminal(monkeypatch):
    out = io.StringIO()
    monkeypatch.setattr("sys.stdout", out)
    render.data(COMMANDS)
    assert out.getvalue() == f"{COMMANDS}\n", "piped, data is as it is"
    monkeypatch.setattr(out, "isatty", lambda: True, raising=False)
    out.truncate(out.seek(0))
    render.data(COMMANDS)
    render.table([COMMANDS], [[COMMANDS]])
    render.console().print(LiveView(COMMANDS))
    assert "red" in out.getvalue()
    assert not re.search(r"\x1b(?!\[[\d;]*m)|[\x07\x9b]|\x1b\[31m", out.getvalue())


USED = {"input_tokens": 1_200, "output_tokens": 34, "cost_usd": 0.0123, "elapsed_ms": 5}
FINAL = {
    "status": "succeeded",
    "sql": "SELECT 1",
    "job_id": "j",
    "chart": None,
    "confidence": 0.9,
    "caveats": [],
    "columns": [{"name": "a"}],
    "rows": [[1], [2]],
    "row_count": 2,
    "truncated": False,
    "usage": USED,
    "answer": "Two rows.\n\nThe second is 2.\n\n| a |\n| --- |\n| 1 |\n| 2 |",
    "provider": "house",
    "model": "m",
}


def test_a_models_words_are_shown_in_whole_and_who_answered_at_what_cost(capsys):
    render.answer(FINAL)
    shown = capsys.readouterr().out
    assert shown.startswith("Two rows.\n\nThe second is 2.\na\n-\n1\n2\n")
    assert "confidence 90%, job j, 5 ms, house (m), 1,234 tokens, $0.0123" in shown
    none = {**USED, "input_tokens": 0, "output_tokens": 0, "cost_usd": 0}
    render.answer({**FINAL, "provider": "embedded", "model": None, "usage": none})
    assert "confidence 90%, job j, 5 ms\n" in capsys.readouterr().out


def test_numbers_are_in_groups_and_ids_are_not(screen):
    sql = "SELECT 1234567 AS total, 0.5 AS share, 20250101 AS order_id UNION ALL SELECT 12, 1234.25, 7 ORDER BY 1 DESC"
    shown = _plain(screen(80, f'query "{sql}"', "job query-"))
    assert [line.split() for line in shown.splitlines() if line.strip()[:1].isdigit()][:2] == [
        ["1,234,567", "0.50", "20250101"],
        ["12", "1,234.25", "7"],
    ]


def test_ctrl_c_cancels_the_run_and_leaves_the_terminal_usable(screen, root):
    slow = {"sql": "SELECT sum(a.range * b.range) AS s FROM range(1000000) a, range(1000000) b"}
    script = root.parent / "slow.json"
    script.write_text(json.dumps({**SCRIPT, "replies": [slow]}))
    env = f"env PLUTODUCK_AGENT__PROVIDER=scripted PLUTODUCK_AGENT__SCRIPT={script} PLUTODUCK_ROOT={root}"
    words = f"{env} {sys.executable} -m pluto_duck_cli agent-stream 'a long one'; echo code $?"
    shown = screen(80, words, "code 130", keys=[("3 s", "C-c")])
    lines = _plain(shown).splitlines()
    assert lines[0] == "? a long one" and lines.count("? a long one") == 1
    assert "  · Put it in words" in lines and "  ✗ Run and check it" in lines
    assert "cancelled" in shown and "Traceback" not in shown
    runs = json.loads(_run("runs", "list", "--json", "--limit", "1", "--root", root).stdout)["runs"]
    assert (runs[0]["question"], runs[0]["status"]) == ("a long one", "cancelled")


def test_a_conversation_in_a_terminal_completes_and_leaves(screen):
    keys = [("›", "/tab"), ("/tab", "Tab"), ("/tables", "Enter"), ("main.sales", "how many main.sal")]
    keys += [("how many main.sal", "Tab"), ("how many main.sales", "C-u"), ("›", "/quit"), ("/quit", "Enter")]
    screen(80, "chat; echo left", "left", keys=keys)


def test_a_conversation_from_a_pipe(root, tmp_path):
    page = tmp_path / "answer.md"
    words = ["/sql", QUESTION, "as a pie chart", "/sql SELECT 40 + 2 AS n", "/chart bar", "/chart map"]
    said = "\n".join([*words, f"/export {page}", "/nonsense", "/quit", "never read"])
    done = _run("chat", "--root", root, stdin=said, **_scripted(root))
    assert done.returncode == 0
    assert "There is no answer yet." in done.stderr and "There is no /nonsense." in done.stderr
    assert "does not fit a map chart" in done.stderr
    assert "Germany         30" in done.stdout and "\n42\n" in done.stdout and "█" in done.stdout
    report = page.read_text()
    assert report.startswith("# As a pie chart") and "| Germany | 30 |" in report and "never" not in done.stdout


@pytest.mark.parametrize("width", [24, 40, 100])
def test_every_chart_is_drawn_within_the_width(width):
    for result, spec in DRAWN:
        picture = drawn(spec, width)
        assert (picture is None) == (spec is None or result.kind == "number"), result.question
        assert all(len(line) <= width for line in (picture.plain if picture else "").splitlines()), result.question


def test_longer_bars_are_larger_values():
    columns = [{"name": "city", "type": "VARCHAR"}, {"name": "sum_n", "type": "BIGINT"}]
    picture = drawn(chart_of("", columns, [["a", 40], ["b", 20], ["c", 0]], 3), 60)
    lengths = [line.count("█") for line in picture.plain.splitlines()[-3:]]
    assert lengths[0] == 2 * lengths[1] > 0 == lengths[2]
