"""Numbers of JSON whose digits DuckDB's reader would lose: integers beyond 64 bits, and long fractions.

The JSON connector asks before it reads a file as DuckDB would. DuckDB spells integers of any length as text, but every
fraction passes through a DOUBLE: so these are put in quotes in a copy. What must stay true: files without such numbers
cost a look at their bytes and no more; a string is never changed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from pluto_duck_backend.app.core.warehouse import Session, literal, quote
from pluto_duck_backend.app.services.ingestion.connectors import digits
from pluto_duck_backend.app.services.ingestion.contract import Toolbox
from pluto_duck_backend.app.services.ingestion.unpacking import pieces_of

_PLAIN_DIGITS = bytes.maketrans(b"123456789", b"000000000")
_STEP = 4  # any 16 digits in a row, a point among them or not, show in four bytes that are four apart
_PLAIN_NUMBERS = bytes.maketrans(b"123456789.", b"0000000000")
_STEPS = b"0" * 4
_BEFORE = rb"(?<=[:,\[\s-])"
_WHOLE = re.compile(_BEFORE + rb"[1-9][0-9]{15,}(?![0-9.eE])")
_FRACTION = re.compile(_BEFORE + rb"(?=[0-9]+\.)[0.]*[1-9](?:\.?[0-9]){17}")
_RUNS = {_WHOLE: b"0" * 16, _FRACTION: b"0" * 18}  # floats of other programs have 17
_TOKEN = re.compile(rb'"(?:[^"\\]|\\(?:.|\Z))*+(?:"|\Z)|-?[0-9][0-9.eE+-]*', re.DOTALL)
_SPELT = re.compile(rb"-?[0-9]+\.[0-9]+")
_KEPT = 15  # significant digits that a DOUBLE gives back as they were
_OVERLAP = 64  # bytes
_FIELD = re.compile(r'((?:"(?:[^"]|"")*"|[^\s"]+)) (.*)', re.DOTALL)

Read = Callable[[Path, str], str]
"""A SELECT over a file; the text is a `columns = …` for DuckDB, or empty."""


def has_long_fraction(path: Path, tools: Toolbox) -> bool:
    """Whether a fraction that a DOUBLE does not hold may be anywhere in the file."""
    last = b""
    for piece in pieces_of(path):
        tools.check_cancelled()
        if _finds(_FRACTION, last + piece):
            return True
        last = piece[-_OVERLAP:]
    return False


def select(session: Session, path: Path, read: Read, tools: Toolbox) -> tuple[str, tuple[str, ...]]:
    """`read` of the file with types that keep the digits, and what is to be told."""
    plain = read(path, "")
    kinds = {str(row[0]): str(row[1]) for row in session.rows(f"DESCRIBE {plain}")}
    leaves = {name: _leaves(kind) for name, kind in kinds.items()}
    in_json = [name for name, kind in kinds.items() if re.search(r"\bJSON\b", kind)]
    if not any(leaves.values()) and not in_json:
        return plain, ()
    has_whole, has_fraction = _long_numbers(path)
    if not has_whole and not has_fraction:
        return plain, ()
    readable = _with_quotes(path, tools) if has_fraction else path
    texts = {name: _retyped(kind, dict.fromkeys(leaves[name], "VARCHAR")) for name, kind in kinds.items()}
    if session.row(_counts(plain)) != session.row(_counts(read(readable, _struct(texts)))):
        return plain, ("long numbers keep 17 digits, since DuckDB gives some columns other names than the file has",)
    found = _exact(session, read(readable, _struct(texts)), leaves)
    notes = [_told(name, path, each.note) for name, some in found.items() for path, each in some.items() if each.note]
    if has_fraction:
        notes += [f"column {name}: fractions of more than {_KEPT} digits become texts" for name in in_json]
    return _typed(read, readable, kinds, found), tuple(notes)


def _typed(read: Read, path: Path, kinds: Mapping[str, str], found: Mapping[str, dict[str, digits.Exact]]) -> str:
    """Only what changes is read as text."""
    chosen = {
        name: {leaf: each.type for leaf, each in some.items() if each.type != "DOUBLE"} for name, some in found.items()
    }
    given = {name: _retyped(kind, dict.fromkeys(chosen[name], "VARCHAR")) for name, kind in kinds.items()}
    casts = ", ".join(
        f"CAST({quote(name)} AS {_retyped(kinds[name], types)}) AS {quote(name)}"
        for name, types in chosen.items()
        if types
    )
    sql = read(path, _struct(given))
    return f"SELECT * REPLACE ({casts}) FROM ({sql})" if casts else sql


def _exact(session: Session, sql: str, leaves: Mapping[str, list[str]]) -> dict[str, dict[str, digits.Exact]]:
    """By column and leaf, the type that keeps its digits."""
    pairs = [(name, leaf) for name, some in leaves.items() for leaf in some]
    if not pairs:
        return {name: {} for name in leaves}
    values = ", ".join(f"unnest({_values(quote(name), leaf)}) AS v{i}" for i, (name, leaf) in enumerate(pairs))
    asked = ", ".join(digits.tests(f"v{i}") for i in range(len(pairs)))
    types = digits.exacts(session.row(f"SELECT {asked} FROM (SELECT {values} FROM ({sql}))") or ())
    found: dict[str, dict[str, digits.Exact]] = {name: {} for name in leaves}
    for (name, leaf), each in zip(pairs, types, strict=True):
        found[name][leaf] = each
    return found


def _values(column: str, leaf: str) -> str:
    """A list of the texts at a leaf."""
    if leaf == "$":
        return f"[{column}]"
    text = f"json_extract_string(to_json({column}), {literal(leaf)})"
    return text if "*" in re.sub(r'"(?:[^"\\]|\\.)*"', "", leaf) else f"[{text}]"


def _leaves(kind: str) -> list[str]:
    """The JSON paths of the DOUBLEs in a type."""
    found: dict[str, None] = {}
    _walk(kind, "$", lambda path: found.setdefault(path) or "DOUBLE")
    return list(found)


def _retyped(kind: str, types: Mapping[str, str]) -> str:
    """The type with other types at some of its leaves."""
    return _walk(kind, "$", lambda path: types.get(path, "DOUBLE"))


def _walk(kind: str, path: str, choose: Callable[[str], str]) -> str:
    if kind.endswith("]"):
        inner, size = kind[: kind.rindex("[")], kind[kind.rindex("[") :]
        return _walk(inner, f"{path}[*]", choose) + size
    if kind.startswith("STRUCT("):
        fields = [_FIELD.fullmatch(each.strip()) for each in _parts(kind[7:-1])]
        inside = [f"{each[1]} {_walk(each[2], path + _step(each[1]), choose)}" for each in fields if each]
        return f"STRUCT({', '.join(inside)})"
    if kind.startswith("MAP("):
        key, value = (each.strip() for each in _parts(kind[4:-1]))
        return f"MAP({key}, {_walk(value, f'{path}.*', choose)})"
    return choose(path) if kind == "DOUBLE" else kind


def _step(name: str) -> str:
    plain = name[1:-1].replace('""', '"') if name.startswith('"') else name
    escaped = plain.replace("\\", "\\\\").replace('"', '\\"')
    return f'."{escaped}"'


def _parts(text: str) -> Iterator[str]:
    """What commas part, outside of brackets and quoted names."""
    depth = begin = 0
    for token in re.finditer(r'"(?:[^"]|"")*"|[(),]', text):
        depth += {"(": 1, ")": -1}.get(token[0], 0)
        if token[0] == "," and not depth:
            yield text[begin : token.start()]
            begin = token.end()
    yield text[begin:]


def _long_numbers(path: Path) -> tuple[bool, bool]:
    """Whether there may be integers, and fractions, of more digits than a DOUBLE has."""
    whole = fraction = False
    last = b""
    for piece in pieces_of(path):
        text = last + piece
        whole = whole or _finds(_WHOLE, text)
        fraction = fraction or _finds(_FRACTION, text)
        last = text[-_OVERLAP:]
    return whole, fraction


def _finds(pattern: re.Pattern[bytes], text: bytes) -> bool:
    """Most files have no long run of digits, which is seen many times faster than by the pattern."""
    if _STEPS not in text[::_STEP].translate(_PLAIN_NUMBERS):
        return False
    return _RUNS[pattern] in text.translate(_PLAIN_DIGITS, b".") and pattern.search(text) is not None


def _with_quotes(path: Path, tools: Toolbox) -> Path:
    """A copy in which every fraction of many digits is a string."""
    copy = tools.new_file(".json")
    rest = b""
    with copy.open("wb") as file:
        for piece in pieces_of(path):
            tools.check_cancelled()
            done, rest = _quoted(rest + piece)
            file.write(done)
        file.write(rest)
    return copy


def _quoted(text: bytes) -> tuple[bytes, bytes]:
    """The text with quotes as far as its last token, which may go on."""
    end = len(text)
    for token in _TOKEN.finditer(text):
        if token.end() == len(text):
            end = token.start()
    return _TOKEN.sub(_in_quotes, text[:end]), text[end:]


def _in_quotes(token: re.Match[bytes]) -> bytes:
    found = token[0]
    is_long = len(found) > _KEPT and _SPELT.fullmatch(found) is not None
    return b'"' + found + b'"' if is_long else found


def _counts(sql: str) -> str:
    return f"SELECT count(*), count(COLUMNS(*)) FROM ({sql})"


def _struct(columns: Mapping[str, str]) -> str:
    return "columns = {" + ", ".join(f"{literal(name)}: {literal(kind)}" for name, kind in columns.items()) + "}"


def _told(name: str, path: str, note: str) -> str:
    return f"column {name}{path.removeprefix('$')} {note}"
