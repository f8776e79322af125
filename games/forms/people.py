"""The fields in which people are picked: boxes for those one knows, and a text field for a name that is typed."""

import re
from collections.abc import Iterable, Sequence
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from accounts.queries import member_like

MOST_INVITED = 10
LONGEST = 300  # characters of all names together
BOXES = 8  # people whose names can be ticked; of the others one types the beginning


def names_in(values: Iterable[str]) -> list[str]:
    """Return the names of several boxes and a text field, each once."""
    text = " ".join(values)[:LONGEST].replace("\0", "")
    return list(dict.fromkeys(filter(None, re.split(r"[\s,;]+", text))))


def members_named(text: str) -> list[User]:
    """Return the members of a list of names; ValidationError names those who do not exist."""
    names = names_in([text])
    if len(names) > MOST_INVITED:
        raise ValidationError(_("Invite at most ten members."))
    found, missing = [], []
    for name in names:
        member = member_like(name)
        found.append(member) if member else missing.append(name)
    if missing:
        params = {"names": ", ".join(missing)[:100]}
        raise ValidationError(_("There is no member named %(names)s."), params=params)
    return [member for member in found if member]


class NamesInput(forms.TextInput):
    """Reads all values of its name as one text."""

    def value_from_datadict(self, data: Any, files: Any, name: str) -> str | None:
        """Return the names, separated by commas; None when nothing was sent."""
        values = data.getlist(name) if hasattr(data, "getlist") else [data[name]] if name in data else []
        return ", ".join(names_in(values)) if values else None


def picker(known: Sequence[str], wanted: Sequence[str]) -> dict[str, Any]:
    """Return what the page of a picker shows: boxes, those wanted ticked; all known names; the other wanted ones."""
    folded = {name.casefold() for name in wanted}
    ticked = [name for name in known if name.casefold() in folded]
    boxes = [*ticked, *(name for name in known[:BOXES] if name not in ticked)]
    held = {name.casefold() for name in ticked}
    return {
        "boxes": [{"name": name, "ticked": name in ticked} for name in boxes],
        "known": known[BOXES:],
        "typed": ", ".join(name for name in wanted if name.casefold() not in held),
    }
