"""The full result of a query, as a frame of the library that you use."""

from __future__ import annotations

import io
from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING, Any

from pluto_duck_backend.app.core.errors import EnvironmentFault
from pluto_duck_cli.client import Client

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow


class Frames:
    """All rows of one query; nothing is read before a method is called."""

    def __init__(self, reach: Callable[[], Client], job_id: str) -> None:
        self._reach = reach
        self.job_id = job_id

    def pl(self) -> polars.DataFrame:
        """A polars frame."""
        import polars

        return polars.read_parquet(self._parquet())

    def df(self) -> pandas.DataFrame:
        """A pandas frame. Raises EnvironmentFault where pandas is not installed."""
        _needs("pandas"), _needs("pyarrow")
        return self.pl().to_pandas()

    def arrow(self) -> pyarrow.Table:
        """An Arrow table. Raises EnvironmentFault where pyarrow is not installed."""
        _needs("pyarrow")
        return self.pl().to_arrow()

    def _parquet(self) -> io.BytesIO:
        return io.BytesIO(b"".join(self._reach().result(self.job_id, "parquet")))


def _needs(library: str) -> Any:
    try:
        return import_module(library)
    except ImportError as error:
        raise EnvironmentFault(
            f"This needs {library}, which is not installed.",
            code="missing_library",
            hint="pip install 'pluto-duck[notebook]', or use .pl(), which needs nothing more.",
        ) from error
