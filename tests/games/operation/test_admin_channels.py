"""The admin's lists of replies by mail and of calls of webhooks: what became of them, and nothing secret."""

import pytest

from accounts.models import User
from games.models import Match, Reply, Webhook, WebhookCall
from games.services.webhooks import keeping
from tests.factories import PASSWORD, browser_of, seated

REPLIES, CALLS = "/admin/games/reply/", "/admin/games/webhookcall/"
ADDRESS = "https://hooks.example.org/services/T0/very-secret"


@pytest.fixture
def admins(db):
    return browser_of(User.objects.create_superuser("root", "root@example.org", PASSWORD))


@pytest.fixture
def rows(ann, bob, cem):
    """A reply and a call of Ann's about a match without secrets, and about one with."""
    secret = keeping.add(user_id=ann.pk, name="Ann's own", format="json", address=ADDRESS)
    hook = Webhook.objects.get()
    Webhook.objects.update(last_outcome="status", last_status=503)
    plain, sealed = seated(ann, bob), seated(ann, bob, cem, game_slug="yam-menteur")
    for match in (plain, sealed):
        about = {"user": ann, "match": match, "ask": 1, "outcome": "refused"}
        Reply.objects.create(mark=f"mark{match.pk}", why="The sentence", came_as="<id@there>", **about)
        WebhookCall.objects.create(hook=hook, match=match, kind="turn", ask=1, state="failed")
    WebhookCall.objects.create(hook=hook, kind="test")
    return secret, plain, sealed


def count(admins, address: str) -> int:
    return admins.get(address).context["cl"].result_count


@pytest.mark.outgrown
def test_they_are_found_and_read_only(admins, rows, ann, bob):
    _secret, plain, _sealed = rows
    for base, model, found in ((REPLIES, Reply, 1), (CALLS, WebhookCall, 2)):
        assert count(admins, base) == found
        assert count(admins, f"{base}?q={ann.pk}") >= found
        assert count(admins, f"{base}?q=ann") == found
        assert count(admins, f"{base}?q=bob") == 0
        page = f"{base}{model.objects.filter(match=plain).get().pk}/change/"
        assert admins.get(page).status_code == 200
        assert admins.post(page, {"outcome": "played", "state": "sent"}).status_code == 403
        assert admins.get(f"{base}add/").status_code == 403
        assert admins.post(page.replace("change", "delete"), {"post": "yes"}).status_code == 403
    assert count(admins, f"{CALLS}?state__exact=failed") == 1
    assert count(admins, f"{REPLIES}?outcome__exact=played") == 0


def test_nothing_secret_is_told(admins, rows):
    secret, plain, _sealed = rows
    pages = [REPLIES, CALLS, f"{REPLIES}mark{plain.pk}/change/"]
    pages += [f"{CALLS}{call.pk}/change/" for call in WebhookCall.objects.filter(kind="turn", match=plain)]
    text = "".join(admins.get(page).content.decode() for page in pages)
    assert "answered with an error (503)" in text
    hook = Webhook.objects.get()
    hidden = (secret, ADDRESS, hook.address, hook.secret, WebhookCall.objects.first().key)
    for one in (*hidden, "very-secret", "The sentence", "id@there", "Ann&#x27;s own", "server_seed"):
        assert one not in text, one


@pytest.mark.parametrize("asked", ["?hook__address__startswith=a", "?why__contains=T", "?hook__secret=x", "?key=x"])
def test_nothing_is_asked_but_what_is_shown(admins, rows, asked):
    for base in (REPLIES, CALLS):
        assert admins.get(base + asked).status_code == 400


@pytest.mark.outgrown
def test_of_a_match_with_secrets_it_is_shown_once_it_has_ended(admins, rows):
    """While it runs, they tell who is asked and who has answered."""
    _secret, _plain, sealed = rows
    page = f"{REPLIES}mark{sealed.pk}/change/"
    assert admins.get(page).status_code == 302
    Match.objects.filter(pk=sealed.pk).update(status="ended", ending="played", ended_at=sealed.created_at)
    assert admins.get(page).status_code == 200
    assert (count(admins, REPLIES), count(admins, CALLS)) == (2, 3)
