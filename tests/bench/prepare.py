"""Inside the site under the bench: matches whose members are logged in."""

import json
import time
from contextlib import suppress
from random import Random

from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.backends.cached_db import SessionStore
from django.db.models import Count

from accounts.models import User
from config.lib import clock
from games.api.services import tokens
from games.clocks import at_ms
from games.management.commands.check_matches import problems
from games.models import Match, PlayedKey, Seat, Turn
from games.queries import turns
from games.rules import get_game
from games.services.lobby import opening, readiness
from games.services.play import moves
from games.services.refusals import StaleQuestion
from tests.rules.playing import fewest

BACKEND = settings.AUTHENTICATION_BACKENDS[0]


def make_matches(count: int, game: str) -> None:
    """Print matches of logged-in members, as few in each as the game takes, as JSON."""
    stamp, seats = time.time_ns() % 10**12, fewest(get_game(game))
    print(json.dumps([_match(f"{number}-{stamp}", game, seats) for number in range(count)]))


def _match(name: str, game: str, seats: int) -> dict[str, object]:
    people = [User.objects.create_user(f"{'abcdefgh'[seat]}{name}") for seat in range(seats)]
    match = opening.create_match(creator=people[0], game_slug=game, size=seats)
    for person in people[1:]:
        opening.join(match_id=match.pk, user=person)
    return {"match": match.pk, "moves": 0, "sessions": [log_in(user) for user in people]}


def make_tokens(match_id: int) -> None:
    """Print a token for each member of a match, by seat, as JSON."""
    people = [seat.user for seat in Seat.objects.filter(match=match_id).select_related("user").order_by("number")]
    scopes = ["read", "play"]
    print(json.dumps([tokens.issue(user=one, name="bench", scopes=scopes, ends_at=None)[1] for one in people]))


def tell_matches(ids: list[int]) -> None:
    """Print for each match how many moves its members have made, and its version, as JSON."""
    made = Turn.objects.filter(match__in=ids, by=Turn.By.PERSON).values_list("match").annotate(Count("pk"))
    moves = dict(made.order_by())
    print(json.dumps({match.pk: [moves.get(match.pk, 0), match.version] for match in Match.objects.filter(pk__in=ids)}))


def log_in(user: User) -> str:
    """Return the key of a session in which this member is logged in."""
    session = SessionStore()
    session[SESSION_KEY] = str(user.pk)
    session[BACKEND_SESSION_KEY] = BACKEND
    session[HASH_SESSION_KEY] = user.get_session_auth_hash()
    session.create()
    return str(session.session_key)


def make_race(seats: int) -> None:
    """Print a race of YESSS! in which nobody is ready yet, as JSON."""
    stamp = time.time_ns() % 10**12
    people = [User.objects.create_user(f"r{number}-{stamp}") for number in range(seats)]
    match = opening.create_match(
        creator=people[0], game_slug="yesss", size=seats, options={"mode": "cooperative"}, pace="live"
    )
    for person in people[1:]:
        opening.join(match_id=match.pk, user=person)
    for person in people:
        readiness.say_here(match_id=match.pk, user=person)
    print(json.dumps({"match": match.pk, "sessions": [log_in(user) for user in people]}))


def tell_race(match_id: int) -> None:
    """Print what became of a race: the keys of its turns by seat, when it ended and should have."""
    match = Match.objects.get(pk=match_id)
    played = PlayedKey.objects.filter(match=match).order_by("number")
    events = [event for turn in turns.of_match(match.pk) for event in turn.events]
    started = next(event for event in events if event["type"] == "started")
    facts = {
        "keys": [f"{seat}/{key}" for seat, key in played.values_list("seat", "key")],
        "ended_at": str(match.ended_at),
        "ended_by": str(at_ms(started["ends_at"])),
        "score": match.outcome and match.outcome["scores"][0],
        "sound": not problems(match),
    }
    print(json.dumps(facts))


def play_with_bots(game_slug: str, seats: int, steps: int, matches: int) -> None:
    """Play several matches of one person each against bots until each has so many steps; print them as JSON.

    Of each match: who made each turn, when, and whether a reveal is looked at after it. The person moves as soon as
    they are asked.
    """
    stamp, rng = time.time_ns() % 10**12, Random(seats)
    members = [User.objects.create_user(f"p{stamp}-{number}") for number in range(matches)]
    many = [
        opening.create_match(creator=member, game_slug=game_slug, size=seats, bots=["strong"] * (seats - 1))
        for member in members
    ]
    bot = many[0].game.bot("strong")
    while going := list(
        Match.objects.filter(pk__in=[match.pk for match in many], status=Match.Status.RUNNING, turns__lt=steps)
    ):
        for own in Seat.objects.filter(match__in=going, number=0, ask__isnull=False).select_related("match", "user"):
            match = own.match
            view = match.game.view(match.game.load(bytes(match.state or b"")), 0)
            if view["prompt"] is None:
                continue
            with suppress(StaleQuestion):
                now, key = clock.now_ms(), f"k{own.ask}"
                move = bot.choose(view, rng)
                moves.submit_move(match_id=match.pk, user=own.user, ask=own.ask, key=key, move=move, received=now)
        time.sleep(0.05)
    told = [
        [(turn.by, turn.at, match.game.pauses_after(turn.events)) for turn in match.log.order_by("number")]
        for match in many
    ]
    print(json.dumps(told))
