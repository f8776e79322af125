"""The tags that all of Django's templates have, as Django has them: fixed words, and addresses, are worked out once."""

from functools import lru_cache

from django import template
from django.conf import settings
from django.template.base import FilterExpression, Parser, Token
from django.template.context import Context
from django.template.defaulttags import URLNode
from django.template.defaulttags import url as url_of_django
from django.templatetags import i18n, static
from django.templatetags.i18n import TranslateNode
from django.templatetags.i18n import do_translate as translate_of_django
from django.urls import get_script_prefix, reverse
from django.utils.html import escape
from django.utils.translation import get_language

register = template.Library()
register.tags |= i18n.register.tags | static.register.tags
register.filters |= i18n.register.filters


Plain = int | str


@register.tag
def url(parser: Parser, token: Token) -> URLNode:
    """Return the node of `{% url … %}`."""
    node = url_of_django(parser, token)
    name = node.view_name.var  # text where it is written out; one in a namespace hangs on the page
    is_fixed = isinstance(name, str) and ":" not in name and not node.view_name.filters
    return Link(node.view_name, node.args, node.kwargs, None) if is_fixed and not node.asvar else node


class Link(URLNode):
    """A link to an address that hangs on its arguments alone: a page has dozens."""

    def render(self, context: Context) -> str:
        """Return the address."""
        args = tuple(arg.resolve(context) for arg in self.args)
        kwargs = tuple((name, arg.resolve(context)) for name, arg in self.kwargs.items())
        if not all(type(value) in (int, str) for value in (*args, *(value for _name, value in kwargs))):
            return super().render(context)
        address = _address(self.view_name.var, args, kwargs, settings.ROOT_URLCONF, get_script_prefix())
        return escape(address) if context.autoescape else address


@lru_cache(10_000)
def _address(
    name: str, args: tuple[Plain, ...], kwargs: tuple[tuple[str, Plain], ...], _urls: str, _prefix: str
) -> str:
    return reverse(name, args=args, kwargs=dict(kwargs))


def translate(parser: Parser, token: Token) -> template.Node:
    """Return the node of `{% translate … %}`."""
    node = translate_of_django(parser, token)
    is_fixed = _is_text(node.filter_expression) and (not node.message_context or _is_text(node.message_context))
    return FixedWords(node) if is_fixed and not node.asvar else node


register.tag("translate", translate)
register.tag("trans", translate)


def _is_text(expression: FilterExpression) -> bool:
    """Return whether this is a text, written out and as it is."""
    literal = getattr(expression.var, "literal", expression.var)
    return isinstance(literal, str) and not expression.filters


class FixedWords(template.Node):
    """A text of a template in the reader's language."""

    def __init__(self, node: TranslateNode) -> None:
        self.node = node
        self.said: dict[str | None, str] = {}

    def render(self, context: Context) -> str:
        """Return the text."""
        language = get_language()
        said = self.said.get(language)
        if said is None:
            said = self.said[language] = self.node.render(context)
        return said
