"""A program that calls the API in a test."""

from collections.abc import Sequence
from typing import Any

from django.test import Client

from accounts.models import User
from games.api.models import ApiToken
from games.api.services import tokens

ALL = ("read", "play", "message")


class Program:
    """Calls the API by a token of this person; without one, without."""

    def __init__(self, person: User | None = None, scopes: Sequence[str] = ALL, **headers: str) -> None:
        self.client = Client(raise_request_exception=False)
        self.headers = dict(headers)
        if person is not None:
            name = f"token {person.api_tokens.count() + 1}"
            _token, secret = tokens.issue(user=person, name=name, scopes=scopes, ends_at=None)
            self.secret = secret
            self.headers["Authorization"] = f"Bearer {secret}"

    def end(self) -> None:
        """End the token."""
        ApiToken.objects.filter(digest=tokens.digest_of(self.secret)).delete()

    def get(self, address: str, **headers: str) -> Any:
        return self.client.get(f"/api/v1{address}", headers=self.headers | headers)

    def call(self, method: str, address: str, body: Any = None, **headers: str) -> Any:
        given = {} if body is None else {"data": body, "content_type": "application/json"}
        return self.client.generic(method, f"/api/v1{address}", **_raw(given), headers=self.headers | headers)

    def post(self, address: str, body: Any = None, **headers: str) -> Any:
        given = {"data": {} if body is None else body, "content_type": "application/json"}
        return self.client.post(f"/api/v1{address}", **given, headers=self.headers | headers)


def _raw(given: dict[str, Any]) -> dict[str, Any]:
    body = given.get("data", b"")
    return given | {"data": body.encode() if isinstance(body, str) else body}


def problem(response: Any, status: int, code: str) -> dict[str, Any]:
    """Check that a response is this problem; return it."""
    assert response["Content-Type"] == "application/problem+json", response.content[:300]
    told = response.json()
    assert (response.status_code, told["status"], told["code"]) == (status, status, code), told
    assert told["detail"] and told["title"] and told["type"].startswith("http")
    return told
