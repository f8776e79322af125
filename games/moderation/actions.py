"""The actions of moderators: title, effect and extra field of each, and how it is performed."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from config.lib import clock
from games.models import Audit
from games.moderation import accounts, appeals, bars, matches, members, queue, reports
from games.services.operation.admin_actions import done_before, mark_done, reason_of
from games.services.refusals import Invalid, refuse_closed_accounts

Deed = Audit.Deed
About = dict[str, Any]  # report, appeal, barred, member, match, line, each or None


@dataclass(frozen=True)
class Choice:
    """`title` may hold `%(member)s`, `%(match)s`, `%(report)s`, `%(barred)s`; `asks` names a form field."""

    title: Any
    does: Any
    asks: str = ""
    is_final: bool = False

    def titled(self, names: dict[str, Any]) -> str:
        return str(self.title) % names


CHOICES: dict[str, Choice] = {
    Deed.TAKE: Choice(_("Take report #%(report)s"), _("You handle it; the other moderators can see that."), "together"),
    Deed.OVER: Choice(
        _("Take over report #%(report)s"), _("You handle it instead of the moderator who has taken it."), "together"
    ),
    Deed.SETTLE: Choice(
        _("Settle report #%(report)s"),
        _("It is closed: the matter is dealt with. Its reporter is told, by mail and on a page."),
        "reply",
    ),
    Deed.DISMISS: Choice(
        _("Dismiss report #%(report)s"),
        _("It is closed: there is nothing to do. Its reporter is told, by mail and on a page."),
        "reply",
    ),
    Deed.REOPEN: Choice(_("Reopen report #%(report)s"), _("It waits again, and you handle it.")),
    Deed.READ: Choice(
        _("Read the private chat behind report #%(report)s"),
        _("Players wrote it for each other. That you read it is kept in the audit, with your name and reason."),
    ),
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
    Deed.PROPOSE: Choice(
        _("Ban %(member)s, once a second moderator confirms"),
        _(
            "They are suspended without end, until a second moderator confirms the ban, which closes the account, or "
            "lifts the suspension."
        ),
        is_final=True,
    ),
    Deed.BAN: Choice(
        _("Ban %(member)s"),
        _(
            "Closes the account at once: sessions end, seats go to bots, invitations are withdrawn. "
            "Lifting the ban later opens the account again, but gives no seat back."
        ),
        is_final=True,
    ),
    Deed.GRANT: Choice(
        _("Grant the appeal of %(member)s"), _("The sanction ends now. The member gets a mail with your reason.")
    ),
    Deed.REFUSE: Choice(
        _("Refuse the appeal of %(member)s"), _("The sanction stands. The member gets a mail with your reason.")
    ),
    Deed.UNBAR: Choice(
        _("Allow %(barred)s again"), _("People can sign up with it, and confirm it, from now on."), is_final=True
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
    Deed.LINKS: Choice(
        _("End the links in the mails of %(member)s"),
        _("What was mailed so far answers nothing without log-in any more; later mails have new links."),
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

ABOUT_REPORT = (*queue.STATES, Deed.READ)
ABOUT_APPEAL = (Deed.GRANT, Deed.REFUSE)
ABOUT_MEMBER: dict[str, Callable[..., Any]] = {
    Deed.WARN: members.warn,
    Deed.MUTE: members.mute,
    Deed.SUSPEND: members.suspend,
    Deed.PROPOSE: members.propose_ban,
    Deed.BAN: members.confirm_ban,
    Deed.LIFT: members.lift,
    Deed.RENAME: members.rename,
    Deed.NOTE: members.write_note,
    Deed.LINKS: members.end_mail_links,
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


def perform(deed: str, *, moderator: User, reason: str, about: About, key: str = "", **wishes: Any) -> None:
    """Perform an action on what it is about; `wishes` are its form's other fields. NoReason, Refused.

    A form that is posted twice, told by its `key`, is performed once.
    """
    with transaction.atomic():
        if about["member"] is not None and deed not in ABOUT_MATCH:  # of whose actions each locks the match first
            refuse_closed_accounts([moderator, about["member"]])
        if not done_before(moderator, key):
            _perform(deed, about, wishes, {"moderator": moderator, "reason": reason_of(reason)})
            mark_done(moderator, key)


def _perform(deed: str, about: About, wishes: dict[str, Any], more: dict[str, Any]) -> None:
    if deed == Deed.READ and about["report"] is not None:
        reports.read_chat(report=about["report"], **more)
    elif deed in ABOUT_REPORT and about["report"] is not None:
        named = {name: wishes[name] for name in ("reply", "answer", "together") if name in wishes}
        queue.set_state(deed=deed, report=about["report"], **named, **more)
    elif deed in ABOUT_APPEAL and about["appeal"] is not None:
        appeals.decide(deed=deed, appeal=about["appeal"], **more)
    elif deed == Deed.UNBAR and about["barred"] is not None:
        bars.allow(barred=about["barred"], **more)
    else:
        _perform_on(deed, about, more | {"report": about["report"], **_extra(deed, wishes)})


def _extra(deed: str, wishes: dict[str, Any]) -> dict[str, Any]:
    """Return what an action asks for, as its service takes it."""
    if deed in (Deed.MUTE, Deed.SUSPEND):
        return {"until": clock.now() + timedelta(days=wishes["days"])}
    if deed == Deed.REPLACE:
        return {"seat": int(wishes["seat"])}
    asks = CHOICES[deed].asks
    return {asks: wishes[asks]} if asks else {}


def _perform_on(deed: str, about: About, more: dict[str, Any]) -> None:
    if deed in ABOUT_MEMBER and about["member"] is not None:
        ABOUT_MEMBER[deed](member=about["member"], **more)
    elif deed in ABOUT_LINE and about["line"] is not None:
        ABOUT_LINE[deed](line=about["line"], **more)
    elif deed in ABOUT_MATCH and about["match"] is not None:
        ABOUT_MATCH[deed](match=about["match"], **more)
    else:
        raise Invalid(_("That cannot be done here."))
