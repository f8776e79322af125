"""The forms of club matches: the challenge, and the order of a line-up."""

from datetime import datetime, timedelta
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from config.lib import clock
from config.lib.texts import TextField, clean_text
from games.clubs.models import LONGEST_MESSAGE
from games.clubs.services.encounters.challenging import LATEST, MOST_TABLES, SOONEST, sizes
from games.forms.options import chosen, option_fields, place_of_choice
from games.models import Club
from games.rules import get_game
from games.time_controls import TIME_CONTROLS, USUAL

USUAL_TABLES = 4


class ChallengeForm(forms.Form):
    """What one club proposes to another."""

    own = forms.TypedChoiceField(label=_("In the name of"), coerce=int, widget=forms.RadioSelect)
    seats = forms.TypedChoiceField(
        label=_("Seats at a table"),
        coerce=int,
        widget=forms.RadioSelect,
        help_text=_("Both clubs have as many, and they alternate."),
    )
    most_tables = forms.IntegerField(
        label=_("Tables, at most"),
        min_value=1,
        max_value=MOST_TABLES,
        initial=USUAL_TABLES,
        help_text=_("The smaller of the two line-ups decides how many there are."),
    )
    pace = forms.ChoiceField(
        label=_("Time to think"),
        choices=[(pace.slug, pace.label) for pace in TIME_CONTROLS.values() if not pace.is_live],
        initial=USUAL,
        widget=forms.RadioSelect,
    )
    begins_at = forms.DateTimeField(
        label=_("Begins"), widget=forms.DateTimeInput({"type": "datetime-local"}, format="%Y-%m-%dT%H:%M")
    )
    rated = forms.ChoiceField(
        label=_("Rated?"),
        required=False,
        choices=[("rated", _("Rated")), ("", _("Casual"))],
        initial="rated",
        widget=forms.RadioSelect,
    )
    words = TextField(
        label=_("Message to the other club"),
        required=False,
        max_length=LONGEST_MESSAGE,
        widget=forms.Textarea({"rows": 3}),
        help_text=_("Everybody who sees the club match reads it."),
    )

    def __init__(self, *args: Any, game_slug: str, clubs: list[Club], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.game = get_game(game_slug)
        possible = sizes(game_slug)
        self.fields["own"].choices = [(club.pk, club.name) for club in clubs]  # type: ignore[attr-defined]
        self.fields["own"].initial = clubs[0].pk
        self.fields["seats"].choices = [(size, str(size)) for size in possible]  # type: ignore[attr-defined]
        self.fields["seats"].initial = possible[0] if possible else None
        self.fields |= option_fields(self.game)
        evening = timezone.localtime(clock.now() + timedelta(days=10)).replace(hour=20, minute=0, second=0)
        self.fields["begins_at"].initial = evening.replace(microsecond=0)
        zone = {"zone": timezone.get_current_timezone_name()}
        self.fields["begins_at"].help_text = gettext("Line-ups close then. In your time zone: %(zone)s.") % zone

    @property
    def option_fields(self) -> list[tuple[forms.BoundField, bool, int]]:
        """Options' fields, each with whether others depend on it, and the choice it depends on itself."""
        fields = self.game.option_fields
        deciding = {other for field in fields.values() for other in field.get("only", {})}
        return [(self[f"option_{name}"], name in deciding, place_of_choice(fields, name)) for name in fields]

    def clean_words(self) -> str:
        return clean_text(self.cleaned_data["words"])

    def clean_begins_at(self) -> datetime:
        at, now = self.cleaned_data["begins_at"], clock.now()
        if not now + SOONEST <= at <= now + LATEST:
            raise ValidationError(_("It begins between one hour and sixty days from now."))
        return at

    def wishes(self) -> dict[str, Any]:
        """Return the arguments of `challenging.challenge` that this form has."""
        data = self.cleaned_data
        return {
            "own_id": data["own"],
            "game_slug": self.game.slug,
            "options": chosen(self.game, data),
            "seats": data["seats"],
            "most_tables": data["most_tables"],
            "pace_slug": data["pace"],
            "begins_at": data["begins_at"],
            "rated": data["rated"] == "rated",
            "words": data["words"],
        }
