"""What browsers send, made into the arguments of services; what is unreadable is refused in words."""

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Self

from django import forms
from django.core.exceptions import ValidationError
from django.http import QueryDict
from django.utils.functional import Promise
from django.utils.translation import gettext, gettext_noop
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from games.models import Match
from games.option_forms import chosen, fewest, option_fields, place_of_choice
from games.pace import PACES, USUAL, Pace
from games.rules import catalogue, get_game
from games.services.operating import MOST_HOURS
from games.services.refusals import Refused
from games.table import BOTS

KEY = re.compile(r"[A-Za-z0-9_-]{1,40}")
NUMBER = re.compile(r"-?[0-9]{1,12}")
NONCE = re.compile(r"[A-Za-z0-9_-]{1,64}")
MOST_NOTES = 10_000
MOST_INVITED = 10


class Unreadable(Refused):
    status = 400
    sentence: str | Promise = _(
        "That could not be read as a move. Nothing was played; here is the table now."
    )

    def __init__(self, why: str = "") -> None:
        self.why = why

    def in_words_of(self, game_slug: str) -> Self:
        """Return the refusal, in the game's own words if it has some for this reason."""
        if words := catalogue(game_slug).unreadable.get(self.why):
            self.sentence = gettext(words)
        return self


class NotWhole(Unreadable):
    sentence = _("Each number must be a whole one: digits alone, none left out. Nothing was played.")


class NotChosen(Unreadable):
    sentence = _("Something is still to be chosen: pick one of each first. Nothing was played.")


@dataclass(frozen=True)
class MovePost:
    """A move as posted: the question it answers, the key that makes it play once, the move itself."""

    ask: int
    key: str
    move: Any
    since: int | None


def read_move(post: QueryDict) -> MovePost:
    """Return the posted move; Unreadable when its frame (question, key, JSON) or a field makes no sense.

    `move` is a JSON object. Fields of an object's type are added from inputs `<type>.<kind>.<field>`,
    the kind being `int`, `text`, `one` (a text to be chosen), `ints` (a list), `two` (a pair), or `but` (the
    numbers not given of `<type>.of.<field>`). `<type>+<type>…` is for each of these types; a further `.<n>`
    limits a field to moves whose `token` is n.
    Whether the move itself makes sense is for the game to say.
    """
    ask, key = post.get("ask", ""), post.get("key", "")
    if not (ask.isascii() and ask.isdigit() and len(ask) <= 9 and KEY.fullmatch(key)):
        raise Unreadable
    try:
        move = json.loads(post.get("move", ""))
    except (ValueError, RecursionError) as error:
        raise Unreadable from error
    if isinstance(move, dict) and isinstance(move.get("type"), str):
        move = {**_fields(post, move["type"], move.get("token")), **move}
    return MovePost(int(ask), key, move, read_turn(post.get("since")))


def read_turn(text: str | None) -> int | None:
    """Return a turn number from an address or a form; None when it is none."""
    return int(text) if text and text.isascii() and text.isdigit() and len(text) <= 9 else None


def read_number(text: str | None) -> int | None:
    """Return the number of a match as sent; None when it can be none."""
    return int(text) if text and text.isascii() and text.isdigit() and len(text) <= 18 else None


def read_nonce(post: QueryDict) -> str:
    """Return the player's part of the seed, as sent; empty (the site draws one) when it is no such thing."""
    nonce = post.get("nonce", "")
    return nonce if NONCE.fullmatch(nonce) else ""


def inputs_of(post: QueryDict, move_type: str, token: object) -> Iterator[tuple[str, str, str]]:
    """Yield the inputs of a move's form that belong to such a move: name, kind and field."""
    tokens = ([], [str(token)]) if type(token) is int else ([],)
    for name in post:
        types, *parts = name.split(".")
        if move_type in types.split("+") and len(parts) >= 2 and parts[2:] in tokens:
            yield name, parts[0], parts[1]


def _fields(post: QueryDict, move_type: str, token: object) -> dict[str, Any]:
    fields: dict[str, Any] = {}
    for name, kind, field in inputs_of(post, move_type, token):
        if kind == "text":
            fields[field] = post.get(name, "")
        elif kind == "one":
            fields[field] = _one(post.getlist(name))
        elif kind == "int":
            fields[field] = _ints([post.get(name, "")])[0]
        elif kind == "ints":
            fields[field] = _ints(post.getlist(name))
        elif kind == "two":
            fields[field] = _two(post.getlist(name))
        elif kind == "of":
            without = _ints(post.getlist(f"{move_type}.but.{field}"))
            fields[field] = [number for number in _ints(post.get(name, "").split()) if number not in without]
            if without and not fields[field]:
                raise Unreadable("none")
    return fields


def _one(texts: Iterable[str]) -> str:
    """Return the text that was chosen; an empty text is there to say that one is wanted."""
    chosen = [text for text in texts if text]
    if not chosen:
        raise NotChosen
    return chosen[-1]


def _two(texts: Iterable[str]) -> list[int]:
    """Return the two numbers, the smaller one first; an empty text is there to say that two are wanted."""
    numbers = sorted(_ints(text for text in texts if text))
    if len(numbers) != 2:
        raise Unreadable("more" if len(numbers) > 2 else "fewer")
    return numbers


def _ints(texts: Iterable[str]) -> list[int]:
    numbers = list(texts)
    if not all(NUMBER.fullmatch(number) for number in numbers):
        raise NotWhole
    return [int(number) for number in numbers]


def read_orders(post: QueryDict, game_slug: str) -> dict[str, Any]:
    """Return the standing orders of a posted form, for the game to check; what is blank is left out."""
    fields = {**get_game(game_slug).orders, "pass_always": {"one_of": [True, False]}}
    orders: dict[str, Any] = {}
    for name, field in fields.items():
        if "subset_of" in field:
            if post.get(f"use_{name}"):
                orders[name] = post.getlist(name)
        elif "list_of" in field:
            if post.get(f"use_{name}"):
                orders[name] = _priced(post, name, *field["list_of"])
        elif "min" in field:
            if number := post.get(name, "").strip():
                orders[name] = _number(number)
        elif wish := post.get(name):
            orders[name] = True if True in field["one_of"] else wish
    return orders


def _priced(post: QueryDict, name: str, thing: str, price: str) -> list[dict[str, Any]]:
    """Return an order that prices some things, each in an input `<order>.<thing>`, blank for none."""
    given = {key.partition(".")[2]: post.get(key, "").strip() for key in post if key.startswith(f"{name}.")}
    return [{thing: key, price: _number(number)} for key, number in given.items() if number]


def _number(text: str) -> int | str:
    """Return a number as sent; what is none stays text, for the game to refuse by name."""
    return int(text) if NUMBER.fullmatch(text) else text


class NotesForm(forms.Form):
    """Private notes on a match."""

    notes = forms.CharField(required=False, max_length=MOST_NOTES, strip=False)


def members_named(text: str) -> list[User]:
    """Return the members of a list of names; ValidationError names those who do not exist."""
    names = list(dict.fromkeys(name for name in re.split(r"[\s,;]+", text) if name))
    if len(names) > MOST_INVITED:
        raise ValidationError(_("Invite ten members at the most."))
    found, missing = [], []
    for name in names:
        member = User.objects.filter(username__iexact=name, is_guest=False, is_active=True).first()
        found.append(member) if member else missing.append(name)
    if missing:
        raise ValidationError(
            _("There is no member named %(names)s."), params={"names": ", ".join(missing)[:100]}
        )
    return [member for member in found if member]


RATINGS: dict[str, Any] = {
    "min_value": 100,
    "max_value": 4000,
    "widget": forms.NumberInput(attrs={"step": 50}),
}


class NewMatchForm(forms.Form):
    """The wishes for a new table of one game."""

    access = forms.ChoiceField(label=_("Who may join"), choices=Match.Access, initial=Match.Access.OPEN)
    pace = forms.ChoiceField(
        label=_("Time to think"),
        choices=[(pace.slug, pace.label) for pace in PACES.values()],
        initial=USUAL,
        required=False,
        widget=forms.RadioSelect,
    )
    invited = forms.CharField(
        label=_("Invite members"),
        required=False,
        max_length=300,
        help_text=_("Their user names, separated by commas."),
        widget=forms.TextInput(
            attrs={"autocomplete": "off", "autocapitalize": "none", "spellcheck": "false"}
        ),
    )
    rated = forms.ChoiceField(
        label=_("Does it count"),
        required=False,
        choices=[("rated", _("Rated")), ("", _("Casual"))],
        initial="",
    )
    lowest_rating = forms.IntegerField(label=_("From"), required=False, **RATINGS)
    highest_rating = forms.IntegerField(label=_("Up to"), required=False, **RATINGS)
    nonce = forms.CharField(required=False, max_length=64, widget=forms.HiddenInput)

    def __init__(self, *args: Any, game_slug: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
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
                choices=[("", _("A person")), *((level, BOTS[level]) for level in self.game.levels)],
            )

    @property
    def option_fields(self) -> list[tuple[forms.BoundField, bool, int]]:
        """The fields of the game's own options: each with whether others belong to one of its choices alone,
        and the number of the choice to which it belongs itself (0: to all).
        """
        fields = self.game.option_fields
        deciding = {other for field in fields.values() for other in field.get("only", {})}
        return [(self[f"option_{name}"], name in deciding, place_of_choice(fields, name)) for name in fields]

    @property
    def bot_fields(self) -> list[forms.BoundField]:
        """A field for each seat beside the creator's."""
        return [self[f"bot_{number}"] for number in range(1, self.game.max_seats)]

    @property
    def paces(self) -> list[Pace]:
        """The paces to choose from."""
        return list(PACES.values())

    @property
    def range_fields(self) -> list[forms.BoundField]:
        """The lowest and the highest rating of those who may sit down."""
        return [self["lowest_rating"], self["highest_rating"]]

    def clean_invited(self) -> list[User]:
        return members_named(self.cleaned_data["invited"])

    def clean(self) -> dict[str, Any]:
        data = super().clean() or self.cleaned_data
        lowest, highest = data.get("lowest_rating"), data.get("highest_rating")
        if lowest is not None and highest is not None and lowest > highest:
            self.add_error("highest_rating", _("The highest rating is below the lowest."))
        self._check_options(data)
        return data

    def _check_options(self, data: dict[str, Any]) -> None:
        """Say at once, and where, what the game does not allow for so many players."""
        if "size" not in data:
            return
        options = chosen(self.game, data)
        try:
            self.game.full_options(data["size"], options)
        except ValueError as error:
            name = str(error).partition(":")[0]
            usual = (None, gettext_noop("That cannot be played like this."))
            field, why = catalogue(self.game.slug).refusals.get(name, usual)
            self.add_error(field, gettext(why))

    def wishes(self) -> dict[str, Any]:
        """Return the arguments of `lobby.create_match` that this form answers for."""
        data = self.cleaned_data
        levels = [data[f"bot_{number}"] for number in range(1, data["size"])]
        return {
            "game_slug": self.game.slug,
            "size": data["size"],
            "options": chosen(self.game, data),
            "bots": [level for level in levels if level],
            "access": data["access"],
            "pace": data["pace"] or USUAL,
            "invited": data["invited"],
            "rated": data["rated"] == "rated",
            "rating_range": (data["lowest_rating"], data["highest_rating"]),
        }


class ReasonForm(forms.Form):
    """Why an admin does something, and the admin's last act before it, so that it is not done twice."""

    reason = forms.CharField(
        label=_("Reason"), max_length=300, help_text=_("Kept in the history, for the other admins.")
    )
    last = forms.IntegerField(min_value=0, max_value=2**63 - 1, widget=forms.HiddenInput)


class TimeForm(ReasonForm):
    """How much time an admin gives, and why."""

    hours = forms.IntegerField(
        label=_("Hours"),
        min_value=1,
        max_value=MOST_HOURS,
        initial=24,
        help_text=_("Whole hours, from 1 to 336 (two weeks)."),
    )
    field_order = ("hours", "reason")
