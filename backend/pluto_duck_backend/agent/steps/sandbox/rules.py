"""What code of a step may say: an allow-list of syntax, of names and of attributes. Pure; nothing is run.

The process that runs it holds no files and no network either (child.py): this is the first wall, not the only one.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from pluto_duck_backend.app.core.errors import Refused

GIVEN = ("polars", "math", "statistics")
BUILTINS = (
    "abs all any bool dict divmod enumerate filter float frozenset int isinstance len list map max min pow range"
    " reversed round set sorted str sum tuple zip"
).split()
_MOST_CHARS = 10_000
_SYNTAX = (
    *(ast.Module, ast.Expr, ast.Assign, ast.AugAssign, ast.AnnAssign, ast.NamedExpr, ast.Name, ast.Constant),
    *(ast.Attribute, ast.Subscript, ast.Slice, ast.Call, ast.keyword, ast.Starred, ast.expr_context),
    *(ast.BinOp, ast.UnaryOp, ast.BoolOp, ast.Compare, ast.IfExp, ast.operator, ast.unaryop, ast.boolop, ast.cmpop),
    *(ast.List, ast.Tuple, ast.Dict, ast.Set, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp),
    *(ast.comprehension, ast.JoinedStr, ast.FormattedValue, ast.Lambda, ast.arguments, ast.arg),
    *(ast.If, ast.For, ast.While, ast.Break, ast.Continue, ast.Pass, ast.FunctionDef, ast.Return),
    *(ast.Import, ast.ImportFrom, ast.alias),
)
_PREFIXES = ("_", "read_", "scan_", "write_", "sink_", "register_", "gi_", "cr_", "ag_", "tb_", "co_", "f_")
#   files, plug-ins, printing, and the ways from an object to the interpreter's insides
_ATTRIBUTES = frozenset(
    "format format_map inspect glimpse sql serialize deserialize plot show style remote mro to_arrow"
    " post_opt_callback".split()
)


def check(code: str, inputs: Iterable[str]) -> None:
    """Nothing, where `code` keeps to the rules; `inputs` are the names of the frames it gets. Raises Refused."""
    if len(code) > _MOST_CHARS:
        raise _refused(f"it has {len(code):,} characters, at most {_MOST_CHARS:,}")
    tree = _parsed(code)
    known = {*inputs, *BUILTINS, *GIVEN, "pl", *_made(tree)}
    for node in ast.walk(tree):
        for wrong in _wrong(node, known):
            raise _refused(f"line {getattr(node, 'lineno', 1)}: {wrong}")
    if "result" not in _made(tree):
        raise _refused("it sets no `result`")


def _parsed(code: str) -> ast.Module:
    try:
        return ast.parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise _refused(f"it is no Python: {error}") from error


def _made(tree: ast.Module) -> set[str]:
    """The names that the code itself sets."""
    nodes = list(ast.walk(tree))
    return (
        {each.id for each in nodes if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)}
        | {each.name for each in nodes if isinstance(each, ast.FunctionDef)}
        | {each.arg for each in nodes if isinstance(each, ast.arg)}
        | {each.asname or each.name for each in nodes if isinstance(each, ast.alias)}
    )


def _wrong(node: ast.AST, known: set[str]) -> Iterator[str]:
    match node:
        case ast.Import(names=names):
            yield from (f"it may not import {each.name!r}" for each in names if each.name not in GIVEN)
        case ast.ImportFrom(module=module, names=names):
            if module not in GIVEN:
                yield f"it may not import from {module!r}"
            yield from (f"{each.name!r} is not given" for each in names if _is_hidden(each.name) or each.name == "*")
        case ast.Name(id=name) if name not in known or (name.startswith("_") and name != "_"):
            yield f"{name!r} is not given"
        case ast.Attribute(attr=name) if _is_hidden(name):
            yield f"'.{name}' is not given"
        case ast.Attribute(attr=name, ctx=ast.Store()):
            yield f"'.{name}' may not be set"
        case ast.keyword(arg=str(name)) if _is_hidden(name):
            yield f"{name!r} is not given"
        case ast.arg(arg=name) | ast.FunctionDef(name=name) if name.startswith("__"):
            yield f"{name!r} is not given"
        case _ if not isinstance(node, _SYNTAX):
            yield f"{type(node).__name__} is not given"


def _is_hidden(name: str) -> bool:
    return name.startswith(_PREFIXES) or name in _ATTRIBUTES


def _refused(why: str) -> Refused:
    return Refused(
        f"The code may not run: {why}.",
        code="python_refused",
        hint=f"It has {', '.join(GIVEN)} and its inputs as polars frames; no files, no network, no other module.",
    )
