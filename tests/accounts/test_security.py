"""Limits, sessions, the second factor, and the admin's door."""

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.totp.internal.auth import format_hotp_value, hotp_value, yield_hotp_counters_from_time
from django.core.management import call_command
from django.test import Client

from accounts.models import User
from accounts.templatetags.browsers import browser
from tests.factories import PASSWORD, prove, sign_up
from tests.mailing import deliver

LOG_IN = {"login": "Ann", "password": PASSWORD}


def totp(secret: str) -> str:
    """Return the code of this half minute, which holds in the next one too."""
    _before, now, _after = yield_hotp_counters_from_time()
    return format_hotp_value(hotp_value(secret, now))


@pytest.mark.parametrize(
    ("path", "data", "tries"),
    [
        ("login/", {"login": "Ann", "password": "wrong"}, 6),
        ("signup/", {}, 21),
        ("login/code/", {"email": "ann@example.org"}, 6),
        ("password/reset/", {"email": "ann@example.org"}, 6),
    ],
)
def test_limits(client, ann, path, data, tries) -> None:
    answers = [Client().post(f"/accounts/{path}", data) for _ in range(tries)]
    last = answers[-1]
    refused = last.status_code == 429 or b"Too many" in last.content
    assert refused
    assert not (answers[0].status_code == 429 or b"Too many" in answers[0].content)


def test_limited_page_is_ours(client, db) -> None:
    for _ in range(21):
        answer = client.post("/accounts/signup/", {})
    assert answer.status_code == 429
    assert b'id="main"' in answer.content


def test_password_change_ends_other_sessions(anns, ann) -> None:
    other = Client()
    other.post("/accounts/login/", LOG_IN)
    assert other.get("/settings/").status_code == 200
    new = "another otter 8"
    anns.post("/accounts/password/change/", {"oldpassword": PASSWORD, "password1": new, "password2": new})
    assert anns.get("/settings/").status_code == 200
    assert other.get("/settings/").status_code == 302
    assert deliver()[-1].to == ["ann@example.org"] and "password" in deliver()[-1].subject


@pytest.fixture
def closed(monkeypatch) -> list[str]:
    """The sessions whose sockets were closed."""
    keys: list[str] = []
    monkeypatch.setattr("accounts.adapter.close_sockets", keys.append)
    return keys


def test_log_out_closes_sockets(anns, closed) -> None:
    key = anns.session.session_key
    anns.post("/accounts/logout/")
    assert closed == [key]


def test_log_out_others_closes_their_sockets_only(anns, closed) -> None:
    other = Client()
    other.post("/accounts/login/", LOG_IN)
    key = other.session.session_key
    prove(anns)
    anns.post("/accounts/sessions/")
    assert closed == [key]


def test_password_change_closes_all_sockets(anns, closed) -> None:
    other = Client()
    other.post("/accounts/login/", LOG_IN)
    keys = {anns.session.session_key, other.session.session_key}
    new = "another otter 8"
    anns.post("/accounts/password/change/", {"oldpassword": PASSWORD, "password1": new, "password2": new})
    assert set(closed) == keys


def test_guest_who_logs_in_leaves_no_socket(guest, ann, closed) -> None:
    key = guest.session.session_key
    guest.post("/accounts/login/", LOG_IN)
    assert closed == [key]


def test_log_out_others(anns, ann) -> None:
    other = Client()
    other.post("/accounts/login/", LOG_IN)
    assert anns.get("/accounts/sessions/").content.count(b"<time") == 2
    prove(anns)
    anns.post("/accounts/sessions/")
    assert anns.get("/settings/").status_code == 200
    assert other.get("/settings/").status_code == 302


def test_who_ends_other_sessions_shows_who_they_are(anns, ann) -> None:
    other = Client()
    other.post("/accounts/login/", LOG_IN)
    asked = anns.post("/accounts/sessions/").url
    assert asked.startswith("/accounts/reauthenticate/")
    assert other.get("/settings/").status_code == 200
    anns.post(asked, {"password": PASSWORD, "next": "/accounts/sessions/"})
    assert other.get("/settings/").status_code == 302
    assert anns.get("/accounts/sessions/").content.count(b"<time") == 1


@pytest.mark.parametrize(
    ("agent", "name"),
    [
        ("Mozilla/5.0 (iPhone; CPU OS 18_0 like Mac OS X) AppleWebKit/605 Safari/604", "Safari, iPhone"),
        ("Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", "Firefox, Linux"),
        ("Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537 Chrome/140 Safari/537 Edg/140", "Edge, Windows"),
        ("curl/8", "curl/8"),
        ("", ""),
    ],
)
def test_browsers_have_names(agent, name) -> None:
    assert browser(agent) == name


def test_reset_by_code(client, ann) -> None:
    old = Client()
    old.post("/accounts/login/", LOG_IN)
    client.post("/accounts/password/reset/", {"email": "Ann@example.org"})
    code = deliver()[0].body.split("\n\n")[2].strip()
    assert client.post("/accounts/password/reset/confirm/", {"code": "0000-0000"}).status_code == 200
    client.post("/accounts/password/reset/confirm/", {"code": code})
    new = "another otter 8"
    assert client.get("/accounts/password/reset/complete/").status_code == 200
    client.post("/accounts/password/reset/complete/", {"password1": new, "password2": new})
    assert client.get("/settings/").context["user"] == ann
    assert old.get("/settings/").status_code == 302


def test_totp_round_trip(anns, ann) -> None:
    prove(anns)
    page = anns.get("/accounts/2fa/totp/activate/")
    secret = page.context["form"].secret
    assert b"data:image/svg" in page.content
    assert anns.post("/accounts/2fa/totp/activate/", {"code": "000000"}).status_code == 200
    assert anns.post("/accounts/2fa/totp/activate/", {"code": totp(secret)}).status_code == 302
    codes = anns.get("/accounts/2fa/recovery-codes/")
    assert len(codes.context["unused_codes"]) == 10
    assert all(code in codes.content.decode() for code in codes.context["unused_codes"])

    client = Client()
    assert client.post("/accounts/login/", LOG_IN).url == "/accounts/2fa/authenticate/"
    assert client.get("/settings/").status_code == 302
    assert client.post("/accounts/2fa/authenticate/", {"code": "000000"}).status_code == 200
    recovery = anns.get("/accounts/2fa/recovery-codes/").context["unused_codes"][0]
    assert client.post("/accounts/2fa/authenticate/", {"code": recovery}).url == "/"
    assert client.get("/settings/").context["user"] == ann
    used_again = Client()
    used_again.post("/accounts/login/", LOG_IN)
    assert used_again.post("/accounts/2fa/authenticate/", {"code": recovery}).status_code == 200


def test_second_factor_asks_who_it_is(client, ann) -> None:
    client.force_login(ann)  # long ago
    answer = client.post("/accounts/2fa/totp/activate/", {"code": "1"})
    assert answer.status_code == 302 and "/reauthenticate/" in answer.url


def test_change_of_address(anns, ann) -> None:
    prove(anns)
    assert anns.post("/accounts/email/", {"action_add": "yes", "email": "new@example.org"}).status_code == 302
    ann.refresh_from_db()
    assert ann.email == "ann@example.org"
    link = "/" + deliver()[0].body.partition("testserver/")[2].split()[0]
    anns.post(link)
    ann.refresh_from_db()
    assert ann.email == "new@example.org"
    assert list(EmailAddress.objects.values_list("email", "verified", "primary")) == [("new@example.org", True, True)]
    assert {"ann@example.org"} < {mail.to[0] for mail in deliver()}


def test_mistyped_address_hears_nothing_of_the_right_one(client, db) -> None:
    sign_up(client, email="wrong@example.org")
    prove(client)
    client.post("/accounts/email/", {"action_add": "yes", "email": "right@example.org"})
    assert deliver()[-1].to == ["right@example.org"]
    client.post("/" + deliver()[-1].body.partition("testserver/")[2].split()[0])
    assert User.objects.get().email == "right@example.org"
    assert [m.to[0] for m in deliver()].count("wrong@example.org") == 1


def test_own_address_cannot_be_removed(anns, ann) -> None:
    anns.post("/accounts/email/", {"action_remove": "yes", "email": "ann@example.org"})
    assert EmailAddress.objects.count() == 1


def test_send_confirmation_again(client, db) -> None:
    assert client.post("/accounts/confirm-email/send/").status_code == 302
    sign_up(client)
    assert client.get("/accounts/confirm-email/send/").status_code == 405
    answer = client.post("/accounts/confirm-email/send/", follow=True)
    assert len(deliver()) == 1 and len(answer.context["messages"]) == 2  # welcome, and: a moment ago: not again


def test_following_anothers_link_logs_nobody_out(anns, db) -> None:
    sign_up(Client(), "Cleo")
    anns.get("/" + deliver()[0].body.partition("testserver/")[2].split()[0])
    assert anns.get("/settings/").context["user"].username == "Ann"


def test_closed_account(client, ann) -> None:
    User.objects.update(is_active=False)
    page = client.post("/accounts/login/", LOG_IN)
    assert page.status_code == 403
    assert "This account is closed" in page.content.decode()


def test_admin_has_the_sites_log_in(client, anns, admin_user) -> None:
    assert client.get("/admin/login/?next=/admin/").url.startswith("/accounts/login/?next=")
    assert client.post("/admin/login/", {"username": "admin", "password": "password"}).url.startswith(
        "/accounts/login/"
    )
    assert anns.get("/admin/").status_code in (302, 403)
    assert anns.get("/admin/login/").status_code == 403


def test_admin_of_members(client, ann, admin_user) -> None:
    client.force_login(admin_user)
    page = client.get(f"/admin/accounts/user/{ann.pk}/change/").content.decode()
    assert ann.password not in page and "pbkdf2" not in page and 'name="password"' not in page
    assert client.get("/admin/accounts/user/?q=ann").context["cl"].result_count == 1
    new = {
        "username": "аnn",
        "email": "",
        "usable_password": "true",
        "password1": PASSWORD,
        "password2": PASSWORD,
    }
    for name in ("a-n-n", "moderator", "аnn", "x"):
        assert client.post("/admin/accounts/user/add/", new | {"username": name}).status_code == 200
    assert client.post("/admin/accounts/user/add/", new | {"username": "Dora"}).status_code == 302
    row = {"email": "ANN@example.org", "language": "fr", "time_zone": "UTC", "colours": "dark"}
    assert client.post(f"/admin/accounts/user/{ann.pk}/change/", row).status_code == 302
    ann.refresh_from_db()
    assert (ann.email, ann.language, ann.skeleton) == ("ann@example.org", "fr", "ann")
    assert "authenticator" not in client.get("/admin/").content.decode()


def test_names_and_closed_accounts_are_not_for_the_admins_form(client, ann, admin_user) -> None:
    """They are changed by deeds alone, which ask why and write it down."""
    client.force_login(admin_user)
    address = f"/admin/accounts/user/{ann.pk}/change/"
    page = client.get(address).content.decode()
    for name, deed in (("username", "“Rename”"), ("is_active", "“Ban” and “Lift”")):
        assert f'name="{name}"' not in page
        assert f"Only {deed}, under Act" in page
    row = {"email": ann.email, "language": "en", "time_zone": "UTC", "colours": "dark"}
    assert client.post(address, row | {"username": "Dora"}).status_code == 302  # without is_active: unticked
    ann.refresh_from_db()
    assert (ann.username, ann.is_active) == ("Ann", True)
    User.objects.filter(pk=ann.pk).update(is_active=False)
    assert client.post(address, row | {"is_active": "on"}).status_code == 302
    assert not User.objects.get(pk=ann.pk).is_active


def test_createsuperuser(db, monkeypatch) -> None:
    monkeypatch.setenv("DJANGO_SUPERUSER_PASSWORD", PASSWORD)
    call_command("createsuperuser", interactive=False, username="admin", email="Root@Example.org")
    user = User.objects.get()
    assert (user.skeleton, user.email, user.is_superuser) == ("admln", "root@example.org", True)
    assert Client().post("/accounts/login/", {"login": "admin", "password": PASSWORD}).status_code == 302


def test_mail_in_the_readers_language_and_look(client, bob) -> None:
    client.post("/accounts/login/code/", {"email": "bob@example.org"})
    letter = deliver()[0]
    assert "bob_b" in letter.body
    code = letter.body.split("\n\n")[2].strip()
    assert code not in letter.subject
    html = letter.alternatives[0].content
    assert code in html and 'lang="fr"' in html and "<script" not in html and 'src="http' not in html
