"""What a member is told about answering by mail: at the foot of a turn's mail, and in the answer to a reply."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, timedelta
from email.message import Message
from typing import Any
from urllib.parse import urljoin, urlsplit

from django.conf import settings
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from accounts.models import User
from config.lib import clock, sql, time_zones
from config.lib.formats import listing
from config.lib.mail_rendering import render_mail
from games import broadcast, questions
from games.models import REPLIES_OFF, Kind, Mail, Match, Notice, Reply, Seat
from games.queries import play
from games.rules import grammar
from games.services.mail import reply_address, telling
from games.services.mail.notices import written as report_written
from games.table import Table, headline

KIND = "reply"
ANSWERED_FOR = timedelta(days=1)  # an answer that leaves later is none

Outcome = Reply.Outcome


@contextmanager
def written_to(user: User) -> Iterator[None]:
    """Put what is said into the language and the time zone of this member."""
    with translation.override(user.language), timezone.override(time_zones.zone(user.time_zone) or UTC):
        yield


def ways(table: Table, user: User) -> dict[str, Any] | None:
    """Return how this member may answer by mail what a table asks them: the `address`, and what one may `say`.

    None where replies are off, for the site or for them, or the game has no words for it.
    """
    known = grammar(table["game"], table["rules"])
    if not reply_address.is_on() or REPLIES_OFF in user.mail_off or table["ask"] is None or known is None:
        return None
    names = [seat["name"] for seat in table["seats"]]
    language = (get_language() or "en")[:2]
    said = known.say(table["view"], names)
    phrases = said.get(language, said["en"])
    if not phrases:
        return None
    return {"address": reply_address.address_for(user, table["id"], table["ask"]), "say": phrases}


def is_ours(mail: Message) -> bool:
    """Return whether this site wrote the mail itself: it came back."""
    return str(mail.get("Message-ID", "")).strip().lower().endswith(f"@{_host()}>")


def _host() -> str:
    return (urlsplit(settings.SITE_URL).hostname or "localhost").lower()


def queue(reply: Reply) -> Mail:
    """Queue the answer to a reply, in the transaction that notes it; the question that it tells counts as mailed."""
    expires_at = clock.now() + ANSWERED_FOR
    mail = Mail.objects.create(user=reply.user, match_id=reply.match_id, kind=KIND, expires_at=expires_at)
    report_written(mail)
    asked = Seat.objects.filter(match_id=reply.match_id, user=reply.user, ask__isnull=False, bot="")
    if reply.outcome == Outcome.FORGED:  # which tells no question
        asked = asked.none()
    notices = [
        Notice(user=reply.user, match_id=reply.match_id, kind=Kind.TURN, ask=seat.ask or 0, mail=mail) for seat in asked
    ]
    Notice.objects.bulk_create(notices, ignore_conflicts=True)
    broadcast.mails_waiting()
    return mail


@sql.snapshot()
def written(mail: Mail) -> dict[str, Any] | None:
    """Return the fields of an answer as it is to be sent now; None when it cannot reach the member any more."""
    reply = Reply.objects.select_related("user").filter(mail=mail).first()
    user = reply.user if reply else None
    if reply is None or user is None or not user.email or not user.is_active:
        return None
    with written_to(user):
        match, seats = play.match_and_seats(reply.match_id)
        seat = next((seat for seat in seats if seat.user_id == user.pk), None)
        since = reply.seen if reply.outcome == Outcome.PLAYED else match.turns
        table = telling.table_since(match, seats, seat, since)
        context = _told(reply, match, table, user) | _asked(reply, match, seats, table, since=since)
        subject, text, html = render_mail("games/mail/reply", context)
    headers = _headers(reply, context["reply"])
    return {"to": user.email, "subject": subject, "text": text, "html": html, "headers": headers}


def _told(reply: Reply, match: Match, table: Table, user: User) -> dict[str, Any]:
    return {
        "reader": user,
        "match": match,
        "name": match.title,
        "outcome": reply.outcome,
        "others": listing(seat["name"] for seat in table["seats"] if not seat["you"] and seat["kind"] != "free"),
        "sentences": _sentences(reply, table, has_words=grammar(match.game_slug, match.rules_version) is not None),
        "story": telling.story(table),
        "url": urljoin(settings.SITE_URL, reverse("match", args=[match.pk])),
        "settings_url": urljoin(settings.SITE_URL, reverse("mail-settings")),
        "game_slug": match.game_slug,
    }


def _asked(reply: Reply, match: Match, seats: list[Seat], table: Table, *, since: int) -> dict[str, Any]:
    """Return what is asked now, whole, as the mail of a turn tells it; nothing of it to who may be another."""
    if reply.outcome == Outcome.FORGED or reply.user is None:
        return {"reply": None}
    seat = next((seat for seat in seats if seat.user_id == reply.user_id), None)
    return {
        "asked": table["ask"] is not None,
        "headline": headline(table),
        "question": questions.question_of(table),
        "deadline": telling.deadline(seat) if table["ask"] is not None and seat else "",
        "figures": telling.figures(match, seats, seat, table, since),
        "answers": telling.answers(reply.user, match, seat, table, kinds=[Kind.TURN], mail_id=reply.mail_id or 0),
        "reply": ways(table, reply.user),
    }


def _sentences(reply: Reply, table: Table, *, has_words: bool) -> list[str]:
    """Return what became of a reply, and that another question is open."""
    if reply.outcome == Outcome.FORGED:
        return [
            _("Somebody answered a mail of yours from another address, or without proof that it was you."),
            _("Nothing was played. If it was you, answer from the address to which we write."),
        ]
    if reply.outcome == Outcome.PLAYED:
        return [_("Played, as you wrote.")]
    if reply.outcome == Outcome.UNCLEAR:
        if not has_words:
            return [_("This game cannot be played by mail. Nothing was played.")]
        return [_("We did not understand your answer, so nothing was played.")]
    if reply.outcome == Outcome.STALE:
        nothing = [] if table["ask"] is not None else [_("Nothing is asked of you now.")]
        return [reply.why, _("Nothing was played."), *nothing]
    return [reply.why] if reply.why else []


def _headers(reply: Reply, ways_to_answer: dict[str, Any] | None) -> dict[str, str]:
    thread = [f"<match-{reply.match_id}.member-{reply.user_id}@{_host()}>", *filter(None, [reply.came_as])]
    headers = {"Auto-Submitted": "auto-replied", "In-Reply-To": thread[-1], "References": " ".join(thread)}
    return headers | ({"Reply-To": ways_to_answer["address"]} if ways_to_answer else {})
