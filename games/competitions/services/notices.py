"""Mails of tournaments: noted with their cause, written in runs, each once (spec: tournaments.md, Notices)."""

from collections.abc import Iterable
from typing import Any
from urllib.parse import urljoin

import structlog
from django.conf import settings
from django.db import transaction
from django.db.models import F, QuerySet
from django.urls import reverse
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.services import visits
from config.lib import clock, sql
from games.competitions import queries
from games.competitions.models import Correction, Entrant, Place, Round, Table, Tournament
from games.competitions.pairing import Line, standings
from games.models import Match
from games.services.mail import news as news_mail

log = structlog.get_logger(__name__)
TOPIC = "tournament"
BATCH = 100  # mails in a run
NEWS = Entrant.News
Standings = dict[int, list[Line]]  # by tournament: of a run of mails, calculated once


def tell_over(tournament: Tournament) -> None:
    """Note that all who take part or took part are told that it is over."""
    took_part = queries.who_took_part(tournament).filter(user__isnull=False)
    Entrant.objects.filter(pk__in=took_part.values("pk")).update(to_tell=NEWS.OVER)


def tell_cancelled(tournament: Tournament) -> None:
    """Note that all who take part are told that it was cancelled."""
    _takes_part(tournament).update(to_tell=NEWS.CANCELLED)


def tell_last_day(round_: Round) -> None:
    """Note that whoever is to move at a running table of the round is told of its last day."""
    asked = _takes_part(round_.tournament).filter(
        places__round=round_,
        places__table__state=Table.State.RUNNING,
        places__table__match__seats__ask__isnull=False,
        places__table__match__seats__user=F("user"),
    )
    Entrant.objects.filter(pk__in=asked.values("pk")).update(to_tell=NEWS.LAST_DAY)


def tell(entrant: Entrant, news: Entrant.News) -> None:
    """Note that an entrant is told this; nobody whose account is closed."""
    Entrant.objects.filter(pk=entrant.pk, user__isnull=False).update(to_tell=news)


def _takes_part(tournament: Tournament) -> QuerySet[Entrant]:
    return Entrant.objects.filter(tournament=tournament, left="", user__isnull=False)


def send_due() -> int:
    """Write the mails that were noted, each once; return of how many entrants.

    Quiet hours are kept and whoever is on the site is left alone meanwhile; whoever has one mail a day is told when
    that is due (`tell_member`).
    """
    waiting = Entrant.objects.exclude(to_tell="").order_by("pk").select_related("user")
    now, found = clock.now(), list(waiting)
    seen = visits.last(entrant.user_id for entrant in found if entrant.user_id)
    due = (one.pk for one in found if one.user is None or news_mail.may_be_told(one.user, seen.get(one.user.pk), now))
    return _tell_all(due, BATCH)


def tell_member(user: User) -> None:
    """Write what waits for whoever has one mail a day, as that is due; a hook of games (ON_DIGEST)."""
    _tell_all(list(Entrant.objects.exclude(to_tell="").filter(user=user).order_by("pk").values_list("pk", flat=True)))


def _tell_all(entrants: Iterable[int], most: int | None = None) -> int:
    """Tell these entrants, or the first so many of whom it does not fail; return how many."""
    known: Standings = {}
    told = 0
    for entrant_id in entrants:
        try:
            with transaction.atomic():
                _tell(entrant_id, known)
            told += 1
        except Exception:
            log.exception("tournament mail not written", entrant=entrant_id)
        if told == most:
            break
    return told


def _tell(entrant_id: int, known: Standings) -> None:
    readers = Entrant.objects.filter(pk=entrant_id, user__isnull=False).values_list("user", flat=True)
    sql.kept(User, [pk for pk in readers if pk])  # first, as whoever closes their account locks it first
    rows = Entrant.objects.select_for_update(skip_locked=True, of=("self",), no_key=True).exclude(to_tell="")
    entrant = rows.select_related("tournament", "user").filter(pk=entrant_id).first()
    if entrant is None:
        return
    news, reader = NEWS(entrant.to_tell), entrant.user
    entrant.to_tell = ""
    entrant.save(update_fields=["to_tell"])
    if reader is None or not news_mail.is_wanted(reader, TOPIC):
        return
    facts = _facts(news, entrant, known)
    if facts is not None:
        write(reader, f"competitions/mail/{news}", entrant.tournament, facts)


def write(reader: User, base: str, tournament: Tournament, facts: dict[str, Any]) -> None:
    """Queue a mail about a tournament, which tells how to turn such mails off."""
    context = {
        "tournament": tournament,
        "address": urljoin(settings.SITE_URL, reverse("tournament", args=[tournament.pk])),
        "game_slug": tournament.game_slug,
    }
    news_mail.write(reader, base, TOPIC, context | facts)


def _facts(news: Entrant.News, entrant: Entrant, known: Standings) -> dict[str, Any] | None:
    """Return what the mail of this kind says beside the tournament's name and address; None: it is true no more."""
    if news == NEWS.OVER:
        return _end_of(entrant, known)
    if news == NEWS.CANCELLED:
        return _cancelled(entrant.tournament)
    if news == NEWS.REMOVED:
        return _removed(entrant)
    if news == NEWS.REPLACING:
        return _replacing(entrant)
    return _last_day(entrant)


def _end_of(entrant: Entrant, known: Standings) -> dict[str, Any] | None:
    tournament = entrant.tournament
    if tournament.state != Tournament.State.OVER:
        return None
    if tournament.pk not in known:
        people, results = queries.everybody(tournament), queries.results_of(tournament)
        known[tournament.pk] = standings(queries.plan_of(tournament), people, results)
    lines = known[tournament.pk]
    own = next((line.place for line in lines if line.number == entrant.number), None)
    first = Entrant.objects.select_related("user").filter(tournament=tournament, number=lines[0].number).first()
    return {"place": own, "of": len(lines), "winner": first.user.username if first and first.user else ""}


def _cancelled(tournament: Tournament) -> dict[str, Any]:
    last = Correction.objects.filter(tournament=tournament, kind=Correction.Kind.CANCELLED).last()
    return _why(tournament, last)


def _why(tournament: Tournament, last: Correction | None) -> dict[str, Any]:
    """Return with which reason something was done, and by whom."""
    by = last.by_id if last else None
    return {
        "reason": " ".join(last.reason.split()) if last else "",  # no line of it may look like one of ours
        "by_organiser": by is not None and by == tournament.organiser_id,
        "by_moderator": by is not None and by != tournament.organiser_id,
    }


def _removed(entrant: Entrant) -> dict[str, Any] | None:
    if entrant.left != Entrant.Left.REMOVED:
        return None
    return _why(entrant.tournament, Correction.objects.filter(entrant=entrant, kind=Correction.Kind.LEFT).last())


def _replacing(entrant: Entrant) -> dict[str, Any] | None:
    """Return in whose place the entrant takes part, and from which round on; None: they do not any more."""
    tournament, kind = entrant.tournament, Correction.Kind.REPLACED
    found = Correction.objects.filter(tournament=tournament, instead=entrant, kind=kind)
    done = found.select_related("entrant__user").last()
    if done is None or entrant.left or tournament.state != Tournament.State.RUNNING:
        return None
    gone = done.entrant.user if done.entrant else None
    return {
        **_why(tournament, done),
        "gone": gone.username if gone else "",
        "first": 1 + Round.objects.filter(tournament=tournament, drawn_at__lte=done.at).count(),
    }


def _last_day(entrant: Entrant) -> dict[str, Any] | None:
    """Return the table at which the entrant is still to move in a round that ends; None: they are not any more."""
    asked = {"table__match__seats__ask__isnull": False, "table__match__seats__user": entrant.user_id}
    running = {"table__state": Table.State.RUNNING, "round__ended_at": None, "round__ends_at__gt": clock.now()}
    places = Place.objects.filter(entrant=entrant, entrant__left="", **running, **asked)
    place = places.select_related("round", "table").order_by("pk").last()
    if place is None:
        return None
    match_url = urljoin(settings.SITE_URL, reverse("match", args=[place.table.match_id]))
    return {"round": place.round, "table": place.table, "match_url": match_url}


def told_of(match: Match, user: User) -> str:
    """Return of which tournament, round and table a match is; "" of none. A hook of games (MAIL_OF_MATCH)."""
    table = Table.objects.select_related("round__tournament").filter(match=match).first()
    if table is None:
        return ""
    words = {"name": table.round.tournament.name, "round": table.round.number, "table": table.number}
    return _("Tournament: %(name)s, round %(round)d, table %(table)d.") % words
