"""What a game's own folder gives to the pages of all games: its words, its parts of pages, its files."""

from functools import cache
from typing import Any

from django import template
from django.contrib.staticfiles import finders
from django.template import TemplateDoesNotExist, engines
from django.template.context import Context
from django.templatetags.static import static
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

from games import colours
from games.option_forms import option_words
from games.rules import get_game
from games.table import Table

register = template.Library()


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
    return reverse("colours", args=[colours.digest()])


@register.simple_tag
def game_colours(slug: str | None) -> colours.Colours | None:
    """Return the game's colours, for a mail; None without a game."""
    return colours.colours_of(slug) if slug else None


@cache
def _linked(element: str, path: str) -> SafeString:
    return format_html(element, static(path)) if finders.find(path) else SafeString()


@register.simple_tag(name="option_words")
def options_told(slug: str, options: dict[str, Any]) -> str:
    """Return what is worth telling of a match's options, to stand after the name of its game."""
    return "".join(f" · {words}" for words in option_words(get_game(slug), options))
