"""Copies of the site: made while it runs, brought back into an empty place, refused in words, made each night."""

import os
import sqlite3
import stat
import subprocess
import sys
import tarfile
from io import BytesIO
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import pytest
from django.db import connection

from accounts.models import User
from config.lib import clock as site_clock
from games.models import Heartbeat, Match, Turn
from games.services.operation import backups, site_status
from leaderboards.models import Standing
from tests.clocks import Clock
from tests.factories import member, play_on, seated
from tests.processes import ROOT, Site, wait_until

pytestmark = pytest.mark.operation

SEED = 4
COUNT = (
    "from accounts.models import User; from games.models import Match, Turn; from leaderboards.models import Standing;"
    "print('found', *(m.objects.count() for m in (User, Match, Turn, Standing)))"
)


@pytest.fixture
def played_match(site: Site) -> Match:
    """A rated match that was played to its end, and one that goes on."""
    print("seed", SEED)
    ann, bob = member("Ann"), member("Bob")
    seated(ann, bob)
    return play_on(seated(ann, bob, rated=True), Random(SEED))


def manage(env: dict[str, str], *command: str) -> subprocess.CompletedProcess[str]:
    done = [sys.executable, "manage.py", *command]
    return subprocess.run(done, env=env, cwd=ROOT, check=False, capture_output=True, text=True)


def figures() -> str:
    return " ".join(["found", *(str(model.objects.count()) for model in (User, Match, Turn, Standing))])


def elsewhere(env: dict[str, str], tmp_path: Path) -> dict[str, str]:
    """Return the settings of an empty site of the same kind."""
    env = env | {"VAR_DIR": str(tmp_path / "a place")}
    if connection.vendor == "postgresql":
        name = f"{connection.settings_dict['NAME']}_restored"
        with connection.cursor() as cursor:
            cursor.execute(f"DROP DATABASE IF EXISTS {name}")
            cursor.execute(f"CREATE DATABASE {name}")
        address, query = env["DATABASE_URL"].split("?")
        env["DATABASE_URL"] = f"{address}_restored?{query}"
    return env


def test_a_copy_is_read_by_the_oldest_python_that_runs_the_site(
    site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Debian 12 has Python 3.11.2, whose `extract` knows no filter: nothing is unpacked by it."""

    def extract(*arguments: object, **named: object) -> None:
        raise AssertionError("unpacked without a filter")

    backups.back_up(tmp_path / "all.tar")
    monkeypatch.setattr(tarfile.TarFile, "extract", extract)
    assert backups._unpack(tmp_path / "all.tar", tmp_path)["format"] == backups.FORMAT


@pytest.mark.both
def test_what_was_copied_comes_back(site: Site, played_match: Match, tmp_path: Path, clock) -> None:
    copy = tmp_path / "copies" / "all.tar"
    done = manage(site.env, "backup", str(copy))
    assert done.returncode == 0, done.stderr
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    assert [path.name for path in copy.parent.iterdir()] == ["all.tar"]
    there = elsewhere(site.env, tmp_path)
    done = manage(there, "restore", str(copy))
    assert done.returncode == 0, done.stderr
    assert "2 people, 2 matches" in done.stdout
    assert figures() in manage(there, "shell", "-v0", "-c", COUNT).stdout
    assert manage(there, "check_matches").returncode == 0
    assert manage(there, "rebuild_ratings", "--check").returncode == 0
    clock.forward(60)  # since the last heartbeat in the copy
    again = manage(there, "restore", str(copy))
    if connection.vendor == "postgresql":  # what is there is not thrown away unasked
        assert "not empty" in again.stderr
        again = manage(there, "restore", str(copy), "--replace")
    assert again.returncode == 0, again.stderr
    assert figures() in manage(there, "shell", "-v0", "-c", COUNT).stdout
    assert list(Path(there["VAR_DIR"]).glob("*before-*"))
    sent = "from accounts.models import User; print(set(User.objects.values_list('mail_links', flat=True)))"
    assert "{1}" in manage(there, "shell", "-v0", "-c", sent).stdout  # no mail of since then answers another question


@pytest.mark.both
def test_nothing_is_restored_under_a_running_site(site: Site, tmp_path: Path) -> None:
    member("Ann")
    wait_until(lambda: Heartbeat.objects.filter(name="web").exists(), "a heartbeat")
    copy = tmp_path / "all.tar"
    backups.back_up(copy)
    before = figures()
    done = manage(site.env, "restore", str(copy), "--replace")
    assert done.returncode == 1
    assert "The site runs, or did a moment ago" in done.stderr
    assert figures() == before


def test_what_is_no_copy_is_refused_in_words(site: Site, tmp_path: Path) -> None:
    there = elsewhere(site.env, tmp_path)
    (tmp_path / "nonsense").write_bytes(b"no tar")
    with tarfile.open(tmp_path / "other.tar", "w") as file:
        file.add(__file__, "../../escaped.py")
    (tmp_path / "link").symlink_to("/etc/hostname")
    with tarfile.open(tmp_path / "link.tar", "w") as file:
        file.add(tmp_path / "link", "manifest.json")
    for name in ("missing", "nonsense", "other.tar", "link.tar"):
        with pytest.raises(backups.BackupError, match="is no copy of Club Y"):
            backups._unpack(tmp_path / name, tmp_path)
    done = manage(there, "restore", str(tmp_path / "other.tar"))
    assert done.returncode == 1
    assert "is no copy of Club Y" in done.stderr
    assert "Traceback" not in done.stderr
    assert not (tmp_path.parent / "escaped.py").exists()
    copy = tmp_path / "all.tar"
    backups.back_up(copy)
    assert "exists already" in manage(site.env, "backup", str(copy)).stderr


def member_of(name: str, content: bytes = b"", **about: object) -> tuple[tarfile.TarInfo, bytes]:
    """Return a member of a copy with these features."""
    info = tarfile.TarInfo(name)
    info.size = len(content)
    for feature, value in about.items():
        setattr(info, feature, value)
    return info, content


def test_a_forged_or_spoilt_copy_is_refused_before_anything_is_replaced(site: Site, tmp_path: Path) -> None:
    backups.back_up(tmp_path / "good.tar")
    with tarfile.open(tmp_path / "good.tar") as file:
        good = {name: file.extractfile(name).read() for name in file.getnames()}  # type: ignore[union-attr]
    manifest = member_of("manifest.json", good["manifest.json"])
    data = member_of(backups.SQLITE, good[backups.SQLITE])
    link = member_of("secret_key", type=tarfile.SYMTYPE, linkname="manifest.json")
    spoilt = {
        "a link for a key": [manifest, data, link],
        "a folder for a key": [manifest, data, member_of("secret_key", type=tarfile.DIRTYPE)],
        "a pipe": [member_of("manifest.json", type=tarfile.FIFOTYPE), data],
        "no database": [manifest],
        "an empty database": [manifest, member_of(backups.SQLITE)],
        "an empty key": [manifest, data, member_of("secret_key")],
        "another manifest": [member_of("manifest.json", b"[]"), data],
        "half a manifest": [member_of("manifest.json", b'{"format": "club-y-backup/1"}'), data],
    }
    there = elsewhere(site.env, tmp_path)
    folder = Path(there["VAR_DIR"])
    for name, members in spoilt.items():
        with tarfile.open(tmp_path / f"{name}.tar", "w") as file:
            for info, content in members:
                file.addfile(info, BytesIO(content))
        with pytest.raises(backups.BackupError, match="is no copy of Club Y"), TemporaryDirectory() as place:
            backups._unpack(tmp_path / f"{name}.tar", Path(place))
    done = manage(there, "restore", str(tmp_path / "a link for a key.tar"))
    assert done.returncode == 1
    assert "is no copy of Club Y" in done.stderr and "Traceback" not in done.stderr, done.stderr
    assert not [path.name for path in folder.iterdir() if ".before-" in path.name]


def test_what_is_restored_is_private_whatever_the_copy_says(site: Site, tmp_path: Path) -> None:
    there = elsewhere(site.env, tmp_path)
    backups.back_up(tmp_path / "good.tar")
    with tarfile.open(tmp_path / "good.tar") as good, tarfile.open(tmp_path / "open.tar", "w") as file:
        for info in good:
            content = good.extractfile(info)
            info.mode = 0o777
            file.addfile(info, content)
        key, text = member_of("secret_key", b"k" * 50, mode=0o777)
        file.addfile(key, BytesIO(text))
    assert manage(there, "restore", str(tmp_path / "open.tar")).returncode == 0
    folder = Path(there["VAR_DIR"])
    assert {stat.S_IMODE((folder / name).stat().st_mode) for name in ("club-y.sqlite3", "secret_key")} == {0o600}


def test_a_broken_copy_leaves_the_present_data(site: Site, played_match: Match, tmp_path: Path, clock) -> None:
    copy = tmp_path / "all.tar"
    backups.back_up(copy)
    there = elsewhere(site.env, tmp_path)
    assert manage(there, "restore", str(copy)).returncode == 0
    clock.forward(60)  # since the last heartbeat in the copy
    torn = bytearray(copy.read_bytes())
    at = torn.find(b"SQLite format 3")
    torn[at + 4096 : at + 40_960] = os.urandom(36_864)
    (tmp_path / "torn.tar").write_bytes(torn)
    done = manage(there, "restore", str(tmp_path / "torn.tar"))
    assert "The database in this copy is broken." in done.stderr
    assert figures() in manage(there, "shell", "-v0", "-c", COUNT).stdout


def noon(clock: Clock) -> None:
    """Go to the next noon, in the hours for copies."""
    clock.forward(86_400 - 3600 * ((site_clock.now().hour - 12) % 24))


def test_each_night_one_copy_and_fourteen_are_kept(transactional_db, settings, tmp_path, clock) -> None:
    settings.BACKUP_DIR = str(tmp_path)
    assert site_status.backup_figures()[0].is_bad
    noon(clock)
    for _day in range(backups.KEPT + 3):
        clock.forward(86_400)
        backups.nightly()
        assert backups.nightly() is None
    made = backups.nightly_copies()
    assert len(made) == backups.KEPT
    with tarfile.open(made[-1]) as file, sqlite3.connect(":memory:"):
        assert "manifest.json" in file.getnames()
    assert len(list(tmp_path.iterdir())) == backups.KEPT


def test_one_worker_makes_the_copy_of_the_night_and_clears_what_a_killed_one_left(
    transactional_db, settings, tmp_path, clock
) -> None:
    settings.BACKUP_DIR = str(tmp_path)
    left, lately = tmp_path / ".backup-old", tmp_path / ".backup-new"
    for folder in (left, lately):
        folder.mkdir()
        (folder / "database.sqlite3").write_bytes(b"half")
    os.utime(left, (0, 0))
    noon(clock)
    os.utime(lately, (site_clock.now().timestamp(),) * 2)
    hold = "import fcntl, os, sys; fcntl.flock(os.open(sys.argv[1], 0), fcntl.LOCK_EX); print(flush=True); input()"
    command = [sys.executable, "-c", hold, str(tmp_path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as other:
        other.stdout.readline()
        assert backups.nightly() is None
        other.communicate("\n")
    made = backups.nightly()
    assert {path.name for path in tmp_path.iterdir()} == {made.name, lately.name}


def test_without_a_folder_there_are_no_nightly_copies(db, settings) -> None:
    settings.BACKUP_DIR = ""
    assert backups.nightly() is None
    assert site_status.backup_figures() == []
