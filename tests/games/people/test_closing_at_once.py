"""An account is closed while its member sits down or others leave: no seat is left empty, nothing is torn."""

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from random import Random
from threading import Barrier

import pytest
from django.conf import settings
from django.db import IntegrityError, connection

from accounts.models import User
from accounts.services.closing import close_account
from games.management.commands.check_matches import problems
from games.models import Match, Seat
from games.queries.play import seats_of
from games.services.lobby import opening
from games.services.play import moves
from tests import FULL
from tests.factories import member, opened, play_on, seated

pytestmark = pytest.mark.both
ROUNDS = 8 if FULL else 4


def together(*acts) -> list[object]:
    """Do all at the same moment, each in a thread with a connection of its own; return what each raised."""
    barrier = Barrier(len(acts))

    def one(act) -> object:
        barrier.wait()
        try:
            act()
        except Exception as error:
            return error
        finally:
            connection.close()
        return None

    with ThreadPoolExecutor(len(acts)) as pool:
        return list(pool.map(one, acts))


def nothing_is_torn() -> None:
    for match in Match.objects.all():
        if match.status == Match.Status.RUNNING:
            assert not any(seat.is_free for seat in seats_of(match))
        elif match.status == Match.Status.OPEN:
            assert match.creator_id is not None
        elif match.state:
            assert problems(match) == []


@pytest.mark.django_db(transaction=True)
def test_two_members_of_the_same_matches_close_at_once(ann, bob):
    for number in range(ROUNDS):
        zoe, yan = member(f"zoe{number}"), member(f"yan{number}")
        for people in ((zoe, yan, ann), (yan, ann, zoe), (zoe, yan)):
            play_on(seated(*people, rated=True), Random(number), turns=12)
        opened(zoe, invited=[yan])
        raised = together(
            *(lambda pk=one.pk: close_account(user_id=pk) for one in (zoe, yan)),
        )
        assert raised == [None, None]
        assert not User.objects.filter(username__in=[zoe.username, yan.username]).exists()
    nothing_is_torn()
    assert Seat.objects.filter(former=True).count() >= ROUNDS * 6


@pytest.mark.django_db(transaction=True)
def test_others_resign_meanwhile(ann, bob):
    for number in range(ROUNDS):
        zoe = member(f"zoe{number}")
        matches = [seated(ann, zoe, bob, rated=True) for _n in range(2)]
        raised = together(
            lambda: close_account(user_id=zoe.pk),  # noqa: B023
            *(lambda pk=match.pk: moves.resign(match_id=pk, user=ann) for match in matches),
        )
        assert raised[0] is None
        assert not User.objects.filter(username=zoe.username).exists()
    nothing_is_torn()


@pytest.mark.django_db(transaction=True)
def test_sitting_down_meanwhile(ann, bob):
    """The last seat is taken by somebody whose account is closed: they sat down and left, or never sat."""
    for number in range(ROUNDS):
        zoe = member(f"zoe{number}")
        tables = [opened(ann, size=3) for _n in range(2)]
        for table in tables:
            opening.join(match_id=table.pk, user=bob)
        raised = together(
            lambda: close_account(user_id=zoe.pk),  # noqa: B023
            *(lambda pk=table.pk: opening.join(match_id=pk, user=zoe) for table in tables),  # noqa: B023
        )
        assert raised[0] is None
        assert all(error is None or isinstance(error, IntegrityError) for error in raised), raised
        assert not User.objects.filter(username=zoe.username).exists()
    nothing_is_torn()


class Meanwhile:
    """A hook at the end of the closing: Ann asks Zoe to her table, and Zoe sits down there."""

    def __init__(self, table, ann, zoe) -> None:
        self.table, self.ann, self.zoe = table, ann, zoe
        self.called, self.holds, self.raised, self.threads = False, threading.Event(), [], []

    def __call__(self, user) -> None:
        if self.called:
            return
        self.called = True
        self.start(lambda: opening.invite(match_id=self.table.pk, user=self.ann, guests=[self.zoe])).join(0.5)
        self.start(lambda: opening.join(match_id=self.table.pk, user=self.zoe))
        self.holds.wait(0.5)

    def sitting_down(self, match, user) -> None:
        """The table is locked by whoever sits down, who takes their time."""
        self.holds.set()
        time.sleep(0.5)

    def start(self, act) -> threading.Thread:
        def one() -> None:
            try:
                act()
            except Exception as error:
                self.raised.append(error)
            finally:
                connection.close()

        self.threads.append(threading.Thread(target=one))
        self.threads[-1].start()
        return self.threads[-1]


@pytest.mark.django_db(transaction=True)
def test_asked_and_sitting_down_while_the_account_is_closed(ann, monkeypatch):
    """Who closes holds the person, who sits down the table, and each needs what the other has."""
    zoe = member("zoe")
    hook = meanwhile.hook = Meanwhile(opened(ann, size=3), ann, zoe)
    monkeypatch.setattr(settings, "ON_ACCOUNT_CLOSING", [*settings.ON_ACCOUNT_CLOSING, f"{__name__}.meanwhile"])
    monkeypatch.setattr(settings, "ON_JOINING", [f"{__name__}.sitting_down"])
    close_account(user_id=zoe.pk)
    for thread in hook.threads:
        thread.join()
    assert not any("deadlock" in str(error) or "lock timeout" in str(error) for error in hook.raised), hook.raised
    assert not User.objects.filter(username="zoe").exists()
    assert not Seat.objects.filter(user_id=zoe.pk).exists()
    nothing_is_torn()


def meanwhile(user) -> None:
    meanwhile.hook(user)


def sitting_down(match, user) -> None:
    meanwhile.hook.sitting_down(match, user)
