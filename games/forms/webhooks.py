"""The form that adds a webhook."""

from django import forms
from django.utils.translation import gettext_lazy as _

from config.lib.texts import one_line
from games.models import Webhook

LONGEST_NAME = 40


class WebhookForm(forms.Form):
    """Name, address and format; whether the address may be called, the service says."""

    name = forms.CharField(label=_("Name, for yourself"), max_length=LONGEST_NAME)
    address = forms.CharField(
        label=_("Address to be called"),
        max_length=2048,
        help_text=_("As Discord, Slack or your own program tells you: it begins with https://. We keep it encrypted."),
        widget=forms.URLInput({"autocomplete": "off"}),
    )
    format = forms.ChoiceField(label=_("Format"), choices=Webhook.Format.choices, widget=forms.RadioSelect)

    def clean_name(self) -> str:
        """Return the name as it is stored; refuse one of which nothing is visible."""
        name = one_line(self.cleaned_data["name"])[:LONGEST_NAME]
        if not name:
            raise forms.ValidationError(self.fields["name"].error_messages["required"], code="required")
        return name
