"""The form by which a member says which channel is called first."""

from typing import Any

from django import forms
from django.conf import settings
from django.utils.translation import gettext_lazy as _

from games.services.channel_order import ALWAYS

PLACES = [(1, _("first")), (2, _("second")), (3, _("third"))]


class OrderForm(forms.Form):
    """A place for mail, and for devices and webhooks where the site has them."""

    mail = forms.TypedChoiceField(label=_("Mail"), choices=PLACES, coerce=int)
    devices = forms.TypedChoiceField(label=_("Devices"), choices=PLACES, coerce=int)
    webhooks = forms.TypedChoiceField(
        label=_("Webhooks"), choices=[(ALWAYS, _("always, beside the others")), *PLACES], coerce=int
    )

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        for name, is_on in (("devices", settings.PUSH), ("webhooks", settings.WEBHOOKS)):
            if not is_on:
                del self.fields[name]
