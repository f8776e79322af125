"""The forms of circles of friends: the name, and the weekly hour."""

from typing import Any

from django import forms
from django.utils.dates import WEEKDAYS
from django.utils.translation import gettext_lazy as _

from games.clubs.models import LONGEST_CIRCLE_NAME

EVENING = 20
FRIDAY = 4


class NameForm(forms.Form):
    """How a circle is called."""

    name = forms.CharField(label=_("Name of the circle"), max_length=LONGEST_CIRCLE_NAME)


class WeeklyForm(forms.Form):
    """On which day and at which hour a table opens each week."""

    weekday = forms.TypedChoiceField(label=_("Day"), coerce=int, choices=list(WEEKDAYS.items()), initial=FRIDAY)
    hour = forms.TypedChoiceField(
        label=_("Hour"), coerce=int, choices=[(hour, f"{hour}:00") for hour in range(24)], initial=EVENING
    )

    def __init__(self, *args: Any, zone: str = "", **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["hour"].help_text = zone
