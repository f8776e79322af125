"""What a device shows, composed when it is sent: few words, no secret, and as discreet as its member wants."""

import json
from dataclasses import dataclass
from datetime import UTC, timedelta

from django.conf import settings
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from accounts.models import User
from config.lib import clock, sql, time_zones
from config.lib.formats import listing
from games.clocks import time_left, to_ms
from games.models import ASKING, TOPIC_OF, Kind, Match, Notice, Push, Seat
from games.queries import play
from games.services.mail import relevance
from games.services.push import devices
from games.table import name_and_badge

WORDS = {  # the first of a message is its title
    Kind.REMINDER2: gettext_lazy("Your time is almost up"),
    Kind.REMINDER: gettext_lazy("Your time is getting short"),
    Kind.TURN: gettext_lazy("Your turn"),
    Kind.INVITED: gettext_lazy("You are invited to a match"),
    Kind.PROPOSED: gettext_lazy("A pause or a call-off is proposed"),
    Kind.ABSENT: gettext_lazy("A bot plays on in your seat"),
    Kind.PLAYED: gettext_lazy("Your time ran out, and we played for you"),
    Kind.VACATION: gettext_lazy("A day off was taken for you"),
    Kind.MENTIONED: gettext_lazy("You were mentioned in a chat"),
    Kind.VOIDED: gettext_lazy("A match was voided"),
    Kind.ENDED: gettext_lazy("A match is over"),
    Kind.STARTED: gettext_lazy("A match has started"),
    Kind.DECLINED: gettext_lazy("An invitation was declined"),
    Kind.LAPSED: gettext_lazy("Your table was closed"),
}
URGENT, LOW = (Kind.REMINDER, Kind.REMINDER2), (Kind.STARTED, Kind.ENDED, Kind.VOIDED, Kind.DECLINED, Kind.LAPSED)
WITHDRAWN = (*ASKING, Kind.INVITED, Kind.PROPOSED)  # closed once the match waits no longer
LONGEST_LIFE, NEWS_LIFE, TEST_LIFE = timedelta(days=3), timedelta(days=1), timedelta(minutes=5)
SHORTEST_LIFE = timedelta(minutes=1)
MOST_WAITING = 100  # matches named to the device, so that it closes what is over; of more, none is

Contents = tuple[int, ...]


@dataclass
class Message:
    """What is sent: the text as JSON, for how long it is worth something, how urgent it is, and what it replaces."""

    text: bytes
    life: timedelta
    urgency: str
    topic: str


@sql.snapshot()
def contents_of(push: Push) -> Contents:
    """Return the notices that this message would tell now: those that are still true."""
    user = _reader(push)
    if push.mail is None or not user.is_active:
        return ()
    notices = Notice.objects.filter(mail=push.mail).select_related("match", "user").order_by("pk")
    if push.match_id is not None:
        notices = notices.filter(match_id=push.match_id)
    return tuple(n.pk for n in notices if TOPIC_OF[n.kind] not in user.mail_off and relevance.is_relevant(n))


@sql.snapshot()
def compose(push: Push, told: Contents) -> Message | None:
    """Return the message; None when nothing in it is true any more."""
    user = _reader(push)
    with translation.override(user.language), timezone.override(time_zones.zone(user.time_zone) or UTC):
        if push.mail is None:
            return _test(user)
        notices = list(Notice.objects.filter(pk__in=told).order_by("pk"))
        if push.match is not None:
            return _about(push.match, user, notices) if notices else None
        return _summary(user, notices, is_digest=push.mail.kind == "digest")


def _reader(push: Push) -> User:
    return User.objects.get(devices=push.device_id)


def _test(user: User) -> Message:
    said = _("This device is called when it is your turn.")
    return _message(user, "test", settings.SITE_NAME, said, reverse("devices"), life=TEST_LIFE, urgency="high")


def _about(match: Match, user: User, notices: list[Notice]) -> Message:
    """Return what is told of one match."""
    found = {Kind(notice.kind) for notice in notices}
    title, *more = [kind for kind in WORDS if kind in found]
    seat = Seat.objects.filter(match=match, user_id=user.pk).first()
    left = seat.deadline - clock.now() if seat and seat.deadline and title in ASKING else None
    said = [f"{WORDS[kind]}." for kind in more if kind not in ASKING]
    if not devices.choice_of(user).discreet:
        others = [name_and_badge(one) for one in play.seats_of(match) if one.user_id != user.pk and not one.is_free]
        words = {"game": match.title, "names": listing(others)}
        said.append((_("%(game)s with %(names)s.") if others else "%(game)s.") % words)
    if seat and seat.deadline and left and left > timedelta():
        said.append(_("%(left)s left.") % {"left": time_left(to_ms(seat.deadline), exact=False)})
    life = max(SHORTEST_LIFE, min(left, LONGEST_LIFE)) if left else NEWS_LIFE
    urgency = "high" if title in URGENT else "low" if title in LOW else "normal"
    asks, url = title in WITHDRAWN, _address(match, found)
    return _message(user, f"match-{match.pk}", WORDS[title], " ".join(said), url, asks=asks, life=life, urgency=urgency)


def _address(match: Match, kinds: set[Kind]) -> str:
    if match.ending == Match.Ending.LAPSED:
        return f"{reverse('new-match')}?game={match.game_slug}"
    return reverse("match", args=[match.pk]) + ("#chat" if kinds == {Kind.MENTIONED} else "")


def _summary(user: User, notices: list[Notice], *, is_digest: bool) -> Message | None:
    """Return what is told of several matches at once."""
    matches = {notice.match_id: notice.match for notice in notices}
    number = len(matches) or (play.my_turns(user).count() if is_digest else 0)
    if not number:
        return None
    title = ngettext("News from %(n)d match", "News from %(n)d matches", number) % {"n": number}
    games = sorted({str(match.title) for match in matches.values()})
    said = "" if devices.choice_of(user).discreet or not games else f"{listing(games)}."
    return _message(user, "all", title, said, reverse("home"), life=NEWS_LIFE, urgency="normal")


def _message(
    user: User, tag: str, title: object, said: str, url: str, *, life: timedelta, urgency: str, asks: bool = False
) -> Message:
    waiting = play.waiting_ids(user)
    told = {
        "title": str(title),
        "body": said,
        "tag": tag,
        "url": url,
        "asks": asks,
        "lang": user.language,
        "count": len(waiting),
        "waiting": waiting if len(waiting) <= MOST_WAITING else None,
    }
    topic = salted_hmac("games.push", f"{user.pk}/{tag}", algorithm="sha256").hexdigest()[
        :32
    ]  # tells no match's number
    return Message(json.dumps(told, ensure_ascii=False).encode(), life, urgency, topic)
