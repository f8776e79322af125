"""A member's calendar at its secret address: what it tells, to whom, and how the address ends."""

from datetime import timedelta
from random import Random

import pytest
from cryptography.fernet import Fernet
from django.contrib.sessions.models import Session
from django.test import Client
from icalendar import Calendar

from accounts.services import days_off, sealing
from accounts.services.closing import close_account
from games.models import CalendarFeed, Match
from games.moderation import members
from games.queries.play import seats_of
from games.rules import games, get_game
from games.services.calendar import addresses
from tests.factories import WHY, as_many, asked, browser_of, guest, moderator, play_on, seated
from tests.mailing import prefer
from tests.processes import get as ask

pytestmark = pytest.mark.outgrown
PAGE = "/settings/calendar/"


@pytest.fixture
def token(ann) -> str:
    addresses.turn_on(user_id=ann.pk)
    return addresses.token_of(ann)


def get(token, **headers):
    """Ask as a calendar program does: without cookies."""
    return Client().get(f"/calendar/{token}.ics", **headers)


def events(token) -> list:
    answer = get(token)
    assert answer.status_code == 200
    return Calendar.from_ical(answer.content).walk("VEVENT")


def her_turn(ann, *others, **wishes) -> Match:
    match = seated(ann, *others, **wishes)
    return play_on(match, Random(1), until=lambda m: asked(m).user_id == ann.pk)


def test_it_is_off_at_first_then_on_renewed_and_off(ann):
    browser = browser_of(ann)
    assert browser.get(PAGE).context["address"] == ""
    browser.post(PAGE, {"wish": "on"})
    first = addresses.token_of(ann)
    assert f"http://testserver/calendar/{first}.ics" in browser.get(PAGE).content.decode()
    assert f"webcal://testserver/calendar/{first}.ics" in browser.get(PAGE).content.decode()
    assert get(first).status_code == 200
    browser.post(PAGE, {"wish": "on"})
    second = addresses.token_of(ann)
    assert (get(first).status_code, get(second).status_code) == (404, 200)
    browser.post(PAGE, {"wish": "off"})
    assert get(second).status_code == 404
    assert not CalendarFeed.objects.exists()


def test_guests_have_none(db):
    assert browser_of(guest()).post(PAGE, {"wish": "on"}).status_code == 302
    assert not CalendarFeed.objects.exists()


def test_it_tells_when_ones_time_runs_out(ann, bob, token):
    match = her_turn(ann, bob)
    seat = match.seats.get(user=ann)
    (event,) = events(token)
    assert event["summary"] == "Your time runs out: Yum EXTRA with bob"
    assert event["dtstart"].dt == seat.deadline.replace(microsecond=0)
    assert event["url"] == f"http://testserver/matches/{match.pk}/"
    prefer(ann, language="fr")
    assert events(token)[0]["summary"] != event["summary"]


def test_only_ones_own_turns_in_matches_that_run_by_correspondence(ann, bob, token):
    match = her_turn(ann, bob)
    others = match.seats.get(user=bob)
    play_on(match, Random(2), until=lambda m: asked(m).number == others.number)
    assert events(token) == []
    live = her_turn(ann, bob, pace="live")
    assert live.pace.is_live
    assert live.seats.get(user=ann).deadline
    assert events(token) == []


def test_days_off_are_days(ann, token):
    first = days_off.today(ann) + timedelta(days=3)
    days_off.book(user_id=ann.pk, first=first, last=first + timedelta(days=1))
    one, two = events(token)
    assert (one["dtstart"].dt, one["dtend"].dt, two["dtstart"].dt) == (
        first,
        first + timedelta(days=1),
        two["dtstart"].dt,
    )
    assert one["summary"] == "Day off at Club Y"
    assert one["uid"] != two["uid"]


def test_the_link_of_a_private_table_is_not_in_it(ann, bob, token):
    match = her_turn(ann, bob, access=Match.Access.LINK)
    assert match.token not in get(token).content.decode()


@pytest.mark.parametrize("slug", [slug for slug in games() if get_game(slug).secret])
def test_where_there_are_secrets_it_says_no_more_than_until_when(ann, bob, cem, slug, token):
    """Not whether others have answered, nor anything of what the seat knows."""
    people = as_many(slug, ann, bob, cem)
    match = seated(*people, game_slug=slug)
    match = play_on(match, Random(3), turns=200, until=lambda m: m.seats.filter(ask__isnull=False).count() > 1)
    seats = seats_of(match)
    mine = next(seat for seat in seats if seat.user_id == ann.pk)
    known = events(token)
    assert len(known) == (mine.ask is not None)
    for event in known:
        assert set(event) == {"UID", "SUMMARY", "DTSTART", "DTSTAMP", "URL", "TRANSP"}
        assert event["dtstart"].dt == mine.deadline.replace(microsecond=0)


def test_nothing_changed_is_not_sent_again(ann, bob, token):
    match = her_turn(ann, bob)
    first = get(token)
    again = get(token, HTTP_IF_NONE_MATCH=first["ETag"])
    assert (again.status_code, again.content, again["ETag"]) == (304, b"", first["ETag"])
    assert "private" in first["Cache-Control"] and "no-store" in first["Cache-Control"]
    play_on(match, Random(4), until=lambda m: asked(m).user_id == bob.pk)
    changed = get(token, HTTP_IF_NONE_MATCH=first["ETag"])
    assert (changed.status_code, changed["ETag"] != first["ETag"]) == (200, True)


def test_it_makes_no_session_and_counts_as_no_visit(ann, token):
    before = Session.objects.count()
    answer = get(token)
    assert not answer.cookies
    assert Session.objects.count() == before
    ann.refresh_from_db()
    assert ann.seen_at is None


def test_every_wrong_token_gets_one_answer(ann, bob, cem, eve, token):
    addresses.turn_on(user_id=ann.pk)  # renewed
    tokens = {"renewed": token, "made up": "x" * 32, "none": "", "nul": "%00", "long": "y" * 3000, "other": "é"}
    for person, end in ((bob, "closed"), (cem, "banned"), (eve, "off")):
        addresses.turn_on(user_id=person.pk)
        tokens[end] = addresses.token_of(person)
    close_account(user_id=bob.pk)
    members.ban(moderator=moderator(), member=cem, reason=WHY)
    addresses.turn_off(user_id=eve.pk)
    answers = {name: get(one) for name, one in tokens.items() if name != "none"}
    assert {answer.status_code for answer in answers.values()} == {404}
    assert len({answer.content for answer in answers.values()}) == 1
    kept = [
        {k: v for k, v in answer.headers.items() if k not in ("X-Now", "X-Request-ID", "X-Request-Id")}
        for answer in answers.values()
    ]
    assert all(one == kept[0] for one in kept)
    assert get(addresses.token_of(ann)).status_code == 200


def test_a_program_that_asks_all_the_time_is_told_to_wait(ann, bob, settings, token):
    settings.ACCOUNT_RATE_LIMITS = settings.ACCOUNT_RATE_LIMITS | {"calendar": "2/h/key"}
    assert [get(token).status_code for _ in range(3)] == [200, 200, 429]
    addresses.turn_on(user_id=bob.pk)
    assert get(addresses.token_of(bob)).status_code == 200


def test_the_database_alone_opens_no_calendar(ann, token):
    row = CalendarFeed.objects.values().get()
    assert token not in str(row)
    assert sealing.opened(row["sealed"]) == token


def test_another_key_seals_it_anew_and_without_one_the_page_says_none(ann, settings, token):
    old, new = settings.AUTHENTICATOR_KEYS[0], Fernet.generate_key().decode()
    settings.AUTHENTICATOR_KEYS = [new, old]
    assert sealing.seal_all() == 1
    settings.AUTHENTICATOR_KEYS = [new]
    assert addresses.token_of(ann) == token
    assert sealing.seal_all() == 0
    settings.AUTHENTICATOR_KEYS = [old]
    assert browser_of(ann).get(PAGE).context["address"] == ""
    assert get(token).status_code == 200  # it is found by its hash


def test_a_line_of_the_log_has_the_route_alone(site, ann):
    addresses.turn_on(user_id=ann.pk)
    token = addresses.token_of(ann)
    assert ask(f"{site.url}/calendar/{token}.ics")[0] == 200
    told = site.web.output()
    assert "/calendar/<str:token>.ics" in told
    assert token not in told
