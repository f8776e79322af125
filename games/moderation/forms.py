"""The form of a report, and that of a moderator's action."""

from typing import Any, ClassVar

from django import forms
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from config.lib.texts import TextField
from games.models import LONGEST_REASON, Audit
from games.moderation.accounts import Rights
from games.moderation.actions import CHOICES
from games.moderation.bars import normalised
from games.moderation.models import LONGEST_WORDS, Barred, Report
from games.moderation.queue import USUAL, Reply
from games.moderation.sanctions import REASONS
from games.services.operation.admin_actions import MOST_HOURS
from games.table import fresh_key

SANCTIONS = (
    *(Audit.Deed.WARN, Audit.Deed.MUTE, Audit.Deed.SUSPEND, Audit.Deed.PROPOSE, Audit.Deed.BAN, Audit.Deed.RENAME),
)
READ = (*SANCTIONS, Audit.Deed.ADDRESS, Audit.Deed.RIGHTS, Audit.Deed.GRANT, Audit.Deed.REFUSE)
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


class AppealForm(forms.Form):
    words = TextField(
        label=_("Why the sanction is wrong"),
        max_length=LONGEST_WORDS,
        widget=forms.Textarea(attrs={"rows": 6}),
        help_text=_("You can appeal once. Another moderator reads it, and decides."),
    )


class BarForm(forms.ModelForm):
    """An address or a domain to ban."""

    key = forms.CharField(required=False, max_length=40, widget=forms.HiddenInput, initial=fresh_key)

    class Meta:
        model = Barred
        fields = ("pattern", "reason")
        help_texts: ClassVar = {
            "pattern": _("An e-mail address, or a domain such as example.org with all that is under it."),
            "reason": READ_IN_AUDIT,
        }

    def clean_pattern(self) -> str:
        return normalised(self.cleaned_data["pattern"])


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
    address = forms.EmailField(label=_("New address"), max_length=254)
    rights = forms.ChoiceField(label=_("Rights"), choices=Rights.choices)
    reply = forms.ChoiceField(
        label=_("What the reporter is told"),
        required=False,
        choices=Reply.choices,
        help_text=_("In the reporter’s own language."),
    )
    answer = TextField(
        label=_("In your words as well"),
        required=False,
        max_length=LONGEST_REASON,
        widget=forms.Textarea(attrs={"rows": 2, "cols": 60}),
        help_text=_("If need be. The reporter reads it as you write it; do not name who else reported."),
    )
    together = forms.BooleanField(required=False)
    usual = forms.ChoiceField(
        label=_("A usual reason"),
        required=False,
        choices=lambda: [("", "—"), *((one, gettext(one)) for one in REASONS)],
        help_text=_("In the member’s own language."),
    )
    reason = TextField(label=_("Why"), max_length=LONGEST_REASON, widget=forms.Textarea(attrs={"rows": 3, "cols": 60}))
    sure = forms.BooleanField(error_messages={"required": _("Nothing was done yet: tick that you are sure.")})

    key = forms.CharField(required=False, max_length=40, widget=forms.HiddenInput, initial=fresh_key)

    def __init__(
        self, *args: Any, deed: str, title: str, seats: list[tuple[int, str]], others: int = 0, **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        choice = CHOICES[deed]
        kept = {choice.asks, "reason", "key", "sure" if choice.is_final else ""}
        kept |= {"usual"} if deed in SANCTIONS else set()
        kept |= {"answer"} if choice.asks == "reply" else set()
        kept = kept | {"together"} if others and choice.asks in ("reply", "together") else kept - {"together"}
        for name in set(self.fields) - kept:
            del self.fields[name]
        self.fields["reason"].help_text = READ_BY_MEMBER if deed in READ else READ_IN_AUDIT
        if deed in SANCTIONS:
            self.fields["reason"].required = False
            self.fields["reason"].label = gettext("In your words, instead or as well")
        self._word_queue(deed, others)
        if deed == Audit.Deed.NOTE:
            self.fields["reason"].label = gettext("Note")
        if choice.is_final:
            self.fields["sure"].label = gettext("I am sure: “%(what)s”") % {"what": title}
        if choice.asks == "seat":
            seat = self.fields["seat"]
            assert isinstance(seat, forms.ChoiceField)
            seat.choices = [("", "—"), *((str(number), f"{number + 1}: {name}") for number, name in seats)]

    def clean(self) -> dict[str, Any]:
        """Return what was filled in, a usual reason and what was added as one."""
        filled = super().clean() or self.cleaned_data
        words = (filled.pop("usual", ""), filled.get("reason", ""))
        filled["reason"] = "\n".join(filter(None, words))[:LONGEST_REASON]
        if not filled["reason"] and "reason" not in self.errors:
            self.add_error("reason", gettext("Say why, or choose a usual reason."))
        return filled

    def _word_queue(self, deed: str, others: int) -> None:
        """Set what the fields of a report's actions say: the usual answer, how many reports are meant."""
        if "reply" in self.fields:
            self.fields["reply"].initial = USUAL[deed]  # type: ignore[index]
        if "together" in self.fields:
            self.fields["together"].initial = True
            words = ngettext(
                "The %(n)d other report about this member that waits, too",
                "The %(n)d other reports about this member that wait, too",
                others,
            )
            self.fields["together"].label = words % {"n": others}
