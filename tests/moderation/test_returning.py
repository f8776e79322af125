"""What is in force on somebody outlives their account, and they are told why theirs is closed."""

from datetime import timedelta

import pytest
from allauth.account.models import EmailAddress
from anymail.exceptions import AnymailRecipientsRefused
from django.core import mail
from django.core.cache import cache
from django.core.mail.backends.locmem import EmailBackend
from django.test import Client

from accounts.models import User
from accounts.services.closing import close_account
from config.lib import clock as present
from games.models import Mail
from games.moderation import members, personal_data, queue, reports, sanctions
from games.moderation.models import Report, Sanction
from games.services.mail import delivery
from tests.factories import PASSWORD, WHY, browser_of, committed, confirmed_member, fresh, seated, sign_up
from tests.games.people.test_export import proven
from tests.mailing import deliver, night

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _outbox(settings):
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    settings.ON_GUEST_JOINS = []


@pytest.fixture
def mia(db) -> User:
    return confirmed_member("Mia", "mia@example.org")


def soon(days=30):
    return present.now() + timedelta(days=days)


def impose(kind: str, mo: User, who: User, **more) -> Sanction:
    until = {} if kind == "ban" else {"until": soon()}
    return committed(getattr(members, kind), moderator=mo, member=who, reason=WHY, **until | more)


def back(name: str, address: str = "mia@example.org") -> tuple[User, Client]:
    """Sign up and confirm, as somebody does who comes back."""
    client = Client()
    cache.clear()
    mail.outbox.clear()
    sign_up(client, name, address)
    words = deliver()[-1].body.split()
    user = User.objects.get(username=name)
    assert not Sanction.objects.filter(member=user).exists()  # a typed address proves nothing
    link = next(word for word in words if "/confirm-email/" in word)
    client.post(link.partition("testserver")[2])
    return User.objects.get(pk=user.pk), client


def kinds_on(user: User) -> list[str]:
    return sorted(Sanction.objects.filter(member=user).values_list("kind", flat=True))


@pytest.mark.outgrown
def test_closing_the_account_ends_no_suspension(mo, mia):
    members.warn(moderator=mo, member=mia, reason=WHY)
    impose("suspend", mo, mia)
    impose("mute", mo, mia)
    close_account(user_id=mia.pk)
    waiting = Sanction.objects.filter(member=None)
    assert sorted(waiting.values_list("kind", flat=True)) == ["mute", "suspension"]
    assert "mia" not in str(list(waiting.values())).lower()
    other, _client = back("Nina", "nina@example.org")
    assert kinds_on(other) == []
    user, client = back("Maja")
    assert kinds_on(user) == ["mute", "suspension"]
    page = client.get("/").content.decode()
    assert WHY in page
    assert client.post("/play/new/", {}).status_code == 403


@pytest.mark.outgrown
def test_another_address_before_closing_does_not_help_either(mo, mia):
    impose("suspend", mo, mia)
    EmailAddress.objects.filter(user=mia).update(email="other@example.org")
    User.objects.filter(pk=mia.pk).update(email="other@example.org")
    close_account(user_id=mia.pk)
    assert Sanction.objects.filter(member=None).count() == 2
    user, _client = back("Maja", "other@example.org")
    assert kinds_on(user) == ["suspension"]
    members.lift(moderator=mo, member=user, reason=WHY)
    assert kinds_on(back("Majo")[0]) == []  # it was the same one, and is lifted


@pytest.mark.outgrown
def test_an_open_report_waits_for_a_moderator_and_for_the_member(mo, mia, ann):
    reports.report(reporter=ann, reason="cheating", words="Mia has two accounts", member=mia)
    settled = reports.report(reporter=ann, reason="spam", words="", member=mia, match=seated(ann, mia))
    queue.set_state(moderator=mo, report=settled, deed="settle", reason=WHY)
    close_account(user_id=mia.pk)
    waiting = Report.objects.get(state="open")
    assert (waiting.member, waiting.words) == (None, "… has two accounts")
    assert browser_of(mo).get(f"/admin/moderation/report/{waiting.pk}/change/").status_code == 200
    user, _client = back("Maja")
    assert list(Report.objects.filter(member=user)) == [waiting]
    queue.set_state(moderator=mo, report=waiting, deed="dismiss", reason=WHY)


@pytest.mark.outgrown
def test_what_is_over_does_not_wait(mo, mia, clock):
    impose("suspend", mo, mia)
    members.lift(moderator=mo, member=mia, reason=WHY)
    impose("mute", mo, mia, until=soon(1))
    clock.forward(2 * 86400)
    close_account(user_id=mia.pk)
    assert not Sanction.objects.exists()


@pytest.mark.outgrown
def test_it_waits_a_year_at_most_and_is_gone_when_it_ends(mo, mia, clock):
    impose("suspend", mo, mia, until=soon(3000))
    close_account(user_id=mia.pk)
    (row,) = Sanction.objects.all()
    assert row.until <= soon(366)
    assert personal_data.forget_sanctions() == 0
    clock.forward(366 * 86400)
    assert kinds_on(back("Maja")[0]) == []
    assert personal_data.forget_sanctions() == 1


@pytest.mark.outgrown
def test_a_name_in_the_reason_is_left_out(mo, mia):
    members.suspend(moderator=mo, member=mia, reason="MIA insulted Bob", until=soon())
    close_account(user_id=mia.pk)
    assert Sanction.objects.get().reason == "… insulted Bob"


def test_who_was_banned_and_deleted_is_shut_out_again(mo, mia, bob):
    impose("ban", mo, mia)
    close_account(user_id=mia.pk)
    client = Client()
    cache.clear()
    mail.outbox.clear()
    sign_up(client, "Maja", "mia@example.org")
    user = User.objects.get(username="Maja")
    match = seated(bob, user)
    words = deliver()[-1].body.split()
    committed(client.post, path=next(w for w in words if "/confirm-email/" in w).partition("testserver")[2])
    assert not User.objects.get(pk=user.pk).is_active
    assert client.get("/settings/").status_code == 302
    assert fresh(match).status == "ended"


def test_without_a_confirmed_address_nothing_lays_it_on_anybody(mo):
    nobody = confirmed_member("Nemo", "nemo@example.org", confirmed=False)
    impose("suspend", mo, nobody)
    close_account(user_id=nobody.pk)
    assert kinds_on(back("Nina", "nemo@example.org")[0]) == []


def test_who_knows_the_password_is_told_why_the_account_is_closed(mo, mia):
    impose("ban", mo, mia)
    page = Client().post("/accounts/login/", {"login": "Mia", "password": PASSWORD})
    assert page.status_code == 403
    assert f"Reason: {WHY}" in page.content.decode()
    page = Client().post("/accounts/login/", {"login": "Mia", "password": "not hers at all"})
    assert page.status_code == 200
    assert WHY not in page.content.decode()


def sent_to_mia() -> list[str]:
    """Let the worker send what is due; return the texts that Mia got since the last look."""
    mail.outbox.clear()
    sanctions.mail_sanctions()
    return [one.body for one in deliver() if one.to == ["mia@example.org"]]


@pytest.mark.parametrize("kind", ["ban", "suspend"])
def test_a_mail_tells_once_and_in_their_language(mo, mia, kind):
    User.objects.filter(pk=mia.pk).update(language="fr")
    impose(kind, mo, mia)
    (body,) = sent_to_mia()
    assert "Bonjour Mia" in body
    assert WHY in body
    assert "Reason" not in body
    assert (f"/sanctions/{Sanction.objects.get().pk}/" in body) is (kind == "suspend")  # where they appeal
    assert sent_to_mia() == []


@pytest.mark.outgrown
def test_a_lifted_ban_is_told_and_a_warning_once_until_it_is_read(mo, mia, clock):
    impose("ban", mo, mia)
    assert len(sent_to_mia()) == 1
    clock.forward(60)
    members.lift(moderator=mo, member=mia, reason=WHY)
    (body,) = sent_to_mia()
    assert "lifted" in body
    assert sent_to_mia() == []
    warning = members.warn(moderator=mo, member=mia, reason=WHY)
    (body,) = sent_to_mia()
    assert WHY in body
    browser = browser_of(User.objects.get(pk=mia.pk))
    assert WHY in browser.get("/").content.decode()
    clock.forward(60)
    browser.post(f"/warnings/{warning.pk}/read/")
    assert Sanction.objects.get(pk=warning.pk).ended_at is not None
    assert sent_to_mia() == []


def test_what_was_lifted_before_it_was_told_is_not_told(mo, mia):
    impose("ban", mo, mia)
    members.lift(moderator=mo, member=mia, reason=WHY)
    assert sent_to_mia() == []


@pytest.mark.outgrown
@pytest.mark.parametrize("error", [OSError("away"), ValueError("x")])
def test_a_mail_server_that_fails_stops_no_ban_and_is_asked_again(mo, mia, bob, monkeypatch, clock, error):
    match = seated(mia, bob)
    with monkeypatch.context() as patch:
        patch.setattr(EmailBackend, "open", _raising(error))
        impose("ban", mo, mia)
        assert fresh(match).status == "ended"
        assert sent_to_mia() == []
    clock.forward(61)
    assert len(sent_to_mia()) == 1


@pytest.mark.outgrown
def test_one_that_is_refused_for_good_can_be_sent_again(mo, mia, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(EmailBackend, "send_messages", _raising(AnymailRecipientsRefused("refused")))
        impose("ban", mo, mia)
        assert sent_to_mia() == []
    assert sent_to_mia() == []
    User.objects.update(mail_broken_at=None)
    assert delivery.resend(Mail.objects.filter(kind="sanction"))
    assert len(sent_to_mia()) == 1


def _raising(error: Exception):
    def send(self, *args, **kwargs):
        raise error

    return send


@pytest.mark.outgrown
@pytest.mark.parametrize(
    "fields", [{"mail_broken_at": present.now()}, {"email": ""}, {"quiet_from": 0, "quiet_until": 1439}]
)
def test_no_mail_where_none_is_wanted(mo, mia, fields):
    impose("ban", mo, mia)
    User.objects.filter(pk=mia.pk).update(**fields)
    assert sent_to_mia() == []


def test_whose_night_it_is_holds_up_nobody_else(mo, mia, ann, monkeypatch):
    monkeypatch.setattr(sanctions, "BATCH", 1)
    for one in (ann, mia):
        impose("suspend", mo, one)
    User.objects.filter(pk=ann.pk).update(**night())
    assert len(sent_to_mia()) == 1


@pytest.mark.outgrown
def test_another_name_is_told_in_the_members_language_and_is_no_warning(mo, mia):
    User.objects.filter(pk=mia.pk).update(language="fr")
    mia.refresh_from_db()
    members.rename(moderator=mo, member=mia, reason=WHY, name="Anemone")
    (body,) = sent_to_mia()
    page = browser_of(mia).get("/").content.decode()
    for text in (body, page):
        assert "Anemone" in text
        assert WHY in text
        assert "averti" not in text
        assert "You are now" not in text


def test_a_suspended_member_takes_their_file_along(mo, ann):
    impose("suspend", mo, ann)
    assert proven(ann).post("/settings/data/club-y.json").status_code == 200


def test_a_suspended_moderator_sees_no_admin(mo, root):
    assert browser_of(mo).get("/admin/moderation/report/").status_code == 200
    impose("suspend", root, mo)
    answer = browser_of(mo).get("/admin/moderation/report/")
    assert answer.status_code == 403
    assert WHY in answer.content.decode()


@pytest.mark.parametrize("path", ["/accounts/password/reset/", "/accounts/login/code/"])
def test_the_address_of_a_closed_account_hears_that_it_is_closed(mo, mia, path):
    impose("ban", mo, mia)
    mail.outbox.clear()
    Client().post(path, {"email": "mia@example.org"})
    (sent,) = deliver()
    assert "Its account is closed" in sent.body
    cache.clear()
    mail.outbox.clear()
    sign_up(Client(), "Maja", "mia@example.org")
    (sent,) = deliver()
    assert "Its account is closed" in sent.body


@pytest.mark.outgrown
def test_links_in_mails_begin_as_the_site_does_whatever_host_is_asked(mia, settings):
    settings.SITE_URL = "https://club.example"
    settings.ALLOWED_HOSTS = ["testserver"]
    mail.outbox.clear()
    client = Client(headers={"host": "testserver:666"})
    for path, form in (
        ("/accounts/password/reset/", {"email": "mia@example.org"}),
        ("/accounts/password/reset/", {"email": "nobody@example.org"}),
        ("/accounts/login/code/", {"email": "mia@example.org"}),
    ):
        cache.clear()
        client.post(path, form)
    sign_up(client, "Nina", "nina@example.org")
    assert len(deliver()) == 4
    for sent in deliver():
        assert "testserver" not in sent.body + str(sent.alternatives)
        assert "https://club.example/" in sent.body
