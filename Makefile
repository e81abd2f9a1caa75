# Everything is made in .venv; nothing else on the machine is touched. `make help` lists the usual targets, `make help-all` all.

VENV := .venv
BIN := $(VENV)/bin
MOTO := build/moto/made.stamp
PROJECT := pyproject.toml setup.py

# The first Python from 3.11 on that can make an environment; say PYTHON=/path/to/python to choose another. That of the system comes
# first, if it can compile extensions as well: distributions build theirs with profiles, and it takes a seventh less time than one
# that was built without. Without its headers it is taken where the path has no other.
PYTHON ?= $(shell system=/usr/bin/python3; \
	"$$system" -c 'import os, sysconfig; os.stat(sysconfig.get_path("include") + "/Python.h")' 2>/dev/null || system=; \
	for each in $$system python3 python3.13 python3.12 python3.11 python3.14; do \
	"$$each" -c 'import ensurepip, sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo "$$each" && break; done)

# Tests wait for servers, clocks and browsers: three processes more than there are cores keep them busy. Each costs what it imports,
# and the servers, browsers and positions that its tests share.
PROCESSES ?= $(shell cores=$$(getconf _NPROCESSORS_ONLN); echo $$((cores < 5 ? cores + 3 : 8)))

export PIP_DISABLE_PIP_VERSION_CHECK = 1
export PYRIGHT_PYTHON_IGNORE_WARNINGS = 1
# The tests start hundreds of processes: each would compile all modules again.
unexport PYTHONDONTWRITEBYTECODE

.NOTPARALLEL:
.PHONY: help help-all setup serve fast fast-check fast-smoke dist dist-check test quick lint types unit deployments thorough contract client clients clients-all client-go client-mcp docs docs-version bench bench-smoke openspiel ladder habits coup-policy forgeries fuzz bench-web soak walk stich-meister-exhaustive openapi golden archive-matches archive-stores screenshots previews format lock clean

# Targets that a newcomer needs have their line after ##, the others after #-.
help:
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' Makefile

help-all: ## List all targets
	@awk -F ':.*#[#-] ' '/^[a-z-]+:.*#[#-] / { printf "  make %-25s %s\n", $$1, $$2 }' Makefile

setup: $(VENV)/dev.stamp ## Create the environment with all that development needs

serve: $(VENV)/run.stamp ## Start the whole service with an embedded server, and print its address
	@$(BIN)/python -m tools.compiled hint
	$(BIN)/tafelrunde serve

# The plain form stays what everything is written and tested in. Level 3 would take half as long again.
fast: $(VENV)/dev.stamp #- Compile the rules and the search, for about twice the speed (needs a C compiler; a few minutes)
	$(BIN)/python -m tools.compiled build 2

fast-check: $(VENV)/dev.stamp #- Play MATCHES (1,000) of each game in the compiled and in the plain form, and compare all that was said
	$(BIN)/python -m tools.compiled check $(or $(MATCHES),1000)

fast-smoke: $(VENV)/dev.stamp #- Compile one game, as fast as the compiler can, and compare both forms
	$(BIN)/python -m tools.compiled try 40 matchmaster

dist: $(VENV)/dev.stamp #- Build a source distribution, a wheel of plain Python and one with compiled rules, in dist/
	$(BIN)/python -m tools.compiled dist dist

dist-check: $(VENV)/dev.stamp #- Install each file of dist/ into an empty environment, and start the service from it
	$(BIN)/python -m tools.try_dist dist

# Every check runs, whether the one before has failed or not, and the last line names those that have: what is slow or broken
# in one must not hide what the others say. The checks of BESIDE run one after the other while the tests do, which leave a core
# idle whenever they wait; what they say is shown when the tests have ended. No check writes where another one reads.
BESIDE := types clients contract bench-smoke fast-smoke
SAID := $(VENV)/checks

test: $(VENV)/dev.stamp $(MOTO) ## Check everything that CI checks, to its end; the last line says what has failed
	@rm -rf $(SAID); mkdir $(SAID); \
	( for each in $(BESIDE); do \
		$(MAKE) --no-print-directory $$each > $(SAID)/$$each.txt 2>&1 && touch $(SAID)/$$each.passed; \
	done ) & beside=$$!; trap "kill $$beside; exit 1" INT TERM; \
	for each in lint unit; do \
		echo "== $$each"; $(MAKE) --no-print-directory $$each && touch $(SAID)/$$each.passed; \
	done; \
	wait $$beside; failed=; \
	for each in $(BESIDE); do echo "== $$each"; cat $(SAID)/$$each.txt; done; \
	for each in lint unit $(BESIDE); do test -e $(SAID)/$$each.passed || failed="$$failed $$each"; done; \
	if [ -n "$$failed" ]; then echo "FAILED:$$failed" >&2; exit 1; fi; echo "Passed: lint unit $(BESIDE)"

quick: $(VENV)/dev.stamp ## Check what has changed since main, or SINCE a commit: style, types, and the tests nearest to it
	$(BIN)/python -m tools.quick $(if $(SINCE),--since $(SINCE))

lint: $(VENV)/dev.stamp ## Check style and format
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/python -m tools.lint_web

# Pyright makes much that soon is garbage: a larger space for what is new saves a tenth of its processor time.
types clients: export NODE_OPTIONS ?= --max-semi-space-size=128
types: $(VENV)/dev.stamp ## Check types
	$(BIN)/pyright
	$(BIN)/mypy

# What CI runs on some of them: the contract of the stores on a part of its tests each, a killed server on the cluster only.
DEPLOYED := tests/service tests/whole/test_kills.py
deployments: $(VENV)/dev.stamp #- Run the tests of the stores on every kind of server, and play all games while servers are killed
	$(BIN)/python -m pytest -n $(PROCESSES) --dist loadgroup --deployments $(DEPLOYED)

# A tree that has just been checked out has no compiled tests yet: one process compiles them, not each at the same time.
unit: $(VENV)/dev.stamp ## Run the tests
	@test -e $(VENV)/compiled.stamp || $(BIN)/python -m pytest --collect-only -qq > /dev/null; touch $(VENV)/compiled.stamp
	$(BIN)/python -m pytest -n $(PROCESSES) --dist loadgroup

thorough: $(VENV)/dev.stamp #- Search longer than the tests do, and differently each time (hours)
	$(BIN)/python -m pytest -n $(PROCESSES) --dist loadgroup --timeout 14400 --hypothesis-profile=thorough tests/domain tests/games tests/service tests/web/test_layout.py tests/whole/hidden

# The files in openapi/, each with the command that prints it.
CONTRACTS := openapi core asyncapi
openapi_command := openapi
core_command := openapi --core
asyncapi_command := asyncapi
contract: $(VENV)/dev.stamp #- Compare the API descriptions in the tree with those of the code, and lint them
	@$(foreach each,$(CONTRACTS),$(BIN)/tafelrunde $($(each)_command) | diff -u openapi/$(each).json - && ) true \
		|| { echo "The API has changed: run 'make openapi' and read the difference." >&2; exit 1; }
	$(BIN)/python -m tools.lint_contract

client: $(VENV)/dev.stamp #- Rewrite the parts of the Python client that are made from the contract, and its blocking half
	$(BIN)/python -m tools.python_client

clients: $(VENV)/dev.stamp #- Generate clients from the contract, check their types, and let them play
	$(BIN)/python -m tools.generate_clients

clients-all: $(VENV)/dev.stamp #- Carry out all recipes of docs/recipes.md, or ONLY some ("java go"), in empty folders (needs JDK, Mono and Go; 15 minutes)
	$(BIN)/python -m tools.recipes $(ONLY)

docs: export NO_MKDOCS_2_WARNING = 1
docs: $(VENV)/dev.stamp ## Build the documentation as a site in build/site; a broken link fails
	$(BIN)/mkdocs build --strict --config-file docs/site/mkdocs.yml

# The branch gh-pages keeps what was built for older versions; nothing is pushed.
docs-version: export NO_MKDOCS_2_WARNING = 1
docs-version: $(VENV)/dev.stamp #- Add the documentation of VERSION to those on the branch gh-pages (part of a release)
	PATH=$(BIN):$$PATH mike deploy --config-file docs/site/mkdocs.yml --update-aliases $(VERSION) latest
	PATH=$(BIN):$$PATH mike set-default --config-file docs/site/mkdocs.yml latest

client-mcp: $(VENV)/dev.stamp #- Let an agent play through the official MCP client of npm, and count the tokens that it reads
	$(BIN)/python -m tools.mcp_agent

client-go: $(VENV)/dev.stamp #- Generate a Go client from the contract, build it, and let it play (needs Go)
	$(BIN)/python -m tools.generate_clients go

# What fails is named at the end; the others are measured all the same.
BENCHES := $(addprefix bench.,cost moves matches thinking streams idle capacity web)
bench: $(VENV)/dev.stamp #- Measure the service; the figures go to bench/results, docs/performance.md and docs/capacity.md
	@failed=; for each in $(BENCHES); do $(BIN)/python -m $$each || failed="$$failed $$each"; done; \
	if [ -n "$$failed" ]; then echo "FAILED:$$failed" >&2; exit 1; fi

bench-smoke: $(VENV)/dev.stamp #- Run every benchmark in tiny sizes, to see that it still works
	$(BIN)/python -m bench.smoke

openspiel: $(VENV)/dev.stamp #- Check the games with OpenSpiel's own tests, and data sets as Parquet
	@$(call install,-e '.[openspiel,parquet,research]')
	$(BIN)/python -m tools.check_openspiel

ladder: $(VENV)/dev.stamp #- Measure every level of bots against the one below, with LADDER_DEALS (400), and write docs/strength/
	$(BIN)/python -m bench.ladder

habits: $(VENV)/dev.stamp #- Fit the bidding model of MatchMaster, and print it
	$(BIN)/python -m bench.habits

coup-policy: $(VENV)/dev.stamp #- Train the net of Coup's bot `policy` for POLICY_MINUTES (60), and print it; in the compiled form (`make fast`)
	$(BIN)/python -m bench.coup_policy

forgeries: $(VENV)/dev.stamp #- Forge FORGERIES (20000) records, and show what on a player's device finds each (half an hour); OUT=FILE.xz writes them
	$(BIN)/python -m tools.forgeries --forgeries $(or $(FORGERIES),20000) --seed $(or $(SEED),1) $(if $(OUT),--out $(OUT))

fuzz: $(VENV)/dev.stamp #- Send any request to a service, in every role, for MINUTES (30), or until there were REQUESTS
	$(BIN)/python -m tools.fuzz $(if $(REQUESTS),requests $(REQUESTS),minutes $(or $(MINUTES),30))

bench-web: $(VENV)/dev.stamp #- Measure the web client in a browser: first view, interactions, paints, frames; BESIDE another checkout that is set up
	$(BIN)/python -m bench.web $(if $(BESIDE),--beside $(BESIDE))

soak: $(VENV)/dev.stamp #- Kill processes at random moments while matches run, for MINUTES (30) or KILLS; the report goes to build/soak.json
	@mkdir -p build
	$(BIN)/python -m tools.soak $(if $(KILLS),--kills $(KILLS),--minutes $(or $(MINUTES),30)) $(if $(SEED),--seed $(SEED)) $(if $(APIS),--apis $(APIS)) $(if $(DURABILITY),--durability $(DURABILITY)) $(if $(ON),--on $(ON)) --out build/soak.json

# Whatever depends on the order of sets is the same each time that a walk is repeated.
walk: export PYTHONHASHSEED = 0
walk: $(VENV)/dev.stamp #- Walk through the service in any order for STEPS (10000) of each game, or of GAME; ON=serve: through real processes
	$(BIN)/python -m tools.walk $(if $(GAME),--game $(GAME)) $(if $(STEPS),--steps $(STEPS)) $(if $(SEED),--seed $(SEED)) $(if $(DRAWS),--draws $(DRAWS)) $(if $(SHRINK),--shrink $(SHRINK)) $(if $(ON),--on $(ON))

stich-meister-exhaustive: $(VENV)/dev.stamp #- Play every set of four rule cards with 3, 4 and 5 seats (about 40 minutes on two cores)
	$(BIN)/python -m tools.stich_meister_exhaustive

openapi: $(VENV)/dev.stamp ## Rewrite both API descriptions, and what is made from them and from the code: the Python client, parts of docs/
	$(foreach each,$(CONTRACTS),$(BIN)/tafelrunde $($(each)_command) > $(VENV)/$(each).json && mv $(VENV)/$(each).json openapi/ && ) true
	$(BIN)/python -m tools.python_client
	$(BIN)/python -m tools.generate_docs

golden: $(VENV)/dev.stamp #- Rewrite the stored transcripts
	$(BIN)/python -m pytest tests/domain/test_golden.py --golden

archive-matches: $(VENV)/dev.stamp #- Add matches to the archive for new options and new versions of rules
	$(BIN)/python -m tools.archive_matches

screenshots: $(VENV)/dev.stamp #- Picture the web client in every game (needs Chromium)
	$(BIN)/python -m tools.screenshots

previews: $(VENV)/dev.stamp #- Draw what other sites show of a link to a game (needs Chromium)
	$(BIN)/python -m tools.previews
	$(BIN)/python -m tools.colour_sight

format: $(VENV)/dev.stamp ## Format, and mend what can be mended safely
	$(BIN)/ruff check --fix
	$(BIN)/ruff format
	$(BIN)/python -m tools.lint_web --write

UV_COMPILE = uv pip compile pyproject.toml --quiet --universal --python-version 3.11 --generate-hashes \
	--no-emit-index-url --custom-compile-command 'make lock' --extra embedded --no-emit-package faker --no-emit-package polyfactory

archive-stores: $(MOTO) #- Test all stores of archives (installs a server that speaks S3 in build/moto; PostgreSQL comes with the system)
	$(BIN)/python -m pytest tests/service/ports/test_blobs.py

lock: #- Upgrade all locked versions (needs uv on the path)
	$(UV_COMPILE) --upgrade --group build --output-file requirements/run.lock
	$(UV_COMPILE) --upgrade --extra mcp --extra otel --extra postgres --extra research --extra s3 --group dev --constraint requirements/run.lock --output-file requirements/dev.lock
	$(UV_COMPILE) --extra postgres --extra s3 --group build --constraint requirements/dev.lock --output-file requirements/image.lock
	cd requirements && uv pip compile moto.in --quiet --universal --python-version 3.11 --generate-hashes \
		--no-emit-index-url --custom-compile-command 'make lock' --upgrade --output-file moto.lock
	cd requirements && uv pip compile uv.in --quiet --universal --python-version 3.11 --generate-hashes \
		--no-emit-index-url --custom-compile-command 'make lock' --upgrade --output-file uv.lock
	cd openapi/clients && uv pip compile requirements.in --quiet --universal --python-version 3.11 --generate-hashes \
		--no-emit-index-url --custom-compile-command 'make lock' --upgrade --output-file requirements.lock
	cd openapi/clients/go && uv pip compile requirements.in --quiet --universal --python-version 3.11 --generate-hashes \
		--no-emit-index-url --custom-compile-command 'make lock' --upgrade --output-file requirements.lock

clean: ## Remove the environment and all build output; the data of `make serve` (.tafelrunde) stays
	rm -rf $(VENV) build dist *.egg-info .pytest_cache .ruff_cache .hypothesis
	find . -name __pycache__ -not -path './$(VENV)/*' -type d -prune -exec rm -rf {} +

$(VENV)/made.stamp:
	@test -n "$(PYTHON)" || { echo "No Python from 3.11 on that has ensurepip was found; name one: make PYTHON=/path/to/python" >&2; exit 1; }
	$(PYTHON) -m venv --clear $(VENV)
	@test -n "$(UV_HERE)" || $(BIN)/python -m pip install --quiet --no-compile --only-binary :all: --require-hashes -r requirements/uv.lock \
		|| echo "uv cannot be installed here; pip takes its place" >&2
	@touch $@

# uv takes a tenth of pip's processor time: that of the path, or else one in the environment, which keeps there what it has fetched
# and asks the index that pip is set to. What it cannot do, pip does, and soon: uv by itself would wait for two minutes where no
# one answers. Modules are compiled when they are used.
UV_HERE := $(shell command -v uv 2> /dev/null)
INDEX = $${UV_DEFAULT_INDEX:-$${PIP_INDEX_URL:-$$($(BIN)/python -m pip config get global.index-url 2> /dev/null)}}
UV = $(or $(UV_HERE),UV_DEFAULT_INDEX="$(INDEX)" $(BIN)/uv --cache-dir $(VENV)/uv)
export UV_HTTP_CONNECT_TIMEOUT ?= 5
export UV_HTTP_TIMEOUT ?= 15
export UV_HTTP_RETRIES ?= 1
install = $(UV) pip install --python $(BIN)/python $(1) > /dev/null 2>&1 || $(BIN)/python -m pip install --quiet --no-compile $(1)

$(VENV)/run.stamp: requirements/run.lock $(PROJECT) $(VENV)/made.stamp
	@$(call install,--no-deps --require-hashes -r requirements/run.lock)
	@$(call install,--no-deps --no-build-isolation -e .)
	@touch $@

$(VENV)/dev.stamp: requirements/dev.lock $(PROJECT) $(VENV)/made.stamp
	@$(call install,--no-deps --require-hashes -r requirements/dev.lock)
	@$(call install,--no-deps --no-build-isolation -e .)
	@touch $(VENV)/run.stamp $@

$(MOTO): requirements/moto.lock $(VENV)/dev.stamp
	@$(BIN)/python -m venv --clear --without-pip build/moto
	@$(UV) pip install --python build/moto/bin/python --require-hashes -r $< > /dev/null 2>&1 \
		|| $(BIN)/python -m pip --python build/moto/bin/python install --quiet --no-compile --require-hashes -r $<
	@touch $@
