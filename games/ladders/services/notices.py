"""Mails of ladders: noted with their cause, written in runs, each once (spec: ladders.md)."""

from collections.abc import Iterable
from typing import Any
from urllib.parse import urljoin

import structlog
from django.conf import settings
from django.db import transaction
from django.urls import reverse
from django.utils.functional import lazy
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.services import visits
from config.lib import clock, sql
from games.clocks import to_ms
from games.clocks import until as until_words
from games.ladders import queries
from games.ladders.models import Challenge, News
from games.ladders.services.challenging import FREE_DECLINE, costs
from games.models import Match
from games.services.mail import news as news_mail

log = structlog.get_logger(__name__)
TOPIC = "ladder"
BATCH = 100  # mails in a run
ABOUT_OPEN = (News.Kind.CHALLENGED, News.Kind.LAST_DAY)  # true only while the challenge is open
lazy_until = lazy(until_words, str)  # in the reader's language and time zone


def send_due() -> int:
    """Write the mails that were noted, each once; return how many were seen to.

    Quiet hours are kept and whoever is on the site is left alone meanwhile; whoever has one mail a day is told when
    that is due (`tell_member`).
    """
    now, found = clock.now(), list(News.objects.order_by("pk").select_related("climber__user"))
    readers = {one.pk: one.climber.user for one in found}
    seen = visits.last(reader.pk for reader in readers.values() if reader)
    due = [pk for pk, one in readers.items() if one is None or news_mail.may_be_told(one, seen.get(one.pk), now)][
        :BATCH
    ]
    _tell_all(due)
    return len(due)


def tell_member(user: User) -> None:
    """Write what waits for whoever has one mail a day, as that is due; a hook of games (ON_DIGEST)."""
    _tell_all(News.objects.filter(climber__user=user).order_by("pk").values_list("pk", flat=True))


def _tell_all(news: Iterable[int]) -> None:
    for news_id in list(news):
        try:
            with transaction.atomic():
                _tell(news_id)
        except Exception:
            log.exception("mail of a ladder not written", news=news_id)


def _tell(news_id: int) -> None:
    readers = News.objects.filter(pk=news_id).values_list("climber__user", flat=True)
    sql.kept(User, [pk for pk in readers if pk])  # first, as whoever closes their account locks it first
    rows = News.objects.select_for_update(skip_locked=True, of=("self",), no_key=True)
    news = rows.select_related("climber__ladder", "climber__user").filter(pk=news_id).first()
    if news is None:
        return
    news.delete()
    reader, challenge = news.climber.user, _challenge_of(news)
    if reader is None or not news_mail.is_wanted(reader, TOPIC):
        return
    if news.kind in ABOUT_OPEN and (challenge is None or challenge.state != Challenge.State.OPEN):
        return
    news_mail.write(reader, "ladders/mail/news", TOPIC, _facts(news, challenge))


def _challenge_of(news: News) -> Challenge | None:
    rows = Challenge.objects.select_related("challenger__user", "challenged__user")
    return rows.filter(pk=news.challenge_id or 0).first()


def _facts(news: News, challenge: Challenge | None) -> dict[str, Any]:
    """Return what the mail says."""
    ladder = news.climber.ladder
    facts: dict[str, Any] = {
        "news": news.kind,
        "game": ladder.game_name,
        "game_slug": ladder.game_slug,
        "place": news.climber.place or 0,
        "address": urljoin(settings.SITE_URL, reverse("ladder-me", args=[ladder.game_slug])),
    }
    if challenge is not None:
        free = queries.declines_freely(challenge.challenged, clock.now(), FREE_DECLINE)
        facts["challenger"] = queries.called(challenge.challenger)
        facts["challenged"] = queries.called(challenge.challenged)
        facts["answer_by"] = lazy_until(to_ms(queries.ends_at(challenge)))
        facts["free"] = free or not costs(challenge)
    return facts


def told_of(match: Match, user: User) -> str:
    """Return of whose challenge on a ladder a match is; "" of none. A hook of games (MAIL_OF_MATCH)."""
    challenge = queries.challenge_of(match)
    if challenge is None or challenge.challenger.user is None:
        return ""
    words = {"game": challenge.ladder.game_name, "name": challenge.challenger.user.username}
    if match.status == Match.Status.ENDED:
        return _("It was a match of the ladder of %(game)s.") % words
    if challenge.challenger.user_id == user.pk:
        return _("Ladder of %(game)s: you challenged. If you win, you take the other’s place.") % words
    return _("Ladder of %(game)s: %(name)s challenged, and takes your place by a win.") % words
