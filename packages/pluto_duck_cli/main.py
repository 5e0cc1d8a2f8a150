"""The entry point: finds the command, loads its module, turns errors into two lines and an exit code.

`pluto-duck --help` must stay instant, so the commands are listed here and imported only when one is named.
"""

from __future__ import annotations

import atexit
import contextlib
import errno
import gc
import os
import sys
from importlib import import_module
from typing import Any, NoReturn

from pluto_duck_cli import exit_codes

COMMANDS = {
    "init": "Set up a data root: folders, config.toml, a dbt project.",
    "demo": "Build a demo shop and answer three questions about it.",
    "ingest": "Load files and databases into tables.",
    "sources": "What came from where, and when.",
    "schema": "Tables, columns, keys and statistics.",
    "agent": "Ask a question in plain words (alias: ask).",
    "agent-stream": "Ask, and watch every step; one JSON event a line when piped.",
    "chat": "A conversation: questions that lean on each other, /sql, /chart, /export.",
    "query": "Run SQL, read-only.",
    "dbt": "Run dbt on the warehouse, while others read.",
    "metrics": "List and query the metrics that dbt projects define.",
    "runs": "List, show, replay, cancel, confirm, save and export runs.",
    "boards": "Pin answers side by side, run them again, write them as one HTML file.",
    "eval": "Score answers against a suite of questions.",
    "actions": "What can be done for programs: the tools of MCP and HTTP, listed and called.",
    "mcp": "Serve questions, SQL and the schema to coding agents (Model Context Protocol).",
    "serve": "Serve the API and the page; other commands then go through it.",
    "agents": "Who answers what: agents as files, deployed, removed, exported and imported.",
    "tokens": "Make, list and revoke the tokens that others call the server with.",
    "doctor": "Check the installation and the data root.",
    "config": "Every setting, its value and where it comes from.",
}
_ALIASES = {"ask": "agent"}
_COLLECT_AFTER = (50_000, 20, 20)
#   what is imported lives as long as the process; looking through it again and again was a fifth of a command's start
_COMMON = {
    "--root": True,
    "--provider": True,
    "--model": True,
    "--conversation": True,
    "--agent": True,
    "--json": False,
}


def run(arguments: list[str] | None = None) -> NoReturn:
    """Run the command line and exit; for a process of its own."""
    gc.set_threshold(*_COLLECT_AFTER)
    ended: list[int] = []
    atexit.register(_leave, ended)
    ended.append(execute(sys.argv[1:] if arguments is None else arguments))
    sys.exit(ended[0])


def _leave(ended: list[int]) -> None:
    """The end, after all that others do at the end, without taking Python apart.

    That takes time, and where a thread still waits for something DuckDB prints pages about it, from 2.0 on.
    """
    with contextlib.suppress(OSError):
        sys.stdout.flush()
        sys.stderr.flush()
        if ended:
            os._exit(ended[0])


def execute(arguments: list[str]) -> int:
    """The exit code of a command line."""
    common, rest = _split(arguments)
    if not rest or rest[0] in ("-h", "--help", "help"):
        print(_help())
        return exit_codes.DONE if rest else exit_codes.WRONG_USAGE
    if rest[0] == "--version":
        from pluto_duck_backend import __version__

        print(__version__)
        return exit_codes.DONE
    if not all(map(_is_text, rest)):
        print("error: An argument is no text in UTF-8.\nhint: Check the terminal's encoding.", file=sys.stderr)
        return exit_codes.WRONG_USAGE
    name = _ALIASES.get(rest[0], rest[0])
    if name not in COMMANDS:
        return _unknown(rest[0])
    flags_end = rest.index("--") if "--" in rest else len(rest)
    return _call(name, [*rest[1:flags_end], *common, *rest[flags_end:]])


def _is_text(argument: str) -> bool:
    """Bytes that are no UTF-8 come as halves of surrogate pairs, which no event log takes."""
    return argument.isascii() or not any("\ud800" <= each <= "\udfff" for each in argument)


def _split(arguments: list[str]) -> tuple[list[str], list[str]]:
    """The common flags before the command, and the rest."""
    common: list[str] = []
    rest = list(arguments)
    while rest and rest[0].split("=")[0] in _COMMON:
        takes_value = _COMMON[rest[0].split("=")[0]] and "=" not in rest[0]
        common += [rest.pop(0) for _ in range(min(2 if takes_value else 1, len(rest)))]
    return common, rest


def _help() -> str:
    width = max(map(len, COMMANDS)) + 2
    lines = [f"  {name:<{width}}{text}" for name, text in COMMANDS.items()]
    return "\n".join(
        [
            "Usage: pluto-duck COMMAND [OPTIONS]",
            "",
            "Ask your data in plain words, get an answer you can check.",
            "",
            "Commands:",
            *lines,
            "",
            "Common options: --root DIR, --json, --provider NAME, --model NAME, --conversation ID, --agent NAME",
            "`pluto-duck COMMAND --help` tells more.",
        ]
    )


def _unknown(name: str) -> int:
    from difflib import get_close_matches

    close = get_close_matches(name, COMMANDS, n=1)
    hint = f"Did you mean {close[0]}?" if close else f"Commands: {', '.join(COMMANDS)}."
    print(f"error: There is no command {name!r}.\nhint: {hint}", file=sys.stderr)
    return exit_codes.WRONG_USAGE


def _call(name: str, arguments: list[str]) -> int:
    """Import the command and run it; every error leaves by here."""
    import typer

    from pluto_duck_backend.app.core.errors import PlutoDuckError
    from pluto_duck_cli import render

    # typer exports no common base of its usage errors; this is the one BadParameter has.
    usage_error: Any = typer.BadParameter.__mro__[2]
    as_json = "--json" in arguments
    try:
        app: Any = import_module(f"pluto_duck_cli.commands.{name.replace('-', '_')}").app
        result = app(args=arguments, prog_name=f"pluto-duck {name}", standalone_mode=False)
        return result if isinstance(result, int) else exit_codes.DONE
    except PlutoDuckError as error:
        render.error(error.message, error.hint, as_json=as_json, **_extra(error))
        return error.exit_code
    except usage_error as error:
        render.error(error.format_message(), f"`pluto-duck {name} --help` tells more.", as_json=as_json)
        return exit_codes.WRONG_USAGE
    except (KeyboardInterrupt, typer.Abort):
        render.talk("interrupted")
        return exit_codes.INTERRUPTED
    except OSError as error:
        return _not_written(error, as_json)


def _not_written(error: OSError, as_json: bool) -> int:
    """The exit code where the system takes no more; a reader that went away has read what it wanted."""
    from pluto_duck_cli import render

    _write_no_more()
    if isinstance(error, BrokenPipeError):
        return exit_codes.DONE
    place = f": {error.filename}" if error.filename else ""
    hint = "Free some space, or write elsewhere." if error.errno == errno.ENOSPC else ""
    render.error(f"{error.strerror or error}{place}", hint, as_json=as_json, code="system", status=500)
    return exit_codes.FAILED


def _write_no_more() -> None:
    """What is still to be written to the output goes nowhere, so that it fails no second time."""
    with contextlib.suppress(OSError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _extra(error: Any) -> dict[str, Any]:
    if os.environ.get("PLUTODUCK_DEBUG"):
        import traceback

        traceback.print_exception(error)
    return {"code": error.code, "status": error.status}


if __name__ == "__main__":
    run()
