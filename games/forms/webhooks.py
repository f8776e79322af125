"""The form that adds a webhook."""

from django import forms
from django.utils.translation import gettext_lazy as _

from games.models import Webhook


class WebhookForm(forms.Form):
    """Name, address and format; whether the address may be called, the service says."""

    name = forms.CharField(label=_("Name, for yourself"), max_length=40)
    address = forms.CharField(
        label=_("Address to be called"),
        max_length=2048,
        help_text=_("As Discord, Slack or your own program tells you: it begins with https://. We keep it encrypted."),
        widget=forms.URLInput({"autocomplete": "off"}),
    )
    format = forms.ChoiceField(label=_("Format"), choices=Webhook.Format.choices, widget=forms.RadioSelect)
