"""When most of the last sends are refused for different addresses, no more mail is sent until an admin says so."""

import json
from datetime import timedelta

import pytest
from django.test import Client

from accounts.models import User
from accounts.services.mail import post
from config.lib import clock
from games.models import Audit, Mail, MailStop
from games.services.mail import delivery, fuse
from tests.factories import PASSWORD, browser_of, confirmed_member, member
from tests.games.operation.pages import PAGE, message_of, text

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock")]

State = Mail.State
REFUSALS = ["550 5.7.1 sender rejected", "550 5.1.1 relay knows nobody"]


@pytest.fixture
def root(db):
    return User.objects.create_superuser("root", "root@example.org", PASSWORD)


def mails(number: int, *, first: int = 0, domain: str = "gmail.com") -> list[User]:
    """Queue a mail for each of so many members."""
    numbers = range(first, first + number)
    people = [confirmed_member(f"reader{n}", f"reader{n}@{domain.format(n=n)}") for n in numbers]
    for user in people:
        post(to=user.email, subject="s", text="t", html="<p>h</p>", kind="account", user=user)
    return people


def off() -> int:
    return User.objects.filter(mail_broken_at__isnull=False).count()


@pytest.mark.outgrown
@pytest.mark.parametrize("answer", REFUSALS)
def test_a_relay_that_refuses_everybody_stops_the_mails_and_loses_none(root, postbox, answer, capsys):
    """As one wrong setting does: nothing is lost, and one button puts all right again."""
    mails(3)
    assert delivery.send_due() == 3
    people = mails(8, first=3)
    postbox.rcpt_answers = [answer] * 100
    delivery.send_due()
    stop = fuse.stopped()
    assert (stop.addresses, Mail.objects.filter(attempts=0).count()) == (fuse.LEAST, 3)
    assert "critical" in (logged := capsys.readouterr().out)
    assert "@" not in logged
    assert delivery.send_due() == 0
    assert Mail.objects.filter(attempts=0).count() == 3
    admins = browser_of(root)
    assert "The fuse has stopped all mails" in text(admins.get("/admin/"))
    page = text(admins.get(PAGE))
    assert "refused mails to 5 different addresses" in page
    assert answer[4:] in page
    postbox.rcpt_answers = []
    done = admins.post(f"{PAGE}mails/resume/")
    assert done.url == PAGE
    assert "Mails are sent again" in message_of(done)
    assert off() == 0
    assert delivery.send_due() == 8
    assert {got["To"] for got in postbox.kept[3:]} == {user.email for user in people}
    assert Audit.objects.get().deed == "mails"
    assert "not stopped any more" in message_of(admins.post(f"{PAGE}mails/resume/"))
    assert Audit.objects.count() == 1
    assert "stopped all mails" not in text(admins.get("/admin/"))


@pytest.mark.outgrown
def test_it_blows_again_when_nothing_was_put_right(root, postbox):
    mails(6)
    postbox.rcpt_answers = [REFUSALS[0]] * 100
    delivery.send_due()
    browser_of(root).post(f"{PAGE}mails/resume/")
    assert fuse.stopped() is None
    delivery.send_due()
    assert fuse.stopped() is not None
    assert MailStop.objects.count() == 2


def test_a_few_bad_addresses_among_good_ones_stop_nothing(postbox):
    people = mails(40)
    postbox.rcpt_answers = (["550 5.1.1 gone"] + ["250 OK"] * 3) * 10
    while delivery.send_due():
        pass
    assert fuse.stopped() is None
    assert (len(postbox.kept), off()) == (30, 10)
    assert len(people) == 40


def test_one_address_refused_often_and_strangers_addresses_stop_nothing(postbox, ann):
    """Whoever signs up with many addresses that do not exist does not stop the mails of the others."""
    for n in range(12):
        user = member(f"stranger{n}")
        User.objects.filter(pk=user.pk).update(email="")
        post(to=f"nobody{n}@example.org", subject="s", text="t", html="<p>h</p>", kind="account", user=user)
        post(to=ann.email, subject="s", text="t", html="<p>h</p>", kind="account", user=ann)
    postbox.rcpt_answers = [REFUSALS[0]] * 100
    delivery.send_due()
    assert fuse.stopped() is None


@pytest.mark.parametrize("domain", ["troll.example", "{n}.troll.example", "Reader{n}.TROLL.example"])
def test_whoever_owns_a_domain_stops_no_mail_by_refusing_its_own(postbox, domain):
    mails(12, domain=domain)
    postbox.rcpt_answers = [REFUSALS[0]] * 100
    delivery.send_due()
    assert Mail.objects.filter(refused_at__isnull=False).count() == 12
    assert fuse.stopped() is None


def test_a_domain_counts_as_one_of_the_five(postbox):
    mails(4, domain="{n}.example")
    mails(6, first=4, domain="fan{n}.example")
    mails(6, first=10, domain="troll.example")
    postbox.rcpt_answers = [REFUSALS[0]] * 100
    delivery.send_due()
    assert fuse.stopped().addresses == fuse.LEAST


@pytest.mark.parametrize(("days", "stops"), [(31, True), (1, False)])
def test_a_domain_of_many_members_is_nobodys_own_once_they_are_long_here(postbox, days, stops):
    people = mails(fuse.LARGE, domain="club.example")
    User.objects.filter(pk__in=[user.pk for user in people]).update(date_joined=clock.now() - timedelta(days=days))
    postbox.rcpt_answers = [REFUSALS[0]] * 100
    delivery.send_due()
    assert bool(fuse.stopped()) is stops


def test_staff_see_that_mails_are_stopped(postbox, root):
    mails(6)
    postbox.rcpt_answers = [REFUSALS[0]] * 100
    delivery.send_due()
    User.objects.filter(pk=root.pk).update(is_superuser=False, is_staff=True)
    page = text(browser_of(User.objects.get(pk=root.pk)).get("/admin/"))
    assert "Please tell an admin" in page


@pytest.mark.outgrown
def test_a_refused_sender_counts_whoever_the_mail_is_for(postbox):
    for n in range(6):
        post(to=f"new{n}@example.org", subject="s", text="t", html="<p>h</p>", kind="account", user=None)
    postbox.sender_answer = "550 5.7.1 not you"
    delivery.send_due()
    assert fuse.stopped().addresses == fuse.LEAST
    assert Mail.objects.filter(state=State.WAITING).count() == 6


@pytest.mark.outgrown
@pytest.mark.parametrize(
    ("more", "broken"),
    [
        ({"Type": "HardBounce", "Details": "smtp;550 5.1.1 unknown"}, True),
        ({"Type": "HardBounce", "Details": "smtp;550 5.7.1 sender blocked"}, False),
        ({"Type": "HardBounce", "Details": "550 5.2.2 mailbox full"}, False),
        ({"Type": "Blocked"}, False),
        ({"Type": "BadEmailAddress"}, True),
        ({"Type": "HardBounce", "Description": "no \0 \ud800 such"}, True),
    ],
)
def test_a_providers_bounce_is_the_addresss_only_if_it_says_so(settings, ann, more, broken):
    settings.ANYMAIL = {"WEBHOOK_SECRET": "name:secret"}
    settings.MAIL_PROVIDER = "postmark"
    event = {"RecordType": "Bounce", "MessageID": "1", "ServerID": 1, "Tag": "", "ID": 1, "Description": "no"}
    event |= {"Email": ann.email, "Recipient": ann.email, "BouncedAt": "2026-01-01T00:00:00Z", **more}
    secret = {"HTTP_AUTHORIZATION": "Basic bmFtZTpzZWNyZXQ="}
    address = "/mail/events/postmark/tracking/"
    assert Client().post(address, json.dumps(event), content_type="application/json", **secret).status_code == 200
    assert bool(User.objects.get(pk=ann.pk).mail_broken_at) is broken
