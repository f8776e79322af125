"""What all tests share: a database, a Redis, a clock that can be moved, real servers, a real browser."""

import asyncio
import gc
import os
import re
import shutil
from collections.abc import Callable, Iterator
from itertools import chain
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any
from urllib.parse import urlsplit, urlunsplit

import hypothesis
import pytest
from django.contrib.auth.models import AbstractBaseUser
from django.core.cache import cache
from django.db import connection
from django.test import TransactionTestCase
from django.test.utils import setup_databases
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright
from pytest_django import DjangoDbBlocker

from accounts.models import User
from accounts.services import visits
from config.lib import rate_limits
from games.models import Match
from games.queries import readable
from games.services.lobby import promises
from games.services.push import delivery
from leaderboards import ranks
from tests import FULL, factories, shared
from tests.clocks import Clock, Hours
from tests.processes import CHROMIUM, CHROMIUM_FLAGS, Process, Site, on_loop, redis_process
from tests.pushing import PushService
from tests.settings import HOME
from tests.settings import database_url as configured_url
from tests.thinning import thinned

ASKED = re.compile(r"(?<!not )\b(both|outgrown|thin|operation|walk)\b")
STANDING: list[Site] = []
KEEPS_NO_DICE = """(() => {
  const put = Storage.prototype.setItem;
  Storage.prototype.setItem = function (name, said) {
    if (name === "dice") throw new Error("no room");
    return put.call(this, name, said);
  };
})()"""
Chromium = tuple[Browser, asyncio.AbstractEventLoop]

# A busy machine is no fault of the code.
hypothesis.settings.register_profile("patient", deadline=None)
hypothesis.settings.load_profile("patient")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave those files unread in which nothing has a mark that is asked for: `both` on PostgreSQL, or a tier's."""
    asked = ASKED.findall(config.option.markexpr)
    if not asked or collection_path.suffix != ".py" or collection_path.name == "conftest.py":
        return None
    text = collection_path.read_text()
    return None if all(f"mark.{mark}" in text for mark in asked) else True


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> Iterator[None]:
    """Leave out what is thinned, unless all is to be proved or tests are named; then put the rest in order."""
    if not FULL and not any("::" in argument for argument in config.args):
        left_out = set(thinned(items))
        config.hook.pytest_deselected(items=list(left_out))
        items[:] = [item for item in items if item not in left_out]
    yield
    in_order(items)


def in_order(items: list[pytest.Item]) -> None:
    """End each process's share with what asks for the standing site, which stops for any other test.

    Of these the last first: whole matches and all pages, which take long and would leave the other processes idle.
    """
    shares = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
    others, at_site = [], []
    for item in items:
        (at_site if "standing_site" in getattr(item, "fixturenames", ()) else others).append(item)
    size = -(-len(others) // shares)
    parts = [(others[number * size :][:size], at_site[::-1][number::shares]) for number in range(shares)]
    items[:] = [item for part in parts for item in chain(*part)]


def pytest_collection_finish() -> None:
    """Leave out of each garbage collection what stays to the end: it took a tenth of the time."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 50)


def pytest_unconfigure() -> None:
    shutil.rmtree(HOME, ignore_errors=True)


@pytest.fixture(scope="session")
def django_db_setup(django_test_environment: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """The database of this process, by the name that tests/settings.py gave it: migrated once in a run, and copied."""
    name = connection.settings_dict["TEST"]["NAME"]
    with django_db_blocker.unblock(), shared.migrated(name) as is_copy:
        setup_databases(verbosity=0, interactive=False, keepdb=is_copy, serialized_aliases=())
    yield
    with django_db_blocker.unblock():
        connection.close()
        if connection.vendor == "postgresql":
            shared.drop(name)


@pytest.fixture(scope="session", autouse=True)
def _emptied_quickly() -> None:
    """After a test that commits, only those tables are emptied that hold something."""
    TransactionTestCase._fixture_teardown = lambda self: shared.empty()


@pytest.fixture(autouse=True)
def _nothing_remembered(redis: Process) -> None:
    """Forget limits, visits and what is cached: the next test's members have the same numbers."""
    rate_limits._sent.clear()
    visits._noted.clear()
    visits._noter.submit(int).result()  # what the test before has had noted in the background is noted
    visits._redis().delete(visits.KEY)
    cache.clear()


@pytest.fixture(autouse=True)
def _every_match_is_read(_nothing_remembered: None, request: pytest.FixtureRequest) -> Iterator[None]:
    """Fail a test in which a list left out a match that it could not show, unless it planted one."""
    readable._redis().delete(readable.MET)
    yield
    assert request.node.get_closest_marker("bad_matches") or not readable.met()


@pytest.fixture(autouse=True)
def _dice_of_its_own(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let matches draw the same each time that the test runs: their seeds hang on its name."""
    drawn = Random(request.node.nodeid)
    monkeypatch.setattr(Match._meta.get_field("server_seed"), "_get_default", lambda: drawn.randbytes(32))
    # Of tables alone: what else asks for tokens does so once in a process, and would make its first tests others.
    roots = SimpleNamespace(token_hex=lambda size: drawn.randbytes(size).hex(), token_bytes=drawn.randbytes)
    monkeypatch.setattr(promises, "secrets", roots)


@pytest.fixture(scope="session", autouse=True)
def redis() -> Iterator[Process]:
    """The Redis of this test process: for the code under test here and for its servers."""
    process = redis_process(HOME)
    process.start()
    yield process
    process.stop()


@pytest.fixture
def clock() -> Iterator[Clock]:
    """A clock that the test moves for all processes at once; right again after the test."""
    clock = Clock(HOME / "clock")
    yield clock
    clock.path.unlink(missing_ok=True)


@pytest.fixture
def hours(db: None, clock: Clock) -> Hours:
    """Lets time pass, with the site well."""
    return Hours(clock)


@pytest.fixture
def ann(db: None) -> User:
    return factories.member("ann")


@pytest.fixture
def bob(db: None) -> User:
    return factories.member("bob")


@pytest.fixture
def cem(db: None) -> User:
    return factories.member("cem")


@pytest.fixture
def eve(db: None) -> User:
    return factories.member("eve")


@pytest.fixture
def gus(db: None) -> User:
    return factories.guest()


@pytest.fixture
def mo(db: None) -> User:
    """Mo, who moderates."""
    return factories.moderator()


@pytest.fixture
def root(db: None) -> User:
    """An admin."""
    return factories.admin()


@pytest.fixture
def no_ranks_left(redis: Process) -> None:
    """Leaderboards that start empty."""
    ranks.redis().flushdb()


@pytest.fixture
def service(monkeypatch: pytest.MonkeyPatch) -> Iterator[PushService]:
    """A push service on this machine, the one server that the site may call."""
    service = PushService()
    monkeypatch.setenv("OUTGOING_TEST_BASE", service.url)
    delivery.shares.forget()
    yield service
    service.stop()


def database_url() -> str:
    """Return DATABASE_URL for the test database; empty for SQLite, which a server finds in VAR_DIR."""
    if not configured_url:
        return ""
    return urlunsplit(urlsplit(configured_url)._replace(path=f"/{connection.settings_dict['NAME']}"))


@pytest.fixture(scope="session")
def standing_site(django_db_setup: None, redis: Process) -> Iterator[Site]:
    """The one server that the tests of this process share; ask for `site` instead."""
    site = Site(HOME, database_url())
    site.collect_static()
    STANDING.append(site)
    yield site
    STANDING.clear()
    site.stop()


@pytest.fixture(autouse=True)
def no_other_heart_beats(request: pytest.FixtureRequest) -> None:
    """The standing site, which writes into this process's database, stops for tests that do not ask for it."""
    if STANDING and "standing_site" not in request.fixturenames:
        STANDING[0].stop()


@pytest.fixture
def site(standing_site: Site, transactional_db: None) -> Iterator[Site]:
    """A running web server on the test database, which is emptied after the test; no worker."""
    if not standing_site.web.running:
        standing_site.web.start()
    yield standing_site
    standing_site.worker.stop()


@pytest.fixture
def worker(site: Site, redis: Process) -> Process:
    """A running worker with beat, beside `site`."""
    site.worker.start()
    return site.worker


@pytest.fixture
def new_site(
    standing_site: Site, transactional_db: None, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Callable[..., Site]]:
    """Make sites of the test's own, not started yet: to be killed, or to be several. Stopped at the end."""
    made: list[Site] = []

    def make(**env: str) -> Site:
        made.append(Site(HOME, database_url(), env))
        return made[-1]

    yield make
    for site in made:
        site.stop()


@pytest.fixture
def log_in(site: Site) -> Callable[[BrowserContext, AbstractBaseUser], None]:
    """Log a member in, in a browser context, without the form."""

    def log_in(context: BrowserContext, member: AbstractBaseUser) -> None:
        cookies = factories.session_of(member).items()
        context.add_cookies([{"name": name, "value": value, "url": site.url} for name, value in cookies])

    return log_in


@pytest.fixture(scope="session")
def standing_browser() -> Iterator[Chromium]:
    """The one Chromium of this test process, and the loop that drives it; ask for `browser` instead."""
    playwright = sync_playwright().start()
    expect.set_options(timeout=30_000)  # patience, no measure
    chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=CHROMIUM_FLAGS)
    loop = asyncio._get_running_loop()
    asyncio._set_running_loop(None)
    yield chromium, loop
    with on_loop(loop):
        chromium.close()
        playwright.stop()


@pytest.fixture
def browser(
    standing_browser: Chromium, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> Iterator[Browser]:
    """Chromium; `new_context()` is a new person, gone after the test. Call services within `off_loop()`.

    Pages open no part of the dice that they have drawn, unless the test is about that: matches draw the same each time.
    """
    monkeypatch.setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "1")  # Playwright's loop runs in this thread
    chromium, loop = standing_browser
    if not request.node.get_closest_marker("own_dice"):
        made = chromium.new_context

        def without_own_dice(**settings: Any) -> BrowserContext:
            context = made(**settings)
            context.add_init_script(KEEPS_NO_DICE)
            return context

        monkeypatch.setattr(chromium, "new_context", without_own_dice)
    with on_loop(loop):
        yield chromium
        for context in list(chromium.contexts):
            context.close()


@pytest.fixture
def page(browser: Browser, site: Site) -> Page:
    """A visitor's page at the site: `page.goto("/")`."""
    return browser.new_context(base_url=site.url).new_page()
