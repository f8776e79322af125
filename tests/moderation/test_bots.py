"""Blocks and sanctions of a bot's owner hold for the bot; a report of a bot is one of its owner."""

from datetime import timedelta

import pytest

from accounts.models import User
from accounts.services import relationships
from config.lib import clock
from games.api.services import bots
from games.models import Match
from games.moderation import members, removal
from games.moderation.models import Report, Sanction
from games.moderation.reports import report
from games.services import hooks
from games.services.lobby import opening
from games.services.refusals import BlockedByOther, CannotWrite, HasBlocked, Invalid
from tests.factories import WHY, bot_of, browser_of, committed, moderator, opened, prove, seated


@pytest.fixture
def bot(ann):
    return bot_of(ann)


def sit(table: Match, person) -> Match:
    return opening.join(match_id=table.pk, user=person)


def test_blocks_of_the_owner_keep_the_bot_away(ann, bob, bot):
    relationships.block(blocker=bob, blocked=ann)
    with pytest.raises(BlockedByOther):
        sit(opened(bob, takes_bots=True), bot)
    with pytest.raises((HasBlocked, Invalid)):
        opened(bob, access="invitation", invited=[bot], takes_bots=True)


def test_a_block_makes_the_bot_get_up(ann, bob, bot):
    table = opened(bob, takes_bots=True)
    sit(table, bot)
    relationships.block(blocker=bob, blocked=ann)
    assert not table.seats.filter(user=bot).exists()


def test_a_suspended_owners_bots_begin_nothing(ann, bob, bot):
    running = seated(bob, bot, takes_bots=True)
    table = opened(bob, takes_bots=True)
    sit(table, bot)
    until = clock.now() + timedelta(days=3)
    committed(members.suspend, moderator=moderator(), member=ann, reason=WHY, until=until)
    assert not table.seats.filter(user=bot).exists()
    assert running.seats.get(user=bot).is_in
    with pytest.raises(CannotWrite):
        sit(opened(bob, takes_bots=True), bot)
    with pytest.raises(CannotWrite):
        hooks.check_writing(running, bot)


def test_a_banned_owners_bots_stop(ann, bob, bot):
    match = seated(bob, bot, takes_bots=True)
    mo = moderator()
    committed(members.ban, moderator=mo, member=ann, reason=WHY)
    bot.refresh_from_db()
    assert not bot.is_active and match.seats.get(number=1).bot
    committed(members.lift, moderator=mo, member=ann, reason=WHY)
    bot.refresh_from_db()
    assert bot.is_active


def test_a_stopped_bot_makes_no_room_for_another(ann, bot):
    """Else whoever's bot was stopped had it back within a minute, under its own name."""
    mo = moderator()
    committed(members.ban, moderator=mo, member=bot, reason=WHY)
    with pytest.raises(Invalid, match="stopped by a moderator"):
        bots.close(owner=ann, bot_id=bot.pk)
    page = browser_of(ann)
    prove(page)
    assert 'value="close"' not in page.get("/settings/bots/").content.decode()
    for name in ("brave", "calm"):
        bot_of(ann, name)
    with pytest.raises(Invalid, match="as many bots"):
        bots.make(owner=ann, name="daring")
    committed(members.lift, moderator=mo, member=bot, reason=WHY)
    bots.close(owner=ann, bot_id=bot.pk)
    assert not User.objects.filter(pk=bot.pk, is_active=True).exists()


def test_a_stopped_bot_stays_so_when_its_owner_comes_back(ann, bob, bot):
    mo = moderator()
    committed(members.ban, moderator=mo, member=bot, reason=WHY)
    ann.refresh_from_db()
    assert ann.is_active
    committed(members.ban, moderator=mo, member=ann, reason=WHY)
    committed(members.lift, moderator=mo, member=ann, reason=WHY)
    bot.refresh_from_db()
    assert not bot.is_active


def test_a_bot_does_not_come_back_before_its_owner(ann, bot):
    mo = moderator()
    for one in (bot, ann):
        committed(members.ban, moderator=mo, member=one, reason=WHY)
    bot.refresh_from_db()
    committed(members.lift, moderator=mo, member=bot, reason=WHY)
    bot.refresh_from_db()
    assert not bot.is_active
    committed(members.lift, moderator=mo, member=ann, reason=WHY)
    bot.refresh_from_db()
    assert bot.is_active


def test_what_slipped_through_a_sanction_is_swept(ann, bob, bot):
    table = opened(bob, takes_bots=True)
    sit(table, bot)
    Sanction.objects.create(member=ann, kind=Sanction.Kind.SUSPENSION, reason=WHY)
    assert removal.finish_bans() == 1
    assert not table.seats.filter(user=bot).exists()
    assert removal.finish_bans() == 0


def test_moderators_leave_their_own_bots_to_others(db):
    mo = moderator()
    with pytest.raises(members.Staff):
        members.warn(moderator=mo, member=bot_of(mo), reason=WHY)


def test_a_report_of_a_bot_is_of_its_owner(ann, bob, bot):
    with pytest.raises(Invalid):
        report(reporter=ann, member=bot, reason="stalling", words="")
    made = report(reporter=bob, member=bot, reason="stalling", words="")
    assert (made.member, made.bot) == (ann, bot)
    assert report(reporter=bob, member=bot, reason="spam", words="") == made
    assert report(reporter=bob, member=ann, reason="spam", words="") != made
    assert Report.objects.filter(member=ann).count() == 2


def test_a_bots_new_name_keeps_its_mark(ann, bot):
    members.rename(moderator=moderator(), member=bot, reason=WHY, name="Calm")
    assert bot.username == "Calm-bot"
