"""What the database cannot do is said in words and soon: a row that is held, a full disk, a restart."""

import resource
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import httpx
import pytest
from django.db import OperationalError, connection, transaction
from django.test import RequestFactory

from accounts.models import User
from config import errors
from games.models import Match
from tests.factories import asked, member, seated, session_of
from tests.postgres import Cluster
from tests.processes import Site, get, wait_until

pytestmark = pytest.mark.operation

CSRF = "b" * 32
WORDS = "Not possible at the moment"
MOVE = {"key": "k" * 32, "move": '{"type": "roll"}'}


def browser(site: Site, person: User) -> httpx.Client:
    cookies = session_of(person) | {"csrftoken": CSRF}
    return httpx.Client(base_url=site.url, cookies=cookies, headers={"X-CSRFToken": CSRF, "X-Live": "1"}, timeout=30)


@contextmanager
def held(match: Match, seconds: float) -> Iterator[None]:
    """Hold the match's row (on SQLite all writes) from another connection."""
    ready = threading.Event()

    def hold() -> None:
        try:
            with transaction.atomic():
                Match.objects.select_for_update().get(pk=match.pk)
                if connection.vendor == "sqlite":
                    Match.objects.filter(pk=match.pk).update(version=match.version)
                ready.set()
                over.wait(seconds)
        finally:
            connection.close()

    over = threading.Event()
    holder = threading.Thread(target=hold)
    holder.start()
    ready.wait(10)
    try:
        yield
    finally:
        over.set()
        holder.join()


@pytest.mark.both
def test_posts_that_wait_for_a_held_row_give_up_in_words_and_others_are_answered(site: Site) -> None:
    match = seated(member("ann"), member("bob"))
    mover = asked(match)
    ann = browser(site, mover.user)
    assert ann.get("/matches/").status_code == 200  # the day's first: it is noted in her session
    answers: list[httpx.Response] = []

    def post() -> None:
        answers.append(ann.post(f"/matches/{match.pk}/move/", data=MOVE | {"ask": mover.ask}))

    with held(match, 20):
        start = time.monotonic()
        posts = [threading.Thread(target=post) for _ in range(4)]
        for one in posts:
            one.start()
        wait_until(lambda: get(f"{site.url}/livez", 10)[0] == 200, "another answer")
        for one in posts:
            one.join()
        took = time.monotonic() - start
    assert [(answer.status_code, WORDS in answer.text) for answer in answers] == [(503, True)] * 4
    assert {answer.headers["Retry-After"] for answer in answers} == {"2"}
    assert took < 12  # promised: 3 s, on a machine that does nothing else
    assert ann.post(f"/matches/{match.pk}/move/", data=MOVE | {"ask": mover.ask}).status_code == 200


@pytest.mark.both
def test_a_session_that_cannot_be_stored_is_told_as_the_databases_trouble(site: Site) -> None:
    match = seated(member("ann"), member("bob"))
    seen = browser(site, asked(match).user)
    holding = {
        "postgresql": "LOCK TABLE django_session IN SHARE MODE",
        "sqlite": "DELETE FROM django_session WHERE 0",
    }
    with transaction.atomic(), connection.cursor() as cursor:  # readable, and nobody else may write to it
        cursor.execute(holding[connection.vendor])
        answer = seen.get(f"/matches/{match.pk}/table/")
    assert (answer.status_code, WORDS in answer.text, answer.headers.get("Retry-After")) == (503, True, "2")
    assert seen.get(f"/matches/{match.pk}/table/").status_code == 200


def test_a_full_disk_is_told_and_nothing_is_lost(new_site: Callable[..., Site]) -> None:
    site = new_site()
    site.web.start()
    match = seated(member("ann"), member("bob"))
    mover = asked(match)
    ann = browser(site, mover.user)
    assert ann.get("/matches/").status_code == 200
    well = (resource.RLIM_INFINITY, resource.RLIM_INFINITY)
    resource.prlimit(site.web.child.pid, resource.RLIMIT_FSIZE, (0, resource.RLIM_INFINITY))
    try:
        answer = ann.post(f"/matches/{match.pk}/move/", data=MOVE | {"ask": mover.ask})
        assert (answer.status_code, WORDS in answer.text) == (503, True)
        assert "can be stored" in answer.text
        assert ann.get(f"/matches/{match.pk}/").status_code == 200
    finally:
        resource.prlimit(site.web.child.pid, resource.RLIMIT_FSIZE, well)
    assert not match.log.exists()
    assert ann.post(f"/matches/{match.pk}/move/", data=MOVE | {"ask": mover.ask}).status_code == 200


class FullDisk(Exception):
    sqlstate = "53100"


@pytest.mark.parametrize(
    ("said", "cause", "words", "after"),
    [
        ("could not extend file: No space left on device", FullDisk(), "can be stored", "60"),
        ("database or disk is full", None, "can be stored", "60"),
        ("database is locked", None, "Others are changing", "2"),
        ("the connection is closed", None, "started again", "5"),
    ],
)
def test_each_trouble_has_its_words(said: str, cause: Exception | None, words: str, after: str) -> None:
    try:
        raise OperationalError(said) from cause
    except OperationalError:
        answer = errors.server_error(RequestFactory().get("/"))
    assert (answer.status_code, answer.headers["Retry-After"]) == (503, after)
    assert words in answer.content.decode()


def test_a_missing_table_is_our_fault() -> None:
    try:
        raise OperationalError("no such table: games_match")
    except OperationalError:
        assert errors.server_error(RequestFactory().get("/")).status_code == 500


def test_a_web_server_takes_as_many_descriptors_as_it_may(site: Site) -> None:
    soft, hard = resource.prlimit(site.web.child.pid, resource.RLIMIT_NOFILE)
    assert soft == hard


@pytest.mark.proof
def test_pages_are_back_within_five_seconds_of_a_restart_of_postgresql(new_site: Callable[..., Site]) -> None:
    cluster = Cluster(durable=False)
    try:
        site = new_site(DATABASE_URL=cluster.address)
        site.manage("migrate", "-v0")
        site.web.start()
        assert {get(f"{site.url}/play/")[0] for _ in range(20)} == {200}
        cluster.kill()
        status, body = get(f"{site.url}/play/", 10)
        assert (status, WORDS.encode() in body) == (503, True)
        assert get(f"{site.url}/livez")[0] == 200
        cluster.start()
        time.sleep(5)
        assert {get(f"{site.url}/play/")[0] for _ in range(40)} == {200}
    finally:
        cluster.remove()
