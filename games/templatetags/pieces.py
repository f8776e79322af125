"""The pieces one plays with: seat shapes, dice, avatars, icons; as template tags and as functions."""

import hashlib
from functools import cache, lru_cache
from typing import Any

from django import template
from django.contrib.staticfiles import finders
from django.template import TemplateDoesNotExist, engines
from django.template.context import Context
from django.templatetags.static import static
from django.urls import reverse
from django.utils.html import escape, format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext, gettext_noop

from games import catalogue
from games.forms.options import option_words
from games.rules import get_game
from games.table import Table

register = template.Library()

SHAPES = 8  # of seats
SPOKEN = {  # each die with its face, as a screen reader says it
    "red": gettext_noop("red %(face)d"),
    "blue": gettext_noop("blue %(face)d"),
    "green": gettext_noop("green %(face)d"),
    "yellow": gettext_noop("yellow %(face)d"),
    "purple": gettext_noop("purple %(face)d"),
    "white": gettext_noop("white %(face)d"),
}
PLUS = SafeString('<i aria-hidden="true">+</i>')
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
def die(colour: str, face: int, size: str = "") -> SafeString:
    """Return a die that lies on the table, with a face of 1 to 6; `size` is "", "small", "tiny" or "big"."""
    spoken = gettext(SPOKEN[colour]) % {"face": face}
    return format_html(
        '<span class="die {}"><svg viewBox="0 0 60 60" aria-hidden="true"><use href="#p{}"/></svg>'
        "<em>{}</em></span>",
        f"{colour} {size}".strip(),
        face,
        spoken,
    )


@register.simple_tag
def dice(row: str, size: str = "tiny") -> SafeString:
    """Return dice that no line's end parts, written as "white1 + red6"; the plus need not be there."""
    drawn = ((PLUS if one == "+" else die(one[:-1], int(one[-1]), size),) for one in row.split())
    return format_html('<span class="pair">{}</span>', format_html_join("", "{}", drawn))


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


@register.simple_tag
def story(table: Table) -> SafeString:
    """Return the list items that tell a table's log, by its game's own words."""
    words = engines["jinja"].get_template(f"games/{table['game']}/log.jinja").template.module  # type: ignore[attr-defined]
    return SafeString(words.story(table, table["log"]))


@register.simple_tag(takes_context=True)
def game_part(context: Context, slug: str, name: str) -> str:
    """Return a part of a page as the game has it among its templates; nothing if it has none."""
    try:
        part = context.template.engine.get_template(f"games/{slug}/{name}")  # type: ignore[union-attr]
    except TemplateDoesNotExist:
        return ""
    return part.render(context)


@register.simple_tag
def game_style(slug: str) -> SafeString:
    """Return the link to the game's style sheet; nothing if it has none."""
    return _linked('<link rel="stylesheet" href="{}">', f"games/{slug}/game.css")


@register.simple_tag
def game_script(slug: str) -> SafeString:
    """Return the element that loads the game's script; nothing if it has none."""
    return _linked('<script type="module" src="{}"></script>', f"games/{slug}/game.js")


@register.simple_tag
def colours_address() -> str:
    """Return the address of the style sheet that holds the colours of all games."""
    return reverse("colours", args=[catalogue.digest()])


@register.simple_tag
def game_colours(slug: str | None) -> catalogue.Colours | None:
    """Return the game's colours, for a mail; None without a game."""
    return catalogue.colours_of(slug) if slug else None


@cache
def _linked(element: str, path: str) -> SafeString:
    return format_html(element, static(path)) if finders.find(path) else SafeString()


@register.simple_tag(name="option_words")
def options_told(slug: str, options: dict[str, Any]) -> str:
    """Return what is worth telling of a match's options, to stand after the name of its game."""
    return "".join(f" · {words}" for words in option_words(get_game(slug), options))
