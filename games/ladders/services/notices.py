"""Mails of ladders: noted with their cause, written in runs, each once (spec: ladders.md)."""

from typing import Any
from urllib.parse import urljoin

import structlog
from django.conf import settings
from django.db import transaction
from django.urls import reverse
from django.utils.functional import lazy

from accounts.models import User
from accounts.services.mail import send_to
from config.lib import clock
from games.clocks import times_of, to_ms
from games.clocks import until as until_words
from games.ladders import queries
from games.ladders.models import Challenge, News
from games.ladders.services.challenging import FREE_DECLINE, costs
from games.services.mail import unsubscribing

log = structlog.get_logger(__name__)
TOPIC = "ladder"
BATCH = 100  # mails in a run
lazy_until = lazy(until_words, str)  # in the reader's language and time zone
ABOUT_OPEN = (News.Kind.CHALLENGED, News.Kind.LAST_DAY)  # true only while the challenge is open


def send_due() -> int:
    """Write the mails that were noted, each once, but to nobody in their quiet hours; return how many were seen to."""
    seen_to = 0
    rows = News.objects.order_by("pk").select_related("climber__user")
    for news in rows.iterator(chunk_size=BATCH):
        if seen_to == BATCH:
            break
        reader = news.climber.user
        if reader is not None and times_of(reader).is_quiet(clock.now()):
            continue
        try:
            with transaction.atomic():
                seen_to += _tell(news.pk, news.climber.user_id)
        except Exception:
            log.exception("mail of a ladder not written", news=news.pk)
    return seen_to


def _tell(news_id: int, user_id: int | None) -> bool:
    """Write a mail, unless another worker does; return whether it is done. The reader is locked first."""
    readers = User.objects.select_for_update(no_key=True, skip_locked=True)
    reader = readers.filter(pk=user_id).first() if user_id else None
    if user_id and reader is None:
        return False
    rows = News.objects.select_for_update(skip_locked=True, of=("self",), no_key=True)
    news = rows.select_related("climber__ladder").filter(pk=news_id).first()
    if news is None:
        return False
    news.delete()
    if reader is None or not reader.is_active or not reader.is_confirmed or TOPIC in reader.topics_off:
        return True
    challenge = _challenge_of(news)
    if news.kind in ABOUT_OPEN and (challenge is None or challenge.state != Challenge.State.OPEN):
        return True
    send_to(reader, "ladders/mail/news", _facts(reader, news, challenge), kind=TOPIC)
    return True


def _challenge_of(news: News) -> Challenge | None:
    rows = Challenge.objects.select_related("challenger__user", "challenged__user")
    return rows.filter(pk=news.challenge_id).first()


def _facts(reader: User, news: News, challenge: Challenge | None) -> dict[str, Any]:
    """Return what the mail says."""
    slug = news.climber.ladder.game_slug
    facts: dict[str, Any] = {
        "news": news.kind,
        "game": news.climber.ladder.game_name,
        "place": news.climber.place,
        "address": urljoin(settings.SITE_URL, reverse("ladder-me", args=[slug])),
        "off_url": urljoin(settings.SITE_URL, reverse("mails-off", args=[unsubscribing.token(reader.pk, [TOPIC])])),
    }
    if challenge is not None:
        facts["challenger"], facts["challenged"] = challenge.challenger.user, challenge.challenged.user
        facts["answer_by"] = lazy_until(to_ms(queries.ends_at(challenge)))
        free = queries.declines_freely(challenge.challenged, clock.now(), FREE_DECLINE)
        facts["free"] = free or not costs(challenge)
    return facts
