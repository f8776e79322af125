"""Bots of members: what makes one, that nobody logs in as one, and that it goes with its owner."""

import json
from contextlib import suppress

import pytest
from django.contrib.auth import authenticate
from django.db import IntegrityError, transaction
from django.test import Client

from accounts import queries
from accounts.models import Block, User
from accounts.services import bots, closing, relationships
from accounts.services.data_export import file_of
from accounts.services.membership import NameTaken
from config.lib.sql import kept
from games.api.models import ApiToken
from games.api.services import tokens
from games.services.lobby import opening
from tests.factories import bot_of, browser_of, confirmed_member, fresh, guest, member, opened, prove, seated
from tests.games.play.at_once import meanwhile


@pytest.mark.parametrize("name", ["a b", "x" * 21, "admin", "mod", "Клаrа", "-", ""])
def test_no_name_that_a_member_could_not_have(ann, name):
    with pytest.raises(bots.NoBot):
        bots.make(owner=ann, name=name)
    assert not ann.bots.exists()


def test_nor_one_that_is_taken_or_looks_so(ann, bob):
    bot_of(ann, "Eager")
    member("swiftbot")
    for name in ("eager", "EAGER", "swift"):
        with pytest.raises(NameTaken):
            bots.make(owner=bob, name=name)


def test_nobody_else_has_its_mark(client, db):
    answer = client.post("/accounts/signup/", {"username": "eager-bot", "email": "e@example.org"})
    assert "reserved" in answer.content.decode()


def test_not_for_guests_the_unconfirmed_bots_or_the_banned(ann, db):
    closed = member("cleo", is_active=False)
    for person in (guest(), confirmed_member("dan", "dan@example.org", confirmed=False), bot_of(ann), closed):
        with pytest.raises(bots.NoBot):
            bots.make(owner=person, name="another")


def test_only_a_few(ann):
    for number in range(bots.MOST):
        bot_of(ann, f"eager{number}")
    with pytest.raises(bots.NoBot):
        bots.make(owner=ann, name="further")
    assert ann.bots.count() == bots.MOST


@pytest.mark.outgrown
@pytest.mark.django_db(transaction=True)
def test_two_made_at_once_are_none_too_many(monkeypatch):
    monkeypatch.setattr(bots, "MOST", 1)
    ann = member("ann")
    with meanwhile(lambda: bot_of(ann, "first")), pytest.raises(bots.NoBot):
        bots.make(owner=ann, name="second")
    assert [bot.username for bot in ann.bots.all()] == ["first-bot"]


@pytest.mark.outgrown
@pytest.mark.django_db(transaction=True)
def test_a_block_of_the_same_moment_is_not_missed():
    ann, bob = member("ann"), member("bob")
    with meanwhile(lambda: relationships.block(blocker=bob, blocked=ann)):
        bot = bot_of(ann)
    with meanwhile(lambda: bot_of(bob, "other")):
        relationships.unblock(blocker=bob, blocked=ann)
    assert not Block.objects.filter(blocked=bot).exists()
    assert not Block.objects.exists()
    with meanwhile(lambda: bot_of(ann, "later")):
        relationships.block(blocker=bob, blocked=ann)
    assert Block.objects.filter(blocked__owner=ann).count() == 2 * 2


def test_nobody_logs_in_as_one(ann):
    bot = bot_of(ann)
    assert not bot.has_usable_password() and bot.email == ""
    for password in ("", "!", bot.password):
        assert authenticate(None, username=bot.username, password=password) is None
    browser = Client()
    browser.force_login(bot, backend="accounts.backends.QuickBackend")  # as if a session had come about
    assert browser.get("/settings/").status_code == 302
    answer = Client().post("/accounts/login/", {"login": bot.username, "password": bot.password})
    assert answer.status_code == 200 and "_auth_user_id" not in Client().session


def test_it_has_neither_address_nor_rights(ann):
    bot = bot_of(ann)
    for about in ({"email": "bot@example.org"}, {"is_staff": True}, {"is_superuser": True}, {"is_guest": True}):
        with pytest.raises(IntegrityError), transaction.atomic():
            User.objects.filter(pk=bot.pk).update(**about)


def test_it_is_as_confirmed_as_its_owner(ann):
    bot = bot_of(ann)
    assert bot.is_confirmed and str(bot.badge) == "Bot of Ann"
    ann.email = ""
    ann.save()
    assert not User.objects.get(pk=bot.pk).is_confirmed


# ——— Blocks


@pytest.mark.parametrize("ann_blocks", [True, False])
def test_blocks_of_the_owner_hold_for_bots_of_before_and_after(ann, bob, ann_blocks):
    before, other = bot_of(ann), bot_of(bob, "other")
    blocker, blocked = (ann, bob) if ann_blocks else (bob, ann)
    relationships.block(blocker=blocker, blocked=blocked)
    after = bot_of(ann, "later")
    for one in (ann, before, after):
        assert queries.blocked_among(one.pk, [bob.pk, other.pk]) == {bob.pk, other.pk}
    assert queries.blocked_among(before.pk, [ann.pk, after.pk]) == set()
    assert [row.blocked for row in queries.blocked_by(blocker)] == [blocked]
    relationships.unblock(blocker=blocker, blocked=blocked)
    assert not Block.objects.exists()


def test_a_block_of_a_bot_is_of_that_bot_alone(ann, bob):
    bot, other = bot_of(ann), bot_of(ann, "other")
    relationships.block(blocker=bob, blocked=bot)
    assert queries.blocked_among(bob.pk, [ann.pk, bot.pk, other.pk]) == {bot.pk}
    assert [row.blocked for row in queries.blocked_by(bob)] == [bot]


def test_a_bot_of_whom_one_blocks_stays_blocked(ann, eve):
    bot = bot_of(ann)
    relationships.block(blocker=eve, blocked=ann)
    with pytest.raises(relationships.OwnerBlocked, match="Ann"):
        relationships.unblock(blocker=eve, blocked=bot)
    answer = browser_of(eve).post(f"/people/{bot.username}/block/", {"wish": "0"}, follow=True)
    assert "whose bot this is" in answer.content.decode()
    assert queries.blocked_among(eve.pk, [bot.pk]) == {bot.pk}


def test_nobody_blocks_their_own(ann):
    with pytest.raises(relationships.OwnBot):
        relationships.block(blocker=ann, blocked=bot_of(ann))


# ——— Closing


def test_closing_the_owner_closes_the_bots(ann, bob):
    bot = bot_of(ann)
    tokens.issue(user=bot, name="mine", scopes=["bot"], ends_at=None)
    match = seated(bob, bot, takes_bots=True)
    table = opened(bob, takes_bots=True)
    opening.join(match_id=table.pk, user=bot)
    closing.close_account(user_id=ann.pk)
    assert not User.objects.filter(username__in=["Ann", "eager-bot"]).exists()
    assert not ApiToken.objects.exists()
    seat = match.seats.get(number=1)
    assert seat.former and seat.bot and seat.user_id is None
    assert table.seats.filter(user__isnull=True).count() == 2 and fresh(table).status == "open"


def test_a_bot_is_closed_alone(ann, bob):
    bot = bot_of(ann)
    match = seated(bob, bot, takes_bots=True)
    closing.close_account(user_id=bot.pk)
    assert list(User.objects.order_by("pk")) == [ann, bob]
    assert match.seats.get(number=1).former


@pytest.mark.outgrown
@pytest.mark.django_db(transaction=True)
def test_closing_at_the_moment_at_which_a_bot_sits_down():
    ann, bob = member("ann"), member("bob")
    bot = bot_of(ann)
    table = opened(bob, takes_bots=True)
    with suppress(IntegrityError), meanwhile(lambda: opening.join(match_id=table.pk, user=bot)):  # who is gone
        closing.close_account(user_id=ann.pk)
    assert table.seats.filter(user__isnull=False).count() == 1
    assert kept(User, [ann.pk, bot.pk]) == set()


# ——— The page


def test_the_page_asks_who_one_is(ann, bob):
    browser = browser_of(ann)
    assert browser.get("/settings/bots/")["Location"].startswith("/accounts/reauthenticate/")
    assert browser.post("/settings/bots/", {"act": "make", "name": "eager"}).status_code == 302
    assert not ann.bots.exists()
    assert Client().get("/settings/bots/").status_code == 302


def test_the_page(ann, bob, mailoutbox):
    browser = browser_of(ann)
    prove(browser)
    assert "You have no bot yet" in browser.get("/settings/bots/").content.decode()
    assert browser.post("/settings/bots/", {"act": "make", "name": "a b"}).status_code == 422
    assert browser.post("/settings/bots/", {"act": "make", "name": "eager"}).status_code == 302
    bot = ann.bots.get()
    answer = browser.post("/settings/bots/", {"act": "token", "bot": bot.pk, "name": "at home", "writes": "on"})
    secret = answer.context["secret"]
    assert secret.startswith("cy_") and secret in answer.content.decode()
    assert secret not in browser.get("/settings/bots/").content.decode()
    token = ApiToken.objects.get(user=bot)
    assert token.scopes == ["message", "bot"] and tokens.found(secret) == token
    for name in ("", "\u200b", "\u202e "):
        assert browser.post("/settings/bots/", {"act": "token", "bot": bot.pk, "name": name}).status_code == 422
    assert browser.post("/settings/bots/", {"act": "end", "bot": bot.pk, "token": token.pk}).status_code == 302
    assert tokens.found(secret) is None
    assert browser.post("/settings/bots/", {"act": "close", "bot": bot.pk}).status_code == 302
    assert not ann.bots.exists()


def test_anothers_bot_is_none_of_ones_own(ann, bob):
    bot = bot_of(bob)
    token, _secret = tokens.issue(user=bot, name="his", scopes=["bot"], ends_at=None)
    browser = browser_of(ann)
    prove(browser)
    for act in ("token", "end", "close"):
        posted = {"act": act, "bot": bot.pk, "token": token.pk, "name": "x"}
        assert browser.post("/settings/bots/", posted).status_code == 422
    assert bob.bots.get() == bot and ApiToken.objects.get() == token


def test_the_file_of_ones_data_has_them(ann):
    bot = bot_of(ann)
    _token, secret = tokens.issue(user=bot, name="mine", scopes=["bot"], ends_at=None)
    told = "".join(file_of(ann))
    assert json.loads(told)["bots"][0]["name"] == "eager-bot"
    assert json.loads(told)["bots"][0]["tokens"][0]["scopes"] == ["bot"]
    assert secret not in told and tokens.digest_of(secret) not in told
