"""Every deed of a moderator by its name: what a form asks for is done by one of the services."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import User
from config import clock
from games.chat import ChatLine
from games.life import Audit
from games.models import Match
from games.moderation import matches, services
from games.moderation.models import Report
from games.services.audit import note, reason_of
from games.services.refusals import BadTable

Deed = Audit.Deed


def set_state(*, moderator: User, report: Report, deed: str, reason: str) -> None:
    """Take a report (it is then one's own to see to), settle or dismiss it. BadTable when it is closed."""
    with transaction.atomic():
        locked = Report.objects.select_for_update().get(pk=report.pk)
        if locked.closed_at is not None:
            raise BadTable(_("This report is closed."))
        if deed == Deed.TAKE and locked.taken_by_id == moderator.pk:
            raise BadTable(_("You have taken this report already."))
        if locked.match_id is not None:
            matches.check_impartial(moderator, locked.match_id)
        note(moderator, deed, reason, report=report, member_id=locked.member_id, match_id=locked.match_id)
        state = {
            Deed.TAKE: Report.State.TAKEN,
            Deed.SETTLE: Report.State.SETTLED,
            Deed.DISMISS: Report.State.DISMISSED,
        }
        locked.state, locked.taken_by = state[Deed(deed)], moderator
        locked.closed_at = None if deed == Deed.TAKE else clock.now()
        locked.save(update_fields=["state", "taken_by", "closed_at"])


ABOUT_MEMBER: dict[str, Callable[..., Any]] = {
    Deed.WARN: services.warn,
    Deed.MUTE: services.mute,
    Deed.SUSPEND: services.suspend,
    Deed.BAN: services.ban,
    Deed.LIFT: services.lift,
    Deed.RENAME: services.rename,
}
ABOUT_LINE: dict[str, Callable[..., Any]] = {Deed.HIDE: matches.hide, Deed.UNHIDE: matches.unhide}
ABOUT_MATCH: dict[str, Callable[..., Any]] = {
    Deed.VOID: matches.void,
    Deed.END: matches.end_match,
    Deed.REPLACE: matches.replace_seat,
    Deed.TIME: matches.give_time,
}
ABOUT_REPORT = (Deed.TAKE, Deed.SETTLE, Deed.DISMISS)


def do(
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
    if deed in (Deed.MUTE, Deed.SUSPEND):
        more["until"] = clock.now() + timedelta(days=wishes["days"])
    if deed == Deed.RENAME:
        more["name"] = wishes["name"]
    if deed == Deed.TIME:
        more["hours"] = wishes["hours"]
    if deed == Deed.REPLACE:
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
        raise BadTable(_("That cannot be done here."))
