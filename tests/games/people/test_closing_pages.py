"""The pages by which one closes an account, what the admin does, and what the privacy page promises."""

import json
from random import Random

import pytest
from allauth.account.models import EmailAddress
from allauth.usersessions.models import UserSession
from django.apps import apps
from django.contrib.admin.models import LogEntry
from django.contrib.sessions.models import Session

from accounts import tasks
from accounts.models import User
from accounts.services import relationships
from accounts.services.closing import StaffStays, close_account
from config.lib import clock
from games.models import Match
from games.queries.play import seats_of
from games.services.mail import delivery
from tests.factories import PASSWORD, browser_of, fresh, member, play_on, played, played_on, seated

NAME = "Zephyrine"


@pytest.fixture
def zoe(db):
    user = member(NAME)
    EmailAddress.objects.create(user=user, email=user.email, primary=True, verified=True)
    return user


@pytest.fixture
def admins(db):
    return browser_of(User.objects.create_superuser("root", "root@example.org", PASSWORD))


def everything() -> str:
    """All that the database holds, as text."""
    rows = []
    for model in apps.get_models(include_auto_created=True):
        if model is Session:
            continue
        for row in model._default_manager.values():
            rows.append((model.__name__, {name: _text(value) for name, value in row.items()}))
    return json.dumps(rows, default=str)


def _text(value) -> object:
    return bytes(value).decode("latin-1") if isinstance(value, (memoryview, bytes)) else value


@pytest.mark.outgrown
def test_no_page_names_them(zoe, ann, bob, admins):
    running = play_on(seated(zoe, ann, bob), Random(3), turns=30)
    over = played_on(seated(zoe, ann, rated=True), Random(4))
    addresses = [
        *(f"/matches/{match.pk}/{part}" for match in (running, over) for part in ("", "log/", "replay/0/", "table/")),
        *("/", "/matches/", "/play/", "/leaderboards/yum-extra/", "/people/ann/", "/settings/people/"),
        f"/people/{NAME}/",
        "/games/yum-extra/statistics/",
    ]
    relationships.follow(follower=ann, followed=zoe)
    browsers = [browser_of(ann), browser_of(bob), browser_of()]
    named = sum(NAME in browser.get(address).content.decode() for browser in browsers for address in addresses)
    assert named > 10
    close_account(user_id=zoe.pk)
    for browser in browsers:
        for address in addresses:
            answer = browser.get(address)
            assert answer.status_code in (200, 302, 404), address
            text = answer.content.decode().replace(f'value="/people/{NAME}/"', "")  # the address asked for
            assert NAME not in text, address
    for address in (
        "/admin/",
        "/admin/accounts/user/",
        "/admin/games/match/",
        "/admin/leaderboards/settlement/",
    ):
        assert NAME not in admins.get(address).content.decode(), address


def press_delete(admins, user):
    return admins.post(f"/admin/accounts/user/{user.pk}/delete/", {"post": "yes"})


@pytest.mark.outgrown
def test_the_admin_deletes_by_the_same_service(zoe, ann, bob, admins):
    match, over = seated(zoe, ann, bob), played(zoe, ann)
    assert admins.get(f"/admin/accounts/user/{zoe.pk}/delete/").status_code == 200
    assert press_delete(admins, zoe).status_code == 302
    assert not User.objects.filter(username=NAME).exists()
    assert not any(seat.is_free for seat in [*seats_of(match), *seats_of(over)])
    assert fresh(match).status == Match.Status.RUNNING
    assert NAME.lower() not in everything().lower()
    assert LogEntry.objects.get(action_flag=3).object_repr.startswith("former member")


@pytest.mark.outgrown
def test_the_admin_deletes_several_at_once(zoe, ann, bob, admins):
    match = seated(zoe, bob, ann)
    data = {"action": "delete_selected", "_selected_action": [zoe.pk, bob.pk], "post": "yes"}
    assert admins.post("/admin/accounts/user/", data).status_code == 302
    assert set(User.objects.values_list("username", flat=True)) == {"ann", "root"}
    assert not any(seat.is_free for seat in seats_of(match))
    assert fresh(match).status == Match.Status.ENDED


@pytest.mark.outgrown
def test_who_has_rights_keeps_the_account(admins, zoe):
    User.objects.filter(pk=zoe.pk).update(is_staff=True)
    zoe.refresh_from_db()
    assert press_delete(admins, zoe).status_code == 403
    data = {"action": "delete_selected", "_selected_action": [zoe.pk], "post": "yes"}
    admins.post("/admin/accounts/user/", data)
    with pytest.raises(StaffStays):
        close_account(user_id=zoe.pk)
    assert User.objects.filter(pk=zoe.pk).exists()


@pytest.mark.outgrown
def test_addresses_in_the_admins_log_lose_their_name(zoe, admins):
    address = EmailAddress.objects.get(user=zoe)
    root = User.objects.get(username="root")
    LogEntry.objects.log_actions(root.pk, [address], 2, "changed", single_object=True)
    LogEntry.objects.log_actions(
        root.pk,
        [zoe],
        2,
        [{"changed": {"name": "e-mail", "object": zoe.email, "fields": ["primary"]}}],
        single_object=True,
    )
    close_account(user_id=zoe.pk)
    assert NAME.lower() not in everything().lower()
    assert LogEntry.objects.filter(user=root).count() == 2


def proven(user):
    browser = browser_of(user)
    browser.post("/accounts/reauthenticate/", {"password": PASSWORD})
    return browser


@pytest.mark.outgrown
def test_the_page_asks_who_one_is_and_for_the_name(zoe, ann):
    assert browser_of(zoe).get("/settings/close/").url.startswith("/accounts/reauthenticate/")
    assert browser_of(zoe).post("/settings/close/", {"name": NAME}).url.startswith("/accounts/reauthenticate/")
    browser = proven(zoe)
    assert "a bot takes your seat" in browser.get("/settings/close/").content.decode()
    for wrong in ("", "ann", NAME.lower(), "\0", "x" * 5000):
        assert browser.post("/settings/close/", {"name": wrong}).status_code == 422
    assert User.objects.filter(pk=zoe.pk).exists()
    answer = browser.post("/settings/close/", {"name": f" {NAME} "})
    assert answer.url == "/goodbye/"
    assert not User.objects.filter(username=NAME).exists()
    assert User.objects.filter(pk=ann.pk).exists()
    assert "Your account is closed" in browser.get("/goodbye/").content.decode()
    assert browser.get("/settings/").status_code == 302


def test_staff_are_told_why_not(zoe):
    User.objects.filter(pk=zoe.pk).update(is_staff=True)
    answer = proven(zoe).post("/settings/close/", {"name": NAME})
    assert answer.status_code == 422
    assert "admin rights" in answer.content.decode()


def test_goodbye_is_for_who_has_gone(ann):
    assert browser_of(ann).get("/goodbye/").url == "/"


def test_the_privacy_page_is_everybodys_and_in_the_foot(ann, gus):
    for person in (None, gus, ann):
        browser = browser_of(person)
        assert 'href="/privacy/"' in browser.get("/").content.decode()
        text = browser.get("/privacy/").content.decode()
        assert "sessionid" in text
        assert ("/settings/data/" in text) is (person == ann)


def test_the_privacy_page_says_how_long_mails_visits_and_days_off_are_kept(ann, settings):
    text = browser_of().get("/privacy/").content.decode()
    for word in ("Mails", "Your last visit", "Days off"):
        assert f"<dt>{word}</dt>" in text
    assert f"not the text: {delivery.KEPT.days} days" in text
    assert settings.SESSION_COOKIE_AGE == 90 * 86_400
    assert "at most 90 days" in text


def test_cookies_are_those_that_the_page_names(ann):
    browser = browser_of()
    browser.get("/accounts/login/")
    browser.post("/accounts/login/", {"login": "ann", "password": PASSWORD})
    browser.post("/language/", {"language": "fr", "next": "/"})
    for address in ("/", "/play/", "/people/ann/", "/settings/", "/privacy/"):
        browser.get(address)
    assert set(browser.cookies) <= {"sessionid", "csrftoken", "django_language", "device"}


@pytest.mark.outgrown
def test_log_ins_that_ran_out_are_forgotten(zoe, ann):
    kept, gone = browser_of(zoe), browser_of(ann)
    for browser, user in ((kept, zoe), (gone, ann)):
        key = browser.session.session_key
        UserSession.objects.get_or_create(user=user, session_key=key, defaults={"ip": "192.0.2.1", "user_agent": "x"})
    Session.objects.filter(session_key=gone.session.session_key).update(expire_date=clock.now())
    tasks.forget_sessions()
    assert list(UserSession.objects.values_list("user", flat=True)) == [zoe.pk]
    assert Session.objects.count() == 1


def test_the_data_of_oneself_may_be_asked_for_ten_times_an_hour(zoe):
    """A GET too, which allauth does not count."""
    browser = proven(zoe)
    answers = [browser.get("/settings/data/club-y.json").status_code for _time in range(11)]
    assert answers == [200] * 10 + [429]
