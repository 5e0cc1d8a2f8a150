# Two commands for a fresh machine with Python 3.11 and make: `make demo` and `make test`.
PYTHON ?= python3.11
VENV   := .venv
BIN    := $(VENV)/bin
STAMP  := $(VENV)/.installed
SHARED ?= ../shared/nl2sql

.PHONY: install demo test newest check docs figures bench eval train inspector clean

install: $(STAMP)

$(STAMP): pyproject.toml constraints.txt
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable '.[dev]'
	touch $(STAMP)

demo: install
	$(BIN)/pluto-duck demo --root .demo

# make test [WORKERS=3]: every test, in so many processes; the tests of a file stay together, files are taken in the order
# of tests/conftest.py.
# On two cores three: for three tenths of its time a test waits for a server or a process that it has started.
# They start hundreds of these, so bytecode is kept even where the environment would not have it.
WORKERS ?= 3
test: export PYTHONDONTWRITEBYTECODE =
test: install
	$(BIN)/python -m pytest --numprocesses $(WORKERS) --dist loadfile --no-loadscope-reorder

# make newest: what rests on DuckDB itself, with the newest release, which `pip install pluto-duck` takes. The pinned one
# is the newest that has its extensions as wheels.
NEWEST := 2.0.0
NEWEST_TESTS := tests/core tests/execution tests/ingestion tests/transformation tests/cli/test_commands.py
newest: export PYTHONDONTWRITEBYTECODE =
newest: .newest/$(NEWEST)
	PYTHONPATH=$(CURDIR)/.newest/$(NEWEST) $(BIN)/python -m pytest --numprocesses $(WORKERS) --dist loadfile \
	  $(NEWEST_TESTS) --ignore tests/ingestion/test_servers.py --ignore tests/ingestion/test_source_faults.py

.newest/$(NEWEST): $(STAMP)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --target $@ duckdb==$(NEWEST)

check: install
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --config .importlinter --no-cache

docs: install
	$(BIN)/python -m tests.contracts.reference

# make figures: every suite asked of the embedded analyst, and the docs' tables of what came back. Some 15 minutes.
figures: install
	$(BIN)/python -m tests.figures ask .eval/figures
	$(MAKE) docs

bench: install
	$(BIN)/python -m tests.benchmarks

# make eval: the embedded analyst on databases it has not seen, in five folds (trains what is not trained yet: hours).
# make eval SUITE=suite.jsonl [ARGS=--databases=folder]: any suite, with what is installed.
eval: install
ifdef SUITE
	$(BIN)/pluto-duck eval $(SUITE) $(ARGS)
else
	$(MAKE) .train/venv
	.train/venv/bin/python -m pluto_duck_training eval --work .train --shared $(SHARED)
endif

# make train: what `make eval` does, then writes the weights that ship.
train: .train/venv
	.train/venv/bin/python -m pluto_duck_training train --work .train --shared $(SHARED)

.train/venv: pyproject.toml constraints.txt
	test -x .train/venv/bin/python || $(PYTHON) -m venv .train/venv
	.train/venv/bin/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable '.[train]'
	touch .train/venv

# The MCP inspector, which drives our MCP server in the tests; wants node (20 or later) and npm. About 110 MB, once.
INSPECTOR := 2.12.0
inspector: .inspector/$(INSPECTOR)

.inspector/$(INSPECTOR):
	npm install --prefix .inspector --no-save --no-package-lock --ignore-scripts --no-audit --no-fund --loglevel=error \
	  @modelcontextprotocol/inspector@$(INSPECTOR)
	touch $@

clean:
	rm -rf .demo .eval .pytest_cache .mypy_cache .ruff_cache
