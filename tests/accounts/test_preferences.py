"""Language, time zone and look: refusals, what is stored, and what each request is answered in."""

import pytest
from django.http import HttpResponse
from django.test import Client
from django.utils import timezone, translation

from accounts.middleware import Preferences
from accounts.models import User
from accounts.services import visits
from config.lib import time_zones
from tests.factories import browser_of

GOOD = {
    "language": "fr",
    "time_zone": "America/Argentina/Ushuaia",
    "colours": "dark",
    "reduced_motion": "on",
}  # single keys off


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("language", "de"),
        ("language", ""),
        ("time_zone", "Mars/Olympus"),
        ("time_zone", "../etc"),
        ("time_zone", ""),
        ("colours", "pink"),
        ("language", "\0"),
    ],
)
def test_refused(anns, field, value) -> None:
    page = anns.post("/settings/", GOOD | {field: value})
    assert page.status_code == 422
    assert field in page.context["form"].errors
    assert User.objects.get().language == "en"


def test_what_an_open_page_asks_by_itself_is_no_visit(ann) -> None:
    browser = browser_of(ann)
    browser.get("/play/?fragment=1", headers={"X-Unasked": "1"})
    visits._noter.submit(int).result()
    assert visits.last([ann.pk]) == {}
    browser.get("/play/")
    visits._noter.submit(int).result()
    assert ann.pk in visits.last([ann.pk])


def test_visitors_are_asked_to_log_in(client, db) -> None:
    assert client.get("/settings/").url == "/accounts/login/?next=/settings/"


@pytest.mark.parametrize("who", ["anns", "guest"])
def test_saved(who, request) -> None:
    client = request.getfixturevalue(who)
    answer = client.post("/settings/", GOOD, follow=True)
    user = User.objects.get()
    assert (user.language, user.time_zone, user.colours, user.reduced_motion) == (
        "fr",
        GOOD["time_zone"],
        "dark",
        True,
    )
    page = answer.content.decode()
    assert '<html lang="fr" data-colours="dark" data-motion="reduced"' in page
    assert 'data-keys="off"' in page
    assert "data-keys" not in client.post("/settings/", GOOD | {"single_keys": "on"}, follow=True).content.decode()
    assert "Saved." in [str(message) for message in answer.context["messages"]] or "Enregistré" in page


def test_zone_outside_the_areas_stays_offered(anns) -> None:
    User.objects.update(time_zone="Etc/GMT+5")
    assert anns.post("/settings/", GOOD | {"time_zone": "Etc/GMT+5"}).status_code == 302
    assert len(time_zones.choices()) == 1 + len(time_zones.AREAS)
    assert all(group for _label, group in time_zones.choices()[1:])


@pytest.mark.parametrize(
    ("language", "target", "status", "location"),
    [
        ("de", "/", 400, None),
        ("", "/", 400, None),
        ("fr", "https://evil.example/", 302, "/"),
        ("fr", "//evil.example", 302, "/"),
        ("fr", "/settings/?a=1", 302, "/settings/?a=1"),
        ("fr", "", 302, "/"),
    ],
)
def test_set_language(anns, language, target, status, location) -> None:
    answer = anns.post("/language/", {"language": language, "next": target})
    assert answer.status_code == status
    assert answer.headers.get("Location") == location
    assert User.objects.get().language == ("fr" if status == 302 else "en")


def test_visitor_keeps_language_in_the_cookie(client, db) -> None:
    assert client.get("/language/").status_code == 405
    client.post("/language/", {"language": "fr"})
    assert client.cookies["django_language"].value == "fr"
    assert client.get("/accounts/login/").headers["Content-Language"] == "fr"
    assert "sessionid" not in client.cookies


def seen(request) -> HttpResponse:
    return HttpResponse(f"{translation.get_language()} {timezone.get_current_timezone_name()}")


def answer_to(rf, user=None, **headers: str) -> HttpResponse:
    request = rf.get("/", headers=headers)
    if user is not None:
        request.COOKIES["sessionid"] = "x"
        request.session = Client().session
        request.user = user
    return Preferences(seen)(request)


@pytest.mark.parametrize(
    ("language", "zone", "expected"),
    [
        ("fr", "Asia/Tokyo", "fr Asia/Tokyo"),
        ("fr", "Gone/Zone", "fr UTC"),
        ("xx", "UTC", "en UTC"),
        ("", "", "en UTC"),
        ("fr", "/etc/passwd", "fr UTC"),
    ],
)
def test_persons_language_and_zone(rf, db, language, zone, expected) -> None:
    answer = answer_to(rf, User(language=language, time_zone=zone))
    assert answer.content.decode() == expected
    assert timezone.get_current_timezone_name() == "UTC"


@pytest.mark.parametrize(
    ("headers", "language", "vary"),
    [
        ({}, "en", "Cookie, Accept-Language"),
        ({"accept-language": "fr-CA,fr;q=0.9"}, "fr", "Cookie, Accept-Language"),
        ({"accept-language": "fr", "cookie": "django_language=en"}, "en", "Cookie"),
        ({"accept-language": "fr", "cookie": "django_language=xx"}, "fr", "Cookie, Accept-Language"),
        ({"accept-language": "\xff;q=,,"}, "en", "Cookie, Accept-Language"),
    ],
)
def test_visitors_language(rf, headers, language, vary) -> None:
    answer = answer_to(rf, **headers)  # without a session at all: it is not touched
    assert answer.headers["Content-Language"] == language
    assert answer.headers["Vary"] == vary


def test_no_queries_for_visitors(client, db, django_assert_num_queries) -> None:
    with django_assert_num_queries(0):
        client.get("/accounts/login/")
