"""Which sanctions are in force on a member, and what they keep them from."""

from collections.abc import Iterable

from django.db.models import Q
from django.utils.functional import lazy
from django.utils.translation import gettext as _

from accounts.models import User
from config import clock
from games.clocks import to_ms
from games.models import Match
from games.moderation.marks import mark_of
from games.moderation.models import Sanction
from games.services.refusals import CannotWrite
from games.table import until as until_words

READ = (Sanction.Kind.WARNING, Sanction.Kind.RENAMING)  # over once the member has read it
SILENCING = (Sanction.Kind.MUTE, Sanction.Kind.SUSPENSION, Sanction.Kind.BAN)


def in_force(user: User, kinds: Iterable[str] | None = None) -> list[Sanction]:
    """Return the sanctions on this member that hold now (warnings: that are unread), the newest first."""
    found = Sanction.objects.filter(member=user, ended_at__isnull=True)
    found = found.filter(Q(until__isnull=True) | Q(until__gt=clock.now()))
    return list((found.filter(kind__in=kinds) if kinds else found).order_by("-pk"))


def address_mark(address: str) -> str:
    """Return by what a confirmed address is known again, without the address itself; "" for none."""
    return mark_of("address", address.lower()) if address else ""


def why_closed(user: User) -> str:
    """Return what somebody is told who logs in to a closed account; a hook of accounts (WHY_CLOSED)."""
    return next((sentence(one) for one in in_force(user, [Sanction.Kind.BAN])), "")


def check_writing(match: Match, user: User) -> None:
    """Refuse (CannotWrite) a member who is muted or suspended; a hook of games (ON_WRITING)."""
    for sanction in in_force(user, SILENCING):
        raise CannotWrite(sentence(sanction))


def sentence(sanction: Sanction) -> str:
    """Return what the member is told of a sanction."""
    words = {
        Sanction.Kind.WARNING: _("A moderator has warned you: %(reason)s"),
        Sanction.Kind.RENAMING: _(
            "A moderator has given you another name: you are now called %(name)s. The reason: %(reason)s"
        ),
        Sanction.Kind.MUTE: _("You cannot write on this site %(until)s. The reason: %(reason)s"),
        Sanction.Kind.SUSPENSION: _(
            "You are suspended %(until)s: you may finish your matches, and nothing else. "
            "The reason: %(reason)s"
        ),
        Sanction.Kind.BAN: _("This account is closed. The reason: %(reason)s"),
    }[Sanction.Kind(sanction.kind)]
    until = until_words(to_ms(sanction.until)) if sanction.until else _("until further notice")
    name = sanction.member.username if sanction.member else ""
    return words % {"reason": sanction.reason, "until": until, "name": name}


lazy_sentence = lazy(sentence, str)  # in the language of whoever reads it
