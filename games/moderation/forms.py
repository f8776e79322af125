"""The form of a report, and that of a moderator's action."""

from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from config.lib.texts import TextField
from games.models import LONGEST_REASON, Audit
from games.moderation.actions import CHOICES
from games.moderation.models import LONGEST_WORDS, Report
from games.services.operation.admin_actions import MOST_HOURS

READ = (Audit.Deed.WARN, Audit.Deed.MUTE, Audit.Deed.SUSPEND, Audit.Deed.BAN, Audit.Deed.RENAME)
READ_BY_MEMBER = _("The member reads it. Kept in the audit, with your name.")
READ_IN_AUDIT = _("Moderators read it. Kept in the audit, with your name.")


class ReportForm(forms.Form):
    reason = forms.ChoiceField(label=_("What is wrong?"), choices=Report.Reason.choices, widget=forms.RadioSelect)
    words = TextField(
        label=_("In your words"),
        required=False,
        max_length=LONGEST_WORDS,
        widget=forms.Textarea(attrs={"rows": 4}),
        help_text=_("What happened, and where. Only moderators read it."),
    )

    def clean_words(self) -> str:
        words: str = self.cleaned_data["words"]
        if not words and self.data.get("reason") == Report.Reason.OTHER:
            raise forms.ValidationError(_("Describe it in a few words."))
        return words


class ActionForm(forms.Form):
    """The fields that one action asks for, and its reason, kept in the audit."""

    days = forms.IntegerField(label=_("For how many days"), min_value=1, max_value=3650, help_text=_("From 1 to 3650."))
    hours = forms.IntegerField(
        label=_("How many hours"),
        min_value=1,
        max_value=MOST_HOURS,
        help_text=_("From 1 to 336 (two weeks)."),
    )
    name = forms.CharField(label=_("New name"), max_length=24)
    seat = forms.ChoiceField(label=_("Seat"))
    reason = TextField(label=_("Why"), max_length=LONGEST_REASON, widget=forms.Textarea(attrs={"rows": 3, "cols": 60}))
    sure = forms.BooleanField(error_messages={"required": _("Nothing was done yet: tick that you are sure.")})

    def __init__(self, *args: Any, deed: str, title: str, seats: list[tuple[int, str]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        choice = CHOICES[deed]
        kept = {choice.asks, "reason", "sure" if choice.is_final else ""}
        for name in set(self.fields) - kept:
            del self.fields[name]
        self.fields["reason"].help_text = READ_BY_MEMBER if deed in READ else READ_IN_AUDIT
        if choice.is_final:
            self.fields["sure"].label = gettext("I am sure: “%(what)s”") % {"what": title}
        if choice.asks == "seat":
            seat = self.fields["seat"]
            assert isinstance(seat, forms.ChoiceField)
            seat.choices = [("", "—"), *((str(number), f"{number + 1}: {name}") for number, name in seats)]
