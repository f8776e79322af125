"""Links and addresses in mails that act without log-in: whether a member wants them, and what ends all so far."""

from collections.abc import Collection

from django.db.models import F
from django.utils.crypto import salted_hmac

from accounts.models import User
from accounts.services import second_factor


def are_wanted(user: User) -> bool:
    """Return whether this member's mails have such links: not with a second factor, unless they were turned on."""
    return is_usual(user) if user.answers_by_mail is None else user.answers_by_mail


def is_usual(user: User) -> bool:
    """Return whether a member who has not chosen has them: whoever has no second factor."""
    return not second_factor.has_one(user)


def seal_of(user: User) -> str:
    """Return what each of their links and addresses holds, and what a new password, or `end_links`, makes another."""
    return salted_hmac("mail links", f"{user.get_session_auth_hash()}:{user.mail_links}").hexdigest()[:16]


def end_all_links() -> None:
    """End all links that were ever sent: of a copy that is brought back, questions of later mails may be others."""
    User.objects.update(mail_links=F("mail_links") + 1)


def end_links(user_ids: Collection[int]) -> None:
    """End all links that were sent to these members."""
    User.objects.filter(pk__in=user_ids).update(mail_links=F("mail_links") + 1)
