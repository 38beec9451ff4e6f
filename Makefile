# Two commands: `make run` opens a table, `make test` checks everything. Both set up .venv first.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check

.PHONY: run test lint docs bench sweep clean

run: $(VENV)/.run
	@$(BIN)/hcf play

test: lint
	$(BIN)/python -m pytest -q -rs

lint: $(VENV)/.test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

docs: $(VENV)/.test
	$(BIN)/python tools/docs.py

bench: $(VENV)/.test
	$(BIN)/python bench/engine.py

# Long checks: every hand, 20,000 random rounds, mutants of ranking, settlement and jackpot.
sweep: $(VENV)/.sweep
	$(BIN)/python sweep/ranking_all_hands.py
	HCF_ROUNDS=20000 $(BIN)/python -m pytest -q tests/test_random_play.py
	$(BIN)/python sweep/mutants.py

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/.run: pyproject.toml | $(VENV)/bin/python
	$(PIP) -e .
	@touch $@

$(VENV)/.test: pyproject.toml | $(VENV)/bin/python
	$(PIP) -e '.[test,lab]'
	@touch $@

$(VENV)/.sweep: $(VENV)/.test
	$(PIP) -e '.[sweep]'
	@touch $@

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis mutants
