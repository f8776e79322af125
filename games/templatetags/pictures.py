"""Template tags for the pictures of rules, which the game's own board macros draw, once a process and language."""

from functools import lru_cache
from posixpath import dirname
from typing import Any

from django import template
from django.template import Node, NodeList, TemplateDoesNotExist, TemplateSyntaxError, engines
from django.template.base import Parser, Token
from django.template.context import Context
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import get_language

register = template.Library()

FIGURE = (
    '<figure class="pictured" data-picture="{}"><div class="match seen" role="img" aria-label="{}">'
    "<div inert>{}</div></div><figcaption>{}</figcaption></figure>"
)


class Picture(Node):
    """A picture with a caption: a macro of `pictures.jinja` beside the text, and what it shows in words."""

    def __init__(self, path: str, name: str, alt: str, caption: NodeList) -> None:
        self.path, self.name, self.alt, self.caption = path, name, alt, caption

    def render(self, context: Context) -> SafeString:
        caption = SafeString(self.caption.render(context).strip())
        return format_html(FIGURE, self.name, self.alt, _drawn(self.path, self.name), caption)


@register.tag
def picture(parser: Parser, token: Token) -> Picture:
    """Draw the picture of that name, with what it shows in words; what stands until `endpicture` is its caption."""
    try:
        _tag, name, alt = (part.strip('"') for part in token.split_contents())
    except ValueError:
        raise TemplateSyntaxError("picture: a name and what is to be seen, both in quotation marks") from None
    caption = parser.parse(("endpicture",))
    parser.delete_first_token()
    rules = parser.origin.template_name if parser.origin is not None else None
    return Picture(_beside(str(rules)), name, alt, caption)


@register.simple_tag
def picture_symbols(rules: str) -> SafeString:
    """Return what the pictures of rules point at, for a page without the game's board; empty if that is nothing."""
    try:
        return _drawn(_beside(rules), "symbols")
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
    return SafeString(str(getattr(pictures.template.module, name)()))
