"""The secrets of authenticators are encrypted in the database, and keys can be changed."""

import json

import pytest
from allauth.mfa.models import Authenticator
from cryptography.fernet import Fernet
from django.core.management import call_command
from django.test import Client

from accounts.services import sealing
from tests.accounts.test_security import LOG_IN, prove, totp


@pytest.fixture
def secret(anns, ann) -> str:
    """The secret in Ann's authenticator app."""
    prove(anns)
    secret = anns.get("/accounts/2fa/totp/activate/").context["form"].secret
    anns.post("/accounts/2fa/totp/activate/", {"code": totp(secret)})
    return secret


def stored() -> str:
    return json.dumps(list(Authenticator.objects.order_by("pk").values_list("data", flat=True)))


def gets_in(code: str) -> bool:
    client = Client()
    client.post("/accounts/login/", LOG_IN)
    return client.post("/accounts/2fa/authenticate/", {"code": code}).status_code == 302


def recovery_codes(client: Client) -> list[str]:
    return client.get("/accounts/2fa/recovery-codes/").context["unused_codes"]


@pytest.mark.both
def test_the_database_alone_lets_nobody_in(anns, secret) -> None:
    assert secret not in stored()
    seeds = [row.data["seed"] for row in Authenticator.objects.filter(type="recovery_codes")]
    assert len(seeds) == 1
    assert seeds[0].startswith(sealing.SEALED)
    assert gets_in(recovery_codes(anns)[0])


def test_what_was_plain_still_works_and_is_encrypted(anns, secret) -> None:
    codes = recovery_codes(anns)
    for row in Authenticator.objects.all():
        row.data |= {name: sealing.decrypt(row.data[name]) for name in ("secret", "seed") if name in row.data}
        row.save()
    assert secret in stored()
    assert recovery_codes(anns) == codes
    assert sealing.seal_all() == 2
    assert secret not in stored()
    assert recovery_codes(anns) == codes
    assert gets_in(codes[0])
    assert sealing.seal_all() == 0


def test_a_key_is_changed(anns, secret, settings, capsys) -> None:
    codes = recovery_codes(anns)
    old, new = settings.AUTHENTICATOR_KEYS[0], Fernet.generate_key().decode()
    settings.AUTHENTICATOR_KEYS = [new, old]
    assert recovery_codes(anns) == codes
    call_command("seal_authenticators")
    assert "2 secrets" in capsys.readouterr().out
    settings.AUTHENTICATOR_KEYS = [new]
    assert recovery_codes(anns) == codes
    assert gets_in(codes[0])


@pytest.mark.both
def test_without_the_key_no_code_fits_and_nothing_breaks(anns, secret, settings, caplog) -> None:
    code, before = recovery_codes(anns)[0], stored()
    settings.AUTHENTICATOR_KEYS = [Fernet.generate_key().decode()]
    assert not gets_in(totp(secret))
    assert not gets_in(code)
    assert "AUTHENTICATOR_KEYS" in caplog.text
    assert sealing.seal_all() == 0
    assert stored() == before
