# Everything a checkout needs. `make` alone lists the targets.

.DEFAULT_GOAL := help
.PHONY: help reference ask peers test test-long lint format types imports check bench bench-context demo picture sample definitions clean

VENV := .venv
BIN := $(VENV)/bin
JOBS ?= auto

# The question of `make ask`. It travels through the environment, so quotes, `$` and `;` in it are only text.
Q ?= compare NVDA vs AMD
ask: export QUESTION := $(value Q)

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-13s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

ask: $(VENV)/.installed ## Install if needed and answer a question offline: make ask Q="AMD's gross margin"
	@$(BIN)/dexter ask --offline -- "$$QUESTION"

test: $(VENV)/.installed-peers ## Run the test suite
	$(BIN)/python -m pytest -n $(JOBS) -m "not long"

test-long: $(VENV)/.installed-peers ## Run every test, the long forms too
	$(BIN)/python -m pytest -n $(JOBS)

lint: $(VENV)/.installed-dev ## Check style and formatting
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

format: $(VENV)/.installed-dev ## Format the code
	$(BIN)/ruff format .

types: $(VENV)/.installed-dev ## Check types
	$(BIN)/mypy

imports: $(VENV)/.installed-dev ## Check that imports point downwards only
	$(BIN)/lint-imports

check: lint types imports test ## Everything that must pass before a push

bench: $(VENV)/.installed-dev ## Measure everything, as ratios: make bench REPORT=build/benchmarks.md
	$(BIN)/python -m benchmarks $(REPORT)

demo: $(VENV)/.installed ## Watch one run show every panel, with a scripted model on real figures
	@$(BIN)/python -m dexter.demo

picture: $(VENV)/.installed ## Draw the demo as the picture of the README
	$(BIN)/python -m dexter.demo --svg docs/demo.svg

sample: $(VENV)/.installed ## Rebuild the bundled sample: make sample FROM=folder-with-the-sources
	@test -n "$(FROM)" || { echo "Say where the sources are: make sample FROM=folder" >&2; exit 2; }
	$(BIN)/python -m dexter.data.sample.build "$(FROM)"

bench-context: $(VENV)/.installed-dev ## Compare context policies with the original's and with peers' (installed once)
	$(BIN)/python -m benchmarks.context

definitions: $(VENV)/.installed ## Rewrite docs/definitions.md from the code
	$(BIN)/python -m dexter.data.definitions docs/definitions.md

reference: $(VENV)/.installed ## Rewrite docs/reference.md from the code
	$(BIN)/python -m docs.generate

clean: ## Remove the environment and caches; runs stay
	rm -rf $(VENV) build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# The environment. Each stamp is newer than pyproject.toml once its packages are in: a second call installs nothing.
$(VENV)/bin/python:
	@for python in $(PYTHON) python3.11 python3.12 python3.13 python3; do \
	  if "$$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then \
	    echo "Creating $(VENV) with $$("$$python" --version)"; \
	    "$$python" -m venv $(VENV) && exit 0; \
	    rm -rf $(VENV); \
	    echo "$$python can't create an environment. On Debian: apt-get install python3-venv" >&2; exit 1; \
	  fi; \
	done; \
	echo "Python 3.11 or newer is needed and none was found. Name one with: make $(MAKECMDGOALS) PYTHON=/path/to/python" >&2; exit 1

$(VENV)/.installed: pyproject.toml | $(VENV)/bin/python
	@echo "Installing Dexter and what it needs (once; about a minute)"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	@touch $@

$(VENV)/.installed-dev: pyproject.toml | $(VENV)/bin/python
	@echo "Installing Dexter with its development tools (once)"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $@ $(VENV)/.installed

# Servers nobody here wrote, for tests/peers. What can't be installed is said, and those tests skip with the same reason.
peers: $(VENV)/.installed-peers ## Install the servers of others that some tests run against

$(VENV)/.installed-peers: tests/peers/package-lock.json tests/peers/requirements.txt | $(VENV)/.installed-dev
	@if ! command -v npm >/dev/null; then echo "No npm here: the tests against aimock will be skipped"; \
	else npm ci --silent --no-audit --no-fund --prefix tests/peers \
	  || echo "aimock could not be installed: the tests against it will be skipped"; fi
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --only-binary :all: \
	  --requirement tests/peers/requirements.txt \
	  || echo "llama.cpp could not be installed: the tests against it will be skipped"
	@touch $@
