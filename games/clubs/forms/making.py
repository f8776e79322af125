"""The form of what a club says of itself."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from config.lib.texts import TextField, clean_text
from games.clubs.services.making import checked_name
from games.models import LONGEST_CLUB_NAME, LONGEST_CLUB_WORDS, Club

ACCESSES: dict[str, Any] = {  # each in a sentence
    Club.Access.OPEN: _("Any member may join at once."),
    Club.Access.REQUEST: _("Who wants to join asks, and you or an organiser of yours answers."),
    Club.Access.INVITATION: _("Nobody else finds the club; you invite by name or by its link."),
}


class ClubForm(forms.Form):
    """The name of a club, its description, and who may join it."""

    name = forms.CharField(
        label=_("Name"),
        max_length=LONGEST_CLUB_NAME,
        help_text=_("3 to 40 characters. Its picture is drawn from the name."),
    )
    words = TextField(
        label=_("Description"),
        required=False,
        max_length=LONGEST_CLUB_WORDS,
        widget=forms.Textarea({"rows": 4}),
        help_text=_("Who you are, when you play, what you like."),
    )
    access = forms.ChoiceField(
        label=_("Who may join"), choices=Club.Access, initial=Club.Access.OPEN, widget=forms.RadioSelect
    )

    def __init__(self, *args: Any, renames: bool = True, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not renames:
            del self.fields["name"]

    @property
    def accesses(self) -> list[tuple[str, Any, Any]]:
        """Value, name and sentence of each way to join."""
        names = {
            Club.Access.OPEN: _("Open"),
            Club.Access.REQUEST: _("By request"),
            Club.Access.INVITATION: _("By invitation"),
        }
        return [(value.value, names[value], ACCESSES[value]) for value in Club.Access]

    def clean_name(self) -> str:
        return checked_name(self.cleaned_data["name"])

    def clean_words(self) -> str:
        return clean_text(self.cleaned_data["words"])
