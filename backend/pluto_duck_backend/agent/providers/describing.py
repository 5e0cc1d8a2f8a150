"""Pieces of prompts: the day, rows as lines, and a conversation made to fit."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from typing import Any

from pluto_duck_backend.agent.context.quoting import line
from pluto_duck_backend.agent.conversation import Turn
from pluto_duck_backend.agent.markdown import on_one_line
from pluto_duck_backend.agent.providers.privacy import Sight

_ROOM_FOR_RESULT = 0.3
_LONGEST_MESSAGE = 500


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
    """The latest turns that fit, oldest first, as far as `sight` goes; of the last answer also the result."""
    kept: list[str] = []
    said = " ".join(each.message for each in turns)
    for number, turn in enumerate(reversed(turns)):
        result = _result(turn, int(room * _ROOM_FOR_RESULT), sight, said) if number == 0 else ""
        text = _turn(turn, sight, said) + result
        room -= len(text) + 1
        if room < 0:
            break
        kept.append(text)
    return "\n".join(reversed(kept)) or "(Nothing was asked before.)"


def _turn(turn: Turn, sight: Sight, said: str) -> str:
    asked = f"- {line(turn.message, _LONGEST_MESSAGE)} ({turn.status.replace('_', ' ')})"
    if turn.asked_back:
        back, *options = (line(sight.words(each, said), _LONGEST_MESSAGE) for each in (turn.asked_back, *turn.options))
        return f"{asked}\n  asked back: {back} {'; '.join(options)}"
    return f"{asked}\n  {' '.join(sight.sql(turn.sql, said).split())}" if turn.sql else asked


def _result(turn: Turn, room: int, sight: Sight, said: str) -> str:
    if not turn.columns:
        return ""
    if not sight.rows:
        names = sight.names(turn.columns, sight.sql(turn.sql or "", said))
        return f"\n  gave: {', '.join(line(name, 80) for name in names)}"
    shown = rows_shown(turn.columns, turn.rows, room)
    cut = turn.row_count > shown.count("\n")  # the first line are the names
    return f"\n  gave {turn.row_count:,} row{'s' * (turn.row_count != 1)}{', the first of them' * cut}:\n{shown}"
