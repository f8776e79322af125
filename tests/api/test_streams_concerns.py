"""What streams tell of clubs, ladders and tournaments: to whom it is, once, and resumable; nothing to others."""

from datetime import timedelta

import pytest

from accounts.models import Block, User
from config.lib import clock
from games.api.streams import live
from games.clubs.services import joining, talking
from games.clubs.services.circles import keeping
from games.competitions import tasks as tournaments
from games.competitions.services import correcting, entering
from games.ladders.services import challenging
from games.models import ChatLine, Club, Match, Muted
from tests.api.streaming import in_thread, stream, token_of
from tests.clubs.arranged import INVITATION, REQUEST, made, said
from tests.competitions.arranged import begun, end_table, now, organiser, people, running_tables
from tests.factories import member, played
from tests.ladders.arranged import challenged, joined

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.both]


@pytest.fixture(autouse=True)
def _soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live, "LOOK_SECONDS", 0.2)


@in_thread
def members(*names: str) -> list[User]:
    return [member(name) for name in names]


async def test_a_club_from_the_invitation_to_its_end() -> None:
    ann, bob, eve = await members("ann", "bob", "eve")
    club = await in_thread(made)(ann, access=INVITATION)
    async with stream(bob) as heard, stream(eve) as stranger, stream(ann) as owner:
        assert (await owner.event("club"))["now"] == {"name": club.name, "me": "in", "role": "owner", "asking": 0}
        await in_thread(joining.invite)(club_id=club.pk, user=ann, name="bob")
        told = await heard.event("club")
        assert (told["about"], told["over"], told["now"]["me"]) == (club.pk, False, "invited")
        await in_thread(joining.join)(club_id=club.pk, user=bob)
        assert (await heard.event("club"))["now"]["role"] == "member"
        await in_thread(joining.leave)(club_id=club.pk, user=bob)
        ended = await heard.event("club")
        assert (ended["over"], ended["now"]) == (True, None)
        await stranger.quiet()


async def test_who_organises_hears_who_asks() -> None:
    ann, bob, cem = await members("ann", "bob", "cem")
    club = await in_thread(made)(ann, bob, access=REQUEST)
    async with stream(ann) as owner, stream(bob) as plain:
        await owner.event("club"), await plain.event("club")
        await in_thread(joining.join)(club_id=club.pk, user=cem)
        assert (await owner.event("club"))["now"]["asking"] == 1
        await plain.quiet()
    await in_thread(Club.objects.update)(access=INVITATION)  # what was asked of is hidden since
    async with stream(cem) as asker:
        assert (await asker.event("club"))["now"] is None


async def test_talk_of_a_club_is_told_to_who_would_read_it() -> None:
    ann, bob, deaf, apart, eve = await members("ann", "bob", "deaf", "apart", "eve")
    club = await in_thread(made)(ann, bob, deaf, apart)
    await in_thread(Muted.objects.create)(user=deaf, person=ann)
    await in_thread(Block.objects.create)(blocker=apart, blocked=ann)
    async with stream(bob) as one, stream(deaf) as other, stream(apart) as third, stream(eve) as stranger:
        for heard in (one, other, third):
            await heard.event("club")
        line = await in_thread(said)(club, ann, "the secret is plums")
        told = await one.event("club_talk")
        assert (told["about"], told["now"]) == (club.pk, {"name": club.name, "unread": True})
        await in_thread(talking.mark_read)(club_id=club.pk, user=bob, last=line.pk)
        read = await one.event("club_talk")
        assert (read["over"], read["now"]["unread"]) == (True, False)
        for heard in (other, third, stranger):
            await heard.quiet()
        await in_thread(ChatLine.objects.filter(pk=line.pk).update)(hidden=True)
        await one.quiet()


async def test_a_circle_and_going_on_after_a_number() -> None:
    ann, bob, cem = await members("ann", "bob", "cem")
    match = await in_thread(played)(ann, bob, cem)
    await in_thread(Match.objects.update)(ended_at=clock.now() - timedelta(hours=2))
    secret = await token_of(bob)
    async with stream(secret) as heard:
        await heard.quiet()
        number = heard.hello["number"]
    circle = await in_thread(keeping.keep_together)(match_id=match.pk, user=ann, name="Friday")
    async with stream(secret, f"after={number}") as heard:
        assert heard.hello["reset"] is False
        told = await heard.event("circle")
        assert (told["about"], told["now"]["me"]) == (circle.pk, "asked")
        number = heard.last
    async with stream(secret, f"after={number}") as heard:
        await heard.quiet()
        await in_thread(keeping.answer)(circle_id=circle.pk, user=bob, accepts=True)
        assert (await heard.event("circle"))["now"]["me"] == "in"
        await in_thread(keeping.leave)(circle_id=circle.pk, user=bob)
        assert (await heard.event("circle"))["over"]


async def test_a_challenge_on_a_ladder() -> None:
    first, second, third = await members("fay", "gil", "hal")
    await in_thread(joined)([first, second, third])
    async with stream(first) as above, stream(second) as below, stream(third) as other:
        made_ = await in_thread(challenged)(second, first)
        told, mine = await above.event("challenge"), await below.event("challenge")
        assert (told["about"], told["now"]["by"], told["now"]["mine"]) == (made_.pk, "gil", False)
        assert mine["now"]["mine"]
        await in_thread(challenging.withdraw)(challenge_id=made_.pk, user=second)
        ended = await above.event("challenge")
        assert (ended["over"], ended["now"]["state"]) == (True, "withdrawn")
        await other.quiet()


async def test_a_tournament_and_a_place_in_it() -> None:
    olga, players, zoe = await in_thread(lambda: (organiser(), people(4), member("zoe")))()
    async with stream(players[0]) as heard, stream(zoe) as asked:
        contest = await in_thread(begun)(olga, players, rounds_wished=2)
        told = await heard.until("tournament")
        while told["now"]["round"] == 0:
            told = await heard.until("tournament")
        assert (told["about"], told["now"]["state"], told["now"]["enters"]) == (contest.pk, "running", True)
        await asked.quiet()
        about = {"tournament_id": contest.pk, "user": olga, "number": 2, "reason": "ill"}
        await in_thread(correcting.replace)(**about, by=zoe)
        assert (await asked.event("place"))["now"]["reason"] == "ill"
        await in_thread(entering.decline_place)(tournament_id=contest.pk, user=zoe)
        assert (await asked.event("place"))["over"]

        @in_thread
        def end_round() -> None:
            for table in running_tables(now(contest)):
                end_table(table)
            tournaments.tend()

        await end_round()
        assert (await heard.until("tournament"))["now"]["round"] == 2
        await end_round()
        over = await heard.until("tournament")
        assert (over["over"], over["now"]["state"]) == (True, "over")
