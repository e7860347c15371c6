# Two commands set everything up: `make run` opens the workbench, `make test` checks it.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: run notebook test tests lint types texts bench screenshots clean

run: $(VENV)/.ready-all $(VENV)/.prepared
	$(BIN)/streamlit run app.py

# What the first question on the samples would wait for; where it cannot be made, each home makes its own.
$(VENV)/.prepared: $(VENV)/.ready-all research/library/index.py research/text/lexicon.txt research/meaning/everyday.txt
	@-$(BIN)/python -m research prepare && touch $@

notebook: $(VENV)/.ready-all $(VENV)/.ready-notebook
	$(BIN)/jupyter lab notebooks

# The checkers work beside the tests: a browser waits more than it reckons.
test: $(VENV)/.ready-dev
	@$(MAKE) --no-print-directory --jobs=3 lint types tests

# Tests of one file stay with one worker, which keeps one browser and one app for all that can share them.
# What is compiled is kept, whatever the environment says: every worker and every app would do it again.
# There is one more than CI has processors: who drives a browser mostly waits for it. What fails is tried once more, and
# said: where others keep the machine busy, a server answers late once. A fault fails twice.
WORKERS ?= 3
tests: export PYTHONDONTWRITEBYTECODE =
tests: $(VENV)/.ready-dev
	$(BIN)/python -m pytest --numprocesses=$(WORKERS) --dist=loadfile --no-loadscope-reorder --reruns=1

lint: $(VENV)/.ready-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports

types: $(VENV)/.ready-dev
	$(BIN)/mypy

# Brings the Japanese catalogue up to date with the code and says what lacks its Japanese.
texts: $(VENV)/.ready-dev
	$(BIN)/python -m bench.texts

# Prints ratios; takes some minutes. Each bench can be run alone: python -m bench.critical_path
bench: $(VENV)/.ready-dev
	$(BIN)/python -m bench.critical_path
	$(BIN)/python -m bench.methods
	$(BIN)/python -m bench.ten_runs
	$(BIN)/python -m bench.run_library
	$(BIN)/python -m bench.documents

# Every page and state: make screenshots, or a part of them: make screenshots OUT=folder PARTS="report ja-dark"
OUT ?= build/screenshots
screenshots: $(VENV)/.ready-dev
	$(BIN)/python -m tests.support.screenshots $(OUT) $(PARTS)

# A marker a set of extras: `make run` does not wait for the developers' tools, which bring all that others need.
$(VENV)/.ready-%: pyproject.toml constraints.txt
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(PYTHON) -c 'import sys; sys.exit("Python 3.11 or newer is needed: make PYTHON=python3.12 ...") if sys.version_info < (3, 11) else None'
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --editable '.[$*]'
	@touch $@ $(if $(filter dev,$*),$(VENV)/.ready-all $(VENV)/.ready-notebook)

clean:
	rm -rf $(VENV) build *.egg-info .mypy_cache .ruff_cache .pytest_cache
