"""The demo shop, generated once, loaded into schema raw and built by dbt, all in a temporary folder."""

import json
import pickle
import shutil
import sqlite3
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import duckdb
import polars
import pytest

from pluto_duck_backend.agent.workspace import Workspace
from pluto_duck_backend.app.core.config import load_settings
from pluto_duck_backend.app.core.dbt_models import Models, write_models
from pluto_duck_backend.app.services.demo import FILES, DemoTruth, generate
from pluto_duck_backend.app.services.transformation.manifest import relations

PROJECT = Path(__file__).parents[2] / "dbt_project"


@dataclass(frozen=True)
class Demo:
    """The generated files, the built warehouse, the truth, dbt's results by node name and its artifacts."""

    folder: Path
    warehouse: Path
    truth: DemoTruth
    results: dict[str, str]
    target: Path


@pytest.fixture(scope="session")
def demo(made_once, tmp_path_factory):
    """The demo at full scale, after `dbt build`: a copy, which its process may open."""
    folder = tmp_path_factory.mktemp("demo") / "copy"
    shutil.copytree(made_once("demo", _build), folder)
    truth, results = pickle.loads((folder / "known").read_bytes())
    return Demo(folder / "files", folder / "warehouse.duckdb", truth, results, folder / "target")


def _build(folder):
    truth = generate(folder / "files")
    load_raw(folder / "files", folder / "warehouse.duckdb")
    results = run_dbt("build", folder / "warehouse.duckdb", folder / "target")
    (folder / "known").write_bytes(pickle.dumps((truth, results)))


@pytest.fixture(scope="session")
def marts(demo):
    """A connection to the built warehouse, of the same kind as the one dbt keeps open in this process."""
    with duckdb.connect(str(demo.warehouse)) as connection:
        yield connection


@pytest.fixture(scope="session")
def shop(demo, marts, tmp_path_factory):
    """A workspace over a copy of the demo's warehouse, with what dbt says of it."""
    settings = load_settings(tmp_path_factory.mktemp("shop") / "root")
    paths = settings.paths.create()
    marts.execute("CHECKPOINT")
    shutil.copy(demo.warehouse, paths.warehouse)
    manifest, semantic = (
        json.loads((demo.target / name).read_text()) for name in ("manifest.json", "semantic_manifest.json")
    )
    found = relations(manifest, demo.warehouse.stem, Models(), {})
    write_models(paths, Models().with_project("pluto_duck", PROJECT, found, semantic))
    workspace = Workspace.open(settings, wait_s=0)
    yield workspace
    workspace.close()


def answer(workspace, question, conversation_id=None):
    """The final object of a question, in a conversation where one is named; empty where the run failed."""
    handle = workspace.runs.start(question, conversation_id=conversation_id)
    events = list(workspace.runs.log(handle.run_id).follow())
    return next((each["content"] for each in events if (each["type"], each["subtype"]) == ("message", "final")), {})


def load_raw(folder: Path, warehouse: Path) -> None:
    """Every file of the demo as tables of schema raw, types as DuckDB and SQLite give them."""
    with duckdb.connect(str(warehouse)) as connection:
        connection.execute("create schema raw")
        for name, tables in FILES.items():
            if name.endswith(".sqlite"):
                _load_sqlite(connection, folder / name, tables)
            else:
                connection.execute(f"create table raw.{tables[0]} as from '{folder / name}'")


def run_dbt(command: str, warehouse: Path, target: Path) -> dict[str, str]:
    """Runs dbt in this process; the status of every node, or of nothing for `parse`."""
    from dbt.cli.main import dbtRunner

    place = ["--project-dir", str(PROJECT), "--profiles-dir", str(PROJECT)]
    output = ["--target-path", str(target), "--log-path", str(target / "logs")]
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PLUTODUCK_WAREHOUSE", str(warehouse))
        outcome = dbtRunner().invoke([command, *place, *output, "--quiet"])
    if outcome.exception:
        raise outcome.exception
    return {one.node.name: str(one.status) for one in getattr(outcome.result, "results", ())}


def _load_sqlite(connection, path: Path, tables: tuple[str, ...]) -> None:
    with closing(sqlite3.connect(path)) as source:
        for table in tables:
            rows = source.execute(f"select * from {table}")
            names = [column[0] for column in rows.description]
            frame = polars.DataFrame(rows.fetchall(), schema=names, orient="row", infer_schema_length=None)
            frame.write_parquet(copy := path.with_name(f"{table}.loading"))
            connection.execute(f"create table raw.{table} as from read_parquet('{copy}')")
            copy.unlink()
