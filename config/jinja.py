"""Jinja for the fragments rendered at every move; pages are Django templates.

Rendering is most of a move's time, so each language has an environment with cached translations, and `a.b`
tries a dictionary's key first.
"""

import contextlib
from collections.abc import Callable, Iterable
from functools import cache
from itertools import chain, groupby
from operator import itemgetter
from typing import Any

from django.conf import settings
from django.templatetags.static import static
from django.urls import reverse
from django.utils import translation
from jinja2 import Environment, StrictUndefined, Template
from markupsafe import Markup, escape
from msgspec.msgpack import encode as encoded

from config.compiled import Compiled, DictEnvironment
from config.lib.formats import FILTERS
from games.rules import get_game, template_of
from games.templatetags import pieces

MOST_REMEMBERED = 3_000  # results of each macro, by a key of its caller
MOST_KEPT = 4_000_000  # characters of what each macro made, by its arguments
TOLD = ("n", "seat", "by", "events", "iso", "when")  # what an item of a log tells of an entry


def _memory() -> Callable[..., Markup]:
    """Return a function that caches macros by a key, which holds all that the result depends on."""
    memories: dict[Any, dict[Any, Markup]] = {}

    def remembered(macro: Any, key: Any, *arguments: Any) -> Markup:
        known = memories.setdefault(macro, {})
        found = known.get(key)
        if found is None:
            if len(known) >= MOST_REMEMBERED:
                known.clear()
            found = known[key] = macro(*arguments)
        return found

    return remembered


class Kept:
    """What a macro has made, by its arguments."""

    def __init__(self) -> None:
        self.made: dict[bytes, Markup] = {}
        self.size = 0

    def keep(self, key: bytes, made: Markup) -> Markup:
        self.size += len(key) + len(made)
        if self.size > MOST_KEPT:
            self.made, self.size = {}, len(key) + len(made)
        self.made[key] = made
        return made


def _keeper() -> Callable[..., Markup]:
    """Return a function that draws what macros make of plain data once: the key is all the arguments.

    A macro that is imported without context sees nothing else, so that what is kept cannot be another's or out of
    date. TypeError for arguments that are no plain data.
    """
    memories: dict[Any, Kept] = {}

    def kept(macro: Any, *arguments: Any) -> Markup:
        of_macro = memories.get(macro) or memories.setdefault(macro, Kept())
        key = encoded(arguments)
        made = of_macro.made.get(key)
        return of_macro.keep(key, macro(*arguments)) if made is None else made

    return kept


def cast(table: dict[str, Any]) -> dict[str, Any]:
    """Return what a sentence about a running match depends on beside what happened: who reads it, and who sits there.

    What is unveiled is nothing as long as a match runs.
    """
    seats = [{"name": seat["name"], "kind": seat["kind"]} for seat in table["seats"]]
    return {"id": table["id"], "you": table["you"], "seats": seats, "unveiled": {}}


def _log_items(kept: Callable[..., Markup]) -> Callable[..., Markup]:
    """Return a function that draws the items of a log, each of which tells a group of entries.

    While a match runs, an item is drawn once for each seat: its macro is given a `cast` in place of the table, and of
    the entries what they tell.
    """

    def log_items(macro: Any, table: dict[str, Any], groups: Iterable[list[dict[str, Any]]]) -> Markup:
        if table["status"] != "running" or table.get("unveiled"):
            return Markup("").join(macro(table, group) for group in groups)
        who = cast(table)
        return Markup("").join(kept(macro, who, [as_told(entry) for entry in group]) for group in groups)

    return log_items


def as_told(entry: dict[str, Any]) -> dict[str, Any]:
    """Return what the log tells of an entry, whenever it is read: not that it is new to the reader."""
    return {name: entry[name] for name in TOLD}


def paragraphs(entries: Iterable[dict[str, Any]]) -> list[list[dict[str, Any]]]:
    """Return the entries of a log that are told together, each group by itself; groupby would sort them first."""
    return [list(group) for _number, group in groupby(entries, itemgetter("paragraph"))]


def flat(groups: Iterable[list[Any]]) -> list[Any]:
    """Return what is in the groups, in one list."""
    return list(chain.from_iterable(groups))


def unseen(entries: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the entries of a log that are new to its reader."""
    return [entry for entry in entries if entry["new"]]


def values(things: dict[str, Any] | list[Any]) -> tuple[Any, ...]:
    """Return the values of a dictionary or list, as a key for `remembered`."""
    return tuple(things.values() if isinstance(things, dict) else things)


class LanguageEnvironments:
    """One environment per language; templates are those of the active language."""

    def __init__(self, options: dict[str, Any]) -> None:
        self.options = options
        self.of = cache(self._make)

    def get_template(self, name: str) -> Template:
        return self.of(translation.get_language() or "en").get_template(name)

    def from_string(self, source: str) -> Template:
        return self.of(translation.get_language() or "en").from_string(source)

    def _make(self, language: str) -> Environment:
        env = DictEnvironment(extensions=["jinja2.ext.i18n"], **self.options)
        env.newstyle_gettext = True  # type: ignore[attr-defined]
        env.filters.update(FILTERS, paragraphs=paragraphs, flat=flat, unseen=unseen)
        words, kept = _words(language), _keeper()
        env.globals.update(
            words,
            static=cache(static),
            url=reverse,
            remembered=_memory(),
            kept=kept,
            cast=cast,
            as_told=as_told,
            log_items=_log_items(kept),
            values=values,
            die_spoken=_spoken_dice(words["gettext"]),
            seat_shape=pieces.seat_shape,
            avatar=pieces.avatar,
            named=pieces.named,
            icon=pieces.icon,
            face=pieces.face,
            once=pieces.once,
            get_game=get_game,
            template_of=template_of,
            language=language,
        )
        return env


def environment(**options: Any) -> LanguageEnvironments:
    """Return the environments: autoescaped, undefined names are errors, gettext as `_` and `ngettext`."""
    options["undefined"] = StrictUndefined
    options["trim_blocks"] = options["lstrip_blocks"] = True
    folder = settings.VAR_DIR / "templates"
    with contextlib.suppress(OSError):
        folder.mkdir(exist_ok=True)
    options["bytecode_cache"] = Compiled(str(folder))
    return LanguageEnvironments(options)


def _words(language: str) -> dict[str, Callable[..., Markup]]:
    """Return gettext's functions in one language, with escaped values (Jinja's new style)."""

    @cache
    def single(message: str, context: str = "") -> str:
        with translation.override(language):
            return translation.pgettext(context, message) if context else translation.gettext(message)

    @cache
    def plural(one: str, many: str, number: int) -> str:
        with translation.override(language):
            return translation.ngettext(one, many, number)

    @cache
    def plain(message: str, context: str = "") -> Markup:
        return Markup(single(message, context) % {})  # noqa: S704 (a literal of a template, or its translation)

    def gettext(message: str, /, **values: Any) -> Markup:
        return _filled(single(message), values) if values else plain(message)

    def pgettext(context: str, message: str, /, **values: Any) -> Markup:
        return _filled(single(message, context), values) if values else plain(message, context)

    def ngettext(one: str, many: str, number: int, /, **values: Any) -> Markup:
        return _filled(plural(one, many, number), {"num": number, **values})

    return {"_": gettext, "gettext": gettext, "pgettext": pgettext, "ngettext": ngettext}


def _filled(text: str, values: dict[str, Any]) -> Markup:
    safe = {name: value if type(value) is int else escape(value) for name, value in values.items()}
    return Markup(text % safe)  # noqa: S704 (escaped)


def _spoken_dice(gettext: Callable[..., Markup]) -> Callable[[str, int], Markup]:
    """Return the function that names a die and its face for screen readers."""

    @cache
    def die_spoken(colour: str, face: int) -> Markup:
        return gettext(pieces.SPOKEN[colour], face=face)

    return die_spoken
