"""What browsers, password managers and robots ask for by a fixed name."""

import pytest
from django.test import Client

from tests.factories import browser_of


@pytest.mark.parametrize(
    ("address", "kind"),
    [("/favicon.ico", "icon"), ("/apple-touch-icon.png", "image/png")],
)
def test_a_file_of_the_root(client, db, address, kind):
    answer = client.get(address)
    assert answer.status_code == 200
    assert kind in answer["Content-Type"]
    assert len(b"".join(answer)) > 100


def test_robots_stay_out_of_what_is_private(client, db):
    told = client.get("/robots.txt").content.decode().splitlines()
    assert {"Disallow: /accounts/", "Disallow: /admin/", "Disallow: /settings/"} <= set(told)


def test_password_managers_find_where_to_change_the_password(ann):
    assert Client().get("/.well-known/change-password").url == "/accounts/password/change/"
    page = browser_of(ann).get("/.well-known/change-password", follow=True)
    assert page.status_code == 200
    assert page.redirect_chain == [("/accounts/password/change/", 302)]
