"""Mails of tournaments: noted with their cause, written in runs, each once (spec: tournaments.md, Notices)."""

from typing import Any
from urllib.parse import urljoin

import structlog
from django.conf import settings
from django.db import transaction
from django.db.models import F, QuerySet
from django.urls import reverse

from accounts.services.mail import send_to
from games.competitions import queries
from games.competitions.models import Correction, Entrant, Place, Round, Table, Tournament
from games.competitions.pairing import standings
from games.competitions.services.locking import current

log = structlog.get_logger(__name__)
TOPIC = "tournament"
BATCH = 100  # mails in a run


def tell_over(tournament: Tournament) -> None:
    """Note that all who take part or took part are told that it is over."""
    Entrant.objects.filter(tournament=tournament, user__isnull=False).update(to_tell=Entrant.News.OVER)


def tell_cancelled(tournament: Tournament) -> None:
    """Note that all who take part are told that it was cancelled."""
    _takes_part(tournament).update(to_tell=Entrant.News.CANCELLED)


def tell_last_day(round_: Round) -> None:
    """Note that whoever is to move at a running table of the round is told of its last day."""
    asked = _takes_part(round_.tournament).filter(
        places__round=round_,
        places__table__state=Table.State.RUNNING,
        places__table__match__seats__ask__isnull=False,
        places__table__match__seats__user=F("user"),
    )
    Entrant.objects.filter(pk__in=asked.values("pk")).update(to_tell=Entrant.News.LAST_DAY)


def _takes_part(tournament: Tournament) -> QuerySet[Entrant]:
    return Entrant.objects.filter(tournament=tournament, left="", user__isnull=False)


def send_due() -> int:
    """Write the mails that were noted, each once; return how many entrants were seen to."""
    found = Entrant.objects.exclude(to_tell="").order_by("pk").values_list("pk", flat=True)[:BATCH]
    for entrant_id in list(found):
        try:
            with transaction.atomic():
                _tell(entrant_id)
        except Exception:
            log.exception("tournament mail not written", entrant=entrant_id)
    return len(found)


def _tell(entrant_id: int) -> None:
    rows = Entrant.objects.select_for_update(skip_locked=True, of=("self",), no_key=True).exclude(to_tell="")
    entrant = rows.select_related("tournament").filter(pk=entrant_id).first()
    if entrant is None:
        return
    news, reader = Entrant.News(entrant.to_tell), entrant.user
    entrant.to_tell = ""
    entrant.save(update_fields=["to_tell"])
    if reader is None or not reader.is_confirmed or TOPIC in reader.topics_off:
        return
    address = urljoin(settings.SITE_URL, reverse("tournament", args=[entrant.tournament_id]))
    context = {"tournament": entrant.tournament, "address": address, **_facts(news, entrant)}
    send_to(reader, f"competitions/mail/{news}", context, kind=TOPIC)


def _facts(news: Entrant.News, entrant: Entrant) -> dict[str, Any]:
    """Return what the mail of this kind says beside the tournament's name and address."""
    tournament = entrant.tournament
    if news == Entrant.News.OVER:
        lines = standings(queries.plan_of(tournament), queries.everybody(tournament), queries.results_of(tournament))
        place = next((line.place for line in lines if line.number == entrant.number), None)
        return {"place": place, "of": len(lines), "winner": _name_of(tournament, lines[0].number) if lines else ""}
    if news == Entrant.News.CANCELLED:
        last = Correction.objects.filter(tournament=tournament, kind=Correction.Kind.CANCELLED).last()
        return {"reason": last.reason if last else "", "least": tournament.least}
    running = Place.objects.filter(entrant=entrant, table__state=Table.State.RUNNING).select_related("table").last()
    return {"round": current(tournament), "match_id": running.table.match_id if running else None}


def _name_of(tournament: Tournament, number: int) -> str:
    entrant = Entrant.objects.select_related("user").get(tournament=tournament, number=number)
    return entrant.user.username if entrant.user else ""
