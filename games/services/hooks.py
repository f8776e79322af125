"""Calls what other apps have registered in the settings for events of a match, and counts its dice."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple

from django.conf import settings
from django.utils.module_loading import import_string

from accounts.models import User
from games.models import Match, Seat
from games.services.play import dice_counts
from games.services.refusals import BotsCannot


class Series(NamedTuple):
    """To what a match belongs, as its reader may know it."""

    name: str
    """Of the tournament or ladder; of one that the reader may not see, what kind it is."""
    url: str
    """Its page, where it says how everybody stands; empty for whoever may not see it."""
    more: str
    """Which part of it the match is, in words; may be empty."""
    back: str
    """What the way back to it is called."""


def match_ended(match: Match, seats: Sequence[Seat]) -> None:
    """Call the functions of ON_MATCH_END, in the transaction that ends the match, under its lock."""
    _call(settings.ON_MATCH_END, match, seats)
    if match.prepared is None:  # the dice of a lesson are not chance's own
        dice_counts.queue_count(match)


def match_reopened(match: Match) -> None:
    """Call the functions of ON_MATCH_REOPENED after an end was undone, under the match's lock."""
    _call(settings.ON_MATCH_REOPENED, match)
    dice_counts.forget(match)


def may_watch(match: Match, user: Any, session: Any) -> bool:
    """Return whether somebody may, in this session, look at a match that is not public, by the setting MAY_WATCH."""
    return bool(import_string(settings.MAY_WATCH)(match, user, session))


def series_of(matches: Sequence[int], user: Any) -> dict[int, Series]:
    """Return the tournament or ladder of each of these matches that has one, by id, by WHERE_MATCHES_BELONG."""
    found: dict[int, Series] = {}
    for path in settings.WHERE_MATCHES_BELONG if matches else ():
        found |= import_string(path)(matches, user)
    return found


def way_back(match: Match, viewer: Seat | None, user: Any) -> Series | None:
    """Return to which tournament or ladder a player of an ended match is led back; None if to none."""
    if match.status != Match.Status.ENDED or viewer is None or match.creator_id is not None:
        return None
    found = series_of([match.pk], user).get(match.pk)
    return found if found and found.url else None


def digest_due(user: User) -> None:
    """Call the functions of ON_DIGEST, under the lock of the member whose one mail a day is due."""
    _call(settings.ON_DIGEST, user)


def match_voided(match: Match) -> None:
    """Call the functions of ON_MATCH_VOIDED, under the match's lock; its dice stay counted."""
    _call(settings.ON_MATCH_VOIDED, match)


def ratings_of(game_slug: str, members: Sequence[int]) -> dict[int, int]:
    """Return the members' ratings in a game, in points, by the setting RATINGS."""
    found: dict[int, int] = import_string(settings.RATINGS)(game_slug, members)
    return found


def check_joining(match: Match, user: User) -> None:
    """Call the functions of ON_JOINING; each raises a refusal if the member may not join."""
    _call(settings.ON_JOINING, match, user)


def seeds_of(tournament: Any, members: Sequence[int]) -> dict[int, int]:
    """Return with what strength members go into a tournament that has an order of its own, by the setting SEEDS."""
    found: dict[int, int] = import_string(settings.SEEDS)(tournament, members)
    return found


def check_entering(tournament: Any, user: User) -> None:
    """Call the functions of ON_ENTERING; each raises a refusal if a tournament is not for this member."""
    _call(settings.ON_ENTERING, tournament, user)


def check_taking_part(user: User) -> None:
    """Refuse a bot what is for people (BotsCannot), and whom a function of ON_TAKING_PART, as under a sanction."""
    if user.is_bot:
        raise BotsCannot
    check_sitting_down(user)


def check_sitting_down(user: User) -> None:
    """Call the functions of ON_TAKING_PART for whoever comes to a table, bots too; each may refuse, for a sanction."""
    _call(settings.ON_TAKING_PART, user)


def host_of(match: Match) -> str:
    """Return in words in whose name a table that nobody opened invites, by the setting HOST_OF_MATCH; "" of others."""
    found: str = import_string(settings.HOST_OF_MATCH)(match)
    return found


def also_due(until: datetime) -> int:
    """Return how much, beside matches, would be decided by the clock until then, by the setting ALSO_DUE."""
    return sum(import_string(path)(until) for path in settings.ALSO_DUE)


def clock_set_back(now: datetime) -> None:
    """Call the functions of ON_CLOCK_SET_BACK: what was noted while the clock was ahead is of now."""
    _call(settings.ON_CLOCK_SET_BACK, now)


def barred_among(members: Sequence[int]) -> set[int]:
    """Return whom of these members a sanction keeps from new tables, by the setting BARRED: all at once."""
    found: set[int] = import_string(settings.BARRED)(members)
    return found


def check_writing(match: Match | None, user: User) -> None:
    """Call the functions of ON_WRITING; each raises a refusal if the member may not write for others to read."""
    _call(settings.ON_WRITING, match, user)


def _call(paths: Sequence[str], *arguments: object) -> None:
    for path in paths:
        import_string(path)(*arguments)
