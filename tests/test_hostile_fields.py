"""Sixty hostile texts in what people send about themselves, as ways to go on, and as reasons of admins."""

import re
from urllib.parse import quote, urlsplit

import pytest
from allauth.mfa.models import Authenticator

from accounts.mfa_forms import LONGEST_KEY_NAME
from accounts.models import User
from games.models import Audit
from games.services.operation import admin_actions
from tests.factories import PASSWORD, browser_of
from tests.hostile import ANSWERS, SHARES, TEXTS, tried
from tests.hostile_site import staged

pytestmark = pytest.mark.walk

UNSEEN = set("\0\x1b\u202e\u2066\ufeff")


@pytest.fixture
def stage(transactional_db) -> dict[str, int]:
    """The numbers of what the hostile texts stand in."""
    return staged()


def test_every_field_about_oneself_answers_in_words(stage, settings):
    """Names of keys, added addresses, whom one hears again, and where one goes on to."""
    settings.ACCOUNT_RATE_LIMITS = False
    kim, ann = (browser_of(User.objects.get(pk=stage[name])) for name in ("kim", "ann"))
    proof = "/accounts/reauthenticate/"
    for browser in (kim, ann):
        browser.post(proof, {"password": PASSWORD})
    key = f"/accounts/2fa/webauthn/keys/{stage['key']}/edit/"
    assert kim.get(key).status_code == 200
    for text in TEXTS:
        posts = {
            key: {"name": text},
            "/accounts/email/": {"email": text, "action_add": ""},
            f"/people/{quote(text)}/hear/": {},
            f"/people/{quote(text)}/follow/": {"next": text},
            "/people/ann/follow/": {"next": text},
            "/people/ann/block/": {"next": text, "wish": "0"},
            "/settings/mail-again/": {"next": text},
            "/language/": {"language": "en", "next": text},
            "/i18n/setlang/": {"language": "en", "next": text},
            proof: {"password": PASSWORD, "next": text},
        }
        for address, data in tried(text, posts.items()):
            assert_stays(kim.post(address, data), address, text)
        assert_stays(ann.post("/accounts/2fa/webauthn/add/", {"name": text, "credential": text}), "key", text)
        for address in tried(text, ("/accounts/login/", "/accounts/signup/", proof, "/admin/login/")):
            assert_stays(browser_of().get(address, {"next": text}), address, text)
        log_in = {"login": "ann", "password": PASSWORD, "next": text}
        assert_stays(browser_of().post("/accounts/login/", log_in), "log-in", text)
        leaving = browser_of(User.objects.get(pk=stage["mo"]))
        assert_stays(leaving.post("/accounts/logout/", {"next": text}), "log-out", text)
        assert kim.get("/accounts/2fa/webauthn/").status_code == 200
        name = Authenticator.objects.get(pk=stage["key"]).data["name"]
        assert 0 < len(name) <= LONGEST_KEY_NAME
        assert not set(name) & UNSEEN


def test_every_reason_of_an_admin_answers_in_words(stage):
    """On the operation page, and for a look at what is hidden."""
    root = browser_of(User.objects.get(pk=stage["root"]))
    for text in TEXTS:
        posts = {
            "/admin/operation/give-time/": {"hours": text, "reason": text, "last": text},
            f"/admin/operation/matches/give-time/?match={stage['match']}": {"hours": "1", "reason": text},
            f"/admin/operation/sweeps/{stage['sweep']}/undo/": {"reason": text, "last": text},
            f"/admin/games/match/{stage['match']}/hidden/": {"reason": text},
        }
        for address, data in tried(text, posts.items()):
            last = admin_actions.last_act(User.objects.get(pk=stage["root"]))
            assert root.post(address, {"last": last} | data).status_code in ANSWERS, (address, text)
    looks = set(Audit.objects.filter(deed="look").values_list("reason", flat=True))
    assert len(looks) > 30 // SHARES
    assert not set("".join(looks)) & UNSEEN


def assert_stays(answer, address: str, text: str) -> None:
    """The answer is one in words, and if it leads anywhere, then within the site."""
    assert answer.status_code in ANSWERS, (address, text)
    where = answer.headers.get("Location", "/")
    assert not re.search(r"[\r\n]", where), (address, text)
    parts = urlsplit(where)
    assert (parts.scheme, parts.netloc) in (("", ""), ("http", "testserver")), (address, text, where)
