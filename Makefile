# Two commands for a fresh machine with Python 3.11 and make: `make demo` and `make test`.
PYTHON ?= python3.11
VENV   := .venv
BIN    := $(VENV)/bin
STAMP  := $(VENV)/.installed

.PHONY: install demo test check docs bench eval clean

install: $(STAMP)

$(STAMP): pyproject.toml constraints.txt
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable '.[dev]'
	touch $(STAMP)

demo: install
	$(BIN)/pluto-duck demo --root .demo

test: install
	$(BIN)/python -m pytest

check: install
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --config .importlinter

docs: install
	$(BIN)/python -m tests.contracts.reference

bench: install
	$(BIN)/python -m tests.benchmarks

eval: install  ## make eval SUITE=suite.jsonl [ARGS=--databases=folder]
	$(BIN)/pluto-duck eval $(SUITE) $(ARGS)

clean:
	rm -rf .demo .eval .pytest_cache .mypy_cache .ruff_cache
