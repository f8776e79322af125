"""No answer tells whether an address is known: answers are the same to the byte, and cost the same time."""

import re
import time
from collections.abc import Callable
from functools import partial
from itertools import count

import pytest
from allauth.account.models import EmailAddress
from django.core.cache import cache
from django.test import Client

from accounts.models import User
from accounts.passwords import Hasher
from tests.factories import PASSWORD, confirmed_member, prove, sign_up
from tests.mailing import deliver

KNOWN, UNKNOWN = "ann@example.org", "nil@example.org"
ROUNDS = 50_000  # of the hash: enough to outweigh all else that an answer costs


class CostlyHasher(Hasher):
    """The real hash with fewer rounds, which are still most of an answer's time; it counts its calls."""

    iterations = ROUNDS
    calls = 0

    def encode(self, *args, **kwargs) -> str:
        CostlyHasher.calls += 1
        return super().encode(*args, **kwargs)


@pytest.fixture
def costly(settings) -> type[CostlyHasher]:
    settings.PASSWORD_HASHERS = [f"{__name__}.CostlyHasher"]
    settings.ACCOUNT_RATE_LIMITS = False
    return CostlyHasher


def assert_alike(ways: dict[str, Callable[[], object]]) -> None:
    """Assert that all these take the same processor time; a busy machine's noise goes with the rounds, 40 at most."""
    least = dict.fromkeys(ways, 1e9)
    for number in range(40):
        for name, ask in ways.items():
            cache.clear()
            start = time.thread_time()
            ask()
            least[name] = min(least[name], time.thread_time() - start)
        if number >= 2 and max(least.values()) < 1.5 * min(least.values()):
            return
    raise AssertionError(least)


OWN_HEADERS = ("Content-Length", "Content-Security-Policy", "Expires", "X-Now", "X-Request-ID", "X-Who")


def shape(answer) -> tuple[object, ...]:
    """Return all of an answer but what is drawn anew each time and what was typed in."""
    body = re.sub(rb'name="csrfmiddlewaretoken" value="\w+"', b"", answer.content)
    body = re.sub(rb'<svg class="avatar.*?</svg>', b"", body, flags=re.S)  # drawn from the name
    body = re.sub(rb'data-who="\w+"', b"", body)  # the reader's own mark
    for typed in (KNOWN, UNKNOWN, "Cleo", "Dora"):
        body = body.replace(typed.encode(), b"")
    headers = {k: v for k, v in answer.headers.items() if k not in OWN_HEADERS}
    return answer.status_code, headers, body, sorted(answer.cookies)


def same(ask) -> None:
    """Ask for a known and for an unknown address, each in a browser of its own, and compare every page."""
    known, unknown = ask(Client(), KNOWN), ask(Client(), UNKNOWN)
    assert len(known) == len(unknown)
    for one, other in zip(known, unknown, strict=True):
        assert shape(one) == shape(other)


def test_password_reset(ann) -> None:
    def ask(client, email):
        return [
            client.post("/accounts/password/reset/", {"email": email}),
            client.get("/accounts/password/reset/confirm/"),
            client.post("/accounts/password/reset/confirm/", {"code": "0000-0000"}),
            client.post("/accounts/password/reset/confirm/", {"code": "-"}),
            client.post("/accounts/password/reset/confirm/", {"code": "1"}),
        ]

    same(ask)
    assert len(deliver()) == 2
    assert [m.to for m in deliver()] == [[KNOWN], [UNKNOWN]]


def test_log_in_by_code(ann) -> None:
    def ask(client, email):
        return [
            client.post("/accounts/login/code/", {"email": email}),
            client.get("/accounts/login/code/confirm/"),
            client.post("/accounts/login/code/confirm/", {"code": "0000-0000"}),
            client.post("/accounts/login/code/confirm/", {"action": "resend"}),
            client.get("/accounts/login/code/confirm/"),
        ]

    same(ask)


def test_log_in(ann) -> None:
    same(lambda client, email: [client.post("/accounts/login/", {"login": email, "password": "wrong"})])


CLAIMED = "claimed@example.org"


@pytest.fixture
def crowd(db, costly) -> None:
    """Ann, a closed account, a guest, and thirty accounts that typed one address and never confirmed it."""
    confirmed_member("Ann", KNOWN)
    confirmed_member("Cem", "cem@example.org", is_active=False)
    User.objects.create_user("guest-gnu-1", "", None, is_guest=True)
    squatter = confirmed_member("Squatter0", CLAIMED, confirmed=False)
    for number in range(1, 30):
        other = User.objects.create(username=f"Squatter{number}", password=squatter.password)
        EmailAddress.objects.create(user=other, email=CLAIMED, primary=True)


TYPED = ["Ann", KNOWN, "Nil", UNKNOWN, CLAIMED, "Squatter1", "Cem", "cem@example.org", "guest-gnu-1", "x" * 200, "@"]


def test_every_log_in_hashes_one_password(crowd, costly) -> None:
    for typed in TYPED:
        for password in ("wrong", PASSWORD):
            before = costly.calls
            Client().post("/accounts/login/", {"login": typed, "password": password})
            assert costly.calls == before + 1, (typed, password)


def test_the_time_of_a_log_in_tells_nothing(crowd) -> None:
    def attempt(typed: str) -> None:
        Client().post("/accounts/login/", {"login": typed, "password": "wrong"})

    assert_alike({typed: partial(attempt, typed) for typed in (KNOWN, UNKNOWN, CLAIMED, "Ann", "Nil")})


@pytest.mark.parametrize("path", ["login/code/", "password/reset/", "signup/"])
def test_the_time_of_a_mail_tells_nothing(crowd, path) -> None:
    numbers = count()

    def attempt(email: str) -> None:
        body = {"email": email, "username": f"New{next(numbers)}", "password1": PASSWORD}
        assert Client().post(f"/accounts/{path}", body).status_code == 302

    assert_alike({email: partial(attempt, email) for email in (KNOWN, UNKNOWN, CLAIMED)})


def test_what_takes_longer_is_told() -> None:
    """The measure sees what takes several times as long, whatever else the machine does."""
    with pytest.raises(AssertionError):
        assert_alike({name: partial(sum, range(size)) for name, size in (("one", 40_000), ("four", 160_000))})


def test_sign_up(ann) -> None:
    def ask(client, email):
        name = "Cleo" if email == KNOWN else "Dora"
        return [
            sign_up(client, name, email),
            client.get("/settings/"),
            client.get("/accounts/confirm-email/"),
        ]

    same(ask)
    told, asked = deliver()
    assert told.to == [KNOWN] and "already" in told.subject and "confirm-email" not in told.body
    assert asked.to == [UNKNOWN] and "confirm-email" in asked.body


@pytest.mark.django_db
def test_change_of_address(anns, bob) -> None:
    def ask(email):
        answers = [
            anns.post("/accounts/email/", {"action_add": "yes", "email": email}),
            anns.get("/accounts/email/"),
        ]
        anns.post("/accounts/email/", {"action_remove": "yes", "email": email})
        anns.get("/accounts/email/")
        return answers

    prove(anns)
    anns.get("/settings/")
    known, unknown = ask("bob@example.org"), ask("nil@example.org")
    for one, other in zip(known, unknown, strict=True):
        assert shape(one)[0] == shape(other)[0]
        assert shape(one)[2].replace(b"bob@example.org", b"") == shape(other)[2]
    assert [m.to[0] for m in deliver() if m.to != [KNOWN]] == ["bob@example.org", "nil@example.org"]
    assert "confirm-email" not in deliver()[0].body


def test_a_known_address_cannot_be_taken(ann) -> None:
    client = Client()
    sign_up(client, "Cleo", KNOWN)
    ann.refresh_from_db()
    assert ann.email == KNOWN
    assert client.get("/settings/").context["user"].email == ""
    assert Client().post("/accounts/login/", {"login": KNOWN, "password": PASSWORD}).status_code == 302
