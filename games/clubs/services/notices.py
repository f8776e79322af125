"""Mails of clubs: noted with their cause, written in runs, each once (spec: clubs.md)."""

from collections.abc import Iterable
from typing import Any
from urllib.parse import urljoin

from django.conf import settings
from django.urls import reverse

from accounts.models import User
from config.lib import sql
from games.clubs.models import News
from games.models import ChatLine, Club, Membership
from games.queries.clubs import lines_open_to, membership
from games.services.mail import news as news_mail

TOPIC = "club"
Kind, State = News.Kind, Membership.State
STILL = {  # what its reader must still be for a mail to be true
    Kind.INVITED: State.INVITED,
    Kind.LET_IN: State.IN,
    Kind.ASKED: State.IN,
    Kind.OWNER: State.IN,
    Kind.ORGANISER: State.IN,
    Kind.MENTIONED: State.IN,
}


def note(club: Club, kind: str, people: Iterable[int], *, by: User | None = None, line: ChatLine | None = None) -> None:
    """Note what these people are to be mailed of a club, unless the same waits for them already.

    In the transaction of its cause; who has closed their account meanwhile is left out.
    """
    wanted = set(people)
    there = sql.kept(User, {*wanted, *([by.pk] if by is not None else [])})
    facts = {"club": club, "kind": kind, "name": club.name, "line": line and line.pk}
    facts["by"] = by if by is not None and by.pk in there else None
    rows = [News(user_id=number, **facts) for number in sorted(wanted & there)]
    News.objects.bulk_create(rows, ignore_conflicts=True)


def forget(club: Club, user_id: int, *kinds: str) -> None:
    """Drop what is no longer true before it was mailed."""
    News.objects.filter(club=club, user=user_id, kind__in=kinds).delete()


def send_due() -> int:
    """Write the mails that were noted, each once; return how many were seen to."""
    return news_mail.write_due(News.objects.filter(told=False), _tell)


def tell_member(user: User) -> None:
    """Write what waits for whoever has one mail a day, as that is due; a hook of games (ON_DIGEST)."""
    rows = News.objects.filter(user=user, told=False).order_by("pk")
    news_mail.write_each(list(rows.values_list("pk", flat=True)), _tell)


def _tell(news_id: int) -> None:
    sql.kept(User, News.objects.filter(pk=news_id).values_list("user", flat=True))  # as whoever closes locks it first
    rows = News.objects.select_for_update(skip_locked=True, of=("self",), no_key=True)
    news = rows.select_related("club", "user", "by").filter(pk=news_id, told=False).first()
    if news is None:
        return
    wanted = news_mail.is_wanted(news.user, TOPIC) and is_true(news)
    if wanted and news.kind == Kind.MENTIONED:  # stays until they have read
        news.told = True
        news.save(update_fields=["told"])
    else:
        news.delete()
    if wanted:
        news_mail.write(news.user, "games/clubs/mail/news", TOPIC, _facts(news))


def is_true(news: News) -> bool:
    """Return whether what was noted is so still."""
    if news.kind == Kind.DISSOLVED:
        return True
    if news.club is None:
        return False
    now = membership(news.club_id, news.user)
    if news.kind in STILL and (now is None or now.state != STILL[Kind(news.kind)]):
        return False
    if news.kind == Kind.REFUSED:
        return now is None  # else they have asked again, or come another way
    if now is not None and news.kind == Kind.ASKED:
        return now.organises and news.club.memberships.filter(state=State.ASKED).exists()
    if now is not None and news.kind in (Kind.OWNER, Kind.ORGANISER):
        return now.role == news.kind
    if now is not None and news.kind == Kind.MENTIONED:
        return now.seen < (news.line or 0) and lines_open_to(news.user).filter(pk=news.line or 0).exists()
    return True


def _facts(news: News) -> dict[str, Any]:
    """Return what the mail says; a club that its reader no longer sees has no address."""
    club, page = news.club, reverse("clubs")
    if club is not None and (club.is_listed or news.kind not in (Kind.REFUSED, Kind.REMOVED)):
        page = reverse("club-chat" if news.kind == Kind.MENTIONED else "club", args=[club.pk])
    line = ChatLine.objects.filter(pk=news.line or 0).first() if news.kind == Kind.MENTIONED else None
    return {
        "news": news.kind,
        "club": club.name if club is not None else news.name,
        "by": news.by.username if news.by is not None else "",
        "said": line.text if line is not None else "",
        "address": urljoin(settings.SITE_URL, page),
    }
