"""What is in force on somebody outlives their account, and they are told why theirs is closed."""

from datetime import timedelta

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.core.cache import cache
from django.test import Client

from accounts.closing import close_account
from accounts.models import User
from config import clock as present
from games.moderation import personal, services
from games.moderation.models import Sanction
from tests.accounts.conftest import PASSWORD, make_member, sign_up
from tests.games.conftest import browser_of
from tests.games.playing import fresh, seated
from tests.moderation.conftest import WHY

pytestmark = [pytest.mark.both, pytest.mark.django_db]


@pytest.fixture(autouse=True)
def _outbox(settings):
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    settings.ON_GUEST_JOINS = []


@pytest.fixture
def mia(db) -> User:
    return make_member("Mia", "mia@example.org")


def soon(days=30):
    return present.now() + timedelta(days=days)


def impose(kind: str, mo: User, who: User, **more) -> Sanction:
    until = {} if kind == "ban" else {"until": soon()}
    return getattr(services, kind)(moderator=mo, member=who, reason=WHY, **until | more)


def back(name: str, address: str = "mia@example.org") -> tuple[User, Client]:
    """Sign up and confirm, as somebody does who comes back."""
    client = Client()
    cache.clear()
    mail.outbox.clear()
    sign_up(client, name, address)
    words = mail.outbox[-1].body.split()
    user = User.objects.get(username=name)
    assert not Sanction.objects.filter(member=user).exists()  # a typed address proves nothing
    link = next(word for word in words if "/confirm-email/" in word)
    client.post(link.partition("testserver")[2])
    return User.objects.get(pk=user.pk), client


def kinds_on(user: User) -> list[str]:
    return sorted(Sanction.objects.filter(member=user).values_list("kind", flat=True))


def test_closing_the_account_ends_no_suspension(mo, mia):
    services.warn(moderator=mo, member=mia, reason=WHY)
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


def test_another_address_before_closing_does_not_help_either(mo, mia):
    impose("suspend", mo, mia)
    EmailAddress.objects.filter(user=mia).update(email="other@example.org")
    User.objects.filter(pk=mia.pk).update(email="other@example.org")
    close_account(user_id=mia.pk)
    for name, address in (("Maja", "mia@example.org"), ("Majo", "other@example.org")):
        assert kinds_on(back(name, address)[0]) == ["suspension"]


def test_what_is_over_does_not_wait(mo, mia, clock):
    impose("suspend", mo, mia)
    services.lift(moderator=mo, member=mia, reason=WHY)
    impose("mute", mo, mia, until=soon(1))
    clock.forward(2 * 86400)
    close_account(user_id=mia.pk)
    assert not Sanction.objects.exists()


def test_it_waits_a_year_at_most_and_is_gone_when_it_ends(mo, mia, clock):
    impose("suspend", mo, mia, until=soon(3000))
    close_account(user_id=mia.pk)
    (row,) = Sanction.objects.all()
    assert row.until <= soon(366)
    assert personal.forget_sanctions() == 0
    clock.forward(366 * 86400)
    assert kinds_on(back("Maja")[0]) == []
    assert personal.forget_sanctions() == 1


def test_a_name_in_the_reason_is_left_out(mo, mia):
    services.suspend(moderator=mo, member=mia, reason="MIA insulted Bob", until=soon())
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
    words = mail.outbox[-1].body.split()
    client.post(next(w for w in words if "/confirm-email/" in w).partition("testserver")[2])
    assert not User.objects.get(pk=user.pk).is_active
    assert client.get("/settings/").status_code == 302
    assert fresh(match).status == "ended"


def test_without_a_confirmed_address_there_is_nothing_to_know_them_by(mo):
    nobody = make_member("Nemo", "nemo@example.org", confirmed=False)
    impose("suspend", mo, nobody)
    close_account(user_id=nobody.pk)
    assert not Sanction.objects.exists()


def test_who_knows_the_password_is_told_why_the_account_is_closed(mo, mia):
    impose("ban", mo, mia)
    page = Client().post("/accounts/login/", {"login": "Mia", "password": PASSWORD})
    assert page.status_code == 403
    assert f"The reason: {WHY}" in page.content.decode()
    page = Client().post("/accounts/login/", {"login": "Mia", "password": "not hers at all"})
    assert page.status_code == 200
    assert WHY not in page.content.decode()


@pytest.mark.parametrize("kind", ["ban", "suspend"])
def test_a_mail_tells_in_their_language(mo, mia, kind, django_capture_on_commit_callbacks):
    User.objects.filter(pk=mia.pk).update(language="fr")
    mia.refresh_from_db()
    with django_capture_on_commit_callbacks(execute=True):
        impose(kind, mo, mia)
    (sent,) = [one for one in mail.outbox if one.to == ["mia@example.org"]]
    assert "Bonjour Mia" in sent.body
    assert WHY in sent.body
    assert "The reason" not in sent.body
    assert WHY not in sent.subject


def test_a_lifted_ban_is_told_by_mail_and_a_warning_on_the_pages_alone(
    mo, mia, django_capture_on_commit_callbacks
):
    impose("ban", mo, mia)
    mail.outbox.clear()
    with django_capture_on_commit_callbacks(execute=True):
        services.lift(moderator=mo, member=mia, reason=WHY)
    assert [one.to for one in mail.outbox] == [["mia@example.org"]]
    mail.outbox.clear()
    with django_capture_on_commit_callbacks(execute=True):
        services.warn(moderator=mo, member=mia, reason=WHY)
    assert mail.outbox == []
    assert WHY in browser_of(User.objects.get(pk=mia.pk)).get("/").content.decode()
