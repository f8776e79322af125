"""The contents of a mail, composed when it is sent, from what is true then and as its reader may see it."""

from collections.abc import Iterable
from datetime import UTC
from email.utils import format_datetime
from typing import Any
from urllib.parse import urljoin, urlsplit

from django.conf import settings
from django.core.mail import EmailMultiAlternatives
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.module_loading import import_string
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.models import User
from config.lib import clock, sql, time_zones
from config.lib.formats import listing
from config.lib.mail_rendering import render_mail as put_in_words
from games import questions
from games.models import TOPIC_OF, ChatLine, Kind, Mail, Match, Notice, unheard
from games.queries import play
from games.queries.readable import each
from games.services.chat import mentions
from games.services.mail import relevance, reply_answers, telling, unsubscribing, wording
from games.services.mail.notices import heard_of
from games.table import headline, name_and_badge

Contents = tuple[tuple[int, ...], tuple[tuple[int, int], ...]]


@sql.snapshot()
def contents_of(mail: Mail) -> Contents:
    """Return what this mail would contain now: true notices, a digest's questions, or itself if finished."""
    if mail.expires_at is not None:
        return ((mail.pk,) if mail.expires_at > clock.now() else ()), ()
    user = User.objects.get(mails=mail)
    if not user.email or user.mail_broken_at or not user.is_active:
        return (), ()
    notices = heard_of(Notice.objects.filter(mail_id=mail.pk).select_related("match").order_by("pk"))
    true = tuple(n.pk for n in notices if TOPIC_OF[n.kind] not in user.topics_off and relevance.is_relevant(n))
    if mail.kind != "digest" or "turn" in user.topics_off:
        return true, ()
    asked = play.my_turns(user).filter(ask__isnull=False).exclude(notices__in=unheard(Kind.TURN))
    return true, tuple((seat.match_id, seat.ask or 0) for seat in asked)


def compose(mail: Mail, told: Contents) -> EmailMultiAlternatives | None:
    """Return the mail; None when nothing in it is true any more. Outdated notices are deleted."""
    if mail.kind == reply_answers.KIND:
        fields = reply_answers.written(mail) if any(told) else None
        return _mail(mail, **fields) if fields else None
    _forget_all_but(mail, told)
    if not any(told):
        return None
    if mail.message is not None:
        return _mail(mail, **mail.message)
    user = User.objects.get(mails=mail)
    with translation.override(user.language), timezone.override(time_zones.zone(user.time_zone) or UTC):
        return _message(mail, user, told)


def _forget_all_but(mail: Mail, told: Contents) -> None:
    """Delete this mail's other notices; true and unread ones are kept for the pages."""
    others = Notice.objects.filter(mail_id=mail.pk).exclude(pk__in=told[0])
    unread = others.filter(unread=True).select_related("match", "user")
    others.filter(pk__in=[notice.pk for notice in unread if relevance.is_relevant(notice)]).update(mail=None)
    others.delete()


@sql.snapshot()
def _message(mail: Mail, user: User, told: Contents) -> EmailMultiAlternatives:
    notices = list(Notice.objects.filter(pk__in=told[0]).order_by("pk"))
    order = dict.fromkeys([*(n.match_id for n in notices), *(match_id for match_id, _ask in told[1])])
    items = sorted(
        _items(order, user, notices, mail.pk), key=lambda item: not item["asked"]
    )  # what is asked comes first
    digest = mail.kind == "digest"
    topics = list(unsubscribing.ALL) if digest else sorted({TOPIC_OF[n.kind] for n in notices})
    off = urljoin(settings.SITE_URL, reverse("mails-off", args=[unsubscribing.token(user.pk, topics)]))
    more = 0 if digest else play.my_turns(user).count() - sum(item["asked"] for item in items)
    context = {
        "reader": user,
        "items": items,
        "one": items[0] if len(items) == 1 else None,
        "digest": digest,
        "game_slug": items[0]["slug"] if len(items) == 1 else "",
        "topics": topics,
        "off_url": off,
        "settings_url": urljoin(settings.SITE_URL, reverse("mail-settings")),
        "home_url": urljoin(settings.SITE_URL, "/"),
        "more": _more(more),
        "subject": _subject(items, digest=digest),
    }
    subject, text, html = put_in_words("games/mail/mail", context)
    headers = _headers(mail, items, off)
    return _mail(mail, to=user.email, subject=subject, text=text, html=html, headers=headers)


def _mail(
    mail: Mail, *, to: str, subject: str, text: str, html: str, headers: dict[str, str]
) -> EmailMultiAlternatives:
    own = {"Message-ID": f"<{mail.message_id}@{_host()}>", "Date": format_datetime(clock.now())}
    message = EmailMultiAlternatives(subject, text, to=[to], headers=own | headers)
    message.attach_alternative(html, "text/html")
    return message


def _host() -> str:
    return (urlsplit(settings.SITE_URL).hostname or "localhost").lower()


def _more(number: int) -> str:
    if number < 1:
        return ""
    words = ngettext("%(n)d more match waits for you.", "%(n)d more matches wait for you.", number)
    return words % {"n": number}


def _subject(items: list[dict[str, Any]], *, digest: bool) -> str:
    """Return the subject: what happened in the first match, and of how many more the mail tells."""
    if digest:
        waiting = sum(item["asked"] for item in items)
        words = ngettext(
            "Your day at Club Y: %(n)d match waits for you", "Your day at Club Y: %(n)d matches wait for you", waiting
        )
        return words % {"n": waiting} if waiting else _("Your day at Club Y")
    if len(items) == 1:
        return str(items[0]["subject"])
    words = ngettext("%(subject)s (and %(n)d more match)", "%(subject)s (and %(n)d more matches)", len(items) - 1)
    return words % {"subject": items[0]["subject"], "n": len(items) - 1}


def _headers(mail: Mail, items: list[dict[str, Any]], off: str) -> dict[str, str]:
    headers = {
        "Auto-Submitted": "auto-generated",
        "List-Unsubscribe": f"<{off}>",
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
    }
    if mail.kind != "digest":  # of several matches, in the thread of the one that the subject tells of
        root = f"<match-{items[0]['id']}.member-{mail.user_id}@{_host()}>"
        headers |= {"In-Reply-To": root, "References": root}
    if len(items) == 1 and items[0]["reply"]:
        headers["Reply-To"] = items[0]["reply"]["address"]
    return headers


def _items(match_ids: Iterable[int], user: User, notices: list[Notice], mail_id: int) -> list[dict[str, Any]]:
    """Return what is told of each match that can be read; UnreadableMail if none can, so that the mail waits."""
    found = Match.objects.in_bulk(match_ids)
    items = each(
        [found[match_id] for match_id in match_ids if match_id in found],
        lambda match: _item(match.pk, user, [n for n in notices if n.match_id == match.pk], mail_id),
    )
    if found and not items:
        raise UnreadableMail
    return items


class UnreadableMail(Exception):
    """None of the matches of which a mail tells can be read now."""


def _item(match_id: int, user: User, notices: list[Notice], mail_id: int) -> dict[str, Any]:
    match, seats = play.match_and_seats(match_id)
    seat = next((seat for seat in seats if seat.user_id == user.pk), None)
    kinds = [Kind(notice.kind) for notice in notices]
    if Kind.REMINDER2 in kinds and Kind.REMINDER in kinds:
        kinds.remove(Kind.REMINDER)
    since = seat.seen if seat else None
    table = telling.table_since(match, seats, seat, since)
    asked = table["ask"] is not None
    lines = mentions.mention_lines(user, [n for n in notices if n.kind == Kind.MENTIONED])
    callers = dict.fromkeys(line.user.username for line in lines if line.user)
    hooks = settings.MAIL_AFTER_MATCH if Kind.ENDED in kinds else ()
    added = [import_string(path)(match, user) for path in hooks]
    belongs = settings.MAIL_OF_MATCH if {Kind.STARTED, Kind.ENDED} & set(kinds) else ()
    begun = match.status != Match.Status.OPEN and match.ending != Match.Ending.LAPSED
    figures = telling.figures(match, seats, seat, table, since) if begun else []
    sentences = [
        *(wording.sentence_of(kind, match, user) for kind in kinds if kind not in (Kind.TURN, Kind.MENTIONED)),
        *(_("%(name)s mentioned you in the chat.") % {"name": name} for name in callers),
        *filter(None, (import_string(path)(match, user) for path in belongs)),
    ]
    return {
        "id": match.pk,
        "name": match.title,
        "slug": match.game_slug,
        "url": urljoin(settings.SITE_URL, _address(match, kinds)),
        "asked": asked,
        "kinds": kinds,
        "subject": wording.subject_of(match, user, seats, table, kinds, said="".join(sentences[:1])),
        "sentences": sentences,
        "said": [_quoted(line) for line in lines[-telling.MOST :]],
        "headline": headline(table) if begun else "",
        "ended": match.status == Match.Status.ENDED,
        "rating": [str(words) for words in added if words],
        "deadline": telling.deadline(seat) if asked and seat else "",
        "story": telling.story(table),
        "reply": reply_answers.ways(table, user),
        "question": questions.question_of(table),
        "answers": telling.answers(user, match, seat, table, kinds=kinds, mail_id=mail_id),
        "figures": figures,
        "facts": wording.facts_of(match) if Kind.INVITED in kinds else [],
        "others": listing(name_and_badge(other) for other in seats if other is not seat and not other.is_free),
    }


def _quoted(line: ChatLine) -> dict[str, str]:
    name = line.user.username if line.user else ""
    quote = f"{name}\n{line.text}".replace("\n", "\n> ")  # no line of it may look like one of ours
    return {"name": name, "text": line.text, "quote": f"> {quote}"}


def _address(match: Match, kinds: list[Kind]) -> str:
    if match.ending == Match.Ending.LAPSED:
        return f"{reverse('new-match')}?game={match.game_slug}"
    anchor = "#chat" if kinds and all(kind in (Kind.MENTIONED, Kind.SAID) for kind in kinds) else ""
    return reverse("match", args=[match.pk]) + anchor
