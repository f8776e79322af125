"""Addresses that carry a secret (a token, a key): no browser and no proxy keeps what they show, to whomever."""

import pytest
from django.urls import get_resolver
from django.urls.converters import IntConverter

from accounts.models import User
from accounts.services.guests import token_of
from games.models import Match
from games.moderation import appeals, members
from games.services.calendar import addresses as calendars
from games.services.mail import answering, unsubscribing
from tests.clubs.arranged import made
from tests.competitions.arranged import announced
from tests.factories import WHY, browser_of, guest, member, moderator, opened

SECRET = {"token", "key"}
# What other parts of addresses that are texts name, all of it public.
PUBLIC = {"name", "digest", "language", "provider", "slug", "day", "id", "object_id", "content_type_id"}
PUBLIC |= {"app_label", "url", "month"}

pytestmark = pytest.mark.django_db


def parts(patterns, before: str = ""):
    """Yield every address of the site with the names of its parts that are no numbers."""
    for pattern in patterns:
        address = before + str(pattern.pattern)
        if hasattr(pattern, "url_patterns"):
            yield from parts(pattern.url_patterns, address)
        elif hasattr(pattern.pattern, "_route"):
            numbers = {name for name, one in pattern.pattern.converters.items() if isinstance(one, IntConverter)}
            yield address, pattern.pattern.converters.keys() - numbers
        else:
            yield address, pattern.pattern.regex.groupindex.keys()


def addresses() -> dict[str, tuple[str, str]]:
    """Return, by the site's pattern of each address that carries a secret, a real one and a forged one."""
    ann, bad = member("ann"), member("bad")
    table = opened(ann, access=Match.Access.LINK)
    contest = announced(moderator("mod"), access="link")
    members.ban(moderator=moderator(), member=bad, reason=WHY)
    calendars.turn_on(user_id=ann.pk)
    return {
        "join/<str:token>/": (f"/join/{table.token}/", "/join/x/"),
        "mails/answer/<str:token>/": (
            f"/mails/answer/{answering.token_of(ann, 1, table.pk, 'join', seat=None)}/",
            "/mails/answer/x/",
        ),
        "tournaments/link/<str:token>/": (f"/tournaments/link/{contest.token}/", "/tournaments/link/x/"),
        "clubs/join/<str:token>/": (f"/clubs/join/{made(ann, access='invitation').token}/", "/clubs/join/x/"),
        "join/<str:token>/card.png": (f"/join/{table.token}/card.png", "/join/x/card.png"),
        "guests/<str:token>/": (f"/guests/{token_of(guest())}/", "/guests/x/"),
        "mails/off/<str:token>/": (f"/mails/off/{unsubscribing.token(ann.pk, ['turn'])}/", "/mails/off/x/"),
        "calendar/<str:token>.ics": (f"/calendar/{calendars.token_of(ann)}.ics", "/calendar/x.ics"),
        "closed/<str:token>/": (appeals.why_closed(bad)["appeal_url"], "/closed/x/"),
        "accounts/confirm-email/<str:key>/": ("/accounts/confirm-email/x/", "/accounts/confirm-email/x:y:z/"),
        "accounts/^confirm-email/(?P<key>[-:\\w]+)/$": ("/accounts/confirm-email/x/", "/accounts/confirm-email/x:y:z/"),
    }


def test_all_parts_of_addresses_are_known() -> None:
    everything = dict(parts(get_resolver().url_patterns))
    assert set[str]().union(*everything.values()) <= SECRET | PUBLIC
    assert {address for address, texts in everything.items() if texts & SECRET} == addresses().keys()


@pytest.mark.thin(1)
@pytest.mark.parametrize("reader", ["visitor", "member"])
def test_nothing_of_them_is_kept(reader) -> None:
    for real, forged in addresses().values():
        browser = browser_of(User.objects.get(username="ann") if reader == "member" else None)
        for address in (real, forged):
            for ask in (browser.get, browser.head, browser.post):
                answer = ask(address)
                assert "no-store" in answer.headers.get("Cache-Control", ""), (address, answer.status_code)
                assert answer.headers["Referrer-Policy"] == "same-origin"
