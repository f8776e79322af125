"""Jinja for the fragments that are rendered at every move; pages are Django templates."""

from typing import Any

from django.templatetags.static import static
from django.urls import reverse
from django.utils import translation
from jinja2 import Environment, StrictUndefined

from games.templatetags import pieces

PIECES = ("avatar", "die", "die_check", "die_colour", "icon", "seat_shape", "shape_name")


def environment(**options: Any) -> Environment:
    """Return the environment: autoescaped, undefined names are errors, gettext as `_` and `ngettext`."""
    options["undefined"] = StrictUndefined
    options["trim_blocks"] = options["lstrip_blocks"] = True
    env = Environment(extensions=["jinja2.ext.i18n"], **options)  # noqa: S701 (Django passes autoescape on)
    env.install_gettext_callables(  # type: ignore[attr-defined]
        translation.gettext, translation.ngettext, newstyle=True, pgettext=translation.pgettext
    )
    env.globals.update(static=static, url=reverse)
    env.globals.update((name, getattr(pieces, name)) for name in PIECES)
    return env
