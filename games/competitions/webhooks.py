"""What the webhooks of a tournament say: a round begins, how a table came out, that it is over or cancelled."""

from typing import Any
from urllib.parse import urljoin

from django.conf import settings
from django.urls import reverse
from django.utils.translation import gettext as _

from config.lib.formats import listing
from games.competitions import queries
from games.competitions.models import Place, Round, Table, Tournament
from games.competitions.pairing import standings

STATE = Tournament.State
FIRST = 3  # places that the end tells
DECIDED = (Table.State.OVER, Table.State.JUDGED)


def facts_of(tournament_id: int, kind: str, about: int) -> dict[str, Any] | None:
    """Return what there is to say of a tournament; None when it is true no more, or never was (GROUP_FACTS)."""
    tournament = Tournament.objects.filter(pk=tournament_id).first()
    told = None if tournament is None else TELLERS[kind](tournament, about)
    if tournament is None or told is None:
        return None
    return told | {
        "text": f"{tournament.name}: {told['text']}",
        "url": urljoin(settings.SITE_URL, reverse("tournament", args=[tournament_id])),
        "tournament": tournament_id,
        "name": tournament.name,
        "game": tournament.game_slug,
    }


def _round(tournament: Tournament, number: int) -> dict[str, Any] | None:
    found = Round.objects.filter(tournament=tournament, number=number, ended_at=None).first()
    if found is None or tournament.state != STATE.RUNNING:
        return None
    end = found.ends_at.isoformat(timespec="seconds")
    return {"text": _("round %(number)d begins.") % {"number": number}, "round": number, "ends": end}


def _table(tournament: Tournament, table_id: int) -> dict[str, Any] | None:
    tables = Table.objects.select_related("round", "match").filter(round__tournament=tournament, state__in=DECIDED)
    table = tables.filter(pk=table_id).first()
    if table is None:
        return None
    places = Place.objects.select_related("entrant__user").filter(table=table).order_by("rank", "seat")
    came = [(place.rank, place.entrant.user.username if place.entrant.user else None) for place in places]
    words = {
        "round": table.round.number,
        "table": table.number,
        "names": listing(f"{rank}. {name or _('former member')}" for rank, name in came),
    }
    match = table.match
    return {
        "text": _("round %(round)d, table %(table)d: %(names)s") % words,
        "round": table.round.number,
        "table": table.number,
        "places": [{"rank": rank, "name": name} for rank, name in came],
        "match": urljoin(settings.SITE_URL, reverse("match", args=[match.pk])) if match and match.is_public else None,
    }


def _over(tournament: Tournament, about: int) -> dict[str, Any] | None:
    if tournament.state != STATE.OVER:
        return None
    people = queries.everybody(tournament)
    lines = standings(queries.plan_of(tournament), people, queries.results_of(tournament))
    names = dict(tournament.entrants.filter(user__isnull=False).values_list("number", "user__username"))
    first = [(line.place, names.get(line.number)) for line in lines if line.place <= FIRST][:FIRST]
    told = listing(f"{place}. {name or _('former member')}" for place, name in first)
    return {
        "text": _("it is over: %(names)s") % {"names": told},
        "places": [{"rank": place, "name": name} for place, name in first],
    }


def _cancelled(tournament: Tournament, about: int) -> dict[str, Any] | None:
    return {"text": _("it is cancelled.")} if tournament.state == STATE.CANCELLED else None


TELLERS = {"round": _round, "table": _table, "over": _over, "cancelled": _cancelled}
