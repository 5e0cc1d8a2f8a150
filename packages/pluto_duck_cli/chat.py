"""A conversation in the terminal: questions lean on the earlier ones; words that begin with / look at the last answer.

`pluto-duck chat` feeds it lines. What must stay true: a failed line ends nothing, and Ctrl-C stops only what runs.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pluto_duck_backend.app.core.errors import InvalidInput, PlutoDuckError, did_you_mean
from pluto_duck_backend.app.core.whole_files import write_whole
from pluto_duck_cli import render
from pluto_duck_cli.asking import Question, end_of, follow, watch
from pluto_duck_cli.client import Client
from pluto_duck_cli.files import form_of

if TYPE_CHECKING:
    from prompt_toolkit import PromptSession

_SHOWN_ROWS = 50


class Chat:
    """One conversation; `read` takes a line, False when it is over."""

    def __init__(self, client: Client, asked: Question) -> None:
        self._client = client
        self._asked = asked
        self._run_id = ""
        self._final: dict[str, Any] = {}
        self._commands: dict[str, tuple[str, Callable[[str], None]]] = {
            "sql": ("the SQL of the last answer; `/sql SELECT …` runs some", self._sql),
            "chart": ("the last answer's chart; `/chart bar` as another kind", self._chart),
            "export": ("write the last answer: `/export report.html` (md, xlsx, csv, parquet)", self._export),
            "tables": ("what is in the warehouse", self._tables),
            "new": ("begin anew: the next question stands for itself", self._new),
            "help": ("these words", self._help),
        }

    def read(self, line: str) -> bool:
        """Answer a line; what goes wrong is told, and the conversation goes on."""
        text = line.strip()
        if text in ("/quit", "/exit"):
            return False
        try:
            if text.startswith("/"):
                self._command(text[1:])
            elif text:
                self._ask(text)
        except PlutoDuckError as error:
            render.error(error.message, error.hint)
        except KeyboardInterrupt:
            render.talk("cancelled")
        return True

    def words(self) -> Iterator[str]:
        """What a line may hold: commands, tables and their columns."""
        yield from (f"/{name}" for name in self._commands)
        for table in self._client.schema()["tables"]:
            yield from (table["table"], f"{table['schema']}.{table['table']}")
            yield from (column["name"] for column in table["columns"])

    def _command(self, text: str) -> None:
        name, _, rest = text.partition(" ")
        if name not in self._commands:
            hint = did_you_mean(name, self._commands) or "/help lists them."
            raise InvalidInput(f"There is no /{name}.", code="unknown_command", hint=hint)
        self._commands[name][1](rest.strip())

    def _ask(self, text: str) -> None:
        asked = replace(self._asked, question=text)
        end = watch(self._client, asked) if render.is_terminal() else end_of(follow(self._client, asked))
        if not render.is_terminal():
            render.outcome(end.final, end.error)
        self._asked = replace(self._asked, conversation_id=end.conversation_id)
        if end.status == "succeeded" and end.final:
            self._run_id, self._final = end.run_id, end.final

    def _last(self) -> dict[str, Any]:
        if not self._final:
            raise InvalidInput("There is no answer yet.", code="no_answer_yet", hint="Ask something first.")
        return self._final

    def _sql(self, text: str) -> None:
        if not text:
            render.sql(self._last()["sql"])
            return
        job = self._client.query(sql=text, max_rows=_SHOWN_ROWS)
        render.table([column["name"] for column in job["columns"]], job["rows"])
        render.talk(f"{render.rows_said(job['row_count'])} in {job['elapsed_ms']:.0f} ms, job {job['job_id']}")

    def _chart(self, kind: str) -> None:
        chosen: Any = kind or None
        render.chart(self._client.chart(self._last()["job_id"], chosen))

    def _export(self, text: str) -> None:
        from pluto_duck_backend.agent.reporting import EXPORT_FORMS

        self._last()
        path = Path(text or "answer.html").expanduser()
        form: Any = form_of(path, EXPORT_FORMS)
        write_whole(path, self._client.export(self._run_id, form))
        render.talk(f"written to {path}")

    def _tables(self, text: str) -> None:
        tables = self._client.schema()["tables"]
        rows = [[f"{each['schema']}.{each['table']}", each["row_count"], len(each["columns"])] for each in tables]
        render.table(["table", "rows", "columns"], rows)

    def _new(self, text: str) -> None:
        self._asked = replace(self._asked, conversation_id=None)
        self._final = {}
        render.talk("A new conversation.")

    def _help(self, text: str) -> None:
        render.data("Ask in plain words. Each question may lean on the ones before it: `only the top 5`, `by month`.")
        for name, (told, _) in self._commands.items():
            render.data(f"  /{name:<8}{told}")
        render.data("  /quit   leave; so does Ctrl-D")


def lines(history: Path, words: list[str]) -> Iterator[str]:
    """What a person types, with history and completion, until Ctrl-D."""
    session = _session(history, words)
    while True:
        try:
            yield session.prompt("› ")
        except KeyboardInterrupt:
            continue
        except EOFError:
            return


def _session(history: Path, words: list[str]) -> PromptSession[str]:
    from prompt_toolkit import PromptSession
    from prompt_toolkit.auto_suggest import AutoSuggestFromHistory
    from prompt_toolkit.completion import FuzzyCompleter, WordCompleter
    from prompt_toolkit.history import FileHistory

    name = r"^[\w.]+/?"  # read backwards from the cursor: schema.table, /word
    history.touch(0o600)
    return PromptSession(
        history=FileHistory(str(history)),
        auto_suggest=AutoSuggestFromHistory(),
        completer=FuzzyCompleter(WordCompleter(words, pattern=re.compile(name)), pattern=name),
        complete_while_typing=False,
    )
