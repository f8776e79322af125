"""Cookies, headers, limits, proxies, sessions, settings of production, and what logs may not hold."""

import json
import os
import subprocess
import sys

import httpx
import pytest
import websockets.sync.client as sockets
from django.core.cache import cache
from django.test import Client
from websockets.exceptions import ConnectionClosed, InvalidStatus

from accounts.models import User
from config.asgi import is_same_origin
from games.models import ChatLine, Match
from games.moderation import members
from games.moderation.models import Trace, moderators
from games.queries.play import seats_of
from games.services.chat import lines as chat_lines
from tests.factories import PASSWORD, browser_of, member, opened, seat, seated, session_of
from tests.processes import ROOT, get, wait_until

PRODUCTION = {
    "SITE_URL": "https://club.example",
    "ALLOWED_HOSTS": "club.example",
    "TRUSTED_PROXY_COUNT": "1",
    "DJANGO_SETTINGS_MODULE": "config.settings",
}


@pytest.fixture(autouse=True)
def _no_limits_left():
    cache.clear()


def production(code: list[str], tmp_path) -> subprocess.CompletedProcess[str]:
    """Run Python with the settings of production, as docs/operation.md tells them."""
    env = os.environ | PRODUCTION | {"VAR_DIR": str(tmp_path), "SECRET_KEY": ""}
    return subprocess.run([sys.executable, *code], env=env, cwd=ROOT, capture_output=True, text=True, check=False)


def test_the_settings_of_production_are_clean(tmp_path):
    done = production(["manage.py", "check", "--deploy", "--fail-level", "WARNING"], tmp_path)
    assert done.returncode == 0, done.stderr
    assert "no issues" in done.stdout


def test_the_flags_of_cookies_in_production(tmp_path):
    code = """
import django; django.setup()
from django.conf import settings as s
for name in ("SESSION", "CSRF", "LANGUAGE"):
    print(*(getattr(s, f"{name}_COOKIE_{flag}") for flag in ("NAME", "SECURE", "HTTPONLY", "SAMESITE")))
print(s.DEVICE_COOKIE_NAME)
print(s.SECURE_HSTS_SECONDS, s.SECURE_SSL_REDIRECT, s.SECURE_PROXY_SSL_HEADER)
"""
    lines = production(["-c", code], tmp_path).stdout.splitlines()
    assert lines == [
        "__Host-sessionid True True Lax",
        "__Host-csrftoken True True Lax",
        "__Host-django_language True True Lax",
        "__Host-device",
        "31536000 True ('HTTP_X_FORWARDED_PROTO', 'https')",
    ]


def test_the_cookies_that_are_set(client, db):
    member("ann")
    client.get("/accounts/login/")
    client.post("/accounts/login/", {"login": "ann", "password": PASSWORD})
    client.post("/language/", {"language": "fr"})
    assert set(client.cookies) == {"sessionid", "csrftoken", "django_language", "device"}
    for name, cookie in client.cookies.items():
        assert cookie["httponly"], name
        assert cookie["samesite"] == "Lax", name


def test_over_https_no_other_host_can_set_them(db, settings):
    """Browsers take a cookie named `__Host-…` only so: secure, for every path, for no other host."""
    names = {"sessionid": "SESSION", "csrftoken": "CSRF", "django_language": "LANGUAGE", "device": "DEVICE"}
    for name, setting in names.items():
        setattr(settings, f"{setting}_COOKIE_NAME", f"__Host-{name}")
        setattr(settings, f"{setting}_COOKIE_SECURE", True)
    member("ann")
    client = Client()
    client.get("/accounts/login/", secure=True)
    client.post("/accounts/login/", {"login": "ann", "password": PASSWORD}, secure=True)
    client.post("/language/", {"language": "fr"}, secure=True)
    assert set(client.cookies) == {f"__Host-{name}" for name in names}
    assert client.get("/settings/", secure=True).status_code == 200
    gone = client.post("/accounts/logout/", secure=True).cookies
    for cookie in (*client.cookies.values(), *gone.values()):
        assert (cookie["secure"], cookie["path"], cookie["domain"]) == (True, "/", ""), cookie.key


def test_what_is_personal_is_kept_by_no_browser(db):
    ann, visitor = browser_of(member("ann")), Client()
    for path in ("/", "/settings/", "/matches/", "/people/ann/", "/nowhere/", "/accounts/2fa/"):
        assert "no-store" in ann.get(path).headers["Cache-Control"], path
    visitor.post("/accounts/password/reset/", {"email": "ann@example.org"})
    assert "no-store" in visitor.get("/accounts/password/reset/confirm/").headers["Cache-Control"]
    assert "Cache-Control" not in visitor.get("/privacy/").headers
    assert ann.post("/accounts/logout/").headers["Clear-Site-Data"] == '"cache"'  # language and device stay


HEADERS = {
    "Content-Security-Policy": "script-src 'self'",
    "X-Frame-Options": "DENY",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "camera=()",
}


@pytest.mark.django_db
@pytest.mark.parametrize(
    "path",
    ["/", "/nowhere/", "/healthz", "/matches/", "/admin/login/", "/static/site/site.css", "/i18n/setlang/"],
)
def test_every_answer_has_the_headers(path):
    for client in (Client(raise_request_exception=False), Client(enforce_csrf_checks=True)):
        for answer in (client.get(path), client.post(path)):
            for name, value in HEADERS.items():
                assert value in answer.headers[name], (path, name)
            assert "unsafe" not in answer.headers["Content-Security-Policy"]
            assert "Access-Control-Allow-Origin" not in answer.headers


@pytest.mark.django_db
@pytest.mark.urls("tests.operation.addresses")
def test_a_crash_has_them_too():
    answer = browser_of().get("/fails/x")
    assert answer.status_code == 500
    assert all(value in answer.headers[name] for name, value in HEADERS.items())


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["/", "/nowhere/", "/admin/", "/settings/", "/.well-known/change-password"])
def test_trace_is_refused_everywhere(path):
    for client in (Client(), browser_of(User.objects.create_superuser("root", "root@example.org", PASSWORD))):
        assert client.trace(path).status_code == 405


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["/.git/HEAD", "/static/", "/static/site/", "/manage.py", "/static/../manage.py"])
def test_no_file_of_the_source_is_served(path):
    assert Client().get(path).status_code == 404


@pytest.mark.thin(2)
@pytest.mark.parametrize(("what", "most"), [("join", 60), ("invite", 60), ("table", 60), ("chat", 12), ("report", 10)])
def test_limits_of_members_answer_in_words(db, what, most):
    ann, bob = member("ann"), member("bob")
    match, table = seated(ann, bob), opened(ann)
    crowd = [member(f"crowd-{number}") for number in range(most + 1 if what == "report" else 0)]
    path, body = {
        "join": (f"/matches/{match.pk}/join/", {}),
        "invite": (f"/matches/{table.pk}/invite/", {"name": "bob"}),
        "table": (f"/matches/{match.pk}/rematch/", {}),
        "chat": (f"/matches/{match.pk}/chat/say/", {"text": "hi"}),
        "report": ("/report/?member=crowd-{number}", {"reason": "spam"}),  # one thing twice counts once
    }[what]
    browser = browser_of(ann)
    answers = [browser.post(path.format(number=number), body) for number in range(most + 1)]
    assert 429 not in {answer.status_code for answer in answers[:-1]}
    assert answers[-1].status_code == 429
    assert "a little fast" in answers[-1].content.decode()
    assert browser_of(bob).post(path.format(number=len(crowd) - 1), body).status_code != 429


def test_the_admins_log_in_has_the_limits_of_the_sites(db):
    User.objects.create_superuser("root", "root@example.org", PASSWORD)
    client = Client()
    assert client.get("/admin/login/")["Location"].startswith("/accounts/login/")
    wrong = {"login": "root", "password": "wrong"}
    answers = [client.post("/accounts/login/?next=/admin/", wrong) for _ in range(6)]
    assert b"Too many" in answers[-1].content or answers[-1].status_code == 429
    assert client.post("/admin/login/", {"username": "root", "password": PASSWORD}).status_code == 302
    assert "sessionid" not in client.cookies


def test_a_forged_address_is_not_believed_without_a_proxy(db, settings):
    ann = member("ann")
    for number, forged in enumerate(("198.51.100.1", "192.0.2.1")):
        client = Client(REMOTE_ADDR="203.0.113.5", HTTP_X_FORWARDED_FOR=forged)
        client.force_login(ann)
        client.post("/games/yum-extra/now/", {"lesson": "no"})
        assert Trace.objects.filter(kind="range").count() == 1, number
    settings.ALLAUTH_TRUSTED_PROXY_COUNT = 1
    client = Client(REMOTE_ADDR="203.0.113.5", HTTP_X_FORWARDED_FOR="10.9.9.9, 198.51.100.1")
    client.force_login(ann)
    client.post("/games/yum-extra/now/", {"lesson": "no"})
    assert Trace.objects.filter(kind="range").count() == 2


def test_a_session_is_new_after_log_in(client, db):
    member("ann")
    client.post("/language/", {"language": "fr"})
    client.get("/accounts/login/code/")
    session = client.session
    session["planted"] = "x"
    session.save()
    client.cookies["sessionid"] = before = session.session_key
    client.post("/accounts/login/", {"login": "ann", "password": PASSWORD})
    after = client.cookies["sessionid"].value
    assert after != before
    assert not client.session.exists(before)


def test_the_admin_changes_passwords_by_the_sites_own_page(db):
    root = browser_of(User.objects.create_superuser("root", "root@example.org", PASSWORD))
    assert root.get("/admin/password_change/")["Location"] == "/accounts/password/change/"


def live(site, cookies, origin=None, query=""):
    """Open a socket as a browser does."""
    return sockets.connect(
        f"{site.url.replace('http', 'ws')}/ws/?{query}",
        origin=site.url if origin is None else origin,
        additional_headers={"Cookie": "; ".join(f"{name}={value}" for name, value in cookies.items())},
    )


@pytest.mark.parametrize(
    "origin", ["https://evil.example", "http://localhost.evil.example", "null", "http://localhost:9"]
)
def test_a_page_of_another_site_opens_no_socket(site, origin):
    cookies = session_of(member("ann"))
    with live(site, cookies) as socket:
        socket.recv(timeout=5)
    with pytest.raises(InvalidStatus):
        live(site, cookies, origin=origin)


def test_a_ban_closes_sockets_and_refuses_within_two_seconds(site):
    ann, bob, mo = member("ann"), member("bob"), member("mo", is_staff=True)
    mo.groups.add(moderators())
    match = seated(ann, bob)
    cookies = session_of(ann)
    with live(site, cookies, query=f"match={match.pk}") as socket, live(site, session_of(bob)) as other:
        socket.recv(timeout=5)
        members.ban(moderator=mo, member=ann, reason="x")
        with pytest.raises(ConnectionClosed) as closed:
            while True:
                socket.recv(timeout=2)
        assert closed.value.rcvd.code in (4401, 4503)
        other.ping().wait(2)
    with httpx.Client(base_url=site.url, cookies=cookies) as browser:
        answer = browser.get("/settings/")
        assert answer.headers["Location"].startswith("/accounts/login/")
    with live(site, cookies) as again, pytest.raises(TimeoutError):  # a visitor's now: it is greeted, and hears nothing
        assert json.loads(again.recv(timeout=5))["who"] == "visitor"
        again.recv(timeout=0.5)
    assert Match.objects.get(pk=match.pk).status == "ended"


def test_a_ban_at_one_server_ends_what_the_member_has_open_at_another(site, new_site):
    elsewhere = new_site()
    elsewhere.web.start()
    ann, bob, mo = member("ann"), member("bob"), member("mo", is_staff=True)
    mo.groups.add(moderators())
    match = seated(ann, bob, member("zoe"))
    csrf = "c" * 32
    with (
        live(site, session_of(ann), query=f"match={match.pk}") as socket,
        httpx.Client(base_url=site.url, cookies=session_of(ann)) as hers,
        httpx.Client(base_url=elsewhere.url, cookies={**session_of(mo), "csrftoken": csrf}) as office,
    ):
        socket.recv(timeout=5)
        assert hers.get("/settings/").status_code == 200
        ban = {"deed": "ban", "reason": "x", "sure": "on", "csrfmiddlewaretoken": csrf}
        act = f"/admin/moderation/audit/act/?member={ann.pk}"
        assert office.post(act, data=ban).status_code == 302
        with pytest.raises(ConnectionClosed):
            while True:
                socket.recv(timeout=2)
        assert hers.get("/settings/").status_code == 302
        assert hers.get(f"/matches/{match.pk}/").status_code == 200  # as a visitor: it is public
    assert match.seats.get(user=ann).bot == "easy"


def test_logs_hold_nobody_and_nothing_said(site):
    ann, bob = member("planted-ann", language="en"), member("planted-bob")
    match = seated(ann, bob)
    line = "a planted line"
    client_cookies = session_of(ann)
    headers = {"Cookie": "; ".join(f"{name}={value}" for name, value in client_cookies.items())}
    before = len(site.web.output())
    assert get(f"{site.url}/report/?member=planted-bob")[0] in (200, 302)
    get(f"{site.url}/leaving/?to=https://planted.example/")
    chat_lines.say(match=match, seats=seats_of(match), user=ann, text=line)
    wait_until(lambda: "/leaving/" in site.web.output()[before:], "the log")
    said = site.web.output()[before:]
    for secret in ("planted", "127.0.0.1", "@example.org", line, *headers.values()):
        assert secret not in said
    assert ChatLine.objects.count() == 1


@pytest.mark.parametrize(
    ("origin", "host", "same"),
    [
        ("http://club.example", "club.example", True),
        ("https://club.example", "club.example", True),
        ("https://club.example:443", "Club.example", True),
        ("http://127.0.0.1:8000", "127.0.0.1:8000", True),
        ("http://[::1]:8000", "[::1]:8000", True),
        ("http://club.example", "club.example:8000", False),
        ("http://club.example:8000", "club.example", False),
        ("https://club.example:80", "club.example", False),
        ("http://club.example.evil.example", "club.example", False),
        ("ws://club.example", "club.example", False),
        ("null", "null", False),
        ("", "", False),
        ("http://", "", False),
    ],
)
def test_origins(origin, host, same):
    assert is_same_origin(origin, host) is same


def test_nobody_posts_faster_than_hands_can(db, monkeypatch, settings):
    settings.POSTS_A_MINUTE = 3
    monkeypatch.setattr("config.lib.rate_limits.A_MINUTE", 10**13)  # this test must not fall into two minutes
    ann, bob = member("ann"), member("bob")
    match = seated(ann, bob)
    browser = Client()
    browser.force_login(ann)
    codes = [browser.post(f"/matches/{match.pk}/notes/", {"notes": str(n)}).status_code for n in range(5)]
    assert codes[:3] == [302] * 3
    assert codes[4] == 429
    assert "a little fast" in browser.post(f"/matches/{match.pk}/notes/", {"notes": "x"}).content.decode()
    assert browser.post("/people/bob/follow/").status_code == 429
    assert seat(match, 0).notes == "2"
    for door in ("/settings/", "/settings/days-off/", "/language/", "/accounts/email/", "/people/bob/hear/"):
        assert browser.post(door, {"language": "fr"}).status_code == 429, door
    assert browser.post("/accounts/logout/").status_code == 302, "which is always possible"
    other = Client()
    other.force_login(bob)
    assert other.post(f"/matches/{match.pk}/notes/", {"notes": "y"}).status_code == 302
