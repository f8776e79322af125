"""Being on a ladder: joining at the bottom, how many at once, pausing, leaving."""

from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext as _

from accounts.models import User
from config.lib import clock
from games import broadcast
from games.clocks import to_ms
from games.clocks import until as until_words
from games.ladders import queries
from games.ladders.models import MOST_AT_ONCE, Challenge, Change, Climber, Ladder, News
from games.ladders.services import places
from games.ladders.services.locking import changed, lock, lock_of
from games.ladders.services.refusals import NoPause, NotOnLadder
from games.services.hooks import check_taking_part
from games.services.refusals import GuestsCannot, Invalid, Unconfirmed, refuse_closed_accounts

IDLE_FROM = timedelta(days=30)  # without a ladder match, from which somebody falls
LONGEST_PAUSE, BETWEEN_PAUSES = timedelta(days=30), timedelta(days=30)
STATE = Challenge.State
PLAYED = (STATE.RUNNING, STATE.WON, STATE.HELD, STATE.VOID)  # those of before too: a match may be reopened


def join(*, game_slug: str, user: User, at_once: int) -> Climber:
    """Put a member at the bottom of a game's ladder; who stands there already stays, and `at_once` is theirs.

    GuestsCannot, Unconfirmed, Invalid, or what a sanction says.
    """
    if user.is_guest:
        raise GuestsCannot
    if not user.is_confirmed:
        raise Unconfirmed
    _check(game_slug, at_once)
    check_taking_part(user)
    with transaction.atomic():
        ladder = lock_of(game_slug, people=[user.pk])
        refuse_closed_accounts([user])
        now = clock.now()
        climber = Climber.objects.filter(ladder=ladder, user=user).first()
        if climber is None:
            climber = Climber(ladder=ladder, user=user)
        climber.at_once = at_once
        if climber.place is None:
            climber.joined_at = climber.idle_since = now
            climber.falls, climber.falls_at, climber.left_at = 0, now + IDLE_FROM, None
            climber.save()
            places.append(climber)
            places.note(climber, Change.Kind.JOINED)
        else:
            climber.save(update_fields=["at_once"])
    return climber


def _check(game_slug: str, at_once: int) -> None:
    if not queries.has_ladder(game_slug):
        raise Invalid(_("There is no ladder of this game: two cannot play it against each other."))
    if not 1 <= at_once <= MOST_AT_ONCE:
        raise Invalid(_("Choose how many matches at once: 1 to %(most)d.") % {"most": MOST_AT_ONCE})


def own(ladder: Ladder, user: User) -> Climber:
    """Return where a member stands on a locked ladder. NotOnLadder."""
    climber = Climber.objects.filter(ladder=ladder, user=user, place__isnull=False).select_related("user").first()
    if climber is None:
        raise NotOnLadder
    return climber


def change_at_once(*, ladder_id: int, user: User, at_once: int) -> None:
    """Say how many matches at once one wants from now on; what is under way stays. NotOnLadder, Invalid."""
    with transaction.atomic():
        ladder = lock(ladder_id)
        _check(ladder.game_slug, at_once)
        climber = own(ladder, user)
        climber.at_once = at_once
        climber.save(update_fields=["at_once"])


def pause(*, ladder_id: int, user: User, days: int) -> None:
    """Pause for so many days; pausing again while one pauses changes nothing. NotOnLadder, Invalid, NoPause."""
    if not 1 <= days <= LONGEST_PAUSE.days:
        raise Invalid(_("Choose how many days: 1 to %(most)d.") % {"most": LONGEST_PAUSE.days})
    with transaction.atomic():
        climber, now = own(lock(ladder_id), user), clock.now()
        if climber.is_paused:
            return
        if climber.pause_ended_at and now < (again := climber.pause_ended_at + BETWEEN_PAUSES):
            until = until_words(to_ms(again))
            raise NoPause(_("Between two pauses lie 30 days: none can begin %(until)s.") % {"until": until})
        climber.paused_at, climber.paused_until = now, now + timedelta(days=days)
        climber.save(update_fields=["paused_at", "paused_until"])
        changed(climber.ladder.game_slug)


def resume(*, ladder_id: int, user: User) -> None:
    """End one's pause; twice is harmless. NotOnLadder."""
    with transaction.atomic():
        end_pause(own(lock(ladder_id), user))


def end_pause(climber: Climber) -> None:
    """End the pause of somebody on a locked ladder, as of its last day if that is over: it does not make them idle."""
    if climber.paused_at is None or climber.paused_until is None:
        return
    ended = min(clock.now(), climber.paused_until)
    stood = max(timedelta(), ended - max(climber.paused_at, climber.idle_since))
    climber.idle_since += stood
    climber.falls_at += stood
    climber.paused_at, climber.paused_until, climber.pause_ended_at = None, None, ended
    climber.save(update_fields=["idle_since", "falls_at", "paused_at", "paused_until", "pause_ended_at"])
    changed(climber.ladder.game_slug)


def bring_back(now: datetime) -> None:
    """Let what was noted while the clock was ahead be of now; a hook of games (ON_CLOCK_SET_BACK)."""
    for challenge in Challenge.objects.filter(state=STATE.OPEN, made_at__gt=now):
        answer_by = now + (challenge.answer_by - challenge.made_at)
        Challenge.objects.filter(pk=challenge.pk).update(made_at=now, answer_by=answer_by)
    Challenge.objects.filter(made_at__gt=now).update(made_at=now)
    for climber in Climber.objects.filter(idle_since__gt=now):
        falls_at = now + (climber.falls_at - climber.idle_since)
        Climber.objects.filter(pk=climber.pk).update(idle_since=now, falls_at=falls_at)
    for climber in Climber.objects.filter(paused_at__gt=now):
        if climber.paused_at is not None and climber.paused_until is not None:
            until = now + (climber.paused_until - climber.paused_at)
            Climber.objects.filter(pk=climber.pk).update(paused_at=now, paused_until=until)
    Climber.objects.filter(declined_at__gt=now).update(declined_at=now)
    Climber.objects.filter(pause_ended_at__gt=now).update(pause_ended_at=now)


def leave(*, ladder_id: int, user: User) -> None:
    """Leave a ladder; running matches go on and move nobody. Twice is harmless."""
    with transaction.atomic():
        ladder = lock(ladder_id)
        climber = Climber.objects.filter(ladder=ladder, user=user, place__isnull=False).first()
        if climber is not None:
            take_off(climber, Change.Kind.LEFT)


def take_off(climber: Climber, why: Change.Kind) -> None:
    """Take somebody off a locked ladder, with their open challenges; what they play moves nobody any more."""
    end_pause(climber)
    before = climber.place
    places.remove(climber)
    climber.left_at = clock.now()
    climber.save(update_fields=["left_at"])
    places.note(climber, why, before=before)
    theirs = Challenge.objects.filter(Q(challenger=climber) | Q(challenged=climber))
    for challenge in theirs.filter(state=STATE.OPEN).select_related("challenger"):
        close(challenge, tell=challenge.challenger_id != climber.pk)
    theirs.filter(state__in=PLAYED, counts=True).update(counts=False)


def close(challenge: Challenge, *, tell: bool) -> None:
    """End an open challenge of a locked ladder, which moves nobody; `tell` its challenger."""
    challenge.state = STATE.ENDED
    challenge.save(update_fields=["state"])
    told(challenge)
    if tell:
        News.objects.create(climber=challenge.challenger, kind=News.Kind.ENDED, challenge=challenge)


def told(challenge: Challenge) -> None:
    """Have the open pages on which a challenge stands look again: those of its ladder, and of whoever is to answer."""
    changed(challenge.ladder.game_slug)
    if challenge.challenged.user_id is not None:
        broadcast.questions_changed([challenge.challenged.user_id])
