"""An agent as one file to send: a zip of its texts. What comes from elsewhere is looked at before anything is kept.

Refused are names that lead out of the folder, links, what unpacks to more than an agent may hold, encrypted parts, and
what looks like a secret. `demands` says in words what an agent would be given.
"""

from __future__ import annotations

import io
import re
import stat
import zipfile
import zlib
from collections.abc import Mapping

from pluto_duck_backend.agent.agents.definition import Definition, bad_definition, check_name
from pluto_duck_backend.agent.agents.files import LARGEST, MOST_FILES, check_texts
from pluto_duck_backend.app.core.config import Settings
from pluto_duck_backend.app.core.errors import InvalidInput

_LARGEST_ARCHIVE = 5_000_000
_EPOCH = (1980, 1, 1, 0, 0, 0)
_SECRETS = {
    "a private key": re.compile(r"-----BEGIN [A-Z ]*PRIVATE KEY-----"),
    "a token of ours": re.compile(r"\bpd_[A-Za-z0-9_-]{40,}"),
    "an API key": re.compile(
        r"\b(?:sk|rk|pk)-[A-Za-z0-9_-]{20,}|\bAIza[A-Za-z0-9_-]{30,}|\bgh[pousr]_[A-Za-z0-9]{30,}"
    ),
    "an access key": re.compile(r"\b(?:AKIA|ASIA)[A-Z0-9]{16}\b"),
    "a password": re.compile(r"://[^\s/:@]+:[^\s/@]+@"),
}


def packed(name: str, texts: Mapping[str, str]) -> bytes:
    """The archive of an agent's files, the same bytes for the same texts. Raises InvalidInput for a secret in it."""
    _check_secrets(texts, name)
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for file in sorted(texts):
            archive.writestr(zipfile.ZipInfo(f"{name}/{file}", _EPOCH), texts[file].encode(), zipfile.ZIP_DEFLATED)
    return made.getvalue()


def unpacked(data: bytes, place: str) -> tuple[str, dict[str, str]]:
    """`(name, texts)` of an archive, checked; the name is its folder's. Raises InvalidInput naming what is wrong."""
    if len(data) > _LARGEST_ARCHIVE:
        raise _refused(place, f"it has {len(data):,} bytes; at most {_LARGEST_ARCHIVE:,} are read")
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            parts = [each for each in archive.infolist() if not each.is_dir()]
            if len(parts) > MOST_FILES:
                raise _refused(place, f"it holds {len(parts)} files; an agent has at most {MOST_FILES}")
            read = {each.filename: _text(archive, each, place) for each in parts}
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError, ValueError, zlib.error) as error:
        # NotImplementedError: a feature that zipfile lacks; RuntimeError: an encrypted part; ValueError: an offset
        # before the beginning
        raise _refused(place, f"it is no archive that can be read: {error}") from error
    name, texts = _flat(read, place)
    check_name(name)
    _check_secrets(texts, place)
    check_texts(texts, place)
    return name, texts


def demands(definition: Definition, settings: Settings) -> list[str]:
    """What this agent would see and may do, in sentences."""
    own = definition.settings(settings)
    servers = [line for name, server in definition.servers.items() for line in server.demands(name)]
    return [_reads(definition), _answers(own), _costs(definition), *_calls(definition), *servers]


def _reads(definition: Definition) -> str:
    scope = definition.scope
    if scope is None:
        return "It reads all that its asker may see."
    rows = [f"of {table} the rows where {condition}" for table, condition in scope.rows.items()]
    columns = [f"of {table} the columns {', '.join(names)}" for table, names in scope.columns.items()]
    return f"It reads {', '.join(scope.tables)}" + "".join(f"; {each}" for each in [*rows, *columns]) + "."


def _answers(own: Settings) -> str:
    who = " ".join(filter(None, (own.agent.provider, own.agent.model)))
    if own.agent.provider == "embedded" or own.agent.policy == "local-only":
        return f"It answers by {who}; nothing leaves the house."
    return f"It answers by {who}, policy {own.agent.policy}; a hosted model may see: {own.agent.privacy}."


def _costs(definition: Definition) -> str:
    limits = {name: value for name, value in definition.budget.model_dump().items() if value}
    listed = ", ".join(f"{value:g} {name}" for name, value in limits.items())
    return f"One question may cost at most {listed}." if limits else "Its questions cost what the settings let them."


def _calls(definition: Definition) -> list[str]:
    if definition.tools is None:
        return []
    return [f"Tokens bound to it may call {', '.join(definition.tools) or 'nothing'}."]


def _text(archive: zipfile.ZipFile, part: zipfile.ZipInfo, place: str) -> str:
    """Read no further than an agent's file may be long, whatever the archive says of its size."""
    if stat.S_ISLNK(part.external_attr >> 16):
        raise _refused(place, f"{part.filename[:80]!r} is a link")
    if part.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise _refused(place, f"{part.filename[:80]!r} is compressed in another way than deflate")
    with archive.open(part) as file:
        data = file.read(LARGEST + 1)
    if len(data) > LARGEST:
        raise _refused(place, f"{part.filename[:80]!r} unpacks to more than {LARGEST:,} bytes")
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        raise _refused(place, f"{part.filename[:80]!r} is no UTF-8 text") from error


def _flat(read: Mapping[str, str], place: str) -> tuple[str, dict[str, str]]:
    """The one folder's name, and its files by theirs."""
    split = {tuple(file.split("/")): text for file, text in read.items()}
    folders = {parts[0] for parts in split}
    if len(folders) != 1 or not all(len(parts) == 2 or (len(parts) == 4 and parts[1] == "skills") for parts in split):
        raise _refused(place, "it wants one folder, named as the agent, with files and skills in it and nothing else")
    return folders.pop(), {"/".join(parts[1:]): text for parts, text in split.items()}


def _check_secrets(texts: Mapping[str, str], place: str) -> None:
    for file, text in texts.items():
        for what, pattern in _SECRETS.items():
            found = pattern.search(text)
            if found:
                line = text.count("\n", 0, found.start()) + 1
                raise _refused(f"{place}: {file}:{line}", f"it holds what looks like {what}")


def _refused(place: str, problem: str) -> InvalidInput:
    return bad_definition(f"{place}: {problem}.")
