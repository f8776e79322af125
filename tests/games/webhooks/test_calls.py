"""Calls of webhooks to a real server: what is called when, what it holds, and what becomes of it."""

from datetime import timedelta
from random import Random

import pytest
from django.utils import timezone

from accounts.services import visits
from games.models import Kind, Match, Webhook, WebhookCall
from games.rules import games, get_game
from games.services.play import moves
from games.services.webhooks import composing, delivery, planning
from tests.factories import as_many, asked, fresh, play_on, played_on, seated
from tests.games.webhooks.receiver import call, states
from tests.mailing import DAY, HOUR, MINUTE, prefer, wind

pytestmark = [pytest.mark.usefixtures("clock"), pytest.mark.both]
HOSTILE = "@everyone <!channel> **x** https://evil.example/ [a](b) `c` <@1> ~~d~~ _e_ |f| # g"


def test_ones_turn_is_told_once(hers, receiver, clock):
    hook, match = hers
    for _ in range(5):
        call()
        clock.forward(MINUTE)
    (got,) = receiver.calls
    assert got.is_signed_by(hook.shown)
    assert (got.path, got.headers["Content-Type"]) == ("/hook", "application/json")
    assert got.data["type"] == "turn"
    assert got.data["data"]["url"] == f"http://testserver/matches/{match.pk}/"
    assert got.data["data"]["text"].startswith("Yum EXTRA with bob: it is your turn.")
    assert states() == ["sent"]
    hook.refresh_from_db()
    assert (hook.last_outcome, hook.last_status, hook.failures) == ("arrived", 204, 0)


def test_a_changed_call_or_another_secret_is_not_verified(hers, receiver):
    hook, _match = hers
    call()
    (got,) = receiver.calls
    assert not got.is_signed_by("whsec_" + "A" * 44)
    got.body = got.body.replace(b"turn", b"burn")
    assert not got.is_signed_by(hook.shown)


def test_reminders_and_the_end(hers, receiver, clock):
    _hook, match = hers
    call()
    wind(match.seats.get(user=hers[0].user), left=timedelta(hours=4), bank=timedelta(days=1))
    call()
    clock.forward(2 * HOUR + 1)
    call()
    moves.resign(match_id=match.pk, user=match.seats.exclude(user=hers[0].user).get().user)
    call()
    assert [one.data["type"] for one in receiver.calls] == ["turn", "reminder", "reminder2", "ended"]
    assert receiver.calls[-1].data["data"]["rank"] == 1
    assert "You came 1 of 2." in receiver.calls[-1].data["data"]["text"]


def test_what_is_no_longer_true_is_not_told(hers, receiver):
    _hook, match = hers
    planning.sweep()
    match.seats.update(ask=None, asked_at=None)
    delivery.send_due(failing=False)
    assert receiver.calls == []
    assert states() == ["dropped"]


def test_neither_in_quiet_hours_nor_to_who_is_here_nor_of_a_quiet_match(hers, receiver, ann, clock):
    _hook, match = hers
    moves.wish_notices(match_id=match.pk, user=ann, wish="none")
    call()
    moves.wish_notices(match_id=match.pk, user=ann, wish="all")
    visits.note(ann.pk)
    call()
    clock.forward(6 * MINUTE)
    now = planning.clock.now()
    minute = now.hour * 60 + now.minute
    prefer(ann, quiet_from=minute, quiet_until=(minute + 60) % 1440)
    call()
    assert receiver.calls == []
    prefer(ann, quiet_from=None, quiet_until=None)
    call()
    assert len(receiver.calls) == 1


def test_nothing_of_before_the_hook_was_added(ann, bob, add, receiver, clock):
    match = seated(ann, bob)
    play_on(match, Random(1), until=lambda m: asked(m).user_id == ann.pk)
    clock.forward(MINUTE)
    add(ann)
    clock.forward(HOUR)
    call()
    assert receiver.calls == []


def test_nobody_elses_hook_is_called_and_none_of_who_is_banned(hers, receiver, bob, add):
    add(bob, path="/bob")
    planning.sweep()
    prefer(hers[0].user, is_active=False)
    delivery.send_due(failing=False)
    assert receiver.calls == []


@pytest.mark.parametrize("format", ["discord", "slack"])
def test_the_formats_of_others(ann, bob, add, receiver, format, clock):
    add(ann, format)
    match = play_on(seated(ann, bob), Random(1), until=lambda m: asked(m).user_id == ann.pk)
    clock.forward(HOUR)
    call()
    (got,) = receiver.calls
    said = got.data["content" if format == "discord" else "text"]
    assert f"<http://testserver/matches/{match.pk}/>" in said
    assert "webhook-signature" not in got.headers
    if format == "discord":
        assert got.data["allowed_mentions"] == {"parse": []}
    else:
        assert (got.data["mrkdwn"], got.data["parse"], got.data["link_names"]) == (False, "none", False)


def test_names_make_no_markup_no_link_and_call_nobody():
    discord = composing.discord_text(HOSTILE)
    for mark in ("@everyone", "**", "https://", "[a]", "`c`", "<@", "~~", " _e_", "|f|", " # "):
        assert mark not in discord.replace("\\" + mark[:1], "")
    slack = composing.slack_text(HOSTILE)
    assert "<" not in slack and ">" not in slack and "&lt;!channel&gt;" in slack


@pytest.mark.thin(2)
@pytest.mark.parametrize("slug", list(games()))
def test_no_secret_of_a_match_nor_its_link_is_in_a_call(slug, ann, bob, cem, add, receiver, clock):
    for format in Webhook.Format:
        add(ann, format)
    people = as_many(slug, ann, bob, cem)
    match = played_on(seated(*people, game_slug=slug, access=Match.Access.LINK), Random(5), turns=12)
    match.seats.filter(user=ann).update(ask=900, asked_at=timezone.now() + timedelta(seconds=1), notes="my note")
    clock.forward(HOUR)
    wind(match.seats.get(user=ann), left=timedelta(hours=1), bank=timedelta(days=1))
    call()
    assert len(receiver.calls) == 3
    for got in receiver.calls:
        text = got.body.decode()
        assert match.token not in text and "my note" not in text and "join/" not in text
    told = next(one.data["data"] for one in receiver.calls if "data" in one.data)
    assert set(told) == {"text", "url", "match", "game", "deadline", "rank"}
    assert (told["deadline"] is None) is bool(get_game(slug).secret)
    assert fresh(match).pk == told["match"]


def test_the_channel_can_be_off_at_the_server(hers, receiver, settings):
    settings.WEBHOOKS = False
    call()
    assert not WebhookCall.objects.exists()
    settings.WEBHOOKS = True
    planning.sweep()
    settings.WEBHOOKS = False
    delivery.send_due(failing=False)
    moves.resign(match_id=hers[1].pk, user=hers[0].user)
    assert receiver.calls == []
    assert not WebhookCall.objects.filter(kind=Kind.ENDED).exists()


def test_old_calls_are_forgotten(hers, clock):
    call()
    clock.forward(31 * DAY)
    assert delivery.forget_old() == 1
