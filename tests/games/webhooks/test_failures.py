"""What is not taken, not reached or in doubt: tried again, once, or turned off."""

import socket
from datetime import timedelta

import pytest

from accounts.services import sealing
from games.models import Mail, Match, Webhook, WebhookCall
from games.services import shares
from games.services.webhooks import composing, delivery, keeping, planning
from tests.games.webhooks.receiver import call, states
from tests.mailing import DAY, HOUR, MINUTE, prefer, wind

pytestmark = [pytest.mark.usefixtures("clock"), pytest.mark.outgrown]
State = Mail.State


@pytest.mark.thin(3)
@pytest.mark.parametrize("status", [301, 302, 307, 308, 400, 403, 404, 429, 500, 503])
def test_what_is_not_taken_is_tried_again(hers, receiver, clock, status):
    hook, _match = hers
    receiver.answer(status, headers={"Location": f"{receiver.base}/elsewhere"})
    call()
    assert [one.path for one in receiver.calls] == ["/hook"]  # and nowhere else
    hook.refresh_from_db()
    wanted = "redirect" if status < 400 else "status"
    assert (hook.last_outcome, hook.last_status, hook.failures) == (wanted, status, 1)
    clock.forward(MINUTE + 2)
    call()
    assert states() == [State.SENT]
    assert len(receiver.calls) == 2
    assert receiver.calls[0].headers["webhook-id"] == receiver.calls[1].headers["webhook-id"]
    hook.refresh_from_db()
    assert (hook.failures, hook.failing_since) == (0, None)


def test_who_asks_to_be_left_alone_is(hers, receiver, clock):
    receiver.answer(429, headers={"Retry-After": "600"})
    call()
    clock.forward(9 * MINUTE)
    call()
    assert len(receiver.calls) == 1
    clock.forward(2 * MINUTE)
    call()
    assert len(receiver.calls) == 2


def test_a_hang_leaves_it_in_doubt_and_is_not_repeated(hers, receiver, clock, monkeypatch):
    monkeypatch.setattr(delivery, "SECONDS", 0.3)
    receiver.hangs = 1.0
    call()
    receiver.hangs = 0
    clock.forward(DAY / 24)
    call()
    assert len(receiver.calls) == 1
    assert states() == [State.UNKNOWN]
    assert Webhook.objects.get().last_outcome == "unanswered"


def test_a_huge_answer_is_cut(hers, receiver):
    receiver.answer(200, body=b"x" * 50_000_000)
    call()
    assert states() == [State.SENT]


def test_nobody_there(hers, receiver, clock):
    receiver.shutdown()
    receiver.server_close()
    call()
    assert states() == [State.WAITING]
    assert Webhook.objects.get().last_outcome == "away"


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "10.0.0.8", "169.254.169.254", "[::1]"])
def test_a_private_address_is_not_called(ann, host, receiver):
    keeping.add(user_id=ann.pk, name="x", format="json", address="https://x.example/")
    address = sealing.encrypt(f"https://{host}:{receiver.server_port}/")  # as if the name had led there
    Webhook.objects.update(address=address)
    assert keeping.try_out(user_id=ann.pk, hook_id=Webhook.objects.get().pk)
    call()
    assert receiver.calls == []
    assert (states(), Webhook.objects.get().last_outcome) == ([State.FAILED], "refused")


def test_a_name_that_leads_elsewhere_a_moment_later_leads_nowhere(ann, receiver, monkeypatch):
    """DNS rebinding: a public address when it is looked at, a private one afterwards."""
    honest, asked_for = socket.getaddrinfo, []

    def rebinding(host, *rest, **more):
        if host != "rebind.example":
            return honest(host, *rest, **more)
        asked_for.append(host)
        there = "192.0.2.1" if len(asked_for) == 1 else "127.0.0.1"
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (there, receiver.server_port))]

    monkeypatch.setattr(socket, "getaddrinfo", rebinding)
    monkeypatch.setattr(delivery, "SECONDS", 0.4)
    keeping.add(user_id=ann.pk, name="x", format="json", address="https://rebind.example/")
    for _ in range(3):
        keeping.try_out(user_id=ann.pk, hook_id=Webhook.objects.get().pk)
        call()
    assert receiver.calls == []
    assert set(states()) == {State.FAILED}


def test_a_sender_that_died_before_handing_over_is_made_good(hers, receiver, clock):
    planning.sweep()
    WebhookCall.objects.update(state=State.SENDING, state_at=planning.clock.now(), attempts=1)
    call()
    assert receiver.calls == []
    clock.forward(61)
    call()
    assert (len(receiver.calls), states()) == (1, [State.SENT])


def test_one_that_died_afterwards_is_in_doubt(hers, receiver, clock):
    planning.sweep()
    WebhookCall.objects.update(state=State.HANDED, state_at=planning.clock.now(), attempts=1)
    clock.forward(HOUR)
    call()
    assert (receiver.calls, states()) == ([], [State.UNKNOWN])


def test_two_senders_call_once(hers, receiver):
    planning.sweep()
    taken = delivery._claimed(WebhookCall.objects.get().pk)
    assert delivery._claimed(taken.pk) is None
    WebhookCall.objects.update(attempts=2)  # another has reclaimed it meanwhile
    delivery._send(taken)
    assert receiver.calls == []


def test_what_changed_while_the_server_was_reached_is_composed_again(hers, receiver, monkeypatch):
    _hook, match = hers
    planning.sweep()
    honest, looks = composing.facts_of, []

    def changing(call):
        looks.append(call)
        if len(looks) == 2:
            match.seats.update(ask=None, asked_at=None)
        return honest(call)

    monkeypatch.setattr(composing, "facts_of", changing)
    delivery.send_due(failing=False)
    delivery.send_due(failing=False)
    assert (receiver.calls, states()) == ([], [State.DROPPED])


@pytest.mark.thin(0)
def test_three_days_of_failures_turn_it_off_and_its_member_is_told(hers, receiver, clock, mailoutbox):
    hook, match = hers
    receiver.answer(*[500] * 200)
    prefer(hook.user, mail_off=["turn", "reminder", "played"])
    wind(match.seats.get(user=hook.user), left=timedelta(days=30), bank=timedelta(days=30))
    for _ in range(35):
        call()
        clock.forward(2 * HOUR + MINUTE)
    hook.refresh_from_db()
    assert hook.off_at is None
    for _ in range(3):
        call()
        clock.forward(2 * HOUR + MINUTE)
    hook.refresh_from_db()
    assert hook.off_at is not None and hook.failures >= 30
    made = len(receiver.calls)
    call()
    assert len(receiver.calls) == made
    told = Mail.objects.get(kind="webhook").message
    assert told["to"] == hook.user.email
    assert "json" in told["text"] and "/settings/webhooks/" in told["text"] and "500" in told["text"]
    keeping.turn_on(user_id=hook.user_id, hook_id=hook.pk)
    receiver.answers.clear()
    keeping.try_out(user_id=hook.user_id, hook_id=hook.pk)
    call()
    assert len(receiver.calls) == made + 1


def test_few_failures_days_apart_turn_nothing_off(hers, receiver, clock):
    hook, _match = hers
    receiver.answer(500, 500)
    for _ in range(2):
        keeping.try_out(user_id=hook.user_id, hook_id=hook.pk)
        delivery.send_due(failing=False)
        delivery.send_due(failing=True)
        clock.forward(4 * DAY)
    hook.refresh_from_db()
    assert (hook.off_at, hook.failures) == (None, 2)


def test_a_server_that_says_it_is_gone_is_called_no_more(hers, receiver):
    receiver.answer(410)
    call()
    assert Webhook.objects.get().off_at is not None


def test_one_that_fails_holds_up_no_other(ann, bob, add, receiver, clock):
    bad, good = add(ann, path="/bad", name="bad"), add(ann, path="/good", name="good")
    Webhook.objects.filter(pk=bad.pk).update(failing_since=planning.clock.now(), failures=1)
    for hook in (bad, good):
        keeping.try_out(user_id=ann.pk, hook_id=hook.pk)
    assert delivery.send_due(failing=False) == 1
    assert [one.path for one in receiver.calls] == ["/good"]


def test_what_a_receiver_asks_in_odd_digits_is_not_heeded(hers, receiver, clock):
    """A superscript is a digit to Python, and no number: the call fails as any other."""
    receiver.answer(503, headers={"Retry-After": "\N{SUPERSCRIPT TWO}"})
    call()
    assert (states(), Webhook.objects.get().last_status) == ([State.WAITING], 503)


def test_a_match_that_cannot_be_told_holds_up_no_other(hers, add, ann, bob, receiver, clock):
    """The calls of others are made in the same run, and its own once it can be told again."""
    add(bob)
    hook, match = hers
    planning.sweep()
    Match.objects.filter(pk=match.pk).update(game_slug="of-another-release")
    WebhookCall.objects.update(next_try_at=planning.clock.now() - timedelta(hours=1))
    other = Webhook.objects.get(user=bob)
    keeping.try_out(user_id=bob.pk, hook_id=other.pk)
    delivery.send_due(failing=False)
    assert [one.data["type"] for one in receiver.calls] == ["test"]
    assert WebhookCall.objects.get(hook=hook).state == State.WAITING
    Match.objects.filter(pk=match.pk).update(game_slug=match.game_slug)
    clock.forward(HOUR)
    call()
    assert states() == [State.SENT] * 2


def test_who_is_slow_is_called_apart(ann, bob, add, receiver, monkeypatch):
    """Else a server that answers each of many calls at the last moment would hold up everybody's."""
    monkeypatch.setattr(delivery, "SLOW", 0.2)
    slow, quick = add(ann), add(bob)
    for hook in (slow, slow, slow):
        keeping.try_out(user_id=ann.pk, hook_id=hook.pk)
    receiver.hangs = 0.3
    delivery.send_due(failing=False)
    assert len(receiver.calls) == 1
    receiver.hangs = 0
    keeping.try_out(user_id=bob.pk, hook_id=quick.pk)
    delivery.send_due(failing=False)
    assert states() == [State.SENT, State.WAITING, State.WAITING, State.SENT]
    delivery.send_due(failing=True)
    assert states() == [State.SENT] * 4


def test_who_takes_much_time_by_many_calls_is_called_apart(ann, bob, add, receiver, monkeypatch):
    """Each answered just before it counts as slow, a hundred waiting ones would hold up everybody's for minutes."""
    monkeypatch.setattr(shares, "SHARE", 0.5)
    hooks, quick = [add(ann, name=name) for name in ("a", "b")], add(bob)
    for hook in hooks * 10:
        keeping.try_out(user_id=ann.pk, hook_id=hook.pk)
    keeping.try_out(user_id=bob.pk, hook_id=quick.pk)
    receiver.hangs = 0.2
    delivery.send_due(failing=False)
    assert WebhookCall.objects.get(hook=quick).state == State.SENT
    made = len(receiver.calls)
    assert made <= 4
    delivery.send_due(failing=False)
    assert len(receiver.calls) == made
    delivery.send_due(failing=True)
    assert len(receiver.calls) > made


def test_new_ones_come_after_those_that_are_known_to_answer(ann, bob, add, receiver):
    """Else whoever adds addresses that hang, again and again, holds up everybody's calls."""
    known = add(bob)
    keeping.try_out(user_id=bob.pk, hook_id=known.pk)
    delivery.send_due(failing=False)
    new = add(ann)
    for who, hook in ((ann, new), (bob, known)):
        keeping.try_out(user_id=who.pk, hook_id=hook.pk)
    receiver.hangs = 0.1
    delivery.send_due(failing=False)
    settled = WebhookCall.objects.filter(hook__in=[new, known]).order_by("-state_at").values_list("hook", flat=True)
    assert list(settled)[:2] == [new.pk, known.pk]
