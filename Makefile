# Two commands do everything on a fresh machine: `make demo` and `make test`.
PYTHON ?= python3
BIN := .venv/bin

.PHONY: demo test install bench torture docs vectors refusals format clean
.DELETE_ON_ERROR:

demo: install  ## publish the demo survey with simulated reports and serve it
	$(BIN)/candor demo

install: .venv/installed  ## the environment with the `candor` command

.venv/installed: requirements.txt pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Candor needs Python 3.11 or newer")'
	$(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --disable-pip-version-check -r requirements.txt
	$(BIN)/pip install --quiet --disable-pip-version-check --no-deps --editable .
	touch $@

.venv/installed-for-tests: .venv/installed requirements-test.txt
	$(BIN)/pip install --quiet --disable-pip-version-check -r requirements-test.txt
	touch $@

test: .venv/installed-for-tests  ## everything: style, types, tests, a real browser and a real R
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/python -m tests.browser.chromium
	$(BIN)/python -m tests.support.r_language
	$(BIN)/python -m tests.support.c_compiler
	# A file's tests stay together: they share a server, or hundreds of recorded sessions. The
	# longest files come first (tests/conftest.py), not those with the most tests.
	$(BIN)/python -m tests.suite --numprocesses auto --dist loadfile --no-loadscope-reorder

.venv-peers/installed: tests/benchmarks/peers/requirements.txt
	$(PYTHON) -m venv .venv-peers
	.venv-peers/bin/pip install --quiet --disable-pip-version-check -r $<
	touch $@

bench: .venv/installed-for-tests .venv-peers/installed  ## the long measurements; writes BENCHMARKS.md
	$(BIN)/python -m tests.benchmarks

torture: .venv/installed-for-tests  ## the tests that kill, race and flood, at full scale; writes TORTURE.md
	$(BIN)/python -m tests.support.c_compiler
	$(BIN)/python -m tests.browser.chromium
	$(BIN)/python -m tests.browser.firefox
	$(BIN)/python -m tests.torture

docs: .venv/installed-for-tests  ## the documents as a site, in build/site
	$(BIN)/python -m sphinx -q -c docs -W --keep-going . build/site
	@echo "The site is in build/site: open build/site/docs/index.html"

vectors: .venv/installed-for-tests  ## write the shared test vectors again
	$(BIN)/python -m tests.vectors.generate

refusals: .venv/installed-for-tests  ## write docs/refusals.md again
	$(BIN)/python -m tests.support.refusals

format: .venv/installed-for-tests
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

clean:
	rm -rf .venv .venv-peers candor-data build *.egg-info
