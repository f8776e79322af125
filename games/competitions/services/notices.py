"""Mails of tournaments: noted with their cause, written in runs, each once (spec: tournaments.md, Notices)."""

from collections.abc import Callable, Iterable
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
from games.competitions.models import Correction, Entrant, Offer, Place, Round, Table, Tournament
from games.competitions.pairing import Line, standings
from games.models import Match
from games.services.mail import news as news_mail

log = structlog.get_logger(__name__)
TOPIC = "tournament"
BATCH = 100  # mails in a run
NEWS = Entrant.News
Standings = dict[int, list[Line]]  # by tournament: of a run of mails, calculated once


def tell_over(tournament: Tournament) -> None:
    """Note that all who take part or took part are told that it is over, and its organiser."""
    took_part = queries.who_took_part(tournament).filter(user__isnull=False)
    Entrant.objects.filter(pk__in=took_part.values("pk")).update(to_tell=NEWS.OVER)
    if not took_part.filter(user=tournament.organiser_id).exists():
        _tell_organiser(tournament, Tournament.News.OVER)


def tell_cancelled(tournament: Tournament, by: User | None) -> None:
    """Note that all who take part are told that it was cancelled, and its organiser, unless it was they."""
    _takes_part(tournament).update(to_tell=NEWS.CANCELLED)
    is_told = _takes_part(tournament).filter(user=tournament.organiser_id).exists()
    if not is_told and (by is None or by.pk != tournament.organiser_id):
        _tell_organiser(tournament, Tournament.News.CANCELLED)


def _tell_organiser(tournament: Tournament, news: Tournament.News) -> None:
    Tournament.objects.filter(pk=tournament.pk, organiser__isnull=False).update(to_tell=news)


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


Telling = tuple[User | None, str, int]  # whom, by which of TELLERS, about which row


def send_due() -> int:
    """Write the mails that were noted, each once; return how many were seen to.

    Quiet hours are kept and whoever is on the site is left alone meanwhile; whoever has one mail a day is told when
    that is due (`tell_member`).
    """
    now, found = clock.now(), _noted()
    seen = visits.last(user.pk for user, *_row in found if user)
    return _tell_all(
        (one for one in found if one[0] is None or news_mail.may_be_told(one[0], seen.get(one[0].pk), now)), BATCH
    )


def tell_member(user: User) -> None:
    """Write what waits for whoever has one mail a day, as that is due; a hook of games (ON_DIGEST)."""
    _tell_all(_noted(user))


def _noted(user: User | None = None) -> list[Telling]:
    """Return the mails that were noted, of one member or all."""
    entrants = Entrant.objects.exclude(to_tell="").select_related("user").order_by("pk")
    organised = Tournament.objects.exclude(to_tell="").select_related("organiser").order_by("pk")
    offers = Offer.objects.filter(to_tell=True).select_related("user").order_by("pk")
    if user is not None:
        entrants, organised, offers = (
            entrants.filter(user=user),
            organised.filter(organiser=user),
            offers.filter(user=user),
        )
    return [
        *((one.user, "entrant", one.pk) for one in entrants),
        *((one.organiser, "organiser", one.pk) for one in organised),
        *((one.user, "offer", one.pk) for one in offers),
    ]


def _tell_all(tellings: Iterable[Telling], most: int | None = None) -> int:
    """Tell all of these, or the first so many of which it does not fail; return how many."""
    known: Standings = {}
    told = 0
    for reader, kind, pk in tellings:
        try:
            with transaction.atomic():
                sql.kept(User, [reader.pk] if reader else [])  # first, as whoever closes their account locks it first
                TELLERS[kind](pk, known)
            told += 1
        except Exception:
            log.exception("tournament mail not written", kind=kind, row=pk)
        if told == most:
            break
    return told


def _tell_entrant(entrant_id: int, known: Standings) -> None:
    rows = Entrant.objects.select_for_update(skip_locked=True, of=("self",), no_key=True).exclude(to_tell="")
    entrant = rows.select_related("tournament", "user").filter(pk=entrant_id).first()
    if entrant is None:
        return
    news, entrant.to_tell = NEWS(entrant.to_tell), ""
    entrant.save(update_fields=["to_tell"])
    if entrant.user is not None and news_mail.is_wanted(entrant.user, TOPIC):
        facts = _facts(news, entrant, known)
        if facts is not None:
            write(entrant.user, f"competitions/mail/{news}", entrant.tournament, facts)


def _tell_of_own(tournament_id: int, known: Standings) -> None:
    """Tell an organiser who does not take part how their tournament ended."""
    rows = Tournament.objects.select_for_update(skip_locked=True, of=("self",), no_key=True).exclude(to_tell="")
    tournament = rows.select_related("organiser").filter(pk=tournament_id).first()
    if tournament is None:
        return
    news, tournament.to_tell = tournament.to_tell, ""
    tournament.save(update_fields=["to_tell"])
    if tournament.organiser is None or not news_mail.is_wanted(tournament.organiser, TOPIC):
        return
    facts = _end_of(tournament, None, known) if news == Tournament.News.OVER else _cancelled(tournament)
    if facts is not None:
        write(tournament.organiser, f"competitions/mail/{news}", tournament, facts | {"organises": True})


def _tell_of_offer(offer_id: int, known: Standings) -> None:
    """Ask somebody whether they take a place, unless they have answered, or it has lapsed."""
    rows = Offer.objects.select_for_update(skip_locked=True, of=("self",), no_key=True).filter(to_tell=True)
    offer = rows.select_related("tournament", "user", "entrant__user").filter(pk=offer_id).first()
    if offer is None:
        return
    offer.to_tell = False
    offer.save(update_fields=["to_tell"])
    if offer.state == Offer.State.OPEN and news_mail.is_wanted(offer.user, TOPIC):
        write(offer.user, "competitions/mail/offered", offer.tournament, _offered(offer))


TELLERS: dict[str, Callable[[int, Standings], None]] = {
    "entrant": _tell_entrant,
    "organiser": _tell_of_own,
    "offer": _tell_of_offer,
}


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
        return _end_of(entrant.tournament, entrant.number, known)
    if news == NEWS.CANCELLED:
        return _cancelled(entrant.tournament)
    if news == NEWS.REMOVED:
        return _removed(entrant)
    return _last_day(entrant)


def _end_of(tournament: Tournament, number: int | None, known: Standings) -> dict[str, Any] | None:
    """Return how a tournament ended, and how the entrant of this number came out, if there is one; None: it did not."""
    if tournament.state != Tournament.State.OVER:
        return None
    if tournament.pk not in known:
        people, results = queries.everybody(tournament), queries.results_of(tournament)
        known[tournament.pk] = standings(queries.plan_of(tournament), people, results)
    lines = known[tournament.pk]
    own = next((line.place for line in lines if line.number == number), None)
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


def _offered(offer: Offer) -> dict[str, Any]:
    """Return whose place somebody is asked to take, by whom and why, and from which round on."""
    tournament, gone = offer.tournament, offer.entrant.user
    return {
        "reason": " ".join(offer.reason.split()),
        "by_organiser": offer.by_id == tournament.organiser_id,
        "gone": gone.username if gone else "",
        "first": 1 + Round.objects.filter(tournament=tournament).count(),
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
