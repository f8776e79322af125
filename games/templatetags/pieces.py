"""Template tags for what pages draw and load of games: seats, dice, avatars, icons, logs, styles, scripts."""

import hashlib
from functools import cache, lru_cache
from typing import Any

from django import template
from django.contrib.staticfiles import finders
from django.template import Node, NodeList, TemplateDoesNotExist
from django.template.base import Parser, Token
from django.template.context import Context
from django.template.loader import get_template
from django.templatetags.static import static
from django.urls import reverse
from django.utils.html import escape, format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language, gettext, gettext_noop

from accounts.models import User
from games import catalogue
from games import table as tables
from games.catalogue import option_words
from games.models import Match
from games.rules import games, template_of
from games.services.lobby.promises import promise
from games.table import Table, log_words

register = template.Library()

SHAPES = 8  # of seats
SPOKEN = {  # each die with its face, for screen readers
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


class Phrase(Node):
    """What stands within, blocks too: kept under a name as one line, for a title or a description."""

    def __init__(self, name: str, nodelist: NodeList) -> None:
        self.name, self.nodelist = name, nodelist

    def render(self, context: Context) -> SafeString:
        said = " ".join(self.nodelist.render(context).split())
        context[self.name] = SafeString(said.replace('"', "&quot;"))  # it may stand in an attribute
        return SafeString("")


@register.tag
def phrase(parser: Parser, token: Token) -> Phrase:
    """Keep what stands until `endphrase` under the name that is given. A simple block tag hides its blocks."""
    _tag, name = token.split_contents()
    nodelist = parser.parse(("endphrase",))
    parser.delete_first_token()
    return Phrase(name, nodelist)


@register.simple_tag
def once() -> SafeString:
    """Return the key of a form that makes something: posted twice, it makes one (games.views.once)."""
    return format_html('<input type="hidden" name="key" value="{}">', tables.fresh_key())


@register.simple_tag
def promised_dice() -> SafeString:
    """Return the fields of a form that opens a table: the site's promise, and where the browser adds its own part."""
    made = promise()
    return dice_of(made.commitment) + format_html('<input type="hidden" name="promise" value="{}">', made.token)


@register.simple_tag
def dice_of(commitment: str) -> SafeString:
    """Return the fields in which dice.js puts the player's part of the dice, drawn for this commitment."""
    fields = '<input type="hidden" name="nonce" data-promised="{}"><input type="hidden" name="seal">'
    return format_html(fields, commitment)


@register.simple_tag
@lru_cache(maxsize=512)
def seat_shape(seat: int, name: str = "") -> SafeString:
    """Return the shape of a seat (from 0), with `name` as its accessible label, else hidden from readers."""
    return _drawn(f"shape seat-{seat % SHAPES}", 20, f"seat-{seat % SHAPES}", name)


def _drawn(classes: str, size: int, symbol: str, label: str) -> SafeString:
    spoken = format_html('role="img" aria-label="{}"', label) if label else SafeString('aria-hidden="true"')
    drawn = '<svg class="{}" viewBox="0 0 {} {}" {}><use href="#{}"/></svg>'
    return format_html(drawn, classes, size, size, spoken, symbol)


@register.simple_tag
def die(colour: str, face: int, size: str = "") -> SafeString:
    """Return a die with a face of 1 to 6; `size` is "", "small", "tiny" or "big"."""
    drawn = '<svg viewBox="0 0 60 60" aria-hidden="true"><use href="#p{}"/></svg>'
    words = f"{colour} {size}".strip(), face, gettext(SPOKEN[colour]) % {"face": face}
    return format_html(f'<span class="die {{}}">{drawn}<em>{{}}</em></span>', *words)


@register.simple_tag
def dice(row: str, size: str = "tiny") -> SafeString:
    """Return dice on one line, written as "white1 + red6" or "white1 red6"."""
    drawn = ((PLUS if one == "+" else die(one[:-1], int(one[-1]), size),) for one in row.split())
    return format_html('<span class="pair">{}</span>', format_html_join("", "{}", drawn))


@register.simple_tag
def named(who: Any) -> SafeString:
    """Return the name of a member, or of what a list knows of one (`name`, `profile`, `badge`, `face`), with those."""
    if isinstance(who, User):
        profile = "" if who.is_guest or not who.is_active else tables.profile_address(who.username)
        who = {"name": who.username, "profile": profile, "badge": who.badge}
    linked = (
        '<a class="who-link" href="{1}" translate="no">{0}</a>' if who["profile"] else '<span translate="no">{0}</span>'
    )
    shown = format_html(linked, who["name"], who["profile"])
    if who.get("face"):
        return format_html('{} {} <small class="what quiet">{}</small>', face(who["face"]), shown, who["badge"])
    return format_html('{} <span class="badge">{}</span>', shown, who["badge"]) if who["badge"] else shown


@register.simple_tag
def avatar(who: Any, size: str = "") -> SafeString:
    """Return the picture drawn from a user's name, hidden from screen readers as the name is beside it."""
    name = who if isinstance(who, str) else getattr(who, "username", "") or ""
    return _avatar(name.casefold(), size)


@lru_cache(maxsize=4096)
def _avatar(name: str, size: str) -> SafeString:
    digest = hashlib.blake2b(name.encode(), digest_size=8).digest()
    parts = []
    for corner, byte in enumerate(digest[:4]):
        turned = f"translate({corner % 2 * 20} {corner // 2 * 20}) rotate({byte // 4 % 4 * 90} 10 10)"
        tone = ' class="b"' if byte & 64 else ""
        parts.append(f'<path d="{MOTIFS[byte % 4]}" transform="{turned}"{tone}/>')
    tint = digest[4] % TINTS if name else "none"
    classes = f"avatar tint-{tint}" + (f" {size}" if size else "")
    return mark_safe(  # noqa: S308 (numbers only)
        f'<svg class="{escape(classes)}" viewBox="0 0 40 40" aria-hidden="true">{"".join(parts)}</svg>'
    )


@register.simple_tag
@lru_cache(maxsize=512)
def icon(name: str, label: str = "") -> SafeString:
    """Return an icon of templates/parts/symbols.html, with `label` as its accessible label, else hidden."""
    return _drawn("icon", 16, f"i-{name}", label)


@register.simple_tag
@lru_cache(maxsize=64)
def face(name: str) -> SafeString:
    """Return the face of a bot (games.partners), hidden from screen readers as the name is beside it."""
    return _drawn("icon face", 24, f"face-{name}", "")


@register.simple_tag
def story(table: Table) -> SafeString:
    """Return the list items of a table's log, from its game's template."""
    return SafeString(log_words(table).story(table, table["log"]))


@register.simple_tag(takes_context=True)
def game_part(context: Context, slug: str, name: str, version: int = 0) -> str:
    """Return a part of a page from the game's templates, or those of a version; empty if it has none."""
    try:
        part = context.template.engine.get_template(template_of(slug, version, name))  # type: ignore[union-attr]
    except TemplateDoesNotExist:
        return ""
    return part.render(context)


@register.simple_tag
def tile_symbols() -> SafeString:
    """Return the pictures of all games as symbols, once for a page; `tile` shows them."""
    return _tile_symbols(get_language() or "")


@cache
def _tile_symbols(language: str) -> SafeString:
    drawn = "".join(_tile_symbol(slug) for slug in games())
    return SafeString(f'<svg class="off" width="0" height="0" aria-hidden="true" focusable="false">{drawn}</svg>')


def _tile_symbol(slug: str) -> str:
    try:
        picture = get_template(f"games/{slug}/tile.html").render()
    except TemplateDoesNotExist:
        return ""
    return f'<symbol id="tile-{slug}" viewBox="0 0 320 200"><g class="art">{picture}</g></symbol>'


@register.simple_tag
@cache
def tile(slug: str) -> SafeString:
    """Return the picture of a game, on a page with `tile_symbols`."""
    shape = 'viewBox="0 0 320 200" preserveAspectRatio="xMidYMid slice" aria-hidden="true"'
    return format_html('<svg {}><use href="#tile-{}"/></svg>', SafeString(shape), slug)


@register.simple_tag
def game_style(slug: str, name: str = "game.css") -> SafeString:
    """Return the link to the game's style sheet of that name; empty if it has none."""
    return _linked('<link rel="stylesheet" href="{}">', f"games/{slug}/{name}")


@register.simple_tag
def game_script(slug: str) -> SafeString:
    """Return the element that loads the game's script; empty if it has none."""
    return _linked('<script type="module" src="{}"></script>', f"games/{slug}/game.js")


@register.simple_tag
def colours_address() -> str:
    """Return the address of the style sheet with the colours of all games."""
    return reverse("colours", args=[catalogue.digest()])


@register.simple_tag
def game_colours(slug: str | None) -> catalogue.Colours | None:
    """Return the game's colours, for a mail; None without a game."""
    return catalogue.colours_of(slug) if slug else None


@cache
def _linked(element: str, path: str) -> SafeString:
    return format_html(element, static(path)) if finders.find(path) else SafeString()


@register.simple_tag(name="option_words")
def options_told(match: Match) -> str:
    """Return the notable options of a match, to follow the name of its game."""
    return "".join(f" · {words}" for words in option_words(match.game, match.options))
