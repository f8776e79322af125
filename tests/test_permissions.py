"""Who may do what: every address, for everybody, by GET and by POST, against tests/permissions/.

A line of the table is an address, a method and nine answers, or one that holds for all. `login` is a
redirect to log-in; the other answers are statuses. Posts carry what the form would (BODIES), so that the
person decides, not the form. Lines that begin with `private` are of a match that strangers may not see, those that
begin with `club` of one of a club, to which player, opponent and watcher belong.
"""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from allauth.account.models import EmailAddress
from allauth.usersessions.models import UserSession
from django.contrib.contenttypes.models import ContentType
from django.core.cache import cache
from django.db import transaction
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver

from accounts.models import Block, User
from config.lib import clock
from games.api.services import tokens
from games.clubs.services.circles import keeping
from games.competitions.models import Tournament
from games.ladders.models import Change, Climber
from games.ladders.services import challenging
from games.ladders.services import standing as on_ladder
from games.models import Audit, Device, Mail, Match, Outage, Puzzle, Reply, Sweep, TimeOut, Webhook, WebhookCall
from games.moderation import members, reports
from games.moderation.models import Appeal, Barred, Sanction, moderators
from games.queries.play import seats_of
from games.services.calendar import addresses as calendars
from games.services.chat import lines
from games.services.clocks.time_outs import standing
from games.services.lobby import challenges
from games.services.mail import answering, unsubscribing
from leaderboards.models import Championship, RatingChange
from tests import FULL
from tests.clubs import arranged as clubs
from tests.clubs import encounters
from tests.clubs.arranged_for_play import club_of
from tests.competitions.arranged import announced, entered
from tests.factories import asked, browser_of, end, member, opened, rated, seated

pytestmark = pytest.mark.walk

TABLES = sorted(Path(__file__).with_name("permissions").glob("*.txt"))
ROLES = ("visitor", "member", "player", "opponent", "watcher", "blocked", "banned", "moderator", "admin")
METHODS = ("GET", "POST")
APPS = re.compile(r"\^\(\?P<app_label>.*\)/\$")
GIFT = {"hours": "1", "reason": "x", "last": "0"}
WHY = {"reason": "insult", "words": "x"}
BODIES = {
    "matches/<int:match_id>/chat/say/": {"text": "hello"},
    "matches/<int:match_id>/notes/": {"notes": "mine"},
    "matches/<int:match_id>/notices/": {"notices": "none"},
    "matches/<int:match_id>/orders/": {},
    "matches/<int:match_id>/invite/": {"name": "zoe"},
    "language/": {"language": "fr"},
    "play/standing/": {"game": "yay", "pace": "3d", "most": "3"},
    "play/standing/<int:challenge_id>/change/": {"wish": "pause"},
    "ladders/<slug:slug>/join/": {"at_once": "2"},
    "ladders/<slug:slug>/pause/": {"wish": "pause", "days": "3"},
    "report/": WHY,
    "clubs/new/": {"name": "A new club", "access": "open"},
    "clubs/matches/<int:encounter_id>/answer/": {"wish": "accept"},
    "clubs/matches/<int:encounter_id>/play/": {"wish": "play"},
    "clubs/matches/<int:encounter_id>/line-up/": {"side": "1"},
    "circles/<int:circle_id>/rename/": {"name": "Sunday"},
    "circles/<int:circle_id>/weekly/": {"weekday": "4", "hour": "20"},
    "clubs/<int:club_id>/edit/": {"name": "Another name", "access": "open"},
    "clubs/<int:club_id>/invite/": {"name": "zoe"},
    "clubs/<int:club_id>/chat/say/": {"text": "hello"},
    "people/<str:name>/follow/": {"follow": "1"},
    "people/<str:name>/block/": {"block": "1"},
    "admin/moderation/audit/act/": {"deed": "warn", "reason": "x"},
    "admin/games/match/<int:match_id>/hidden/": {"reason": "x"},
    "admin/operation/give-time/": GIFT,
    "admin/operation/matches/give-time/": GIFT,
    "admin/operation/puzzles/<int:puzzle_id>/withdraw/": GIFT,
    "admin/operation/sweeps/<int:sweep_id>/release/": GIFT,
    "admin/operation/sweeps/<int:sweep_id>/undo/": GIFT,
    "settings/mails/": {"rhythm": "each", "digest_hour": "8"},
}


def routes(patterns=None, before: str = "") -> Iterator[str]:
    """Yield every address of the site, as its pattern, once."""
    for one in get_resolver().url_patterns if patterns is None else patterns:
        if isinstance(one, URLResolver):
            yield from routes(one.url_patterns, before + str(one.pattern))
        elif isinstance(one, URLPattern):
            yield APPS.sub("<app_label>", before + str(one.pattern))


ADDRESSES = sorted(set(routes()))
OF_MATCH = [one for one in ADDRESSES if "<int:match_id>" in one and not one.startswith("admin")]


def first_to_move(first: User, *others: User, **wishes) -> Match:
    """Return a match in which the first of these people is to move: who begins is drawn."""
    while True:
        match = seated(first, *others, **wishes)
        if asked(match).user_id == first.pk:
            return match


@pytest.fixture
def stage(db, settings):
    """The people, and the things that addresses name: `stage(address, kind)` is where to go."""
    settings.MAIL_PROVIDER = "postmark"
    cache.clear()
    names = ("ann", "bob", "stranger", "watcher", "blocked", "banned", "mo", "zoe")
    ann, bob, stranger, watcher, blocked, banned, mo, zoe = (member(name) for name in names)
    mo.is_staff = True
    mo.save()
    mo.groups.add(moderators())
    Block.objects.create(blocker=ann, blocked=blocked)
    root = User.objects.create_superuser("root", "root@example.org", "x")
    people = (None, stranger, ann, bob, watcher, blocked, banned, mo, root)
    match, private = first_to_move(ann, bob), first_to_move(ann, bob, access=Match.Access.LINK)
    insiders = club_of(ann, bob, watcher)
    kinds = {"": match, "private": private, "club": first_to_move(ann, bob, access=Match.Access.CLUB, club=insiders)}
    link = opened(bob, access=Match.Access.LINK)
    challenge = challenges.offer(member=bob, game_slug="yum-extra", size=2, pace="3d", most=3, rated=False, options={})
    for one in (bob, ann):
        on_ladder.join(game_slug="yum-extra", user=one, at_once=2)
    top = Climber.objects.get(user=bob)
    climbing = challenging.challenge(ladder_id=top.ladder_id, user=ann, climber_id=top.pk)
    line = lines.say(match=match, seats=seats_of(match), user=bob, text="hi")
    report = reports.report(reporter=ann, reason="spam", words="", member=stranger)
    reports.report(reporter=ann, reason="spam", words="", line=line)
    warning = members.warn(moderator=root, member=ann, reason="x")
    done = end(rated(ann, bob), [1, 2])
    clients = {role: browser_of(person) for role, person in zip(ROLES, people, strict=True)}
    User.objects.filter(pk=banned.pk).update(is_active=False)
    calendars.turn_on(user_id=zoe.pk)
    contest, secret = announced(root), announced(root, access="link")
    Tournament.objects.update(organiser=ann)
    entered(contest, [bob])
    club = clubs.made(ann, bob)
    talk = clubs.said(club, bob)
    between = encounters.challenged(clubs.made(zoe, name="Guests"), club)
    circle = keeping.keep_together(match_id=done.pk, user=ann, name="Friday")
    keeping.answer(circle_id=circle.pk, user=bob, accepts=True)
    hook = Webhook.objects.create(user=ann, name="x", format="json")
    sweep = Sweep.objects.create(due=1, stopped=True)
    puzzle = Puzzle.objects.create(
        day="2026-01-01", game_slug="yay", rules_version=1, view={}, answers=[], bots=0, played=0, step=0
    )
    objects = {
        "account/emailaddress": EmailAddress.objects.create(user=ann, email="ann@example.org").pk,
        "usersessions/usersession": UserSession.objects.create(
            user=ann, session_key="k", ip="127.0.0.1", user_agent="", data={}
        ).pk,
        "leaderboards/settlement": done.settlements.get().pk,
        "leaderboards/ratingchange": RatingChange.objects.first().pk,
        "leaderboards/standing": ann.standings.first().pk,
        "leaderboards/championship": Championship.objects.create(
            game_slug="yum-extra", season="2026-Q1", tournament=secret
        ).pk,
        "moderation/report": report.pk,
        "moderation/audit": Audit.objects.first().pk,
        "moderation/sanction": Sanction.objects.get().pk,
        "moderation/appeal": Appeal.objects.create(sanction=warning, words="x").pk,
        "moderation/barred": Barred.objects.create(pattern="example.net", reason="x").pk,
        "games/chatline": line.pk,
        "games/sweep": sweep.pk,
        "games/puzzle": puzzle.pk,
        "competitions/tournament": contest.pk,
        "games/timeout": TimeOut.objects.create(
            match=done, seat=0, ask=1, kind="played", before=standing(done, seats_of(done)), sweep=sweep
        ).pk,
        "games/outage": Outage.objects.create(part="web", start=clock.now(), end=clock.now()).pk,
        "games/reply": Reply.objects.create(mark="1", user=ann, match=match, ask=1, outcome="played").pk,
        "api/apitoken": tokens.issue(user=ann, name="x", scopes=["read"], ends_at=None)[0].pk,
        "games/webhookcall": WebhookCall.objects.create(hook=hook, kind="test").pk,
        "games/mail": Mail.objects.create(user=ann, kind="turn", message_id="1").pk,
        "games/club": club.pk,
        "clubs/encounter": between.pk,
        "clubs/circle": circle.pk,
        "ladders/ladder": top.ladder_id,
        "ladders/climber": top.pk,
        "ladders/challenge": climbing.pk,
        "ladders/change": Change.objects.first().pk,
        "accounts/user": stranger.pk,
        "games/match": match.pk,
    }
    values = {
        "<slug:slug>": "yum-extra",
        "mails/answer/<str:token>": f"mails/answer/{answering.token_of(zoe, 1, 1, 'move', seat=None)}",
        "tournaments/link/<str:token>": f"tournaments/link/{secret.token}",
        "calendar/<str:token>": f"calendar/{calendars.token_of(zoe)}",
        "mails/off/<str:token>": f"mails/off/{unsubscribing.token(zoe.pk, ['turn'])}",
        "clubs/join/<str:token>": f"clubs/join/{club.token}",
        "<str:token>": link.token,
        "<str:provider>": "postmark",
        "<str:name>": "ann",
        "<str:digest>": "x",
        "<str:day>": "2026-01-02",  # of which there is none yet
        "<int:puzzle_id>": str(puzzle.pk),
        "<int:club_id>": str(club.pk),
        "<int:encounter_id>": str(between.pk),
        "<int:circle_id>": str(circle.pk),
        "<int:tournament_id>": str(contest.pk),
        "<int:sweep_id>": str(sweep.pk),
        "<int:device_id>": str(Device.objects.create(user=ann, name="telephone").pk),
        "<str:language>": "en",
        "<int:step>": "0",
        "<str:key>": "x",
        "<int:pk>": "1",
        "<int:sanction_id>": str(warning.pk),
        "<int:challenge_id>": str(challenge.pk),
        "<int:ladder_challenge_id>": str(climbing.pk),
        "<id>": str(stranger.pk),
        "<path:content_type_id>": str(ContentType.objects.get_for_model(Match).pk),
        "^confirm-email/(?P<key>[-:\\w]+)/$": "confirm-email/x/",
        "admin/<app_label>": "admin/games/",
        "admin/(?P<url>.*)$": "admin/nowhere/",
    }
    queries = {
        "report/": "?member=zoe",
        "circles/new/": f"?match={done.pk}",
        "admin/moderation/audit/act/": f"?member={stranger.pk}",
        "admin/operation/matches/give-time/": f"?match={match.pk}",
        "leaving/": "?to=https://example.org/",
    }
    ask = {one.pk: {"ask": asked(one).ask, "key": "k", "move": json.dumps({"type": "roll"})} for one in kinds.values()}

    def where(address: str, kind: str = "") -> tuple[str, dict]:
        one = kinds[kind]
        path = address.replace("<int:match_id>", str(one.pk))
        for pattern, value in values.items():
            path = path.replace(pattern, value)
        for model, number in objects.items():
            if f"admin/{model}/" in path:
                path = path.replace("<path:object_id>", str(number))
        path = path.replace("<path:object_id>", str(match.pk))
        body = ask[one.pk] if address.endswith("/move/") else BODIES.get(address, {})
        if address.endswith("/chat/mute/"):
            body = {"mute": str(talk.pk if "<int:club_id>" in address else line.pk)}
        if address == "circles/new/":
            body = {"match": str(done.pk), "name": "Sunday"}
        if address == "clubs/<int:club_id>/people/":
            body = {"deed": "organiser", "person": str(bob.pk)}
        return "/" + path + queries.get(address, ""), body

    return clients, where


def answer_of(client: Client, method: str, path: str, body: dict) -> str:
    """Return what is answered, and undo what it did."""
    cookies = client.cookies.copy()
    with transaction.atomic():
        answer = client.generic(method, path) if method == "GET" else client.post(path, body)
        transaction.set_rollback(True)
    client.cookies = cookies
    location = answer.headers.get("Location", "")
    if answer.status_code == 302 and ("/accounts/login/" in location or "/admin/login/" in location):
        return "login"
    return str(answer.status_code)


def table() -> dict[tuple[str, str], list[str]]:
    """Return the table: (address, method) to nine answers."""
    rows = {}
    for line in "\n".join(table.read_text() for table in TABLES).splitlines():
        if line and not line.startswith("#"):
            address, method, answers = (part.strip() for part in line.split(" | "))
            one = answers.split()
            rows[address, method] = one * len(ROLES) if len(one) == 1 else one
    return rows


def tried(row: list[str], turn: int) -> list[str]:
    """Return who is asked of a row: in short, of three roles or more with the same answer, one in eight in turn."""
    if FULL:
        return list(ROLES)
    same = [[role for role, answer in zip(ROLES, row, strict=True) if answer == one] for one in dict.fromkeys(row)]
    shared = [(roles, min(8, len(roles))) if len(roles) > 2 else (roles, 1) for roles in same]
    return [role for roles, share in shared for role in roles[turn % share :: share]]


def wanted_rows() -> list[tuple[str, str]]:
    names = [*ADDRESSES, *(f"{kind} {one}" for kind in ("private", "club") for one in OF_MATCH)]
    return [(name or "/", method) for name in names for method in METHODS]


def test_every_address_has_its_rows_and_no_row_is_left_over():
    assert set(table()) == set(wanted_rows())
    assert all(len(row) == len(ROLES) for row in table().values())


@pytest.mark.parametrize("part", range(4))
def test_everybody_may_what_the_table_says(stage, part):
    clients, where = stage
    rows, wrong = table(), []
    for turn, (name, method) in enumerate(wanted_rows()[part::4]):
        kind, _, address = name.rpartition(" ")
        path, body = where("" if address == "/" else address, kind)
        wanted = dict(zip(ROLES, rows[name, method], strict=True))
        found = {role: answer_of(clients[role], method, path, body) for role in tried(rows[name, method], turn)}
        cache.clear()
        if any(found[role] != wanted[role] for role in found):
            wrong.append(f"{name} | {method} | {found}")
    assert not wrong, "\n" + "\n".join(wrong)


def test_each_role_is_asked_of_each_answer_in_turn():
    row = ["login", *["302"] * 6, "403", "200"]
    assert {role for turn in range(8) for role in tried(row, turn)} == set(ROLES)
    assert {"visitor", "moderator", "admin"} <= set(tried(row, 0))


def test_a_wrong_row_is_found(stage):
    clients, where = stage
    path, body = where("matches/<int:match_id>/notes/")
    assert answer_of(clients["watcher"], "POST", path, body) == "403"
    assert answer_of(clients["player"], "POST", path, body) == "302"
