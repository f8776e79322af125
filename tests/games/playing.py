"""Ways to get matches going in tests."""

from random import Random
from typing import Any

from django.apps import apps

from config import clock
from games.engine import SeededChance
from games.models import Match, Seat, Turn
from games.queries import seats_of
from games.rules import get_game
from games.services import lobby, play
from games.services.playing import Playing
from tests.rules.playing import random_step


def opened(creator, *, size=3, game_slug="yum-extra", **wishes) -> Match:
    """Return a table that waits for people, its creator in seat 0."""
    return lobby.create_match(creator=creator, game_slug=game_slug, size=size, **wishes)


def seated(*people, options=None, **wishes) -> Match:
    """Return a running match of these people, in this order, bots after them if asked for."""
    first, *others = people
    bots = wishes.get("bots", [])
    match = opened(first, size=len(people) + len(bots), options=options or {}, **wishes)
    for person in others:
        lobby.join(match_id=match.pk, user=person, token=match.token)
    return fresh(match)


def as_many(slug, *people) -> tuple[Any, ...]:
    """Return these people, or of them as many as can play the game."""
    return people[: get_game(slug).max_seats]


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


def submit(match, seat, move, *, key="key-1", ask=None, user=None) -> Playing:
    """Post a move as the seat's person."""
    return play.submit_move(
        match_id=match.pk,
        user=user or seat.user,
        ask=seat.ask if ask is None else ask,
        key=key,
        move=move,
        received=clock.now_ms(),
    )


def state_of(match) -> Any:
    return match.game.load(bytes(match.state))


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
            playing = Playing(match, seats)
            playing.make(mover.number, move, by=Turn.By.BOT, at=clock.now_ms())
            playing.save()
    return fresh(match)


def played_on(match, rng: Random, *, until=lambda state: False) -> Match:
    """Play at random until the state is such, or to the end; written at once, as nobody looks on."""
    playing = Playing(fresh(match), seats_of(match))
    while (owing := playing.game.to_move(playing.state)) and not until(playing.state):
        move = random_step(playing.game, playing.state, owing[0], rng, SeededChance(b""))[0]
        key = f"before-{playing.match.turns}"
        playing.make(owing[0], move, by=Turn.By.PERSON, at=clock.now_ms(), key=key)
    if playing.fresh:
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
