"""Staff who are suspended: no page of the admin is open to them, by whatever name its address goes."""

import re
from datetime import timedelta

import pytest
from allauth.account.models import EmailAddress
from django.contrib import admin
from django.urls import reverse

from config.lib import clock
from games.moderation import members
from tests.factories import WHY, browser_of
from tests.test_permissions import ADDRESSES


@pytest.fixture
def suspended(root, mo):
    """An admin whom another admin has suspended."""
    other = type(root).objects.create_superuser("other", "other@example.org", "x")
    members.suspend(moderator=other, member=root, reason=WHY, until=clock.now() + timedelta(days=3))
    return root


def test_no_page_of_the_admin_opens(suspended, ann):
    browser = browser_of(suspended)
    lists = [reverse(f"admin:{m._meta.app_label}_{m._meta.model_name}_changelist") for m in admin.site._registry]
    address = EmailAddress.objects.create(user=ann, email="ann@example.org", verified=False)
    rows = [f"/admin/account/emailaddress/{address.pk}/{page}/" for page in ("change", "delete", "history")]
    others = [
        "/admin/",
        "/admin/operation/",
        "/admin/operation/give-time/",
        f"/admin/moderation/audit/act/?member={ann.pk}",
    ]
    for page in [*lists, *rows, *others, "/admin/jsi18n/", "/admin/account/"]:
        assert browser.get(page).status_code == 403, page
        assert browser.post(page).status_code == 403, page
    answer = browser.post("/admin/account/emailaddress/", {"action": "make_verified", "_selected_action": address.pk})
    assert answer.status_code == 403
    assert not EmailAddress.objects.get(pk=address.pk).verified


@pytest.mark.thin(1)
@pytest.mark.parametrize("method", ["get", "post", "put"])
def test_no_address_of_the_admin_opens(suspended, method):
    """All that the site knows, with a row that is there or not."""
    browser, opened = browser_of(suspended), {}
    for address in (one for one in ADDRESSES if one.startswith("admin/")):
        path = re.sub(
            r"\(\?P<url>.*", "nowhere/", re.sub("<app_label>", "games/", re.sub(r"<\w+:\w+>|<id>", "1", address))
        )
        answer = getattr(browser, method)(f"/{path}")
        if answer.status_code != 403:
            opened[address] = answer.status_code
    assert opened.keys() <= {"admin/logout/"}, opened


def test_the_account_stays_theirs(suspended):
    browser = browser_of(suspended)
    assert browser.get("/accounts/email/").status_code == 200
    assert browser.post("/accounts/email/", {"email": "new@example.org", "action_add": ""}).status_code != 403
    assert browser.post("/accounts/logout/").status_code == 302
