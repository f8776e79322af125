"""What tests share: people and their browsers, matches that get going quickly, rated ones, moderators' deeds.

The fixed cast stands in tests/conftest.py: Ann owns and sits first, Bob sits, Cem watches, Eve is a stranger.
"""

from collections.abc import Callable, Sequence
from datetime import datetime
from random import Random
from typing import Any

from allauth.account.models import EmailAddress
from django.apps import apps
from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction
from django.test import Client, TestCase

from accounts.models import User
from accounts.services import bots, sessions
from config.lib import clock
from games.engine import OPENING_MOVES, SeededChance
from games.models import Audit, Match, Seat, Turn
from games.moderation.models import moderators
from games.queries.play import seats_of
from games.rules import get_game
from games.services.lobby import opening, readiness
from games.services.play import moves as play_moves
from games.services.play.locking import lock_match
from games.services.play.match_transaction import MatchTransaction, finish
from leaderboards.models import RatingChange, Standing
from tests.rules.playing import random_step

PASSWORD = "a lively otter 7"
WHY = "because of this"


def member(name: str, **fields) -> User:
    return User.objects.create_user(name, f"{name}@example.org", PASSWORD, **fields)


def confirmed_member(name: str, email: str, *, confirmed: bool = True, **fields: object) -> User:
    """Return a member as sign-up leaves one, whose address is confirmed or not yet."""
    user = User.objects.create_user(name, email if confirmed else "", PASSWORD, **fields)
    EmailAddress.objects.create(user=user, email=email, primary=True, verified=confirmed)
    return user


def bot_of(owner: User, name: str = "eager") -> User:
    """Return a bot that this member made."""
    return bots.make(owner=owner, name=name)


def guest(name: str = "guest-gnu-1") -> User:
    return User.objects.create_user(name, "", None, is_guest=True)


def moderator(name: str = "mo") -> User:
    user = member(name, is_staff=True)
    user.groups.add(moderators())
    return user


def admin() -> User:
    return User.objects.create_superuser("root", "root@example.org", PASSWORD)


def browser_of(person: User | None = None, **settings) -> Client:
    """A browser in which this person logged in today, staff for good; a visitor's without one.

    A view's error is its 500.
    """
    client = Client(raise_request_exception=False, **settings)
    if person is not None:
        client.force_login(person)
        session = client.session
        sessions.keep_on(session, person)
        session[sessions.SINCE] = clock.now().timestamp() + 10**9  # tests let weeks pass
        session.save()
    return client


def committed(deed: Callable[..., Any], **about: Any) -> Any:
    """Do something as a request does it: what comes after its commit is done, too."""
    with TestCase.captureOnCommitCallbacks(execute=True):
        return deed(**about)


def session_of(member: AbstractBaseUser) -> dict[str, str]:
    """Return the cookies of a member who is logged in."""
    client = Client()
    client.force_login(member)
    return {name: morsel.value for name, morsel in client.cookies.items()}


def sign_up(client: Client, name: str = "Cleo", email: str = "cleo@example.org", **more: str):
    data = {"username": name, "email": email, "password1": PASSWORD} | more
    return client.post("/accounts/signup/", data)


def prove(client: Client) -> None:
    """Answer "Confirm that it is you" with the password."""
    client.post("/accounts/reauthenticate/", {"password": PASSWORD})


def opened(creator, *, size=3, game_slug="yum-extra", **wishes) -> Match:
    """Return a table that waits for people, its creator in seat 0."""
    return opening.create_match(creator=creator, game_slug=game_slug, size=size, **wishes)


def seated(*people, options=None, **wishes) -> Match:
    """Return a running match of these people, in this order, bots after them if asked for."""
    first, *others = people
    bots = wishes.get("bots", [])
    match = opened(first, size=len(people) + len(bots), options=options or {}, **wishes)
    for person in others:
        opening.join(match_id=match.pk, user=person, token=match.token)
    for person in people if match.pace.is_live and others else ():  # each says that they are here
        readiness.say_here(match_id=match.pk, user=person)
    return fresh(match)


def fresh(match) -> Match:
    """Return the match as the database has it."""
    return Match.objects.get(pk=match.pk)


def seat(match, number) -> Seat:
    """Return a seat as the database has it."""
    return match.seats.select_related("user").get(number=number)


def asked(match) -> Seat:
    """Return the first seat that owes a decision, as the database has it."""
    return match.seats.filter(ask__isnull=False).select_related("user").order_by("number").first()


def waiting(match) -> Seat:
    """Return the first seat that owes nothing now."""
    return match.seats.filter(ask__isnull=True).select_related("user").order_by("number").first()


def submit(match, seat, move, *, key="key-1", ask=None, user=None) -> MatchTransaction:
    """Post a move as the seat's person."""
    return play_moves.submit_move(
        match_id=match.pk,
        user=user or seat.user,
        ask=seat.ask if ask is None else ask,
        key=key,
        move=move,
        received=clock.now_ms(),
    )


def state_of(match) -> Any:
    return match.game.load(bytes(match.state))


def put(match, state) -> Match:
    """Put a running match into this state of its game, and ask anew."""
    playing = MatchTransaction(fresh(match), seats_of(match))
    playing.state = state
    playing.ask_anew()
    playing.save()
    return fresh(match)


def random_move(match, number, rng: Random):
    """Return a random move of a seat that the rules accept."""
    return random_step(match.game, state_of(match), number, rng, SeededChance(b""))[0]


def play_on(match, rng: Random, *, turns=10**6, until=lambda match: False) -> Match:
    """Play at random for everybody, bots included, for so many turns or until it is so; return the match."""
    playing = None
    for number in range(turns):
        seats = playing.seats if playing else seats_of(match)
        match = playing.match if playing else match
        mover = next((s for s in seats if s.ask is not None), None)
        if mover is None or until(match):
            break
        move = random_move(match, mover.number, rng)
        if mover.is_in:
            playing = submit(match, mover, move, key=f"{rng.random()}-{number}"[-40:])
        else:
            playing = MatchTransaction(match, seats)
            playing.make(mover.number, move, by=Turn.By.BOT, at=clock.now_ms())
            playing.save()
    return fresh(match)


def played_on(match, rng: Random, *, turns=10**6, until=lambda state: False) -> Match:
    """Play at random so many turns or until the state is such, or to the end; written at once, as nobody looks on.

    A fraction of the cost of `play_on`, whose every move is a post's transaction.
    """
    playing = MatchTransaction(fresh(match), seats_of(match))
    for _ in range(turns):
        owing = playing.game.to_move(playing.state)
        if not owing or until(playing.state):
            break
        move = random_step(playing.game, playing.state, owing[0], rng, SeededChance(b""))[0]
        by, key = (Turn.By.PERSON, f"before-{playing.match.turns}")
        if not playing.seats[owing[0]].is_in:
            by, key = Turn.By.BOT, None
        playing.make(owing[0], move, by=by, at=clock.now_ms(), key=key)
    if playing.fresh:
        with transaction.atomic():
            playing.save()
    return fresh(match)


def combo_turn_of(match, number, rng: Random) -> Match:
    """Play until this seat is asked in a combo turn, where it may pass."""
    return play_on(match, rng, until=lambda m: is_combo_turn_of(m, number))


def is_combo_turn_of(match, number) -> bool:
    prompt = match.game.prompt(state_of(match), number)
    return bool(prompt and prompt["optional"])


def snapshot() -> dict[str, list]:
    """Everything the database holds, to compare."""
    return {
        model._meta.label: [
            {name: bytes(value) if isinstance(value, memoryview) else value for name, value in row.items()}
            for row in model.objects.order_by("pk").values()
        ]
        for model in apps.get_models()
    }


def rated(*people: User, moves: int = OPENING_MOVES, **wishes) -> Match:
    """Return a running rated match of these people, however often they met, in which each has made so many moves.

    Their rows are all there is of these moves; the match's own count passes over them.
    """
    match = seated(*people, rated=True, **wishes)
    Match.objects.filter(pk=match.pk).update(rated=True, limited=False)
    made = {"match": match, "by": "person", "move": {}, "draws": [], "events": [], "at": 0}
    Turn.objects.bulk_create(Turn(number=1 + n, seat=n % len(people), **made) for n in range(moves * len(people)))
    return fresh(match)


def end(match: Match, places: Sequence[int], at: datetime | None = None) -> Match:
    """End a running match with these ranks by the game's outcome, as the last move would."""
    with transaction.atomic():
        match, seats = lock_match(match.pk)
        match.outcome = {"ranks": list(places), "scores": [9 - place for place in places], "winners": []}
        finish(match, seats, Match.Ending.PLAYED)
        match.save()
        Seat.objects.bulk_update(seats, ["rank", "score", "ask", "asked_at"])
    return fresh(match)


def played(*people: User, places: Sequence[int] | None = None, **wishes) -> Match:
    """Return a rated match that has ended; in the order of its seats unless `places` says otherwise."""
    return end(rated(*people, **wishes), places or range(1, len(people) + 1))


def standing(user: User, season: str = "", game_slug: str = "yum-extra") -> Standing:
    return Standing.objects.get(user=user, game_slug=game_slug, season=season)


def placed(user: User, points: int, *, matches: int = 30, game_slug: str = "yum-extra", **more) -> Standing:
    """Give a member a rating of all time, without a match."""
    return Standing.objects.create(
        user=user,
        game_slug=game_slug,
        rating=points * 100,
        matches=matches,
        **{"last_active": clock.now()} | more,
    )


def chain_problems() -> list[str]:
    """Return where a member's change does not begin with what the one before left."""
    now: dict[tuple[int, str], int] = {}
    found = []
    for row in RatingChange.objects.select_related("settlement").order_by("settlement_id", "seat"):
        key = row.player, row.settlement.game_slug
        if row.before != now.get(key, 1500_00):
            found.append(f"{row} after {now.get(key)}")
        now[key] = row.after
    for row in Standing.objects.filter(season=""):
        if row.rating != now.get((row.user_id, row.game_slug)):
            found.append(f"{row} stands elsewhere than the chain ends")
    return found


def last_audit() -> Audit:
    return Audit.objects.order_by("pk").last()


def as_many(slug: str, *people: User) -> tuple[User, ...]:
    """Return these people, or of them as many as can play the game."""
    return people[: get_game(slug).max_seats]
