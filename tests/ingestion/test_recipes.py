"""Recipes, retries, progress, standard input: loads as they are done from outside."""

import contextlib
import subprocess
import sys

import pytest

from pluto_duck_backend.app.core.errors import Cancelled, EnvironmentFault, InvalidInput, NotFound
from pluto_duck_backend.app.services.ingestion import IngestRequest, recipes, registry
from pluto_duck_backend.app.services.ingestion.contract import Column, SourceTable


def _recipe(bench, name, text):
    (bench.paths.sources / f"{name}.yaml").write_bytes(text.encode("utf-8", "surrogateescape"))
    return recipes.read(bench.paths, name)


def test_a_recipe_is_a_request(bench):
    (request,) = _recipe(bench, "shop", "config: {path: /data/a.csv}\ntarget: a\nmode: merge\nkey: id\n")
    assert request == {
        "connector": "auto",
        "config": {"path": "/data/a.csv"},
        "target": "a",
        "mode": "merge",
        "key": ["id"],
    }


def test_a_recipe_of_several_loads_shares_what_stands_beside_them(bench):
    text = """
        connector: postgres
        config: {url: "postgresql://me:${env:PW}@db/shop"}
        loads:
          - {config: {tables: [orders]}, mode: incremental, cursor: id}
          - {config: {tables: [customers]}}
    """
    orders, customers = _recipe(bench, "shop", text)
    assert orders["config"] == {"url": "postgresql://me:${env:PW}@db/shop", "tables": ["orders"]}
    assert (orders["mode"], customers["mode"]) == ("incremental", "replace")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("config: {path: a}\nmdoe: append", "Did you mean mode"),
        ("config: [", "no valid YAML"),
        ("- a", "no recipe in it"),
        ("connector: csvv\nconfig: {path: a.csv}", "No connector 'csvv'"),
        ("loads: 5", "must be a list of loads"),
        ("mode: append", "`config` must be an object"),
        ("config: [a]\nloads: [{config: {path: a}}]", "`config` must be an object"),
        ("loads: [{config: a.csv}]", "`config` must be an object"),
        ("config: {path: \udce9}", "no UTF-8 text"),
    ],
)
def test_a_bad_recipe_is_named_with_what_is_wrong(bench, text, words):
    with pytest.raises(InvalidInput, match=words) as caught:
        _recipe(bench, "shop", text)
    assert "shop.yaml" in caught.value.message


def test_a_recipe_that_is_not_there_is_said(bench):
    _recipe(bench, "shop", "config: {path: a}")
    with pytest.raises(NotFound, match="Did you mean shop"):
        recipes.read(bench.paths, "shpo")


class Shaky:
    """Fails as often as it is told to before it gives three rows."""

    name, summary, suffixes = "shaky", "fails at first", ()

    def __init__(self, failures, *, retryable=True):
        self.failures = failures
        self.retryable = retryable

    @contextlib.contextmanager
    def open(self, config, tools):
        yield [SourceTable("t", "a shaky source", columns=(Column("n", "BIGINT"),), batches=self._batches)]

    def _batches(self):
        yield [(1,), (2,)]
        if self.failures:
            self.failures -= 1
            raise EnvironmentFault("The line broke.", code="source_failed", retryable=self.retryable)
        yield [(3,)]


@pytest.fixture
def shaky(monkeypatch):
    def install(*args, **options):
        known = {**registry.installed(), "shaky": Shaky(*args, **options)}
        monkeypatch.setattr(registry, "installed", lambda: known)
        return IngestRequest("shaky", {"x": 1}, retries=2)

    return install


def test_a_passing_fault_is_tried_again(bench, shaky):
    *progress, result = bench.service.load(shaky(2), cancelled=lambda: False)
    assert result.tables[0].rows == 3
    assert sum("Trying again" in each.message for each in progress) == 2


@pytest.mark.parametrize("given", [(3, True), (1, False)])
def test_a_fault_that_stays_ends_the_load_and_changes_nothing(bench, shaky, given):
    failures, retryable = given
    with pytest.raises(EnvironmentFault, match="The line broke"):
        list(bench.service.load(shaky(failures, retryable=retryable), cancelled=lambda: False))
    assert bench.tables() == []


def test_waiting_for_the_next_try_can_be_cancelled(bench, shaky):
    steps = bench.service.load(shaky(9), cancelled=lambda: True)
    with pytest.raises(Cancelled):
        list(steps)


def test_progress_says_how_far_a_statement_is(bench, write):
    path = write("big.csv", "id,v\n" + "".join(f"{n},some text\n" for n in range(1_500_000)))
    result = bench.load(path)
    shares = [each for each in bench.progress if each.message.endswith("%")]
    assert result.tables[0].rows == 1_500_000
    assert all(0 < each.bytes <= each.total_bytes for each in shares)


def _command(bench, *words, **options):
    arguments = [sys.executable, "-m", "pluto_duck_cli", "ingest", *words, "--root", str(bench.paths.root)]
    return subprocess.run(arguments, capture_output=True, text=True, check=False, **options)


def test_the_command_line_runs_several_recipes_and_reads_standard_input(bench, write):
    for name in ("one", "two"):
        path = write(f"{name}.csv", "id,v\n1,a\n")
        _recipe(bench, name, f"config: {{path: {path}}}")
    bench.warehouse.close()
    done = _command(bench, "run", "one", "two")
    assert (done.returncode, done.stdout) == (0, "one: 1 rows\ntwo: 1 rows\n"), done.stderr
    piped = _command(bench, "-", "--table", "three", input='{"a": 1}\n{"a": 2}\n')
    assert piped.stdout == "three: 2 rows\n", piped.stderr
    assert not list(bench.paths.temp.iterdir())
    bench.warehouse = type(bench.warehouse).open(bench.paths.warehouse)
    assert bench.tables() == ["one", "three", "two"]
    bench.warehouse.close()
