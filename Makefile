# One front door. Every target sets up what it needs; uv is used when it is there.
PYTHON ?= python3
VENV   ?= .venv
BIN    := $(VENV)/bin
STAMP  := $(VENV)/.installed
STORY  ?= examples/the-lamp-at-harrow

.PHONY: help play test test-long lint bench lock clean
help:            ## this list
	@grep -E '^[a-z-]+: *.*##' $(MAKEFILE_LIST) | sed -E 's/: *.*## */\t/' | expand -t 14

$(STAMP): requirements/dev.txt pyproject.toml
	@echo "Setting up $(VENV); once, and it takes a minute or so."
	@if command -v uv >/dev/null 2>&1; then \
	  uv venv --quiet --allow-existing --python $(PYTHON) $(VENV) && \
	  uv pip install --quiet --python $(BIN)/python --require-hashes -r requirements/dev.txt && \
	  uv pip install --quiet --python $(BIN)/python --no-deps --no-build-isolation -e . ; \
	else \
	  $(PYTHON) -m venv $(VENV) && \
	  $(BIN)/python -m pip install --quiet --require-hashes -r requirements/dev.txt && \
	  $(BIN)/python -m pip install --quiet --no-deps --no-build-isolation -e . ; \
	fi
	@touch $@

play: $(STAMP)   ## play the example story (SCRIPT=file plays a file of lines)
	@$(BIN)/storykeeper play $(STORY) $(if $(SCRIPT),--script $(SCRIPT))

test: lint       ## everything that must hold, in minutes
	$(BIN)/python -m pytest -n 2 --dist worksteal -m "not long"

test-long: lint  ## the same laws with many more cases
	STORYKEEPER_LONG=1 $(BIN)/python -m pytest -n 2 --dist worksteal

lint: $(STAMP)   ## style and types
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: $(STAMP)  ## the table of docs/benchmarks.md
	$(BIN)/storykeeper bench latency

lock:            ## write the hashed requirements anew (needs uv)
	uv pip compile -q --upgrade --generate-hashes --no-emit-index-url --no-header --universal --python-version 3.11 pyproject.toml -o requirements/core.txt
	uv pip compile -q --upgrade --generate-hashes --no-emit-index-url --no-header --universal --python-version 3.11 --extra dev pyproject.toml -o requirements/dev.txt

clean:           ## remove what the targets made
	rm -rf $(VENV) .hypothesis .mypy_cache .ruff_cache build dist
