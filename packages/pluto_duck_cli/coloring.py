"""SQL with colour, in the terminal's own sixteen, so that it reads on light and on dark ground."""

from __future__ import annotations

import re

from rich.padding import Padding
from rich.text import Text

_PARTS = re.compile(
    r"(?P<comment>--[^\n]*|/\*.*?\*/)|(?P<string>'(?:[^']|'')*')|(?P<quoted>\"(?:[^\"]|\"\")*\")"
    r"|(?P<number>\b\d+(?:\.\d+)?\b)|(?P<keyword>\b(?:SELECT|FROM|WHERE|GROUP|BY|ORDER|HAVING|LIMIT|OFFSET|JOIN|INNER|"
    r"LEFT|RIGHT|FULL|CROSS|ON|USING|AS|AND|OR|NOT|IN|IS|NULL|LIKE|ILIKE|BETWEEN|EXISTS|CASE|WHEN|THEN|ELSE|END|WITH|"
    r"DISTINCT|UNION|ALL|EXCEPT|INTERSECT|OVER|PARTITION|QUALIFY|DESC|ASC|NULLS|FIRST|LAST|CAST|INTERVAL|TRUE|FALSE)\b)"
    r"|(?P<function>\b[A-Za-z_]\w*(?=\())",
    re.IGNORECASE | re.DOTALL,
)
_STYLES = {
    "comment": "dim",
    "string": "green",
    "quoted": "",
    "number": "cyan",
    "keyword": "bold blue",
    "function": "magenta",
}


def colored_sql(sql: str, indent: int = 0) -> Padding:
    """The SQL as it is, coloured."""
    text = Text(sql)
    for found in _PARTS.finditer(sql):
        text.stylize(_STYLES[str(found.lastgroup)], *found.span())
    return Padding(text, (0, 0, 0, indent), expand=False)
