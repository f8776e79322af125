"""The page on which a member keeps webhooks."""

import pytest

from accounts.services import sealing
from games.models import Webhook, WebhookCall
from games.services.webhooks import delivery
from tests.factories import browser_of
from tests.hostile import ANSWERS, TEXTS

pytestmark = pytest.mark.outgrown
PAGE = "/settings/webhooks/"
GOOD = {"act": "add", "name": "my channel", "format": "discord", "address": "https://discord.example/api/webhooks/1/x"}


def test_added_tried_and_removed(ann, receiver):
    browser = browser_of(ann)
    given = GOOD | {"address": receiver.base + "/hook"}
    assert browser.post(PAGE, given).status_code == 302
    hook = Webhook.objects.get()
    assert receiver.base not in hook.address and sealing.opened(hook.address) == receiver.base + "/hook"
    assert receiver.base not in browser.get(PAGE).content.decode()
    browser.post(PAGE, {"act": "test", "hook": hook.pk})
    assert delivery.send_due(failing=False) == 1
    assert "Club Y reaches you here" in receiver.calls[0].data["content"].replace("\\", "")
    assert "arrived" in browser.get(PAGE).content.decode()
    browser.post(PAGE, {"act": "remove", "hook": hook.pk})
    assert not Webhook.objects.exists() and not WebhookCall.objects.exists()


def test_the_secret_is_shown_once(ann):
    browser = browser_of(ann)
    answer = browser.post(PAGE, GOOD | {"format": "json"})
    secret = sealing.opened(Webhook.objects.get().secret)
    assert answer.status_code == 200 and secret in answer.content.decode()
    assert secret.startswith("whsec_") and secret not in Webhook.objects.get().secret
    assert secret not in browser.get(PAGE).content.decode()
    assert browser.post(PAGE, GOOD | {"format": "json"}).status_code == 422  # the same post again
    assert Webhook.objects.count() == 1


@pytest.mark.parametrize(
    "wrong",
    [
        {"name": ""},
        {"name": "x" * 41},
        {"format": "fax"},
        {"address": ""},
        {"address": "http://discord.example/"},
        {"address": "https://ann:secret@discord.example/"},
        {"address": "ftp://discord.example/"},
        {"address": "https://discord.example/" + "x" * 2100},
        {"address": "https://discord.example/\x00"},
    ],
)
def test_refused(ann, wrong):
    answer = browser_of(ann).post(PAGE, GOOD | wrong)
    assert answer.status_code == 422
    assert not Webhook.objects.exists()


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "a.localhost.", "10.0.0.8", "169.254.169.254", "[::1]"])
def test_a_private_address_is_refused_in_words(ann, host):
    answer = browser_of(ann).post(PAGE, GOOD | {"address": f"https://{host}:8443/hook"})
    assert answer.status_code == 422
    assert "not a public one" in answer.content.decode()
    assert not Webhook.objects.exists()


def test_five_at_most(ann):
    browser = browser_of(ann)
    answers = [browser.post(PAGE, GOOD | {"name": f"n{number}"}).status_code for number in range(6)]
    assert answers == [302] * 5 + [422]


def test_another_members_is_out_of_reach(ann, bob):
    browser_of(ann).post(PAGE, GOOD)
    hook = Webhook.objects.get()
    for act in ("test", "remove", "on"):
        browser_of(bob).post(PAGE, {"act": act, "hook": hook.pk})
    assert Webhook.objects.filter(pk=hook.pk).exists() and not WebhookCall.objects.exists()
    assert browser_of(ann).post(PAGE, {"act": "test", "hook": "9" * 40}).status_code == 302


def test_turned_on_again(ann):
    browser = browser_of(ann)
    browser.post(PAGE, GOOD)
    Webhook.objects.update(off_at="2026-01-01T00:00:00Z", failures=9, failing_since="2026-01-01T00:00:00Z")
    assert "turned off" in browser.get(PAGE).content.decode()
    browser.post(PAGE, {"act": "on", "hook": Webhook.objects.get().pk})
    hook = Webhook.objects.get()
    assert (hook.off_at, hook.failures, hook.failing_since) == (None, 0, None)


def test_not_too_often(ann, settings):
    settings.ACCOUNT_RATE_LIMITS = settings.ACCOUNT_RATE_LIMITS | {"webhook": "1/h/user"}
    browser = browser_of(ann)
    assert browser.post(PAGE, GOOD).status_code == 302
    assert browser.post(PAGE, GOOD | {"name": "b"}).status_code == 429
    assert browser.post(PAGE, {"act": "remove", "hook": Webhook.objects.get().pk}).status_code == 302


def test_where_the_site_calls_none_the_page_says_so(ann, settings):
    settings.WEBHOOKS = False
    assert "calls no webhooks at present" in browser_of(ann).get(PAGE).content.decode()


def test_a_new_key_seals_addresses_and_secrets(ann):
    browser_of(ann).post(PAGE, GOOD | {"format": "json"})
    hook = Webhook.objects.get()
    Webhook.objects.update(address=sealing.opened(hook.address))  # as it would be unsealed
    assert sealing.seal_all() == 1
    assert sealing.opened(Webhook.objects.get().address) == GOOD["address"]


@pytest.mark.thin(0)
def test_every_hostile_name_and_address_is_answered_in_words(ann, settings):
    settings.ACCOUNT_RATE_LIMITS = False
    browser = browser_of(ann)
    for text in TEXTS:
        assert browser.post(PAGE, GOOD | {"address": text}).status_code in ANSWERS, text
        assert browser.post(PAGE, GOOD | {"name": text}).status_code in ANSWERS, text
        for hook in Webhook.objects.all():
            assert 0 < len(hook.name) <= 40 and not set(hook.name) & set("\0\x1b\n\u202e\u2066\ufeff")
            assert sealing.opened(hook.address) in (GOOD["address"], text)
        page = browser.get(PAGE)
        assert page.status_code == 200 and b"<script>" not in page.content
        Webhook.objects.all().delete()


def test_accounts_of_one_network_address_do_not_write_to_a_stranger_without_end(ann, bob, settings):
    """Each may have webhooks tried thirty times an hour, at whatever public address."""
    rates = settings.ACCOUNT_RATE_LIMITS
    settings.ACCOUNT_RATE_LIMITS = rates | {"webhook": rates["webhook"].replace("100/h/ip", "1/h/ip")}
    assert [browser_of(one).post(PAGE, GOOD).status_code for one in (ann, bob)] == [302, 429]
