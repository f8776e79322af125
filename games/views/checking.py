"""Records of matches, and what it takes to check their dice: the site's keys, a file that checks offline."""

from base64 import b64encode
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from django.contrib.staticfiles import finders
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils.safestring import SafeString
from django.views.decorators.http import require_safe

from accounts.access import member_of
from config.lib import signatures
from games.check_words import CHECK_WORDS
from games.forms.play import read_nonce
from games.models import Match
from games.record import public_record
from games.services.play import dice
from games.services.refusals import NotEnded
from games.views.responses import find, player_action, with_refusals


@require_safe
@with_refusals
def record(request: HttpRequest, match_id: int) -> HttpResponse:
    """Return the record of a match that has ended, as JSON."""
    shown = find(request, match_id)
    if shown.match.status != Match.Status.ENDED or not shown.match.state:
        raise NotEnded
    answer = JsonResponse(public_record(shown.match, shown.seats), json_dumps_params={"indent": 1})
    answer["Content-Disposition"] = f'attachment; filename="club-y-{match_id}.json"'
    return answer


@require_safe
def keys(request: HttpRequest) -> HttpResponse:
    """Return the public keys by which records are signed, the present one first (spec: chance.md, Signature)."""
    return JsonResponse({"algorithm": "Ed25519", "keys": signatures.public_keys()})


@require_safe
def check_file(request: HttpRequest) -> HttpResponse:
    """Return the page that checks records offline, as one file to be saved; it holds the site's keys of today."""
    context = {"keys": signatures.public_keys(), "check_words": CHECK_WORDS, "script": _script(), "style": _style()}
    answer = render(request, "games/play/check_file.html", context)
    answer["Content-Disposition"] = 'attachment; filename="club-y-check.html"'
    return answer


class Inline(NamedTuple):
    """What stands within a page, and the SHA-256 by which the page's policy lets it."""

    text: SafeString
    digest: str


def _inline(text: str) -> Inline:
    return Inline(SafeString(text), b64encode(sha256(text.encode()).digest()).decode())


@cache
def _script() -> Inline:
    """Return the scripts of the check as one, which imports nothing."""
    parts = [_file(f"games/{name}.js") for name in ("check", "check_page")]
    lines = [line for line in "\n".join(parts).splitlines() if not line.startswith("import ")]
    return _inline("\n".join(line.removeprefix("export ") for line in lines))


@cache
def _style() -> Inline:
    return _inline(_file("games/check_file.css"))


def _file(name: str) -> str:
    found = finders.find(name)
    assert isinstance(found, str)
    return Path(found).read_text()


@player_action
def open_dice(request: HttpRequest, match_id: int) -> HttpResponse:
    """Open the part of the dice that one's browser had sealed when one sat down."""
    find(request, match_id)
    dice.open_nonce(match_id=match_id, user=member_of(request), nonce=read_nonce(request.POST))
    return HttpResponse(status=204) if request.headers.get("X-Live") else redirect("match", match_id=match_id)
