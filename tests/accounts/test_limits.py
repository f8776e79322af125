"""Limits: on guesses, which lock nobody out of their own devices, on mails to one address, and without Redis."""

import pytest
from django.contrib.sessions.models import Session
from django.core import signing
from django.test import Client

from accounts import devices
from accounts.models import User
from games.models import Mail, Match
from games.moderation.models import Trace
from tests.factories import PASSWORD, browser_of, prove, sign_up

pytestmark = pytest.mark.django_db
KNOWN, UNKNOWN = "ann@example.org", "nil@example.org"


def at(address: str) -> Client:
    return Client(REMOTE_ADDR=address)


def attempt(client: Client, password: str = "wrong", login: str = "Ann") -> str:
    """Return how an attempt to log in ended: in, wrong, or refused unseen."""
    answer = client.post("/accounts/login/", {"login": login, "password": password})
    if answer.status_code == 302:
        return "in"
    return "refused" if "Too many attempts" in answer.content.decode() else "wrong"


def test_a_stranger_locks_a_name_at_their_own_address_alone(ann) -> None:
    stranger = at("203.0.113.1")
    assert [attempt(stranger) for _ in range(6)] == ["wrong"] * 5 + ["refused"]
    assert attempt(stranger, PASSWORD) == "refused"
    assert attempt(at("198.51.100.7"), PASSWORD) == "in"


@pytest.mark.thin(0)
def test_accounts_from_one_address_are_few_in_an_hour(settings) -> None:
    """Each may write to moderators, and has a mail sent to any address."""
    wanted = settings.ACCOUNT_RATE_LIMITS.get("signup", "").replace("20/m/ip", "1000/m/ip")
    settings.ACCOUNT_RATE_LIMITS = settings.ACCOUNT_RATE_LIMITS | {"signup": wanted}
    answers = [sign_up(at("203.0.113.1"), f"Cleo{n}", f"cleo{n}@example.org") for n in range(61)]
    assert [answer.status_code for answer in answers] == [302] * 60 + [429]
    assert "a little fast" in answers[-1].content.decode()
    assert sign_up(at("203.0.113.2"), "Dora", "dora@example.org").status_code == 302


def test_every_spelling_of_a_name_counts_as_one(ann) -> None:
    stranger = at("203.0.113.1")
    typed = ["Ann", "ANN", "ann", "Ａｎｎ", "aNN", "anN"]
    assert [attempt(stranger, login=login) for login in typed] == ["wrong"] * 5 + ["refused"]


def test_limits_do_not_tell_whose_an_address_is(ann) -> None:
    stranger = at("203.0.113.1")
    for _ in range(6):
        attempt(stranger)
    assert {attempt(stranger, login=login) for login in (KNOWN, UNKNOWN)} == {"wrong"}


def test_the_owners_device_counts_by_itself(anns, ann) -> None:
    anns.post("/accounts/logout/")
    stranger = Client()  # from the same address
    for _ in range(11):
        attempt(stranger)
    assert attempt(stranger, PASSWORD) == "refused"
    assert attempt(anns, PASSWORD) == "in"
    anns.post("/accounts/logout/")
    assert [attempt(anns) for _ in range(11)] == ["wrong"] * 10 + ["refused"]


def test_guesses_from_everywhere_lock_new_devices_alone(anns, ann, settings) -> None:
    settings.ACCOUNT_RATE_LIMITS = settings.ACCOUNT_RATE_LIMITS | {"login_all": "7/h/key"}
    anns.post("/accounts/logout/")
    assert [attempt(at(f"203.0.113.{n}")) for n in range(9)] == ["wrong"] * 7 + ["refused"] * 2
    assert attempt(at("198.51.100.7"), PASSWORD) == "refused"
    assert attempt(anns, PASSWORD) == "in"


def test_a_device_is_good_for_its_members_alone(anns, ann, bob, rf) -> None:
    request = rf.get("/")
    request.COOKIES["device"] = anns.cookies["device"].value
    assert devices.known(request, ann.pk) and not devices.known(request, bob.pk)
    assert not devices.known(request, None)
    for forged in ("", "x", f"{anns.cookies['device'].value}x", signing.dumps(["n", [ann.pk]])):
        request.COOKIES["device"] = forged
        assert not devices.known(request, ann.pk)


def test_a_device_remembers_the_last_five(rf) -> None:
    request = rf.get("/")
    for user_id in range(1, 8):
        request.COOKIES["device"] = _remembered(request, user_id)
    assert [n for n in range(1, 8) if devices.known(request, n)] == [3, 4, 5, 6, 7]


def _remembered(request, user_id: int) -> str:
    client = Client()
    answer = client.get("/healthz")
    devices.remember(request, answer, user_id)
    return answer.cookies["device"].value


@pytest.mark.parametrize("address", [KNOWN, UNKNOWN])
def test_mails_to_one_address_are_few_whichever_form_asks(ann, address) -> None:
    answers = [
        at(f"203.0.113.{n}").post(f"/accounts/{path}", {"email": address.upper() if n % 2 else address})
        for n, path in enumerate(["login/code/", "password/reset/"] * 4)
    ]
    assert [answer.status_code for answer in answers] == [302] * 5 + [429] * 3
    assert "Several mails have gone to this address" in answers[-1].content.decode()
    assert Mail.objects.count() == 5


@pytest.mark.parametrize("address", [KNOWN, UNKNOWN])
def test_another_code_on_the_same_page_counts_too(ann, address, settings) -> None:
    settings.ACCOUNT_RATE_LIMITS = settings.ACCOUNT_RATE_LIMITS | {"asked_mail": "2/h/key"}
    client = Client()
    client.post("/accounts/login/code/", {"email": address})
    again = [client.post("/accounts/login/code/confirm/", {"action": "resend"}).status_code for _ in range(2)]
    assert again == [302, 429]  # an unknown address is sent none again, and the limit does not tell


def test_the_owners_device_still_gets_a_code(anns, ann, settings) -> None:
    settings.ACCOUNT_RATE_LIMITS = settings.ACCOUNT_RATE_LIMITS | {"asked_mail": "1/h/key"}
    anns.post("/accounts/logout/")
    strangers = [Client().post("/accounts/login/code/", {"email": KNOWN}).status_code for _ in range(2)]
    assert strangers == [302, 429]
    assert anns.post("/accounts/password/reset/", {"email": KNOWN}).status_code == 302


def test_without_redis_nobody_logs_in_and_nobody_is_written_to(anns, ann, redis) -> None:
    prove(anns)
    guests = browser_of(User.objects.create_user("guest-puma-1", "", None, is_guest=True))
    redis.kill()
    try:
        doors = [
            *[(Client(), "login/", {"login": "Ann", "password": PASSWORD})],
            *[(guests, f"{path}/", {"email": KNOWN}) for path in ("login/code", "password/reset")],
            *[(anns, f"{path}/", {}) for path in ("reauthenticate", "confirm-email/send", "2fa/totp/activate")],
            (anns, "email/", {"action_add": "yes", "email": "new@example.org"}),
        ]
        answers = [(path, client.post(f"/accounts/{path}", body)) for client, path, body in doors]
        answers.append(("signup/", sign_up(Client())))
        for path, answer in answers:
            assert answer.status_code == 503, path
            assert "Not possible at the moment" in answer.content.decode(), path
            assert answer.headers["Retry-After"] == "60"
        assert not Mail.objects.exists() and not User.objects.filter(username="Cleo").exists()
        assert anns.get("/settings/").status_code == 200  # who is logged in goes on
        assert Client().get("/accounts/login/").status_code == 200
        assert anns.post("/accounts/sessions/").status_code == 302
        assert anns.post("/accounts/logout/").status_code == 302
    finally:
        redis.start()
    assert attempt(Client(), PASSWORD) == "in"


def test_challenges_for_passkeys_from_one_address_are_few(db) -> None:
    """Each makes a session, which lasts for months."""
    path, accept = "/accounts/2fa/webauthn/login/", {"accept": "application/json"}
    asked = [at("203.0.113.1").get(path, headers=accept).status_code for _time in range(62)]
    assert asked == [200] * 60 + [429] * 2
    assert Session.objects.count() == 60
    assert at("203.0.113.2").get(path, headers=accept).status_code == 200


def test_who_comes_by_ipv4_to_a_server_of_both_kinds_is_counted_alone(ann) -> None:
    """All of them were one address, as of IPv6 it is the network that counts."""
    stranger = at("::ffff:203.0.113.1")
    assert [attempt(stranger) for _ in range(6)][-1] == "refused"
    assert attempt(at("::ffff:203.0.113.2"), PASSWORD) == "in"


def test_links_to_new_addresses_that_one_network_address_asks_for_are_few(settings) -> None:
    """Sixty new accounts an hour, of which each asks for twenty, wrote to 1,200 strangers."""
    rates = settings.ACCOUNT_RATE_LIMITS
    settings.ACCOUNT_RATE_LIMITS = rates | {"confirm_asked": rates["confirm_asked"].replace("100/h/ip", "3/h/ip")}
    for number in range(5):
        sign_up(at("203.0.113.1"), username=f"Cleo{number}x", email=f"stranger{number}@example.org")
    assert Mail.objects.count() == 3
    sign_up(at("203.0.113.2"), username="Dora", email="dora@example.org")
    assert Mail.objects.count() == 4


@pytest.mark.parametrize("address", [KNOWN, UNKNOWN])
@pytest.mark.parametrize("path", ["login/code", "password/reset"])
def test_guesses_at_once_count_each(ann, address, path) -> None:
    """Each reads the session before any of the others has written that it failed."""
    client = Client()
    client.post(f"/accounts/{path}/", {"email": address})
    before = dict(client.session.items())

    def at_once() -> int:
        session = client.session
        session.update(before)
        session.save()
        return client.post(f"/accounts/{path}/confirm/", {"code": "0000-0000"}).status_code

    assert [at_once() for _ in range(5)] == [200, 200, 200, 429, 429]
    client.post(f"/accounts/{path}/", {"email": address})
    assert client.post(f"/accounts/{path}/confirm/", {"code": "0000-0000"}).status_code == 200


@pytest.mark.parametrize(("proxies", "told"), [(1, ""), (1, "192.0.2.7,"), (1, "junk"), (2, "192.0.2.7"), (3, ",")])
def test_whom_no_trusted_proxy_names_is_not_the_proxy(db, settings, proxies, told):
    """Nobody is counted as the proxy, for whom limits are all others'; and none of it is an error."""
    settings.ALLAUTH_TRUSTED_PROXY_COUNT = proxies
    client = Client(REMOTE_ADDR="127.0.0.1", HTTP_X_FORWARDED_FOR=told, raise_request_exception=False)
    assert client.get("/accounts/login/").status_code == 200
    for address in ("/accounts/login/", "/accounts/signup/"):
        assert client.post(address, {"login": "ann", "password": "x"}).status_code == 403, address


@pytest.mark.parametrize(("proxies", "told"), [(1, "192.0.2.7,"), (2, "192.0.2.7")])
def test_what_is_done_is_not_refused_when_no_proxy_names_who_did_it(db, settings, ann, proxies, told):
    settings.ALLAUTH_TRUSTED_PROXY_COUNT = proxies
    settings.ACCOUNT_RATE_LIMITS = settings.ACCOUNT_RATE_LIMITS | {"table": "60/h/user"}  # no address is counted
    browser = browser_of(ann, REMOTE_ADDR="127.0.0.1", HTTP_X_FORWARDED_FOR=told)
    assert browser.post("/games/yum-extra/now/", {"lesson": "no"}).status_code == 302
    assert Match.objects.count() == 1
    assert not Trace.objects.filter(kind=Trace.Kind.RANGE).exists()
