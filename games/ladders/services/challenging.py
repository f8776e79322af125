"""Challenges before their match: made, withdrawn, accepted, declined."""

import secrets
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import Q
from django.utils import translation
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.queries import blocks_between
from config.lib import clock
from games.clocks import to_ms
from games.clocks import until as until_words
from games.forms.options import usual_options
from games.ladders import queries
from games.ladders.models import Challenge, Change, Climber, Ladder, News
from games.ladders.services import places
from games.ladders.services.locking import lock
from games.ladders.services.refusals import Answered, NotChallengeable, NotFree, NotYourChallenge
from games.ladders.services.standing import own, told
from games.models import Match
from games.rules import get_game
from games.services.hooks import check_taking_part
from games.services.lobby.seating import seat_together
from games.services.refusals import Refused
from games.time_controls import USUAL

REACH = 5  # places up
TO_ANSWER = timedelta(days=3)
AGAIN_AFTER = timedelta(days=7)  # by the same member
FREE_DECLINE = timedelta(days=14)
STATE = Challenge.State


def challenge(*, ladder_id: int, user: User, climber_id: int) -> Challenge:
    """Challenge somebody further up. NotOnLadder, NotChallengeable, or what a sanction says."""
    check_taking_part(user)
    with transaction.atomic():
        ladder = lock(ladder_id)
        challenger = own(ladder, user)
        found = queries.standing(ladder).filter(pk=climber_id).first()
        if found is None:
            raise NotChallengeable(_("They are no longer on the ladder."))
        if why := why_not(challenger, [found])[found.pk]:
            raise NotChallengeable(why)
        now = clock.now()
        facts = {"ladder": ladder, "challenger": challenger, "challenged": found}
        made = Challenge.objects.create(**facts, made_at=now, answer_by=now + TO_ANSWER)
        News.objects.create(climber=found, kind=News.Kind.CHALLENGED, challenge=made)
        told(made)
    return made


def why_not(challenger: Climber, others: list[Climber]) -> dict[int, str]:
    """Return in words, by id, why these others on the ladder cannot be challenged now; empty if they can."""
    numbers = [other.pk for other in others]
    busy = queries.under_way([challenger.pk, *numbers])
    own_reason = _why_not_at_all(challenger, busy[challenger.pk])
    asked = queries.last_of(challenger, numbers)
    pairs = blocks_between(challenger.user_id or 0, [other.user_id for other in others])
    apart = {number for pair in pairs for number in pair} - {challenger.user_id or 0}
    return {
        other.pk: _why_out_of_reach(challenger, other)
        or _met(challenger, other)
        or own_reason
        or _why_not_them(other, is_full=busy[other.pk] >= other.at_once)
        or _why_apart(other, apart)
        or _why_not_again(other, asked.get(other.pk))
        for other in others
    }


def _why_out_of_reach(challenger: Climber, other: Climber) -> str:
    return _("One challenges up to five places above one’s own.") if is_out_of_reach(challenger, other) else ""


def _why_apart(other: Climber, apart: set[int]) -> str:
    """Return neutral words if a block keeps the two apart; empty if not."""
    return _("%(name)s cannot be challenged now.") % {"name": other.user} if other.user_id in apart else ""


def _why_not_again(other: Climber, asked: datetime | None) -> str:
    if asked is None or clock.now() >= asked + AGAIN_AFTER:
        return ""
    words = {"name": other.user, "until": until_words(to_ms(asked + AGAIN_AFTER))}
    return _("You challenged %(name)s lately: not again %(until)s.") % words


def is_out_of_reach(challenger: Climber, other: Climber) -> bool:
    """Return whether somebody stands too far up, or not above at all."""
    return not 0 < (challenger.place or 0) - (other.place or 0) <= REACH


def _met(challenger: Climber, other: Climber) -> str:
    """Return in words what these two have under way with each other; empty if nothing."""
    states = queries.between(challenger, other).filter(state__in=queries.UNDER_WAY).values_list("state", flat=True)
    if STATE.RUNNING in states:
        return _("You two play a ladder match already.")
    return _("A challenge between you two is open.") if states else ""


def _why_not_at_all(challenger: Climber, busy: int) -> str:
    if challenger.is_paused:
        return _("You pause. Resume first.")
    if busy >= challenger.at_once:
        return _("You have as many ladder matches and challenges as you want at once.")
    return ""


def _why_not_them(other: Climber, *, is_full: bool) -> str:
    if other.user is None:
        return _("They are no longer on the ladder.")
    if other.is_paused:
        return _("%(name)s pauses.") % {"name": other.user}
    return _("%(name)s has enough ladder matches at present.") % {"name": other.user} if is_full else ""


def _open(ladder: Ladder, challenge_id: int) -> Challenge:
    """Return an open challenge of the locked ladder. Answered."""
    rows = Challenge.objects.filter(pk=challenge_id, ladder=ladder, state=STATE.OPEN)
    found = rows.select_related("ladder", "challenger__user", "challenged__user").first()
    if found is None:
        raise Answered
    return found


def _known(challenge_id: int) -> Challenge:
    rows = Challenge.objects.select_related("challenger", "challenged")
    found = rows.filter(pk=challenge_id).first()
    if found is None:
        raise Answered
    return found


def withdraw(*, challenge_id: int, user: User) -> Ladder:
    """Take back one's own open challenge; return its ladder. NotYourChallenge, Answered."""
    known = _known(challenge_id)
    if known.challenger.user_id != user.pk:
        raise NotYourChallenge
    with transaction.atomic():
        ladder = lock(known.ladder_id)
        _withdraw(_open(ladder, challenge_id))
    return ladder


def _withdraw(found: Challenge) -> None:
    found.state, found.answered_at = STATE.WITHDRAWN, clock.now()
    found.save(update_fields=["state", "answered_at"])
    News.objects.filter(challenge=found).delete()
    told(found)


def accept(*, challenge_id: int, user: User) -> Match:
    """Begin the match of a challenge. NotYourChallenge, Answered, NotChallengeable, or what a sanction says."""
    known = _known(challenge_id)
    if known.challenged.user_id != user.pk:
        raise NotYourChallenge
    check_taking_part(user)
    with transaction.atomic():
        ladder = lock(known.ladder_id, people=[known.challenger.user_id, known.challenged.user_id])
        found = _open(ladder, challenge_id)
        challenger, challenged, slug = found.challenger.user, found.challenged.user, ladder.game_slug
        if challenger is None or challenged is None or _is_away(challenger, challenged) or not queries.has_ladder(slug):
            raise NotChallengeable(_("This challenge cannot be played now. Nobody loses a place by it."))
        found.seat, now = secrets.randbelow(2), clock.now()
        found.match = _begin(ladder, [challenged, challenger] if found.seat else [challenger, challenged], challenged)
        found.state, found.answered_at = STATE.RUNNING, now
        found.save(update_fields=["seat", "match", "state", "answered_at"])
        News.objects.filter(challenge=found).delete()
        told(found)
    return found.match


def _is_away(challenger: User, challenged: User) -> bool:
    """Return whether the two cannot begin, which is nobody's fault here: a block, or a sanction of the challenger's."""
    if blocks_between(challenger.pk, [challenged.pk]) or not challenger.is_active:
        return True
    try:
        check_taking_part(challenger)
    except Refused:
        return True
    return False


def options_for(game_slug: str, host: User) -> dict[str, Any]:
    """Return the usual options of a match; a game of words is in the language of whoever was challenged."""
    with translation.override(host.language):
        return usual_options(get_game(game_slug))


def _begin(ladder: Ladder, members: list[User], host: User) -> Match:
    return seat_together(
        members=members,
        game_slug=ladder.game_slug,
        options=options_for(ladder.game_slug, host),
        pace=USUAL,
        rated=True,
        access=Match.Access.OPEN,
    )


def decline(*, challenge_id: int, user: User, free: bool = False) -> Ladder:
    """Decline a challenge: freely once in 14 days, else the challenger takes the place; return the ladder.

    `free`: only if it costs no place. NotYourChallenge, Answered, NotFree.
    """
    known = _known(challenge_id)
    if known.challenged.user_id != user.pk:
        raise NotYourChallenge
    with transaction.atomic():
        ladder = lock(known.ladder_id)
        found = _open(ladder, challenge_id)
        if is_apart(found):
            part(found)
        else:
            _decline(found, free=free)
    return ladder


def _decline(found: Challenge, *, free: bool = False) -> None:
    """Decline an open challenge of a locked ladder, at what it costs. NotFree if it is to cost no place, and does."""
    found.answered_at = now = clock.now()
    News.objects.filter(challenge=found).delete()
    if not costs(found) or queries.declines_freely(found.challenged, now, FREE_DECLINE):
        if costs(found):
            found.challenged.declined_at = now
            found.challenged.save(update_fields=["declined_at"])
        found.state = STATE.DECLINED
        found.save(update_fields=["state", "answered_at"])
        News.objects.create(climber=found.challenger, kind=News.Kind.DECLINED, challenge=found)
    elif free:
        raise NotFree
    else:
        found.state = STATE.YIELDED
        give_place(found, Change.Kind.YIELDED)
        News.objects.create(climber=found.challenger, kind=News.Kind.RISEN, challenge=found)
    told(found)


def end_between(blocker: User, blocked: User) -> None:
    """End the open challenges of two, of whom one blocks the other now; a hook of accounts (ON_BLOCK)."""
    pairs = Q(challenger__user=blocker, challenged__user=blocked) | Q(
        challenger__user=blocked, challenged__user=blocker
    )
    known = Challenge.objects.filter(pairs, state=STATE.OPEN).order_by("ladder")
    for challenge_id, ladder_id in list(known.values_list("pk", "ladder")):
        ladder = lock(ladder_id)
        with suppress(Answered):
            found = _open(ladder, challenge_id)
            _end(found, by_challenged=found.challenged.user_id == blocker.pk)


def part(found: Challenge) -> None:
    """End an open challenge of a locked ladder between two whom a block keeps apart that came at the same moment."""
    blocks = blocks_between(found.challenger.user_id or 0, [found.challenged.user_id])
    _end(found, by_challenged=any(blocker == found.challenged.user_id for blocker, _blocked in blocks))


def _end(found: Challenge, *, by_challenged: bool) -> None:
    """Let a block count as declining, by whoever was challenged, or as withdrawing: who blocks has no gain by it."""
    if by_challenged:
        _decline(found)
    else:
        _withdraw(found)


def costs(found: Challenge) -> bool:
    """Return whether not to play gives a place away: not if the challenger has come to stand above meanwhile."""
    return (found.challenged.place or 0) < (found.challenger.place or 0)


def is_apart(found: Challenge) -> bool:
    """Return whether a block keeps the two apart since."""
    return bool(blocks_between(found.challenger.user_id or 0, [found.challenged.user_id]))


def give_place(found: Challenge, why: Change.Kind) -> None:
    """Let the challenger of a locked ladder take the other's place, if they stand below; write the challenge."""
    challenger, challenged = found.challenger, found.challenged
    challenger.refresh_from_db(fields=["place"])
    challenged.refresh_from_db(fields=["place"])
    before, to = challenger.place, challenged.place
    if before is not None and to is not None and to < before:
        places.move(challenger, to)
        places.note(challenger, why, before=before, other=challenged, challenge=found)
        found.moved = True
    found.save(update_fields=["state", "answered_at", "settled_at", "moved"])
