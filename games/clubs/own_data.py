"""What club matches and circles of friends store about a person: the data export, and an account that closes."""

from typing import Any

from django.db.models import Q

from accounts.models import User
from config.lib.giving_way import lock_at_once
from games.clubs import circles, encounters
from games.clubs.models import BoardSeat, Circle, CircleMember, CircleNews, Encounter, EncounterNews, Lineup
from games.models import Membership

TOLD = ("game_slug", "options", "seats", "most_tables", "pace_slug", "rated", "words", "state")


def lock_encounters(user: User) -> None:
    """Lock the club matches and the circles that name the person. GiveWay. A hook of accounts (ON_ACCOUNT_CLOSING).

    Whoever holds one may wait for the person's row until their transaction ends. A circle of whom fewer than two
    remain goes with its member.
    """
    named = Lineup.objects.filter(user=user).order_by().values("encounter")
    own_clubs = Membership.objects.filter(user=user).order_by().values("club")  # one that empties goes
    of_clubs = Q(challenger__in=own_clubs) | Q(challenged__in=own_clubs)
    lock_at_once(Encounter.objects.filter(Q(pk__in=named) | Q(made_by=user) | of_clubs).order_by("pk"))
    theirs = CircleMember.objects.filter(user=user).order_by().values("circle")
    own = Circle.objects.filter(Q(pk__in=theirs) | Q(maker=user)).order_by("pk")
    lock_at_once(own)
    for circle in own:
        if circle.members.exclude(user=user).count() < 2:
            circle.delete()


def encounter_data(user: User) -> dict[str, Any]:
    """Return the club matches that the person announced or played in, and their circles; a hook (DATA_EXPORTS)."""
    announced = Encounter.objects.filter(made_by=user).order_by("pk")
    said = Lineup.objects.filter(user=user).select_related("encounter").order_by("pk")
    mine = CircleMember.objects.filter(user=user).select_related("circle").order_by("pk")
    return {
        "club_matches_announced": [_facts(one) for one in announced],
        "club_matches": [_said(row) for row in said],
        "circles_of_friends": [_circle(row, user) for row in mine],
        "news_of_club_matches": [
            {"clubs": list(one.encounter.names), "kind": one.kind, "at": one.at.isoformat()}
            for one in EncounterNews.objects.filter(user=user).select_related("encounter").order_by("pk")
        ],
        "news_of_circles": [
            {"circle": one.circle.name, "kind": one.kind, "at": one.at.isoformat()}
            for one in CircleNews.objects.filter(user=user).select_related("circle").order_by("pk")
        ],
    }


def _facts(one: Encounter) -> dict[str, Any]:
    found = {name: getattr(one, name) for name in TOLD}
    return found | {"clubs": list(encounters.names(one)), "begins_at": one.begins_at.isoformat()}


def _said(row: Lineup) -> dict[str, Any]:
    seats = BoardSeat.objects.filter(player=row).select_related("board").order_by("pk")
    return {
        "clubs": list(encounters.names(row.encounter)),
        "for": encounters.names(row.encounter)[row.side],
        "plays": row.plays,
        "place": row.place,
        "said_at": row.said_at.isoformat(),
        "tables": [
            {"table": one.board.number, "match": one.board.match_id, "seat": one.seat, "rank": one.rank}
            | {"score": one.score, "away": one.away}
            for one in seats
        ],
    }


def _circle(row: CircleMember, user: User) -> dict[str, Any]:
    circle = row.circle
    others = [other.user.username for other in circles.members(circle) if other.user_id != user.pk]
    return {
        "name": circle.name,
        "made_by_you": circle.maker_id == user.pk,
        "accepted": row.accepted,
        "since": row.since.isoformat(),
        "game": circle.game_slug,
        "members": others,
        "weekday": circle.weekday,
        "hour": circle.hour,
        "time_zone": circle.zone,
    }
