"""The direction of imports, and what the lightest commands may load."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
HEAVY = {"langgraph", "langchain_core", "dbt", "fastapi", "polars", "sqlglot", "duckdb"}


def test_the_import_contracts_hold():
    script = "from importlinter.cli import lint_imports_command; lint_imports_command(['--no-cache'])"
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


def _loaded_by(statement):
    report = f"import sys; {statement}; print(*{{name.split('.')[0] for name in sys.modules}})"
    done = subprocess.run([sys.executable, "-c", report], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


def test_listing_the_actions_loads_nothing_heavy():
    """A coding agent waits for it before its first call."""
    loaded = _loaded_by("from pluto_duck_backend.agent.actions import registry; registry.installed()")
    assert not ({*HEAVY, "numpy"} - {"duckdb"}) & loaded


def test_a_query_waits_for_no_analyst():
    """What only queries or loads needs neither the embedded analyst nor the graph of a run."""
    loaded = _loaded_by("from pluto_duck_backend.agent import workspace")
    assert not ({*HEAVY, "numpy"} - {"duckdb"}) & loaded


def test_importing_a_package_loads_nothing_heavy():
    for package in ("pluto_duck", "pluto_duck_backend", "pluto_duck_cli", "pluto_duck_text2sql"):
        assert not HEAVY & _loaded_by(f"import {package}")
