"""The forms by which an organiser or a moderator acts on a tournament: one for each deed, each with its reason."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from config.lib.texts import TextField, clean_text, one_line
from games.competitions.models import LONGEST_NAME, LONGEST_REASON, LONGEST_WORDS
from games.competitions.services.correcting import MOST_DAYS
from games.forms.people import LONGEST, NamesInput, members_named, names_in, picker

Choices = Sequence[tuple[int, str]]


@dataclass(frozen=True)
class Deed:
    """What may be done to a tournament: its title, what it means, what is said once it is done, its form's fields."""

    title: Any
    words: Any
    done: Any
    fields: tuple[str, ...] = ("reason",)
    danger: bool = False


DEEDS: dict[str, Deed] = {
    "begin": Deed(
        _("Begin now"),
        _("Sign-up ends, and the first round is drawn at once; it does not wait for its hour."),
        _("The tournament has begun: its tables are being opened."),
        (),
    ),
    "cancel": Deed(
        _("Cancel the tournament"),
        _("It does not take place. Everybody who has signed up is told."),
        _("The tournament is cancelled, and everybody who has signed up is told."),
        danger=True,
    ),
    "take-out": Deed(
        _("Take somebody out"),
        _("They are not seated in the coming rounds. The running match goes on, and results stand."),
        _("They are taken out: they get no further table."),
        ("number", "reason"),
        danger=True,
    ),
    "replace": Deed(
        _("Let somebody else take a place"),
        _(
            "They are asked, and take part from the next round on once they accept: without points. Whose place it is "
            "leaves then."
        ),
        _("They are asked. Until they accept, nothing changes; with the next draw the question lapses."),
        ("number", "by", "reason"),
    ),
    "void": Deed(
        _("Void a table"),
        _("It counts for nothing, and the standings are calculated again. Its match may go on outside the tournament."),
        _("The table counts for nothing any more."),
        ("table", "reason"),
        danger=True,
    ),
    "extend": Deed(
        _("Give the round more time"),
        _("The limit of the running round moves, for all tables."),
        _("The round has more time."),
        ("days", "reason"),
    ),
    "decide": Deed(
        _("Decide a table now"),
        _("As the limit of the round would, by the rule that was announced."),
        _("The table is decided: its points count as they stand."),
        ("table", "reason"),
    ),
    "stop": Deed(
        _("Stop the tournament"),
        _("For moderators: it ends without a winner. Running matches go on outside it."),
        _("The tournament is stopped: it has ended without a winner."),
        danger=True,
    ),
    "amend": Deed(
        _("Change the name or the description"),
        _("For moderators: what breaks the rules of the site is taken out. The audit keeps the former name."),
        _("The name and the description are changed."),
        ("name", "words", "reason"),
    ),
}
OF_OPEN = ("begin", "cancel")
OF_RUNNING = ("extend", "replace", "take-out", "decide", "void")


class DeedForm(forms.Form):
    """The form of one deed; its fields have the deed in their ids, as several forms stand on one page."""

    deed = forms.CharField(widget=forms.HiddenInput)

    def __init__(
        self,
        data: Any,
        *,
        name: str,
        people: Choices = (),
        tables: Choices = (),
        known: Sequence[str] = (),
        is_at_one: bool = False,
        told: dict[str, str] | None = None,
    ) -> None:
        super().__init__(data, auto_id=f"{name}-%s", initial={"deed": name, "days": 3, **(told or {})})
        self.name, self.about, self.known = name, DEEDS[name], known
        offered: dict[str, forms.Field] = {
            "number": forms.TypedChoiceField(
                label=_("Whose place") if name == "replace" else _("Who"),
                choices=[("", "—"), *people],
                coerce=int,
            ),
            "by": forms.CharField(label=_("Who comes, by name"), max_length=LONGEST, widget=NamesInput),
            "table": forms.TypedChoiceField(
                label=_("Table"),
                choices=[("", "—"), *tables],
                coerce=int,
                help_text=_("Where you sit yourself, a moderator decides.") if is_at_one else "",
            ),
            "name": forms.CharField(label=_("Name"), max_length=LONGEST_NAME),
            "words": TextField(
                label=_("Description"), required=False, max_length=LONGEST_WORDS, widget=forms.Textarea({"rows": 4})
            ),
            "days": forms.IntegerField(label=_("Days"), min_value=1, max_value=MOST_DAYS),
            "reason": forms.CharField(
                label=_("Reason"),
                max_length=LONGEST_REASON,
                help_text=_("Everybody who sees the tournament reads it, with your name."),
            ),
        }
        self.fields |= {field: offered[field] for field in self.about.fields}

    @property
    def fields_shown(self) -> list[forms.BoundField]:
        return [self[field] for field in self.about.fields]

    @property
    def picker(self) -> dict[str, Any]:
        """What the page shows for picking who comes."""
        return picker(self.known, names_in([self["by"].value() or ""]))

    def clean_by(self) -> User:
        found = members_named(self.cleaned_data["by"])
        if len(found) != 1:
            raise ValidationError(_("Name one member."))
        return found[0]

    def clean_name(self) -> str:
        if not (name := one_line(self.cleaned_data["name"])):
            raise ValidationError(_("Give it a name."))
        return name

    def clean_words(self) -> str:
        return clean_text(self.cleaned_data["words"])

    def clean_reason(self) -> str:
        if not (reason := one_line(self.cleaned_data["reason"])):
            raise ValidationError(_("Say why."))
        return reason
