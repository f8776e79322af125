"""The form of a new table."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext, gettext_noop
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from games.forms.options import chosen, fewest, option_fields, place_of_choice
from games.forms.people import LONGEST, NamesInput, members_named, names_in, picker
from games.models import Club, Match
from games.partners import MANNERS, SAID
from games.rules import catalogue, get_game
from games.time_controls import TIME_CONTROLS, USUAL, TimeControl

STEPS = forms.NumberInput({"step": 50})
RATINGS: dict[str, Any] = {"required": False, "min_value": 100, "max_value": 4000, "widget": STEPS}


CLUB = Match.Access.CLUB
ACCESS = [choice for choice in Match.Access.choices if choice[0] != CLUB]


class NewMatchForm(forms.Form):
    """The form of a new table of one game."""

    access = forms.ChoiceField(label=_("Who may join"), choices=ACCESS, initial=Match.Access.OPEN)
    club = forms.TypedChoiceField(label=_("Club"), coerce=int, empty_value=None, required=False)
    pace = forms.ChoiceField(
        label=_("Time to think"),
        choices=[(pace.slug, pace.label) for pace in TIME_CONTROLS.values()],
        initial=USUAL,
        required=False,
        widget=forms.RadioSelect,
    )
    invited = forms.CharField(
        label=_("Invite members"),
        required=False,
        max_length=LONGEST,
        widget=NamesInput,
    )
    rated = forms.ChoiceField(
        label=_("Rated?"),
        required=False,
        choices=[("rated", _("Rated")), ("", _("Casual"))],
        initial="",
    )
    lowest_rating = forms.IntegerField(label=_("From"), **RATINGS)
    highest_rating = forms.IntegerField(label=_("Up to"), **RATINGS)
    no_automatic_days_off = forms.BooleanField(
        label=_("No automatic days off"),
        required=False,
        help_text=_("Days off that members book still stop their clocks."),
    )
    no_guests = forms.BooleanField(
        label=_("No guests"),
        required=False,
        help_text=_("Without this, whoever has the link of a casual table sits down under a name, without an account."),
    )
    takes_bots = forms.BooleanField(
        label=_("Bots of members may sit down"),
        required=False,
        help_text=_("Programs that members made. In a rated match with one, ratings change as with anybody else."),
    )

    def __init__(
        self, *args: Any, game_slug: str, known: Sequence[str] = (), clubs: Sequence[Club] = (), **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self.known, self.clubs = known, {club.pk: club for club in clubs}
        self._offer_clubs()
        self.game = get_game(game_slug)
        sizes = range(self.game.min_seats, self.game.max_seats + 1)
        self.fields["size"] = forms.TypedChoiceField(
            label=_("Players"),
            coerce=int,
            choices=[(n, str(n)) for n in sizes],
            initial=fewest(self.game),
            widget=forms.RadioSelect,
        )
        self.fields |= option_fields(self.game)
        for number in range(1, self.game.max_seats):
            self.fields[f"bot_{number}"] = forms.ChoiceField(
                label=_("Seat %(number)d") % {"number": number + 1},
                required=False,
                choices=[("", _("A person")), *((level, SAID[level]) for level in self.game.levels)],
            )

    def _offer_clubs(self) -> None:
        """Let tables be for members of a club, if there are any clubs to choose from."""
        access, club = self.fields["access"], self.fields["club"]
        gone = _("You do not belong to that club, or not any more. Choose again who may join.")
        for field in (access, club) if self.data.get("access") == CLUB else ():
            field.error_messages["invalid_choice"] = gone
        names = [one.name for one in self.clubs.values()]
        said = _("For members of “%(name)s”") % {"name": names[0]} if len(names) == 1 else CLUB.label
        access.choices = [*ACCESS, *([(CLUB, said)] if names else [])]  # type: ignore[attr-defined]
        club.choices = [(number, one.name) for number, one in self.clubs.items()]  # type: ignore[attr-defined]

    @property
    def option_fields(self) -> list[tuple[forms.BoundField, bool, int]]:
        """Options' fields, each with whether others depend on it, and the choice it depends on itself."""
        fields = self.game.option_fields
        deciding = {other for field in fields.values() for other in field.get("only", {})}
        return [(self[f"option_{name}"], name in deciding, place_of_choice(fields, name)) for name in fields]

    @property
    def picker(self) -> dict[str, Any]:
        """What the page shows for picking people to invite."""
        return picker(self.known, names_in([self["invited"].value() or ""]))

    @property
    def bot_fields(self) -> list[forms.BoundField]:
        return [self[f"bot_{number}"] for number in range(1, self.game.max_seats)]

    @property
    def manners(self) -> list[Any]:
        """What bots of each strength are like, in a sentence."""
        return [MANNERS[level] for level in self.game.levels]

    @property
    def paces(self) -> list[TimeControl]:
        return list(TIME_CONTROLS.values())

    @property
    def range_fields(self) -> list[forms.BoundField]:
        return [self["lowest_rating"], self["highest_rating"]]

    def clean_invited(self) -> list[User]:
        return members_named(self.cleaned_data["invited"])

    def clean(self) -> dict[str, Any]:
        data = super().clean() or self.cleaned_data
        if data.get("access") == CLUB and "club" not in self.errors and not data.get("club"):
            self.add_error("club", _("Choose the club for whose members the table is."))
        lowest, highest = data.get("lowest_rating"), data.get("highest_rating")
        if lowest is not None and highest is not None and lowest > highest:
            self.add_error("highest_rating", _("The highest rating is below the lowest."))
        self._check_options(data)
        return data

    def _check_options(self, data: dict[str, Any]) -> None:
        """Add an error for options that the game does not allow with so many players."""
        if "size" not in data:
            return
        options = chosen(self.game, data)
        try:
            self.game.full_options(data["size"], options)
        except ValueError as error:
            name = str(error).partition(":")[0]
            usual = (None, gettext_noop("The game cannot be played with these settings."))
            field, why = catalogue(self.game.slug).refusals.get(name, usual)
            self.add_error(field, gettext(why))

    def wishes(self) -> dict[str, Any]:
        """Return the arguments of `opening.create_match` that this form has."""
        data = self.cleaned_data
        levels = [data[f"bot_{number}"] for number in range(1, data["size"])]
        return {
            "game_slug": self.game.slug,
            "size": data["size"],
            "options": chosen(self.game, data),
            "bots": [level for level in levels if level],
            "access": data["access"],
            "club": self.clubs[data["club"]] if data["access"] == CLUB else None,
            "pace": data["pace"] or USUAL,
            "automatic_days_off": not data["no_automatic_days_off"],
            "invited": data["invited"],
            "rated": data["rated"] == "rated",
            "guests": not data["no_guests"],
            "takes_bots": data["takes_bots"],
            "rating_range": (data["lowest_rating"], data["highest_rating"]),
        }
