"""`pluto-duck demo`: a shop's files, ingested, built by dbt, and three questions answered."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pluto_duck_backend.app.core.config import load_settings
from pluto_duck_cli import exit_codes, render
from pluto_duck_cli.asking import Question, end_of, follow
from pluto_duck_cli.client import Client, connect
from pluto_duck_cli.options import Json, Root, command_line
from pluto_duck_cli.working import work

app = command_line("Build a demo shop and answer three questions about it.")


@app.command()
def demo(root: Root = None, json: Json = False) -> int:
    """Build a demo shop (about 100,000 rows) and answer three questions about it. Safe to run again."""
    from pluto_duck_backend.app.services.demo import SHOWCASE, generate
    from pluto_duck_backend.app.services.transformation import add_demo

    settings = load_settings(root)
    paths = settings.paths.create()
    files = paths.root / "demo"
    add_demo(paths.root / "dbt_project")
    render.talk(f"1. Writing three years of a small shop to {files}")
    truth = generate(files)
    with connect(settings) as client:
        _build(client, files, paths.root / "dbt_project")
        render.talk("4. Three questions, no model:")
        right = [_ask(client, each.question, each.answer(truth), json) for each in SHOWCASE]
    _next_steps(root)
    return exit_codes.DONE if all(right) else exit_codes.FAILED


def _build(client: Client, files: Path, project: Path) -> None:
    render.talk("2. Ingesting the files into schema raw")
    for request in _requests(files):
        result = work(client, "ingest", client.ingest(request), lambda event: None)["result"]
        for table in result["tables"]:
            render.talk(f"   {table['table']}: {table['rows']:,} rows")
    render.talk("3. dbt build: staging, marts, tests")
    result = work(client, "dbt", client.dbt("build", {"project_dir": str(project)}), lambda event: None)["result"]
    counts = ", ".join(f"{count} {status}" for status, count in sorted(result["counts"].items()))
    render.talk(f"   {counts}")
    if not result["success"]:
        from pluto_duck_backend.app.core.errors import Conflict

        raise Conflict(f"dbt build failed: {result['message']}", code="demo_not_built", hint=result["hint"])


def _requests(files: Path) -> list[dict[str, Any]]:
    from pluto_duck_backend.app.services.demo import FILES

    return [
        {
            "connector": "auto",
            "config": {"path": str((files / name).absolute())},
            "target": "raw.*" if len(tables) > 1 else f"raw.{tables[0]}",
            "mode": "replace",
        }
        for name, tables in FILES.items()
    ]


def _ask(client: Client, question: str, truth: Sequence[Sequence[Any]], as_json: bool) -> bool:
    """Show the answer, and whether it is what the generator knows to be true."""
    from pluto_duck_backend.agent.evaluation import matches

    end = end_of(follow(client, Question(question)))
    if as_json:
        render.json_line({"question": question, "status": end.status, "final": end.final, "error": end.error})
        return bool(end.final and matches(truth, end.final["rows"], ordered=False))
    render.data(f"\n? {question}")
    if end.final:
        render.answer(end.final)
    else:
        render.error((end.error or {}).get("message", "cancelled"))
    right = bool(end.final and matches(truth, end.final["rows"], ordered=False))
    render.data("  ✓ as the generator knows it" if right else f"  ✗ the generator knows it to be {list(truth)}")
    return right


def _next_steps(root: Path | None) -> None:
    flag = f" --root {root}" if root else ""
    render.talk(f"\nTry next:\n  pluto-duck ask{flag} 'revenue by month in 2025'")
    render.talk(f"  pluto-duck agent-stream{flag} 'average order value by channel'")
    render.talk(f"  pluto-duck schema{flag}\n  pluto-duck serve{flag}     # then open http://127.0.0.1:8000")
