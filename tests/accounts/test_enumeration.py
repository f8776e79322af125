"""No answer tells whether an address is known: the answers are the same to the byte."""

import re

import pytest
from django.test import Client

from tests.factories import PASSWORD, prove, sign_up
from tests.mailing import deliver

KNOWN, UNKNOWN = "ann@example.org", "nil@example.org"


def shape(answer) -> tuple[object, ...]:
    """Return all of an answer but what is drawn anew each time and what was typed in."""
    body = re.sub(rb'name="csrfmiddlewaretoken" value="\w+"', b"", answer.content)
    body = re.sub(rb'<svg class="avatar.*?</svg>', b"", body, flags=re.S)  # drawn from the name
    for typed in (KNOWN, UNKNOWN, "Cleo", "Dora"):
        body = body.replace(typed.encode(), b"")
    headers = {
        k: v for k, v in answer.headers.items() if k not in ("Content-Length", "Content-Security-Policy", "Expires")
    }
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
