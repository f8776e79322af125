"""Guests at casual tables by link: a name, a seat, an account later; what they may not."""

import pytest

from accounts.models import Block, User
from accounts.services import guests as accounts_guests
from accounts.services import relationships
from games.models import Match
from games.moderation import members
from games.services.lobby import opening
from games.services.refusals import GuestsCannot
from tests.factories import PASSWORD, WHY, browser_of, end, fresh, guest, opened, seat, seated

LINK = Match.Access.LINK
ALL_SEATED = {"size": 2, "access": LINK}


def sit(table: Match, name: str = "Léa", browser=None, **more):
    browser = browser or browser_of()
    sent = {"guest": name, "token": table.token} | more
    return browser, browser.post(f"/matches/{table.pk}/join/", sent)


@pytest.mark.outgrown
def test_a_visitor_sits_down_under_a_name_and_plays(ann):
    table = opened(ann, **ALL_SEATED)
    page = browser_of().get(f"/join/{table.token}/").content.decode()
    assert "Your name at this table" in page and "Sit down as a guest" in page
    browser, answer = sit(table)
    assert (answer.status_code, answer.url) == (302, f"/matches/{table.pk}/")
    lea = seat(table, 1).user
    assert (lea.username, lea.is_guest, lea.email) == ("guest-Léa", True, "")
    assert fresh(table).status == Match.Status.RUNNING
    page = browser.get(f"/matches/{table.pk}/").content.decode()
    assert "You play as" in page and "guest-Léa" in page
    assert "guest-Léa" in browser_of(ann).get(f"/matches/{table.pk}/").content.decode()


def test_the_same_post_again_is_one_guest(ann):
    table = opened(ann, size=3, access=LINK)
    browser = browser_of()
    browser.get(f"/join/{table.token}/")
    for _time in range(2):
        assert sit(table, browser=browser, key="a-key-of-this-form-1234")[1].status_code == 302
    assert User.objects.filter(is_guest=True).count() == 1


@pytest.mark.parametrize(
    "wishes",
    [{"guests": False}, {"rated": True}, {"rating_range": (1200, None)}, {"access": "invitation"}, {"access": "open"}],
)
def test_tables_that_take_no_guests(ann, wishes):
    table = opened(ann, **({"access": LINK, "size": 3} | wishes))
    assert not table.takes_guests
    _browser, answer = sit(table)
    assert answer.status_code == 302 and answer.url.startswith(("/accounts/signup/", "/accounts/login/"))
    with pytest.raises(GuestsCannot):
        opening.join(match_id=table.pk, user=guest(), token=table.token)
    assert not User.objects.filter(is_guest=True).exclude(username="guest-gnu-1").exists()
    assert table.seats.filter(user=None).count() == 2


@pytest.mark.parametrize("token", ["", "wrong", "x" * 64])
def test_a_wrong_link_seats_nobody(ann, token):
    table = opened(ann, access=LINK)
    answer = browser_of().post(f"/matches/{table.pk}/join/", {"guest": "Léa", "token": token})
    assert answer.status_code == 302 and answer.url.startswith("/accounts/login/")
    assert not User.objects.filter(is_guest=True).exists()


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("", "3 to 18 characters"),
        ("x" * 19, "3 to 18 characters"),
        ("Ad-min", "reserved"),
        ("guest-Léa", "reserved"),
        ("koala-12", "reserved"),
        ("аnna", "one alphabet"),
        ("<b>Léa", "Use letters"),
        ("4nn", "A member has this name"),
        ("A_n_n", "A member has this name"),
        ("ann-72", "A member has this name"),
    ],
)
def test_names_that_are_refused_stay_in_their_field(ann, name, said):
    table = opened(ann, access=LINK)
    User.objects.create_user("4nn", "", "x")
    _browser, answer = sit(table, name)
    page = answer.content.decode()
    assert answer.status_code == 400 and said in page
    assert "Sit down as a guest" in page
    assert not User.objects.filter(is_guest=True).exists()


@pytest.mark.outgrown
def test_one_name_at_one_table_and_numbers_at_others(ann):
    table, other = opened(ann, size=3, access=LINK), opened(ann, size=3, access=LINK)
    sit(table, "Léa")
    _browser, answer = sit(table, "Lea")
    assert answer.status_code == 400 and "at this table has that name" in answer.content.decode()
    browser, answer = sit(other, "Lea")
    assert answer.status_code == 302
    assert seat(other, 1).user.username.startswith("guest-Lea-")
    for more in ({}, {"guest": "Mia"}):  # they keep their name, and the page does not ask for another
        answer = browser.post(f"/matches/{table.pk}/join/", {"token": table.token} | more)
        assert answer.status_code == 400 and "at this table has that name" in answer.content.decode()
    assert table.seats.filter(user=None).count() == 1


def test_who_has_played_bots_takes_a_name_once(ann):
    browser = browser_of(guest("guest-puma-42"))
    tables = [opened(ann, size=3, access=LINK) for _ in range(2)]
    sit(tables[0], "Léa", browser)
    page = browser.get(f"/join/{tables[1].token}/").content.decode()
    assert "Sit down as guest-Léa" in page and "Your name" not in page
    sit(tables[1], "Mia", browser)
    assert [seat(table, 1).username for table in tables] == ["guest-Léa"] * 2
    assert User.objects.filter(is_guest=True).count() == 1


def test_a_full_table_makes_no_guest(ann, bob):
    table = seated(ann, bob, access=LINK)
    _browser, answer = sit(table)
    assert answer.status_code == 409 and "All seats are taken" in answer.content.decode()
    assert browser_of().get(f"/join/{table.token}/").status_code == 409
    assert not User.objects.filter(is_guest=True).exists()


def test_too_many_from_one_network(ann, settings):
    settings.ACCOUNT_RATE_LIMITS = settings.ACCOUNT_RATE_LIMITS | {"guest": "1/h/ip"}
    table = opened(ann, size=4, access=LINK)
    assert sit(table, "Léa")[1].status_code == 302
    assert sit(table, "Mia")[1].status_code == 429
    assert User.objects.filter(is_guest=True).count() == 1


def test_what_a_guest_may_not(ann, cem):
    table = opened(ann, **ALL_SEATED)
    browser, _answer = sit(table)
    say = browser.post(f"/matches/{table.pk}/chat/say/", {"text": "hello"})
    assert say.status_code == 403 and "Guests can only read" in say.content.decode()
    waiting = opened(ann, size=3, access=LINK)
    sit(waiting, browser=browser)
    answer = browser.post(f"/matches/{waiting.pk}/invite/", {"name": "cem"})
    assert answer.status_code == 302 and answer.url.startswith("/accounts/signup/")
    assert browser.post("/report/?member=ann", {"reason": "insult"}).status_code == 403
    assert not waiting.invitations.exists()


@pytest.mark.outgrown
def test_a_rematch_asks_the_guest_who_sits_down_without_the_link(ann):
    table = opened(ann, **ALL_SEATED)
    browser, _answer = sit(table)
    end(fresh(table), [1, 2])
    again = opening.rematch(match_id=table.pk, user=ann)
    assert again.takes_guests
    page = browser.get(f"/matches/{again.pk}/")
    assert page.status_code == 200 and "Sit down as guest-Léa" in page.content.decode()
    assert browser.post(f"/matches/{again.pk}/join/").status_code == 302
    assert fresh(again).status == Match.Status.RUNNING


def test_a_guest_asks_for_no_rematch(ann):
    table = opened(ann, **ALL_SEATED)
    browser, _answer = sit(table)
    end(fresh(table), [1, 2])
    answer = browser.post(f"/matches/{table.pk}/rematch/")
    assert answer.status_code == 302 and answer.url.startswith("/accounts/signup/")
    assert not Match.objects.filter(rematch_of=table).exists()


# ——— Blocks, reports, sanctions


def test_a_blocked_guest_does_not_sit_down(ann):
    first = opened(ann, **ALL_SEATED)
    browser, _answer = sit(first)
    lea = seat(first, 1).user
    page = browser_of(ann).get(f"/matches/{first.pk}/").content.decode()
    assert f"/people/{lea.username}/block/" in page.replace("%C3%A9", "é") and "/report/?member=guest-L" in page
    answer = browser_of(ann).post(f"/people/{lea.username}/block/", {"next": "/"})
    assert answer.status_code == 302 and Block.objects.get().blocked == lea
    _browser, answer = sit(opened(ann, **ALL_SEATED), browser=browser)
    assert answer.status_code == 403 and "cannot sit down at this table" in answer.content.decode()
    assert "guest-Léa" in browser_of(ann).get("/settings/people/").content.decode()


def test_a_guest_is_reported_and_banned(ann, mo, root):
    table = opened(ann, **ALL_SEATED)
    browser, _answer = sit(table)
    lea = seat(table, 1).user
    sent = {"reason": "insult", "words": "her name"}
    assert browser_of(ann).post(f"/report/?member={lea.username}", sent).status_code == 302
    members.rename(moderator=mo, member=lea, reason=WHY, name="Mia")
    assert seat(table, 1).username == "guest-Mia"
    members.propose_ban(moderator=mo, member=lea, reason=WHY)
    assert browser.post("/games/yum-extra/now/", {"lesson": "no"}).status_code == 403
    members.confirm_ban(moderator=root, member=lea, reason=WHY)
    assert browser.get("/matches/").status_code == 302
    assert accounts_guests.guest_behind(accounts_guests.token_of(lea)) is None


def test_sanctions_stay_with_who_logs_in(ann, bob, mo):
    table = opened(ann, **ALL_SEATED)
    browser, _answer = sit(table)
    lea = seat(table, 1).user
    relationships.block(blocker=ann, blocked=lea)
    members.warn(moderator=mo, member=lea, reason=WHY)
    browser.post("/accounts/login/", {"login": "bob", "password": PASSWORD})
    assert bob.sanctions.count() == 1
    assert Block.objects.get().blocked == bob
