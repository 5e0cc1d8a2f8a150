"""Pieces of prompts: the day, rows as lines, and a conversation made to fit."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from typing import Any

from pluto_duck_backend.agent.context.quoting import line
from pluto_duck_backend.agent.conversation import Turn
from pluto_duck_backend.agent.markdown import on_one_line

_ROOM_FOR_RESULT = 0.3
_LONGEST_MESSAGE = 500


def today(now: dt.date | None = None) -> str:
    return f"{now or dt.date.today():%A, %d %B %Y}"


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


def earlier(turns: Sequence[Turn], room: int, *, rows: bool) -> str:
    """The latest turns that fit, oldest first; of the last answer also the result, and its `rows` where allowed."""
    kept: list[str] = []
    for number, turn in enumerate(reversed(turns)):
        text = _turn(turn) + (_result(turn, int(room * _ROOM_FOR_RESULT), rows) if number == 0 else "")
        room -= len(text) + 1
        if room < 0:
            break
        kept.append(text)
    return "\n".join(reversed(kept)) or "(Nothing was asked before.)"


def _turn(turn: Turn) -> str:
    said = f"- {line(turn.message, _LONGEST_MESSAGE)} ({turn.status.replace('_', ' ')})"
    if turn.asked_back:
        options = "; ".join(line(each, _LONGEST_MESSAGE) for each in turn.options)
        return f"{said}\n  asked back: {line(turn.asked_back, _LONGEST_MESSAGE)} {options}"
    return f"{said}\n  {' '.join(turn.sql.split())}" if turn.sql else said


def _result(turn: Turn, room: int, rows: bool) -> str:
    if not turn.columns:
        return ""
    if not rows:
        return f"\n  gave: {', '.join(line(name, 80) for name in turn.columns)}"
    shown = rows_shown(turn.columns, turn.rows, room)
    cut = turn.row_count > shown.count("\n")  # the first line are the names
    return f"\n  gave {turn.row_count:,} row{'s' * (turn.row_count != 1)}{', the first of them' * cut}:\n{shown}"
