"""What is posted twice at the same moment, as by a button that is pressed twice, is done once."""

import asyncio

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
from django.core.cache import cache
from django.test import Client

from tests.accounts.test_security import LOG_IN, totp
from tests.factories import prove
from tests.games.play.at_once import TOKEN, Tab, send, statuses

SECRET = generate_totp_secret()


def tab_of(browser: Client) -> Tab:
    """Return a tab with the session of this browser, for the running site."""
    tab = Tab(None)
    tab.cookies = {name: morsel.value for name, morsel in browser.cookies.items()} | {"csrftoken": TOKEN}
    return tab


@pytest.mark.both
def test_an_app_is_set_up_once(site, ann) -> None:
    """The second post was an error."""
    browser = Client()
    browser.force_login(ann)
    prove(browser)
    secret = browser.get("/accounts/2fa/totp/activate/").context["form"].secret
    answers = asyncio.run(
        send(site.url, [tab_of(browser).post("/accounts/2fa/totp/activate/", code=totp(secret))] * 12)
    )
    assert statuses(answers) == [302] * 12
    assert sorted(Authenticator.objects.values_list("type", flat=True)) == ["recovery_codes", "totp"]


@pytest.mark.both
def test_a_code_is_looked_at_before_or_after_its_factor_goes(site, ann) -> None:
    """Whoever logged in while the app was removed met an error."""
    for _round in range(4):
        TOTP.activate(ann, SECRET)
        codes = RecoveryCodes.activate(ann).generate_codes()
        browser = Client()
        browser.force_login(ann)
        prove(browser)
        browser.post("/accounts/2fa/reauthenticate/", {"code": codes[9]})
        owner = tab_of(browser)
        posts = [owner.post("/accounts/2fa/totp/deactivate/"), owner.post("/accounts/2fa/recovery-codes/generate/")]
        for code in (*codes[:3], totp(SECRET)):
            entering = Client()
            entering.post("/accounts/login/", LOG_IN)
            posts.append(tab_of(entering).post("/accounts/2fa/authenticate/", code=code))
        assert max(statuses(asyncio.run(send(site.url, posts)))) < 500
        cache.clear()
        Authenticator.objects.all().delete()
