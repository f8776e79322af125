"""What a call of a webhook says, from what is true as it leaves, in the format that its receiver reads.

It tells who plays which game, what is asked of the member in general, and where: no more, as others may read it there.
"""

import base64
import hashlib
import hmac
import json
import re
from collections.abc import Mapping
from datetime import UTC
from typing import Any, NamedTuple
from urllib.parse import urljoin

from django.conf import settings
from django.db.models import Q
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.module_loading import import_string
from django.utils.translation import gettext as _

from config.lib import clock, sql, time_zones
from config.lib.formats import listing
from games.clocks import time_left, to_ms, until
from games.models import TEST, Kind, Match, Notice, Seat, Webhook, WebhookCall, unheard
from games.queries import play
from games.services.mail import relevance
from games.services.webhooks.keeping import PREFIX
from games.table import name_and_badge

_MARKUP = re.compile(r"([!-/:-@\[-`{-~])")  # all punctuation of ASCII

Facts = dict[str, Any]


class Request(NamedTuple):
    """The body of a call, and the headers that go with it."""

    body: bytes
    headers: Mapping[str, str]


@sql.snapshot()
def facts_of(call: WebhookCall) -> Facts | None:
    """Return what there is to say; None when it is not true any more, or nobody is to be told."""
    standing = Q(user__is_active=True) | ~Q(of="")
    hook = Webhook.objects.select_related("user").filter(standing, pk=call.hook_id, off_at=None).first()
    if hook is None:
        return None
    user = hook.user
    if user is None:
        return _of_group(hook, call)
    with translation.override(user.language), timezone.override(time_zones.zone(user.time_zone) or UTC):
        if call.match_id is None:
            return _test()
        match, seats = play.match_and_seats(call.match_id)
        notice = Notice(user=user, match=match, kind=call.kind, ask=call.ask)
        own = next((seat for seat in seats if seat.user_id == user.pk), None)
        if own is None or own.notices in unheard(call.kind) or not relevance.is_relevant(notice):
            return None
        return _facts(Kind(call.kind), match, seats, own)


def _test() -> Facts:
    words = _("This is a test: %(site)s reaches you here.") % {"site": settings.SITE_NAME}
    return {"text": words, "url": urljoin(settings.SITE_URL, "/")}


def _of_group(hook: Webhook, call: WebhookCall) -> Facts | None:
    """Return what a club or tournament has to say, by the setting GROUP_FACTS; None when it is not true any more."""
    with translation.override(hook.language or settings.LANGUAGE_CODE), timezone.override(UTC):
        if call.kind == TEST:
            return _test()
        found: Facts | None = import_string(settings.GROUP_FACTS[hook.of])(hook.of_id, call.kind, call.about)
        return found


def _facts(kind: Kind, match: Match, seats: list[Seat], own: Seat) -> Facts:
    others = listing(name_and_badge(seat) for seat in seats if seat is not own and not seat.is_free)
    about = {"game": match.title, "names": others, "what": _what(kind)}
    # In games with secrets the time that somebody has used tells something: nobody else sees it there either.
    told = own.deadline if kind != Kind.ENDED and not match.game.secret else None
    text = _("%(game)s with %(names)s: %(what)s") % about
    if told is not None:
        end = to_ms(told)
        left = _("%(left)s left, %(until)s") % {"left": time_left(end, exact=False), "until": until(end)}
        text = f"{text} ({left})"
    if kind == Kind.ENDED and own.rank is not None:
        text = f"{text} " + _("You came %(place)d of %(size)d.") % {"place": own.rank, "size": match.size}
    return {
        "text": text,
        "url": urljoin(settings.SITE_URL, reverse("match", args=[match.pk])),
        "match": match.pk,
        "game": match.game_slug,
        "deadline": told.isoformat(timespec="seconds") if told else None,
        "rank": own.rank if kind == Kind.ENDED else None,
    }


def _what(kind: Kind) -> str:
    return {
        Kind.TURN: _("it is your turn."),
        Kind.REMINDER: _("your time is getting short."),
        Kind.REMINDER2: _("your time is almost up."),
        Kind.ENDED: _("the match is over."),
    }[kind]


def request_of(call: WebhookCall, format: str, facts: Facts, secret: str) -> Request:
    """Return a call in its format; of JSON signed, with the time, as https://www.standardwebhooks.com has it."""
    headers = {"Content-Type": "application/json", "User-Agent": f"{settings.SITE_NAME} ({settings.SITE_URL})"}
    if format == Webhook.Format.DISCORD:
        said = f"{discord_text(facts['text'])}\n<{facts['url']}>"
        return Request(_json({"content": said, "allowed_mentions": {"parse": []}}), headers)
    if format == Webhook.Format.SLACK:
        said = f"{slack_text(facts['text'])}\n<{facts['url']}>"
        quiet = {"mrkdwn": False, "parse": "none", "link_names": False, "unfurl_links": False, "unfurl_media": False}
        return Request(_json({"text": said, **quiet}), headers)
    at = int(clock.now().timestamp())
    kind = TEST if call.kind == TEST else f"{call.hook.of}.{call.kind}".lstrip(".")
    body = _json({"type": kind, "timestamp": clock.now().isoformat(timespec="seconds"), "data": facts})
    signed = {"webhook-id": call.key, "webhook-timestamp": str(at)}
    return Request(body, headers | signed | {"webhook-signature": signature(secret, call.key, at, body)})


def signature(secret: str, key: str, at: int, body: bytes) -> str:
    """Return the signature of a body, with its key and time in seconds: HMAC-SHA-256."""
    drawn = base64.b64decode(secret.removeprefix(PREFIX))
    mark = hmac.new(drawn, f"{key}.{at}.".encode() + body, hashlib.sha256).digest()
    return f"v1,{base64.b64encode(mark).decode()}"


def discord_text(text: str) -> str:
    """Return a text in which Discord sees no markup, link or mention."""
    return _MARKUP.sub(r"\\\1", text)


def slack_text(text: str) -> str:
    """Return a text in which Slack sees no link or mention; markup is turned off for the whole message."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _json(value: Facts) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode()
