"""Who may invite whom: a confirmed address, the wish of the invited, one open invitation for a pair, then a day."""

import pytest

from accounts.models import Follow, User
from games.models import Invitation, LastInvitation, Match
from games.services.lobby import closing, inviting, opening
from games.services.refusals import NotAsked
from tests.factories import browser_of, confirmed_member, end, fresh, opened, seated
from tests.games.play.addresses import sentence
from tests.games.play.at_once import Tab, statuses

DAY = 24 * 3600


@pytest.fixture
def eve(db):
    """Eve has typed an address, and not confirmed it."""
    return confirmed_member("eve", "eve@example.org", confirmed=False)


def takes(member: User, wish: str) -> User:
    member.invitations_from = wish
    member.save()
    return member


def form(*names: str) -> dict[str, str]:
    wishes = {"game": "yum-extra", "size": "3", "access": "invitation", "pace": "3d", "option_scratch": "forced"}
    return wishes | {"invited": ", ".join(names)}


def new_table(browser, *names: str):
    return browser.post("/play/new/", form(*names))


def test_without_a_confirmed_address_one_invites_nobody_by_any_door(eve, ann, bob):
    browser = browser_of(eve)
    table, over = opened(eve), end(seated(eve, ann), [1, 2])
    answers = [
        new_table(browser, "ann", "bob"),
        browser.post(f"/matches/{table.pk}/invite/", {"name": "ann"}),
        browser.post(f"/matches/{over.pk}/rematch/"),
    ]
    assert [answer.status_code for answer in answers] == [403, 403, 403]
    assert all("Confirm your e-mail address to invite others" in sentence(answer) for answer in answers)
    assert not Invitation.objects.exists() and Match.objects.count() == 2
    for page in ("/play/new/?game=yum-extra", f"/matches/{table.pk}/"):
        assert "Confirm your e-mail address to invite others." in sentence(browser.get(page)), page


@pytest.mark.parametrize("wish", ["known", "none"])
def test_who_takes_no_invitations_is_not_asked_and_the_host_is_told(ann, bob, cem, wish):
    takes(bob, wish)
    browser, table = browser_of(ann), opened(ann)
    words = {"known": "bob takes invitations only from members whom they follow", "none": "bob takes no invitations."}
    answers = [new_table(browser, "cem", "bob"), browser.post(f"/matches/{table.pk}/invite/", {"name": "cem, bob"})]
    assert [answer.status_code for answer in answers] == [403, 403]
    assert all(words[wish] in sentence(answer) for answer in answers)
    assert not Invitation.objects.exists() and not LastInvitation.objects.exists()  # all or nobody


def test_whom_one_follows_or_has_played_with_may_ask(ann, bob, cem):
    takes(bob, "known")
    opening.join(match_id=(table := opened(ann)).pk, user=bob)
    with pytest.raises(NotAsked):  # they only sat down at the same table
        opened(ann, invited=[bob])
    closing.leave(match_id=table.pk, user=bob)
    seated(ann, bob)
    Follow.objects.create(follower=bob, followed=cem)
    assert [opened(host, invited=[bob]).invitations.count() for host in (ann, cem)] == [1, 1]


def test_a_rematch_leaves_out_who_takes_no_invitations_and_says_so(ann, bob, cem):
    takes(bob, "none")
    over = end(seated(ann, bob, cem), [1, 2, 3])
    page = browser_of(ann).post(f"/matches/{over.pk}/rematch/", follow=True)
    assert "bob takes no invitations." in sentence(page)
    assert [row.user for row in Invitation.objects.all()] == [cem]
    duel = end(seated(ann, bob), [1, 2])
    with pytest.raises(NotAsked, match="bob takes no invitations"):
        opening.rematch(match_id=duel.pk, user=ann)
    assert not Match.objects.filter(rematch_of=duel).exists()


@pytest.mark.outgrown
def test_one_open_invitation_for_a_pair_then_a_day(ann, bob, cem, clock):
    table = opened(ann, invited=[bob])
    with pytest.raises(NotAsked, match="has not answered"):
        opened(ann, invited=[bob, cem])
    opening.invite(match_id=table.pk, user=ann, guests=[bob])  # there he is asked already
    opened(cem, invited=[bob])  # of another pair
    closing.leave(match_id=table.pk, user=ann)
    with pytest.raises(NotAsked, match="24 hours"):
        opened(ann, invited=[bob])
    clock.forward(DAY + 1)
    assert opened(ann, invited=[bob]).invitations.count() == 1
    assert inviting.forget_old() == 0  # one waits for its answer; the other table is open


def test_who_came_may_be_asked_again_at_once(ann, bob):
    for _ in range(2):
        table = opened(ann, size=2, invited=[bob])
        opening.join(match_id=table.pk, user=bob)
    over = end(fresh(table), [1, 2])
    assert opening.rematch(match_id=over.pk, user=ann).invitations.count() == 1


def test_what_holds_nobody_up_is_forgotten(ann, bob, cem, clock):
    opening.join(match_id=opened(ann, size=2, invited=[bob]).pk, user=bob)
    opened(ann, invited=[cem])
    clock.forward(DAY + 1)
    assert inviting.forget_old() == 1
    assert [row.guest for row in LastInvitation.objects.all()] == [cem]


@pytest.mark.outgrown
@pytest.mark.django_db(transaction=True)
def test_invitations_in_the_same_instant_are_one(ann, bob, at_once):
    tab = Tab(ann)
    answers = at_once(tab.post("/play/new/", **form("bob")) for _ in range(4))
    assert statuses(answers) == [302, 403, 403, 403]
    assert Invitation.objects.count() == 1


def test_the_wish_is_a_setting(ann, gus):
    settings = {"language": "en", "time_zone": "UTC", "colours": "dark"}
    browser = browser_of(ann)
    assert browser.post("/settings/", settings | {"invitations_from": "known"}).status_code == 302
    assert browser.post("/settings/", settings).status_code == 302  # a page of before
    assert User.objects.get(pk=ann.pk).invitations_from == "known"
    assert browser.post("/settings/", settings | {"invitations_from": "x"}).status_code == 422
    assert "Who may invite you" in browser.get("/settings/").content.decode()
    assert "Who may invite you" not in browser_of(gus).get("/settings/").content.decode()
