"""The data folder and all in it is its owner's alone, what an earlier version made too."""

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from config.private import mend
from games.services.operation import backups
from tests.processes import ROOT


def open_to_others(folder: Path) -> list[str]:
    """Return what somebody else may read, write or enter in a folder."""
    found = [folder, *folder.rglob("*")]
    return [str(path) for path in found if stat.S_IMODE(path.lstat().st_mode) & 0o077 and not path.is_symlink()]


def run(folder: Path, *command: str, **more: str) -> None:
    own = {"VAR_DIR": str(folder), "DJANGO_SETTINGS_MODULE": "config.settings"}
    env = {name: value for name, value in os.environ.items() if name != "SECRET_KEY"} | own | more
    subprocess.run([sys.executable, *command], env=env, cwd=ROOT, check=True, umask=0o022, capture_output=True)


def test_what_a_start_makes_is_private(tmp_path: Path) -> None:
    folder = tmp_path / "var"
    run(folder, "manage.py", "migrate", "-v0", "contenttypes", DATABASE_URL="")
    assert {path.name for path in folder.iterdir()} >= {"club-y.sqlite3", *backups.KEYS}
    assert open_to_others(folder) == []


def test_what_was_open_is_mended_at_the_next_start(tmp_path: Path) -> None:
    folder = tmp_path / "var"
    (folder / "mail").mkdir(parents=True)
    for name in ("club-y.sqlite3", "mail/a.eml"):
        (folder / name).write_text("")
        (folder / name).chmod(0o644)
    (folder / "program").touch(0o755)
    outside = tmp_path / "outside"
    outside.touch()
    outside.chmod(0o644)
    (folder / "link").symlink_to(outside)
    folder.chmod(0o755)
    start = "from config.supervisor import *; keep_private(VAR_DIR); mend(VAR_DIR); (VAR_DIR / 'new').touch()"
    run(folder, "-c", start)
    assert open_to_others(folder) == []
    assert stat.S_IMODE((folder / "program").stat().st_mode) == 0o700
    assert stat.S_IMODE(outside.stat().st_mode) == 0o644


def test_a_folder_that_all_share_is_left_alone(tmp_path: Path) -> None:
    tmp_path.chmod(0o1777)
    mend(tmp_path)
    assert stat.S_IMODE(tmp_path.stat().st_mode) == 0o1777


@pytest.mark.thin(1)
@pytest.mark.parametrize("names", [{"SECRET_KEY": "the same everywhere"}, {"AUTHENTICATOR_KEYS": "a,b"}])
def test_an_outgrown_site_has_no_key_of_its_own_folder(tmp_path: Path, names: dict[str, str]) -> None:
    for folder in ("one", "two"):
        keep = "import sys; from config.settings import *; open(sys.argv[1], 'w').write(str(AUTHENTICATOR_KEYS))"
        run(tmp_path / folder, "-c", keep, f"{tmp_path}/{folder}-keys", **names)
        assert not (tmp_path / folder / "authenticator_keys").exists()
        assert (tmp_path / folder / "vapid_key").exists() != ("SECRET_KEY" in names)
    assert (tmp_path / "one-keys").read_text() == (tmp_path / "two-keys").read_text()
