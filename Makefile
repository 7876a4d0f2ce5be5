# Two commands do all set-up: `make demo` and `make test`. Everything is installed into .venv from requirements.lock.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
TORCH := $(VENV)/.torch
# Everything but what needs torch, which is large: see requirements-torch.txt.
EXTRAS := --extra review --extra scenes --extra similarity --extra smt --extra styles --extra vega
WORKERS ?= auto

.PHONY: demo test test-all test-torch lint types layers unit bench docs serve-docs lock golden clean

$(READY): requirements.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(0 if sys.version_info >= (3, 11) else "expected Python 3.11 or newer; got " + sys.version.split()[0] + "\n  next: make PYTHON=python3.12 ...")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	@touch $(READY)

demo: $(READY)  ## build, certify, run, score and report, offline
	$(BIN)/answerable demo --out demo

test: lint types layers unit  ## everything that must hold

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(READY)
	$(BIN)/mypy

layers: $(READY)
	$(BIN)/lint-imports

unit: $(READY)
	$(BIN)/pytest -n $(WORKERS) -m "not slow and not browser and not torch"

test-all: $(READY)  ## the slow tests, those in a browser, and those that need torch
	$(BIN)/pytest -n $(WORKERS) -m "(slow or browser) and not torch"
	$(BIN)/mkdocs build --strict --quiet --site-dir site
	$(MAKE) --no-print-directory test-torch

$(TORCH): $(READY) requirements-torch.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements-torch.txt -c requirements.lock
	@touch $(TORCH)

test-torch: $(TORCH)  ## installs torch on the first call
	$(BIN)/pytest -m torch

bench: $(READY)  ## the figures of docs/benchmarks.md, side by side in one run
	$(BIN)/python -m benchmarks

docs: $(READY)  ## the documentation, into site/
	$(BIN)/mkdocs build --strict --site-dir site

serve-docs: $(READY)
	$(BIN)/mkdocs serve

golden: $(READY)  ## rewrite the golden digests on purpose
	$(BIN)/python -m tests.golden.rewrite

lock:  ## pin every dependency for Python 3.11 and newer (needs uv)
	uv pip compile pyproject.toml --group dev $(EXTRAS) --universal --python-version 3.11 --no-header --quiet -o requirements.lock

clean:
	rm -rf $(VENV) site demo dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
