"""What a person wishes to be told of one match: everything, what is about their time, or nothing."""

from datetime import timedelta

import pytest

from games.models import TOPIC_OF, Kind, Mail, Notice, Wish, unheard
from games.services.mail import delivery, planning
from games.services.mail.notices import note
from games.services.play import moves, returning
from tests.factories import asked, browser_of, guest, seat, seated
from tests.factories import waiting as other_seat
from tests.mailing import DAY, HOUR, prefer, send, wind

pytestmark = [pytest.mark.usefixtures("clock"), pytest.mark.outgrown]


def wish(match, user, wished) -> None:
    moves.wish_notices(match_id=match.pk, user=user, wish=wished)


def told(messages) -> list[str]:
    return [notice.kind for notice in Notice.objects.filter(mail__isnull=False).order_by("pk")] if messages else []


def test_every_kind_is_heard_by_who_wishes_everything_and_none_by_who_wishes_nothing():
    heard = {kind for kind in Kind if Wish.REMINDERS not in unheard(kind)}
    assert {TOPIC_OF[kind] for kind in heard} == {"reminder", "played"}
    assert all(Wish.ALL not in unheard(kind) and Wish.NONE in unheard(kind) for kind in Kind)


@pytest.mark.parametrize(("wished", "kinds"), [("all", ["turn"]), ("reminders", []), ("none", [])])
def test_ones_turn(waiting, wished, kinds):
    wish(waiting, asked(waiting).user, wished)
    assert told(send()) == kinds


@pytest.mark.thin(2)
@pytest.mark.parametrize("rhythm", ["each", "visit", "daily"])
@pytest.mark.parametrize("wished", ["reminders", "none"])
def test_a_match_that_is_quiet_is_quiet_in_every_rhythm(waiting, clock, wished, rhythm):
    mover = asked(waiting).user
    prefer(mover, mail_rhythm=rhythm)
    wish(waiting, mover, wished)
    for _ in range(3):
        clock.forward(DAY / 4)
        wind(asked(waiting), left=timedelta(days=9), bank=timedelta(days=10))
        assert send() == []


@pytest.mark.parametrize(("wished", "kinds"), [("reminders", ["vacation", "reminder"]), ("none", [])])
def test_what_is_about_ones_time(waiting, wished, kinds, clock):
    mover = asked(waiting)
    wish(waiting, mover.user, wished)
    wind(mover, left=timedelta(hours=4), bank=timedelta(days=1))
    note(waiting, Kind.VACATION, [mover.user_id], ask=1)
    told = send()
    clock.forward(HOUR)
    told += send()
    assert len(told) == bool(kinds)  # both in one
    assert [notice.kind for notice in Notice.objects.filter(mail__isnull=False).order_by("pk")] == kinds


@pytest.mark.parametrize("wished", ["reminders", "none"])
def test_neither_its_end_nor_what_is_proposed(waiting, wished):
    mover, other = asked(waiting).user, other_seat(waiting).user
    wish(waiting, mover, wished)
    moves.wish_pause(match_id=waiting.pk, user=other, wish=True)
    assert send() == []
    moves.resign(match_id=waiting.pk, user=other)
    assert send() == []
    assert not Notice.objects.filter(user=mover).exists()


def test_a_mail_under_way_tells_nothing_more_of_it(waiting, mailoutbox):
    planning.sweep()
    wish(waiting, asked(waiting).user, "none")
    delivery.send_due()
    assert mailoutbox == []
    assert Mail.objects.get().state == Mail.State.DROPPED


def test_other_matches_and_other_people_are_told(ann, bob, clock):
    quiet, loud = seated(ann, bob), seated(ann, bob)
    wish(quiet, ann, "none")
    clock.forward(HOUR)
    planning.sweep()
    told = set(Notice.objects.filter(mail__isnull=False).values_list("user__username", "match"))
    assert ("ann", quiet.pk) not in told
    assert told >= {(asked(m).user.username, m.pk) for m in (quiet, loud)} - {("ann", quiet.pk)}


def test_a_substitute_begins_with_everything(ann, bob, cem):
    match = seated(ann, bob)
    wish(match, ann, "none")
    left = seat(match, 0)
    returning._hand_over(left, cem)
    assert left.notices == Wish.ALL


def test_the_form_on_the_page(ann, bob, eve):
    match = seated(ann, bob)
    browser, path = browser_of(ann), f"/matches/{match.pk}/notices/"
    assert path in browser.get(f"/matches/{match.pk}/").content.decode()
    assert browser.post(path, {"notices": "reminders"}).status_code == 302
    assert seat(match, 0).notices == "reminders"
    page = " ".join(browser.get(f"/matches/{match.pk}/").content.decode().split())
    assert 'value="reminders" id="notices-reminders" checked' in page
    assert seat(match, 1).notices == "all"
    assert browser.post(path, {"notices": "loud"}).status_code == 400
    assert browser_of(eve).post(path, {"notices": "none"}).status_code == 403


def test_no_form_where_nothing_is_told(ann, bob, db):
    live = seated(ann, bob, pace="live")
    assert "/notices/" not in browser_of(ann).get(f"/matches/{live.pk}/").content.decode()
    gus = guest()
    match = seated(gus, bots=["easy"])
    assert "/notices/" not in browser_of(gus).get(f"/matches/{match.pk}/").content.decode()
