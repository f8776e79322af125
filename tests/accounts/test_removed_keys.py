"""A passkey that is removed, or whose account is closed, in the instant of a log-in by it opens nothing."""

from types import SimpleNamespace

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.webauthn.internal import auth
from django.contrib.auth import SESSION_KEY
from django.test import Client

from accounts.mfa_forms import LoginWebAuthnForm
from accounts.services.closing import close_account

pytestmark = [pytest.mark.both, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def key(ann, monkeypatch):
    """Return a key of Ann's whose answer is good: `before` happens once it was found so."""
    made = Authenticator.objects.create(user=ann, type=Authenticator.Type.WEBAUTHN, data={"name": "x"})
    shown = SimpleNamespace(response=SimpleNamespace(authenticator_data=SimpleNamespace(is_user_verified=lambda: True)))
    monkeypatch.setattr(LoginWebAuthnForm.base_fields["credential"], "read", lambda answer: answer)
    monkeypatch.setattr(auth, "parse_authentication_response", lambda answer: shown)
    monkeypatch.setattr(auth, "extract_user_from_response", lambda answer: ann)
    made.meanwhile = lambda: None
    monkeypatch.setattr(auth, "complete_authentication", lambda user, answer: (made.meanwhile(), made)[1])
    return made


def log_in() -> tuple[int, str, bool]:
    """Return status and target of the answer, and whether somebody is logged in."""
    client = Client(raise_request_exception=False)
    answer = client.post("/accounts/2fa/webauthn/login/", {"credential": '{"id": "x"}'})
    return answer.status_code, answer.headers.get("Location", ""), SESSION_KEY in client.session


def test_a_key_opens(key):
    assert log_in() == (302, "/", True)


@pytest.mark.parametrize("deed", ["removed", "closed"])
def test_a_key_that_goes_opens_nothing(key, ann, deed):
    deeds = {
        "removed": lambda: Authenticator.objects.filter(pk=key.pk).delete(),
        "closed": lambda: close_account(user_id=ann.pk),
    }
    key.meanwhile = deeds[deed]
    assert log_in() == (302, "/accounts/login/", False)
