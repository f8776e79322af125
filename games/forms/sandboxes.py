"""The forms of a sandbox: the record that is brought, and how to play on from it."""

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.models import User
from games.forms.people import LONGEST, NamesInput, members_named
from games.models import Match
from games.partners import STRENGTHS
from games.services.records.checking import MOST_BYTES, MOST_MOVES


class RecordForm(forms.Form):
    """A record as a file or as text; one of the two."""

    file = forms.FileField(
        label=gettext_lazy("The file"),
        required=False,
        widget=forms.FileInput({"accept": ".json,application/json"}),
        max_length=200,
    )
    text = forms.CharField(
        label=gettext_lazy("Or its text"),
        required=False,
        max_length=MOST_BYTES,
        widget=forms.Textarea({"rows": 4, "spellcheck": "false", "autocomplete": "off"}),
    )

    def clean(self) -> dict[str, Any]:
        """Return the record's bytes or text as `record`; ValidationError without one, or if it is too large."""
        found = super().clean() or {}
        file, text = found.get("file"), found.get("text")
        if file is not None and file.size > MOST_BYTES:
            raise ValidationError(_("This is too large to be a record."))
        if file is None and not text:
            raise ValidationError(_("Choose a file, or paste its text."))
        return found | {"record": file.read(MOST_BYTES + 1) if file is not None else text}


class SandboxForm(forms.Form):
    """After which move to play on, and how."""

    step = forms.IntegerField(
        label=gettext_lazy("After which move"),
        min_value=0,
        max_value=MOST_MOVES,
        help_text=gettext_lazy("0 is the start. In the replay you see what is on the table after each move."),
    )
    kind = forms.ChoiceField(
        label=gettext_lazy("How to play on"),
        choices=[
            (Match.Sandbox.BOTS, gettext_lazy("Against bots")),
            (Match.Sandbox.ALONE, gettext_lazy("Alone: you move for all seats")),
            (Match.Sandbox.FRIENDS, gettext_lazy("With friends: those whom you invite")),
        ],
        initial=Match.Sandbox.BOTS,
        widget=forms.RadioSelect,
    )
    level = forms.ChoiceField(label=gettext_lazy("Strength of the bots"), required=False)
    seat = forms.TypedChoiceField(label=gettext_lazy("Your seat"), required=False, coerce=int, empty_value=None)
    invited = forms.CharField(
        label=gettext_lazy("Whom to invite"),
        required=False,
        max_length=LONGEST,
        widget=NamesInput({"autocomplete": "off", "autocapitalize": "none", "spellcheck": "false"}),
        help_text=gettext_lazy("User names, with commas. Seats that stay free you can leave to bots."),
    )

    def __init__(self, sent: Any, *, levels: tuple[str, ...], size: int, initial: dict[str, Any]) -> None:
        super().__init__(sent, initial=initial)
        for name, choices in (
            ("level", [(level, STRENGTHS[level]) for level in levels]),
            (
                "seat",
                [
                    ("", _("the one that is to move")),
                    *((number, _("Seat %(number)d") % {"number": number + 1}) for number in range(size)),
                ],
            ),
        ):
            field = self.fields[name]
            assert isinstance(field, forms.ChoiceField)
            field.choices = choices

    def clean_invited(self) -> list[User]:
        """Return the members who are named. ValidationError for a name that nobody has."""
        return members_named(self.cleaned_data["invited"])
