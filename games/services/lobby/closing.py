"""How open tables change and end: start when full, leave, decline, close, lapse."""

from collections.abc import Sequence
from datetime import timedelta

import structlog
from django.conf import settings
from django.db import transaction
from django.db.models import Exists, OuterRef

from accounts.models import User
from config.lib import clock
from games import broadcast
from games.models import Kind, Match, Seat
from games.queries.rated import answering, pairs_at_limit
from games.services.lobby import member_bots
from games.services.mail.notices import note
from games.services.play import importing
from games.services.play.locking import Person, lock_match, seat_of
from games.services.play.match_transaction import MatchTransaction
from games.services.refusals import NotOpen, TooManyBotMatches

log = structlog.get_logger(__name__)
LAPSE_AFTER = timedelta(days=14)
MOST_OPEN, MOST_OPEN_UNPROVEN = 20, 2  # of a member with a confirmed address, and of one without
SAY_WITHIN = timedelta(seconds=60)  # at a live table that is full, for each to say that they are here


def may_have_more(member: User) -> bool:
    """Return whether a further open table may be this member's: they open it, or are left alone with it."""
    theirs = Match.objects.filter(creator=member, status=Match.Status.OPEN)
    if member.is_bot:
        return theirs.count() < member_bots.MOST_OPEN
    return theirs.count() < (MOST_OPEN if member.is_confirmed else MOST_OPEN_UNPROVEN)


def is_host(match: Match, seats: Sequence[Seat], user: Person) -> bool:
    """Return whether the person may do what is the creator's: who opened the table, or sits at one nobody opened."""
    if match.creator_id is not None:
        return match.creator_id == user.pk
    return user.pk is not None and any(seat.user_id == user.pk for seat in seats)


def leave(*, match_id: int, user: User) -> None:
    """Leave an open match. The table passes to the next member, or closes. NotOpen, NotYourSeat."""
    with transaction.atomic():
        match, seats = lock_match(match_id)
        if match.status != Match.Status.OPEN:
            raise NotOpen
        seat = seat_of(seats, user)
        get_up(match, seats, [seat])


def get_up(match: Match, seats: list[Seat], leaving: list[Seat]) -> None:
    """Free these persons' seats at an open table; it passes to the next member who may have more, or closes.

    One by a standing challenge closes once its creator is alone there: the challenge stands again. One that nobody
    opened stays open: those who are invited may still come.
    """
    is_nobodys = match.creator_id is None
    for seat in leaving:
        broadcast.seat_lost(match.pk, seat.user_id or 0)
        if match.creator_id == seat.user_id:
            match.creator = None
        seat.user, seat.nonce, seat.seal = None, "", ""
        seat.save(update_fields=["user", "nonce", "seal"])
    ask_who_is_here(seats, None)
    people = [other.user for other in seats if other.is_in and other.user is not None]
    if is_nobodys:
        save_open_match(match, seats)
        return
    match.creator = match.creator or next((person for person in people if may_have_more(person)), None)
    if match.creator is None or (match.challenge_id is not None and people == [match.creator]):
        close(match, seats)
        return
    save_open_match(match, seats)


def ask_who_is_here(seats: list[Seat], by: Person | None) -> None:
    """Ask each person but `by` whether they are here; without `by`, ask nobody any more. Saves."""
    until = clock.now() + SAY_WITHIN if by is not None else None
    for seat in seats:
        asked = until if by is not None and seat.is_in and seat.user_id != by.pk else None
        if seat.ready_by != asked:
            seat.ready_by = asked
            seat.save(update_fields=["ready_by"])


def decline(*, match_id: int, user: User) -> None:
    """Decline an invitation, which those who sit there are told; without one, nothing happens."""
    with transaction.atomic():
        match, seats = lock_match(match_id)
        if match.invitations.filter(user=user, declined=False).update(declined=True):
            seated = [seat.user_id for seat in seats if seat.is_in and seat.user_id]
            note(match, Kind.DECLINED, seated, ask=user.pk)
            broadcast.seat_lost(match.pk, user.pk)
            save_open_match(match, seats)
            broadcast.asked(match.pk, seated)
            broadcast.match_changed(match.pk, match.version, people=[user.pk])


def lapse_open_matches() -> int:
    """End open matches that nobody joined for 14 days, and mail their members; return how many."""
    stale = Match.objects.filter(status=Match.Status.OPEN, joined_at__lt=clock.now() - LAPSE_AFTER)
    lapsed = 0
    for match_id in stale.order_by("joined_at").values_list("pk", flat=True)[:200]:
        try:
            lapsed += _lapse(match_id)
        except Exception:
            log.exception("lapse failed", match=match_id)
    return lapsed


def _lapse(match_id: int) -> bool:
    """End this match if, under the lock, nobody joined it in time; return whether it ended."""
    with transaction.atomic():
        match, seats = lock_match(match_id)
        if match.status != Match.Status.OPEN or match.joined_at >= clock.now() - LAPSE_AFTER:
            return False
        end_open_match(match, Match.Ending.LAPSED)
        save_open_match(match, seats)
        note(match, Kind.LAPSED, [seat.user_id for seat in seats if seat.is_in and seat.user_id])
    return True


def close(match: Match, seats: list[Seat]) -> None:
    """Close an open table that the caller has locked."""
    end_open_match(match, Match.Ending.CLOSED)
    save_open_match(match, seats)


def end_open_match(match: Match, ending: Match.Ending) -> None:
    """End a table that never started; the caller saves. Another rematch may be asked for."""
    match.status, match.ending, match.ended_at = Match.Status.ENDED, ending, clock.now()
    match.rematch_of = None
    match.seats.filter(ready_by__isnull=False).update(ready_by=None)
    _withdraw_invitations(match)


def _withdraw_invitations(match: Match) -> None:
    """End the invitations, whose rows tell who comes late; pages of the invited check what they may see."""
    asked = list(match.invitations.filter(declined=False).values_list("user_id", flat=True))
    match.invitations.update(declined=True)
    for user_id in asked:
        broadcast.seat_lost(match.pk, user_id)
    broadcast.match_changed(match.pk, match.version, people=asked)


_TABLE = ["version", "status", "ending", "ended_at", "creator", "rematch_of", "joined_at"]


def save_open_match(match: Match, seats: list[Seat], *, by: Person | None = None) -> None:
    """Save an open match whose seats changed, start it if it is full, and update the lobby."""
    match.version += 1
    match.save(update_fields=_TABLE)
    start_if_full(match, seats, by=by)
    broadcast.lobby_changed()
    broadcast.match_changed(match.pk, match.version, people=[s.user_id for s in seats if s.user_id])


def start_if_full(match: Match, seats: list[Seat], *, by: Person | None = None) -> None:
    """Start the match once every seat is taken; notify all but `by`, who filled it.

    In a live match the others are first asked whether they are here (spec: site.md, Matches). TooManyBotMatches.
    """
    if match.status != Match.Status.OPEN or any(seat.is_free for seat in seats):
        return
    if match.pace.is_live and by is not None and not any(seat.ready_by for seat in seats):
        ask_who_is_here(seats, by)
        broadcast.here_asked(match.pk, after=SAY_WITHIN.total_seconds())
    if any(seat.ready_by for seat in seats):
        return
    _refuse_too_many_with_bots(seats)
    playing = MatchTransaction(match, seats)
    importing.begin(playing) if match.sandbox else playing.begin()
    match.status, match.started_at = Match.Status.RUNNING, clock.now()
    _settle_rated(match, seats)
    match.state = match.game.dump(playing.state)
    match.save(update_fields=["status", "started_at", "rated", "limited", "setup_draws", "state", "asks", "prepared"])
    _withdraw_invitations(match)
    if not match.pace.is_live:  # there, all are present
        note(match, Kind.STARTED, [s.user_id for s in seats if s.user_id and (by is None or s.user_id != by.pk)])
    playing.save()


def _refuse_too_many_with_bots(seats: list[Seat]) -> None:
    """Refuse (TooManyBotMatches) a further match of one person against bots; every start comes by here."""
    people = [seat.user_id for seat in seats if seat.is_in]
    if len(people) != 1:
        return
    others = Seat.objects.filter(match=OuterRef("match"), user__isnull=False).exclude(user=OuterRef("user"))
    alone = Seat.objects.filter(~Exists(others), user=people[0], match__status=Match.Status.RUNNING)
    if alone.count() >= settings.BOT_MATCHES_OF_PERSON:
        raise TooManyBotMatches


def _settle_rated(match: Match, seats: list[Seat]) -> None:
    """Settle for good whether a match that starts is rated: with members alone, confirmed, no two too often.

    Bots of members count as those, where the table takes them and none meets its owner or that one's other bots.

    The rows of members, and of their bots' owners, are locked, so that two matches that start at once know of each
    other.
    """
    if not match.rated:
        return
    people = [seat.user_id for seat in seats if seat.is_in and seat.user_id]
    concerned = {*people, *answering(people).values()}
    rows = User.objects.select_for_update(no_key=True, of=("self",)).filter(pk__in=concerned).order_by("pk")
    members = [member for member in rows.select_related("owner") if member.pk in people]
    match.rated = sum(member.is_confirmed for member in members) == len(seats)
    if any(member.is_bot for member in members):
        match.rated = match.rated and match.takes_bots and member_bots.are_apart(people)
    if match.rated and pairs_at_limit(match.game_slug, people):
        match.rated, match.limited = False, True
