"""Which forms carry a key, so that an old post that comes again does nothing: all addresses that take posts."""

import re
from datetime import timedelta

import pytest
from django.conf import settings

from config.lib import clock
from games.clubs.services.circles import keeping
from games.competitions.services import announcing
from games.services import posts
from tests.clubs import arranged as clubs
from tests.clubs import encounters
from tests.competitions.arranged import announced
from tests.factories import asked, browser_of, end, member, opened, seat, seated
from tests.games.test_once import form_on
from tests.test_doors import ELSEWHERE, FORM, posted

AT_A_MATCH = "matches/<int:match_id>/"
CLUB_MATCH_DEEDS = ("answer", "withdraw", "play", "line-up")
CIRCLE_DEEDS = ("answer", "leave", "rename", "table", "weekly")
CLUB_DEEDS = ("join", "withdraw", "leave", "edit", "invite", "people", "link", "dissolve", "chat/say")
KEYED = {
    *(AT_A_MATCH + act + "/" for act in ("join", "leave", "here", "start", "invite", "decline", "rematch")),
    *(
        AT_A_MATCH + act + "/"
        for act in ("resign", "undo", "lesson/skip", "return", "substitute", "call-off", "pause", "notes", "orders")
    ),
    *(AT_A_MATCH + "chat/say/", "play/new/", "games/<slug:slug>/now/", "report/", "people/<str:name>/hear/"),
    "puzzle/<str:day>/answer/",
    *(f"tournaments/<int:tournament_id>/{act}/" for act in ("enter", "withdraw", "ready", "place", "manage")),
    "tournaments/new/",
    *("play/standing/", "play/standing/<int:challenge_id>/accept/", "play/standing/<int:challenge_id>/change/"),
    *(f"ladders/<slug:slug>/{act}/" for act in ("join", "pause", "leave", "challenge")),
    *(f"ladders/challenges/<int:ladder_challenge_id>/{act}/" for act in ("accept", "decline", "withdraw")),
    *("clubs/new/", "clubs/join/<str:token>/"),
    *(f"clubs/<int:club_id>/{act}/" for act in CLUB_DEEDS),
    *("clubs/<int:club_id>/matches/new/", "circles/new/"),
    *(f"clubs/matches/<int:encounter_id>/{act}/" for act in CLUB_MATCH_DEEDS),
    *(f"circles/<int:circle_id>/{act}/" for act in CIRCLE_DEEDS),
}
OTHERWISE = {  # why not
    "a move has a key of its own, and the number of the question it answers": {AT_A_MATCH + "move/"},
    "it says up to where was read, and never less": {AT_A_MATCH + "chat/read/", "clubs/<int:club_id>/chat/read/"},
    "who is muted is heard again by a form of its own": {
        *(AT_A_MATCH + "chat/mute/", "clubs/<int:club_id>/chat/mute/"),
    },
    "it holds all that the form shows, for oneself alone": {
        *("settings/", "settings/mails/", "settings/days-off/", "settings/devices/", "language/"),
        *("people/<str:name>/follow/", "people/<str:name>/block/", AT_A_MATCH + "notices/"),
    },
    "there is one of each name; a test may be sent twice": {"settings/webhooks/"},
    "there is one of each name, of bots and of a bot's tokens": {"settings/bots/"},
    "there is one token of each name": {"settings/api/"},
    "the page says what is so now": {"settings/calendar/"},
    "a link in a mail may be followed twice": {"mails/off/<str:token>/", "mails/answer/<str:token>/"},
    "it is done once for ever, by what is stored": {
        *("sanctions/<int:sanction_id>/", "closed/<str:token>/", "warnings/<int:sanction_id>/read/"),
        *("settings/mail-again/", "settings/close/"),
    },
    "the same browser is the same device, and to be asked no more is said once": {
        *("settings/devices/add/", "settings/devices/offer/"),
    },
    "it says what is to be; a message to try a device replaces the one before": {
        "settings/devices/<int:device_id>/",
    },
    "it opens a session that is open already": {"guests/<str:token>/"},
    "the mail is wanted again, and limited by the mailbox": {"guests/link/"},
    "it changes nothing": {"settings/data/club-y.json"},
}
CONTEST = {
    "format": "swiss",
    "seats": "2",
    "days": "14",
    "judge": "bots",
    "least": "2",
    "most": "8",
    "access": "public",
    "begins_at": f"{clock.now() + timedelta(days=3):%Y-%m-%dT%H:%M}",
    "deed": "begin",
}
KEY = "a-key-of-this-form-1234"


def test_every_address_that_takes_posts_is_known():
    ours = {address for address in posted() if not address.startswith(ELSEWHERE)}
    assert ours == KEYED.union(*OTHERWISE.values())


@pytest.fixture
def claims(monkeypatch):
    """The marks that posts have claimed."""
    made: list[str] = []
    usual = posts.claimed
    monkeypatch.setattr(posts, "claimed", lambda mark: made.append(mark) or usual(mark))
    return made


def test_those_with_a_key_use_it_and_no_others(ann, bob, claims, monkeypatch):
    monkeypatch.setattr(announcing, "missing_to_organise", lambda member: [])
    running, table, contest = seated(ann, bob), opened(bob, invited=[ann]), announced(ann)
    own, other = clubs.made(ann), clubs.made(bob, ann, name="Other")
    match = end(seated(ann, bob), [1, 2])
    circle = keeping.keep_together(match_id=match.pk, user=ann, name="Friday")
    between = encounters.challenged(own, clubs.made(member("cleo"), name="Third"))
    of_clubs = {**encounters.form_of(own), "match": match.pk, "weekday": "4", "hour": "20"}
    for address in sorted(KEYED.union(*OTHERWISE.values())):
        match = table if re.search("join|decline|here|start|invite|leave", address) else running
        path = address.replace("<slug:slug>", "yum-extra").replace("<int:match_id>", str(match.pk))
        path = path.replace("<int:tournament_id>", str(contest.pk))
        path = path.replace("<int:circle_id>", str(circle.pk)).replace("<int:encounter_id>", str(between.pk))
        path = path.replace("<int:club_id>", str(own.pk if "edit" in address else other.pk))
        path = path.replace("join/<str:token>", f"join/{other.token}")
        path = re.sub(
            "<str:name>",
            "bob",
            re.sub("<int:(?:sanction|challenge|ladder_challenge)_id>", "1", re.sub("<str:token>", "x", path)),
        )
        more = FORM | {
            "key": KEY,
            "reason": "insult",
            "words": "x",
            "text": "hello",
            "notes": "x",
            "name": "bob",
            "most": "3",
        }
        if "/matches/" in address or address.startswith("circles/"):
            more |= of_clubs
        if address.startswith("tournaments/"):
            more |= CONTEST
        claims.clear()
        browser_of(ann).post(f"/{path}?member=bob" if address == "report/" else f"/{path}", more)
        assert bool(claims) is (address in KEYED), address


def test_forms_that_post_there_send_one():
    """In the template, whichever page shows it."""
    names = {address.strip("/").rsplit("/", 1)[-1] for address in KEYED if address.startswith(AT_A_MATCH)}
    ways = "|".join(
        sorted(
            names
            | {"new-match", "quick-match", "hear", "standing", "accept-challenge", "change-challenge"}
            | {f"ladder-{act}" for act in ("join", "pause", "leave", "challenge", "accept", "decline", "withdraw")}
            | {f"club-{act}" for act in (*CLUB_DEEDS[:-1], "renew", "say")}
            | {"new-club", "club-challenge", "new-circle"}
            | {f"club-match-{act}" for act in CLUB_MATCH_DEEDS}
            | {f"friends-{act}" for act in CIRCLE_DEEDS}
        )
    )
    form = re.compile(rf'<form[^>]*(?:url "(?:{ways})"|/(?:{ways}|\{{\{{ name \}}\}})/")[^>]*>(.*?)</form>', re.DOTALL)
    templates = [path.read_text() for path in (settings.BASE_DIR / "templates").rglob("*.*")]
    found = [match for text in templates for match in form.finditer(text)]
    assert len(found) > 15
    assert not [match[0] for match in found if "once" not in match[1]]


def wish(browser, match, act: str, page: str = "") -> dict[str, str]:
    return form_on(browser, page or f"/matches/{match.pk}/", f"/matches/{match.pk}/{act}/") | {"wish": "1"}


@pytest.mark.parametrize("act", ["call-off", "pause"])
def test_a_wish_that_was_taken_back_is_not_renewed_by_its_old_post(ann, bob, act):
    match = seated(ann, bob)
    mover = asked(match)
    browser = browser_of(mover.user)
    old = wish(browser, match, act)
    name = f"wants_{act.replace('-', '_')}"
    browser.post(f"/matches/{match.pk}/{act}/", old)
    assert getattr(seat(match, mover.number), name)
    browser.post(f"/matches/{match.pk}/{act}/", {**wish(browser, match, act), "wish": "0"})
    assert not getattr(seat(match, mover.number), name)
    assert browser.post(f"/matches/{match.pk}/{act}/", old).status_code == 302
    assert not getattr(seat(match, mover.number), name)
    browser.post(f"/matches/{match.pk}/{act}/", wish(browser, match, act))  # meant anew
    assert getattr(seat(match, mover.number), name)


def test_an_answer_on_the_other_page_is_one_too(ann, bob):
    match = seated(ann, bob)
    proposer, other = asked(match).user, bob if asked(match).user == ann else ann
    browser_of(proposer).post(f"/matches/{match.pk}/pause/", {"wish": "1"})
    browser = browser_of(other)
    for page in ("/", f"/matches/{match.pk}/"):
        assert "key" in wish(browser, match, "pause", page), page


def test_notes_that_were_cleared_do_not_come_back(ann, bob):
    match, browser = seated(ann, bob), browser_of(ann)
    action = f"/matches/{match.pk}/notes/"
    old = form_on(browser, f"/matches/{match.pk}/", action) | {"notes": "old"}
    assert browser.post(action, old).status_code == 302
    browser.post(action, form_on(browser, f"/matches/{match.pk}/", action) | {"notes": ""})
    assert browser.post(action, old).status_code == 302
    assert seat(match, 0).notes == ""
