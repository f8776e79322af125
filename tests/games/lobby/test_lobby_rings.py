"""Open lobbies are rung by whatever changes what they show: tables, challenges, whose they are."""

from datetime import timedelta

import pytest

from accounts.models import User
from accounts.services import membership
from accounts.services.closing import close_account
from config.lib import clock as site_clock
from games.models import Match
from games.moderation import matches, members
from games.services.lobby import challenges
from tests.factories import WHY, end, fresh, member
from tests.games.lobby.test_challenges import accepted, offered
from tests.games.play.test_consumer import hears, in_thread, opened_page, page

pytestmark = pytest.mark.django_db(transaction=True)


def ended(_ann: User, match: Match) -> None:
    end(fresh(match), [1, 2])


def set_aside(_ann: User, match: Match) -> None:
    matches.end_match(moderator=member("mod", is_staff=True), match=match, reason=WHY)


def closed(ann: User, _match: Match) -> None:
    close_account(user_id=ann.pk)


def banned(ann: User, _match: Match) -> None:
    members.ban(moderator=member("mod", is_staff=True), member=ann, reason=WHY)


def suspended(ann: User, _match: Match) -> None:
    members.suspend(
        moderator=member("mod", is_staff=True), member=ann, reason=WHY, until=site_clock.now() + timedelta(days=7)
    )


def renamed(ann: User, _match: Match) -> None:
    members.rename(moderator=member("mod", is_staff=True), member=ann, reason=WHY, name="anna")


def unwilling(ann: User, _match: Match) -> None:
    membership.change_times(user_id=ann.pk, invitations_from="none")


def paused(ann: User, match: Match) -> None:
    challenges.pause(challenge_id=match.challenge_id, member=ann, paused=True)


def withdrawn(ann: User, match: Match) -> None:
    challenges.withdraw(challenge_id=match.challenge_id, member=ann)


@pytest.mark.parametrize("act", [ended, set_aside, closed, banned, suspended, renamed, unwilling, paused, withdrawn])
async def test_what_a_challenge_makes(act, clock):
    ann, bob = await in_thread(member)("ann"), await in_thread(member)("bob")
    challenge = await in_thread(offered)(ann, most=1)
    match = await in_thread(accepted)(challenge, bob)
    async with page("lobby=1") as socket:
        await opened_page(socket)
        await socket.send_to('{"beat": true}')
        await hears(socket)
        await in_thread(act)(ann, match)
        assert await hears(socket) == {"lobby": True}
