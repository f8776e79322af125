"""The actions of moderators: title, effect and extra field of each, and how it is performed."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from config.lib import clock
from games.models import Audit, ChatLine, Match
from games.moderation import accounts, matches, members
from games.moderation.models import Report
from games.services.operation.admin_actions import done_before, mark_done, note, reason_of
from games.services.refusals import Invalid

Deed = Audit.Deed


@dataclass(frozen=True)
class Choice:
    """`title` and `does` may hold `%(member)s`, `%(match)s`, `%(report)s`; `asks` names a form field."""

    title: Any
    does: Any
    asks: str = ""
    is_final: bool = False

    def titled(self, names: dict[str, Any]) -> str:
        return str(self.title) % names


CHOICES: dict[str, Choice] = {
    Deed.TAKE: Choice(_("Take report #%(report)s"), _("You handle it; the other moderators can see that.")),
    Deed.SETTLE: Choice(_("Settle report #%(report)s"), _("It is closed: the matter is dealt with.")),
    Deed.DISMISS: Choice(_("Dismiss report #%(report)s"), _("It is closed: there is nothing to do.")),
    Deed.WARN: Choice(
        _("Warn %(member)s"),
        _("They see your reason on every page until they confirm that they have read it."),
    ),
    Deed.MUTE: Choice(
        _("Mute %(member)s"), _("They cannot write on the site for some days; they can still play."), "days"
    ),
    Deed.SUSPEND: Choice(
        _("Suspend %(member)s"),
        _("For some days they can finish their running matches, and do nothing else."),
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
        _("Lift the sanctions on %(member)s"),
        _("Mute, suspension and ban end now. Bots keep the seats that a ban gave them."),
    ),
    Deed.RENAME: Choice(
        _("Rename %(member)s"),
        _("Everybody sees the new name at once; the member is told of it, with your reason."),
        "name",
    ),
    Deed.NOTE: Choice(
        _("Write a note on %(member)s"),
        _("Moderators see it on the page of the member, who does not."),
    ),
    Deed.ADDRESS: Choice(
        _("Change the e-mail address of %(member)s"),
        _("It counts as confirmed, the old one is removed, all sessions end, and both addresses get a mail."),
        "address",
        is_final=True,
    ),
    Deed.RIGHTS: Choice(
        _("Change the rights of %(member)s"),
        _("They hold at once: all sessions end, and the member and you get a mail."),
        "rights",
        is_final=True,
    ),
    Deed.HIDE: Choice(_("Hide the chat line"), _("Only moderators can still read it in the chat.")),
    Deed.UNHIDE: Choice(_("Show the chat line again"), _("Everybody can read it in the chat again.")),
    Deed.TIME: Choice(
        _("Give time in match %(match)s"),
        _("Everybody whose move it is gets that many extra hours."),
        "hours",
    ),
    Deed.REPLACE: Choice(
        _("Give a seat of match %(match)s to a bot"),
        _(
            "A bot takes the seat for good, as if the member had resigned: a rated match counts against them, and "
            "a match between two ends at once."
        ),
        "seat",
        is_final=True,
    ),
    Deed.END: Choice(
        _("End match %(match)s"),
        _("It ends at once without a result, and no rating changes; an open table closes."),
        is_final=True,
    ),
    Deed.VOID: Choice(
        _("Void match %(match)s"),
        _("It no longer counts: its rating changes are undone. A running match ends at once."),
        is_final=True,
    ),
}

STATES = {
    Deed.TAKE: Report.State.TAKEN,
    Deed.SETTLE: Report.State.SETTLED,
    Deed.DISMISS: Report.State.DISMISSED,
}
ABOUT_REPORT = tuple(STATES)
ABOUT_MEMBER: dict[str, Callable[..., Any]] = {
    Deed.WARN: members.warn,
    Deed.MUTE: members.mute,
    Deed.SUSPEND: members.suspend,
    Deed.BAN: members.ban,
    Deed.LIFT: members.lift,
    Deed.RENAME: members.rename,
    Deed.NOTE: members.write_note,
    Deed.ADDRESS: accounts.change_address,
    Deed.RIGHTS: accounts.change_rights,
}
ABOUT_LINE: dict[str, Callable[..., Any]] = {Deed.HIDE: matches.hide, Deed.UNHIDE: matches.unhide}
ABOUT_MATCH: dict[str, Callable[..., Any]] = {
    Deed.VOID: matches.void,
    Deed.END: matches.end_match,
    Deed.REPLACE: matches.replace_seat,
    Deed.TIME: matches.give_time,
}


def set_state(*, moderator: User, report: Report, deed: str, reason: str) -> None:
    """Take, settle or dismiss a report. Invalid when it is closed, or taken by the moderator already."""
    with transaction.atomic():
        locked = Report.objects.select_for_update().get(pk=report.pk)
        if locked.closed_at is not None:
            raise Invalid(_("This report is closed."))
        if deed == Deed.TAKE and locked.taken_by_id == moderator.pk:
            raise Invalid(_("You have already taken this report."))
        if locked.match_id is not None:
            matches.check_impartial(moderator, locked.match_id)
        note(moderator, deed, reason, report=report, member_id=locked.member_id, match_id=locked.match_id)
        locked.state, locked.taken_by = STATES[Deed(deed)], moderator
        locked.closed_at = None if deed == Deed.TAKE else clock.now()
        locked.save(update_fields=["state", "taken_by", "closed_at"])


def perform(
    deed: str,
    *,
    moderator: User,
    reason: str,
    member: User | None,
    match: Match | None,
    line: ChatLine | None,
    report: Report | None,
    key: str = "",
    **wishes: Any,
) -> None:
    """Perform an action; `wishes` are its form's other fields, as `days` or `seat`. NoReason, Refused.

    A form that is posted twice, told by its `key`, is performed once.
    """
    about = {"member": member, "match": match, "line": line, "report": report}
    with transaction.atomic():
        if not done_before(moderator, key):
            _perform(deed, moderator=moderator, reason=reason, **about, **wishes)
            mark_done(moderator, key)


def _perform(
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
    more: dict[str, Any] = {"moderator": moderator, "reason": reason_of(reason), "report": report}
    if deed in (Deed.MUTE, Deed.SUSPEND):
        more["until"] = clock.now() + timedelta(days=wishes["days"])
    elif deed == Deed.REPLACE:
        more["seat"] = int(wishes["seat"])
    elif deed in (Deed.RENAME, Deed.TIME, Deed.ADDRESS, Deed.RIGHTS):
        more[CHOICES[deed].asks] = wishes[CHOICES[deed].asks]
    if deed in ABOUT_MEMBER and member is not None:
        ABOUT_MEMBER[deed](member=member, **more)
    elif deed in ABOUT_LINE and line is not None:
        ABOUT_LINE[deed](line=line, **more)
    elif deed in ABOUT_MATCH and match is not None:
        ABOUT_MATCH[deed](match=match, **more)
    elif deed in ABOUT_REPORT and report is not None:
        set_state(deed=deed, **more)
    else:
        raise Invalid(_("That cannot be done here."))
