"""Mails of club matches: noted with their cause, written in runs, each once (spec: clubs.md)."""

from collections.abc import Iterable
from fractions import Fraction
from typing import Any
from urllib.parse import urljoin

from django.conf import settings
from django.urls import reverse
from django.utils.functional import lazy
from django.utils.translation import gettext as _

from accounts.models import User
from config.lib import sql
from config.lib.formats import number
from games import broadcast
from games.clocks import when
from games.clubs import encounters
from games.clubs.models import Encounter, EncounterNews
from games.models import Match
from games.services.mail import news as news_mail

TOPIC = "club"
STATE, KIND = Encounter.State, EncounterNews.Kind
TRUE_IN = {  # what is told is true only while the encounter stands so
    KIND.CHALLENGED: STATE.OFFERED,
    KIND.ACCEPTED: STATE.ACCEPTED,
    KIND.LAST_DAY: STATE.ACCEPTED,
    KIND.OVER: STATE.OVER,
}
lazy_score = lazy(encounters.score, str)
lazy_when = lazy(when, str)  # in the reader's language and time zone


def tell(encounter: Encounter, kind: EncounterNews.Kind, members: Iterable[int]) -> None:
    """Note that these members are told this of a locked encounter; whoever is to be told already, once."""
    known = sql.kept(User, members)
    rows = [EncounterNews(encounter=encounter, user_id=member, kind=kind) for member in sorted(known)]
    EncounterNews.objects.bulk_create(rows, ignore_conflicts=True)
    broadcast.clubs_waiting()


def forget(encounter: Encounter, kind: EncounterNews.Kind) -> None:
    """Let nobody be told this any more."""
    EncounterNews.objects.filter(encounter=encounter, kind=kind).delete()


def send_due() -> int:
    """Write the mails that were noted, each once; return how many were seen to."""
    return news_mail.write_due(EncounterNews.objects.all(), _tell)


def tell_member(user: User) -> None:
    """Write what waits for whoever has one mail a day, as that is due; a hook of games (ON_DIGEST)."""
    rows = EncounterNews.objects.filter(user=user).order_by("pk")
    news_mail.write_each(list(rows.values_list("pk", flat=True)), _tell)


def _tell(news_id: int) -> None:
    sql.kept(User, EncounterNews.objects.filter(pk=news_id).values_list("user", flat=True))  # as who closes it does
    rows = EncounterNews.objects.select_for_update(skip_locked=True, of=("self",), no_key=True)
    news = rows.select_related("user").filter(pk=news_id).first()
    if news is None:
        return
    news.delete()
    encounter = encounters.found(news.encounter_id)
    if encounter is None or not news_mail.is_wanted(news.user, TOPIC):
        return
    kind = KIND(news.kind)
    if encounter.state == TRUE_IN.get(kind, encounter.state) and encounters.may_see(encounter, news.user):
        news_mail.write(news.user, "games/clubs/mail/encounter", TOPIC, _facts(kind, encounter, news.user))


def _facts(kind: EncounterNews.Kind, encounter: Encounter, reader: User) -> dict[str, Any]:
    """Return what the mail says; `own` and `other` are the clubs as the reader sees them."""
    names = encounters.names(encounter)
    sides = encounters.sides_of(encounter, reader) or list(
        encounter.lineup.filter(user=reader).values_list("side", flat=True)
    )
    side = sides[0] if sides else 0
    sums = encounters.final(encounter) or (Fraction(), Fraction())
    return {
        "news": kind.value,
        "own": names[side],
        "other": names[1 - side],
        "game": encounter.game_name,
        "game_slug": encounter.game_slug,
        "begins": lazy_when(encounter.begins_at),
        "playing": sum(1 for _row in encounters.said_yes(encounter, side)),
        "score": lazy_score(sums[side], sums[1 - side]),
        "own_points": sums[side],
        "other_points": sums[1 - side],
        "address": urljoin(settings.SITE_URL, reverse("club-match", args=[encounter.pk])),
    }


def told_of(match: Match, user: User) -> str:
    """Return of which club match, and at which table, a match is; "" of none. A hook of games (MAIL_OF_MATCH)."""
    board = encounters.of_match(match)
    if board is None:
        return ""
    first, second = encounters.names(board.encounter)
    words = {"first": first, "second": second, "table": number(board.number)}
    if match.status == Match.Status.ENDED:
        return _("It was table %(table)s of the club match %(first)s – %(second)s.") % words
    return _("Club match %(first)s – %(second)s: this is table %(table)s.") % words
