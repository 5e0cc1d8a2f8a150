"""The last report of each suite and provider, kept in the root so that the next one can show what flipped.

Called by the `eval` command: `read` before, `keep` after an evaluation. A file holds the last verdict on each question
of the suite: a run of a part replaces only what it asked, so that the part's verdicts are not all that is remembered.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
from collections.abc import Collection
from dataclasses import replace
from pathlib import Path

from pluto_duck_backend.agent.evaluation_report import Report
from pluto_duck_backend.app.core.errors import EnvironmentFault, InvalidInput, NotFound
from pluto_duck_backend.app.core.paths import Paths


def place(paths: Paths, suite: Path, provider: str, model: str | None = None) -> Path:
    """`<suite>-<provider>.json`, with the model where one is named; characters fit for any file system."""
    name = "-".join(filter(None, (suite.stem, provider, model)))
    return paths.evaluations / f"{re.sub(r'[^0-9A-Za-z._-]+', '_', name)}.json"


def read(path: Path) -> Report:
    """The report in `path`. Raises NotFound where there is none, InvalidInput where it is something else."""
    if not path.is_file():
        raise NotFound(f"No report at {path}.", code="report_not_found", hint="Give the --output of an earlier eval.")
    try:
        return Report.from_dict(json.loads(path.read_bytes()))
    except (ValueError, OSError) as error:
        hint = "Give the --output of an earlier eval."
        raise InvalidInput(f"{path} is not an evaluation report: {error}", code="bad_report", hint=hint) from error
    except InvalidInput as error:
        raise InvalidInput(f"{path}: {error.message}", code="bad_report", hint=error.hint) from error


def keep(path: Path, report: Report, before: Report | None, suite: Collection[str]) -> None:
    """Replace the file with this report and, of `before`, what belongs to the `suite` and was not asked now.

    Replaced at once: a reader never meets half a file. Raises EnvironmentFault where it cannot be written.
    """
    asked = report.rights()
    rest = [each for each in before.results if each.id in suite and each.id not in asked] if before else []
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        part.write_text(as_json(replace(report, results=(*report.results, *rest))), encoding="utf-8")
        part.replace(path)
    except OSError as error:
        raise _not_written(path, error) from error
    finally:
        with contextlib.suppress(OSError):
            part.unlink()


def as_json(report: Report) -> str:
    """The text that `read` reads."""
    return json.dumps(report.to_dict(), default=str, ensure_ascii=False)


def write(path: Path, text: str) -> None:
    """A file's text. Raises EnvironmentFault naming the file where it cannot be written."""
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise _not_written(path, error) from error


def _not_written(path: Path, error: OSError) -> EnvironmentFault:
    message = f"{path} cannot be written: {error.strerror or error}"
    return EnvironmentFault(message, code="report_not_written", hint="Free space or give another place.")
