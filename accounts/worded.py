"""The site's own words and attributes for the fields of allauth's forms."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

LABELS: dict[str, Any] = {
    "login": _("User name or e-mail"),
    "username": _("User name"),
    "email": _("E-mail"),
    "password": _("Password"),
    "password1": _("Password"),
    "oldpassword": _("Present password"),
    "password2": _("The same again"),
    "code": _("Code"),
    "name": _("Name of this key"),
    "passwordless": _("Log in with this key alone"),
}
HELPS: dict[str, Any] = {
    "username": _("3 to 24 letters, digits, “_” or “-”. Others see it."),
    "email": "",
    "password": "",
    "password1": _("At least 8 characters, and not a common one."),
    "passwordless": _("The key then asks for your finger, face or PIN, and no password is needed."),
}
ATTRIBUTES: dict[str, dict[str, object]] = {
    "login": {"autocomplete": "username webauthn", "autocapitalize": "none", "spellcheck": "false"},
    "username": {"autocomplete": "username", "autocapitalize": "none", "spellcheck": "false"},
    "code": {"autocomplete": "one-time-code", "inputmode": "numeric", "spellcheck": "false"},
}


class Worded(forms.Form):
    """A form in the site's words, without placeholders, with hints for keyboards and password stores."""

    words: dict[str, Any] = {}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name, field in self.fields.items():
            field.widget.attrs.pop("placeholder", None)
            field.widget.attrs.update(ATTRIBUTES.get(name, {}))
            field.label = self.words.get(name) or LABELS.get(name, field.label)
            field.help_text = HELPS.get(name, "")
