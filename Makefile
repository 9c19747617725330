# A fresh machine needs Python 3.11 with pip, and make. Everything else comes from requirements.lock.
PY ?= python3
UV_VERSION := 0.13.9
UV := .tools/bin/uv
UV_READY := .tools/.uv-$(UV_VERSION)
BIN := .venv/bin
READY := .venv/.ready
PACKAGES := api domain eventstore migrations ostraka workers
CHECKED := $(PACKAGES) $(wildcard tests bench)
MEASUREMENTS := rules bots eventstore http

# uv must use the Python that is here, and never fetch another.
export UV_PYTHON_DOWNLOADS := never
# Compiled files are kept, also where the environment says otherwise: every start of a process is 2 s quicker.
export PYTHONDONTWRITEBYTECODE :=

.DEFAULT_GOAL := help
.PHONY: help install up test test-fast lint format types contracts bench lock clean

help: ## Show the targets
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1\t\2/p' $(firstword $(MAKEFILE_LIST)) | expand -t 20

install: $(READY) ## Set up .venv with the locked packages and the program

up: $(READY) ## Start the whole service, servers included
	$(BIN)/ostraka up

test: lint types contracts ## Run every check and every test
	$(BIN)/pytest -n 2 --cov

test-fast: $(READY) ## Run the tests without coverage, first failure stops
	$(BIN)/pytest -n 2 --exitfirst

lint: $(READY) ## Check style and format
	$(BIN)/ruff check $(CHECKED)
	$(BIN)/ruff format --check $(CHECKED)

format: $(READY) ## Rewrite the files in the house format
	$(BIN)/ruff check --fix $(CHECKED)
	$(BIN)/ruff format $(CHECKED)

types: $(READY) ## Check types, strictly
	$(BIN)/mypy --strict $(CHECKED)

contracts: $(READY) ## Check who imports whom
	$(BIN)/lint-imports --no-cache

bench: $(READY) ## Run every measurement under bench/
	@set -e; for name in $(MEASUREMENTS); do echo "== bench/$$name.py"; $(BIN)/python -m "bench.$$name"; done

lock: $(UV_READY) ## Renew requirements.lock from pyproject.toml
	$(UV) export --quiet --upgrade --no-emit-project --no-header --group dev --python $(PY) \
		--format requirements-txt --output-file requirements.lock

clean: ## Remove everything that make made
	rm -rf .venv .tools .mypy_cache .pytest_cache .ruff_cache .hypothesis .coverage htmlcov

$(UV_READY):
	@$(PY) -m pip --version >/dev/null 2>&1 || { echo "pip is missing: install your system's python3-pip"; exit 1; }
	$(PY) -m pip install --quiet --disable-pip-version-check --upgrade --target .tools uv==$(UV_VERSION)
	touch $@

$(READY): requirements.lock pyproject.toml $(UV_READY)
	$(UV) venv --quiet --allow-existing --python $(PY) .venv
	$(UV) pip sync --quiet --compile-bytecode --python $(BIN)/python --require-hashes requirements.lock
	$(UV) pip install --quiet --python $(BIN)/python --no-deps --no-build-isolation --editable .
	touch $@
