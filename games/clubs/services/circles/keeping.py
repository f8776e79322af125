"""Circles of friends: made after a match, accepted, declined, left, named (spec: clubs.md, Circles of friends)."""

from collections.abc import Iterable

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.queries import blocked_among
from config.lib import clock, sql
from config.lib.texts import one_line
from games import broadcast
from games.clubs import circles
from games.clubs.models import LONGEST_CIRCLE_NAME, Circle, CircleMember, CircleNews
from games.clubs.services.circles.locking import lock
from games.clubs.services.circles.refusals import CircleGone, NobodyToAsk, NotOfCircle, TooManyCircles
from games.models import Invitation, Match, Seat
from games.services.hooks import barred_among, check_taking_part, check_writing
from games.services.lobby import inviting
from games.services.refusals import Invalid, NotEnded, NotYourSeat, Unconfirmed

MOST_CIRCLES = 20  # of a member
FEWEST = 2


def others_of(match_id: int, user: User) -> list[User]:
    """Return who sat in a match with this member and can be asked into a circle: members, nobody kept apart."""
    seats = Seat.objects.filter(match=match_id, user__isnull=False).select_related("user").order_by("number")
    people = [seat.user for seat in seats if seat.user is not None and seat.user_id != user.pk]
    numbers = [one.pk for one in people]
    gone = blocked_among(user.pk, numbers) | barred_among(numbers)
    return [
        one
        for one in people
        if one.pk not in gone
        and one.is_active
        and not (one.is_guest or one.is_bot)
        and not inviting.unwished(user, one)
    ]


def keep_together(*, match_id: int, user: User, name: str) -> Circle:
    """Make a circle of who sat in an ended match, each of whom is asked; return the one made of it before, if any.

    NotYourSeat, NotEnded, Unconfirmed, NobodyToAsk, TooManyCircles, Invalid, or what a sanction says.
    """
    check_taking_part(user)
    check_writing(None, user)
    called = _checked(name)
    if not user.is_confirmed:
        raise Unconfirmed(_("Confirm your e-mail address to keep a circle together."))
    match = Match.objects.filter(pk=match_id).first()
    if match is None or not Seat.objects.filter(match=match, user=user).exists():
        raise NotYourSeat
    if match.status != Match.Status.ENDED:
        raise NotEnded(_("A circle is made when the match has ended."))
    with transaction.atomic():
        User.objects.select_for_update(no_key=True).get(pk=user.pk)  # who makes two at once is counted
        before = circles.of(user).filter(match=match, maker=user).first()
        if before is not None:
            return before
        _refuse_many(user)
        others = others_of(match.pk, user)
        there = sql.kept(User, [one.pk for one in others])
        if not there:
            raise NobodyToAsk
        circle = Circle.objects.create(
            name=called,
            maker=user,
            match=match,
            game_slug=match.game_slug,
            options=match.options,
            size=match.size,
            pace_slug=match.pace_slug,
            rated=match.rated,
        )
        CircleMember.objects.create(circle=circle, user=user, accepted=True)
        asked = [one for one in others if one.pk in there]
        CircleMember.objects.bulk_create(CircleMember(circle=circle, user=one) for one in asked)
        CircleNews.objects.bulk_create(CircleNews(circle=circle, user=one, kind=CircleNews.Kind.ASKED) for one in asked)
        broadcast.clubs_waiting()
    return circle


def _checked(name: str) -> str:
    called = one_line(name)
    if not called or len(called) > LONGEST_CIRCLE_NAME:
        raise Invalid(_("Give the circle a name of at most %(most)d characters.") % {"most": LONGEST_CIRCLE_NAME})
    return called


def _refuse_many(user: User) -> None:
    if circles.of(user).count() >= MOST_CIRCLES:
        raise TooManyCircles


def answer(*, circle_id: int, user: User, accepts: bool) -> None:
    """Accept or decline being of a circle; twice is once. CircleGone, TooManyCircles, or what a sanction says."""
    if accepts:
        check_taking_part(user)
    with transaction.atomic():
        circle = lock(circle_id)
        row = circles.row_of(circle, user)
        if row is None:
            raise CircleGone
        if row.accepted:
            return
        CircleNews.objects.filter(circle=circle, user=user, kind=CircleNews.Kind.ASKED).delete()
        if not accepts:
            _take_out(circle, [row])
            return
        _refuse_many(user)
        row.accepted, row.since = True, clock.now()
        row.save(update_fields=["accepted", "since"])


def leave(*, circle_id: int, user: User) -> None:
    """Leave a circle; one of whom fewer than two remain is gone. NotOfCircle."""
    with transaction.atomic():
        circle = lock(circle_id)
        row = circles.row_of(circle, user)
        if row is None:
            raise NotOfCircle
        _take_out(circle, [row])


def rename(*, circle_id: int, user: User, name: str) -> None:
    """Give a circle another name. NotOfCircle, Invalid, or what a sanction says."""
    check_writing(None, user)
    called = _checked(name)
    with transaction.atomic():
        circle = own(circle_id, user)
        circle.name = called
        circle.save(update_fields=["name"])


def own(circle_id: int, user: User) -> Circle:
    """Return the locked circle to which a member belongs. CircleGone, NotOfCircle."""
    circle = lock(circle_id)
    row = circles.row_of(circle, user)
    if row is None or not row.accepted:
        raise NotOfCircle
    return circle


def _take_out(circle: Circle, rows: Iterable[CircleMember]) -> None:
    """Take somebody out of a locked circle, with what invites them to its open table; end it if one remains."""
    people = [row.user_id for row in rows]
    CircleMember.objects.filter(circle=circle, user__in=people).delete()
    CircleNews.objects.filter(circle=circle, user__in=people).delete()
    waiting = Invitation.objects.filter(
        user__in=people, match__circle_table__circle=circle, match__status=Match.Status.OPEN
    )
    for match_id, user_id in list(waiting.values_list("match_id", "user_id")):
        Invitation.objects.filter(match=match_id, user=user_id).delete()
        broadcast.seat_lost(match_id, user_id)
    if CircleMember.objects.filter(circle=circle).count() < FEWEST:
        circle.delete()


def leave_shared(blocker: User, blocked: User) -> None:
    """Take whoever blocks another out of the circles of both; a hook of accounts (ON_BLOCK)."""
    theirs = CircleMember.objects.filter(user=blocked).order_by().values("circle")
    both = CircleMember.objects.filter(user=blocker, circle__in=theirs).order_by("circle")
    for circle_id in list(both.values_list("circle", flat=True)):
        circle = Circle.objects.select_for_update(no_key=True, of=("self",)).filter(pk=circle_id).first()
        row = circles.row_of(circle, blocker) if circle is not None else None
        if circle is not None and row is not None:
            _take_out(circle, [row])
