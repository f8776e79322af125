"""What tournaments store about a person: the data export, and what happens to it when an account closes."""

from typing import Any

from django.db.models import Q, QuerySet

from accounts.models import User
from accounts.names import may_name, unnamed
from config.lib.giving_way import lock_at_once
from games.competitions.models import Correction, Entrant, Offer, Place, Tournament
from games.competitions.services.calls import group_of
from games.competitions.services.leaving import of_clubs_under_way
from games.competitions.services.rounds import leave
from games.queries.clubs import club_ids_of
from games.services.webhooks import groups

STATE = Tournament.State
TOLD = (  # of a tournament that the person organised, as it was announced
    *("name", "words", "game_slug", "options", "format", "seats", "rounds_wished", "advance", "matches", "pace_slug"),
    *("rated", "access", "least", "most", "lowest_rating", "highest_rating", "least_ended", "least_reliability"),
    *("round_limit", "judge", "state"),
)


def tournament_data(user: User) -> dict[str, Any]:
    """Return the tournaments that the person entered, organised or corrected; a hook (DATA_EXPORTS)."""
    organised = Tournament.objects.filter(organiser=user).select_related("club").order_by("pk")
    corrected = Correction.objects.filter(by=user).select_related("tournament", "entrant").order_by("pk")
    offers = (
        Offer.objects.filter(Q(user=user) | Q(by=user)).select_related("tournament", "entrant", "by").order_by("pk")
    )
    return {
        "tournaments": [_entry(entry) for entry in _entries(user).select_related("tournament").order_by("pk")],
        "tournaments_organised": [
            {name: getattr(one, name) for name in TOLD}
            | {"club": one.club.name if one.club else None}
            | {name: _when(getattr(one, name)) for name in ("created_at", "begins_at", "began_at", "ended_at")}
            for one in organised
        ],
        "tournament_corrections": [
            {"tournament": one.tournament.name, "kind": one.kind, "at": one.at.isoformat(), "reason": one.reason}
            | {"number": one.entrant.number if one.entrant else None, "table": one.table_id}
            | {"until": _when(one.until)}
            for one in corrected
        ],
        "tournament_offers": [
            {
                "tournament": one.tournament.name,
                "at": one.at.isoformat(),
                "state": one.state,
                "made_by_you": one.by == user,
            }
            | {"answered_at": _when(one.answered_at), "reason": one.reason, "instead_of": one.entrant.number}
            for one in offers
        ],
    }


def _entries(user: User) -> QuerySet[Entrant]:
    return Entrant.objects.filter(user=user)


def _entry(entry: Entrant) -> dict[str, Any]:
    places = Place.objects.filter(entrant=entry).select_related("table", "round").order_by("pk")
    return {
        "tournament": entry.tournament.name,
        "number": entry.number,
        "strength": entry.strength,
        "signed_at": entry.signed_at.isoformat(),
        "left": entry.left,
        "left_at": _when(entry.left_at),
        "ready_at": _when(entry.ready_at),
        "tables": [
            {"round": one.round.number, "table": one.table.number, "match": one.table.match_id}
            | {"seat": one.seat, "rank": one.rank, "score": one.score, "away": one.away}
            for one in places
        ],
    }


def _when(at: Any) -> str | None:
    return at.isoformat() if at else None


def leave_tournaments(user: User) -> None:
    """Seat the person no more, and take their name from the reasons of corrections; GiveWay.

    A hook (ON_ACCOUNT_CLOSING), when their matches are locked. Their number, tables and results stay, of a former
    member; what they organised goes on, and moderators correct it.
    """
    theirs = {*_entries(user).values_list("tournament", flat=True)}
    theirs |= set(Tournament.objects.filter(organiser=user).values_list("pk", flat=True))
    theirs |= set(of_clubs_under_way(club_ids_of(user)).values_list("pk", flat=True))  # which they leave next
    lock_at_once(Tournament.objects.filter(pk__in=theirs).order_by("pk"))
    for number in Tournament.objects.filter(organiser=user).values_list("pk", flat=True):
        groups.forget(group_of(number))  # nobody is left who could
    for entry in _entries(user).filter(left="").select_related("tournament").order_by("pk"):
        if entry.tournament.state in (STATE.OPEN, STATE.RUNNING):
            leave(entry, Entrant.Left.CLOSED)
    for model in (Correction, Offer):
        for row in model.objects.filter(may_name("reason", user.username), tournament__in=theirs):
            model.objects.filter(pk=row.pk).update(reason=unnamed(row.reason, user.username))
