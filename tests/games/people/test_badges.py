"""The badge of moderators and admins: wherever their names are listed, in the reader's language, and nobody else's."""

import pytest

from accounts.models import User
from games.moderation import accounts
from games.queries.play import seats_of
from games.services.chat import lines
from tests.factories import browser_of, opened, placed, seated


@pytest.fixture
def match(mo, ann, root):
    match = seated(mo, ann, root)
    for person in (mo, ann):
        lines.say(match=match, seats=seats_of(match), user=person, text="hello")
    return match


PAGES = ("/matches/{}/", "/people/mo/", "/play/", "/leaderboards/yum-extra/", "/matches/", "/matches/{}/chat/")


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
    accounts.change_rights(moderator=root, member=mo, reason="x", rights="member")
    assert "Moderator</" not in browser_of(reader).get(address).content.decode()


def test_an_admin_has_another_and_members_none(match, ann, bob):
    table = browser_of(bob).get(f"/matches/{match.pk}/table/").content.decode()
    assert table.count('class="staff">Admin<') == table.count('class="staff">Moderator<') == 1
    assert table.count('class="staff"') == 2
    headline = browser_of(bob).get("/people/ann/").content.decode().partition("<h1>")[2].partition("</h1>")[0]
    assert headline.strip() == '<span translate="no">ann</span>'
