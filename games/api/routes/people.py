"""Members: their profile and matches, following and blocking."""

from collections.abc import Callable
from typing import Annotated, Any

from django.db import IntegrityError
from django.http import Http404, HttpRequest
from django.utils.translation import gettext_noop as _
from ninja import Query

from accounts.access import member_of
from accounts.models import Block, Follow, User
from accounts.queries import member_named
from accounts.services import relationships
from games.api.kit import Routes, part_of
from games.api.models import Scope
from games.api.shapes.parts import At, MemberName, OfGame
from games.api.shapes.people import Bond, ProfileShape
from games.api.shapes.table import MatchListed
from games.api.shown import lines
from games.queries import people as reads
from games.rules import games

routes = Routes("people")
MOST = 20
Result = Annotated[str, Query(description=_("won, lost, called-off or voided."), examples=["won"], max_length=20)]
State = Annotated[str, Query(description=_("running or ended."), examples=["ended"], max_length=20)]


def _member(name: str) -> User:
    found = member_named(name)
    if found is None:
        raise Http404
    return found


@routes.reads("/people/{name}", ProfileShape, page="profile", words=_("A member"))
def profile(request: HttpRequest, name: MemberName) -> dict[str, Any]:
    """A member, as their profile shows them."""
    member, me = _member(name), member_of(request)
    is_other, kept = member.pk != me.pk, reads.reliability(member)
    quartiles = reads.reply_quartiles(member)
    return {
        "name": member.username,
        "badge": str(member.badge),
        "since": member.date_joined.date().isoformat(),
        "is_me": not is_other,
        "follows": is_other and Follow.objects.filter(follower=me, followed=member).exists(),
        "blocked": is_other and Block.objects.filter(blocker=me, blocked=member).exists(),
        "reliability": {"kept": kept.kept, "matches": kept.matches} if kept else None,
        "replies": list(quartiles) if quartiles else None,
        "duels": [_duel(one) for one in reads.record_between(me, member)] if is_other else [],
    }


def _duel(one: reads.Duel) -> dict[str, Any]:
    return {"game": one.game_slug, "won": one.won, "lost": one.lost, "tied": one.tied}


@routes.reads(
    "/people/{name}/matches",
    MatchListed,
    page="profile",
    words=_("A member’s matches"),
    more=_("Their matches that you may see, the latest first."),
)
def matches(  # noqa: PLR0917 (ninja reads them by name)
    request: HttpRequest,
    name: MemberName,
    game: OfGame = "",
    result: Result = "",
    state: State = "",
    cursor: At = "",
) -> dict[str, Any]:
    """The matches of a member."""
    wanted = {
        "game_slug": game if game in games() else "",
        "result": result if result in reads.RESULTS else "",
        "state": state if state in reads.STATES else "",
    }
    rows, following = part_of(reads.matches_of(_member(name), member_of(request), **wanted), cursor, MOST)
    return {"items": lines(request, rows), "next": following}


@routes.acts("/people/{name}/follow", None, page="follow", scope=Scope.MESSAGE, words=_("Follow a member"))
def follow(request: HttpRequest, name: MemberName, given: Bond) -> None:
    """Follow a member, or stop following."""
    act = relationships.follow if given.wish else relationships.unfollow
    _bind(request, name, lambda user, other: act(follower=user, followed=other))


@routes.acts("/people/{name}/block", None, page="block", scope=Scope.MESSAGE, words=_("Block a member"))
def block(request: HttpRequest, name: MemberName, given: Bond) -> None:
    """Block a member or guest, or unblock."""
    act = relationships.block if given.wish else relationships.unblock
    _bind(request, name, lambda user, other: act(blocker=user, blocked=other), with_guests=True)


def _bind(request: HttpRequest, name: str, act: Callable[[User, User], None], *, with_guests: bool = False) -> None:
    """Call `act` with the member of exactly this name."""
    other = User.objects.filter(username=name).first()
    if other is None or (other.is_guest and not with_guests):
        raise Http404
    try:
        act(member_of(request), other)
    except (IntegrityError, User.DoesNotExist) as error:
        if User.objects.filter(pk=other.pk).exists():
            raise
        raise Http404 from error  # their account was closed at this moment
