"""Moves that come between two reads of one answer: what is shown is all of one moment, never torn."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from random import Random
from threading import Thread

import pytest
from django.core.cache import cache
from django.db import connection, connections

from games.models import Kind, Mail, Match, Notice
from games.services.mail.composing import compose
from games.services.play import moves
from tests import FULL
from tests.factories import asked, browser_of, fresh, member, play_on, seated

pytestmark = [pytest.mark.both, pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("steady")]

OF_MATCHES = re.compile(r"\s*SELECT.*games_(match|seat|turn|invitation)\b", re.DOTALL)


@contextmanager
def before_read(number: int, change: Callable[[], object]) -> Iterator[list[str]]:
    """Let a change happen, by a connection of its own, just before the read of that number; yield what was read."""
    reads: list[str] = []

    def interrupt(execute, sql, params, many, context):
        if OF_MATCHES.match(sql):
            reads.append(sql)
            if len(reads) == number:
                thread = Thread(target=elsewhere)
                thread.start()
                thread.join()
        return execute(sql, params, many, context)

    def elsewhere():
        try:
            change()
        finally:
            connections.close_all()

    with connection.execute_wrapper(interrupt):
        yield reads


def anew(show):
    cache.clear()
    return show()


def not_torn(begin: Callable[[], Match], show: Callable[[Match], object], change: Callable[[Match], object]) -> None:
    """Let a change come before each read in turn: the page before is shown, or that after it; and no other is kept.

    In short before every fifth read of many.
    """
    first = begin()
    with before_read(0, lambda: None) as reads:
        show(first)
    step = 1 if FULL or len(reads) < 6 else 5
    number, seen, reads = 1 - step, set(), []
    while len(reads) >= number:
        match, number = begin(), number + step
        view = partial(show, match)
        before = anew(view)
        cache.clear()
        with before_read(number, partial(change, match)) as reads:
            shown = view()
        kept, after = view(), anew(view)
        assert len(reads) < number or before != after
        assert shown in (before, after), (number, reads[number - 1])
        assert len(reads) < number or kept == after
        seen.add(shown == after)
    assert number > 1
    assert seen == {len(reads) == 1, True}  # what is read by one statement is always as it was then


def the_other_is_asked(match: Match) -> None:
    number = asked(match).number
    play_on(fresh(match), Random(match.pk), until=lambda now: asked(now).number != number)


def one_resigns(match: Match) -> None:
    moves.resign(match_id=match.pk, user=match.creator)


@pytest.fixture
def people(transactional_db):
    return [member(name) for name in ("ann", "bob", "cem")]


PLAYER, WATCHER = 1, 2


@pytest.mark.thin(2)
@pytest.mark.parametrize(
    ("page", "reader", "change"),
    [
        ("/matches/%d/", PLAYER, the_other_is_asked),
        pytest.param("/matches/%d/", PLAYER, one_resigns, marks=pytest.mark.proof),
        pytest.param("/matches/%d/table/", PLAYER, the_other_is_asked, marks=pytest.mark.proof),
        ("/matches/%d/table/", WATCHER, one_resigns),
        pytest.param("/matches/%d/log/", PLAYER, the_other_is_asked, marks=pytest.mark.proof),
        ("/", PLAYER, the_other_is_asked),
        ("/matches/", PLAYER, one_resigns),
        ("/people/ann/", WATCHER, one_resigns),
        pytest.param("/play/", WATCHER, one_resigns, marks=pytest.mark.proof),
    ],
)
def test_a_page_shows_one_moment(people, page, reader, change):
    tab = browser_of(people[reader])

    def begin():
        Match.objects.all().delete()
        return seated(*people[:2])

    def show(match):
        answer = tab.get(page % match.pk if "%" in page else page)
        return re.sub(r'name="csrfmiddlewaretoken" value="\w+"', "", answer.content.decode())

    not_torn(begin, show, change)


def test_a_mail_tells_one_moment(people):
    def show(match):
        message = compose(mail, ((notice.pk,), ()))
        return message.body, message.alternatives

    def begin():
        match = seated(*people[:2])
        Notice.objects.filter(pk=notice.pk).update(match=match)
        return match

    mail = Mail.objects.create(user=people[1], kind="started")
    notice = Notice.objects.create(user=people[1], match=seated(*people[:2]), kind=Kind.STARTED, mail=mail)
    not_torn(begin, show, the_other_is_asked)
