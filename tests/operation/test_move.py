"""From SQLite to PostgreSQL: every row, with its number, and the next ones after them."""

import os
import subprocess
import sys
from datetime import UTC, datetime
from random import Random

import psycopg
import pytest
from django.apps import apps

from tests.factories import member, moderator, play_on, seated
from tests.postgres import Cluster
from tests.processes import ROOT, Site

pytestmark = pytest.mark.operation

SEED = 5
GO_ON = """
from random import Random
from accounts.models import User
from games.models import Match
from tests.factories import play_on, member, seated
running = Match.objects.get(status="running")
assert play_on(running, Random(1)).status == "ended"
assert seated(member("New"), User.objects.get(username="Ann")).pk > running.pk
"""


@pytest.fixture(scope="module")
def cluster():
    cluster = Cluster(durable=False)
    yield cluster
    cluster.remove()


def rows_of(address: str) -> list[tuple[str, int]]:
    """Return how many rows each table has in the PostgreSQL at the address."""
    tables = [model._meta.db_table for model in apps.get_models(include_auto_created=True)]
    with psycopg.connect(address) as database:
        return [(table, database.execute(f'SELECT count(*) FROM "{table}"').fetchone()[0]) for table in tables]


def manage(env: dict[str, str], *command: str) -> subprocess.CompletedProcess[str]:
    done = [sys.executable, "manage.py", *command]
    return subprocess.run(done, env=env, cwd=ROOT, check=False, capture_output=True, text=True)


def test_all_rows_move(site: Site, cluster: Cluster, clock) -> None:
    print("seed", SEED)
    site.web.stop()
    clock.forward(60)  # since its last heartbeat
    ann, bob = member("Ann"), member("Bob", last_login=datetime.now(UTC))
    moderator()
    play_on(seated(ann, bob, rated=True), Random(SEED))
    seated(ann, bob, options={})
    there = site.env | {"DATABASE_URL": cluster.address}
    rows = [(m._meta.db_table, m._base_manager.count()) for m in apps.get_models(include_auto_created=True)]
    done = manage(there, "move_to_postgresql")
    assert done.returncode == 0, done.stderr
    assert rows_of(cluster.address) == rows
    assert manage(there, "check_matches").returncode == 0
    assert manage(there, "rebuild_ratings", "--check").returncode == 0
    again = manage(there, "move_to_postgresql")
    assert "There are people in that PostgreSQL already" in again.stderr
    assert rows_of(cluster.address) == rows
    done = subprocess.run(
        [sys.executable, "-c", f"import django; django.setup()\n{GO_ON}"],
        env=os.environ | {"DJANGO_SETTINGS_MODULE": "config.settings", "DATABASE_URL": cluster.address},
        cwd=ROOT,
        check=False,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert len(apps.get_models()) > 20


def test_it_asks_for_a_postgresql(site: Site) -> None:
    done = manage(site.env, "move_to_postgresql")
    assert done.returncode == 1
    assert "Set DATABASE_URL to the PostgreSQL" in done.stderr
