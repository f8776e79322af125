"""What pages show of a refusal: its sentence alone, or in the table, with what was typed."""

import json
from typing import Any

from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.utils.translation import gettext as _

from games.forms.play import inputs_of
from games.models import Match
from games.services.refusals import Full, Illegal, NotOpen, Refused

LONGEST_WORD = 80  # characters of a text that are shown again
SPOILT = "bad_word"  # the engine's code for a forbidden text


def refused(refusal: Refused, post: QueryDict) -> dict[str, Any]:
    """Return a refusal for the table: its sentence, the texts typed by input, the input at fault."""
    typed = {name: post.get(name, "")[:LONGEST_WORD] for name in post if ".text." in name}
    is_of_text = isinstance(refusal, Illegal) and refusal.code == SPOILT
    return {"words": str(refusal), "typed": typed, "at": _text_input(post) if is_of_text else ""}


def _text_input(post: QueryDict) -> str:
    """Return the name of the input whose text is part of the posted move; empty if there is none."""
    move = json.loads(post.get("move", ""))  # valid: the rules have refused it
    inputs = inputs_of(post, move["type"], move.get("token"))
    return next((name for name, kind, _field in inputs if kind == "text"), "")


def refused_page(request: HttpRequest, refusal: Refused) -> HttpResponse:
    """Return a page that says why something was refused, and nothing else."""
    return render(request, "games/play/refused.html", {"refusal": refusal}, status=refusal.status)


def too_late(match: Match) -> Refused:
    """Return what an invitation to a table that is no longer open says."""
    is_closed = match.ending in (Match.Ending.CLOSED, Match.Ending.LAPSED)
    return NotOpen(_("This table has been closed.")) if is_closed else Full()
