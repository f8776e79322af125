"""Mails of circles of friends: that one is asked, that the weekly table pauses; each once (spec: clubs.md)."""

from urllib.parse import urljoin

from django.conf import settings
from django.urls import reverse
from django.utils.translation import gettext as _

from accounts.models import User
from config.lib import sql
from games.clubs import circles
from games.clubs.models import CircleNews
from games.models import Match
from games.services.mail import news as news_mail

TOPIC = "club"


def send_due() -> int:
    """Write the mails that were noted, each once; return how many were seen to."""
    return news_mail.write_due(CircleNews.objects.all(), _tell)


def tell_member(user: User) -> None:
    """Write what waits for whoever has one mail a day, as that is due; a hook of games (ON_DIGEST)."""
    rows = CircleNews.objects.filter(user=user).order_by("pk")
    news_mail.write_each(list(rows.values_list("pk", flat=True)), _tell)


def _tell(news_id: int) -> None:
    sql.kept(User, CircleNews.objects.filter(pk=news_id).values_list("user", flat=True))  # as who closes it does
    rows = CircleNews.objects.select_for_update(skip_locked=True, of=("self",), no_key=True)
    news = rows.select_related("user", "circle").filter(pk=news_id).first()
    if news is None:
        return
    news.delete()
    row = circles.row_of(news.circle, news.user)
    if row is None or row.accepted == (news.kind == CircleNews.Kind.ASKED):
        return
    if not news_mail.is_wanted(news.user, TOPIC):
        return
    maker = news.circle.maker
    facts = {
        "news": news.kind,
        "circle": news.circle.name,
        "maker": maker.username if maker else _("former member"),
        "game": news.circle.game_name,
        "game_slug": news.circle.game_slug,
        "address": urljoin(settings.SITE_URL, reverse("friends", args=[news.circle_id])),
    }
    news_mail.write(news.user, "games/clubs/mail/circle", TOPIC, facts)


def host_of(match: Match) -> str:
    """Return in whose name a table that nobody opened invites: a circle's; "" of any other. A hook (HOST_OF_MATCH)."""
    circle = circles.of_match(match)
    return _("Your circle “%(name)s”") % {"name": circle.name} if circle is not None else ""
