# The tasks of this project. `make help` lists them.

PYTHON ?= python3
BIN := .venv/bin
DATA_DIR ?= var
# The directories with the test cases of `make conformance` and the events of `make real-data`.
CONFORMANCE ?= ../shared/conformance
REAL_DATA ?= ../shared/data
# Areas of test cases to run (all by default), and areas to skip.
ONLY ?=
EXCEPT ?=

# Values of SAMPLE_CONTENT, in the usual spellings.
NO := 0 false False FALSE no No NO off Off OFF

# Only tests of browsers and of processes that break: a failed one runs a second time, and is noted as flaky.
REPEATED := --reruns 1 -p tests.support.flaky_tests

.DEFAULT_GOAL := help
.PHONY: help free-port run test security-test audit sbom lint messages admin-fonts country-names freeze-migrations architecture docs conformance compatibility real-data fuzz clients browser-test screenshots fault-test container-test scale-test benchmark benchmark-guard
.DELETE_ON_ERROR:

help: ## List all targets.
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-18s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

# The first start decides it, and all commands read it from DATA_DIR: with the sample content, that of its city.
FIRST_TIME_ZONE = $(or $(SITE_TIME_ZONE),$(if $(filter $(NO),$(SAMPLE_CONTENT)),UTC,America/Halifax))

# Before anything that takes long.
free-port:
	@$(PYTHON) calendar_site/serving/free_port.py

run: free-port .venv/installed ## Start the service and its worker on http://127.0.0.1:8000 (PORT, HOST, DATABASE_URL, SAMPLE_CONTENT=0).
	@[ -n "$$SECRET_KEY$$SECRET_KEY_FILE" ] || [ -s "$(DATA_DIR)/secret-key" ] || { mkdir -p "$(DATA_DIR)" && umask 077 && \
	$(BIN)/python -c 'import secrets; print(secrets.token_urlsafe(50))' > "$(DATA_DIR)/secret-key"; }
	@# Kept only once it has worked: a mistyped time zone is not.
	@if [ -s "$(DATA_DIR)/time-zone" ]; then $(BIN)/python manage.py prepare; else \
		SITE_TIME_ZONE="$(FIRST_TIME_ZONE)" $(BIN)/python manage.py prepare && \
		echo "$(FIRST_TIME_ZONE)" > "$(DATA_DIR)/time-zone"; \
	fi
	@# The shell becomes the server, so its id is that of the process that the worker accompanies.
	@until $(BIN)/python manage.py run_worker --while-process $$$$; do \
		echo "The worker of background tasks has ended unexpectedly, and is started again." >&2; sleep 2; \
	done & exec $(BIN)/python -m gunicorn --config python:calendar_site.serving.server

test: .venv/installed-dev ## Run the tests on SQLite, or on the server in DATABASE_URL (ARGS: pytest arguments).
	@# Cache compiled tests even if PYTHONDONTWRITEBYTECODE is set, because every worker needs all of them.
	exec env DEBUG=true PYTHONDONTWRITEBYTECODE= $(BIN)/python -m pytest -n auto $(ARGS)

security-test: ## Run the security tests only: S1 to S20 of docs/security-tests.md (DATABASE_URL, ARGS).
	@$(MAKE) --no-print-directory test ARGS="tests/security $(ARGS)"

audit: var/audit/installed ## Check the pinned packages for known vulnerabilities (ARGS=--skip-unreachable).
	@exec $(PYTHON) .ci/audit/check.py var/audit/venv/bin/pip-audit $(ARGS)

sbom: var/audit/installed ## Write the software bill of materials of the service to var/sbom.json (CycloneDX).
	@var/audit/venv/bin/cyclonedx-py requirements requirements.txt --pyproject pyproject.toml --output-reproducible \
		--validate --output-file var/sbom.json
	@echo var/sbom.json

lint: .venv/installed-dev ## Check style, types, imports, migrations and production settings.
	$(BIN)/python -m ruff check .
	$(BIN)/python -m ruff format --check .
	$(BIN)/lint-imports --no-logo
	DEBUG=true $(BIN)/python -m mypy
	DEBUG=true $(BIN)/python -W error manage.py makemigrations --check --dry-run
	DEBUG=true $(BIN)/python .ci/migrations.py check
	SECRET_KEY=$$($(BIN)/python -c 'import secrets; print(secrets.token_urlsafe(50))') \
	PUBLIC_URL=https://calendar.example.org PROXY_COUNT=1 DEBUG=false \
	$(BIN)/python -W error manage.py check --deploy --fail-level WARNING

messages: .venv/installed-dev ## Update and compile the translation catalogs (needs GNU gettext).
	@# The English catalog is written by hand: it only contains the texts of other packages that we replace.
	@DEBUG=true $(BIN)/python manage.py makemessages --verbosity 0 --exclude en --no-obsolete --no-wrap --no-location \
		--ignore "tests/*" --ignore "benchmarks/*" --ignore "docs/*" --ignore "$(DATA_DIR)/*"
	@# The creation date would cause a merge conflict between branches.
	@sed -i.old '/^"POT-Creation-Date: /d' calendar_site/locale/*/LC_MESSAGES/django.po
	@rm calendar_site/locale/*/LC_MESSAGES/django.po.old
	@for catalog in calendar_site/locale/*/LC_MESSAGES/django.po; do \
		msgfmt --check-format --output-file "$${catalog%.po}.mo" "$$catalog" || exit 1; \
	done

admin-fonts: .venv/installed-dev ## Generate the fonts of the admin, with the icons in use.
	@$(BIN)/python .ci/admin_fonts.py write

country-names: .venv/installed-dev ## Generate the names of countries by which venues get their time zone.
	@$(BIN)/python .ci/country_names.py write

freeze-migrations: .venv/installed-dev ## Add new migrations to the list of frozen ones, before merging.
	@$(BIN)/python .ci/migrations.py freeze

architecture: .venv/installed-dev ## Generate the package diagram of docs/architecture.md.
	@$(BIN)/python docs/_sphinx/architecture.py

docs: .venv/installed-dev ## Build the documentation in var/docs, where the service serves it.
	@DEBUG=true $(BIN)/python -m sphinx --fail-on-warning --nitpicky --keep-going --quiet --fresh-env \
		--doctree-dir "$(DATA_DIR)/doctrees" docs "$(DATA_DIR)/docs"
	@# For readers who search within a page.
	@DEBUG=true $(BIN)/python -m sphinx --builder singlehtml --fail-on-warning --keep-going --quiet --fresh-env \
		--doctree-dir "$(DATA_DIR)/doctrees-single-page" docs "$(DATA_DIR)/docs/single-page"
	@echo "$(DATA_DIR)/docs/index.html"

conformance: .venv/installed-dev ## Run the contract's test cases against a running service (CONFORMANCE, ONLY, EXCEPT).
	exec $(BIN)/python .ci/against_server.py conformance "$(CONFORMANCE)" --only "$(ONLY)" --except "$(EXCEPT)"

compatibility: .venv/installed-dev ## Run the test cases of compatibility mode, and the contract's in that mode (CONFORMANCE).
	exec $(BIN)/python .ci/against_server.py compatibility "$(CONFORMANCE)" --only "$(ONLY)" --except "$(EXCEPT)"

real-data: .venv/installed-dev ## Send real events through the API and compare the responses (REAL_DATA).
	exec $(BIN)/python .ci/against_server.py real-data "$(REAL_DATA)"

fuzz: .venv/installed-dev ## Send generated requests and compare the responses with the OpenAPI document.
	exec $(BIN)/python .ci/against_server.py fuzz .ci

clients: .venv/installed-dev var/clients/installed ## Generate clients in Python and TypeScript, and use them (needs npm).
	exec $(BIN)/python .ci/against_server.py clients .ci/clients

browser-test: .venv/installed-dev ## Test a running service in Chromium (CHROMIUM; ARGS: pytest arguments).
	exec $(BIN)/python .ci/against_server.py browser tests/browser --pytest "$(ARGS)"

screenshots: .venv/installed-dev ## Take the screenshots of the documentation again (CHROMIUM).
	exec env SITE_TIME_ZONE=America/Halifax $(BIN)/python .ci/against_server.py screenshots .ci

fault-test: .venv/installed-dev ## Break what the service depends on, on SQLite or the server in DATABASE_URL (ARGS: pytest arguments).
	exec env DEBUG=true $(BIN)/python -m pytest tests/faults $(REPEATED) $(ARGS)

container-test: ## Build the image of the Containerfile and run it, on SQLite and PostgreSQL (needs root on Debian).
	exec .ci/container-test

scale-test: .venv/installed-dev ## Run two services behind nginx, with PostgreSQL, a replica, PgBouncer and Redis, and stop each (ARGS: pytest arguments).
	exec env DEBUG=true $(BIN)/python -m pytest tests/scale $(REPEATED) $(ARGS)

benchmark: .venv/installed-dev ## Measure reads, writes, memory and growth (ARGS: arguments of benchmarks/run.py).
	exec $(BIN)/python benchmarks/run.py $(ARGS)

benchmark-guard: .venv/installed-dev ## Compare the instructions of requests with recorded limits (needs valgrind; ARGS=--record).
	exec $(BIN)/python benchmarks/guard.py $(ARGS)

# Completed: an interrupted creation is repeated.
.venv/created:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is required. Name it with: make PYTHON=…")'
	@.venv/bin/python -m pip --version >/dev/null 2>&1 || $(PYTHON) -m venv --clear .venv
	@touch $@

# The timestamps of these files are those of the last installation.
.venv/installed: requirements.txt | .venv/created
	@echo "Installing packages in .venv: once, 240 MB, about a minute …"
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements.txt
	@touch $@

.venv/installed-dev: requirements-dev.txt | .venv/created
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements-dev.txt
	@touch $@ .venv/installed

# The tools that read our packages do not become packages of ours.
var/audit/installed: .ci/audit/requirements.txt
	@mkdir -p var/audit
	$(PYTHON) -m venv var/audit/venv
	var/audit/venv/bin/python -m pip install --quiet --disable-pip-version-check -r .ci/audit/requirements.txt
	@touch $@

# A virtual environment of its own, because generators depend on other versions.
var/clients/installed: .ci/clients/requirements.txt .ci/clients/package.json | .venv/created
	@mkdir -p var/clients
	$(BIN)/python -m venv var/clients/venv
	var/clients/venv/bin/python -m pip install --quiet --disable-pip-version-check -r .ci/clients/requirements.txt
	@cp .ci/clients/package.json var/clients
	npm install --prefix var/clients --no-package-lock --ignore-scripts --no-audit --no-fund --loglevel=error
	@touch $@
