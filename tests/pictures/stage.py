"""Inside the site that is photographed: a few members, and matches at telling moments."""

import json
from datetime import timedelta
from random import Random

from accounts.models import User
from config import clock
from games.models import Match
from games.queries import match_row, seats_of
from games.services import lobby, play
from leaderboards.models import Standing
from leaderboards.seasons import season_of
from tests.bench.prepare import log_in

SEED = 20261128


def member(name: str, language: str) -> User:
    email = f"{name}@example.org".replace("é", "e")
    return User.objects.create_user(name, email, language=language, time_zone="Europe/Paris")


def crowd(language: str, people: list[User]) -> None:
    """Give the members, and others, ratings that they might have after some months."""
    names = (
        "Amira",
        "Bastien",
        "chloe_k",
        "Dieter",
        "Esme",
        "Farid",
        "Giulia",
        "hana",
        "Ingrid",
        "Joao",
        "Kofi",
    )
    ranked = [*people, *(member(name, language) for name in names)]
    for number, person in enumerate(ranked):
        for season in ("", season_of(clock.now())):
            Standing.objects.create(
                user=person,
                game_slug="yum-extra",
                season=season,
                rating=1580_00 - number * 19_00 + number % 3 * 47_00,
                matches=70 - 5 * number,
                wins=26 - 2 * number,
                last_active=clock.now() - timedelta(days=number * 2),
            )


def table(people: list[User]) -> Match:
    match = lobby.create_match(
        creator=people[0], game_slug="yum-extra", size=len(people), rated=len(people) > 2
    )
    for person in people[1:]:
        lobby.join(match_id=match.pk, user=person)
    return match


def play_until(match: Match, there, rng: Random) -> Match:
    """Let strong minds play all seats until the moment is there; the last seat plays easily."""
    for number in range(2000):
        match = match_row(match.pk)
        if match.status == Match.Status.ENDED:
            break
        seats = seats_of(match)
        seat = next(seat for seat in seats if seat.ask is not None)
        view = match.game.view(match.game.load(bytes(match.state or b"")), seat.number)
        if there(match, seat, view):
            break
        level = "easy" if seat.number == len(seats) - 1 else "strong"
        move = match.game.bot(level).choose(view, rng)
        play.submit_move(
            match_id=match.pk,
            user=seat.user,
            ask=seat.ask,
            key=f"k{number}",
            move=move,
            received=clock.now_ms(),
        )
    return match


def stage(language: str) -> None:
    """Print, as JSON, the session of the member who looks, and the matches."""
    rng = Random(SEED)
    ana, mireille, otto = (member(name, language) for name in ("Ana", "Mireille", "otto_b"))
    others = [member(name, language) for name in ("Priya", "Jonas-K", "le_grand_dé"[:10])]

    crowd(language, [ana, mireille, otto])

    def second_roll(match, seat, view) -> bool:
        return match.turns > 70 and seat.user_id == ana.pk and view["phase"] == "roll" and view["rolls"] == 1

    def others_turn(match, seat, view) -> bool:
        return match.turns > 50 and seat.user_id == otto.pk and view["phase"] == "roll" and view["rolls"] == 2

    move = play_until(table([ana, mireille, otto]), second_roll, rng)
    waiting = play_until(table([mireille, ana, otto]), others_turn, rng)
    ended = play_until(table([ana, mireille, otto]), lambda *now: False, rng)
    for seat in seats_of(move):
        if seat.user_id == ana.pk:
            seat.seen = move.turns - 7
            seat.save(update_fields=["seen"])
    tables = [
        lobby.create_match(creator=person, game_slug="yum-extra", size=size)
        for person, size in zip(others, (4, 2, 3), strict=True)
    ]
    lobby.join(match_id=tables[0].pk, user=mireille)
    lobby.join(match_id=tables[0].pk, user=otto)
    print(
        json.dumps(
            {
                "session": log_in(ana),
                "move": move.pk,
                "waiting": waiting.pk,
                "ended": ended.pk,
                "table": tables[0].pk,
            }
        )
    )
