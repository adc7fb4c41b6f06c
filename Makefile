# pitwatch: `make demo` shows it, `make test` proves it, `make help` lists the rest.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
TRAIN := .venv-train
PORT ?= 8000
TESTS ?=
# Tests write many small files and wait for each to be safe: in memory that costs nothing.
SCRATCH := $(shell test -w /dev/shm && echo /dev/shm || echo /tmp)

.DEFAULT_GOAL := help
.PHONY: help demo test cover check format lock bench dataset train test-train clean

help: ## list what can be made
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

demo: $(VENV)/.runtime ## watch the bundled footage and open the web interface on http://127.0.0.1:8000
	@$(BIN)/pitwatch demo --port $(PORT)

test: $(VENV)/.test ## run every test (TESTS=tests/rules for a part)
	@sh scripts/require.sh test
	@TMPDIR=$(SCRATCH) $(BIN)/pytest -n 2 --dist loadfile --no-loadscope-reorder --fail-on-skip $(TESTS)

cover: $(VENV)/.test ## every branch of rules/ is taken by its tests (about 90 s of CPU time)
	@TMPDIR=$(SCRATCH) $(BIN)/pytest -q -n 2 --cov=rules --cov-branch --cov-fail-under=100 \
		--cov-report=term-missing:skip-covered tests/rules rules

check: $(VENV)/.test ## style, types, architecture, spelling
	@$(BIN)/ruff format --check .
	@$(BIN)/ruff check .
	@$(BIN)/mypy
	@$(BIN)/lint-imports
	@$(BIN)/codespell
	@$(BIN)/pytest -q -p no:randomly tests/docs

format: $(VENV)/.test ## put the code in its form
	@$(BIN)/ruff format .
	@$(BIN)/ruff check --fix .

lock: $(VENV)/.lock ## refresh the exact versions and hashes in requirements/
	@sh scripts/lock.sh $(BIN)/uv

bench: $(VENV)/.test ## measure speed: judging records, writing and verifying the record, every page, reports
	@$(BIN)/python scripts/bench_check.py
	@$(BIN)/python scripts/bench_check.py memory
	@$(BIN)/python scripts/bench_store.py --verify 1000000
	@$(BIN)/python scripts/bench_store.py --postgresql --verify 1000000
	@$(BIN)/python scripts/bench_pages.py
	@$(BIN)/python scripts/bench_reports.py

dataset: $(TRAIN)/.ready ## render the training data (hours of work for two cores)
	@$(TRAIN)/bin/python -m vision.training.dataset

train: $(TRAIN)/.ready ## train the card model on the rendered data and export it
	@$(TRAIN)/bin/python -m vision.training.train detector --minutes 60 --run runs/detector
	@$(TRAIN)/bin/python -m vision.training.train refiner --minutes 30 --run runs/refiner
	@$(TRAIN)/bin/python -m vision.training.train reader --minutes 60 --run runs/reader
	@$(TRAIN)/bin/python -m vision.training.train indices --minutes 60 --run runs/indices
	@$(TRAIN)/bin/python -m vision.training.train index_reader --minutes 60 --run runs/index_reader
	@$(TRAIN)/bin/python -m vision.training.export --detector runs/detector --refiner runs/refiner \
		--reader runs/reader --indices runs/indices --index-reader runs/index_reader

test-train: $(TRAIN)/.ready ## rehearse the training: two tiny epochs a network, exported and compared
	@$(TRAIN)/bin/python -m vision.training.rehearse

clean: ## remove the environments and what the tools cached
	rm -rf $(VENV) $(TRAIN) .mypy_cache .ruff_cache .pytest_cache .hypothesis

# The environment is made once, and filled again whenever its lock file changes. The mark at the end
# says that it was: where a first try was interrupted there is none, and all begins anew.
define environment
	@PYTHON="$(PYTHON)" sh scripts/require.sh environment
	@test -e $@ || { echo "Making the environment in $(@D) ..."; $(PYTHON) -m venv --clear $(@D); }
endef

$(VENV)/.runtime: requirements/runtime.txt pyproject.toml
	$(environment)
	@echo "Installing what pitwatch needs (half a minute or so) ..."
	@$(BIN)/pip install -q --disable-pip-version-check --require-hashes -r requirements/runtime.txt
	@$(BIN)/pip install -q --disable-pip-version-check --no-deps --no-build-isolation -e .
	@touch $@

$(VENV)/.test: $(VENV)/.runtime requirements/test.txt
	@echo "Installing what the tests need ..."
	@$(BIN)/pip install -q --disable-pip-version-check --require-hashes -r requirements/test.txt
	@touch $@

# Training has an environment of its own: it brings gigabytes, and the product needs none of them.
$(TRAIN)/.ready: requirements/train.txt
	$(environment)
	@$(TRAIN)/bin/pip install -q --disable-pip-version-check --no-deps --require-hashes -r $<
	@touch $@

$(VENV)/.lock:
	@test -x $(BIN)/pip || $(PYTHON) -m venv --clear $(VENV)
	@$(BIN)/pip install -q --disable-pip-version-check uv
	@touch $@
