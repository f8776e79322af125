"""Sanctions in force: what they forbid, the sentences members read, and the mails about them."""

import hashlib
import hmac
from collections.abc import Iterable
from datetime import timedelta
from typing import Any
from urllib.parse import urljoin

import structlog
from django.conf import settings
from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.urls import reverse
from django.utils.functional import lazy
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, gettext_noop

from accounts.addresses import canonical
from accounts.models import User
from accounts.services.mail import send_to
from config.lib import clock, sql
from games.clocks import times_of, to_ms
from games.clocks import until as until_words
from games.models import Match
from games.moderation.models import Sanction
from games.services.refusals import CannotWrite

log = structlog.get_logger(__name__)

READ = (Sanction.Kind.WARNING, Sanction.Kind.RENAMING)  # over once the member has read it
SILENCING = (Sanction.Kind.MUTE, Sanction.Kind.SUSPENSION, Sanction.Kind.BAN)
TRIED_FOR = timedelta(days=3)  # how long a mail is retried
BATCH = 100  # mails per run: whose reader sleeps holds up nobody
_OF_MEMBER = (
    "SELECT * FROM moderation_sanction WHERE member_id = %s AND ended_at IS NULL ORDER BY id DESC"  # every page
)
LIFTED = gettext_lazy("A moderator has lifted your sanction. Welcome back.")


def mark_of(kind: str, text: str) -> str:
    """Return a keyed hash: equal for equal texts, meaningless without the site's key."""
    key = settings.SECRET_KEY.encode()
    return hmac.new(key, f"trace:{kind}:{text}".encode(), hashlib.sha256).hexdigest()[:32]


def in_force(user: User, kinds: Iterable[str] | None = None) -> list[Sanction]:
    """Return the member's sanctions now in force (warnings: unread), the newest first."""
    now, wanted = clock.now(), set(kinds or Sanction.Kind.values)
    found = sql.read(Sanction, _OF_MEMBER, [user.pk])
    return [one for one in found if one.kind in wanted and (one.until is None or one.until > now)]


def held_by(user: User, kinds: Iterable[str]) -> list[Sanction]:
    """Return what keeps this person from something: their sanctions in force, and of a bot its owner's."""
    found = in_force(user, kinds)
    return found + in_force(user.owner, kinds) if user.owner is not None else found


def bots_of(members: Iterable[int]) -> QuerySet[User]:
    """Return the bots of these members, which a sanction of theirs keeps from the same."""
    return User.objects.filter(owner__in=list(members))


def address_mark(address: str) -> str:
    """Return the keyed hash of a confirmed mail address, however it is written; "" for none."""
    return mark_of("address", canonical(address)) if address else ""


def address_marks(address: str) -> set[str]:
    """Return all hashes by which a confirmed address is known: as it is made now, and as it was spelt before."""
    return {address_mark(address), mark_of("address", address.lower())} if address else set()


def typed_mark(address: str) -> str:
    """Return the keyed hash of an address that was typed and not confirmed: it may be anybody's, and is a hint only."""
    return mark_of("typed", canonical(address))


def all_in_force() -> QuerySet[Sanction]:
    """Return the mutes, suspensions and bans now in force, of all members and of closed accounts."""
    lasting = Q(until__isnull=True) | Q(until__gt=clock.now())
    return Sanction.objects.filter(lasting, kind__in=SILENCING, ended_at__isnull=True)


def who_is_barred() -> QuerySet[Any, Any]:
    """Return the ids of the members who are suspended or banned now; a hook of games (WHO_IS_BARRED)."""
    kinds = (Sanction.Kind.SUSPENSION, Sanction.Kind.BAN)
    return all_in_force().filter(kind__in=kinds, member__isnull=False).values_list("member", flat=True)


def check_taking_part(user: User) -> None:
    """Raise CannotWrite if the member is suspended; a hook of games (ON_TAKING_PART), for doors without a session."""
    for sanction in held_by(user, [Sanction.Kind.SUSPENSION]):
        raise CannotWrite(sentence(sanction))


def barred_among(members: Iterable[int]) -> set[int]:
    """Return whom of these members `check_taking_part` refuses; a hook of games (BARRED)."""
    suspended = all_in_force().filter(kind=Sanction.Kind.SUSPENSION, member__in=list(members))
    return set(suspended.values_list("member", flat=True))


def check_writing(match: Match | None, user: User) -> None:
    """Raise CannotWrite if the member is muted or suspended; a hook of games (ON_WRITING)."""
    for sanction in held_by(user, SILENCING):
        raise CannotWrite(sentence(sanction))


# Reasons ready to hand. What is chosen is stored in English, as the first line, and read in the reader's language.
REASONS = (
    gettext_noop("You have insulted or harassed others. Please be courteous to everybody."),
    gettext_noop("What you wrote is hateful or obscene, and has no place here."),
    gettext_noop("You have posted advertising, or the same text again and again."),
    gettext_noop("You have agreed with others on the results of matches, or played with several accounts."),
    gettext_noop("You have held up matches on purpose, or left them again and again."),
    gettext_noop("You came back with another account while a sanction was in force."),
    gettext_noop("Your user name is not allowed here."),
)


def reason_in_words(reason: str) -> str:
    """Return a stored reason in the reader's language: that of a usual one, and what the moderator added."""
    first, _line_end, added = reason.partition("\n")
    return "\n".join(filter(None, (_(first), added))) if first in REASONS else reason


def sentence(sanction: Sanction) -> str:
    """Return the sentence that the member reads about a sanction."""
    words = {
        Sanction.Kind.WARNING: _("A moderator has warned you: %(reason)s"),
        Sanction.Kind.RENAMING: _("A moderator has renamed you: you are now %(name)s. Reason: %(reason)s"),
        Sanction.Kind.MUTE: _("You cannot write on this site %(until)s. Reason: %(reason)s"),
        Sanction.Kind.SUSPENSION: _(
            "You are suspended %(until)s: you can only finish your matches. Reason: %(reason)s"
        ),
        Sanction.Kind.BAN: _("This account is closed. Reason: %(reason)s"),
    }[Sanction.Kind(sanction.kind)]
    until = until_words(to_ms(sanction.until)) if sanction.until else _("until further notice")
    name = sanction.member.username if sanction.member else ""
    return words % {"reason": reason_in_words(sanction.reason), "until": until, "name": name}


lazy_sentence = lazy(sentence, str)  # in the reader's language


def mail_sanctions() -> int:
    """Post the due mails about sanctions, each once; return how many. Failures are retried."""
    posted = 0
    for sanction in _due().select_related("member").order_by("pk"):
        if posted == BATCH:
            break
        if sanction.member is None or times_of(sanction.member).is_quiet(clock.now()):
            continue
        try:
            posted += _mail(sanction, sanction.member)
        except Exception:
            log.exception("mail not made", sanction=sanction.pk)
    return posted


def _mail(sanction: Sanction, member: User) -> bool:
    """Post the mail, unless another worker has claimed it; return whether it was posted."""
    begins = sanction.ended_at is None
    told: dict[str, Any] = {"words": lazy_sentence(sanction) if begins else LIFTED}
    if begins and sanction.kind != Sanction.Kind.BAN:  # whose member cannot log in, and answers the mail
        told["appeal_url"] = urljoin(settings.SITE_URL, reverse("sanction", args=[sanction.pk]))
    with transaction.atomic():
        mine = _due().filter(pk=sanction.pk, told_at=sanction.told_at).update(told_at=clock.now())
        if mine:
            send_to(member, "moderation/mail/account", told, kind="sanction")
    return bool(mine)


def _due() -> QuerySet[Sanction]:
    """Return sanctions whose start, or whose lifting after a mailed start, is still to be mailed."""
    since = clock.now() - TRIED_FOR
    fresh = Q(told_at=None, ended_at=None, at__gt=since)
    lifted = Q(told_at__lt=F("ended_at"), ended_at__gt=since, kind__in=SILENCING)
    reachable = Q(member__isnull=False, member__mail_broken_at=None) & ~Q(member__email="")
    return Sanction.objects.filter(fresh | lifted, reachable)
