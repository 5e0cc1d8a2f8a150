"""What a report holds: a run's question and answer, and the rows of the query behind it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from pluto_duck_backend.agent.markdown import plain
from pluto_duck_backend.app.services.execution.results import Chunks

Row = list[Any]


@dataclass(frozen=True)
class Report:
    """One succeeded run."""

    run: dict[str, Any]
    #   as `GET /agent/{run_id}` shows it, with its final object
    rows: Callable[[], Iterator[list[Row]]]
    #   all rows of the result, batch after batch
    data: Callable[[str], Chunks]
    #   the result alone, in a format of `queries.stream`

    @property
    def final(self) -> dict[str, Any]:
        final: dict[str, Any] = self.run["final"]
        return final

    @property
    def names(self) -> list[str]:
        return [column["name"] for column in self.final["columns"]]

    @property
    def title(self) -> str:
        """The question, as a heading."""
        question = " ".join(self.run["question"].split())
        return question[:1].upper() + question[1:]

    @property
    def sentence(self) -> str:
        """The answer's own words, without the table that follows them."""
        lines = [line for line in self.final["answer"].splitlines() if line.strip() and not line.startswith(("|", "…"))]
        return plain(" ".join(lines))

    def first(self, limit: int) -> list[Row]:
        """The first rows."""
        found: list[Row] = []
        for batch in self.rows():
            found += batch[: limit - len(found)]
            if len(found) >= limit:
                break
        return found

    def left_out(self, shown: int) -> str:
        """What a table of `shown` rows leaves out; empty where it is whole."""
        total = self.final["row_count"]
        return f"The first {shown:,} of {total:,} rows." if total > shown else ""

    def facts(self) -> list[tuple[str, str]]:
        """Where the answer comes from, each with its name."""
        final = self.final
        who = final["provider"] + (f" ({final['model']})" if final["model"] else "")
        return [
            ("Asked", self.run["created_at"].replace("T", " ")[:19] + " UTC"),
            ("Rows", f"{final['row_count']:,}"),
            ("Confidence", f"{final['confidence']:.0%}"),
            ("Answered by", f"{who} in {final['usage']['elapsed_ms']:,.0f} ms"),
            ("Query", final["job_id"]),
            ("Run", self.run["run_id"]),
        ]
