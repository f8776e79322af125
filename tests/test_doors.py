"""Every act that reaches others has one limit, and every door to the act shares it.

A new address that takes posts fails here until it is named: as a door of an act, or as none.
"""

from random import Random

import pytest

from accounts.models import User
from games.clubs.services.circles import keeping
from games.competitions.models import Tournament
from games.models import Invitation
from games.services.lobby import challenges, opening
from tests.clubs import arranged as clubs
from tests.competitions.arranged import announced, organiser
from tests.factories import browser_of, end, member, opened, played_on, seated
from tests.test_permissions import ADDRESSES, TABLES

# By limit (ACCOUNT_RATE_LIMITS): the addresses that perform the act. Socket messages perform none of them.
DOORS = {
    "club_match": {"clubs/<int:club_id>/matches/new/"},
    "circle": {"circles/new/"},
    "table": {
        "circles/<int:circle_id>/table/",
        "play/new/",
        "play/standing/",
        "games/<slug:slug>/now/",
        "matches/<int:match_id>/rematch/",
        "sandbox/",
    },
    "invite": {
        "play/new/",
        "sandbox/",
        "matches/<int:match_id>/invite/",
        "matches/<int:match_id>/rematch/",
        "ladders/<slug:slug>/challenge/",
        "clubs/<int:club_id>/invite/",
    },
    "join": {
        "play/standing/<int:challenge_id>/accept/",
        "matches/<int:match_id>/join/",
        "matches/<int:match_id>/substitute/",
        "matches/<int:match_id>/rematch/",
        "ladders/challenges/<int:ladder_challenge_id>/accept/",
    },
    "tournament": {"tournaments/new/"},
    "entry": {"tournaments/<int:tournament_id>/enter/"},
    "ready": {"tournaments/<int:tournament_id>/ready/"},
    "correction": {"tournaments/<int:tournament_id>/manage/"},
    "ladder": {f"ladders/<slug:slug>/{act}/" for act in ("join", "pause", "leave")},
    "propose": {"matches/<int:match_id>/call-off/", "matches/<int:match_id>/pause/"},
    "chat": {"matches/<int:match_id>/chat/say/", "clubs/<int:club_id>/chat/say/"},
    "club": {"clubs/new/"},
    "join_club": {"clubs/<int:club_id>/join/", "clubs/join/<str:token>/"},
    "manage_club": {f"clubs/<int:club_id>/{act}/" for act in ("edit", "people", "link")},
    "report": {"report/"},
    "bot": {"settings/bots/"},
    "token": {"settings/api/"},
    "webhook": {
        "settings/webhooks/",
        "clubs/<int:club_id>/webhooks/",
        "tournaments/<int:tournament_id>/webhooks/",
    },
    "sandbox": {"sandbox/"},
    "guest_link": {"guests/link/"},
    "export": {"settings/data/club-y.json"},
    "device": {"settings/devices/add/"},
    "device_test": {"settings/devices/<int:device_id>/"},
}
# What is only the person's own, or an answer to others, or a move: 600 posts a minute is the limit.
OWN = {
    *(f"matches/<int:match_id>/{act}/" for act in ("move", "leave", "here", "start", "decline", "resign", "return")),
    *(
        f"matches/<int:match_id>/{act}/"
        for act in ("undo", "dice", "notes", "notices", "orders", "lesson/skip", "chat/read", "chat/mute")
    ),
    *("people/<str:name>/follow/", "people/<str:name>/block/", "people/<str:name>/hear/"),
    *("settings/", "settings/days-off/", "settings/mails/", "settings/mail-again/", "settings/close/"),
    *("settings/devices/", "settings/devices/offer/", "settings/calendar/"),
    *("language/", "mails/off/<str:token>/", "warnings/<int:sanction_id>/read/"),
    "mails/answer/<str:token>/",  # a move, or an answer; who sits down by it is counted as at the page (below)
    "play/standing/<int:challenge_id>/change/",
    *(f"ladders/challenges/<int:ladder_challenge_id>/{act}/" for act in ("decline", "withdraw")),
    "puzzle/<str:day>/answer/",  # once a day
    "tournaments/<int:tournament_id>/withdraw/",
    *(f"clubs/matches/<int:encounter_id>/{act}/" for act in ("answer", "withdraw", "play", "line-up")),
    *(f"circles/<int:circle_id>/{act}/" for act in ("answer", "leave", "rename", "weekly")),
    *(f"clubs/<int:club_id>/{act}/" for act in ("withdraw", "leave", "dissolve", "chat/read", "chat/mute")),
    "tournaments/<int:tournament_id>/place/",  # the answer to a question
    "guests/<str:token>/",  # one's own session, elsewhere
    *("sanctions/<int:sanction_id>/", "closed/<str:token>/"),  # an appeal, once
}
FORM = {"game": "yum-extra", "size": "3", "access": "open", "pace": "3d", "option_scratch": "forced", "wish": "1"}
# Log-in, sign-up, addresses and factors have allauth's limits; the admin is staff's; providers have their secret.
ELSEWHERE = ("accounts/", "admin/", ".well-known/", "i18n/", "mail/events/", "healthz", "livez", "readyz", "metrics")


def posted() -> set[str]:
    """Return the addresses at which tests/permissions has another answer to somebody's post than 405."""
    found = set()
    for line in (line for table in TABLES for line in table.read_text().splitlines() if not line.startswith("#")):
        address, method, answers = (part.strip() for part in line.split("|"))
        if method == "POST" and set(answers.split()) - {"405", "login"}:
            found.add(address.rpartition(" ")[2])  # without "private" and "club"
    return found


def test_every_address_that_takes_posts_is_a_door_or_known_to_be_none():
    doors = set().union(*DOORS.values())
    ours = {address for address in posted() if not address.startswith(ELSEWHERE)}
    assert ours - doors - OWN == set()
    assert (doors | OWN) - set(ADDRESSES) == set()


class Doors:
    """Ann's browser, which goes by a door of an act, each time to somebody else."""

    def __init__(self, ann: User, bob: User) -> None:
        self.ann, self.browser, self.number = ann, browser_of(ann), 0
        self.running, self.own, self.others = seated(ann, bob), opened(ann), opened(bob)
        self.club = clubs.made(ann, bob)
        ended = end(seated(ann, bob), [1, 2])
        self.circle = keeping.keep_together(match_id=ended.pk, user=ann, name="Friday")
        self.played = played_on(seated(ann, bob), Random(1))
        self.contest = announced(organiser())
        Tournament.objects.update(organiser=ann)

    def go(self, act: str, door: str):
        self.number += 1
        other = member(f"other-{self.number}")
        match = self.running if act == "propose" else self.own if act == "invite" else self.others
        if "rematch" in door:
            match = end(seated(self.ann, other), [1, 2])
            if act == "join":
                opening.rematch(match_id=match.pk, user=other)
        challenge = challenges.offer(
            member=other, game_slug="yum-extra", size=2, pace="3d", most=3, rated=False, options={}
        )
        door = door.replace("<int:challenge_id>", str(challenge.pk)).replace("<int:ladder_challenge_id>", "1")
        path = door.replace("<slug:slug>", "yum-extra").replace("<int:match_id>", str(match.pk))
        path = path.replace("<int:circle_id>", str(self.circle.pk))
        path = path.replace("<int:tournament_id>", str(self.contest.pk))
        if door == "sandbox/":
            more = {"match": self.played.pk, "step": "0", "kind": "friends", "invited": other.username}
            return self.browser.post(f"/{path}", more)
        path = path.replace("<int:club_id>", str(self.club.pk)).replace("<str:token>", self.club.token)
        return self.browser.post(f"/{path}", FORM | {"invited": other.username, "name": other.username, "most": "3"})


@pytest.mark.thin(3)
@pytest.mark.parametrize("act", [act for act, several in DOORS.items() if len(several) > 1])
def test_all_doors_of_an_act_share_its_limit(ann, bob, settings, act):
    doors, usual = Doors(ann, bob), settings.ACCOUNT_RATE_LIMITS
    for number, first in enumerate(sorted(DOORS[act])):
        settings.ACCOUNT_RATE_LIMITS = usual | {act: f"1/{1000 + number}s/user"}  # counted anew
        assert doors.go(act, first).status_code != 429, first
        for door in DOORS[act]:
            answer = doors.go(act, door)
            assert answer.status_code == 429 and b"a little fast" in answer.content, (first, door)


def test_an_invitation_counts_for_each_who_is_asked(ann, settings):
    settings.ACCOUNT_RATE_LIMITS = settings.ACCOUNT_RATE_LIMITS | {"invite": "2/h/user"}
    for name in ("fay", "gil", "hal"):
        member(name)
    answer = browser_of(ann).post("/play/new/", FORM | {"invited": "fay, gil, hal"})
    assert answer.status_code == 429
    assert not Invitation.objects.exists()
