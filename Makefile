# One verb per job; `make help` lists them. Everything made lies in .local and in the user's cache.

SHELL := /bin/bash
PYTHON := $(or $(wildcard /usr/bin/python3),python3)
local = $(PYTHON) -m scripts.local
in_env = set -e; . .local/env.sh;
comma := ,
# Published questions to measure on, no part of the project: make ... EVAL=DIR
EVAL ?= $(or $(NL2SQL_EVAL),$(wildcard ../shared/eval))

.PHONY: help demo test lint up venv dbt down clean check bench-overhead guard-acceptance attack attack-nightly demo-eval bench demo-sqlite model bench-sqlite

help: ## List the verbs
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 20

demo: up ## Set up all that is missing, then ask a few questions in psql
	@$(in_env) psql -X -q -f scripts/demo.psql

test: up dbt ## Set up all that is missing, then run every test
	@$(in_env) NL2SQL_REQUIRE_ALL=1 python -m pytest $(TESTS)

check: up ## Name what is missing in the set-up (nl2sql doctor)
	@$(in_env) nl2sql doctor

lint: venv ## Check style and types
	@$(in_env) ruff check . && ruff format --check . && mypy --no-error-summary
	@! command -v shellcheck >/dev/null || shellcheck scripts/*.sh .ci/run
	@scripts/pgspot.sh

up: ## Start the private cluster and the model server, made ready where they are not
	@scripts/packages.sh
	@$(local) up

venv: ## Make .local/venv, with this package and its tools, by the server's own Python
	@scripts/packages.sh
	@$(local) venv

dbt: venv ## Make .local/dbt, with dbt for PostgreSQL and SQLite
	@scripts/dbt.sh

down: ## Stop what this checkout started
	@$(local) down

clean: ## Stop, then remove .local; weights and wheels stay in the cache
	@$(local) clean

demo-sqlite: model ## Set up the SQLite extension and the model, then ask a few questions in the sqlite3 shell
	@$(in_env) scripts/demo-sqlite.sh

model: venv ## Start the model server, its weights fetched where they are missing; no PostgreSQL server
	@$(local) model

bench-sqlite: venv ## Time what the SQLite extension adds around the model
	@$(in_env) cd .local && python -m nl2sql_fdw.bench.overhead_sqlite

bench-overhead: up ## Time what nl2sql adds around the model
	@$(in_env) python -m nl2sql_fdw.bench.overhead $(if $(EVAL),--path $(EVAL))

guard-acceptance: up ## Run the guard over published honest queries
	@$(in_env) python -m nl2sql_fdw.bench.guard_acceptance --path $(or $(EVAL),$(error EVAL names no folder of gold queries))

attack: up ## Attack a live server through every set of layers, then with rewritten attacks
	@$(in_env) PYTHONPATH=tests:tests/guard:tests/attacks python -m matrix \
	  --mutations $(or $(MUTATIONS),2000) $(if $(VERBOSE),--verbose)

attack-nightly: ## The same with 20,000 rewritten attacks
	@$(MAKE) --no-print-directory attack MUTATIONS=20000

demo-eval: up ## Ask the demo's twenty questions and count the right answers
	@$(in_env) python -m nl2sql_fdw.bench.demo

bench: up ## Ask a sample of each published suite (LIMIT=100, STRATEGY=single,repair); a rerun goes on
	@$(in_env) for suite in spider spider_train defog; do \
	  nl2sql bench $$suite --path $(or $(EVAL),$(error EVAL names no folder of suites)) \
	    --limit $(or $(LIMIT),100) --strategy $(or $(STRATEGY),single$(comma)repair) \
	    --dsn "user=$$NL2SQL_ADMIN dbname=postgres" --out .local/bench; done
