"""The cast of the games' tests; Mo moderates, Root is an admin."""

import pytest
from django.core.cache import cache

from accounts.models import User
from games.life import Audit
from games.moderation.roles import moderators
from leaderboards import ranks
from tests.games.conftest import ann, bob, cem, eve, gus, hours, member  # noqa: F401

WHY = "because of this"


@pytest.fixture(autouse=True)
def _no_limits_left():
    cache.clear()
    ranks.redis().flushdb()


@pytest.fixture
def mo(db) -> User:
    user = member("mo", is_staff=True)
    user.groups.add(moderators())
    return user


@pytest.fixture
def root(db) -> User:
    return User.objects.create_superuser("root", "root@example.org", "correct horse battery")


def last_audit() -> Audit:
    return Audit.objects.order_by("pk").last()
