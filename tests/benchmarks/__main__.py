"""Run the benchmarks named, or all; each prints one line of figures a measurement."""

import importlib
import pkgutil
import sys

import tests.benchmarks as here

if __name__ == "__main__":
    every = sorted(each.name for each in pkgutil.iter_modules(here.__path__) if not each.name.startswith("_"))
    for name in sys.argv[1:] or every:
        print(f"== {name}", flush=True)
        importlib.import_module(f"tests.benchmarks.{name}").main()
