"""The form that makes a token."""

from datetime import timedelta
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from config.lib import clock
from config.lib.texts import one_line
from games.api.models import LONGEST_NAME, Scope

USUAL, FOREVER = "365", "0"
MEANINGS = {
    Scope.READ: _("Read what you can see: your matches and tables, boards, chats"),
    Scope.PLAY: _("Play in your name: open tables, sit down, move, resign, sign up"),
    Scope.MESSAGE: _("Write in chats in your name, follow and block"),
}


class NameForm(forms.Form):
    """The name of a token, on one line and to be seen."""

    name = forms.CharField(label=_("Name, for yourself"), max_length=LONGEST_NAME)

    def clean_name(self) -> str:
        """Return the name as it is stored; refuse one of which nothing is visible."""
        name = one_line(self.cleaned_data["name"])[:LONGEST_NAME]
        if not name:
            raise forms.ValidationError(self.fields["name"].error_messages["required"], code="required")
        return name


class TokenForm(NameForm):
    """Name, scopes and life of a token."""

    scopes = forms.MultipleChoiceField(
        label=_("What it may do"),
        choices=[(scope.value, words) for scope, words in MEANINGS.items()],
        initial=[Scope.READ.value],
        widget=forms.CheckboxSelectMultiple,
    )
    days = forms.ChoiceField(
        label=_("Ends"),
        choices=[("30", _("after a month")), (USUAL, _("after a year")), (FOREVER, _("never"))],
        initial=USUAL,
        widget=forms.RadioSelect,
    )

    def wishes(self) -> dict[str, Any]:
        """Return the arguments of `tokens.make` that this form has."""
        days = int(self.cleaned_data["days"])
        return {
            "name": self.cleaned_data["name"],
            "scopes": self.cleaned_data["scopes"],
            "ends_at": clock.now() + timedelta(days=days) if days else None,
        }
