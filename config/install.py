"""Set-up of a machine: install and update only what is missing or old. Standard library only."""

import hashlib
import os
import re
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path

from config.private import keep_private
from config.supervisor import HOST, PORT, VAR_DIR, port_taken

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
PYTHON = VENV / "bin" / "python"
INSTALLED = VENV / "installed"
LOCK = ROOT / "requirements.lock"
APPS = ("config", "accounts", "games", "leaderboards")
# Debian packages that only tests need, by a program of each.
DEBIAN = {
    "/usr/lib/postgresql/*/bin/initdb": "postgresql",
    "/usr/bin/chromium-headless-shell": "chromium-headless-shell",
}


def say(text: str) -> None:
    """Print what is being done."""
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def do(*command: str | Path, stdin: str | None = None) -> None:
    """Run a command; exit if it fails."""
    done = subprocess.run(command, cwd=ROOT, check=False, input=stdin, text=True)
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


def uv() -> Path:
    """Return the path of uv, installed by pip as the lock file pins it."""
    program = VENV / "bin" / "uv"
    if not PYTHON.exists():
        do(sys.executable, "-m", "venv", VENV)
    if not program.exists():
        pinned = re.findall(r"^uv==.+\n(?:    .+\n)+", LOCK.read_text(), re.MULTILINE)
        do(PYTHON, "-m", "pip", "install", "--quiet", "--require-hashes", "-r", "/dev/stdin", stdin=pinned[0])
    return program


def packages(*, tests: bool = False) -> None:
    """Install the packages of the site into .venv, with those of the tests if wanted or there before."""
    tests = tests or (INSTALLED.exists() and INSTALLED.read_text().startswith("dev"))
    now = f"{'dev' if tests else 'site'} {fingerprint([LOCK])}"
    if changed(INSTALLED, now):
        say("Installing packages into .venv")
        which = ["-r", "pyproject.toml", *(["--group", "dev"] if tests else [])]
        locked = ["--exact", "--require-hashes", "--constraint", LOCK.name]
        do(uv(), "pip", "install", "--quiet", "--python", PYTHON, *locked, *which)
        INSTALLED.write_text(now)


def translations() -> None:
    """Compile the catalogues if one is newer than its compiled form."""
    for catalogue in [file for app in ("config", "tests/*") for file in ROOT.glob(f"{app}/locale/*/*/*.po")]:
        compiled = catalogue.with_suffix(".mo")
        if not compiled.exists() or compiled.stat().st_mtime <= catalogue.stat().st_mtime:
            say(f"Compiling {catalogue.relative_to(ROOT)}")
            do(PYTHON.with_name("pybabel"), "-q", "compile", "-d", catalogue.parents[2], "-D", "django")


def static_files() -> None:
    """Collect, hash and compress the static files if one of them, or a package, changed."""
    files = [file for app in APPS for file in ROOT.glob(f"{app}/**/static/**/*") if file.is_file()]
    now = fingerprint([*files, LOCK, ROOT / "config" / "settings.py"])
    stamp = VAR_DIR / "static" / "collected"
    if changed(stamp, now):
        say("Collecting the static files")
        do(PYTHON, "manage.py", "collectstatic", "--noinput", "--clear", "--verbosity", "0")
        stamp.write_text(now)


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
        stamp.write_text(code + applied())


def debian() -> None:
    """Install the missing Debian packages of the tests."""
    missing = [package for program, package in DEBIAN.items() if not list(Path("/").glob(program[1:]))]
    if missing and os.geteuid() == 0 and shutil.which("apt-get"):
        say(f"Installing {', '.join(missing)}")
        do("apt-get", "update", "-qq")
        do("apt-get", "install", "-y", "-qq", "--no-install-recommends", *missing)
    elif missing:
        sys.exit(f"The tests need {', '.join(missing)}: install as root, then try again.")


def main(what: str) -> None:
    """Prepare to `run` the site (the port must be free), to `install` or to `test` it."""
    if what == "run" and port_taken(HOST, PORT):
        sys.exit(f"Port {PORT} of {HOST} is taken: is Club Y running already? Another: PORT=8001 make run")
    if what == "test":
        debian()
        packages(tests=True)
        translations()
    else:
        packages()
        translations()
        keep_private(VAR_DIR)  # from here on: another user may run what is installed, but not read the data
        static_files()
        database()


if __name__ == "__main__":
    main(sys.argv[1])
