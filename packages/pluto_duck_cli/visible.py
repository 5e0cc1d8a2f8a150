"""Text of others as a terminal may show it: what would steer the terminal, or end the line, stands there as a sign."""

from __future__ import annotations

_SIGNS = {code: 0x2400 + code for code in range(0x20)} | {0x7F: 0x2421} | dict.fromkeys(range(0x80, 0xA0), 0xFFFD)
_OF_LINES = {code: sign for code, sign in _SIGNS.items() if chr(code) not in "\n\t"}


def visible(text: str) -> str:
    """Lines of text; each sign stands in the place of one character."""
    return text if text.isprintable() else text.translate(_OF_LINES)


def on_one_line(text: str) -> str:
    """A cell: line ends and tabs are signs as well."""
    return text if text.isprintable() else text.translate(_SIGNS)
