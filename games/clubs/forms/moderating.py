"""The form by which a moderator corrects or dissolves a club."""

from django import forms
from django.utils.translation import gettext_lazy as _

from games.clubs.services.making import checked_name
from games.models import LONGEST_CLUB_NAME, LONGEST_REASON
from games.table import fresh_key


class CorrectionForm(forms.Form):
    """Another name, no description, or the end of a club, with a reason."""

    name = forms.CharField(label=_("Name"), max_length=LONGEST_CLUB_NAME, help_text=_("Leave it to keep the name."))
    blank = forms.BooleanField(label=_("Take the description away"), required=False)
    dissolve = forms.BooleanField(
        label=_("Dissolve the club for good: its chat goes, its members are told by mail"), required=False
    )
    reason = forms.CharField(
        label=_("Why"),
        max_length=LONGEST_REASON,
        help_text=_("Moderators read it. Kept in the audit, with your name."),
        widget=forms.TextInput({"size": 60}),
    )
    key = forms.CharField(required=False, max_length=40, widget=forms.HiddenInput, initial=fresh_key)

    def clean_name(self) -> str:
        name: str = self.cleaned_data["name"]
        return name if name == self.initial.get("name") else checked_name(name)
