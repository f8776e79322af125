"""Seasons in words."""

from django.utils.functional import lazy
from django.utils.translation import gettext as _

from leaderboards.seasons import parts


def season_words(season: str) -> str:
    """Return a season in words."""
    year, quarter = parts(season)
    return _("%(months)s %(year)d") % {"months": _MONTHS[quarter](), "year": year}


_MONTHS = {
    1: lambda: _("January to March"),
    2: lambda: _("April to June"),
    3: lambda: _("July to September"),
    4: lambda: _("October to December"),
}

lazy_words = lazy(season_words, str)  # in the reader's language
