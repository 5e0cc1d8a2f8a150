"""The projects of tests/fixtures/dbt by dbt itself and by Pluto-Duck: the same exit codes, nodes, statuses and tables.

dbt itself is its dbtRunner in a process that knows nothing of us, on a file of its own. `{state}` in a command is the
target folder as it was after the project's last command. PROJECTS names some of the projects. Ends with 1 where
something differs.
"""

import json
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import duckdb

from pluto_duck_backend.app.core.config import DbtSettings, load_settings
from pluto_duck_backend.app.core.errors import DbtRefused
from pluto_duck_backend.app.core.warehouse import Warehouse
from pluto_duck_backend.app.services.transformation import DbtService

FIXTURES = Path(__file__).parents[1] / "fixtures" / "dbt"
PLAIN = """
import json, sys, contextlib
from dbt.cli.main import dbtRunner
told = sys.stdout
for line in sys.stdin:
    with contextlib.redirect_stdout(sys.stderr):
        ended = dbtRunner().invoke(["--quiet", *json.loads(line)])
    nodes = [] if ended.exception else getattr(ended.result, "results", None) or []
    nodes = [[getattr(getattr(each, "node", None), "unique_id", ""), str(each.status), getattr(each, "failures", None)]
             for each in nodes]
    listed = sorted(ended.result) if isinstance(ended.result, list) else []
    code = 2 if ended.exception else 0 if ended.success else 1
    print(json.dumps([code, sorted(nodes), listed, str(ended.exception or "")]), file=told, flush=True)
"""
OWN_TIMES = ("dbt_valid_from", "dbt_valid_to", "dbt_updated_at", "dbt_scd_id", "valid_from", "valid_to")
#   columns of snapshots that say when they were taken


def main() -> None:
    differing = 0
    for name, commands in _projects().items():
        if name in os.environ.get("PROJECTS", name).split(","):
            with tempfile.TemporaryDirectory() as folder:
                differing += _differences(name, commands, Path(folder))
    if differing:
        sys.exit(1)


def _projects() -> dict[str, list[list[str]]]:
    """The commands of each project."""
    found: dict[str, list[list[str]]] = {}
    for line in (FIXTURES / "commands.txt").read_text().splitlines():
        if line.startswith("["):
            here = found.setdefault(line.strip("[]"), [])
        elif line and not line.startswith("#"):
            here.append(shlex.split(line))
    return found


def _differences(name: str, commands: list[list[str]], folder: Path) -> int:
    """Runs both, prints what differs; how many commands do."""
    plain, inside = _Plain(name, folder), _Inside(name, folder)
    differing = 0
    for words in commands:
        theirs, ours = plain.run(words), inside.run(words)
        print(f"{name}: dbt {shlex.join(words)}: {theirs[0]}, {len(theirs[1])} nodes {theirs[3][:200]}", flush=True)
        if theirs[:3] != ours[:3]:
            differing += 1
            print(f"  dbt: {theirs}\n  here: {ours}", flush=True)
    inside.close()
    plain.close()
    tables, others = _tables(plain.file), _tables(inside.file)
    for table in sorted({*tables, *others}):
        if tables.get(table) != others.get(table):
            differing += 1
            print(f"{name}: {table}\n  dbt: {tables.get(table)}\n  here: {others.get(table)}", flush=True)
    print(f"{name}: {len(commands)} commands, {len(tables)} tables and views; {differing} differ", flush=True)
    return differing


class _Plain:
    """dbt itself."""

    def __init__(self, name: str, folder: Path) -> None:
        self.file = folder / "plain" / "warehouse.duckdb"
        self.file.parent.mkdir()
        self._project = shutil.copytree(FIXTURES / name, folder / "plain" / "project")
        self._target, self._state = folder / "plain" / "target", folder / "plain" / "state"
        environment = {**os.environ, "PLUTODUCK_WAREHOUSE": str(self.file), "DO_NOT_TRACK": "1"}
        self._process = subprocess.Popen(
            [sys.executable, "-c", PLAIN],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env=environment,
        )

    def run(self, words: list[str]) -> list:
        _keep_state(words, self._target, self._state)
        places = ["--project-dir", self._project, "--profiles-dir", self._project, "--log-path", self._target.parent]
        places += [] if words[0] in ("deps", "debug") else ["--target-path", self._target]
        command = [str(self._state) if each == "{state}" else each for each in words]
        self._process.stdin.write(json.dumps([*command, *map(str, places)]) + "\n")
        self._process.stdin.flush()
        return json.loads(self._process.stdout.readline())

    def close(self) -> None:
        self._process.stdin.close()
        self._process.wait()


class _Inside:
    """Pluto-Duck."""

    def __init__(self, name: str, folder: Path) -> None:
        paths = load_settings(folder / "root").paths.create()
        self.file = paths.warehouse
        project = shutil.copytree(FIXTURES / name, folder / "project")
        self._warehouse = Warehouse.open(paths.warehouse)
        self._service = DbtService(self._warehouse, paths, DbtSettings(project_dir=project))
        self._target, self._state = paths.dbt / "target", folder / "state"

    def run(self, words: list[str]) -> list:
        _keep_state(words, self._target, self._state)
        command, *args = [str(self._state) if each == "{state}" else each for each in words]
        try:
            *_, result = self._service.run(command, args=args)
        except DbtRefused as error:
            return [error.exit_code, [], [], error.message]
        nodes = sorted([each["node"], each["status"], each["failures"]] for each in result.nodes)
        return [result.exit_code, nodes, sorted(result.output) if command == "ls" else [], result.message]

    def close(self) -> None:
        self._service.close()
        self._warehouse.close()


def _keep_state(words: list[str], target: Path, state: Path) -> None:
    if "{state}" not in words and target.exists():
        shutil.copytree(target, state, dirs_exist_ok=True)


def _tables(file: Path) -> dict[str, list]:
    """Each table and view of the user's: its columns' types, its comments and its rows, in order."""
    with duckdb.connect(str(file), read_only=True) as connection:
        described = connection.execute(
            "SELECT schema_name, table_name, list((column_name, data_type, comment) ORDER BY column_index) "
            "FROM duckdb_columns() WHERE NOT internal GROUP BY ALL"
        ).fetchall()
        return {
            f"{schema}.{table}": [columns, _rows(connection, schema, table, columns)]
            for schema, table, columns in described
        }


def _rows(connection: duckdb.DuckDBPyConnection, schema: str, table: str, columns: list) -> list:
    own = [name for name, *_ in columns if name in OWN_TIMES]
    shown = f"* EXCLUDE ({', '.join(own)})" if own and schema.endswith("history") else "*"
    return sorted(map(str, connection.execute(f'SELECT {shown} FROM "{schema}"."{table}"').fetchall()))


if __name__ == "__main__":
    main()
