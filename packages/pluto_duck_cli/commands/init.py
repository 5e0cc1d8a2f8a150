"""`pluto-duck init`: a data root with a commented config.toml and a dbt project to fill. Overwrites nothing."""

from __future__ import annotations

from pluto_duck_backend.app.core.config import Settings, load_settings
from pluto_duck_cli import render
from pluto_duck_cli.options import Json, Root, command_line

app = command_line("Set up a data root.")


@app.command()
def init(root: Root = None, json: Json = False) -> int:
    """Set up a data root: folders, config.toml, a dbt project without models. What is there already stays."""
    from pluto_duck_backend.app.services.transformation import copy_starter

    settings = load_settings(root)
    paths = settings.paths.create()
    if not paths.config_file.exists():
        paths.config_file.touch(mode=0o600)  # it may come to hold tokens
        paths.config_file.write_text(_commented())
    copied = copy_starter(paths.root / "dbt_project")
    render.data(str(paths.root))
    render.talk(f"dbt project {'set up' if copied else 'was there already'}.")
    render.talk("Next: pluto-duck ingest FILE, then pluto-duck dbt scaffold")
    return 0


def _commented() -> str:
    """Every setting with its sentence and default, commented out."""
    lines = ["# Settings of this data root; remove a # to set one.", ""]
    for group, field in Settings.model_fields.items():
        inner = getattr(field.annotation, "model_fields", None)
        if not inner:
            continue
        lines.append(f"[{group}]")
        for key, each in inner.items():
            default = "" if each.default is None else each.default
            shown = f'"{default}"' if isinstance(default, str) else str(default).lower()
            lines += [f"# {each.description}", f"# {key} = {shown}"]
        lines.append("")
    return "\n".join(lines)
