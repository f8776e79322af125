"""The forms of ladders: how many matches at once, and for how long one pauses."""

from django import forms
from django.utils.translation import gettext_lazy as _

from games.ladders.models import MOST_AT_ONCE
from games.ladders.services.standing import LONGEST_PAUSE

USUAL_AT_ONCE, USUAL_PAUSE = 2, 14


class AtOnceForm(forms.Form):
    """How many ladder matches one wants at once."""

    at_once = forms.IntegerField(
        label=_("At most so many ladder matches at once"),
        help_text=_("Open challenges count, those of others to you as well."),
        min_value=1,
        max_value=MOST_AT_ONCE,
        initial=USUAL_AT_ONCE,
    )


class PauseForm(forms.Form):
    """For how many days one pauses."""

    days = forms.IntegerField(
        label=_("For how many days"), min_value=1, max_value=LONGEST_PAUSE.days, initial=USUAL_PAUSE
    )
