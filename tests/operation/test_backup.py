"""Backup and restore, with the very commands of docs/operation.md, while the site runs."""

import os
import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from django.contrib.auth import get_user_model
from django.db import connection

from tests.postgres import programs
from tests.processes import ROOT, Site

pytestmark = pytest.mark.both

MANUAL = (ROOT / "docs" / "operation.md").read_text()


def manual(title: str) -> str:
    """Return the commands under a heading of the manual."""
    found = re.search(rf"### {title}\n.*?```sh\n(.*?)```", MANUAL, re.DOTALL)
    assert found
    return found[1]


def test_what_was_backed_up_comes_back(site: Site, tmp_path: Path, new_site: Callable[..., Site]) -> None:
    get_user_model().objects.create_user("Ann", "ann@example.org", "a secret of hers")
    system = "PostgreSQL" if connection.vendor == "postgresql" else "SQLite"
    env = site.env | {"BACKUP": str(tmp_path / "backup"), "PATH": f"{programs()}:{os.environ['PATH']}"}
    subprocess.run(["bash", "-euc", manual(f"Back {system} up")], env=env, cwd=ROOT, check=True)
    if system == "SQLite":
        env["VAR_DIR"] = str(tmp_path)
    else:
        address, query = env["DATABASE_URL"].split("?")
        with connection.cursor() as cursor:
            cursor.execute(f"CREATE DATABASE {connection.settings_dict['NAME']}_restored")
        env["DATABASE_URL"] = f"{address}_restored?{query}"
    subprocess.run(["bash", "-euc", manual(f"Restore {system}")], env=env, cwd=ROOT, check=True)
    restored = new_site(**{name: env[name] for name in ("VAR_DIR", "DATABASE_URL")})
    ask = "from accounts.models import User; print('found', User.objects.filter(username='Ann').count())"
    assert "found 1" in restored.manage("shell", "-v0", "-c", ask)
