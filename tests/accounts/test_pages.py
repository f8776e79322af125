"""Every page about accounts: it answers, in our frame, in both languages, with nothing the CSP forbids."""

import re
from collections.abc import Iterator

import pytest
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse

from accounts.models import User
from tests import FULL
from tests.factories import PASSWORD, prove

MINE = re.compile(r"account_|mfa_|usersessions_|settings$|set-language$|send-confirmation$")
KEYS = {
    "account_confirm_email": {"key": "no-such-key"},
    "mfa_edit_webauthn": {"pk": 1},
    "mfa_remove_webauthn": {"pk": 1},
}
FORBIDDEN = (
    re.compile(r"<script(?![^>]*\bsrc=)(?![^>]*type=\"application/json\")", re.I),
    re.compile(r"<style\b|\sstyle\s*=|\son[a-z]+\s*=\s*[\"']|javascript:", re.I),
    re.compile(r"(?:src|href|action)=[\"'](?:https?:)?//(?!testserver)", re.I),
)


def names(patterns) -> Iterator[str]:
    for pattern in patterns:
        if isinstance(pattern, URLResolver):
            if pattern.namespace is None:
                yield from names(pattern.url_patterns)
        elif isinstance(pattern, URLPattern) and pattern.name and MINE.match(pattern.name):
            yield pattern.name


def addresses() -> list[str]:
    found = sorted(set(names(get_resolver().url_patterns)))
    assert len(found) > 30
    return [reverse(name, kwargs=KEYS.get(name)) for name in found]


def pages(client: Client) -> Iterator[tuple[str, str]]:
    """Yield each page's address and text; redirects among them are followed."""
    for address in addresses():
        answer = client.get(address)
        while answer.status_code == 302 and answer.url.startswith(("/accounts/", "/settings/")):
            answer = client.get(answer.url)
        assert answer.status_code in (200, 302, 404, 405), (address, answer.status_code)
        if answer.status_code == 200 and answer.headers["Content-Type"].startswith("text/html"):
            yield address, answer.content.decode()


@pytest.fixture
def browsers(anns, guest):
    prove(anns)
    unconfirmed = Client()
    unconfirmed.post(
        "/accounts/signup/",
        {"username": "Cleo", "email": "cleo@example.org", "password1": PASSWORD},
    )
    waiting = Client()
    waiting.post("/accounts/login/code/", {"email": "ann@example.org"})
    resetting = Client()
    resetting.post("/accounts/password/reset/", {"email": "ann@example.org"})
    return {
        "visitor": Client(),
        "Ann": anns,
        "guest": guest,
        "Cleo": unconfirmed,
        "waiting": waiting,
        "resetting": resetting,
    }


@pytest.mark.thin(1)
@pytest.mark.parametrize("language", ["en", "fr"])
def test_every_page(browsers, language) -> None:
    User.objects.update(language=language)
    for place, (who, client) in enumerate(browsers.items()):
        if not FULL and (place + (language == "fr")) % 2:
            continue  # in short in one of the two languages, the next of them in the other
        client.cookies["django_language"] = language
        for address, page in pages(client):
            where = (who, address)
            assert f'<html lang="{language}"' in page, where
            assert 'id="main"' in page, where
            assert re.search(r"<h1\b", page), where
            assert not re.search(r"<title>\s*·", page), where
            for pattern in FORBIDDEN:
                assert not pattern.search(page), (where, pattern.search(page))
            for name in re.findall(r'aria-describedby="([^"]+)"', page):
                assert all(f'id="{part}"' in page for part in name.split()), (where, name)


JUNK = [
    {},
    {"login": "\0", "password": "\0", "username": "\0", "email": "\0", "code": "\0", "credential": "\0"},
    {
        "login": ["x", "y"],
        "email": "x" * 5000,
        "username": "x" * 5000,
        "password1": "x" * 5000,
        "code": "ééé",
        "credential": "{}",
        "next": "javascript:alert(1)",
    },
    {
        "email": "ann@example.org",
        "action_send": "",
        "action_remove": "",
        "action_primary": "",
        "action": "resend",
        "credential": '{"id": 1, "response": []}',
    },
    {"credential": "[]", "code": "\u202e", "action": "change", "email": "a@b@c", "action_add": "1"},
    {"credential": "[" * 3000},  # Python's reader of JSON gives up on these with other errors than that of JSON
    {"credential": "9" * 5000},
]


PEOPLE = ["visitor", "Ann", "guest", "Cleo", "waiting", "resetting"]


@pytest.mark.thin(2)
@pytest.mark.parametrize("who", PEOPLE)
def test_junk_is_never_an_error_of_ours(browsers, who, settings) -> None:
    """All to each address, in short each piece by every other of them in turn."""
    settings.ACCOUNT_RATE_LIMITS = settings.MFA_RATE_LIMITS = False
    for place, address in enumerate(addresses(), start=PEOPLE.index(who)):
        for junk in JUNK if FULL else JUNK[place % 2 :: 2]:
            status = browsers[who].post(address, junk).status_code
            assert status < 500, (address, junk, status)


@pytest.mark.parametrize("answer", ["9" * 5000, r'"\ud800"', r'{"id": "\ud800"}', "[" * 3000])
def test_a_keys_answer_that_cannot_be_read_is_not_shown_again(anns, answer) -> None:
    prove(anns)
    page = anns.post("/accounts/2fa/webauthn/add/", {"credential": answer, "name": "key"})
    assert page.status_code == 200
    assert "could not be read" in page.text


@pytest.mark.thin(10)
@pytest.mark.parametrize(
    "odd", ["http://[", "//[", "//[::1]]", "http://[/x", "\\\\[", "//\uff0f", "http://a\u2100b/", "/%00", "?", "#"]
)
@pytest.mark.parametrize("page", ["signup", "login", "login/code", "password/reset"])
def test_an_address_to_go_on_to_that_is_none(client, db, page, odd) -> None:
    assert client.get(f"/accounts/{page}/", {"next": odd}).status_code == 200
    assert client.post(f"/accounts/{page}/", {"next": odd}).status_code == 200


def test_passkey_pages_need_only_files_of_ours(anns) -> None:
    prove(anns)
    for address in ("/accounts/login/", "/accounts/2fa/webauthn/add/"):
        page = (anns if "2fa" in address else Client()).get(address).content.decode()
        for script in (
            "mfa/js/webauthn-json.js",
            "mfa/js/webauthn.js",
            "account/js/onload.js",
            "accounts/passkeys.js",
        ):
            assert script in page, (address, script)
    options = Client().get("/accounts/2fa/webauthn/login/", headers={"accept": "application/json"}).json()
    assert options["request_options"]["publicKey"]["challenge"]


def test_fields_help_password_stores_and_keyboards(client, db) -> None:
    page = client.get("/accounts/signup/").content.decode()
    for hint in ('autocomplete="username"', 'autocomplete="email"', 'autocomplete="new-password"'):
        assert hint in page
    page = client.get("/accounts/login/").content.decode()
    assert 'autocomplete="username webauthn"' in page and 'autocomplete="current-password"' in page
    assert 'type="password" name="password"' in page
    client.post("/accounts/login/code/", {"email": "nil@example.org"})
    page = client.get("/accounts/login/code/confirm/").content.decode()
    assert 'autocomplete="one-time-code"' in page and 'inputmode="numeric"' in page
