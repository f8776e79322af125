"""What happens to a person's matches when a guest becomes a member, or an account is closed."""

from functools import partial

from django.db import transaction
from django.db.models import F, Q

from accounts.models import User
from accounts.queries import blocked_ids
from config.lib.giving_way import lock_at_once
from games import broadcast
from games.models import Invitation, Match, Puzzle, PuzzleAnswer, Seat, StandingChallenge
from games.services.lobby import challenges, closing
from games.services.play.forfeit import BOT_AFTER_CLOSING, forfeit
from games.services.play.locking import lock_match


def transfer_matches(guest: User, member: User) -> None:
    """Give a guest's matches to a member at log-in (ON_GUEST_JOINS); invitations of either to a table of both end.

    Nobody sits twice: where both do the guest's seat goes to a bot, or is free again if the match has not begun.
    From open tables at which somebody is kept apart from the member by a block they get up. GiveWay.
    """
    lock_matches(guest)
    for match_id in _not_for(guest, member):
        _hand_on_seat(match_id, guest)
    seated = Seat.objects.filter(user=guest).values("match_id")
    Invitation.objects.filter(user=member, match__in=seated, match__status=Match.Status.OPEN).delete()
    Seat.objects.filter(user=guest).update(user=member)
    Match.objects.filter(creator=guest).update(creator=member)
    asked = Invitation.objects.filter(user=guest).exclude(match__seats__user=member)
    asked.exclude(match__invitations__user=member).update(user=member)
    _transfer_answers(guest, member)
    show_names(member)


def _transfer_answers(guest: User, member: User) -> None:
    """Make the member's what the guest answered to puzzles, but those that the member answered: they may just do so."""
    given = PuzzleAnswer.objects.filter(user=guest)
    list(Puzzle.objects.select_for_update(no_key=True).filter(pk__in=given.values("puzzle")).order_by("pk"))
    answered = list(PuzzleAnswer.objects.filter(user=member).values_list("puzzle", flat=True))
    given.exclude(puzzle__in=answered).update(user=member)


def _not_for(guest: User, member: User) -> list[int]:
    """Return the matches of the guest that cannot become the member's."""
    own = Seat.objects.filter(user=guest)
    both = own.filter(match__seats__user=member)
    apart = own.filter(blocked_ids(member.pk, "match__seats__user_id"), match__status=Match.Status.OPEN)
    return sorted({*both.values_list("match_id", flat=True), *apart.values_list("match_id", flat=True)})


def show_names(user: User) -> None:
    """Let open pages, and what is cached of them, show the person's new name or badge, after commit."""
    challenges.show_anew(user)
    transaction.on_commit(partial(_show_names, user), robust=True)


def _show_names(user: User) -> None:
    """Give each match a new version, in a transaction of its own: moves lock the match first, then people."""
    theirs = Match.objects.filter(seats__user=user).exclude(status=Match.Status.ENDED).order_by("pk")
    for match_id in list(theirs.values_list("pk", flat=True)):
        with transaction.atomic():
            version = Match.objects.select_for_update(no_key=True).values_list("version", flat=True).get(pk=match_id)
            Match.objects.filter(pk=match_id).update(version=version + 1)
            broadcast.match_changed(match_id, version + 1)


def lock_matches(user: User) -> None:
    """Lock all matches in which the person sits or to which they are asked, and their challenges, first. GiveWay.

    A hook (ON_ACCOUNT_CLOSING), of a transaction that holds the person's row.
    """
    concerned = Q(pk__in=Seat.objects.filter(user=user).order_by().values("match_id"))
    concerned |= Q(pk__in=Invitation.objects.filter(user=user, declined=False).values("match_id"))
    concerned |= Q(challenge__in=StandingChallenge.objects.filter(member=user))  # which lose it
    lock_at_once(StandingChallenge.objects.filter(member=user).order_by("pk"), to_delete=True)
    lock_at_once(Match.objects.filter(concerned).order_by("pk"))


def hand_over_seats(user: User) -> None:
    """Give the person's running seats to bots, leave their open tables, anonymise the rest.

    A hook (ON_ACCOUNT_CLOSING), when their matches are locked. Others' ratings are not affected: a match that ends
    by this counts among those who stay.
    """
    seats = Seat.objects.filter(user=user)
    numbers = list(seats.order_by("match_id").values_list("match_id", flat=True))
    asked = list(Invitation.objects.filter(user=user, declined=False).values_list("match_id", flat=True))
    challenges.show_anew(user)
    StandingChallenge.objects.filter(member=user).delete()
    for match_id in asked:
        closing.decline(match_id=match_id, user=user)
    for match_id in numbers:
        _hand_on_seat(match_id, user)


def _hand_on_seat(match_id: int, user: User) -> None:
    match, seats = lock_match(match_id)
    seat = next((seat for seat in seats if seat.user_id == user.pk), None)
    if seat is None:
        return
    if match.status == Match.Status.OPEN:
        closing.leave(match_id=match_id, user=user)
        return
    plays = match.status == Match.Status.RUNNING and seat.is_in
    _anonymise(seat)
    if plays:
        broadcast.seat_lost(match.pk, user.pk)
        forfeit(match, seats, seat, bot=BOT_AFTER_CLOSING, ending=Match.Ending.RESIGNED)
    else:  # a new version, so that no cached table shows the name
        Match.objects.filter(pk=match.pk).update(version=F("version") + 1)
        broadcast.match_changed(match.pk, match.version + 1)


def _anonymise(seat: Seat) -> None:
    seat.user, seat.username = None, None
    seat.former, seat.notes, seat.orders = True, "", {}
    seat.save(update_fields=["user", "former", "notes", "orders"])
