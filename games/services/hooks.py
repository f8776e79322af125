"""What follows when something happens to a match: its dice are counted, and other apps, named by settings."""

from collections.abc import Sequence

from django.conf import settings
from django.utils.module_loading import import_string

from accounts.models import User
from games.models import Match, Seat
from games.services.play import dice_counts


def match_ended(match: Match, seats: Sequence[Seat]) -> None:
    """Tell the functions of ON_MATCH_END, in the transaction that ends the match, under its lock."""
    _call(settings.ON_MATCH_END, match, seats)
    dice_counts.queue_count(match)


def match_reopened(match: Match) -> None:
    """Tell the functions of ON_MATCH_REOPENED that an end was undone, under the match's lock."""
    _call(settings.ON_MATCH_REOPENED, match)
    dice_counts.forget(match)


def match_voided(match: Match) -> None:
    """Tell the functions of ON_MATCH_VOIDED that an ended match counts no more, under its lock.

    Its dice fell all the same, and stay counted.
    """
    _call(settings.ON_MATCH_VOIDED, match)


def joining(match: Match, user: User) -> None:
    """Ask the functions of ON_JOINING whether a member may sit down; they raise a refusal if not."""
    _call(settings.ON_JOINING, match, user)


def writing(match: Match, user: User) -> None:
    """Ask the functions of ON_WRITING whether a member may write at a match; they raise a refusal if not."""
    _call(settings.ON_WRITING, match, user)


def _call(paths: Sequence[str], *arguments: object) -> None:
    for path in paths:
        import_string(path)(*arguments)
