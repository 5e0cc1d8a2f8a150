"""From what the user named to requests and files: paths, globs, folders and URLs.

The command line and the service call it. What must stay true: the same name always gives the same files, in order.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pluto_duck_backend.app.core.errors import InvalidInput, NotFound, did_you_mean
from pluto_duck_backend.app.services.ingestion import registry

_WILD = frozenset("*?[")
_URL = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]+://")


def is_url(source: str) -> bool:
    """Whether a source is named by a URL and not by a path."""
    return _URL.match(source) is not None


def named(sources: Sequence[str], table: str | None, options: Mapping[str, Any]) -> list[dict[str, Any]]:
    """One request a source, or one for all files where the table is named. Paths become absolute."""
    urls = [{"config": {"url": each}, "target": table, **options} for each in sources if is_url(each)]
    paths = [str(Path(each).expanduser().absolute()) for each in sources if not is_url(each)]
    if table and paths:
        config: dict[str, Any] = {"path": paths[0]} if len(paths) == 1 else {"paths": paths}
        return [*urls, {"config": config, "target": table, **options}]
    return [*urls, *({"config": {"path": path}, "target": None, **options} for path in paths)]


def files_of(config: Mapping[str, Any]) -> list[Path]:
    """The files that `config["path"]` or `config["paths"]` name, without doubles.

    Raises InvalidInput where neither is given or a file is empty, NotFound where there is nothing.
    """
    named = config.get("paths", config.get("path"))
    texts = [named] if isinstance(named, str) else named
    if not isinstance(texts, list) or not texts or not all(isinstance(each, str) and each for each in texts):
        raise InvalidInput(
            f"A file source needs `path` (text) or `paths` (a list of texts), not {named!r}.",
            code="bad_ingest_request",
            hint='For example {"path": "orders.csv"}.',
        )
    return list(dict.fromkeys(file for text in texts for file in expand(text)))


def expand(text: str) -> list[Path]:
    """The files behind one path, glob or folder; raises where there is none or one is empty."""
    path = Path(text).expanduser()
    if path.is_dir():
        files = _in_folder(path)
    elif path.exists() or not _WILD.intersection(text):
        files = [path]
    else:
        files = sorted(each for each in _matching(path) if each.is_file())
    if not files:
        raise NotFound(f"No file matches {text}.", code="file_not_found", hint="Check the pattern.")
    for each in files:
        _check(each)
    return [each.absolute() for each in files]


def _matching(pattern: Path) -> list[Path]:
    """What lies below the pattern's fixed part and fits its wild part; `**` goes down folders."""
    parts = pattern.absolute().parts
    first = next(i for i, part in enumerate(parts) if _WILD.intersection(part))
    return list(Path(*parts[:first]).glob(str(Path(*parts[first:]))))


def _in_folder(folder: Path) -> list[Path]:
    known = registry.suffixes()
    files = sorted(each for each in folder.iterdir() if each.is_file() and not each.name.startswith("."))
    wanted = [each for each in files if registry.suffix_of(each) in known]
    if not wanted:
        raise NotFound(
            f"Folder {folder} holds no file that a connector reads. Known endings: {', '.join(sorted(known))}.",
            code="folder_without_data",
            hint="Name a file, or a pattern such as 'folder/**/*.csv' for folders below.",
        )
    return wanted


def _check(path: Path) -> None:
    if path.is_symlink() and not path.exists():
        raise NotFound(
            f"{path} is a link to {path.readlink()}, which does not exist.",
            code="file_not_found",
            hint="Put the file there, or name the one that is meant.",
        )
    if path.exists() and not path.is_file() and not path.is_dir():
        raise InvalidInput(
            f"{path} is a pipe or a device, not a file.",
            code="not_that_format",
            hint="Standard input is read by `pluto-duck ingest - --table NAME`.",
        )
    if not path.exists():
        siblings = [each.name for each in path.parent.iterdir()] if path.parent.is_dir() else []
        raise NotFound(
            f"File {path} does not exist. {did_you_mean(path.name, siblings, limit=1)}".rstrip(),
            code="file_not_found",
            hint=f"It was looked for in {path.parent.absolute()}.",
        )
    if path.stat().st_size == 0:
        raise InvalidInput(f"File {path} is empty (0 bytes).", code="empty_file", hint="Check how it was made.")
