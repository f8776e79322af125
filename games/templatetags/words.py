"""What a game's own folder gives to the pages of all games: its words, its parts of pages, its files."""

from functools import cache

from django import template
from django.contrib.staticfiles import finders
from django.template import TemplateDoesNotExist, engines
from django.template.context import Context
from django.templatetags.static import static
from django.utils.html import format_html
from django.utils.safestring import SafeString

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


@cache
def _linked(element: str, path: str) -> SafeString:
    return format_html(element, static(path)) if finders.find(path) else SafeString()
