"""Tournaments and a ladder, as the member who looks sees them: open, running, over, by link, and a challenge."""

from datetime import timedelta
from random import Random
from typing import Any

from accounts.models import User
from config.lib import clock
from games.competitions import tasks
from games.competitions.models import Place, Table, Tournament
from games.competitions.services import announcing, correcting, entering
from games.ladders.models import Climber, Ladder
from games.ladders.services import challenging, standing
from games.models import Match
from games.moderation.models import moderators
from tests.factories import end, fresh

NAMES = {
    "open": {"en": "Winter evenings", "fr": "Soirées d’hiver"},
    "running": {"en": "Autumn Cup", "fr": "Coupe d’automne"},
    "over": {"en": "Summer Cup", "fr": "Coupe d’été"},
    "link": {"en": "Friends of the red die", "fr": "Les amis du dé rouge"},
    "asked": {"en": "Sunday series", "fr": "La série du dimanche"},
}
USUAL: dict[str, Any] = {"game_slug": "yum-extra", "format": "swiss", "seats": 2, "least": 2, "most": 32}


def stage_contests(ana: User, others: list[User], language: str, rng: Random) -> dict[str, int]:
    """Return the tournaments and a ladder match, by name; Ana takes part in all but the one to which she is asked."""
    judge = User.objects.create_user("Salomé", "salome@example.org", language=language, is_staff=True)
    judge.groups.add(moderators())
    people = [ana, *others]
    made = {name: _announced(name, judge, language) for name in NAMES}
    for name, one in made.items():
        for who in people[1:] if name == "asked" else people[:3] if name == "open" else people:
            entering.enter(tournament_id=one.pk, user=who, token=one.token)
    for name in ("running", "over", "asked"):
        announcing.begin_now(tournament_id=made[name].pk, user=judge)
    tasks.tend()
    _play(made["running"], rng, rounds=2)
    _play(made["over"], rng, rounds=9)
    correcting.replace(tournament_id=made["asked"].pk, user=judge, number=1, by=ana, reason=NAMES["asked"][language])
    ended = Place.objects.filter(round__tournament=made["over"], entrant__user=ana, table__match__isnull=False).first()
    assert ended is not None and ended.table.match_id is not None
    running = Match.objects.filter(
        tournament_table__round__tournament=made["running"], status="running", seats__user=ana
    )
    found = {f"contest_{name}": one.pk for name, one in made.items()}
    match = running.order_by("pk").first()
    return found | {
        "contest_match": match.pk if match else ended.table.match_id,
        "contest_match_over": ended.table.match_id,
        **_ladder(ana, others),
    }


def _announced(name: str, judge: User, language: str) -> Tournament:
    wishes = dict(USUAL, name=NAMES[name][language], pace_slug="3d", round_limit=14 * 24 * 60)
    wishes |= {"access": "link"} if name == "link" else {}
    tournament = announcing.announce(organiser=judge, begins_at=clock.now() + timedelta(days=5), **wishes)
    if name in ("running", "over"):  # so that the organiser may announce more
        Tournament.objects.filter(pk=tournament.pk).update(organiser=None)
    return tournament


def _play(tournament: Tournament, rng: Random, *, rounds: int) -> None:
    """End all tables of so many rounds, or of all; of the one after them one table."""
    for _round in range(rounds):
        for table in _running(tournament):
            size = Place.objects.filter(table=table).count()
            assert table.match is not None
            end(fresh(table.match), rng.sample(range(1, size + 1), size))
        tasks.tend()
    for table in _running(tournament)[:1]:
        assert table.match is not None
        end(fresh(table.match), [1, 2])


def _running(tournament: Tournament) -> list[Table]:
    tables = Table.objects.filter(round__tournament=tournament, state=Table.State.RUNNING)
    return list(tables.select_related("match").order_by("pk"))


def _ladder(ana: User, others: list[User]) -> dict[str, int]:
    """Let all stand on the ladder, Ana second; she is challenged once, and plays a challenge of hers."""
    for who in (others[0], ana, *others[1:]):
        standing.join(game_slug="yum-extra", user=who, at_once=3)
    ladder = Ladder.objects.get(game_slug="yum-extra")
    places = {row.user_id: row.pk for row in Climber.objects.filter(ladder=ladder)}
    challenging.challenge(ladder_id=ladder.pk, user=others[1], climber_id=places[ana.pk])
    made = challenging.challenge(ladder_id=ladder.pk, user=ana, climber_id=places[others[0].pk])
    return {"ladder_match": challenging.accept(challenge_id=made.pk, user=others[0]).pk}
