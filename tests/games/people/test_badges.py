"""The badge of moderators and admins: wherever their names are listed, in the reader's language, and nobody else's."""

import pytest

from accounts.models import User
from accounts.services import relationships
from games.models import Muted
from games.moderation import accounts
from games.queries.play import seats_of
from games.services.chat import lines
from tests.factories import browser_of, committed, moderator, opened, placed, seated
from tests.leaderboards.test_yesss_teams import race


@pytest.fixture
def match(mo, ann, root):
    match = seated(mo, ann, root)
    for person in (mo, ann):
        lines.say(match=match, seats=seats_of(match), user=person, text="hello")
    return match


PAGES = ("/matches/{}/", "/people/mo/", "/play/", "/leaderboards/yum-extra/", "/matches/", "/matches/{}/chat/")


@pytest.mark.thin(2)
@pytest.mark.parametrize("page", PAGES)
def test_a_badge_stands_at_the_names_of_staff(match, mo, root, ann, bob, page):
    opened(mo)
    placed(mo, 1600)
    placed(ann, 1500)
    reader = ann if page == "/matches/" or "chat" in page else bob
    address = page.format(match.pk)
    assert "Moderator</" in browser_of(reader).get(address).content.decode()
    User.objects.filter(pk=reader.pk).update(language="fr")
    assert "Modérateur</" in browser_of(reader).get(address).content.decode()
    User.objects.filter(pk=reader.pk).update(language="en")
    committed(accounts.change_rights, moderator=root, member=mo, reason="x", rights="member")
    assert "Moderator</" not in browser_of(reader).get(address).content.decode()


def test_a_badge_stands_in_the_board_of_teams_and_in_ones_lists(mo, ann):
    race(mo, ann, right=1)
    browser = browser_of(ann)
    browser.post("/people/mo/follow/", {"wish": "1"})
    relationships.block(blocker=ann, blocked=moderator("mia"))
    Muted.objects.create(user=ann, person=mo)
    pages = {"/leaderboards/yesss/teams/": 1, "/settings/people/": 3}
    assert {page: browser.get(page).content.decode().count(">Moderator</span>") for page in pages} == pages


def test_who_is_closed_has_no_badge_in_any_list(match, mo, ann):
    User.objects.filter(pk=mo.pk).update(is_active=False)
    for page in ("/matches/{}/", "/matches/{}/chat/", "/matches/", "/"):
        assert "Moderator<" not in browser_of(ann).get(page.format(match.pk)).content.decode(), page


def test_an_admin_has_another_and_members_none(match, ann, bob):
    table = browser_of(bob).get(f"/matches/{match.pk}/table/").content.decode()
    assert table.count('class="staff">Admin<') == table.count('class="staff">Moderator<') == 1
    assert table.count('class="staff"') == 2
    headline = browser_of(bob).get("/people/ann/").content.decode().partition("<h1>")[2].partition("</h1>")[0]
    assert headline.strip() == '<span translate="no">ann</span>'
