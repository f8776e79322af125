"""Passwords: the same however é was typed, hashes of before too; none of the site's name, none that many have."""

import contextlib
import time
import unicodedata

import pytest
from django.contrib.auth.hashers import PBKDF2PasswordHasher
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.test import Client

from accounts.models import User
from accounts.passwords import SiteNameValidator
from tests.factories import PASSWORD, confirmed_member, prove, sign_up
from tests.mailing import deliver

COMPOSED = unicodedata.normalize("NFC", "étés éternels là-bas")
TAKEN_APART = unicodedata.normalize("NFD", COMPOSED)
FORMS = [(COMPOSED, TAKEN_APART), (TAKEN_APART, COMPOSED), (TAKEN_APART, TAKEN_APART)]


def gets_in(password: str, name: str = "Cleo") -> bool:
    return Client().post("/accounts/login/", {"login": name, "password": password}).status_code == 302


@pytest.mark.parametrize(("first", "then"), FORMS)
def test_both_ways_to_type_a_letter_are_one(db, first, then) -> None:
    client = Client()
    assert sign_up(client, password1=first).status_code == 302
    assert gets_in(then)
    assert client.post("/accounts/reauthenticate/", {"password": then}).status_code == 302
    new = f"{first} 2"
    change = {"oldpassword": then, "password1": new, "password2": new}
    assert client.post("/accounts/password/change/", change).status_code == 302
    assert gets_in(f"{then} 2") and not gets_in(then)


def test_after_a_reset_too(client, ann) -> None:
    client.post("/accounts/password/reset/", {"email": "ann@example.org"})
    client.post("/accounts/password/reset/confirm/", {"code": deliver()[-1].body.split("\n\n")[2].strip()})
    client.post("/accounts/password/reset/complete/", {"password1": TAKEN_APART, "password2": TAKEN_APART})
    assert gets_in(COMPOSED, "Ann")


@pytest.mark.parametrize("typed", [COMPOSED, TAKEN_APART])
def test_a_hash_of_before_lets_in_and_is_replaced(db, typed) -> None:
    cleo = confirmed_member("Cleo", "cleo@example.org")
    cleo.password = PBKDF2PasswordHasher().encode(typed, "salt" * 6, 10)
    cleo.save()
    assert not gets_in("wrong")
    assert gets_in(typed)
    cleo.refresh_from_db()
    assert cleo.password.startswith("pbkdf2_sha256_nfc$")
    assert gets_in(COMPOSED) and gets_in(TAKEN_APART)


REFUSED = [
    *("Club Y Club Y", "club-y-2026", "ClubY!!!!!", "C1ub_Y_2026", "ＣｌｕｂＹ-club", "testserver1"),
    *("password-2026", "Pa$$w0rd!!!", "!!Azerty!!", "motdepasse1", "jetaime123", "1234567890", "d r a g o n 1"),
    *("82649173550", "ｐａｓｓｗｏｒｄ１", "chouchou..2026"),
]


@pytest.mark.parametrize("password", REFUSED)
def test_refused_with_a_sentence(client, db, password) -> None:
    page = sign_up(client, "Cleopatra", password1=password)
    assert page.status_code == 200 and page.context["form"].errors["password1"]
    assert not User.objects.exists()


@pytest.mark.parametrize(
    "password", [PASSWORD, COMPOSED, "clubbing otters at night", "my club yonder", "Ünïcödé ist möglich"]
)
def test_taken(password) -> None:
    validate_password(password)


@pytest.mark.parametrize("unit", ["1", "club-y", "é", "e\u0301", "!a", "\u0315\u0300"])
def test_a_huge_one_costs_next_to_nothing(unit) -> None:
    start = time.thread_time()
    with contextlib.suppress(ValidationError):
        validate_password(unit * (500_000 // len(unit)) + "a", User(username="Cleo", email="cleo@example.org"))
    assert time.thread_time() - start < 2


def test_the_sites_address_is_its_name_too(settings) -> None:
    settings.SITE_URL = "https://play.gamehouse.example"
    for password in ("gamehouse1", "play.gamehouse.example", "GameHouse-2026"):
        with pytest.raises(ValidationError):
            SiteNameValidator().validate(password)
    SiteNameValidator().validate("gamehouse otters swim")


def test_forms_in_which_passwords_are_set_refuse_alike(anns, ann) -> None:
    prove(anns)
    bad = {"oldpassword": PASSWORD, "password1": "Club-Y-2026", "password2": "Club-Y-2026"}
    page = anns.post("/accounts/password/change/", bad)
    assert "little more than the name of the site" in page.content.decode()
    good = {"oldpassword": "not mine 123", "password1": "another otter 8", "password2": "another otter 8"}
    assert "This is not your current password." in anns.post("/accounts/password/change/", good).content.decode()
    ann.refresh_from_db()
    assert ann.check_password(PASSWORD)
