"""Code of a step: what it may do, what it may not even say, and what it cannot do though it were let in."""

import io
import json
import socket
from pathlib import Path
from types import ModuleType

import polars as pl
import pytest

from pluto_duck_backend.agent.cancel import CancelToken
from pluto_duck_backend.agent.steps import sandbox
from pluto_duck_backend.agent.steps.sandbox import child
from pluto_duck_backend.app.core.errors import Cancelled, EnvironmentFault, QueryFailed, Refused

FIXTURES = Path(__file__).parents[2] / "fixtures" / "steps"
ROWS = pl.DataFrame({"x": [1, 2, 3, 4], "y": [2.0, 4.0, 6.0, 9.0], "day": ["2024-01-01"] * 4})
SMALL = sandbox.Limits(seconds=0.3, memory_mb=128)
UNHURRIED = sandbox.Limits(seconds=10, memory_mb=128)


def cases(name):
    lines = (FIXTURES / f"{name}.jsonl").read_text().splitlines()
    return [pytest.param(case, id=case["what"]) for case in map(json.loads, lines)]


BEHIND = cases("behind")
WALLS = ("is not allowed", "os error 24", "os error 11", "os error 1)", "[Errno 1]", "builder error")


def run(code, limits=UNHURRIED, token=None):
    data = io.BytesIO()
    ROWS.write_ipc_stream(data)
    return sandbox.run(code, {"rows": data.getvalue()}, limits, token or CancelToken())


def test_frames_go_in_and_a_table_comes_out():
    code = """
import polars as pl
from statistics import NormalDist
days = rows.with_columns(pl.col("day").str.to_date())
total = days.group_by("day").agg(pl.corr("x", "y").round(3).alias("r"), pl.len().alias("n"))
result = total.with_columns(p=pl.lit(round(2 * (1 - NormalDist().cdf(1.96)), 3)))
"""
    found = run(code)
    assert found.columns == (("day", "DATE"), ("r", "DOUBLE"), ("n", "BIGINT"), ("p", "DOUBLE"))
    assert found.rows == (("2024-01-01", 0.994, 4, 0.05),)


@pytest.mark.parametrize(
    ("code", "rows"),
    [
        ("result = {'a': math.sqrt(16), 'b': 'x', 'c': float('nan')}", ((4.0, "x", None),)),
        ("result = [{'a': rows['x'].sum()}, {'a': None}]", ((10,), (None,))),
    ],
)
def test_a_result_may_have_any_simple_shape(code, rows):
    assert run(code).rows == rows


@pytest.mark.parametrize("case", cases("refused"))
def test_what_is_not_given_is_refused_by_name(case):
    with pytest.raises(Refused) as raised:
        sandbox.check(case["code"], ["rows"])
    assert case["says"] in raised.value.message


def test_what_is_given_leads_to_no_module():
    found, seen = list(child._given(pl).values()), set()
    for _ in range(4):
        found = [each for each in found if id(each) not in seen and not seen.add(id(each))]
        assert not [each for each in found if isinstance(each, ModuleType)]
        found = [
            getattr(each, name, None)
            for each in found
            for name in dir(each)
            if not sandbox.rules._is_hidden(name) and not isinstance(each, pl.DataFrame)
        ]


@pytest.mark.parametrize("case", cases("ended"))
def test_what_takes_too_much_is_ended_by_name(case):
    with pytest.raises(QueryFailed) as raised:
        run(case["code"], SMALL)
    assert case["says"] in raised.value.message


def test_a_process_that_never_begins_says_why_and_nothing_of_the_code(monkeypatch, tmp_path):
    broken = tmp_path / "child.py"
    broken.write_text("raise SystemExit('no polars here')")
    monkeypatch.setattr(sandbox.running, "_CHILD", broken)
    with pytest.raises(EnvironmentFault, match="did not start: no polars here"):
        run("result = 1")


@pytest.mark.parametrize(
    "said",
    [
        b"[1]",
        b"{}",
        b"[" * 100_000,
        b"\xff\xfe",
        b'{"error": "no line"}',
        b'{"columns": [["a", "BIGINT) FROM (SELECT 1"]], "rows": [[1]]}',
        b'{"columns": [["a", "BIGINT"]], "rows": [[1, 2]]}',
        b'{"columns": [["a", "BIGINT"]], "rows": [[{"b": 1}]]}',
    ],
    ids=lambda said: str(said[:40]),
)
def test_what_is_no_table_fails_the_step(monkeypatch, tmp_path, said):
    _is_run(monkeypatch, tmp_path, f"sys.stdout.buffer.write({said!r} + b'\\n')")
    with pytest.raises(QueryFailed, match="what it gave back is no table"):
        run("result = 1")


def test_a_process_that_writes_without_end_is_ended(monkeypatch, tmp_path):
    _is_run(monkeypatch, tmp_path, "while True: sys.stdout.buffer.write(b'x' * 1_000_000)")
    with pytest.raises(QueryFailed, match="it was ended"):
        run("result = 1")


def _is_run(monkeypatch, tmp_path, then):
    """In the place of the process that runs code, one that says it has begun, and `then` does something else."""
    forged = tmp_path / "child.py"
    forged.write_text(
        "\n".join(["import sys", "sys.stdin.buffer.read()", "sys.stdout.buffer.write(b'begun\\n')", then])
    )
    monkeypatch.setattr(sandbox.running, "_CHILD", forged)


def test_a_process_that_did_not_begin_is_started_once_more(monkeypatch, tmp_path):
    child, mark = sandbox.running._CHILD, tmp_path / "tried"
    once = tmp_path / "child.py"
    once.write_text(
        f"import os, pathlib, sys\nmark = pathlib.Path({str(mark)!r})\n"
        f"if not mark.exists():\n    mark.touch()\n    raise SystemExit('not yet')\n"
        f"os.execv(sys.executable, [sys.executable, '-I', '-B', {str(child)!r}])\n"
    )
    monkeypatch.setattr(sandbox.running, "_CHILD", once)
    assert run("result = 1").rows == ((1,),)


@pytest.fixture(scope="module")
def tried(tmp_path_factory):
    """What came of each attempt of code that the rules did not look at, and the folder it was after."""
    folder = tmp_path_factory.mktemp("outside")
    (folder / "secret.csv").write_text("name\ncanary\n")
    together = [case.values[0] for case in BEHIND if not case.values[0].get("alone")]
    with pytest.MonkeyPatch.context() as patch, socket.create_server(("127.0.0.1", 0)) as port:
        patch.setattr(sandbox.running, "check", lambda code, inputs: None)
        places = {"out": folder / "out", "secret": folder / "secret.csv", "port": port.getsockname()[1]}
        found = run(_HEAD + "".join(_attempt(case, places) for case in together) + "result = said")
        alone = {
            case.values[0]["what"]: _ended(case.values[0], places) for case in BEHIND if case.values[0].get("alone")
        }
        port.settimeout(0)
        with pytest.raises(BlockingIOError):
            port.accept()
    return dict(found.rows) | alone, folder


_HEAD = """
said = []
Everything = [each for each in ().__class__.__base__.__subclasses__() if each.__name__ == "BaseException"][0]
"""


def _ended(case, places):
    """How an attempt ends that may leave polars' threads waiting for each other."""
    try:
        return run(_HEAD + _attempt(case, places) + "result = said").rows[0][1]
    except QueryFailed as error:
        return error.message


def _attempt(case, places):
    code = case["code"]
    for name, place in places.items():
        code = code.replace(f"{{{name}}}", str(place))
    lines = "".join(f"    {line}\n" for line in code.splitlines())
    what = case["what"]
    return (
        f"try:\n{lines}    said.append({{'what': {what!r}, 'said': 'it was done'}})\n"
        f"except Everything as error:\n    said.append({{'what': {what!r}, 'said': str(error)}})\n"
    )


@pytest.mark.parametrize("case", BEHIND)
def test_code_that_got_past_the_rules_still_reaches_nothing(tried, case):
    said, folder = tried
    walls = (*WALLS, "takes longer") if case.get("alone") else WALLS
    assert any(why in said[case["what"]] for why in walls), said[case["what"]]
    assert [each.name for each in folder.iterdir()] == ["secret.csv"]
    assert (folder / "secret.csv").read_text() == "name\ncanary\n"


def test_cancelling_ends_the_process():
    token = CancelToken()
    token.cancel()
    with pytest.raises(Cancelled):
        run("while True:\n    pass\nresult = 1", sandbox.Limits(seconds=600), token)
