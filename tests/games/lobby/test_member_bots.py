"""Bots of members at tables: which take them, what is rated, how many matches they have at once."""

import pytest

from games.clubs.services import joining, making
from games.competitions.services.entering import refuse
from games.ladders.services import standing
from games.models import Match, Seat, StandingChallenge
from games.queries import play
from games.queries.challenges import standing as challenges_for
from games.queries.people import ended_matches, reliability
from games.services import hooks
from games.services.lobby import challenges, lessons, member_bots, opening
from games.services.lobby.joining import why_not
from games.services.lobby.member_bots import BotBusy, NoBots, OwnBots
from games.services.play import returning
from games.services.refusals import (
    BotsCannot,
    NotAsked,
    Refused,
    TooManyTables,
)
from tests.factories import bot_of, browser_of, end, fresh, member, opened, rated, seated
from tests.games.play.at_once import meanwhile

OFFER = {"game_slug": "yum-extra", "size": 2, "pace": "3d", "most": 3, "options": {}}


@pytest.fixture
def bot(ann):
    return bot_of(ann)


def sit(table: Match, person) -> Match:
    return opening.join(match_id=table.pk, user=person, token=table.token)


# ——— Refusals


@pytest.mark.parametrize("access", ["open", "link"])
def test_no_table_takes_them_unless_it_says_so(bob, bot, access):
    table = opened(bob, access=access)
    with pytest.raises(NoBots):
        sit(table, bot)
    assert why_not(table, bot, ())
    assert table.seats.filter(user__isnull=False).count() == 1


def test_nor_asks_them(bob, bot):
    with pytest.raises(NotAsked, match="is a bot"):
        opened(bob, access="invitation", invited=[bot])
    table = opened(bob)
    with pytest.raises(NotAsked):
        opening.invite(match_id=table.pk, user=bob, guests=[bot])
    assert not table.invitations.exists()


def test_an_invited_bot_comes_if_bots_are_taken(bob, bot):
    table = opened(bob, access="invitation", invited=[bot], takes_bots=True)
    assert play.is_invited(table, bot)
    sit(table, bot)
    assert table.seats.filter(user=bot).exists()


def test_they_invite_nobody(ann, bob, bot):
    with pytest.raises(BotsCannot):
        opened(bot, invited=[bob])
    table = opened(bot)
    with pytest.raises(BotsCannot):
        opening.invite(match_id=table.pk, user=bot, guests=[bob])
    match = seated(bot, bob)
    Match.objects.filter(pk=match.pk).update(status="ended", ended_at=match.created_at)
    with pytest.raises(BotsCannot):
        opening.rematch(match_id=match.pk, user=bot)


def test_their_own_tables_take_bots(bob, bot):
    table = opened(bot)
    assert table.takes_bots
    sit(table, bot_of(bob, "other"))


@pytest.mark.parametrize(
    "deed",
    [
        lambda bot: challenges.offer(member=bot, rated=False, **OFFER),
        lambda bot: standing.join(game_slug="yum-extra", user=bot, at_once=1),
        lambda bot: making.make(user=bot, name="Bots", words="", access="open"),
        lambda bot: refuse(None, bot),
        lambda bot: returning.take_over(match_id=0, user=bot),
        lambda bot: lessons.start_lesson(user=bot, game_slug="yum-extra", pace="3d"),
        hooks.check_taking_part,
        lambda bot: member_bots.check_program(bot, "club-join"),
    ],
)
def test_nothing_of_people(bot, deed):
    with pytest.raises(BotsCannot):
        deed(bot)


def test_clubs_ask_no_bots(bob, bot):
    club = making.make(user=bob, name="People", words="", access="open")
    with pytest.raises(NotAsked):
        joining.invite(club_id=club.pk, user=bob, name=bot.username)


def test_a_standing_challenge_says_whether_bots_accept(ann, bob, bot):
    offered = challenges.offer(member=bob, rated=False, **OFFER)
    assert challenges_for(bot) == []
    with pytest.raises(NoBots):
        challenges.accept(challenge_id=offered.pk, user=bot)
    challenges.offer(member=bob, rated=False, takes_bots=True, **OFFER)
    assert challenges_for(bot) == [offered]
    match = challenges.accept(challenge_id=offered.pk, user=bot)
    assert fresh(match).status == "running" and match.takes_bots


def test_the_lobby_of_a_bot_has_what_it_may_join(bob, bot):
    opened(bob)
    table = opened(bob, takes_bots=True)
    assert list(play.open_tables(bot)) == [table]
    assert play.open_tables(bob).count() == 2


# ——— Rated


def test_a_table_that_takes_bots_is_rated_with_them(ann, bob, bot):
    match = rated(bob, bot, takes_bots=True)
    assert match.rated


def test_nobody_meets_their_own_at_a_rated_table(ann, bob, bot):
    for first, second in ((ann, bot), (bot, ann), (bot, bot_of(ann, "other"))):
        table = opened(first, rated=True, takes_bots=True, size=2)
        with pytest.raises(OwnBots):
            sit(table, second)
        casual = seated(first, second, takes_bots=True)
        assert casual.status == "running" and not casual.rated


def test_nobody_asks_their_own_to_a_rated_table(ann, bob, bot):
    with pytest.raises(NotAsked, match="your own bot"):
        opened(ann, rated=True, takes_bots=True, invited=[bot])
    assert play.is_invited(opened(ann, takes_bots=True, invited=[bot]), bot)
    assert play.is_invited(opened(bob, rated=True, takes_bots=True, invited=[bot]), bot)


def test_ones_own_bot_is_asked_as_often_as_one_likes(ann, bot):
    for _time in range(2):
        opened(ann, takes_bots=True, invited=[bot])
    assert bot.invitations.count() == 2


def test_a_challenge_of_ones_own_bot_is_casual_at_first(ann, bob, bot):
    rated_at_first = [
        browser_of(person).get("/play/new/?invited=eager-bot").context["form"].initial["rated"] for person in (ann, bob)
    ]
    assert rated_at_first == ["", "rated"]


def test_what_slipped_through_is_casual(ann, bob, bot, monkeypatch):
    monkeypatch.setattr(member_bots, "refuse_unfit", lambda *_about: None)
    assert not seated(ann, bot, rated=True, takes_bots=True).rated
    assert not seated(bob, bot, rated=True).rated


def test_the_bot_of_an_unconfirmed_owner_is_not_rated(ann, bob, bot):
    ann.email = ""
    ann.save()
    bot.refresh_from_db()
    table = opened(bob, rated=True, takes_bots=True, size=2)
    with pytest.raises(Refused, match="confirmed"):
        sit(table, bot)


# ——— How many


def test_a_bot_has_its_limit(ann, bob, bot, monkeypatch):
    monkeypatch.setattr(member_bots, "MOST_AT_ONCE", 2)
    seated(bob, bot, takes_bots=True)
    sit(opened(bob, takes_bots=True), bot)
    table = opened(bob, takes_bots=True)
    for deed in (lambda: sit(table, bot), lambda: opened(bot), lambda: opened(bot, size=2, bots=["easy"])):
        with pytest.raises(BotBusy):
            deed()
    sit(table, bot_of(ann, "other"))  # another one of theirs
    Match.objects.update(status="ended", ended_at=table.created_at)
    sit(opened(bob, takes_bots=True), bot)


def test_and_so_have_all_of_an_owner(ann, bob, bot, monkeypatch):
    monkeypatch.setattr(member_bots, "MOST_OF_OWNER", 1)
    sit(opened(bob, takes_bots=True), bot)
    with pytest.raises(BotBusy):
        sit(opened(bob, takes_bots=True), bot_of(ann, "other"))
    sit(opened(ann), bob)  # people have no such limit


def test_few_open_tables(bot, monkeypatch):
    monkeypatch.setattr(member_bots, "MOST_OPEN", 1)
    opened(bot)
    with pytest.raises(TooManyTables):
        opened(bot)


@pytest.mark.outgrown
@pytest.mark.django_db(transaction=True)
def test_two_at_once_at_the_limit_are_one(monkeypatch):
    monkeypatch.setattr(member_bots, "MOST_AT_ONCE", 1)
    ann, bob = member("ann"), member("bob")
    bot = bot_of(ann)
    tables = [opened(bob, takes_bots=True) for _ in range(2)]
    with meanwhile(lambda: sit(tables[0], bot)), pytest.raises(BotBusy):
        sit(tables[1], bot)
    assert Seat.objects.filter(user=bot).count() == 1


@pytest.mark.outgrown
@pytest.mark.django_db(transaction=True)
def test_two_bots_of_one_owner_at_once_at_their_limit(monkeypatch):
    monkeypatch.setattr(member_bots, "MOST_OF_OWNER", 1)
    ann, bob = member("ann"), member("bob")
    bots = [bot_of(ann), bot_of(ann, "other")]
    tables = [opened(bob, takes_bots=True) for _ in range(2)]
    with meanwhile(lambda: sit(tables[0], bots[0])), pytest.raises(BotBusy):
        sit(tables[1], bots[1])
    assert Seat.objects.filter(user__owner=ann).count() == 1


@pytest.mark.outgrown
@pytest.mark.django_db(transaction=True)
def test_two_of_one_owner_come_to_one_rated_table_at_once():
    ann, bob = member("ann"), member("bob")
    bots = [bot_of(ann), bot_of(ann, "other")]
    table = opened(bob, size=3, rated=True, takes_bots=True)
    with meanwhile(lambda: sit(table, bots[0])), pytest.raises(OwnBots):
        sit(table, bots[1])


def test_matches_against_bots_alone_prove_nothing(ann, bob, bot):
    end(seated(ann, bot, takes_bots=True), [1, 2])
    assert ended_matches(ann) == 0 and reliability(ann) is None
    end(seated(ann, bob, bot, takes_bots=True), [1, 2, 3])
    assert ended_matches(ann) == 1 and reliability(ann).matches == 1
    assert ended_matches(bot) == 2


# ——— What is shown


def test_whose_bot_it_is_stands_at_its_name(bob, bot):
    match = seated(bob, bot, takes_bots=True)
    seat = play.seats_of(match)[1]
    assert str(seat.badge) == "Bot of ann"
    for address in (f"/matches/{match.pk}/", f"/people/{bot.username}/"):
        assert "Bot of ann" in browser_of(bob).get(address).content.decode()


def test_the_forms(ann, bob):
    browser = browser_of(bob)
    form = {"game": "yum-extra", "size": "3", "access": "open", "pace": "3d", "option_scratch": "forced"}
    browser.post("/play/new/", form | {"takes_bots": "on"})
    assert Match.objects.get().takes_bots
    assert "takes bots of members" in browser_of(ann).get("/play/").content.decode()
    browser.post("/play/standing/", {"game": "yum-extra", "pace": "3d", "most": "2", "takes_bots": "on"})
    assert StandingChallenge.objects.get().takes_bots


def test_nobody_is_offered_to_block_their_own(ann, bob, bot):
    assert 'id="block"' not in browser_of(ann).get("/people/eager-bot/").content.decode()
    assert 'id="block"' in browser_of(bob).get("/people/eager-bot/").content.decode()
