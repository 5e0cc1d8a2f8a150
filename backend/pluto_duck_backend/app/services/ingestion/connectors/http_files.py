"""Files behind http:// and https:// addresses: fetched into the load's folder, then read as the file that they are.

What must stay true: a connection that breaks or stalls is taken up again where it ended, unless the file has changed
meanwhile; nothing of a file that did not come whole is loaded; only the address that the user gave is asked.
"""

from __future__ import annotations

import contextlib
import socket
import ssl
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

from pluto_duck_backend.app.core.errors import EnvironmentFault, InvalidInput, NotFound, Refused
from pluto_duck_backend.app.core.secret_references import public_url
from pluto_duck_backend.app.services.ingestion.connectors import fetched
from pluto_duck_backend.app.services.ingestion.contract import Config, SourceTable, Toolbox
from pluto_duck_backend.app.services.ingestion.watch import beside

if TYPE_CHECKING:
    import httpx

_RESUMES = 3  # without a byte in between


class HttpFiles:
    name = "http"
    summary = "Files at http and https addresses"
    suffixes: tuple[str, ...] = ()
    schemes: tuple[str, ...] = ("http", "https")

    @contextlib.contextmanager
    def open(self, config: Config, tools: Toolbox) -> Iterator[Sequence[SourceTable]]:
        """The tables of the file; `config`: `url`, `headers`, `format` (a connector), and what that takes."""
        url = str(config.get("url", ""))
        path = _fetched(url, config.get("headers") or {}, tools)
        options = {name: value for name, value in config.items() if name not in ("url", "headers")}
        with fetched.tables_of(path, public_url(url), options, tools) as tables:
            yield tables


def _fetched(url: str, headers: Mapping[str, str], tools: Toolbox) -> Path:
    """The file, whole, in the load's folder."""
    import httpx

    part = tools.folder / "download.part"
    download = _Download(url, headers, part, tools)
    try:
        beside(download.run, tools.check_cancelled)
    except httpx.HTTPError as error:
        raise _explained(url, error, download.size) from error
    except (httpx.InvalidURL, UnicodeError) as error:  # the second of a host's name that is too long
        raise InvalidInput(
            f"{public_url(url)} is no address that can be asked.",
            code="bad_ingest_request",
            hint="Check how it is spelt: https://example.org/orders.csv.",
        ) from error
    name = unquote(Path(urlsplit(url).path).name)
    return fetched.named(part, name, public_url(url), _ENDINGS.get(download.type, ""))


class _Download:
    """One file on its way; `size` bytes are here."""

    def __init__(self, url: str, headers: Mapping[str, str], part: Path, tools: Toolbox) -> None:
        self._url = url
        self._headers = dict(headers)
        self._part = part
        self._tools = tools
        self._mark = ""
        self.size = 0
        self.type = ""

    def run(self) -> None:
        """Get all of it, beginning again where it broke off. Raises HTTPError where that does not help."""
        import httpx

        timeout = httpx.Timeout(self._tools.stall_s)
        with httpx.Client(timeout=timeout, follow_redirects=True, headers=self._headers, trust_env=False) as client:
            self._patiently(client)

    def _patiently(self, client: httpx.Client) -> None:
        import httpx

        idle = 0
        while True:
            before = self.size
            try:
                return self._get(client)
            except httpx.TransportError:
                self._tools.check_cancelled()
                idle = 0 if self.size > before else idle + 1
                if idle >= _RESUMES:
                    raise
                time.sleep(0.1 * 2**idle)

    def _get(self, client: httpx.Client) -> None:
        headers = {"Accept-Encoding": "identity"}
        if self.size and self._mark:
            headers |= {"Range": f"bytes={self.size}-", "If-Range": self._mark}
        with client.stream("GET", self._url, headers=headers) as answer:
            _check(answer, self._url)
            if answer.status_code != 206:
                self.size = 0
            self._mark = answer.headers.get("etag") or answer.headers.get("last-modified") or ""
            self.type = answer.headers.get("content-type", "").split(";")[0]
            with self._part.open("r+b" if self.size else "wb") as file:
                file.seek(self.size)
                for piece in answer.iter_raw():
                    self._tools.check_cancelled()
                    file.write(piece)
                    self.size += len(piece)


def _check(answer: httpx.Response, url: str) -> None:
    """Raise for an answer that is no file."""
    status, shown = answer.status_code, public_url(url)
    if status in (200, 206):
        return
    if status in (401, 403):
        raise Refused(
            f"{shown} is not for you: the server answers {status}.",
            code="source_refused",
            hint='Give what it asks for, such as config.headers = {"Authorization": "Bearer ${env:TOKEN}"}.',
        )
    if status in (404, 410):
        raise NotFound(f"There is nothing at {shown}: the server answers {status}.", code="file_not_found")
    raise EnvironmentFault(
        f"{shown}: the server answers {status} {answer.reason_phrase}.",
        code="source_failed",
        hint="Try again later; nothing was changed.",
        retryable=status in (408, 425, 429) or status >= 500,
    )


def _explained(url: str, error: httpx.HTTPError, size: int) -> EnvironmentFault:
    import httpx

    if not size and isinstance(error, httpx.ConnectError | httpx.ConnectTimeout):
        return _no_connection(url, error)
    return EnvironmentFault(
        f"{public_url(url)} broke off after {size:,} bytes: {type(error).__name__}: {error}",
        code="source_unreachable",
        hint="Check the address and the connection; nothing was changed.",
        retryable=True,
    )


def _no_connection(url: str, error: httpx.TransportError) -> EnvironmentFault:
    """Of an address to which no connection came about; after a redirect it is another than the user's."""
    asked = error.request.url
    where = f"{asked.host}:{asked.port or _PORTS[asked.scheme]}"
    cause = _first_cause(error)
    if isinstance(cause, ssl.SSLError):
        what, hint = f"No secure connection to {where}", "Check the server's certificate, and whether it speaks https."
    elif isinstance(cause, socket.gaierror):
        what, hint = f"Nobody knows the address of {asked.host}", "Check how the name is spelt, and the network."
    else:
        what, hint = f"Nothing answers at {where}", "Check the host, the port, that the server runs, and the network."
    return EnvironmentFault(
        f"{what}, so {public_url(url)} cannot be read: {cause}",
        code="source_unreachable",
        hint=f"{hint} Nothing was changed.",
        retryable=True,
    )


def _first_cause(error: BaseException) -> BaseException:
    while (before := error.__cause__ or error.__context__) is not None:
        error = before
    return error


_PORTS = {"http": 80, "https": 443}
_ENDINGS = {
    "text/csv": ".csv",
    "text/tab-separated-values": ".tsv",
    "application/json": ".json",
    "application/x-ndjson": ".ndjson",
    "application/vnd.apache.parquet": ".parquet",
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": ".xlsx",
}
