"""The form by which a tournament is announced."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils import timezone
from django.utils.translation import gettext, gettext_noop
from django.utils.translation import gettext_lazy as _

from config.lib import clock
from config.lib.texts import TextField, clean_text, one_line
from games.competitions.models import LONGEST_NAME, LONGEST_WORDS, Tournament
from games.competitions.services.announcing import (
    ARENA_LONGEST,
    ARENA_SHORTEST,
    LATEST,
    LONGEST,
    MOST_ENTRANTS,
    SHORTEST,
    SOONEST,
)
from games.forms.options import chosen, option_fields, place_of_choice, usual_options
from games.models import Club
from games.rules import catalogue, get_game
from games.time_controls import LIVE, TIME_CONTROLS, USUAL

Format, Access, Judge = Tournament.Format, Tournament.Access, Tournament.Judge
USUAL_SEATS = 4
MOST_ROUNDS, MOST_MATCHES = 20, 4
STEPS = forms.NumberInput({"step": 50, "inputmode": "numeric"})
RATINGS: dict[str, Any] = {"required": False, "min_value": 100, "max_value": 4000, "widget": STEPS}
FORMATS: dict[str, Any] = {  # each in a sentence
    Format.SWISS: _("Everybody plays every round, at tables of people who stand alike."),
    Format.GROUPS: _("Each round divides into groups; the best of each go on, up to a final."),
    Format.ROBIN: _("As many rounds as it takes until everybody has met everybody."),
    Format.KNOCKOUT: _("One match at each table; the best go on, the others are out."),
    Format.ARENA: _("Live: whoever is ready is seated again and again, until the time is up."),
}
JUDGES: dict[str, Any] = {
    Judge.BOTS: _("A bot takes over for whoever keeps a table waiting, and the match is played out."),
    Judge.STANDING: _("Whoever is ahead then is ahead; the match may go on, but no longer counts here."),
}
ACCESSES: dict[str, Any] = {
    Access.PUBLIC: _("It stands in the list, and every member may sign up."),
    Access.LINK: _("It stands in no list; whoever has its link may sign up."),
    Access.CLUB: _("Members of the club alone see it and sign up."),
}
EVENINGS = [timedelta(minutes=minutes) for minutes in (30, 60, 90, 120, 180, 240, 300, 360)]


def _span(span: timedelta) -> str:
    hours, minutes = divmod(int(span.total_seconds()) // 60, 60)
    return f"{hours} h {minutes:02d}" if hours and minutes else f"{hours} h" if hours else f"{minutes} min"


class Moment(forms.DateTimeInput):
    """A day and a time in the reader's time zone, as browsers let one pick them."""

    input_type = "datetime-local"

    def __init__(self) -> None:
        super().__init__(format="%Y-%m-%dT%H:%M")


def described(choices: Any, words: dict[str, Any]) -> list[tuple[str, Any, Any]]:
    """Return value, name and sentence of each choice."""
    return [(value, label, words[value]) for value, label in choices]


class TournamentForm(forms.Form):
    """The announcement of a tournament of one game."""

    name = forms.CharField(
        label=_("Name"), max_length=LONGEST_NAME, help_text=_("How it stands in the list. Up to 60 characters.")
    )
    words = TextField(
        label=_("Description"),
        required=False,
        max_length=LONGEST_WORDS,
        widget=forms.Textarea({"rows": 4}),
        help_text=_("What players should know. It cannot be changed later."),
    )
    format = forms.ChoiceField(label=_("Format"), choices=Format, initial=Format.SWISS, widget=forms.RadioSelect)
    rounds_wished = forms.IntegerField(
        label=_("Rounds"),
        min_value=0,
        max_value=MOST_ROUNDS,
        initial=0,
        required=False,
        help_text=_("Swiss system only. 0: as many as it takes to find a winner."),
    )
    advance = forms.IntegerField(
        label=_("How many of each table go on"),
        min_value=0,
        max_value=7,
        initial=0,
        required=False,
        help_text=_("Groups and knock-out only. 0: half of them."),
    )
    group_matches = forms.IntegerField(
        label=_("Matches of each group"),
        min_value=1,
        max_value=MOST_MATCHES,
        initial=1,
        required=False,
        help_text=_("Groups only. The same people, seated in another order each time, at once."),
    )
    pace = forms.ChoiceField(
        label=_("Time to think"),
        choices=[(pace.slug, pace.label) for pace in TIME_CONTROLS.values() if not pace.is_live],
        initial=USUAL,
        required=False,
        widget=forms.RadioSelect,
        help_text=_("All in one evening is always live; this is for the other formats."),
    )
    days = forms.IntegerField(
        label=_("Days for a round"),
        min_value=SHORTEST.days,
        max_value=LONGEST.days,
        initial=14,
        required=False,
        help_text=_("All formats but “all in one evening”. A table still running then is decided, as you say below."),
    )
    evening = forms.TypedChoiceField(
        label=_("How long it lasts"),
        coerce=int,
        empty_value=None,
        choices=[
            (int(span.total_seconds()) // 60, _span(span))
            for span in EVENINGS
            if ARENA_SHORTEST <= span <= ARENA_LONGEST
        ],
        initial=120,
        required=False,
        help_text=_("All in one evening only. Tables that have begun by then are played to the end."),
    )
    judge = forms.ChoiceField(
        label=_("A table still running at the limit"), choices=Judge, initial=Judge.BOTS, widget=forms.RadioSelect
    )
    begins_at = forms.DateTimeField(label=_("Begins"), widget=Moment)
    least = forms.IntegerField(
        label=_("At least"), min_value=2, max_value=MOST_ENTRANTS, help_text=_("With fewer it is cancelled.")
    )
    most = forms.IntegerField(
        label=_("At most"), min_value=2, max_value=MOST_ENTRANTS, help_text=_("Then sign-up is full.")
    )
    rated = forms.ChoiceField(
        label=_("Rated?"), required=False, choices=[("rated", _("Rated")), ("", _("Casual"))], initial="rated"
    )
    access = forms.ChoiceField(
        label=_("Who may take part"), choices=Access, initial=Access.PUBLIC, widget=forms.RadioSelect
    )
    club = forms.TypedChoiceField(label=_("Club"), coerce=int, empty_value=None, required=False)
    lowest_rating = forms.IntegerField(label=_("From a rating of"), **RATINGS)
    highest_rating = forms.IntegerField(label=_("Up to a rating of"), **RATINGS)
    least_ended = forms.IntegerField(
        label=_("Ended matches before"),
        min_value=0,
        max_value=1000,
        initial=0,
        required=False,
        help_text=_("Against people, of any game. 0: none needed."),
    )
    least_reliability = forms.IntegerField(
        label=_("Least reliability, per cent"),
        min_value=0,
        max_value=100,
        initial=0,
        required=False,
        help_text=_("Of the last matches, how many were played without running out of time. 0: any."),
    )

    def __init__(
        self,
        *args: Any,
        game_slug: str,
        clubs: Sequence[Club] = (),
        of_clubs_alone: bool = False,
        club: str = "",
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        self.game, self.clubs = get_game(game_slug), {one.pk: one for one in clubs}
        self._offer_clubs(club, alone=of_clubs_alone)
        sizes = range(self.game.min_seats, self.game.max_seats + 1)
        self.fields["seats"] = forms.TypedChoiceField(
            label=_("Seats at a table"),
            coerce=int,
            choices=[(n, str(n)) for n in sizes],
            initial=self._usual_seats(),
            widget=forms.RadioSelect,
            help_text=_("Where the number of players does not divide, some tables have one more or one fewer."),
        )
        self.fields |= option_fields(self.game)
        self.initial = {**self._proposed(club), **self.initial}
        zone = {"zone": timezone.get_current_timezone_name()}
        self.fields["begins_at"].help_text = gettext("Sign-up ends then. In your time zone: %(zone)s.") % zone

    def _offer_clubs(self, wished: str, *, alone: bool) -> None:
        """Let it be for members of these clubs, the wished one if nothing else is said; `alone`: for nobody else."""
        access, club = self.fields["access"], self.fields["club"]
        gone = gettext("You do not organise that club, or not any more. Choose again who may take part.")
        for field in (access, club) if self.data.get("access") == Access.CLUB else ():
            field.error_messages["invalid_choice"] = gone
        names = [one.name for one in self.clubs.values()]
        said = gettext("For members of “%(name)s”") % {"name": names[0]} if len(names) == 1 else Access.CLUB.label
        offered = [] if alone else [choice for choice in Access.choices if choice[0] != Access.CLUB]
        access.choices = [*offered, *([(Access.CLUB, said)] if names else [])]  # type: ignore[attr-defined]
        club.choices = [(number, one.name) for number, one in self.clubs.items()]  # type: ignore[attr-defined]
        if alone or wished in {str(number) for number in self.clubs}:
            access.initial, club.initial = Access.CLUB, wished

    def _usual_seats(self) -> int:
        """Return the number of seats nearest to four that the usual options allow."""
        options, found = usual_options(self.game), []
        for size in range(self.game.min_seats, self.game.max_seats + 1):
            try:
                self.game.full_options(size, options)
            except ValueError:
                continue
            found.append(size)
        return min(found or [self.game.max_seats], key=lambda size: abs(size - USUAL_SEATS))

    def _proposed(self, club: str) -> dict[str, Any]:
        """Return what the form proposes; of a small club no more are needed than belong to it, or fill a table."""
        seats = self._usual_seats()
        least = min([max(4, 2 * seats), *(one.size for number, one in self.clubs.items() if str(number) == club)])
        evening = timezone.localtime(clock.now() + timedelta(days=7)).replace(hour=20, minute=0, second=0)
        return {"least": max(seats, least), "most": 8 * seats, "begins_at": evening.replace(microsecond=0)}

    @property
    def option_fields(self) -> list[tuple[forms.BoundField, bool, int]]:
        """Options' fields, each with whether others depend on it, and the choice it depends on itself."""
        fields = self.game.option_fields
        deciding = {other for field in fields.values() for other in field.get("only", {})}
        return [(self[f"option_{name}"], name in deciding, place_of_choice(fields, name)) for name in fields]

    @property
    def formats(self) -> list[tuple[str, Any, Any]]:
        return described(Format.choices, FORMATS)

    @property
    def judges(self) -> list[tuple[str, Any, Any]]:
        return described(Judge.choices, JUDGES)

    @property
    def accesses(self) -> list[tuple[str, Any, Any]]:
        return described(self.fields["access"].choices, ACCESSES)  # type: ignore[attr-defined]

    @property
    def of_a_format(self) -> list[tuple[forms.BoundField, str]]:
        """The fields that some formats have, each with those formats."""
        return [
            (self["rounds_wished"], "swiss"),
            (self["advance"], "groups knockout"),
            (self["group_matches"], "groups"),
        ]

    @property
    def faults(self) -> list[tuple[str, Any, Any]]:
        """Where to look for each field that is not well, as the page's ids say, its name, and what is wrong."""
        found = []
        for field in self:
            if field.errors:
                is_choice = isinstance(field.field.widget, forms.RadioSelect) or field.name == "rated"
                found.append((f"{field.auto_id}_0" if is_choice else field.auto_id, field.label, field.errors[0]))
        return found

    @property
    def conditions(self) -> list[forms.BoundField]:
        return [self[name] for name in ("lowest_rating", "highest_rating", "least_ended", "least_reliability")]

    @property
    def numbers(self) -> list[forms.BoundField]:
        return [self["least"], self["most"]]

    def clean_name(self) -> str:
        if not (name := one_line(self.cleaned_data["name"])):
            raise ValidationError(_("Give it a name."))
        return name

    def clean_words(self) -> str:
        return clean_text(self.cleaned_data["words"])

    def clean_begins_at(self) -> datetime:
        at, now = self.cleaned_data["begins_at"], clock.now()
        if not now + SOONEST <= at <= now + LATEST:
            raise ValidationError(_("It begins between ten minutes and ninety days from now."))
        return at

    def clean(self) -> dict[str, Any]:
        data = super().clean() or self.cleaned_data
        lowest, highest = data.get("lowest_rating"), data.get("highest_rating")
        if lowest is not None and highest is not None and lowest > highest:
            self.add_error("highest_rating", _("The highest rating is below the lowest."))
        if data.get("least") and data.get("most") and data["least"] > data["most"]:
            self.add_error("most", _("This is fewer than must come for it to begin."))
        if data.get("seats") and data.get("least") and data["least"] < data["seats"]:
            self.add_error("least", _("This does not fill one table."))
        if data.get("access") == Access.CLUB and "club" not in self.errors and not data.get("club"):
            self.add_error("club", _("Choose the club for whose members the tournament is."))
        self._check_format(data)
        self._check_options(data)
        return data

    def _check_format(self, data: dict[str, Any]) -> None:
        """Add an error for what this format needs and was not said."""
        needed = {"evening"} if data.get("format") == Format.ARENA else {"days", "pace"}
        for name in needed:
            if name not in self.errors and not data.get(name):
                self.add_error(name, _("This format needs it."))
        staged = data.get("format") in (Format.GROUPS, Format.KNOCKOUT)
        if staged and data.get("seats") and (data.get("advance") or 0) >= data["seats"]:
            self.add_error("advance", _("At least one of each table must be out."))

    def _check_options(self, data: dict[str, Any]) -> None:
        """Add an error for options that the game does not allow at such tables."""
        if "seats" not in data:
            return
        try:
            self.game.full_options(data["seats"], chosen(self.game, data))
        except ValueError as error:
            name = str(error).partition(":")[0]
            usual = (None, gettext_noop("The game cannot be played with these settings."))
            field, why = catalogue(self.game.slug).refusals.get(name, usual)
            self.add_error(field if field in self.fields else "seats" if field == "size" else None, gettext(why))

    def wishes(self) -> dict[str, Any]:
        """Return the arguments of `announcing.announce` that this form has."""
        data = self.cleaned_data
        is_arena, format_ = data["format"] == Format.ARENA, data["format"]
        kept = ("name", "words", "format", "seats", "judge", "begins_at", "least", "most", "access")
        return {name: data[name] for name in kept} | {
            "game_slug": self.game.slug,
            "club": self.clubs[data["club"]] if data["access"] == Access.CLUB else None,
            "options": chosen(self.game, data),
            "rounds_wished": (data["rounds_wished"] or 0) if format_ == Format.SWISS else 0,
            "advance": (data["advance"] or 0) if format_ in (Format.GROUPS, Format.KNOCKOUT) else 0,
            "matches": (data["group_matches"] or 1) if format_ == Format.GROUPS else 1,
            "pace_slug": LIVE if is_arena else data["pace"],
            "round_limit": data["evening"] if is_arena else data["days"] * 24 * 60,
            "rated": data["rated"] == "rated",
            "lowest_rating": data["lowest_rating"],
            "highest_rating": data["highest_rating"],
            "least_ended": data["least_ended"] or 0,
            "least_reliability": data["least_reliability"] or 0,
        }
