"""The form of a report, and that of what a moderator does."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from games.moderation.models import LONGEST_REASON, LONGEST_WORDS, Audit, Report
from games.services.operating import MOST_HOURS


class ReportForm(forms.Form):
    """Why somebody should look at this."""

    reason = forms.ChoiceField(
        label=_("What is wrong?"), choices=Report.Reason.choices, widget=forms.RadioSelect
    )
    words = forms.CharField(
        label=_("In your words"),
        required=False,
        max_length=LONGEST_WORDS,
        widget=forms.Textarea(attrs={"rows": 4}),
        help_text=_("What happened, and where. Only moderators read it."),
    )

    def clean_words(self) -> str:
        words: str = self.cleaned_data["words"]
        if not words and self.data.get("reason") == Report.Reason.OTHER:
            raise forms.ValidationError(_("Say in a few words what it is."))
        return words


class DeedForm(forms.Form):
    """What a moderator does, and why: the reason is kept, and read by the member it is about."""

    deed = forms.ChoiceField(label=_("What"))
    reason = forms.CharField(
        label=_("Why"),
        max_length=LONGEST_REASON,
        widget=forms.Textarea(attrs={"rows": 3, "cols": 60}),
        help_text=_("Kept in the audit. The member reads it when warned, muted, suspended or renamed."),
    )
    days = forms.IntegerField(
        label=_("For how many days"),
        required=False,
        min_value=1,
        max_value=3650,
        help_text=_("For mute and suspension."),
    )
    hours = forms.IntegerField(
        label=_("How many hours"),
        required=False,
        min_value=1,
        max_value=MOST_HOURS,
        help_text=_("For time to give: to everybody who is to move, from 1 to 336 (two weeks)."),
    )
    name = forms.CharField(label=_("New name"), required=False, max_length=24, help_text=_("For rename."))
    seat = forms.ChoiceField(label=_("Seat"), required=False, help_text=_("For a bot in a seat."))

    def __init__(self, *args: Any, deeds: list[str], seats: list[tuple[int, str]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        deed, seat = self.fields["deed"], self.fields["seat"]
        assert isinstance(deed, forms.ChoiceField)
        assert isinstance(seat, forms.ChoiceField)
        deed.choices = [(one, Audit.Deed(one).label) for one in deeds]
        seat.choices = [("", "—"), *((str(number), f"{number + 1}: {name}") for number, name in seats)]
        wanted = {
            "days": {Audit.Deed.MUTE, Audit.Deed.SUSPEND},
            "hours": {Audit.Deed.TIME},
            "name": {Audit.Deed.RENAME},
            "seat": {Audit.Deed.REPLACE},
        }
        for name, needing in wanted.items():
            if not needing & set(deeds):
                del self.fields[name]

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        deed = data.get("deed")
        if deed in (Audit.Deed.MUTE, Audit.Deed.SUSPEND) and not data.get("days"):
            self.add_error("days", _("Say for how many days."))
        if deed == Audit.Deed.TIME and not data.get("hours"):
            self.add_error("hours", _("Say how many hours."))
        if deed == Audit.Deed.RENAME and not data.get("name"):
            self.add_error("name", _("Say the new name."))
        if deed == Audit.Deed.REPLACE and not data.get("seat"):
            self.add_error("seat", _("Choose a seat."))
        return data
