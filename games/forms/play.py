"""What browsers post at a match, turned into arguments of services; unreadable input is refused in words."""

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Self

from django import forms
from django.http import QueryDict
from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from config.lib.texts import TextField
from games.engine import Game
from games.rules import catalogue
from games.services.refusals import Refused

KEY = re.compile(r"[A-Za-z0-9_-]{1,40}")
NUMBER = re.compile(r"-?[0-9]{1,12}")
NONCE = re.compile(r"[A-Za-z0-9_-]{1,64}")
SEAL = re.compile("[0-9a-f]{64}")
LONGEST_PROMISE = 200  # characters
MOST_NOTES = 10_000
CHOSEN = {"type": "chosen"}


class Unreadable(Refused):
    status = 400
    sentence: str | Promise = _("That was not a move of this game. Nothing was played; here is the table now.")

    def __init__(self, why: str = "") -> None:
        self.why = why

    def in_words_of(self, game: Game[Any]) -> Self:
        """Return the refusal with the game's own sentence for this reason, if it has one."""
        if words := catalogue(game.slug, game.rules_version).unreadable.get(self.why):
            self.sentence = gettext(words)
        return self


class NotWhole(Unreadable):
    sentence = _("Enter a whole number in each field. Nothing was played.")


class NotChosen(Unreadable):
    sentence = _("A choice is missing: pick one of each. Nothing was played.")


@dataclass(frozen=True)
class MovePost:
    """A posted move: the question it answers, the idempotency key, the move, the last turn shown.

    `advised`: what a lesson's coach objects to this move was heard; `confirmed`: the move was asked about, which is
    done after that.
    """

    ask: int
    key: str
    move: Any
    since: int | None
    advised: bool = False
    confirmed: bool = False


def read_move(post: QueryDict) -> MovePost:
    """Return the posted move; Unreadable if question, key, JSON or a field is invalid.

    `move` is a JSON object; the type `chosen` stands for the one picked among the inputs of that name.
    Inputs named `<type>.<kind>.<field>` add fields to moves of that type; kinds are `int`, `text`, `one` (a
    chosen text), `ints` (a list), `two` (a pair), `of` (the numbers not in `<type>.but.<field>`).
    `<type>+<type>…` is for several types; a suffix `.<n>` for moves whose `token` is n. The game checks the
    move.
    """
    ask, key = read_turn(post.get("ask")), post.get("key", "")
    if ask is None or not KEY.fullmatch(key):
        raise Unreadable
    try:
        move = _posted_move(post)
    except (ValueError, RecursionError) as error:
        raise Unreadable from error
    if isinstance(move, dict) and isinstance(move.get("type"), str):
        move = {**_fields(post, move["type"], move.get("token")), **move}
    confirmed = "confirmed" in post
    return MovePost(ask, key, move, read_turn(post.get("since")), confirmed or "anyway" in post, confirmed)


def pressed(post: QueryDict) -> str:
    """Return the move of the pressed button, as JSON: one of the board, or that of a coach or of a second question."""
    return post.get("confirmed") or post.get("anyway") or post.get("move", "")


def _posted_move(post: QueryDict) -> Any:
    """Return the pressed button's move, or the one that was chosen before; ValueError if it is no JSON."""
    move = json.loads(pressed(post))
    if move != CHOSEN:
        return move
    chosen = post.get("chosen")
    if not chosen:
        raise NotChosen("chosen")
    return json.loads(chosen)


def read_turn(text: str | None) -> int | None:
    """Return a turn number from an address or a form; None if it is invalid."""
    return read_number(text, digits=9)


def read_number(text: str | None, *, digits: int = 18) -> int | None:
    """Return the id of a match as sent; None if it is invalid."""
    return int(text) if text and text.isascii() and text.isdigit() and len(text) <= digits else None


def read_nonce(post: QueryDict) -> str:
    """Return a nonce that was sent; empty (no part of the dice) if it is invalid."""
    nonce = post.get("nonce", "")
    return nonce if NONCE.fullmatch(nonce) else ""


def read_part(post: QueryDict) -> dict[str, Any]:
    """Return a player's part of the dice: the nonce, and the seal of a further one; empty where they are invalid."""
    seal = post.get("seal", "")
    return {"nonce": read_nonce(post), "seal": seal if SEAL.fullmatch(seal) else ""}


def read_new_part(post: QueryDict) -> dict[str, Any]:
    """Return the part of who opens a table, with the promise that its form made; unread, as it may be anything."""
    return {**read_part(post), "promise": post.get("promise", "")[:LONGEST_PROMISE]}


def inputs_of(post: QueryDict, move_type: str, token: object) -> Iterator[tuple[str, str, str]]:
    """Yield the inputs of a move's form that apply to such a move: name, kind and field."""
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
            without = set(_ints(post.getlist(f"{move_type}.but.{field}")))
            fields[field] = [number for number in _ints(post.get(name, "").split()) if number not in without]
            if without and not fields[field]:
                raise Unreadable("none")
    return fields


def _one(texts: Iterable[str]) -> str:
    """Return the chosen text; an empty text marks that one is required."""
    chosen = [text for text in texts if text]
    if not chosen:
        raise NotChosen
    return chosen[-1]


def _two(texts: Iterable[str]) -> list[int]:
    """Return the two numbers in order; an empty text marks that two are required."""
    numbers = sorted(_ints(text for text in texts if text))
    if len(numbers) != 2:
        raise Unreadable("more" if len(numbers) > 2 else "fewer")
    return numbers


def _ints(texts: Iterable[str]) -> list[int]:
    numbers = list(texts)
    if not all(map(NUMBER.fullmatch, numbers)):
        raise NotWhole
    return [int(number) for number in numbers]


def read_orders(post: QueryDict, game: Game[Any]) -> dict[str, Any]:
    """Return the posted standing orders, for the game to check; blank ones are left out.

    Things that an order lists are boxes named after the order, or inputs `of.<thing>` with the order's name.
    """
    fields = {**game.orders, "pass_always": {"one_of": [True, False]}}
    orders: dict[str, Any] = {}
    for name, field in fields.items():
        if "subset_of" in field:
            if post.get(f"use_{name}"):
                orders[name] = _things(post, name, field["subset_of"])
        elif "list_of" in field:
            if post.get(f"use_{name}"):
                orders[name] = _priced(post, name, *field["list_of"])
        elif "min" in field:
            if number := post.get(name, "").strip():
                orders[name] = _number(number)
        elif wish := post.get(name):
            orders[name] = True if True in field["one_of"] else wish
    return orders


def _things(post: QueryDict, name: str, known: Iterable[Any]) -> list[Any]:
    """Return what an order lists, each thing as the game knows it; an unknown one is kept, to be refused."""
    texts = post.getlist(name) + [key.partition(".")[2] for key in post if key[:3] == "of." and post[key] == name]
    things = {str(thing): thing for thing in known}
    return [things.get(text, text) for text in texts]


def _priced(post: QueryDict, name: str, thing: str, price: str) -> list[dict[str, Any]]:
    """Return an order that prices things, each in an input `<order>.<thing>`; blank ones are left out."""
    given = {key.partition(".")[2]: post.get(key, "").strip() for key in post if key.startswith(f"{name}.")}
    return [{thing: key, price: _number(number)} for key, number in given.items() if number]


def _number(text: str) -> int | str:
    """Return a number; other text is kept, for the game to refuse."""
    return int(text) if NUMBER.fullmatch(text) else text


class NotesForm(forms.Form):
    """Private notes on a match."""

    notes = TextField(required=False, max_length=MOST_NOTES, strip=False)
    before = forms.Field(required=False)  # the mark of the notes that the page showed; any other text is none
