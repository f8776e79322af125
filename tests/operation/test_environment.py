"""Settings in the environment and in `.env`: all are known and told, and wrong ones are named in a sentence."""

import os
import re
import subprocess
import sys

import pytest

from config import environment
from tests.processes import ROOT

READ = re.compile(r"(?:\benv(?:\.\w+)?\(|environ\.get\(|environ\[)\s*\"([A-Z_]+)\"")
OF_TESTS = {"CLOCK_OFFSET_FILE", "OUTGOING_TEST_BASE"}
ELSEWHERE = {"DJANGO_SETTINGS_MODULE"}


def test_every_variable_that_the_code_reads_is_known():
    read = set()
    for app in ("config", "accounts", "games", "leaderboards"):
        for path in (ROOT / app).rglob("*.py"):
            read |= set(READ.findall(path.read_text()))
    assert read - OF_TESTS - ELSEWHERE == set(environment.KNOWN)


def test_every_variable_is_told():
    table = (ROOT / "docs" / "operation.md").read_text().partition("\n## Settings")[2].partition("\n## ")[0]
    told = {name for line in table.splitlines() for name in re.findall(r"`([A-Z_]+)`", line.split(" | ")[0])}
    assert told == set(environment.KNOWN)


def run(tmp_path, lines="", *code, **given):
    """Run Python with a file of settings."""
    (tmp_path / "settings.env").write_text(lines)
    ours = {*environment.KNOWN, "DJANGO_SETTINGS_MODULE"}  # the tests' settings read no file
    keep = {name: value for name, value in os.environ.items() if name not in ours}
    env = keep | {"ENV_FILE": str(tmp_path / "settings.env"), "VAR_DIR": str(tmp_path / "var")} | given
    return subprocess.run([sys.executable, *code], env=env, cwd=ROOT, capture_output=True, text=True, check=False)


SHOW = ("-c", "from config import settings as s; print(s.SITE_URL, s.THREADS if hasattr(s, 'THREADS') else s.DEBUG)")


def test_the_file_is_read_and_the_environment_is_stronger(tmp_path):
    lines = "# a note\n\nSITE_URL='https://club.example'\nexport DEBUG = yes\n"
    assert run(tmp_path, lines, *SHOW).stdout.split() == ["https://club.example", "True"]
    assert run(tmp_path, lines, *SHOW, SITE_URL="http://other.example").stdout.split()[0] == "http://other.example"


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("PORT=abc", "PORT is no port"),
        ("PORT=70000", "PORT is no port"),
        ("IMPRINT_FILE=/nowhere/imprint.txt", "IMPRINT_FILE names no text file that can be read"),
        ("SECURITY_CONTACT=safety@club.example", "SECURITY_CONTACT is no list of addresses that begin with mailto:"),
        ("THREADS=0", "THREADS is none: there must be one at least"),
        ("LOG_LEVEL=loud", "LOG_LEVEL is none of DEBUG, INFO"),
        ("DEBUG=maybe", "DEBUG is neither true nor false"),
        ("TRUSTED_PROXY_COUNT=-1", "TRUSTED_PROXY_COUNT is not a whole number"),
        ("DATABASE_URL=club:secret@db", "DATABASE_URL is no address that begins with postgres://"),
        ("DATABASE_URL=postgres://a:secret@db:port/x", "DATABASE_URL is no address"),
        ("ANYMAIL={secret", "ANYMAIL is no JSON"),
        ("ALOWED_HOSTS=club.example", "line 1: ALOWED_HOSTS is no setting of Club Y; is ALLOWED_HOSTS meant?"),
        ("just words", "line 1: a line without “=” is no setting"),
    ],
)
def test_wrong_settings_are_named_in_a_sentence_without_their_values(tmp_path, monkeypatch, line, words):
    (tmp_path / "settings.env").write_text(f"{line}\n")
    monkeypatch.setenv("ENV_FILE", str(tmp_path / "settings.env"))
    name, _, value = line.partition("=")
    (said,) = environment.mistakes({name: value})
    assert words in said
    assert "secret" not in said


@pytest.mark.thin(1)
@pytest.mark.parametrize(
    "command", [("manage.py", "check"), ("-m", "config.install", "install"), ("-m", "config.server")]
)
def test_nothing_starts_with_a_wrong_setting(tmp_path, command):
    done = run(tmp_path, "PORT=abc\nDATABASE_URL=club:secret@db\n", *command)
    assert done.returncode == 1
    assert "PORT is no port" in done.stderr
    assert "DATABASE_URL is no address" in done.stderr
    assert "Traceback" not in done.stderr
    assert "secret" not in done.stderr


def test_a_misspelt_variable_is_named(tmp_path):
    done = run(tmp_path, "", *SHOW, TRUSTED_PROXIES_COUNT="1")
    assert "TRUSTED_PROXIES_COUNT: there is no such setting; is TRUSTED_PROXY_COUNT meant?" in done.stderr
    assert done.returncode == 0


def test_what_compose_reads_may_stand_there(tmp_path):
    assert run(tmp_path, "POSTGRES_PASSWORD=secret\n", *SHOW).returncode == 0
