"""The form of a standing challenge."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from games.forms.options import fewest, usual_options
from games.rules import games, get_game
from games.services.lobby.challenges import MOST_AT_ONCE
from games.time_controls import TIME_CONTROLS, USUAL


def _options_of(slug: str) -> dict[str, Any]:
    return usual_options(get_game(slug))


class ChallengeForm(forms.Form):
    """Which game, how fast, rated or not, and how many at once."""

    game = forms.ChoiceField(label=_("Game"), choices=lambda: [(slug, get_game(slug).name) for slug in games()])
    pace = forms.ChoiceField(
        label=_("Time to think"),
        choices=[(pace.slug, pace.label) for pace in TIME_CONTROLS.values() if not pace.is_live],
        initial=USUAL,
    )
    most = forms.IntegerField(
        label=_("At most so many matches at once"), min_value=1, max_value=MOST_AT_ONCE, initial=3
    )
    rated = forms.BooleanField(label=_("Rated"), required=False)
    takes_bots = forms.BooleanField(label=_("Bots of members may accept it"), required=False)

    def wishes(self) -> dict[str, Any]:
        """Return the arguments of `challenges.offer` that this form has."""
        data = self.cleaned_data
        game = get_game(data["game"])
        return {
            "game_slug": data["game"],
            "size": fewest(game),
            "options": _options_of(data["game"]),
            "pace": data["pace"],
            "most": data["most"],
            "rated": data["rated"],
            "takes_bots": data["takes_bots"],
        }
