"""The link of an open table: where it leads, the address of its picture, and what it tells."""

from collections.abc import Sequence
from urllib.parse import urljoin

from django.conf import settings
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from config.lib.formats import listing, number
from games.models import Match, Seat
from games.table import seat_name
from games.views.card_drawing import can_say

DECIDED = (Match.Ending.PLAYED, Match.Ending.RESIGNED, Match.Ending.TIMED_OUT)


def link_of(match: Match) -> str:
    """Return the address by which an open table is passed on; empty for one by invitation."""
    if match.access == Match.Access.INVITATION:
        return ""
    by_link = match.access == Match.Access.LINK
    path = reverse("join-link", args=[match.token]) if by_link else reverse("match", args=[match.pk])
    return urljoin(settings.SITE_URL, path)


def has_result_card(match: Match) -> bool:
    """Return whether there is a picture of the match's result: it was decided, and counts."""
    return match.status == Match.Status.ENDED and match.ending in DECIDED and match.voided_at is None


def card_address(match: Match, token: str) -> str:
    """Return where the card of an open table is, for who sees it by this token, or as it is public; else empty.

    Likewise of a result.
    """
    if has_result_card(match):
        return urljoin(settings.SITE_URL, reverse("card", args=[match.pk])) if match.is_public else ""
    if match.status != Match.Status.OPEN:
        return ""
    if token:
        return urljoin(settings.SITE_URL, reverse("link-card", args=[token]))
    return urljoin(settings.SITE_URL, reverse("card", args=[match.pk])) if match.is_public else ""


def table_picture(match: Match) -> str:
    """Return where the picture of the table of a public match that runs is; else empty."""
    is_shown = match.is_public and match.status == Match.Status.RUNNING
    return urljoin(settings.SITE_URL, reverse("table-png", args=[match.pk])) if is_shown else ""


def shared_title(match: Match, seats: Sequence[Seat], token: str) -> str:
    """Return what other sites call the link of a match that its page shows to everybody who has it; else empty.

    It says the same whoever looks: nothing of the reader's own question.
    """
    if match.status == Match.Status.OPEN and (match.is_public or token):
        hosts = [seat.username for seat in seats if seat.user_id and seat.user_id == match.creator_id]
        known = {"name": hosts[0], "game": match.game.name} if hosts else {}
        return _("%(name)s invites you to %(game)s") % known if known else match.game.name
    if not match.is_public:
        return ""
    return f"{listing(seat_name(seat) for seat in seats if not seat.is_free)} · {match.game.name}"


def told(match: Match, seats: Sequence[Seat]) -> dict[str, str]:
    """Return in words what a link tells of an open table to whoever has it: host, facts, free seats."""
    free = sum(seat.is_free for seat in seats)
    hosts = [seat.username or "" for seat in seats if seat.user_id and seat.user_id == match.creator_id]
    rated = _("rated") if match.rated else _("casual")
    return {
        "host": _("%(name)s invites you") % {"name": hosts[0]} if hosts and can_say(hosts[0]) else _("Come and play"),
        "facts": f"{match.pace.label} · {rated}",
        "free": ngettext("%(n)s seat free", "%(n)s seats free", free) % {"n": number(free)},
    }


def rating_range(match: Match) -> str:
    """Return the ratings with which one may join, in words; empty if all may."""
    lowest, highest = match.lowest_rating, match.highest_rating
    if lowest is None:
        return _("up to %(rating)d") % {"rating": highest} if highest is not None else ""
    return f"{lowest}–{highest}" if highest is not None else _("from %(rating)d") % {"rating": lowest}
