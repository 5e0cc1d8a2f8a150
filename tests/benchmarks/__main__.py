"""Run the benchmarks named, or all but those that install what else nobody needs; each prints one line of figures a
measurement."""

import importlib
import pkgutil
import sys

import tests.benchmarks as here

_WHEN_NAMED = ("peers",)

if __name__ == "__main__":
    found = sorted(each.name for each in pkgutil.iter_modules(here.__path__) if not each.name.startswith("_"))
    every = [name for name in found if name not in _WHEN_NAMED]
    for name in sys.argv[1:] or every:
        print(f"== {name}", flush=True)
        importlib.import_module(f"tests.benchmarks.{name}").main()
