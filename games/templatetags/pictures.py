"""Template tags for the pictures of rules, which the game's own board macros draw, once a process and language."""

import re
from functools import lru_cache
from html import unescape
from posixpath import dirname
from typing import Any

from django import template
from django.template import Node, NodeList, TemplateDoesNotExist, engines
from django.template.base import Parser, Token
from django.template.context import Context
from django.utils.html import format_html, strip_tags
from django.utils.safestring import SafeString
from django.utils.translation import get_language

register = template.Library()

FIGURE = (
    '<figure class="pictured" data-picture="{}"><div class="match seen" role="img" aria-label="{}">'
    "<div inert>{}</div></div><figcaption>{}</figcaption></figure>"
)


SYMBOLS = "symbols"
"""The macro of what all pictures of a game point at."""
IDS = re.compile(r'\sid="[^"]*"')
"""The same piece may stand in several pictures, and on the example's board."""


class Picture(Node):
    """A picture with a caption: a macro of `pictures.jinja` beside the text, and what it shows in words."""

    def __init__(self, path: str, name: str, seen: NodeList, caption: NodeList) -> None:
        self.path, self.name, self.seen, self.caption = path, name, seen, caption

    def render(self, context: Context) -> SafeString:
        seen = " ".join(strip_tags(self.seen.render(context)).split())
        caption = SafeString(self.caption.render(context).strip())
        return format_html(FIGURE, self.name, unescape(seen), _drawn(self.path, self.name), caption)


@register.tag
def picture(parser: Parser, token: Token) -> Picture:
    """Draw the picture of that name: what it shows stands until `caption`, and what that means until `endpicture`."""
    _tag, name = token.split_contents()
    seen = parser.parse(("caption",))
    parser.delete_first_token()
    caption = parser.parse(("endpicture",))
    parser.delete_first_token()
    rules = parser.origin.template_name if parser.origin is not None else None
    return Picture(_beside(str(rules)), name.strip('"'), seen, caption)


@register.simple_tag
def picture_symbols(rules: str) -> SafeString:
    """Return what the pictures of rules point at, for a page without the game's board; empty if that is nothing."""
    try:
        return _drawn(_beside(rules), SYMBOLS)
    except (TemplateDoesNotExist, AttributeError):
        return SafeString()


def _beside(rules: str) -> str:
    """Return the path of the pictures that belong to rules."""
    return f"{dirname(rules)}/pictures.jinja"


def _drawn(path: str, name: str) -> SafeString:
    return drawing(path, name, get_language() or "en")


@lru_cache(maxsize=512)
def drawing(path: str, name: str, language: str) -> SafeString:
    """Return what a macro draws, in the language, which is the active one."""
    pictures: Any = engines["jinja"].get_template(path)
    drawn = str(getattr(pictures.template.module, name)())
    return SafeString(drawn if name == SYMBOLS else IDS.sub("", drawn))
