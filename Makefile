# What every target needs is installed once into .venv, then again only when a lock or
# pyproject.toml is newer. `make help` lists the targets; ARGS="..." passes on what you add.

VENV := .venv
LOCK_VENV := .venv-lock
BIN := $(VENV)/bin
PYTHON ?= python3.11 python3
WORKERS ?= 2
PIP_FLAGS := -qq --disable-pip-version-check --no-input
PIP_TOOLS := pip-tools==7.6.2

.DEFAULT_GOAL := help
.NOTPARALLEL:
.DELETE_ON_ERROR:
.PHONY: help demo test slow cover check format bench wheel lock clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-8s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

demo: $(VENV)/.runtime ## install what the product needs and run its demonstration
	$(BIN)/worldgen demo $(ARGS)

test: $(VENV)/.dev ## run the tests, the slow ones left out
	$(BIN)/pytest -n $(WORKERS) --dist loadfile $(ARGS)

slow: $(VENV)/.dev ## run the slow tests alone
	$(BIN)/pytest -n $(WORKERS) --dist loadfile -m slow $(ARGS) || [ $$? -eq 5 ]

cover: $(VENV)/.dev ## run the tests and report the branches that they miss
	$(BIN)/pytest -n $(WORKERS) --dist loadfile --cov $(ARGS)

check: $(VENV)/.dev ## lint, formatting, types, import contracts
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy worldgen answers queries search_sim tests $(wildcard benchmarks/*.py examples/*.py)
	$(BIN)/lint-imports --no-logo

format: $(VENV)/.dev ## format the code and mend what the linter can mend
	$(BIN)/ruff check --fix-only .
	$(BIN)/ruff format .

bench: $(VENV)/.runtime ## run every benchmark in turn
	@set -e; for file in $(sort $(wildcard benchmarks/bench_*.py)); do \
	  echo "== $$file"; $(BIN)/python "$$file"; \
	done

wheel: $(VENV)/.dev ## build the distribution and try the wheel in an environment of its own
	.ci/check-wheel $(BIN)/python

lock: $(LOCK_VENV)/.made ## remake both lock files (ARGS=--upgrade for newer versions)
	$(call compile,requirements.lock,)
	$(call compile,requirements-dev.lock,--extra dev --constraint requirements.lock)

clean: ## remove the environments, caches and builds
	rm -rf $(VENV) $(LOCK_VENV) build dist htmlcov .coverage .coverage.* \
	  .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# A development environment holds all that a runtime one holds.
$(VENV)/.dev: requirements-dev.lock pyproject.toml | $(BIN)/python
	$(call install,requirements-dev.lock)
	@touch $(VENV)/.runtime $@

$(VENV)/.runtime: requirements.lock pyproject.toml | $(BIN)/python
	$(call install,requirements.lock)
	@touch $@

$(LOCK_VENV)/.made: Makefile | $(LOCK_VENV)/bin/python
	$(LOCK_VENV)/bin/python -m pip install $(PIP_FLAGS) $(PIP_TOOLS)
	@touch $@

$(VENV)/bin/python $(LOCK_VENV)/bin/python:
	@for python in $(PYTHON); do \
	  if "$$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then \
	    echo "Making $(patsubst %/bin/python,%,$@) with $$("$$python" --version)"; \
	    "$$python" -m venv --clear $(patsubst %/bin/python,%,$@) && exit 0; \
	    rm -rf $(patsubst %/bin/python,%,$@); exit 1; \
	  fi; \
	done; \
	echo "error: this needs Python 3.11 or newer, and none was found among: $(PYTHON)" \
	  "(name yours with make PYTHON=...)" >&2; exit 1

define install
	@echo "Installing $(1) into $(VENV)"
	@$(BIN)/python -m pip install $(PIP_FLAGS) -r $(1)
	@$(BIN)/python -m pip install $(PIP_FLAGS) --no-deps -e .
endef

# A lock says what is installed and not whence: each machine has its own index settings.
define compile
	$(LOCK_VENV)/bin/pip-compile --quiet --generate-hashes --strip-extras --allow-unsafe \
	  --no-header --no-annotate --no-emit-options --no-emit-index-url --no-emit-find-links \
	  --no-emit-trusted-host $(2) $(ARGS) --output-file $(1) pyproject.toml
endef
