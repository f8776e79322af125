"""What happened in a match, in words, for pages that are Django templates."""

from django import template
from django.template import engines
from django.utils.safestring import SafeString

from games.table import Table

register = template.Library()


@register.simple_tag
def story(table: Table) -> SafeString:
    """Return the list items that tell a table's log, by its game's own words."""
    words = engines["jinja"].get_template(f"games/log/{table['game']}.jinja").template.module  # type: ignore[attr-defined]
    return SafeString(words.story(table, table["log"]))
