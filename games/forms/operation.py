"""The forms by which an admin acts on the site's clocks, with a reason."""

from django import forms
from django.utils.translation import gettext_lazy as _

from games.services.operation.admin_actions import MOST_HOURS


class ReasonForm(forms.Form):
    """An admin's reason for an act, and the admin's last act before it, so that it is not done twice."""

    reason = forms.CharField(
        label=_("Reason"), max_length=300, help_text=_("Kept in the history, for the other admins.")
    )
    last = forms.IntegerField(min_value=0, max_value=2**63 - 1, widget=forms.HiddenInput)


class TimeForm(ReasonForm):
    """How much time an admin gives, and why."""

    hours = forms.IntegerField(
        label=_("Hours"),
        min_value=1,
        max_value=MOST_HOURS,
        initial=24,
        help_text=_("Whole hours, from 1 to 336 (two weeks)."),
    )
    field_order = ("hours", "reason")
