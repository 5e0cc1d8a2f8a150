"""The process that runs a step's code; started by running.py as a script, imports nothing of ours but system_calls.

    stdin   one line of JSON: code, limits, the inputs' names and sizes; then their Arrow streams
    stdout  a line "begun" when the code is next, then one line of JSON: {"columns": [[name, type]], "rows": [...]} or
            {"error": ..., "line": ...}
    stderr  why it could not begin, or what it died of where no Python exception tells (Rust ends the process when an
            allocation fails, in any thread)

Before the code runs, the process has taken its data in and given up what it could do harm with: other network
interfaces, opening anything at all (a file, a socket or a pipe needs a descriptor, and there is none left), writing
files, starting processes, whatever else Python tells its audit hooks, and on Linux every system call that computing
does not need.
"""

import ast
import contextlib
import io
import json
import math
import os
import signal
import statistics
import sys
import time
from collections.abc import Iterable
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

_CLONE_NEWUSER, _CLONE_NEWNET = 0x10000000, 0x40000000
_POLARS = (
    "DataFrame LazyFrame Series Expr col lit when element all any all_horizontal any_horizontal sum_horizontal"
    " mean_horizontal min_horizontal max_horizontal concat concat_str concat_list struct arange int_range int_ranges"
    " date_range datetime_range date datetime duration linear_space ones zeros repeat len count first last n_unique"
    " implode sum mean median min max std var quantile corr cov rolling_corr rolling_cov coalesce fold reduce"
    " cum_sum cum_fold format exclude nth select row_index union Int8 Int16 Int32 Int64 Int128 UInt8 UInt16 UInt32"
    " UInt64 Float32 Float64 Decimal Boolean String Utf8 Categorical Enum Date Datetime Duration Time List Array"
    " Struct Null selectors"
).split()


def main() -> None:
    """Takes the data in, gives the rights up, runs the code, and writes what came of it."""
    _leave_the_network()
    import polars

    task = json.loads(sys.stdin.buffer.readline())
    frames = {name: polars.read_ipc_stream(io.BytesIO(sys.stdin.buffer.read(size))) for name, size in task["inputs"]}
    given = _given(polars)
    tree = _without_imports(task["code"], given)
    _warm_up(polars)
    host = _kept_from_printing()
    _give_up(task["memory_mb"], task["cpu_s"])
    host.write("begun\n")
    host.flush()
    text = json.dumps(_answer(tree, {**given, **frames}, polars, task), default=str, allow_nan=False)
    if len(text) > task["max_chars"]:
        text = json.dumps(_error(f"its result has {len(text):,} characters, at most {task['max_chars']:,}"))
    host.write(text + "\n")
    host.flush()
    os._exit(0)


def _kept_from_printing() -> Any:
    """What leads to the host; what is written to stdout from here on, by Python or not, goes nowhere."""
    host, nowhere = os.fdopen(os.dup(1), "w", encoding="utf-8"), os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.close(nowhere)
    return host


def _leave_the_network() -> None:
    """A network of its own with nothing in it, where the system lets anybody have one."""
    with contextlib.suppress(ImportError, OSError, AttributeError):
        import ctypes

        ctypes.CDLL(None).unshare(_CLONE_NEWUSER | _CLONE_NEWNET)


def _given(polars: Any) -> dict[str, Any]:
    """The modules as the code sees them: their public functions alone, not what they import themselves."""
    pl = _listed(polars, _POLARS)
    maths = _listed(math, [name for name in dir(math) if not name.startswith("_")])
    return {"pl": pl, "polars": pl, "math": maths, "statistics": _listed(statistics, statistics.__all__)}


def _listed(module: Any, names: Iterable[str]) -> SimpleNamespace:
    """What these names stand for in a module; a module among them is a list of what it offers itself."""
    found = {name: getattr(module, name) for name in names if hasattr(module, name)}
    return SimpleNamespace(
        **{
            name: _listed(each, getattr(each, "__all__", ())) if isinstance(each, ModuleType) else each
            for name, each in found.items()
        }
    )


def _without_imports(code: str, given: dict[str, Any]) -> Any:
    """The code's tree; what it imports is given to it instead."""
    tree = ast.parse(code)
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            given.update({each.asname or each.name: given[each.name] for each in node.names})
        elif isinstance(node, ast.ImportFrom):
            given.update({each.asname or each.name: getattr(given[str(node.module)], each.name) for each in node.names})
    return ast.fix_missing_locations(_Stripped().visit(tree))


class _Stripped(ast.NodeTransformer):
    def visit_Import(self, node: Any) -> Any:
        return ast.copy_location(ast.Pass(), node)

    visit_ImportFrom = visit_Import


def _warm_up(polars: Any) -> None:
    """Starts polars' threads and loads what it loads when first used, as long as that can be done."""
    frame = polars.DataFrame({"a": [1, 2, 3], "b": [1.5, 2.5, None], "c": ["x", "y", "x"]})
    frame.lazy().group_by("c").agg(polars.col("a").sum(), polars.corr("a", "b").alias("r")).sort("c").collect()
    frame.describe()
    frame.pivot("c", index="a", values="b").rows()
    polars.from_dicts([{"a": 1}, {"a": 2}]).join(frame, on="a").to_dicts()
    statistics.NormalDist().cdf(statistics.correlation([1, 2, 3], [1, 2, 4]))


def _give_up(memory_mb: int, cpu_s: float) -> None:
    import resource

    calls = _system_calls()
    limits = {
        resource.RLIMIT_AS: _address_space() + memory_mb * 1024 * 1024,
        resource.RLIMIT_FSIZE: 0,
        resource.RLIMIT_CORE: 0,
        resource.RLIMIT_NPROC: 0,
        resource.RLIMIT_NOFILE: 3,
        resource.RLIMIT_CPU: math.ceil(time.process_time() + cpu_s) + 1,
    }
    for kind, limit in limits.items():
        resource.setrlimit(kind, (limit, limit))
    signal.setitimer(signal.ITIMER_PROF, cpu_s)
    calls.refuse_others()
    sys.addaudithook(_refuse)


def _system_calls() -> Any:
    """The module beside this script, which runs without a path to import from."""
    from importlib.util import module_from_spec, spec_from_file_location

    spec = spec_from_file_location("system_calls", Path(__file__).with_name("system_calls.py"))
    if spec is None or spec.loader is None:
        raise OSError("system_calls.py is missing")
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _address_space() -> int:
    """Bytes of address space in use."""
    with contextlib.suppress(OSError):
        return int(Path("/proc/self/statm").read_text().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    return 4 * 1024**3


_HARMLESS = ("object.__getattr__", "compile", "exec", "sys._getframe", "time.sleep")
#   raised by polars and by running the code at all; the code cannot name any of them


def _refuse(event: str, arguments: object) -> None:
    if event not in _HARMLESS:
        raise PermissionError(f"{event} is not allowed")


def _answer(tree: Any, names: dict[str, Any], polars: Any, task: dict[str, Any]) -> dict[str, Any]:
    builtins = {name: __builtins__.__dict__[name] for name in _BUILTINS}
    space = {**names, "__builtins__": builtins}
    try:
        exec(compile(tree, "step", "exec"), space)  # noqa: S102 - what this process is for
        frame = _framed(space.get("result"), polars)
        return _table(frame, task["max_rows"])
    except MemoryError:
        return _error(f"it needs more memory than the {task['memory_mb']} MB it may have")
    except BaseException as error:  # noqa: BLE001 - told to whoever wrote the code
        return _error(f"{type(error).__name__}: {error}"[:500], _line(error))


def _error(why: str, line: int = 0) -> dict[str, Any]:
    return {"error": why, "line": line}


_BUILTINS = (
    "abs all any bool dict divmod enumerate filter float frozenset int isinstance len list map max min pow range"
    " reversed round set sorted str sum tuple zip True False None"
).split()


def _line(error: BaseException) -> int:
    """The line of the code where it went wrong."""
    found, trace = 0, error.__traceback__
    while trace:
        found = trace.tb_lineno if trace.tb_frame.f_code.co_filename == "step" else found
        trace = trace.tb_next
    return found


def _framed(result: Any, polars: Any) -> Any:
    """The result as a frame, whatever simple shape it has."""
    if isinstance(result, polars.LazyFrame):
        return result.collect()
    if isinstance(result, polars.Series):
        return result.to_frame(result.name or "value")
    if isinstance(result, dict):
        many = any(isinstance(each, list | tuple | polars.Series) for each in result.values())
        return polars.DataFrame(result if many else {name: [each] for name, each in result.items()})
    if isinstance(result, list) and result and isinstance(result[0], dict):
        return polars.DataFrame(result)
    if isinstance(result, list | tuple):
        return polars.DataFrame({"value": list(result)})
    return result if isinstance(result, polars.DataFrame) else polars.DataFrame({"value": [result]})


def _table(frame: Any, max_rows: int) -> dict[str, Any]:
    rows = frame.head(max_rows + 1).rows()
    if len(rows) > max_rows:
        return _error(f"its result has {frame.height:,} rows, at most {max_rows:,}")
    columns = [[name, _type(dtype)] for name, dtype in frame.schema.items()]
    return {"columns": columns, "rows": [[_cell(cell) for cell in row] for row in rows]}


def _type(dtype: Any) -> str:
    """DuckDB's name of a type."""
    name = str(dtype.base_type())
    if dtype.is_integer():
        return "BIGINT"
    if dtype.is_numeric():
        return "DOUBLE"
    return {"Boolean": "BOOLEAN", "Date": "DATE", "Datetime": "TIMESTAMP"}.get(name, "VARCHAR")


def _cell(cell: Any) -> Any:
    if isinstance(cell, float):
        return cell if math.isfinite(cell) else None
    return cell if cell is None or isinstance(cell, bool | int | str) else _text(cell)


def _text(cell: Any) -> Any:
    try:
        return float(cell) if type(cell).__name__ == "Decimal" else cell.isoformat()
    except AttributeError:
        return str(cell)


if __name__ == "__main__":
    main()
