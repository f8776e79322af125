# Club Y: `make run` runs the site, `make test` tests it, `make check` is the verdict of CI.

# The first that runs and that the packages are pinned for; a name on the path may be an empty shim.
PYTHONS = python3.11 python3.12 python3.13 python3
IS_ONE = import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))
FOUND := $(shell for one in $(PYTHONS); do if $$one -c '$(IS_ONE)' 2>/dev/null; then echo $$one; break; fi; done)
PYTHON ?= $(or $(FOUND),$(error Club Y needs Python 3.11, 3.12 or 3.13, and none is on the path: make run PYTHON=/path/to/one))
PY = .venv/bin/python

.PHONY: backup restore move-to-postgresql
.PHONY: run install admin mail reply test check proof drill bench pictures docs format messages release lock clean

run:  ## the whole site at http://$HOST:$PORT/ (127.0.0.1:8000), until Ctrl-C
	@$(PYTHON) -m config.install run
	@exec $(PY) -m config.supervisor

install:  ## set up without running: packages, translations, static files, database
	@$(PYTHON) -m config.install install

admin:  ## make an admin
	@$(PYTHON) -m config.install install
	@$(PY) manage.py createsuperuser

mail:  ## show the last mail, as plain text, that was written while no mail server is named
	@$(PYTHON) -m config.last_mail

reply:  ## answer the last mail by mail, as its reader: TEXT="believe", and TO=ana for the last one to her
	@$(if $(TEXT),:,$(error Which answer? make reply TEXT="believe" TO=ana))
	@$(PYTHON) -m config.reply $(if $(TEXT),"$(TEXT)") $(if $(TO),"$(TO)")

backup:  ## copy database and keys into one file, while the site runs: into BACKUP_DIR, or FILE=...
	@$(PYTHON) -m config.install packages
	@$(PY) manage.py backup $(FILE)

restore:  ## put the copy FILE=... in the place of the present data, with the site stopped
	@$(if $(FILE),:,$(error Which copy? make restore FILE=/somewhere/club-y-….tar))
	@$(PYTHON) -m config.install packages
	@$(PY) manage.py restore $(FILE) $(ARGS)

move-to-postgresql:  ## move the embedded data into the empty database of DATABASE_URL, with the site stopped
	@$(PYTHON) -m config.install packages
	@$(PY) manage.py move_to_postgresql $(FILE)

test:  ## how the site behaves, on SQLite; what is marked `both` again on PostgreSQL
	@$(PYTHON) -m config.install test
	@exec $(PY) -m tests $(ARGS)

check:  ## all: lint, types, contracts, translations, docs, how it is run, every address, a few faults, `make test`
	@$(PYTHON) -m config.install test
	@$(MAKE) --no-print-directory --jobs 2 --keep-going $(addprefix check-,$(CHECKS))
	@$(MAKE) --no-print-directory test

CHECKS = faults operation walks mails types format lint contracts migrations messages docs  # two at a time
.PHONY: $(addprefix check-,$(CHECKS))

check-faults:
	PROOF=short $(PY) -m tests.faults

check-operation:
	$(PY) -m tests operation

check-walks:
	$(PY) -m tests walk

check-mails:
	$(PY) -m pytest -q -m proof -k "not memory" tests/faults/test_mail.py \
		tests/faults/test_odd_requests.py  # the others: make proof

check-types:
	$(PY) -m mypy .

check-format:
	$(PY) -m ruff format --check .

check-lint:
	$(PY) -m ruff check .

check-contracts:
	.venv/bin/lint-imports

check-migrations:
	$(PY) manage.py makemigrations --check --dry-run

check-docs:
	NO_MKDOCS_2_WARNING=1 $(PY) -m mkdocs build --quiet

check-messages:
	$(PY) -m config.messages check

drill:  ## whatever can go wrong with the outgrown site while twenty play, as root; ARGS="redis clock" for some
	@$(PYTHON) -m config.install drill
	@exec $(PY) -m tests.drill $(ARGS)

proof:  ## how reliable it is: the full faults and the drills, an hour or so, into docs/proof/
	@$(PYTHON) -m config.install drill
	@exec $(PY) -m tests.proof $(ARGS)

bench:  ## how fast it is, with the machine and the versions
	@$(PYTHON) -m config.install test
	@exec $(PY) -m tests.bench $(ARGS)

pictures:  ## photograph the pages anew into docs/pictures, for phone and desk, by day and by night
	@$(PYTHON) -m config.install test
	@exec $(PY) -m tests.pictures $(ARGS)

format:  ## put the code into its format
	$(PY) -m ruff format .
	$(PY) -m ruff check --fix .

messages:  ## bring the texts of the code and the templates into the catalogues
	$(PY) -m config.messages extract

release:  ## tag the present commit as the release that pyproject.toml names
	@$(PY) -m config.release

lock:  ## resolve the packages anew
	.venv/bin/uv pip compile --quiet --upgrade --generate-hashes --no-emit-index-url --universal \
		--python-version 3.11 --group dev pyproject.toml -o requirements.lock

docs:  ## the documentation as a site, into var/docs
	@$(PYTHON) -m config.install test
	@NO_MKDOCS_2_WARNING=1 exec $(PY) -m mkdocs build --quiet

clean:  ## remove what can be made again; the data in var/ stay
	rm -rf .venv .mypy_cache .ruff_cache .hypothesis .import_linter_cache var/static
	find . -name __pycache__ -prune -exec rm -rf {} +
	find config/locale -name '*.mo' -delete
