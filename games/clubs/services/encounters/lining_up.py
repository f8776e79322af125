"""Line-ups: who says that they play, and in which order their club puts them."""

from collections.abc import Mapping

from django.db import transaction

from accounts.models import User
from config.lib import clock
from games.clubs import encounters
from games.clubs.models import Encounter, Lineup
from games.clubs.services.encounters.locking import lock
from games.clubs.services.encounters.refusals import NotForOrganisers, NotOfClubs, TooLate
from games.services.hooks import barred_among, check_taking_part, ratings_of


def say(*, encounter_id: int, user: User, plays: bool, side: int | None = None) -> Encounter:
    """Say that one plays, or not; who belongs to both clubs says for which `side`.

    NotOfClubs, TooLate, or what a sanction says.
    """
    if plays:
        check_taking_part(user)
    with transaction.atomic():
        encounter = _open(encounter_id)
        sides = encounters.sides_of(encounter, user)
        if not sides:
            raise NotOfClubs
        known = Lineup.objects.filter(encounter=encounter, user=user).first()
        stays = known.side if known is not None and known.side in sides else sides[0]
        now = side if side in sides else stays
        place = known.place if known is not None and known.plays and plays and known.side == now else None
        said = {"side": now, "plays": plays, "place": place, "said_at": clock.now()}
        Lineup.objects.update_or_create(encounter=encounter, user=user, defaults=said)
    return encounter


def order(*, encounter_id: int, user: User, side: int, numbers: Mapping[int, int] | None) -> Encounter:
    """Put the line-up of one's club into an order: by these numbers, by ids of its rows; None: by rating.

    Equal numbers keep the order in which they stood, and whoever has none comes after. NotForOrganisers, TooLate.
    """
    with transaction.atomic():
        encounter = _open(encounter_id)
        if side not in encounters.organised_by(encounter, user):
            raise NotForOrganisers
        rows = lineup(encounter, side)
        if numbers is not None:
            rows.sort(key=lambda row: numbers.get(row.pk, len(rows) + 10**6))
        for place, row in enumerate(rows, 1):
            row.place = place if numbers is not None else None
        Lineup.objects.bulk_update(rows, ["place"])
    return encounter


def _open(encounter_id: int) -> Encounter:
    encounter = lock(encounter_id)
    if encounter.state != Encounter.State.ACCEPTED or encounter.begins_at <= clock.now():
        raise TooLate
    return encounter


def lineup(encounter: Encounter, side: int) -> list[Lineup]:
    """Return who would play for a club if it began now, in order: as its organisers say, then the strongest first."""
    rows = list(encounters.said_yes(encounter, side))
    members = [row.user_id or 0 for row in rows]
    barred, ratings = barred_among(members), ratings_of(encounter.game_slug, members)

    def key(row: Lineup) -> tuple[bool, int, int, int]:
        return row.place is None, row.place or 0, -ratings.get(row.user_id or 0, 0), row.pk

    return sorted((row for row in rows if row.user_id not in barred), key=key)
