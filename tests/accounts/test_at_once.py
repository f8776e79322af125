"""What is posted twice at the same moment, as by a button that is pressed twice, is done once."""

import asyncio

import pytest
from allauth.mfa.models import Authenticator
from django.test import Client

from tests.accounts.test_security import totp
from tests.factories import prove
from tests.games.play.at_once import TOKEN, Tab, send, statuses


@pytest.mark.both
def test_an_app_is_set_up_once(site, ann) -> None:
    """The second post was an error."""
    browser = Client()
    browser.force_login(ann)
    prove(browser)
    secret = browser.get("/accounts/2fa/totp/activate/").context["form"].secret
    tab = Tab(None)
    tab.cookies = {name: morsel.value for name, morsel in browser.cookies.items()} | {"csrftoken": TOKEN}
    answers = asyncio.run(send(site.url, [tab.post("/accounts/2fa/totp/activate/", code=totp(secret))] * 12))
    assert statuses(answers) == [302] * 12
    assert sorted(Authenticator.objects.values_list("type", flat=True)) == ["recovery_codes", "totp"]
