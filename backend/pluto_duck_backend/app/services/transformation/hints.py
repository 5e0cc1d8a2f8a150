"""The next step after what dbt complains of: its own message names file and line, this says what to do."""

from __future__ import annotations

import re

_LOG = "dbt's log is in artifacts/dbt/logs/dbt.log."
_PROFILE = "Mend profiles.yml beside dbt_project.yml: type duckdb, path \"{{ env_var('PLUTODUCK_WAREHOUSE') }}\"."
_MACRO = (
    "Mend the macro's name, or write it below macros/; "
    "a package's macro needs its package in packages.yml and `pluto-duck dbt deps`."
)
_PACKAGE = "Where a package is missing: name it in packages.yml and run `pluto-duck dbt deps`."
_NAME = "Mend the name in ref() or source(), or declare it; `pluto-duck dbt ls` lists what there is."
_TABLE = "Load or build the table that is missing first (`pluto-duck ingest`, `pluto-duck dbt build --select +MODEL`)."
_STEPS: tuple[tuple[str, str], ...] = (
    (r"cycle", "Break the circle: one of these models must not ref the other."),
    (r"could not find profile|profiles?\.yml|does not have a target", _PROFILE),
    (r"is undefined|could not find a macro", _MACRO),
    (r"dbt deps|packages? .*(?:not|missing|required)", _PACKAGE),
    (r"depends on a (?:node|source) named", _NAME),
    (r"no such option|got unexpected|is not one of|requires an argument", "`dbt COMMAND --help` lists dbt's flags."),
    (r"^last loaded", "Load the source again; `pluto-duck sources` shows what it was loaded from."),
    (r"catalog error: table with name", _TABLE),
    (r"binder error|catalog error|parser error", "Mend the model's SQL; what ran is in artifacts/dbt/target/run."),
)


def next_step(message: str) -> str:
    """What to do about an error of dbt's."""
    step = next(
        (step for pattern, step in _STEPS if re.search(pattern, message, re.IGNORECASE)), "Mend what dbt names."
    )
    return f"{step} {_LOG}"
