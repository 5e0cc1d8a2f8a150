"""Objects of S3, Google Cloud Storage and Azure: fetched into the load's folder, then read as the files they are.

`config`: `url` (`s3://bucket/orders/*.parquet`: one object, a pattern, or a folder that ends in /), `options` of the
store as obstore names them (`access_key_id`, `endpoint`, `region`, …; what is missing comes from the environment),
`format` (a connector) and what that takes. What must stay true: a transfer that breaks is taken up again where it
ended, unless the object changed meanwhile; nothing of an object that did not come whole is loaded.
"""

from __future__ import annotations

import contextlib
import re
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any

from pluto_duck_backend.app.core import secret_references
from pluto_duck_backend.app.core.errors import EnvironmentFault, InvalidInput, NotFound, PlutoDuckError, Refused
from pluto_duck_backend.app.services.ingestion import marks, registry
from pluto_duck_backend.app.services.ingestion.connectors import fetched
from pluto_duck_backend.app.services.ingestion.contract import Config, SourceTable, Toolbox
from pluto_duck_backend.app.services.ingestion.watch import beside

_RESUMES = 3  # without a byte in between
_PIECE = 8 << 20  # bytes
_WILD = re.compile(r"[*?]")
_SHOWN = ("endpoint", "region", "account_name")  # options that are no secrets


@dataclass(frozen=True)
class _Place:
    """A store and the key, pattern or folder in it; `root` is the address of the store."""

    store: Any
    root: str
    key: str
    options: Mapping[str, str]


class ObjectStores:
    name = "objects"
    summary = "Files in S3, Google Cloud Storage and Azure"
    suffixes: tuple[str, ...] = ()
    schemes: tuple[str, ...] = ("s3", "s3a", "gs", "az", "abfs", "abfss")

    @contextlib.contextmanager
    def open(self, config: Config, tools: Toolbox) -> Iterator[Sequence[SourceTable]]:
        """The tables of every object that the URL names."""
        place = _place(config, tools)
        of_file = {name: value for name, value in config.items() if name not in ("url", "options")}
        tables: list[SourceTable] = []
        with contextlib.ExitStack() as stack:
            keys = _keys(place, tools, known_only="format" not in of_file)
            options = sorted(of_file.items())
            found = {f"{place.root}/{key}": marks.mark(key, options, *about) if about else "" for key, about in keys}
            for number, shown in enumerate(tools.wanted(found)):
                path = _fetched(place, shown.removeprefix(f"{place.root}/"), shown, number, tools)
                opened = stack.enter_context(fetched.tables_of(path, shown, of_file, tools))
                tables += [replace(each, mark="" if each.own_name else found[shown]) for each in opened]
            yield tables


def _place(config: Config, tools: Toolbox) -> _Place:
    """Raises InvalidInput for an address without a bucket or an unknown option."""
    scheme, _, path = str(config.get("url", "")).partition("://")
    options = {str(name): str(value) for name, value in (config.get("options") or {}).items()}
    bucket, _, key = path.partition("/")
    root, address = f"{scheme}://{bucket}", f"{scheme}://{bucket}"
    if scheme == "az":  # az://account/container/key
        options = {"account_name": bucket, **options}
        bucket, _, key = key.partition("/")
        root, address = f"{root}/{bucket}", f"az://{bucket}"
    if not bucket.strip("/"):
        raise InvalidInput(
            f"{config.get('url')!r} names no bucket.",
            code="bad_ingest_request",
            hint="Write s3://bucket/path/file.csv, gs://bucket/path/*.csv or az://account/container/path/.",
        )
    return _Place(_store(address, root, options, tools), root, key, options)


def _store(address: str, root: str, options: Mapping[str, str], tools: Toolbox) -> Any:
    """Google's store has other names for two options that all stores share here: `endpoint` and `token`."""
    obstore = _library()
    known, more = dict(options), {}
    if root.startswith("gs:"):
        if "endpoint" in known:
            known["base_url"] = known.pop("endpoint")
        if token := known.pop("token", ""):
            more["credential_provider"] = lambda: {"token": token, "expires_at": None}
    wait = timedelta(seconds=tools.stall_s)
    is_plain = options.get("endpoint", "").startswith("http://")
    client = {"allow_http": is_plain, "connect_timeout": wait, "timeout": wait}
    retry = {"max_retries": 2, "retry_timeout": wait, "backoff": {"init_backoff": timedelta(milliseconds=100)}}
    with _worded(root, options):
        return obstore.store.from_url(address, config=known, client_options=client, retry_config=retry, **more)


def _library() -> Any:
    try:
        import obstore.store
    except ImportError as error:
        raise EnvironmentFault(
            "Objects of S3, Google Cloud Storage and Azure need the package obstore, which is not installed.",
            code="driver_missing",
            hint="pip install 'pluto-duck[objects]'",
        ) from error
    return obstore


def _keys(place: _Place, tools: Toolbox, *, known_only: bool) -> list[tuple[str, tuple[Any, ...]]]:
    """The keys that the address names, in order, and what tells each from others. Raises NotFound where none is there.

    Of a single object the store was not asked.
    """
    is_folder = not place.key or place.key.endswith("/")
    if not is_folder and not _WILD.search(place.key):
        return [(place.key, ())]
    fixed = _WILD.split(place.key)[0]
    prefix = fixed[: fixed.rfind("/") + 1]
    pattern = _pattern(place.key + "*" if is_folder else place.key)
    with _worded(place.root, place.options):
        found = beside(partial(_under, place, prefix), tools.check_cancelled)
    keys = sorted((key, about) for key, about in found.items() if pattern.fullmatch(key))
    if is_folder and known_only:
        keys = [each for each in keys if registry.suffix_of(Path(each[0])) in registry.suffixes()]
    if not keys:
        raise NotFound(
            f"No object matches {place.root}/{place.key}; {len(found):,} begin with {prefix!r}.",
            code="file_not_found",
            hint="Check the pattern: * stops at a slash, ** does not.",
        )
    return keys


def _under(place: _Place, prefix: str) -> dict[str, tuple[Any, ...]]:
    """The keys of all objects that hold something: when each was written and its tag, nothing where it has none."""
    found = (each for piece in place.store.list(prefix or None) for each in piece if each["size"])
    return {str(each["path"]): _told_of(each) for each in found}


def _told_of(meta: Mapping[str, Any]) -> tuple[Any, ...]:
    return (str(meta["last_modified"]), meta["e_tag"], meta["size"]) if meta["e_tag"] else ()


def _pattern(glob: str) -> re.Pattern[str]:
    """`*` and `?` within one part of the key, `**` across parts."""
    parts = re.split(r"(\*\*/?|\*|\?)", glob)
    forms = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}
    return re.compile("".join(forms.get(part, re.escape(part)) for part in parts))


def _fetched(place: _Place, key: str, shown: str, number: int, tools: Toolbox) -> Path:
    """The object, whole, in a folder of its own, since keys of two folders may end alike."""
    folder = tools.folder / f"object_{number}"
    folder.mkdir()
    part = folder / "download.part"
    with _worded(shown, place.options):
        beside(_Download(place.store, key, part, tools).run, tools.check_cancelled)
    return fetched.named(part, key.rsplit("/", 1)[-1], shown)


class _Download:
    """One object on its way; `size` bytes are here."""

    def __init__(self, store: Any, key: str, part: Path, tools: Toolbox) -> None:
        self._store = store
        self._key = key
        self._part = part
        self._tools = tools
        self._mark: str | None = None
        self._size = 0

    def run(self) -> None:
        """Get all of it, beginning again where it broke off; raises obstore's errors where that does not help."""
        errors = _library().exceptions
        idle = 0
        while True:
            before = self._size
            try:
                return self._get()
            except errors.PreconditionError:  # another object by now
                self._size, self._mark = 0, None
            except errors.GenericError:
                idle = 0 if self._size > before else idle + 1
                if idle >= _RESUMES:
                    raise
            self._tools.check_cancelled()
            time.sleep(0.1 * 2**idle)

    def _get(self) -> None:
        rest = {"range": {"offset": self._size}, "if_match": self._mark} if self._size and self._mark else {}
        answer = self._store.get(self._key, options=rest)
        if not rest:
            self._size, self._mark = 0, answer.meta["e_tag"]
        with self._part.open("r+b" if self._size else "wb") as file:
            file.seek(self._size)
            for piece in answer.stream(min_chunk_size=_PIECE):
                self._tools.check_cancelled()
                self._size += file.write(piece)


@contextlib.contextmanager
def _worded(shown: str, options: Mapping[str, str]) -> Iterator[None]:
    """obstore's errors in our words; no value of an option is ever shown."""
    errors = _library().exceptions
    try:
        yield
    except PlutoDuckError:
        raise
    except (errors.BaseError, OSError) as error:
        raise _in_words(errors, error, shown, options) from None


def _in_words(errors: Any, error: BaseException, shown: str, options: Mapping[str, str]) -> PlutoDuckError:
    reason = _reason(str(error), options)
    if isinstance(error, FileNotFoundError) or "status code: 404" in str(error):
        return NotFound(f"There is nothing at {shown}: {reason}", code="file_not_found", hint="Check bucket and key.")
    if isinstance(error, errors.PermissionDeniedError | errors.UnauthenticatedError):
        return Refused(
            f"{shown} is not for you: {reason}",
            code="source_refused",
            hint="Check the credentials in `options` or the environment; name secrets as ${env:NAME}.",
        )
    if isinstance(error, errors.UnknownConfigurationKeyError):
        return InvalidInput(f"{shown}: {reason}", code="bad_ingest_request", hint="docs/connectors.md shows options.")
    return EnvironmentFault(
        f"{shown} cannot be read: {reason}",
        code="source_unreachable",
        hint="Check the address (options.endpoint) and the connection; nothing was changed.",
        retryable=True,
    )


def _reason(text: str, options: Mapping[str, str]) -> str:
    """What the server says, without the details that a library adds and without secrets."""
    code, message = re.search(r"<Code>(.*?)</Code>", text), re.search(r"<Message>(.*?)</Message>", text)
    said = f"{code[1]}: {message[1]}" if code and message else " ".join(text.split("Debug source")[0].split())
    for name, value in options.items():
        if value and name not in _SHOWN:
            said = said.replace(value, secret_references.HIDDEN)
    return said[:300]
