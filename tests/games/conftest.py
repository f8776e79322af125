"""A match that waits for a move, still pages, posts at one moment; servers of mail, of push, and for webhooks."""

import asyncio
import os
from random import Random

import pytest

from config.lib import clock as present
from games.models import Match, Notice
from games.services.lobby import closing
from games.services.lobby.promises import Promise
from games.services.play import moves
from games.services.webhooks import delivery
from tests.factories import fresh, opened, played_on, seated
from tests.games.play.at_once import send
from tests.games.play.secrecy import Viewer
from tests.games.webhooks.receiver import Receiver
from tests.mailing import Postbox


@pytest.fixture
def waiting(ann, bob, clock):
    """A match in which somebody owes a decision for an hour, and what it began with is told."""
    match = seated(ann, bob)
    Notice.objects.all().delete()
    clock.forward(3600)
    return match


@pytest.fixture
def steady(monkeypatch):
    """What changes with every showing, whatever is shown: keys, tokens, the time, and the commitment."""
    at = present.now()
    monkeypatch.setattr("config.lib.clock.now", lambda: at)
    monkeypatch.setattr("games.table.fresh_key", lambda: "the key")
    monkeypatch.setattr("games.views.responses.get_token", lambda request: "the token")
    monkeypatch.setattr("django.template.context_processors.get_token", lambda request: "the token")
    monkeypatch.setattr(Match, "commitment", "the commitment")
    monkeypatch.setattr("games.services.mail.unsubscribing.token", lambda user_id, topics: "the token")
    monkeypatch.setattr("django.core.signing.TimestampSigner.timestamp", lambda signer: "1xXiSz")
    monkeypatch.setattr("games.record.commit", lambda seed: "the commitment")
    monkeypatch.setattr("games.models.seeds.commit", lambda seed: "the commitment")
    monkeypatch.setattr("games.models.seeds.entry_of", lambda *parts: "the start")
    monkeypatch.setattr("games.templatetags.pieces.promise", lambda: Promise("a promise", "a commitment", 0))


@pytest.fixture
def viewers(ann, bob, cem) -> list[Viewer]:
    return [Viewer("seat 0", ann), Viewer("seat 1", bob), Viewer("a watcher", cem), Viewer("a visitor", None)]


@pytest.fixture
def at_once(site):
    """Send posts at the same time, each by a connection of its own that is open already."""
    return lambda posts: asyncio.run(send(site.url, posts))


@pytest.fixture
def rng():
    """Chance for races; `SEED=…` makes it another."""
    seed = os.environ.get("SEED", "1")
    print(f"seed {seed}")
    return Random(seed)


@pytest.fixture
def matches(ann, bob) -> dict[str, Match]:
    """A match of every kind, Ann and Bob in each."""
    tables = {
        "open": opened(ann, size=3),
        "by invitation": opened(ann, size=3, access="invitation", invited=[bob]),
        "by link": opened(ann, size=3, access="link"),
        "running": played_on(seated(ann, bob), Random(51), turns=9),
        "private": played_on(seated(ann, bob, access="link"), Random(52), turns=9),
        "with bots": seated(ann, bob, bots=["easy", "strong"]),
        "ended": played_on(seated(ann, bob), Random(53)),
        "resigned": seated(ann, bob),
        "called off": seated(ann, bob),
        "closed": opened(ann),
        "one left": seated(ann, bob, bots=["easy"]),
    }
    moves.resign(match_id=tables["resigned"].pk, user=bob)
    moves.resign(match_id=tables["one left"].pk, user=bob)
    for person in (ann, bob):
        moves.wish_call_off(match_id=tables["called off"].pk, user=person, wish=True)
    closing.leave(match_id=tables["closed"].pk, user=ann)
    return {kind: fresh(match) for kind, match in tables.items()}


@pytest.fixture
def postbox(settings):
    """A mail server on this machine, to which the site sends."""
    box = Postbox()
    box.start()
    settings.EMAIL_BACKEND = "config.mail.Smtp"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", box.port
    yield box
    box.controller.stop()


@pytest.fixture
def replies_on(settings):
    """Replies by mail are taken, at addresses of a domain of ours."""
    settings.REPLY_DOMAIN, settings.REPLY_SENDERS_CHECKED = "reply.example.org", True


@pytest.fixture
def receiver(monkeypatch):
    """The one server that may be called, for a webhook; it does not count as slow while this machine is busy."""
    server = Receiver()
    delivery.shares.forget()
    monkeypatch.setattr(delivery, "SLOW", delivery.SECONDS)
    monkeypatch.setenv("OUTGOING_TEST_BASE", server.base)
    yield server
    server.shutdown()
    server.server_close()
