"""Signing up: refusals first, then the member that comes of it."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from allauth.account.models import EmailAddress
from django.core.cache import cache
from django.db import IntegrityError, connection, transaction
from django.test import Client

from accounts.models import User
from accounts.services import membership
from tests.factories import PASSWORD, confirmed_member, sign_up
from tests.mailing import deliver


@pytest.mark.parametrize(
    "name",
    [
        "ann",
        "ANN",
        "Ａｎｎ",
        "a-nn",
        "an",
        "a" * 25,
        "admin",
        "rnoderator",
        "guest-x-1",
        "a b",
        "аnn",
        "日本語",
        "",
        "\0\0\0",
    ],
)
def test_name_refused_with_a_sentence(client, ann, name) -> None:
    page = sign_up(client, name)
    assert page.status_code == 200
    assert page.context["form"].errors["username"]
    assert User.objects.count() == 1
    assert b'aria-describedby="id_username_helptext id_username_error"' in page.content


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("email", "nobody"),
        ("email", ""),
        ("password1", "short"),
        ("password1", "password1"),
        ("password1", "Cleopatra"),
    ],
)
def test_other_refusals(client, db, field, value) -> None:
    page = sign_up(client, "Cleopatra", **{field: value})
    assert page.status_code == 200
    assert field in page.context["form"].errors


def test_database_refuses_look_alikes_and_double_addresses(ann) -> None:
    for name, email in (("АNN", ""), ("a_nn", ""), ("Dora", "ANN@example.org")):
        with pytest.raises(IntegrityError), transaction.atomic():
            User.objects.create(username=name, email=email)
    User.objects.create(username="Dora", email="")
    User.objects.create(username="Emil", email="")


def test_look_alike_who_was_first_by_a_moment(client, ann, monkeypatch) -> None:
    monkeypatch.setattr(membership, "name_is_taken", lambda name, **_: False)
    page = sign_up(client, "a-n-n")
    assert page.status_code == 200
    assert "taken" in str(page.context["form"].errors["username"])
    assert User.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_race_of_look_alikes() -> None:
    gate = Barrier(2)

    def run(name: str) -> int:
        try:
            client = Client(headers={"host": "localhost"})
            gate.wait()
            return sign_up(client, name, f"{name}@example.org").status_code
        finally:
            connection.close()

    with ThreadPoolExecutor(2) as pool:
        assert sorted(pool.map(run, ["lion", "Iion"])) == [200, 302]
    assert User.objects.count() == 1


@pytest.mark.parametrize(
    ("language", "posted", "zone"),
    [
        ("en", "Asia/Tokyo", "Asia/Tokyo"),
        ("en", "", "UTC"),
        ("fr", "", "Europe/Paris"),
        ("fr", "Mars/Olympus", "Europe/Paris"),
        ("en", "../../etc/passwd", "UTC"),
    ],
)
def test_member(client, db, language, posted, zone) -> None:
    client.cookies["django_language"] = language
    answer = sign_up(client, "Élodie", "Elodie@Example.org", time_zone=posted)
    assert (answer.status_code, answer.url) == (302, "/")
    user = User.objects.get()
    assert (user.username, user.email, user.language, user.time_zone, user.is_guest) == (
        "Élodie",
        "",
        language,
        zone,
        False,
    )
    assert not user.is_confirmed
    assert client.session["_auth_user_id"] == str(user.pk)
    address = EmailAddress.objects.get()
    assert (address.email, address.verified, address.primary) == ("elodie@example.org", False, True)
    assert len(deliver()) == 1
    assert "Confirmez" in deliver()[0].subject or "Confirm" in deliver()[0].subject


@pytest.mark.parametrize("login", ["Élodie", "ÉLODIE", "élodie", "elodie@example.org", "ELODIE@EXAMPLE.ORG"])
def test_logs_in_by_name_or_address_in_any_case(client, db, login) -> None:
    confirmed_member("Élodie", "elodie@example.org")
    answer = client.post("/accounts/login/", {"login": login, "password": PASSWORD})
    assert (answer.status_code, answer.url) == (302, "/")


def test_an_address_that_is_not_confirmed_lets_nobody_in(client, db) -> None:
    sign_up(Client(), "Cleo", "cleo@example.org")
    page = client.post("/accounts/login/", {"login": "cleo@example.org", "password": PASSWORD})
    assert page.status_code == 200 and "log in with your user name" in page.content.decode()
    assert client.post("/accounts/login/code/", {"email": "cleo@example.org"}).status_code == 302
    assert "No account has confirmed it" in deliver()[-1].body
    assert client.post("/accounts/login/", {"login": "Cleo", "password": PASSWORD}).status_code == 302


def test_look_alike_login_is_not_the_account(client, ann) -> None:
    assert client.post("/accounts/login/", {"login": "аnn", "password": PASSWORD}).status_code == 200


def test_confirmation(client, db) -> None:
    sign_up(client)
    body = deliver()[0].body
    assert "opens rated matches and the chats" in " ".join(body.split())
    link = next(word for word in body.split() if "/confirm-email/" in word)
    path = link.partition("testserver")[2]
    assert client.get(path).status_code == 200
    assert User.objects.get().email == ""  # a GET confirms nothing
    client.post(path)
    assert User.objects.get().email == "cleo@example.org"
    assert User.objects.get().is_confirmed
    assert client.post(path).status_code in (302, 404)


def test_two_claim_an_address_and_its_reader_gets_it(db) -> None:
    squatter, reader = Client(), Client()
    sign_up(squatter, "Squatter", "cleo@example.org")
    cache.clear()  # some minutes later
    sign_up(reader, "Cleo", "cleo@example.org")
    links = ["/" + m.body.partition("testserver/")[2].split()[0] for m in deliver()]
    reader.post(links[1])
    assert User.objects.get(username="Cleo").email == "cleo@example.org"
    answer = squatter.post(links[0])
    assert answer.status_code == 302
    assert User.objects.get(username="Squatter").email == ""


def test_mail_server_away(client, db, monkeypatch, clock) -> None:
    def away(self):
        raise ConnectionRefusedError

    with monkeypatch.context() as patch:
        patch.setattr("django.core.mail.backends.base.BaseEmailBackend.open", away)
        assert sign_up(client).status_code == 302
        assert deliver() == []
    assert User.objects.count() == 1
    clock.forward(121)
    assert len(deliver()) == 1
