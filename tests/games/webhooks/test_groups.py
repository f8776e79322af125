"""Webhooks of clubs and tournaments: who may keep them, what nobody learns, what is told once, and when they go."""

import json

import pytest
from django.urls import reverse

from accounts.services import sealing
from accounts.services.closing import close_account
from config.lib import clock as present
from games.clubs import tasks as of_clubs
from games.clubs.services import making, roles
from games.clubs.views import webhooks as view
from games.competitions import tasks
from games.competitions.models import Tournament
from games.competitions.services import rounds
from games.models import Audit, Membership, Webhook, WebhookCall
from games.services.refusals import Invalid
from games.services.webhooks import composing, delivery, groups
from tests.clubs import arranged as clubs
from tests.clubs import encounters
from tests.competitions import arranged as tournaments
from tests.factories import browser_of, member, moderator

pytestmark = [pytest.mark.outgrown, pytest.mark.django_db]
HOUR = 3600


def club_group(club) -> groups.Group:
    return groups.Group("club", club.pk)


def page(thing) -> str:
    name = "tournament-webhooks" if isinstance(thing, Tournament) else "club-webhooks"
    return reverse(name, args=[thing.pk])


def form(receiver, **more) -> dict:
    return {"act": "add", "name": "news", "format": "json", "address": f"{receiver.base}/hook"} | more


def added(group, by, receiver, format="json") -> Webhook:
    groups.add(group, by=by, name=format, format=format, address=f"{receiver.base}/hook")
    return groups.of_group(group).get(name=format)


def kinds(hook) -> list[str]:
    return list(WebhookCall.objects.filter(hook=hook).order_by("pk").values_list("kind", flat=True))


# Who may


def test_only_who_organises_a_club_keeps_its_webhooks(ann, bob, cem, eve, receiver):
    club = clubs.made(ann, bob, cem)
    roles.make_organiser(club_id=club.pk, user=ann, member_id=bob.pk, wish=True)
    statuses = {
        who: browser_of(one).get(page(club)).status_code for who, one in zip("abce", (ann, bob, cem, eve), strict=True)
    }
    assert statuses == {"a": 200, "b": 200, "c": 403, "e": 404}
    for one, status in ((cem, 403), (eve, 404)):
        assert browser_of(one).post(page(club), form(receiver)).status_code == status
    assert not Webhook.objects.exists()
    assert browser_of().post(page(club), form(receiver)).status_code == 302
    assert browser_of(bob).post(page(club), form(receiver)).status_code == 200
    assert b"club-webhooks" not in browser_of(cem).get(f"/clubs/{club.pk}/").content


def test_who_is_no_organiser_any_more_changes_nothing(ann, bob, receiver, monkeypatch):
    club = clubs.made(ann, bob)
    roles.make_organiser(club_id=club.pk, user=ann, member_id=bob.pk, wish=True)
    found = view.of_members

    def meanwhile(request, club_id):
        seen = found(request, club_id)
        Membership.objects.filter(club=club, user=bob).update(role="member")
        return seen

    monkeypatch.setattr(view, "of_members", meanwhile)
    assert browser_of(bob).post(page(club), form(receiver)).status_code == 403
    assert not Webhook.objects.exists()


def test_only_its_organiser_keeps_those_of_a_tournament(ann, bob, receiver):
    olga, mo = tournaments.organiser(), moderator()
    contest = tournaments.announced(olga)
    tournaments.entered(contest, [ann])
    for one in (ann, bob, mo):
        assert browser_of(one).get(page(contest)).status_code == 403
        assert browser_of(one).post(page(contest), form(receiver)).status_code == 403
    assert browser_of(olga).post(page(contest), form(receiver)).status_code == 200
    assert Webhook.objects.get().of_id == contest.pk


def test_a_tournament_that_is_over_takes_no_more(receiver):
    olga = tournaments.organiser()
    contest = tournaments.announced(olga)
    added(groups.Group("tournament", contest.pk), olga, receiver)
    rounds.cancel(contest, by=olga, reason="x")
    assert browser_of(olga).post(page(contest), form(receiver)).status_code >= 400
    hook = Webhook.objects.get()
    assert browser_of(olga).post(page(contest), {"act": "remove", "hook": hook.pk}).status_code == 302
    assert not Webhook.objects.exists()


@pytest.mark.parametrize(
    "address",
    ["http://example.org/x", "https://127.0.0.1/x", "https://localhost/x", "https://10.0.0.1/", "https://u:p@e.org/",
     "ftp://e.org", "https://[::1]/", "", "x" * 3000],
)  # fmt: skip
def test_addresses_that_are_never_called(ann, address):
    club = clubs.made(ann)
    answer = browser_of(ann).post(page(club), {"act": "add", "name": "x", "format": "json", "address": address})
    assert answer.status_code == 422 and not Webhook.objects.exists()


def test_another_groups_webhook_is_out_of_reach(ann, bob, receiver):
    own, other = clubs.made(ann), clubs.made(bob, name="Others")
    hook = added(club_group(other), bob, receiver)
    theirs = Webhook.objects.create(user=ann, name="x", format="json", address="", secret="")
    for number in (hook.pk, theirs.pk, "x", "9" * 30, ""):
        for act in ("remove", "test", "on"):
            browser_of(ann).post(page(own), {"act": act, "hook": number})
    assert Webhook.objects.count() == 2 and not WebhookCall.objects.exists()
    browser_of(ann).post("/settings/webhooks/", {"act": "remove", "hook": hook.pk})
    assert Webhook.objects.count() == 2


def test_there_are_so_many(ann, receiver):
    club = clubs.made(ann)
    for number in range(groups.MOST):
        groups.add(club_group(club), by=ann, name=f"n{number}", format="slack", address=f"{receiver.base}/x")
    with pytest.raises(Invalid):
        added(club_group(club), ann, receiver)
    Webhook.objects.first().delete()
    with pytest.raises(Invalid):
        groups.add(club_group(club), by=ann, name="n1", format="slack", address=f"{receiver.base}/x")


def test_it_is_limited(ann, receiver, settings):
    settings.ACCOUNT_RATE_LIMITS = settings.ACCOUNT_RATE_LIMITS | {"webhook": "1/h/user"}
    club, browser = clubs.made(ann), browser_of(ann)
    assert [browser.post(page(club), form(receiver, name=name)).status_code for name in "ab"] == [200, 429]


# What nobody learns


def test_address_and_secret_are_sealed_and_shown_to_nobody(ann, bob, receiver):
    club = clubs.made(ann, bob)
    first = browser_of(ann).post(page(club), form(receiver)).content.decode()
    hook = Webhook.objects.get()
    secret = sealing.opened(hook.secret)
    assert secret in first and receiver.base not in hook.address
    later = browser_of(ann).get(page(club)).content.decode()
    assert secret not in later and f"{receiver.base}/hook" not in later
    assert "news" not in json.dumps(list(Webhook.objects.filter(user=ann).values_list("name", flat=True)))


def test_each_change_stands_in_the_audit(ann, receiver):
    club = clubs.made(ann)
    hook = added(club_group(club), ann, receiver)
    Webhook.objects.update(off_at=present.now())
    groups.turn_on(club_group(club), by=ann, hook_id=hook.pk)
    groups.remove(club_group(club), by=ann, hook_id=hook.pk)
    told = list(Audit.objects.filter(deed="hook").order_by("pk").values_list("moderator", "details"))
    assert told == [(ann.pk, f"club {club.pk}: {mark} json") for mark in "+↻−"]
    assert receiver.base not in str(told)


# What is told


def test_a_club_match_is_told_to_both_clubs(hours, receiver):
    one, other, people, others = encounters.two_clubs(2)
    hooks = [added(club_group(club), encounters.owner(club), receiver) for club in (one, other)]
    made = encounters.accepted(one, other)
    assert [kinds(hook) for hook in hooks] == [["announced", "accepted"]] * 2
    encounters.lined_up(made, [*people, *others])
    for board in encounters.begun(made, hours):
        encounters.end(board.match, [1, 2])
    hours.go_by(hours=1)
    of_clubs.tend_encounters()
    assert [kinds(hook)[-1] for hook in hooks] == ["result", "result"]
    call = WebhookCall.objects.filter(kind="result").first()
    told = composing.facts_of(call)
    assert "Alpha" in told["text"] and "Beta" in told["text"] and " : " in told["text"]
    assert told["url"].endswith(f"/clubs/matches/{made.pk}/")
    assert composing.facts_of(WebhookCall.objects.filter(kind="announced").first()) is None  # true no more


def test_a_tournament_tells_rounds_tables_and_its_end(receiver, hours):
    olga = tournaments.organiser()
    people = tournaments.people(2)
    contest = tournaments.announced(olga, least=2)
    hook = added(groups.Group("tournament", contest.pk), olga, receiver)
    tournaments.entered(contest, people)
    tournaments.announcing.begin_now(tournament_id=contest.pk, user=olga)
    tasks.tend()
    assert kinds(hook) == ["round"]
    told = composing.facts_of(WebhookCall.objects.get(kind="round"))
    assert told["text"].startswith("Autumn Cup: round 1") and told["round"] == 1
    while tables := tournaments.running_tables(contest):
        for table in tables:
            tournaments.end_table(table)
        tasks.tend()
    assert kinds(hook)[1] == "table" and kinds(hook)[-1] == "over"
    table = composing.facts_of(WebhookCall.objects.filter(kind="table").first())
    assert {place["name"] for place in table["places"]} == {one.username for one in people}
    over = composing.facts_of(WebhookCall.objects.get(kind="over"))
    assert over["places"][0]["rank"] == 1 and over["tournament"] == contest.pk


def test_what_was_told_is_not_told_twice(ann, receiver):
    club = clubs.made(ann)
    hook = added(club_group(club), ann, receiver)
    for _again in range(3):
        groups.tell(club_group(club), "announced", 7)
    groups.tell(club_group(club), "result", 7, again=1)
    groups.tell(club_group(club), "result", 7, again=2)
    assert kinds(hook) == ["announced", "result", "result"]


def test_a_call_arrives_signed(ann, receiver):
    club = clubs.made(ann)
    hook = added(club_group(club), ann, receiver)
    groups.try_out(club_group(club), hook_id=hook.pk)
    assert delivery.send_due(failing=True) + delivery.send_due(failing=False) == 1
    [sent] = receiver.calls
    assert sent.data["type"] == "test" and sent.is_signed_by(sealing.opened(hook.secret))


def test_the_kind_names_whose_it_is(ann, bob, receiver):
    one, other = clubs.made(ann), clubs.made(bob, name="Others")
    added(club_group(one), ann, receiver)
    encounters.challenged(one, other)
    assert delivery.send_due(failing=False) == 1
    body = receiver.calls[0].data
    assert body["type"] == "club.announced" and body["data"]["clubs"] == ["Dice at Dawn", "Others"]


def test_one_that_fails_for_days_is_turned_off(ann, receiver, clock):
    club = clubs.made(ann)
    hook = added(club_group(club), ann, receiver)
    receiver.answer(*[500] * 99)
    groups.tell(club_group(club), "announced", 1)
    groups.try_out(club_group(club), hook_id=hook.pk)
    for _day in range(8):
        groups.try_out(club_group(club), hook_id=hook.pk)
        delivery.send_due(failing=False)
        delivery.send_due(failing=True)
        clock.forward(13 * HOUR)
    hook.refresh_from_db()
    assert hook.off_at is not None
    assert "turned off" in browser_of(ann).get(page(club)).content.decode()


# When they go


def test_they_go_with_the_club(ann, receiver):
    club = clubs.made(ann)
    added(club_group(club), ann, receiver)
    groups.tell(club_group(club), "announced", 1)
    making.dissolve(club_id=club.pk, user=ann)
    assert not Webhook.objects.exists() and not WebhookCall.objects.exists()


def test_they_stay_when_an_organiser_of_a_club_goes(ann, bob, receiver):
    club = clubs.made(ann, bob)
    added(club_group(club), ann, receiver)
    close_account(user_id=ann.pk)
    assert Webhook.objects.filter(of="club").count() == 1


def test_they_go_with_the_organiser_of_a_tournament(receiver):
    olga = tournaments.organiser()
    contest = tournaments.announced(olga)
    added(groups.Group("tournament", contest.pk), olga, receiver)
    close_account(user_id=olga.pk)
    assert not Webhook.objects.exists()


def test_they_go_with_who_organised_a_tournament_of_a_club_and_left_it(ann, bob, cem, receiver):
    """Else whoever was removed from a club by invitation was told on and on how its members play."""
    club = clubs.made(ann, bob, cem, access=clubs.INVITATION)
    roles.make_organiser(club_id=club.pk, user=ann, member_id=bob.pk, wish=True)
    tournament = tournaments.announced(bob, access=Tournament.Access.CLUB, club=club)
    added(groups.Group("tournament", tournament.pk), bob, receiver)
    roles.remove(club_id=club.pk, user=ann, member_id=bob.pk)
    assert tournaments.now(tournament).organiser == ann
    assert not Webhook.objects.exists()


def test_they_go_a_month_after_the_end(receiver, clock):
    olga = tournaments.organiser()
    contest = tournaments.announced(olga)
    added(groups.Group("tournament", contest.pk), olga, receiver)
    rounds.cancel(contest, by=olga, reason="x")
    tasks.calls.forget_old()
    assert Webhook.objects.exists()
    clock.forward(31 * 24 * HOUR)
    tasks.calls.forget_old()
    assert not Webhook.objects.exists()
    assert member("zed")
