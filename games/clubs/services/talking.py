"""The chat of a club: what its members write, whom a line mentions, and up to where it was read."""

from django.db import transaction

from accounts.models import User
from accounts.names import skeleton
from accounts.queries import blocked_among
from config.lib import sql
from games.clubs.models import News
from games.clubs.services import notices
from games.clubs.services.refusals import NoClub, NotOfClub
from games.models import ChatLine, Club, Membership, Muted
from games.queries.clubs import members_of, membership
from games.services import hooks
from games.services.chat.lines import called_in, check_known, checked

MOST_CALLED = 20  # by one line


def say(*, club: Club, user: User, text: str) -> ChatLine:
    """Write a line into the chat of one's club; who is mentioned is mailed.

    Invalid, NoClub, NotOfClub, CannotWrite; User.DoesNotExist when the account was closed at this moment.
    """
    text = checked(text)
    check_writer(club, user)
    with transaction.atomic():
        if not sql.kept(Club, [club.pk]):
            raise NoClub
        if not sql.kept(User, [user.pk]):
            raise User.DoesNotExist
        line = ChatLine.objects.create(club=club, channel=ChatLine.Channel.CLUB, user=user, text=text)
        called = {row.user_id for row in called_among(club, text)} - {user.pk}
        deaf = Muted.objects.filter(person=user, user_id__in=called).values_list("user_id", flat=True)
        notices.note(club, News.Kind.MENTIONED, called - set(deaf) - blocked_among(user.pk, called), by=user, line=line)
        mark_read(club_id=club.pk, user=user, last=line.pk)  # who writes has read
    return line


def check_writer(club: Club, user: User) -> None:
    """Refuse whoever does not belong to the club (NotOfClub), the unconfirmed and the muted (CannotWrite)."""
    found = membership(club.pk, user)
    if found is None or not found.is_in:
        raise NotOfClub
    check_known(user)
    hooks.check_writing(None, user)


def called_among(club: Club, text: str) -> list[Membership]:
    """Return who of a club is called by a text, at most so many, with their names."""
    called = called_in(text)
    if not called:
        return []
    alike = members_of(club).filter(user__skeleton__in={skeleton(name) for name in called}).select_related("user")
    found = [row for row in alike.order_by("pk") if row.user.username.casefold() in called]
    return found[:MOST_CALLED]


def mark_read(*, club_id: int, user: User, last: int) -> None:
    """Mark a club's chat as read up to a line of it; what was read is not mailed any more."""
    if not ChatLine.objects.filter(pk=last, club=club_id).exists():
        return
    Membership.objects.filter(club=club_id, user=user, state=Membership.State.IN, seen__lt=last).update(seen=last)
    News.objects.filter(club=club_id, user=user, kind=News.Kind.MENTIONED, line__lte=last).delete()
