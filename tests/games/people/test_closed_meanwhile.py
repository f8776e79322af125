"""Whoever acts in the instant in which an account is closed is told in words; nothing is done by halves."""

import threading

import pytest
from django.conf import settings
from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.models import Session
from django.db import connection

from accounts.models import Block, Follow, User
from accounts.services import guests, membership, relationships, visits
from accounts.services.closing import close_account
from games.models import Audit, Invitation, Match, Notice, Seat
from games.moderation import action_page, views
from games.moderation.models import Report
from games.services.lobby import opening
from games.services.refusals import Invalid
from tests.factories import browser_of, fresh, guest, member, opened, seat, seated
from tests.games.people.test_closing_at_once import nothing_is_torn, together
from tests.games.people.test_closing_pages import proven
from tests.games.play.at_once import Tab, meanwhile

pytestmark = pytest.mark.both
ROUNDS = 6
CLOSED = "Your account is closed"


def close_in(monkeypatch, owner, name, user) -> None:
    """Close that account at the moment at which the service of this name is called."""
    real = getattr(owner, name)

    def late(*args, **kwargs):
        if User.objects.filter(pk=user.pk).exists():
            close_account(user_id=user.pk)
        return real(*args, **kwargs)

    monkeypatch.setattr(owner, name, late)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("live", [True, False])
def test_sitting_down_as_the_account_is_closed(ann, bob, monkeypatch, live):
    """The page was asked for while the account was there; when the seat is taken it is not."""
    table = opened(ann)
    browser = browser_of(bob)
    close_in(monkeypatch, opening, "join", bob)
    answer = browser.post(f"/matches/{table.pk}/join/", **({"HTTP_X_LIVE": "1"} if live else {}))
    assert answer.status_code == 410
    assert CLOSED in answer.content.decode()
    assert "nothing was done here" in answer.content.decode()
    assert seat(table, 1).is_free
    assert browser.get("/matches/").url.startswith("/accounts/login/")
    assert not [row for row in Session.objects.all() if row.get_decoded().get(SESSION_KEY) == str(bob.pk)]


@pytest.mark.django_db(transaction=True)
def test_closing_between_sitting_down_and_its_commit(ann, bob, monkeypatch):
    """PostgreSQL lets the account go while another transaction has it sit down; SQLite has that one wait."""
    table = opened(ann)
    closing = threading.Thread(target=_close, args=(bob.pk,))
    monkeypatch.setattr(settings, "ON_JOINING", [f"{__name__}.in_between"])
    in_between.act = lambda: (closing.start(), connection.vendor == "sqlite" or closing.join())
    answer = browser_of(bob).post(f"/matches/{table.pk}/join/")
    closing.join()
    assert not User.objects.filter(pk=bob.pk).exists()
    if connection.vendor == "postgresql":
        assert answer.status_code == 410
        assert CLOSED in answer.content.decode()
    else:
        assert answer.status_code == 302
    assert seat(table, 1).is_free
    assert fresh(table).status == Match.Status.OPEN
    nothing_is_torn()


def in_between(match, user) -> None:
    in_between.act()


def _close(user_id: int) -> None:
    try:
        close_account(user_id=user_id)
    finally:
        connection.close()


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    ("owner", "name", "path", "data"),
    [
        (opening, "create_match", "/games/yum-extra/now/", {"lesson": "no"}),
        (relationships, "follow", "/people/ann/follow/", {"wish": "1"}),
        (relationships, "block", "/people/ann/block/", {"wish": "1"}),
    ],
)
def test_other_acts_as_the_account_is_closed(ann, bob, monkeypatch, owner, name, path, data):
    close_in(monkeypatch, owner, name, bob)
    answer = browser_of(bob).post(path, data)
    assert answer.status_code == 410
    assert CLOSED in answer.content.decode()
    assert Match.objects.count() == 0


@pytest.mark.django_db(transaction=True)
def test_settings_are_saved_as_the_account_is_closed(bob, monkeypatch):
    from_page = {"language": "fr", "time_zone": "UTC", "colours": "dark"}
    close_in(monkeypatch, membership, "change_times", bob)
    answer = browser_of(bob).post("/settings/", from_page)
    assert answer.status_code == 410


@pytest.mark.django_db(transaction=True)
def test_a_guest_who_logged_in_elsewhere_is_told_so(ann, monkeypatch):
    gus = guest()
    browser = browser_of(gus)
    real = opening.create_match

    def late(*args, **kwargs):
        User.objects.filter(pk=gus.pk).delete()
        return real(*args, **kwargs)

    monkeypatch.setattr(opening, "create_match", late)
    answer = browser.post("/games/yum-extra/now/", {"lesson": "no"})
    assert answer.status_code == 410
    assert "You have logged in elsewhere" in answer.content.decode()


@pytest.mark.django_db(transaction=True)
def test_asking_somebody_whose_account_is_closed(ann, bob, monkeypatch):
    """Ann's request found Bob by his name just before he left."""
    table = opened(ann)
    close_in(monkeypatch, opening, "invite", bob)
    answer = browser_of(ann).post(f"/matches/{table.pk}/invite/", {"name": "bob"})
    assert answer.status_code == 400
    assert "There is no member named bob." in answer.content.decode()
    assert not Invitation.objects.exists()
    assert not Notice.objects.filter(kind="invited").exists()


@pytest.mark.django_db(transaction=True)
def test_a_new_table_for_somebody_whose_account_is_closed(ann, bob, cem):
    close_account(user_id=bob.pk)
    with pytest.raises(Invalid, match=r"named bob\."):
        opened(ann, invited=[bob, cem])
    assert Match.objects.count() == 0
    assert opened(ann, invited=[cem]).invitations.count() == 1


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("act", ["follow", "block"])
def test_following_and_blocking_somebody_whose_account_is_closed(ann, bob, monkeypatch, act):
    close_in(monkeypatch, relationships, act, bob)
    assert browser_of(ann).post(f"/people/bob/{act}/", {"wish": "1"}).status_code == 404


@pytest.mark.django_db(transaction=True)
def test_an_error_of_the_site_stays_one(ann, monkeypatch):
    """Only who is gone is told that they are: what fails otherwise is our fault, and said to be."""

    def fails(**_who):
        raise User.DoesNotExist("a bug")

    monkeypatch.setattr(relationships, "follow", fails)
    member("bob")
    assert browser_of(ann).post("/people/bob/follow/", {"wish": "1"}).status_code == 500


def leaving(person) -> Tab:
    """A tab of somebody who has just typed their password, and may close the account."""
    tab = Tab(person)
    tab.cookies["sessionid"] = proven(person).cookies["sessionid"].value
    return tab


def test_everything_at_once_by_http(site, at_once):
    """One closes the account in one tab, acts in others, and is asked and followed: none of it is a 500."""
    seen = set()
    for number in range(ROUNDS):
        ann, zoe = member(f"ann{number}"), member(f"zoe{number}")
        running = seated(ann, zoe, member(f"dee{number}"))
        tables = [opened(ann, size=2 + n % 2) for n in range(3)]
        tab, hers = leaving(zoe), Tab(ann)
        answers = at_once(
            [
                *(tab.post(f"/matches/{table.pk}/join/") for table in tables),
                tab.post("/settings/close/", name=zoe.username),
                tab.post("/games/yum-extra/now/", lesson="no"),
                tab.post(f"/people/{ann.username}/follow/", wish="1"),
                tab.post(f"/matches/{running.pk}/notes/", notes="mine"),
                hers.post(f"/people/{zoe.username}/follow/", wish="1"),
                hers.post(f"/matches/{tables[0].pk}/invite/", name=zoe.username),
                hers.post(f"/matches/{running.pk}/resign/"),
            ]
        )
        found = [answer.status_code for answer in answers]
        assert found[3] == 302 and answers[3].headers["Location"] == "/goodbye/", found
        assert max(found) < 500, (number, found, [answer.text for answer in answers if answer.status_code >= 500])
        seen.update(found)
        assert not User.objects.filter(username=zoe.username).exists()
        assert not Seat.objects.filter(user_id=zoe.pk).exists()
    nothing_is_torn()
    print("answers seen", sorted(seen))


@pytest.mark.django_db(transaction=True)
def test_when_one_was_here_is_forgotten(bob):
    visits.note(bob.pk)
    assert visits.last([bob.pk])
    close_account(user_id=bob.pk)
    assert visits.last([bob.pk]) == {}


@pytest.mark.thin(1)
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("key", ["", "k" * 20])
def test_whatever_form_names_somebody_whose_account_is_closed(ann, bob, mo, monkeypatch, key):
    """The forms of pages have a key, and with it a transaction around the service's own."""
    table, gone = opened(ann), "There is no member named bob."
    for owner, name in ((opening, "invite"), (views, "report"), (action_page, "perform")):
        close_in(monkeypatch, owner, name, bob)
    sent = {"name": "bob", "reason": "spam", "words": "buy", "key": key}
    for browser, address in (
        (browser_of(ann), f"/matches/{table.pk}/invite/"),
        (browser_of(ann), "/report/?member=bob"),
        (browser_of(mo), f"/admin/moderation/audit/act/?member={bob.pk}&deed=warn"),
    ):
        answer = browser.post(address, sent)
        assert answer.status_code == 400 and gone in answer.content.decode(), address
        if not User.objects.filter(pk=bob.pk).exists():
            bob.save(force_insert=True)
    assert not Report.objects.exists() and not Audit.objects.exists() and not Invitation.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_a_guest_logs_in_whom_somebody_has_blocked_who_is_gone(ann, bob):
    """The log-in failed: the block was to hold for the member, too."""
    gus = guest()
    Block.objects.create(blocker=bob, blocked=gus)
    with meanwhile(lambda: close_account(user_id=bob.pk)):
        guests.join(guest=gus, member=ann)
    assert not User.objects.filter(pk=gus.pk).exists()
    assert not Block.objects.exists()


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("closes", ["ann", "bob"])
def test_a_block_as_one_of_the_two_closes_their_account(ann, bob, monkeypatch, closes):
    """Each held what the other needed: the invitation that a block withdraws, and whom the block's row names."""
    opened(ann, invited=[bob])
    gone, browser = {"ann": ann, "bob": bob}[closes], browser_of(ann)
    closing = threading.Thread(target=_close, args=(gone.pk,))
    between = f"{__name__}.in_a_block"
    monkeypatch.setattr(settings, "ON_BLOCK", ["games.services.people.blocks.withdraw_invitations", between])
    in_a_block.act = lambda: (closing.start(), closing.join(0.5))
    answer = browser.post("/people/bob/block/")
    closing.join()
    assert answer.status_code == 302
    assert not User.objects.filter(pk=gone.pk).exists()
    assert not Block.objects.exists() and not Invitation.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_a_block_of_somebody_who_is_gone(ann, bob, monkeypatch):
    close_in(monkeypatch, relationships, "block", bob)
    assert browser_of(ann).post("/people/bob/block/").status_code == 404
    assert not Block.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_two_who_block_each_other_at_once(ann, bob):
    for number in range(ROUNDS):
        zoe = member(f"zoe{number}")
        for one, other in ((zoe, bob), (bob, zoe)):
            for _n in range(4):
                Invitation.objects.create(match=opened(one), user=other)
            relationships.follow(follower=one, followed=other)
        blocks = ((zoe, bob), (bob, zoe))
        acts = [lambda a=a, b=b: relationships.block(blocker=a, blocked=b) for a, b in blocks]
        assert together(*acts) == [None, None]
        assert not Invitation.objects.exists() and not Follow.objects.exists()
        Match.objects.all().delete()


def in_a_block(blocker, blocked) -> None:
    in_a_block.act()
