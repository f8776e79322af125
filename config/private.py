"""The data folder is its owner's alone, and so is every file in it. Standard library only."""

import contextlib
import os
import secrets
import stat
from collections.abc import Callable
from pathlib import Path

OTHERS = 0o077


def keep_private(folder: Path) -> None:
    """Have all that this process and its children write readable by its owner alone, and make the data folder."""
    os.umask(OTHERS)
    folder.mkdir(parents=True, exist_ok=True)
    _close(folder)


def kept(path: Path, make: Callable[[], str]) -> str:
    """Return a secret of the site, created at the first start."""
    if not path.exists():
        fresh = path.with_name(f"{path.name}.{secrets.token_hex(4)}")
        fresh.touch(mode=0o600)
        fresh.write_text(make())
        with contextlib.suppress(FileExistsError):  # another process was first
            path.hardlink_to(fresh)
        fresh.unlink()
    return path.read_text()


def mend(folder: Path) -> None:
    """Take from others what an earlier version let them read in the data folder."""
    for place, _folders, files in os.walk(folder):
        for path in (Path(place), *(Path(place, name) for name in files)):
            _close(path)


def _close(path: Path) -> None:
    """Take a file or folder from others; not one that is not ours, is a link, or is shared by all, as /tmp is."""
    with contextlib.suppress(FileNotFoundError, PermissionError):
        mode = path.lstat().st_mode
        if mode & OTHERS and not stat.S_ISLNK(mode) and not mode & stat.S_ISVTX:
            path.chmod(stat.S_IMODE(mode) & ~OTHERS)
