"""Set-up of a machine: install and update only what is missing or old. Standard library only."""

import hashlib
import json
import os
import re
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterable
from contextlib import closing, nullcontext
from pathlib import Path

from config import place
from config.children import end_with_parent
from config.environment import insist
from config.place import ROOT, VAR_DIR, held
from config.private import keep_private

VENV = ROOT / ".venv"
PYTHON = VENV / "bin" / "python"
INSTALLED = VENV / "installed"
LOCK = ROOT / "requirements.lock"
RELEASES = 3  # whose static files stay: this one and the two before
APPS = ("config", "accounts", "games", "leaderboards")
# Debian packages that only tests need, by a program of each; and those of the drills.
DEBIAN = {
    "/usr/lib/postgresql/*/bin/initdb": "postgresql",
    "/usr/bin/chromium-headless-shell": "chromium-headless-shell",
}
DRILLS = {"/usr/sbin/nginx": "nginx-light", "/usr/bin/openssl": "openssl"}


def say(text: str) -> None:
    """Print what is being done."""
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def cache() -> dict[str, str]:
    """Return where uv keeps what it has fetched, if not at home: a user of a service may have none."""
    try:
        (Path.home() / ".cache" / "uv").mkdir(parents=True, exist_ok=True)
    except (OSError, RuntimeError):
        return {"UV_CACHE_DIR": str(VENV / "cache")}
    return {}


def do(*command: str | Path, stdin: str | None = None) -> None:
    """Run a command; exit if it fails."""
    own = cache() | os.environ | {"VAR_DIR": str(VAR_DIR)}
    done = subprocess.run(command, cwd=ROOT, check=False, input=stdin, text=True, env=own, preexec_fn=end_with_parent)
    if done.returncode:
        sys.exit(f"Failed: {' '.join(map(str, command))}")


def fingerprint(files: Iterable[Path]) -> str:
    """Return a hash of the files' names and contents."""
    digest = hashlib.sha256()
    for file in sorted(files):
        digest.update(str(file).encode() + b"\0" + file.read_bytes())
    return digest.hexdigest()


def changed(stamp: Path, now: str) -> bool:
    """Return whether the stamp differs from `now`."""
    return not stamp.exists() or stamp.read_text() != now


def environment() -> None:
    """Make .venv anew, with uv as the lock file pins it."""
    say("Making .venv")
    do(sys.executable, "-m", "venv", "--clear", VENV)
    pinned = re.findall(r"^uv==.+\n(?:    .+\n)+", LOCK.read_text(), re.MULTILINE)
    do(PYTHON, "-m", "pip", "install", "--quiet", "--require-hashes", "-r", "/dev/stdin", stdin=pinned[0])


def is_whole() -> bool:
    """Return whether .venv was installed to its end, by a Python that is still there and of this version."""
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    return INSTALLED.exists() and PYTHON.exists() and (VENV / "lib" / version).exists()


def packages(*, tests: bool = False) -> None:
    """Install the packages of the site into .venv, with those of the tests if wanted or there before.

    What was interrupted has no stamp, and is made anew: half a package can be neither used nor replaced.
    """
    tests = tests or (INSTALLED.exists() and INSTALLED.read_text().startswith("dev"))
    now = f"{'dev' if tests else 'site'} {fingerprint([LOCK])}"
    if not is_whole():
        INSTALLED.unlink(missing_ok=True)
        environment()
    if changed(INSTALLED, now):
        say("Installing packages into .venv")
        INSTALLED.unlink(missing_ok=True)
        which = ["-r", "pyproject.toml", *(["--group", "dev"] if tests else [])]
        locked = ["--exact", "--require-hashes", "--constraint", LOCK.name]
        do(VENV / "bin" / "uv", "pip", "install", "--quiet", "--python", PYTHON, *locked, *which)
        put(INSTALLED, now)


def put(path: Path, text: str) -> None:
    """Write a file whole or not at all."""
    fresh = path.with_name(f"{path.name}.new")
    fresh.write_text(text)
    fresh.replace(path)


def translations() -> None:
    """Compile the catalogues if one is newer than its compiled form."""
    for catalogue in [file for app in ("config", "tests/*") for file in ROOT.glob(f"{app}/locale/*/*/*.po")]:
        compiled = catalogue.with_suffix(".mo")
        if not compiled.exists() or compiled.stat().st_mtime <= catalogue.stat().st_mtime:
            say(f"Compiling {catalogue.relative_to(ROOT)}")
            fresh, language = catalogue.with_suffix(".mo.new"), catalogue.parents[1].name
            do(PYTHON, "-m", "babel.messages.frontend", "-q", "compile", "-i", catalogue, "-o", fresh, "-l", language)
            fresh.replace(compiled)  # half a catalogue would stop every start


def static_files() -> None:
    """Collect, hash and compress the static files if one of them, or a package, changed."""
    files = [file for app in APPS for file in ROOT.glob(f"{app}/**/static/**/*") if file.is_file()]
    now = fingerprint([*files, LOCK, ROOT / "config" / "settings.py"])
    static = VAR_DIR / "static"
    stamp = static / "collected"
    if changed(stamp, now):
        say("Collecting the static files")
        stamp.unlink(missing_ok=True)
        do(PYTHON, "manage.py", "collectstatic", "--noinput", "--verbosity", "0")
        thin_out(static)
        put(stamp, now)


def thin_out(static: Path) -> None:
    """Delete the static files that none of the last three releases has: open pages and other servers use the others."""
    releases = static / "releases.json"
    before = json.loads(releases.read_text()) if releases.exists() else []
    present = sorted(json.loads((static / "staticfiles.json").read_text())["paths"].values())
    kept = [present, *(names for names in before if names != present)][:RELEASES]
    releases.write_text(json.dumps(kept))
    needed = {name for names in kept for name in names}
    needed |= {f"{name}{packed}" for name in needed for packed in (".gz", ".br")}
    for path in static.rglob("*"):
        if path.is_file() and path.parent != static and str(path.relative_to(static)) not in needed:
            path.unlink()


def applied() -> str:
    """Return the applied migrations of the embedded database; "" without one."""
    if not (path := VAR_DIR / "club-y.sqlite3").exists():
        return ""
    with closing(sqlite3.connect(path)) as connection:
        try:
            return repr(connection.execute("SELECT app, name FROM django_migrations ORDER BY id").fetchall())
        except sqlite3.OperationalError:
            return ""


def database() -> None:
    """Migrate the database; the embedded one only if a migration, a package or the rules of a game are new.

    Migrating says also which matches have rules that are not here (games.checks).
    """
    rules = [*ROOT.glob("games/rules/**/rules.py")]
    code = fingerprint([*(file for app in APPS for file in ROOT.glob(f"{app}/migrations/*.py")), LOCK, *rules])
    code += os.environ.get("EXTRA_GAMES", "")
    stamp = VAR_DIR / "migrated"
    if os.environ.get("DATABASE_URL") or changed(stamp, code + applied()):
        say("Bringing the database up to date")
        do(PYTHON, "manage.py", "migrate", "--noinput", "--verbosity", "0")
        put(stamp, code + applied())


def debian(wanted: dict[str, str]) -> None:
    """Install the missing ones of these Debian packages."""
    missing = [package for program, package in wanted.items() if not list(Path("/").glob(program[1:]))]
    if missing and os.geteuid() == 0 and shutil.which("apt-get"):
        say(f"Installing {', '.join(missing)}")
        do("apt-get", "update", "-qq")
        do("apt-get", "install", "-y", "-qq", "--no-install-recommends", *missing)
    elif missing:
        sys.exit(f"The tests need {', '.join(missing)}: install as root, then try again.")


def main(what: str) -> None:
    """Prepare to `run` the site (its port must be free), `install`, `test`, `drill` it; `packages`, `release`: halves.

    One process at a time; a tree that cannot be written has all it needs, or is of no use.
    """
    insist()
    if what == "run":
        if place.is_running():
            sys.exit(place.RUNS_ALREADY)
        if reason := place.refusal():
            sys.exit(reason)
    tests = what in ("test", "drill")
    if tests:
        debian(DEBIAN | (DRILLS if what == "drill" else {}))
    if what != "release":  # of an image: packages are there
        with held(ROOT / ".installing", wait=True) if os.access(ROOT, os.W_OK) else nullcontext():
            packages(tests=tests)
            translations()
    if what in ("run", "install", "release"):
        keep_private(VAR_DIR)  # from here on: another user may run what is installed, but not read the data
        with held(VAR_DIR / ".installing", wait=True):
            static_files()
            database()


if __name__ == "__main__":
    main(sys.argv[1])
