"""The pieces one plays with: seat shapes, dice, avatars, icons; as template tags and as functions."""

import hashlib
from functools import cache, lru_cache
from typing import Any

from django import template
from django.templatetags.static import static
from django.utils.html import escape, format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language, gettext, gettext_noop, pgettext

from games.rules.yesss.pictures import name_of

register = template.Library()

SHAPES = 8  # of the seats, in their order
COLOURS = ("red", "blue", "green", "yellow", "purple")  # the coloured dice of Yum EXTRA, in their order
SPOKEN = {  # each die with its face, as a screen reader says it
    "red": gettext_noop("red %(face)d"),
    "blue": gettext_noop("blue %(face)d"),
    "green": gettext_noop("green %(face)d"),
    "yellow": gettext_noop("yellow %(face)d"),
    "purple": gettext_noop("purple %(face)d"),
    "white": gettext_noop("white %(face)d"),
}
TINTS = 8
MOTIFS = (  # a quarter of an avatar, 20 by 20, in any of four turns
    "M0 0h20A20 20 0 0 1 0 20z",
    "M0 0h20L0 20z",
    "M0 0A20 20 0 0 1 20 20A20 20 0 0 1 0 0z",
    "M10 2.5a7.5 7.5 0 1 0 .01 0z",
)


@register.simple_tag
def seat_shape(seat: int, name: str = "") -> SafeString:
    """Return the shape of a seat (counted from 0); `name` is spoken in its place, else it is silent."""
    return _seat_shape(seat, name)


@lru_cache(maxsize=512)
def _seat_shape(seat: int, name: str) -> SafeString:
    number = seat % SHAPES
    spoken = format_html('role="img" aria-label="{}"', name) if name else 'aria-hidden="true"'
    return mark_safe(  # noqa: S308 (a number, and escaped words)
        f'<svg class="shape seat-{number}" viewBox="0 0 20 20" {spoken}><use href="#seat-{number}"/></svg>'
    )


@register.simple_tag
def die(
    colour: str | int, face: int | None, kept: bool = False, rolled: bool = False, size: str = ""
) -> SafeString:
    """Return a die that lies on the table: `colour` by name or index, a face of 1 to 6, or None for a blank.

    `rolled` tumbles once, `size` is "", "small", "tiny" or "big".
    """
    name = colour if isinstance(colour, str) else COLOURS[colour]
    return _die(name, face, kept, rolled, size, get_language() or "en")


@lru_cache(maxsize=2048)
def _die(colour: str, face: int | None, kept: bool, rolled: bool, size: str, _language: str) -> SafeString:
    look = (colour if face else "blank", size, "keep" if kept else "", "rolled" if rolled else "")
    classes = " ".join(("die", *filter(None, look)))
    word = f'<b class="kept">{escape(_kept_word())}</b>' if kept else ""
    return mark_safe(  # noqa: S308 (built from the tables above)
        f'<span class="{classes}">{_pips(face)}<em>{die_spoken(colour, face)}</em>{word}</span>'
    )


@register.simple_tag
def dice(faces: str, size: str = "tiny") -> SafeString:
    """Return the five coloured dice with these faces ("33316"), in a row that does not break."""
    row = mark_safe("".join(die(number, int(face), size=size) for number, face in enumerate(faces)))  # noqa: S308
    return format_html('<span class="pair">{}</span>', row)


@register.simple_tag
def combo(face: int, colour: str, number: int, size: str = "small") -> SafeString:
    """Return a combo of Yum EXTRA: the white die's face with a coloured die's."""
    both = (die("white", face, size=size), die(colour, number, size=size))
    return format_html('<span class="pair">{}<i aria-hidden="true">+</i>{}</span>', *both)


def _pips(face: int | None) -> SafeString:
    use = f'<use href="#p{int(face)}"/>' if face else ""
    return mark_safe(f'<svg viewBox="0 0 60 60" aria-hidden="true">{use}</svg>')  # noqa: S308 (a number)


def die_spoken(colour: str, face: int | None) -> str:
    """Return a die with its face in words: "red 5"."""
    return gettext(SPOKEN[colour]) % {"face": face} if face else gettext("not rolled yet")


@register.simple_tag
def picture(number: int, *, silent: bool = False) -> SafeString:
    """Return a picture of YESSS! by its number, spoken by its name; `silent` where that stands beside it."""
    return _picture(number, silent, get_language() or "en")


@cache
def _picture(number: int, silent: bool, language: str) -> SafeString:
    name = "" if silent else name_of(number, language)
    source = static(f"games/yesss/{number}.svg")
    return format_html('<img src="{}" alt="{}" title="{}" draggable="false">', source, name, name)


def picture_name(number: int) -> str:
    """Return what is on a picture of YESSS!, in the active language."""
    return name_of(number, get_language() or "en")


def _kept_word() -> str:
    return pgettext("a die", "kept")


@register.simple_tag
def avatar(who: Any, size: str = "") -> SafeString:
    """Return the picture drawn from a user's name, or a name; silent: the name stands beside it."""
    name = who if isinstance(who, str) else getattr(who, "username", "") or ""
    return _avatar(name.casefold(), size)


@lru_cache(maxsize=4096)
def _avatar(name: str, size: str) -> SafeString:
    digest = hashlib.blake2b(name.encode(), digest_size=8).digest()
    parts = []
    for corner in range(4):
        byte = digest[corner]
        x, y = corner % 2 * 20, corner // 2 * 20
        turn = byte // 4 % 4 * 90
        tone = ' class="b"' if byte & 64 else ""
        parts.append(
            f'<path d="{MOTIFS[byte % 4]}" transform="translate({x} {y}) rotate({turn} 10 10)"{tone}/>'
        )
    tint = digest[4] % TINTS if name else "none"
    classes = f"avatar tint-{tint}" + (f" {size}" if size else "")
    return mark_safe(  # noqa: S308 (numbers only)
        f'<svg class="{escape(classes)}" viewBox="0 0 40 40" aria-hidden="true">{"".join(parts)}</svg>'
    )


@register.simple_tag
def icon(name: str, label: str = "") -> SafeString:
    """Return an icon of templates/parts/symbols.html; `label` is spoken in its place, else it is silent."""
    return _icon(name, label)


@lru_cache(maxsize=512)
def _icon(name: str, label: str) -> SafeString:
    spoken = format_html('role="img" aria-label="{}"', label) if label else 'aria-hidden="true"'
    return mark_safe(  # noqa: S308 (escaped)
        f'<svg class="icon" viewBox="0 0 16 16" {spoken}><use href="#i-{escape(name)}"/></svg>'
    )
