"""The admin's lists tell no more of a running match with secrets than its own page: who ran out of time."""

import re

import pytest

from accounts.models import User
from config.lib import clock
from games.models import Mail, TimeOut, Turn
from games.queries.play import seats_of
from games.services.play import returning
from games.services.play.match_transaction import MatchTransaction
from tests.factories import PASSWORD, browser_of, fresh, seat, seated, state_of

TIME_OUTS, LETTERS = "/admin/games/timeout/", "/admin/games/mail/"


@pytest.fixture
def admins(db):
    return browser_of(User.objects.create_superuser("root", "root@example.org", PASSWORD))


@pytest.fixture
def gone(ann, bob, cem, hours):
    """The seat of a thrower over which a bot has just played on, in secret."""
    User.objects.update(vacation_by_itself=False)
    match = seated(ann, bob, cem, game_slug="yam-menteur")
    late = seat(match, state_of(match).thrower)
    match.seats.filter(pk=late.pk).update(run_outs=1)
    hours.go_by(days=3, seconds=6)
    hours.sweep()
    late = seat(match, late.number)
    assert late.absent
    return late


def settle(match) -> None:
    """Play until the turn in which somebody ran out of time is over, and what came of it is told."""
    number = state_of(match).thrower
    while state_of(fresh(match)).thrower == number:
        asked = match.game.to_move(state_of(fresh(match)))
        mover = seat(match, asked[0])
        move = match.game.default_move(state_of(fresh(match)), mover.number)
        playing = MatchTransaction(fresh(match), seats_of(match))
        by = Turn.By.BOT if mover.bot else Turn.By.PERSON
        playing.make(mover.number, move, by=by, at=clock.now_ms())
        playing.save()


def count(admins, address: str) -> int:
    return admins.get(address).context["cl"].result_count


def test_an_absence_is_listed_once_it_is_told(admins, gone):
    match = fresh(gone.match)
    row = TimeOut.objects.get()
    page = f"{TIME_OUTS}{row.pk}/change/"
    assert row.kind == "absent"
    assert count(admins, TIME_OUTS) == 0
    assert admins.get(page).status_code == 302
    settle(match)
    assert fresh(match).status == "running"
    assert count(admins, TIME_OUTS) == 1
    assert admins.get(page).status_code == 200


def test_an_absence_that_ended_before_it_was_told_is_not_listed(admins, gone):
    returning.take_back(match_id=gone.match_id, user=gone.user)
    assert count(admins, TIME_OUTS) == 0


def test_absences_elsewhere_are_listed(admins, gone, ann, bob):
    """Of a match without secrets all the same, and of one that has ended."""
    other = seated(ann, bob)
    for match in (other, gone.match):
        TimeOut.objects.create(match=match, seat=0, ask=99, kind="ended", before={})
    TimeOut.objects.create(match=other, seat=gone.number, ask=98, kind="absent", before={})
    assert count(admins, TIME_OUTS) == 3


@pytest.mark.thin(2)
@pytest.mark.parametrize("kind", ["turn", "reminder", "reminder2", "played", "vacation", "absent"])
def test_a_mail_does_not_tell_what_it_is_about(admins, gone, kind):
    """As long as its match runs: neither in the list, nor by a filter, nor on its page."""
    Mail.objects.all().delete()
    match = gone.match
    mail = Mail.objects.create(user_id=gone.user_id, match=match, kind=kind, state="failed")
    page = f"{LETTERS}{mail.pk}/change/"

    def told() -> list[bool]:
        pages = [admins.get(address).content.decode() for address in (LETTERS, page)]
        shown = [re.search(r"field-told_kind.*?</(td|div)>", one, re.S).group() for one in pages]
        return [re.search(rf"\b{kind}\b", one) is not None for one in shown]

    assert count(admins, LETTERS) == 1  # it can still be sent again
    assert told() == [False, False]
    assert [count(admins, f"{LETTERS}?kind={one}") for one in (kind, "started")] == [0, 0]
    admins.post(LETTERS, {"action": "resend", "_selected_action": [mail.pk]})
    assert f"{kind} {mail.pk}" not in admins.get("/admin/").content.decode()
    type(match).objects.filter(pk=match.pk).update(status="ended", ending="played", ended_at=gone.match.created_at)
    assert told() == [True, True]
    assert count(admins, f"{LETTERS}?kind={kind}") == 1


def test_other_mails_tell_it(admins, gone, ann, bob):
    Mail.objects.all().delete()
    Mail.objects.create(user=ann, kind="digest")
    Mail.objects.create(user=ann, kind="turn", match=seated(ann, bob))
    Mail.objects.create(user=ann, kind="started", match=gone.match)
    page = admins.get(LETTERS).content.decode()
    for kind in ("digest", "turn", "started"):
        assert re.search(rf"field-told_kind.*?{kind}", page), kind
        assert count(admins, f"{LETTERS}?kind={kind}") == 1
    assert count(admins, f"{LETTERS}?kind=x") == 3
