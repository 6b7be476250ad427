# One command each; see `make help`. Nothing asks a question, and a second run skips what is done.

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin

# A stamp is newer than what it was made from. The development environment contains the plain one.
READY     := $(VENV)/.ready
READY_DEV := $(VENV)/.ready-dev

.PHONY: help run test lint bench models package test-package clean

help:  ## Show this list
	@sed -n 's/^\([a-z-]*\):.*  ## /\1\t/p' $(MAKEFILE_LIST) | expand -t 14

run: models  ## Set up what is missing and start the app; without a terminal, the two-session demo
	@if [ -t 0 ] && [ -t 1 ]; then exec $(BIN)/desk-assistant; else exec $(BIN)/desk-assistant demo; fi

test: $(READY_DEV) lint models  ## Check and test everything, quick tests first
	$(BIN)/pytest -q -n auto --maxprocesses 4 -m "not real"
	$(BIN)/pytest -q -m real

lint: $(READY_DEV)  ## Check style, types and the import contracts
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: $(READY_DEV) models  ## Measure: make bench NAME=memory
	$(BIN)/python -m tests.bench $(NAME)

models: $(READY)  ## Install the starter models that are missing into the user's data folder
	@$(BIN)/python -m desk_assistant.models setup

package:  ## Build the installers of this system into dist (the first time, up to an hour)
	@cd packaging && $(PYTHON) -m installer

test-package:  ## Try them in bare systems without Python; needs root, debootstrap and tmux, takes half an hour
	@cd packaging && $(CURDIR)/build/package/tools/bin/python test_installed.py

clean:  ## Remove what was built here; models and data stay
	rm -rf $(VENV) build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	find desk_assistant tests packaging -name __pycache__ -type d -prune -exec rm -rf {} +

$(READY): pyproject.toml constraints.txt packaging/environment.py
	@if [ ! -f $(READY_DEV) ] || [ -n "$$(find $^ -newer $(READY_DEV))" ]; then $(PYTHON) packaging/environment.py $(VENV); fi
	@touch $@

$(READY_DEV): pyproject.toml constraints.txt packaging/environment.py
	@$(PYTHON) packaging/environment.py $(VENV) --dev
	@touch $@
