"""Notices of what was done to an account: at a confirmed address alone."""

from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from django.contrib.auth.base_user import AbstractBaseUser

from accounts.models import User


class DiscreetAdapter(DefaultAccountAdapter):
    """allauth's adapter, which by itself writes to the address that was typed at sign-up, too."""

    def send_notification_mail(
        self,
        template_prefix: str,
        user: AbstractBaseUser,
        context: dict[str, Any] | None = None,
        email: str | None = None,
    ) -> None:
        """Tell a member what was done to their account, at their confirmed address, or at `email`, which was theirs.

        An address that is not confirmed may be a stranger's, who would get a mail for each new password.
        """
        address = email or User.objects.filter(pk=user.pk).values_list("email", flat=True).first()
        if address:
            super().send_notification_mail(template_prefix, user, context, address)
