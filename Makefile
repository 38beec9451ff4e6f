# `make run` serves live tables and prints the address. `make test` checks everything. Both set up .venv first.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
NODE := node_modules/.bin
STATIC := src/highcardflush/web/static
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check
LEFT_OUT := $(if $(shell command -v npm 2> /dev/null),,the lint of the pages because npm is not installed)

.PHONY: run test parts lint lint-pages coverage docs sums screenshots bench sweep clean

run: $(VENV)/.run
	@$(BIN)/hcf serve

# One process per core, up to four, each with a separate PostgreSQL and browser. The last line says what was left out.
test: parts lint coverage
	LEFT_OUT='$(LEFT_OUT)' $(BIN)/python -m pytest -q -rs -n auto --maxprocesses 4 --dist worksteal

# Programs that pip cannot install: PostgreSQL for the tests of the database, strace for those that record every write,
# Chromium and node for the pages of the browser.
parts: $(VENV)/.test
	@$(BIN)/python tools/parts.py

lint: $(VENV)/.test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
ifdef LEFT_OUT
	@echo 'left out: $(LEFT_OUT)'; test "$$CI" != true
else
	@$(MAKE) --no-print-directory lint-pages
endif

lint-pages: node_modules/.stamp
	$(NODE)/tsc
	$(NODE)/eslint $(STATIC)
	$(NODE)/prettier --log-level warn --check '$(STATIC)/**/*.{js,css}' '*.js' tests/support/verify.js

# The tests of ranking, settlement and jackpot must cover every branch of these modules.
coverage: $(VENV)/.test
	$(BIN)/coverage run -m pytest -q tests/core/test_ranking.py tests/core/test_jackpot.py tests/game/test_settle.py tests/game/test_caps.py tests/game/test_sidebets.py
	$(BIN)/coverage combine -q
	$(BIN)/coverage report -m --fail-under=100 --include='*/highcardflush/ranking.py,*/jackpot.py,*/game/settle.py,*/game/caps.py,*/game/sidebets.py'

docs: $(VENV)/.test
	$(BIN)/python tools/docs.py

# Count the whole game of every packaged rulebook, for `hcf odds game`.
sums: $(VENV)/.test
	$(BIN)/python tools/sums.py

# Write pictures of every page into the folder screenshots, for phone and desk, light and dark.
screenshots: $(VENV)/.test
	$(BIN)/python tools/screenshots.py

bench: $(VENV)/.bench
	$(BIN)/python bench/engine.py
	$(BIN)/python bench/lab.py
	$(BIN)/python bench/simulate.py
	$(BIN)/python bench/cluster.py
	$(BIN)/python bench/house.py
	$(BIN)/python bench/floor.py
	$(BIN)/python bench/live.py
	$(BIN)/python bench/browser.py

# The long checks: every hand, 20,000 random rounds, 10^9 simulated hands of every pay table, mutants of the modules that
# compute money, and bad values for every option of every command; books that are edited, and whose process is killed or
# loses its power or its database; a server that is killed with 200 players, and every byte it sends in 10,000 rounds.
sweep: $(VENV)/.sweep
	$(BIN)/python sweep/all_hands.py ranking
	$(BIN)/python sweep/all_hands.py solver
	HCF_ROUNDS=20000 $(BIN)/python -m pytest -q tests/game/test_random_play.py
	$(BIN)/python sweep/simulate_tables.py
	$(BIN)/python sweep/printed_z.py
	$(BIN)/python sweep/bands.py
	$(BIN)/python sweep/mutants.py
	$(BIN)/python sweep/fuzz_options.py
	HCF_HOUSE_STEPS=4000 $(BIN)/python -m pytest -q tests/house/test_random.py
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
	$(PIP) -e '.[test,lab,server,cluster]'
	@touch $@

$(VENV)/.bench: $(VENV)/.test
	$(PIP) -e '.[bench]'
	@touch $@

$(VENV)/.sweep: $(VENV)/.test
	$(PIP) -e '.[sweep]'
	@touch $@

# Exact versions, only for checks. The server serves none of these files.
node_modules/.stamp: package.json .npmrc
	npm install --loglevel=error
	@touch $@

clean:
	rm -rf $(VENV) node_modules screenshots .mypy_cache .ruff_cache .pytest_cache .hypothesis mutants
