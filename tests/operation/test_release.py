"""What a release needs: former static files stay, one migration at a time, and files for hosting that hold."""

import json
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest
import yaml
from django.db import connection

from config import environment, install
from config.lib.version import VERSION
from games.management.commands.migrate import alone
from tests.processes import ROOT, Site, get

pytestmark = pytest.mark.operation

DEPLOY = ROOT / "docs" / "deploy"


def collected(static: Path, number: int) -> None:
    """Do what collectstatic does for a release whose style sheet has changed."""
    names = {"site/site.css": f"site/site.{number:012d}.css", "site/old.js": "site/old.000000000000.js"}
    for name in names.values():
        for packed in ("", ".gz"):
            (static / "site").mkdir(parents=True, exist_ok=True)
            (static / f"{name}{packed}").write_text(str(number))
    (static / "staticfiles.json").write_text(json.dumps({"paths": names}))
    install.thin_out(static)


def test_static_files_stay_until_two_releases_later(tmp_path: Path) -> None:
    for number in range(6):
        collected(tmp_path, number)
        collected(tmp_path, number)  # set up twice: still one release
        there = {path.name for path in (tmp_path / "site").iterdir()}
        wanted = {f"site.{n:012d}.css{gz}" for n in range(max(0, number - 2), number + 1) for gz in ("", ".gz")}
        assert there == wanted | {"old.000000000000.js", "old.000000000000.js.gz"}


def test_a_running_server_has_the_files_of_the_next_release_too(site: Site) -> None:
    """While one release replaces the other, a page of the next asks a server of the former for its looks."""
    later = site.folder / "static" / "site" / "site.abcdef012345.css"
    address = f"{site.url}/static/site/{later.name}"
    assert get(address)[0] == 404
    later.write_text("of the next release")
    try:
        assert get(address) == (200, b"of the next release")
        assert get(f"{site.url}/static/../secret.abcdef012345.css")[0] == 404
        assert get(f"{site.url}/static/site/%00.abcdef012345.css")[0] == 404
    finally:
        later.unlink()


def test_a_deploy_keeps_what_running_servers_and_open_pages_use(site: Site) -> None:
    static = site.folder / "static"
    stale = static / "site" / "site.0123456789ab.css"
    stale.write_text("of the release before")
    (static / "releases.json").write_text(json.dumps([["site/site.0123456789ab.css"]]))
    (static / "collected").unlink(missing_ok=True)
    env = site.env | {"VAR_DIR": str(site.folder)}
    code = "from config import install; install.static_files()"
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, env=env, check=True)
    assert stale.exists()
    named = json.loads((static / "staticfiles.json").read_text())["paths"].values()
    assert all((static / name).exists() for name in named)


@pytest.mark.both
def test_two_machines_migrate_one_after_the_other(site: Site) -> None:
    command = [sys.executable, "manage.py", "migrate", "--noinput", "-v0"]
    with alone("default"):
        other = subprocess.Popen(command, env=site.env, cwd=ROOT)
        with pytest.raises(subprocess.TimeoutExpired):
            other.wait(12)
    started = time.monotonic()
    assert other.wait(60) == 0
    assert time.monotonic() - started < 60
    connection.close()


def test_the_proxy_leaves_nobody_out_for_an_answer() -> None:
    """A page that answers 503 in words, asked of both web servers, would else leave none for everybody."""
    servers = re.findall(r"^ +server (127.+);$", (DEPLOY / "nginx.conf").read_text(), re.MULTILINE)
    assert [server.split()[1] for server in servers] == 4 * ["max_fails=0"]


def test_the_lines_of_a_match_go_to_one_web_server() -> None:
    """By both proxies that we ship, and by the address that its pages give."""
    nginx = (DEPLOY / "nginx.conf").read_text()
    assert re.search(r"map \$arg_match \$line \{\s+default \$arg_match;", nginx)
    assert re.search(r"upstream club_y_lines \{\s+hash \$line consistent;", nginx)
    assert re.search(r"location /ws/ \{\s+proxy_pass http://club_y_lines;", nginx)
    assert re.search(
        r"handle /ws/\* \{\s+reverse_proxy .*\{\s+lb_policy query match", (DEPLOY / "Caddyfile").read_text()
    )


def settings_in(text: str) -> set[str]:
    return set(re.findall(r"^\s*#?([A-Z_]{4,})=", text, re.MULTILINE))


def test_the_example_and_compose_name_settings_that_exist() -> None:
    example = settings_in((DEPLOY / "env.example").read_text())
    assert {"SITE_URL", "POSTGRES_PASSWORD"} < example
    compose = yaml.safe_load((ROOT / "compose.yaml").read_text())
    given = set(compose["x-club-y"]["environment"])
    asked = set(re.findall(r"\$\{(\w+)", (ROOT / "compose.yaml").read_text()))
    known = set(environment.KNOWN) | {"POSTGRES_PASSWORD"}
    assert example <= known
    assert given <= known
    assert asked <= example


def test_compose_runs_what_the_issue_names() -> None:
    services = yaml.safe_load((ROOT / "compose.yaml").read_text())["services"]
    assert set(services) == {"release", "web-1", "web-2", "worker", "beat", "replies", "postgres", "valkey", "caddy"}
    ours = [services[name] for name in ("release", "web-1", "web-2", "worker", "beat", "replies")]
    assert all(one["read_only"] and one["cap_drop"] == ["ALL"] for one in ours)


@pytest.mark.parametrize("unit", sorted((DEPLOY / "systemd").iterdir()), ids=lambda path: path.name)
def test_a_unit_starts_what_is_there(unit: Path) -> None:
    told = dict(line.split("=", 1) for line in unit.read_text().splitlines() if "=" in line and line[0] != "#")
    program, *arguments = told["ExecStart"].split()
    if "-m" in arguments:
        assert (ROOT / f"{arguments[arguments.index('-m') + 1].replace('.', '/')}.py").exists()
    elif program == "/usr/bin/make":
        assert re.search(rf"^{arguments[0]}:", (ROOT / "Makefile").read_text(), re.MULTILINE)
    else:
        assert program.startswith("/srv/club-y/.venv/bin/")
    assert told["UMask"] == "0077"
    if told.get("Type") != "oneshot":
        assert told["Restart"] == "always"


def test_a_release_is_tagged_with_its_changes_and_only_when_all_is_told(tmp_path: Path) -> None:
    for name in ("config", "docs"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("*.png", "static", "locale"))
    for name in ("pyproject.toml", ".gitignore"):
        shutil.copy(ROOT / name, tmp_path)

    def release(changes: str) -> str:
        (tmp_path / "CHANGELOG.md").write_text(changes)
        command = [sys.executable, "-m", "config.release"]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
        return done.stdout + done.stderr

    def git(*words: str) -> str:
        who = ["-c", "user.name=Ann", "-c", "user.email=ann@example.org"]
        done = subprocess.run(["git", *who, *words], cwd=tmp_path, capture_output=True, text=True, check=True)
        return done.stdout

    assert "has no part" in release(f"## {VERSION}, not released yet\n\n- All.\n")
    dated = f"# Changes\n\n## {VERSION}, 2026-12-01\n\n- **Good** things.\n\n## 0.0.1\n\n- Old.\n"
    git("init", "-q")
    git("config", "user.name", "Ann")
    git("config", "user.email", "ann@example.org")
    assert "not committed" in release(dated)
    git("add", "-A")
    git("commit", "-qm", "All")
    assert f"Tagged v{VERSION}" in release(dated)
    told = git("tag", "-l", "--format=%(contents)", f"v{VERSION}")
    assert "- **Good** things." in told
    assert "Old" not in told
