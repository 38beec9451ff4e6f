# Two commands: `make run` serves live tables and prints the address, `make test` checks everything. Both set up .venv first.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check

.PHONY: run test parts lint coverage docs bench sweep clean

run: $(VENV)/.run
	@$(BIN)/hcf serve

test: parts lint coverage
	$(BIN)/python -m pytest -q -rs

# What pip cannot install: PostgreSQL and strace, for the tests that need a real server and see every write.
parts: $(VENV)/.test
	@$(BIN)/python tools/parts.py

lint: $(VENV)/.test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

# Every branch of ranking, settlement and jackpot, by the tests of those modules alone.
coverage: $(VENV)/.test
	$(BIN)/coverage run -m pytest -q tests/test_ranking.py tests/test_jackpot.py tests/test_settle.py tests/test_caps.py tests/test_sidebets.py
	$(BIN)/coverage combine -q
	$(BIN)/coverage report -m --fail-under=100 --include='*/highcardflush/ranking.py,*/jackpot.py,*/game/settle.py,*/game/caps.py,*/game/sidebets.py'

docs: $(VENV)/.test
	$(BIN)/python tools/docs.py

bench: $(VENV)/.bench
	$(BIN)/python bench/engine.py
	$(BIN)/python bench/lab.py
	$(BIN)/python bench/simulate.py
	$(BIN)/python bench/house.py
	$(BIN)/python bench/floor.py
	$(BIN)/python bench/live.py

# Long checks: every hand, 20,000 random rounds, 10^9 simulated hands of every pay table, mutants of the money, every option
# of every command with values that nobody should type; books that are edited, killed, cut off from power and from their database;
# a server that is killed with 200 players at its tables, and every byte that leaves it in 10,000 rounds.
sweep: $(VENV)/.sweep
	$(BIN)/python sweep/ranking_all_hands.py
	HCF_ROUNDS=20000 $(BIN)/python -m pytest -q tests/test_random_play.py
	$(BIN)/python sweep/simulate_tables.py
	$(BIN)/python sweep/printed_z.py
	$(BIN)/python sweep/bands.py
	$(BIN)/python sweep/mutants.py
	$(BIN)/python sweep/fuzz_options.py
	HCF_HOUSE_STEPS=4000 $(BIN)/python -m pytest -q tests/test_house_random.py
	$(BIN)/python sweep/tamper.py
	$(BIN)/python sweep/crash.py kill
	$(BIN)/python sweep/crash.py power
	$(BIN)/python sweep/crash.py disk
	$(BIN)/python sweep/bank.py
	$(BIN)/python sweep/serve.py
	$(BIN)/python sweep/secrecy.py

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/.run: pyproject.toml | $(VENV)/bin/python
	$(PIP) -e '.[server]'
	@touch $@

$(VENV)/.test: pyproject.toml | $(VENV)/bin/python
	$(PIP) -e '.[test,lab,server]'
	@touch $@

$(VENV)/.bench: $(VENV)/.test
	$(PIP) -e '.[bench]'
	@touch $@

$(VENV)/.sweep: $(VENV)/.test
	$(PIP) -e '.[sweep]'
	@touch $@

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis mutants
