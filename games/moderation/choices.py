"""How each deed is offered to moderators: its name, what it will do, what it asks for, is it for good."""

from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext_lazy as _

from games.life import Audit

Deed = Audit.Deed


@dataclass(frozen=True)
class Choice:
    """`title` and `does` are texts with `%(member)s`, `%(match)s` and `%(report)s`; `asks` names a field."""

    title: Any
    does: Any
    asks: str = ""
    is_final: bool = False

    def titled(self, names: dict[str, Any]) -> str:
        """Return the title with the names of what it is about."""
        return str(self.title) % names


CHOICES: dict[str, Choice] = {
    Deed.TAKE: Choice(
        _("Take report #%(report)s"), _("You see to it; the other moderators see that you do.")
    ),
    Deed.SETTLE: Choice(
        _("Settle report #%(report)s"), _("It is closed: what there was to do has been done.")
    ),
    Deed.DISMISS: Choice(_("Dismiss report #%(report)s"), _("It is closed: there is nothing to do.")),
    Deed.WARN: Choice(
        _("Warn %(member)s"),
        _("Your reason stands on every page for them until they say that they have read it."),
    ),
    Deed.MUTE: Choice(
        _("Mute %(member)s"), _("They cannot write anywhere on the site for some days; they play on."), "days"
    ),
    Deed.SUSPEND: Choice(
        _("Suspend %(member)s"),
        _("For some days they may finish the matches they have begun, and nothing else."),
        "days",
    ),
    Deed.BAN: Choice(
        _("Ban %(member)s"),
        _(
            "Closes the account at once: sessions end, seats go to bots, invitations are withdrawn. "
            "Lifting the ban later opens the account again, but gives no seat back."
        ),
        is_final=True,
    ),
    Deed.LIFT: Choice(
        _("Lift what holds for %(member)s"),
        _("Mute, suspension and ban end now. What a ban ended stays so: bots keep the seats."),
    ),
    Deed.RENAME: Choice(
        _("Rename %(member)s"),
        _("Everybody sees the new name at once; the member is told of it, with your reason."),
        "name",
    ),
    Deed.HIDE: Choice(_("Hide the chat line"), _("Nobody reads it in the chat any more; moderators do.")),
    Deed.UNHIDE: Choice(_("Show the chat line again"), _("Everybody reads it in the chat again.")),
    Deed.TIME: Choice(
        _("Give time in match %(match)s"),
        _("Everybody who is to move gets so many hours on top of what is left."),
        "hours",
    ),
    Deed.REPLACE: Choice(
        _("Give a seat of match %(match)s to a bot"),
        _(
            "A bot plays on in the seat for good, as if the member had resigned: a rated match counts "
            "against them, and a match of two ends at once."
        ),
        "seat",
        is_final=True,
    ),
    Deed.END: Choice(
        _("End match %(match)s"),
        _("It ends at once without a result and counts for nothing; an open table closes. Nobody plays on."),
        is_final=True,
    ),
    Deed.VOID: Choice(
        _("Void match %(match)s"),
        _("It never counts again: points that it gave and took go back. One in play ends at once."),
        is_final=True,
    ),
}
