"""Appeals: whoever is sanctioned may say once, in the site, why that is wrong; another moderator decides."""

from datetime import datetime, timedelta
from typing import Any

from django.core import signing
from django.db import IntegrityError, transaction
from django.urls import reverse
from django.utils.functional import lazy
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.models import User
from accounts.services.mail import send_to
from config.lib import clock
from config.lib.texts import clean_text
from games.models import Audit
from games.moderation.members import check_impartial, is_alone, let_in_again
from games.moderation.models import LONGEST_WORDS, Appeal, Sanction
from games.moderation.sanctions import in_force, sentence
from games.services.operation.admin_actions import note
from games.services.refusals import Invalid, Refused

SALT = "moderation.appeal"
OPENS_FOR = timedelta(hours=1)  # in which the page of a closed account opens, after its password was given


class OwnSanction(Refused):
    """An appeal is decided by another moderator than the one who imposed the sanction."""

    status = 403
    sentence = gettext_lazy("You imposed this sanction: leave the appeal to another moderator.")


def why_closed(user: User) -> dict[str, str]:
    """Return why an account is banned, and where to appeal, for who has just given its password.

    A hook (WHY_CLOSED).
    """
    for one in in_force(user, [Sanction.Kind.BAN]):
        appeal_url = reverse("closed-account", args=[signing.dumps([one.pk, clock.now().isoformat()], salt=SALT)])
        return {"why": sentence(one), "appeal_url": appeal_url}
    return {}


def sanction_behind(token: str) -> Sanction | None:
    """Return the sanction of such a page's address; None for a forged or an old one."""
    try:
        number, given = signing.loads(token, salt=SALT)
    except signing.BadSignature:
        return None
    if clock.now() - datetime.fromisoformat(given) > OPENS_FOR:
        return None
    return Sanction.objects.filter(pk=number).select_related("member").first()


def appeal(*, sanction: Sanction, words: str) -> Appeal:
    """Store the appeal against a sanction in force. Invalid without words, too late, or a second time."""
    text = clean_text(words)
    if not text:
        raise Invalid(_("Say why the sanction is wrong."))
    if len(text) > LONGEST_WORDS:
        raise Invalid(_("That is too long: 2,000 characters at most."))
    if sanction.member is None or sanction not in in_force(sanction.member):
        raise Invalid(_("This sanction is over: there is nothing to appeal against."))
    try:
        with transaction.atomic():
            return Appeal.objects.create(sanction=sanction, words=text)
    except IntegrityError as error:
        raise Invalid(_("You have appealed already: there is one appeal for each sanction.")) from error


def decide(*, moderator: User, appeal: Appeal, deed: str, reason: str) -> None:
    """Grant the appeal, which ends the sanction, or refuse it; the member gets a mail with the reason.

    OwnSanction for who imposed it, unless nobody else could decide. Invalid when it is decided.
    """
    with transaction.atomic():
        locked = Appeal.objects.select_for_update(of=("self",)).select_related("sanction__member").get(pk=appeal.pk)
        sanction, member = locked.sanction, locked.sanction.member
        if locked.state != Appeal.State.OPEN or member is None:
            raise Invalid(_("This appeal is decided."))
        check_impartial(moderator, member)
        if sanction.by_id == moderator.pk and not is_alone(moderator):
            raise OwnSanction
        if deed == Audit.Deed.GRANT and sanction not in in_force(member):
            raise Invalid(_("This sanction has ended or was replaced: there is nothing to lift by this appeal."))
        is_granted = deed == Audit.Deed.GRANT
        row = note(moderator, deed, reason, member=member, details=str(sanction))
        locked.state = Appeal.State.GRANTED if is_granted else Appeal.State.REFUSED
        locked.answer, locked.decided_by, locked.decided_at = row.reason, moderator, clock.now()
        locked.save(update_fields=["state", "answer", "decided_by", "decided_at"])
        if is_granted:
            _end(sanction, member)
        if member.email:
            words = lazy(answer_words, str)(locked)
            send_to(member, "moderation/mail/account", {"words": words}, kind="sanction")


def _end(sanction: Sanction, member: User) -> None:
    now = clock.now()
    Sanction.objects.filter(pk=sanction.pk, ended_at=None).update(ended_at=now, told_at=now)
    if sanction.kind == Sanction.Kind.BAN and not in_force(member, [Sanction.Kind.BAN]):
        let_in_again(member)


def answer_words(appeal: Appeal) -> str:
    """Return what became of an appeal, for the member, in the active language; empty while it waits."""
    if appeal.state == Appeal.State.GRANTED:
        return _("Your appeal was granted: the sanction has ended. %(reason)s") % {"reason": appeal.answer}
    if appeal.state == Appeal.State.REFUSED:
        return _("Your appeal was refused: the sanction stands. %(reason)s") % {"reason": appeal.answer}
    return ""


def page_of(sanction: Sanction) -> dict[str, Any]:
    """Return what the page of a sanction shows."""
    made = Appeal.objects.filter(sanction=sanction).first()
    holds = sanction.member is not None and sanction in in_force(sanction.member)
    return {
        "sanction": sanction,
        "sentence": sentence(sanction),
        "holds": holds,
        "appeal": made,
        "answer": answer_words(made) if made else "",
        "may_appeal": holds and made is None,
    }
