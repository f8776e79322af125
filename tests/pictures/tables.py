"""Tables that are opened and filled, and moves that are made at them, for the pictures."""

from accounts.models import User
from config.lib import clock
from games.models import Match
from games.services.lobby import opening, readiness
from games.services.play import moves


def table(people: list[User], game_slug: str = "yum-extra", **options) -> Match:
    match = opening.create_match(
        creator=people[0],
        game_slug=game_slug,
        size=len(people),
        options=options or None,
        rated=game_slug == "yum-extra" and len(people) > 2,
    )
    for person in people[1:]:
        opening.join(match_id=match.pk, user=person)
    for person in people if match.pace.is_live else ():
        readiness.say_here(match_id=match.pk, user=person)
    return match


def submit(match: Match, seat, move, key: str) -> None:
    moves.submit_move(match_id=match.pk, user=seat.user, ask=seat.ask, key=key, move=move, received=clock.now_ms())
