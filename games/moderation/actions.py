"""How each deed is offered to moderators: its name, what it will do, what it asks for, is it for good."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from config.lib import clock
from games.models import Audit, ChatLine, Match
from games.moderation import matches, services
from games.moderation.models import Report
from games.services.operation.audit import note, reason_of
from games.services.refusals import Invalid

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

Action = Audit.Deed


def set_state(*, moderator: User, report: Report, deed: str, reason: str) -> None:
    """Take a report (it is then one's own to see to), settle or dismiss it. BadTable when it is closed."""
    with transaction.atomic():
        locked = Report.objects.select_for_update().get(pk=report.pk)
        if locked.closed_at is not None:
            raise Invalid(_("This report is closed."))
        if deed == Action.TAKE and locked.taken_by_id == moderator.pk:
            raise Invalid(_("You have taken this report already."))
        if locked.match_id is not None:
            matches.check_impartial(moderator, locked.match_id)
        note(moderator, deed, reason, report=report, member_id=locked.member_id, match_id=locked.match_id)
        state = {
            Action.TAKE: Report.State.TAKEN,
            Action.SETTLE: Report.State.SETTLED,
            Action.DISMISS: Report.State.DISMISSED,
        }
        locked.state, locked.taken_by = state[Action(deed)], moderator
        locked.closed_at = None if deed == Action.TAKE else clock.now()
        locked.save(update_fields=["state", "taken_by", "closed_at"])


ABOUT_MEMBER: dict[str, Callable[..., Any]] = {
    Action.WARN: services.warn,
    Action.MUTE: services.mute,
    Action.SUSPEND: services.suspend,
    Action.BAN: services.ban,
    Action.LIFT: services.lift,
    Action.RENAME: services.rename,
}
ABOUT_LINE: dict[str, Callable[..., Any]] = {Action.HIDE: matches.hide, Action.UNHIDE: matches.unhide}
ABOUT_MATCH: dict[str, Callable[..., Any]] = {
    Action.VOID: matches.void,
    Action.END: matches.end_match,
    Action.REPLACE: matches.replace_seat,
    Action.TIME: matches.give_time,
}
ABOUT_REPORT = (Action.TAKE, Action.SETTLE, Action.DISMISS)


def perform(
    deed: str,
    *,
    moderator: User,
    reason: str,
    member: User | None,
    match: Match | None,
    line: ChatLine | None,
    report: Report | None,
    **wishes: Any,
) -> None:
    """Do what a form asks for; `wishes` are its other fields, as `days` or `seat`. NoReason, Refused."""
    reason = reason_of(reason)
    more: dict[str, Any] = {"moderator": moderator, "reason": reason, "report": report}
    if deed in (Action.MUTE, Action.SUSPEND):
        more["until"] = clock.now() + timedelta(days=wishes["days"])
    if deed == Action.RENAME:
        more["name"] = wishes["name"]
    if deed == Action.TIME:
        more["hours"] = wishes["hours"]
    if deed == Action.REPLACE:
        more["seat"] = int(wishes["seat"])
    if deed in ABOUT_MEMBER and member is not None:
        ABOUT_MEMBER[deed](member=member, **more)
    elif deed in ABOUT_LINE and line is not None:
        ABOUT_LINE[deed](line=line, **more)
    elif deed in ABOUT_MATCH and match is not None:
        ABOUT_MATCH[deed](match=match, **more)
    elif deed in ABOUT_REPORT and report is not None:
        set_state(moderator=moderator, report=report, deed=deed, reason=reason)
    else:
        raise Invalid(_("That cannot be done here."))
