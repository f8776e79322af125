"""Cookies that no browser of ours got from the site: they open nothing, and are no error."""

import pytest

pytestmark = pytest.mark.both


@pytest.mark.thin(8)
@pytest.mark.parametrize("key", [r'"\000abcdefgh"', r'"\377\376abcdefgh"', "x" * 4000, "é" * 20, '"', "a%00bcdefgh"])
@pytest.mark.parametrize("path", ["/", "/accounts/login/", "/settings/", "/matches/1/", "/present/"])
def test_no_session_has_such_a_key(client, db, path, key):
    page = client.get(path, HTTP_COOKIE=f"sessionid={key}")
    assert page.status_code in (200, 204, 302)
