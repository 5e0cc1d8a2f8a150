"""Pieces of prompts: the day, rows as lines, and a conversation made to fit."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from typing import Any

from pluto_duck_backend.agent.context.quoting import line
from pluto_duck_backend.agent.conversation import Turn
from pluto_duck_backend.agent.markdown import on_one_line
from pluto_duck_backend.agent.providers.privacy import Sight
from pluto_duck_backend.agent.providers.transcript import shortened

_ROOM_FOR_RESULT = 0.3
_LONGEST_MESSAGE = 500
_SHORTEST_MESSAGE = 80
_LONGEST_OPTION = 200
_LEAST_ROOM = 300
#   in which an earlier turn is worth telling
_FOR_CUT = 60
#   what tells that something was left out


def day(today: dt.date) -> str:
    return f"{today:%A, %d %B %Y}"


def rows_shown(names: Sequence[str], rows: Sequence[Sequence[Any]], room: int) -> str:
    """Rows as lines of a table, as many as fit."""
    lines = [" | ".join(on_one_line(str(cell)) for cell in row) for row in (names, *rows)]
    kept: list[str] = []
    for text in lines:
        room -= len(text) + 1
        if room < 0:
            break
        kept.append(text)
    return "\n".join(kept)


def earlier(turns: Sequence[Turn], room: int, sight: Sight) -> str:
    """The latest turns in `room` characters, oldest first, as far as `sight` goes; of the last answer also the result.

    Of the last turn something is always told: a question that leans on it means nothing without.
    """
    kept: list[str] = []
    said = " ".join(each.message for each in turns)
    for number, turn in enumerate(reversed(turns)):
        result = _result(turn, int(room * _ROOM_FOR_RESULT), sight, said) if number == 0 else ""
        if kept and room < _LEAST_ROOM:
            break
        text = _turn(turn, sight, said, room - len(result)) + result
        room -= len(text) + 1
        if kept and room < 0:
            break
        kept.append(text)
    return "\n".join(reversed(kept)) or "(Nothing was asked before.)"


def _turn(turn: Turn, sight: Sight, said: str, room: int) -> str:
    """What was said, and what became of it; SQL that is longer than the room loses its middle."""
    most = min(_LONGEST_MESSAGE, max(room // 2, _SHORTEST_MESSAGE))
    asked = f"- {line(turn.message, most)} ({turn.status.replace('_', ' ')})"
    if turn.asked_back:
        back, *options = (line(sight.words(each, said), _LONGEST_OPTION) for each in (turn.asked_back, *turn.options))
        return f"{asked}\n  asked back: {back} {'; '.join(options)}"
    sql = " ".join(sight.sql(turn.sql, said).split()) if turn.sql else ""
    return f"{asked}\n  {shortened(sql, max(room - len(asked) - _FOR_CUT, 0))}" if sql else asked


def _result(turn: Turn, room: int, sight: Sight, said: str) -> str:
    if not turn.columns:
        return ""
    if not sight.rows:
        names = sight.names(turn.columns, sight.sql(turn.sql or "", said))
        return f"\n  gave: {', '.join(line(name, 80) for name in names)}"
    shown = rows_shown(turn.columns, turn.rows, room)
    cut = turn.row_count > shown.count("\n")  # the first line are the names
    return f"\n  gave {turn.row_count:,} row{'s' * (turn.row_count != 1)}{', the first of them' * cut}:\n{shown}"
