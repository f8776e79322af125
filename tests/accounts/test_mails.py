"""Account mails leave as rows: no mail server holds a request, and no code or link stays behind."""

import socket
import time

import httpx
import pytest
from django.core.cache import cache
from django.db import transaction
from django.test import Client

from accounts.models import User
from accounts.services import mail as account_mail
from games.models import Mail
from games.services.mail import delivery, planning
from games.services.people.personal_data import play_data
from tests.factories import browser_of, confirmed_member, sign_up
from tests.mailing import Postbox, deliver, night, prefer
from tests.processes import wait_until

pytestmark = pytest.mark.django_db

State = Mail.State
ADDRESS = "cleo@example.org"


@pytest.fixture
def postbox(settings):
    box = Postbox()
    settings.EMAIL_BACKEND = "config.mail.Smtp"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", box.port
    box.start()
    yield box
    box.controller.stop()


def ask_for_code(address: str = ADDRESS) -> None:
    assert Client().post("/accounts/login/code/", {"email": address}).status_code == 302


def test_a_mail_server_that_hangs_holds_no_request(client, settings):
    with socket.create_server(("127.0.0.1", 0)) as silent:
        settings.EMAIL_BACKEND, settings.EMAIL_TIMEOUT = "config.mail.Smtp", 20
        settings.EMAIL_HOST, settings.EMAIL_PORT = silent.getsockname()
        start = time.monotonic()
        assert sign_up(client).status_code == 302
        ask_for_code()
        assert time.monotonic() - start < settings.EMAIL_TIMEOUT  # nobody waited for it
    assert set(Mail.objects.values_list("state", flat=True)) == {State.WAITING}


@pytest.mark.outgrown
def test_an_act_that_is_rolled_back_sends_nothing(django_user_model):
    ann = confirmed_member("Ann", "ann@example.org")
    with pytest.raises(ZeroDivisionError), transaction.atomic():
        account_mail.send_to(ann, "moderation/mail/account", {"words": "Hello"}, kind="sanction")
        raise ZeroDivisionError
    assert deliver() == []
    assert not Mail.objects.exists()


@pytest.mark.outgrown
def test_what_was_sent_or_dropped_is_emptied(clock):
    confirmed_member("Cleo", ADDRESS)
    ask_for_code()
    row = Mail.objects.get()
    assert row.message["to"] == ADDRESS
    (sent,) = deliver()
    code = sent.body.split("\n\n")[2].strip()
    assert code in row.message["text"]
    row.refresh_from_db()
    assert (row.state, row.message, row.kind) == (State.SENT, None, "account")
    assert code not in str(Mail.objects.values())


@pytest.mark.outgrown
def test_a_code_that_has_run_out_is_not_sent(clock):
    confirmed_member("Cleo", ADDRESS)
    ask_for_code()
    clock.forward(601)
    assert deliver() == []
    row = Mail.objects.get()
    assert (row.state, row.message) == (State.DROPPED, None)


@pytest.mark.outgrown
def test_a_link_is_sent_for_days(client, clock):
    sign_up(client)
    clock.forward(2 * 86_400)
    assert "/confirm-email/" in deliver()[0].body


@pytest.mark.outgrown
def test_a_sender_that_dies_loses_nothing(clock):
    confirmed_member("Cleo", ADDRESS)
    ask_for_code()
    assert delivery._claimed(Mail.objects.get().pk)  # and here it was killed
    assert deliver() == []
    clock.forward(61)
    (sent,) = deliver()
    assert sent.to == [ADDRESS]


@pytest.mark.outgrown
def test_an_address_of_nobody(postbox):
    ask_for_code("nil@example.org")
    assert Mail.objects.get().user is None
    deliver()
    (got,) = postbox.kept
    assert (got["To"], got["Message-ID"]) == (
        "nil@example.org",
        f"<{Mail.objects.get().message_id}@testserver>",
    )


def test_quiet_hours_hold_no_code():
    prefer(confirmed_member("Cleo", ADDRESS), **night())
    ask_for_code()
    assert len(deliver()) == 1


@pytest.mark.outgrown
def test_a_refused_one_can_be_sent_again_while_its_code_holds(postbox, admin_user, clock):
    cleo = confirmed_member("Cleo", ADDRESS)
    postbox.rcpt_answers = ["550 5.1.1 no such mailbox", "550 5.1.1 no such mailbox"]
    ask_for_code()
    deliver()
    row = Mail.objects.get()
    assert (row.state, row.message["to"]) == (State.FAILED, ADDRESS)
    assert ADDRESS not in row.error
    assert User.objects.get(pk=cleo.pk).mail_broken_at is not None  # as the mails of matches do
    change = {"action": "resend", "_selected_action": [row.pk]}
    browser_of(admin_user).post("/admin/games/mail/", change)
    deliver()
    browser_of(admin_user).post("/admin/games/mail/", change)
    deliver()
    assert len(postbox.kept) == 1
    assert Mail.objects.get().state == State.SENT


@pytest.mark.outgrown
@pytest.mark.parametrize("state", [State.FAILED, State.UNKNOWN])
def test_what_did_not_leave_is_emptied_when_it_has_run_out(state, clock):
    confirmed_member("Cleo", ADDRESS)
    ask_for_code()
    Mail.objects.update(state=state)
    clock.forward(601)
    assert deliver() == []
    row = Mail.objects.get()
    assert (row.state, row.message) == (state, None)
    assert delivery.resend([row]) == []


@pytest.mark.outgrown
def test_neither_admin_nor_export_show_what_waits(admin_user):
    cleo = confirmed_member("Cleo", ADDRESS)
    ask_for_code()
    row = Mail.objects.get()
    code = row.message["text"].split("\n\n")[2].strip()
    shown = [
        browser_of(admin_user).get(f"/admin/games/mail/{end}").content.decode() for end in ("", f"{row.pk}/change/")
    ]
    (told,) = play_data(cleo)["mails"]
    assert told["kind"] == "account"
    assert all(code not in page for page in [*shown, str(told)])


@pytest.mark.outgrown
def test_they_are_no_news_of_a_match():
    """Who wants one mail until their next visit gets it, whatever codes they asked for."""
    cleo = confirmed_member("Cleo", ADDRESS)
    ask_for_code()
    assert not planning._mailed_since_visit(cleo, None)
    Mail.objects.create(user=cleo, kind="turn")
    assert planning._mailed_since_visit(cleo, None)


@pytest.mark.outgrown
def test_codes_leave_before_the_news():
    digest = Mail.objects.create(user=confirmed_member("Cleo", ADDRESS), kind="digest")
    ask_for_code()
    code = Mail.objects.get(kind="account")
    assert list(delivery._due()) == [code.pk, digest.pk]


@pytest.mark.django_db(transaction=True)
def test_a_worker_sends_it_at_once(site, worker):
    confirmed_member("Cleo", ADDRESS)
    took = []
    for _ in range(2):  # a look of the worker's own, every ten seconds, may be what sends one of them
        start = time.monotonic()
        with httpx.Client(base_url=site.url) as browser:
            browser.get("/accounts/login/code/")
            form = {"email": ADDRESS, "csrfmiddlewaretoken": browser.cookies["csrftoken"]}
            assert browser.post("/accounts/login/code/", data=form).status_code == 302
        wait_until(lambda: set(Mail.objects.values_list("state", flat=True)) == {State.SENT}, "the mail")
        took.append(time.monotonic() - start)
        cache.clear()
    assert min(took) < 5
