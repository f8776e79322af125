"""Numbers, changes, ordinals and lists as the active language writes them: for pages, logs and mails alike.

Every Django template has these as filters, every Jinja template as well.
"""

from collections.abc import Iterable
from decimal import Decimal
from functools import lru_cache

from babel import Locale
from babel.lists import format_list
from babel.numbers import format_decimal, format_percent
from django import template
from django.utils.html import conditional_escape, format_html
from django.utils.safestring import SafeString
from django.utils.translation import get_language

register = template.Library()

MINUS = "\N{MINUS SIGN}"
SUFFIXES = {
    "en": {"one": "st", "two": "nd", "few": "rd", "other": "th"},
    "fr": {"one": "re", "other": "e"},  # of places, rounds and turns, all feminine: 1re, 2e
}


def _locale() -> Locale:
    return _locale_of(get_language() or "en")


@lru_cache
def _locale_of(language: str) -> Locale:
    """Return what Babel knows of a language; English is that of Britain: no comma before "and"."""
    return Locale.parse("en_GB" if language == "en" else language)


@register.filter
def number(value: float | Decimal, digits: int = 0) -> str:
    """Return "590,000" or "590 000", with `digits` decimals and a true minus sign."""
    return _number(value, digits, get_language() or "en")


@lru_cache(maxsize=4096)
def _number(value: float | Decimal, digits: int, language: str) -> str:
    """Return the same, remembered: Babel takes its time, and some pages have hundreds."""
    pattern = "#,##0" + ("." + "0" * digits if digits else "")
    return format_decimal(value, pattern, _locale_of(language)).replace("-", MINUS)


@register.filter
def signed(value: float | Decimal, digits: int = 0) -> str:
    """Return a change with its sign: "+14", "−9", "±0"."""
    rounded = round(Decimal(str(value)), digits)
    return f"{'+' if rounded > 0 else MINUS if rounded < 0 else '±'}{number(abs(rounded), digits)}"


@register.filter
def percent(share: float, digits: int = 0) -> str:
    """Return a share of 1 as "16.7%" or "16,7 %"."""
    pattern = _locale().percent_formats[None].pattern.replace("0", "0." + "0" * digits if digits else "0")
    return format_percent(share, pattern, _locale()).replace("-", MINUS)


@register.filter
def ordinal(value: int) -> str:
    """Return "1st", "2nd", "11th"; in French, of feminine things, "1re", "2e"."""
    locale = _locale()
    return f"{number(value)}{SUFFIXES[locale.language][locale.ordinal_form(value)]}"


@register.filter
def person(name: object) -> SafeString:
    """Return a person's name as HTML that a browser's translation leaves alone, for a sentence on a page."""
    return format_html('<span translate="no">{}</span>', name)


def about_people(words: str, names: Iterable[object], **more: object) -> SafeString:
    """Return a sentence for pages, in which `%(names)s` are people's, as the language lists them."""
    named = SafeString(listing(person(name) for name in names))
    safe = {name: conditional_escape(str(value)) for name, value in more.items()}
    return SafeString(words % {"names": named, "name": named, **safe})


@register.filter
def listing(things: Iterable[object]) -> str:
    """Return "Ann, Bo and Cy"; empty for nothing."""
    return format_list([str(thing) for thing in things], locale=_locale())


FILTERS = {
    "number": number,
    "signed": signed,
    "percent": percent,
    "ordinal": ordinal,
    "listing": listing,
    "person": person,
}
