"""The chat of a club: for members alone, with the limits, mentions, mutes and blocks of a match's chat."""

import pytest
from django.db import IntegrityError, transaction

from accounts.models import Block
from games.clubs.models import News
from games.clubs.services import joining, roles, talking
from games.clubs.services.refusals import NotOfClub
from games.models import ChatLine, Membership, Muted
from games.moderation import matches, members
from games.queries.clubs import with_news
from games.services.chat.mentions import open_to
from games.services.refusals import CannotWrite, Invalid
from tests.clubs.arranged import INVITATION, OPEN, REQUEST, made, said
from tests.factories import WHY, browser_of, member
from tests.games.test_once import form_on
from tests.ladders.test_pages import text_of


def chat(club) -> str:
    return f"/clubs/{club.pk}/chat/"


@pytest.mark.outgrown
def test_a_line_is_of_a_match_or_of_a_club(ann):
    club = made(ann)
    line = said(club, ann, "first")
    assert (line.match, line.channel) == (None, "club")
    with pytest.raises(IntegrityError), transaction.atomic():
        ChatLine.objects.create(channel="club", user=ann, text="nowhere")
    with pytest.raises(IntegrityError), transaction.atomic():
        ChatLine.objects.create(club=club, channel="players", user=ann, text="elsewhere")


@pytest.mark.thin(1)
@pytest.mark.parametrize("access", [OPEN, REQUEST, INVITATION])
def test_nobody_else_reads_or_writes(client, ann, bob, cem, eve, mo, access):
    club = made(ann, bob, access=access)
    line = said(club, ann, "among ourselves")
    joining.invite(club_id=club.pk, user=ann, name="cem")
    roles.remove(club_id=club.pk, user=ann, member_id=bob.pk)
    for browser in (client, *(browser_of(one) for one in (bob, cem, eve, mo))):
        assert browser.get(chat(club)).status_code in (302, 404)
        page = browser.get(f"/clubs/{club.pk}/")
        assert "among ourselves" not in page.content.decode()
        for act, body in (("say", {"text": "x"}), ("read", {"line": line.pk}), ("mute", {"mute": line.pk})):
            assert browser.post(f"{chat(club)}{act}/", body).status_code in (302, 404)
        assert browser.get(f"/report/?line={line.pk}").status_code in (302, 404)
    for user in (bob, cem, eve):
        with pytest.raises(NotOfClub):
            said(club, user)
    assert ChatLine.objects.count() == 1 and not Muted.objects.exists()


def test_what_is_refused(ann, bob, root):
    club = made(ann, bob)
    for text in ("", "  \n", "\u2800", "x" * 1001):
        with pytest.raises(Invalid):
            said(club, ann, text)
    members.mute(moderator=root, member=ann, reason=WHY, until=None)
    with pytest.raises(CannotWrite):
        said(club, ann)
    assert "You cannot write on this site" in text_of(browser_of(ann), chat(club))
    assert not ChatLine.objects.exists()


def test_members_talk_and_links_ask_first(ann, bob):
    club = made(ann, bob)
    browser = browser_of(ann)
    form = form_on(browser, chat(club), f"{chat(club)}say/")
    for _time in range(2):  # a double click says it once
        answer = browser.post(f"{chat(club)}say/", form | {"text": "see https://example.org/ @bob <b>"})
    assert answer["Location"].startswith(chat(club))
    assert ChatLine.objects.count() == 1
    page = browser_of(bob).get(chat(club)).content.decode()
    assert "/leaving/?to=https%3A%2F%2Fexample.org%2F" in page and "&lt;b&gt;" in page
    assert '<mark class="me" translate="no">@bob</mark>' in page


@pytest.mark.outgrown
def test_a_mention_is_noted_for_members_who_hear_its_writer(ann, bob, cem, eve):
    club = made(ann, bob, cem)
    zoe = member("zoe")
    joining.join(club_id=club.pk, user=zoe)
    Muted.objects.create(user=cem, person=ann)
    Block.objects.create(blocker=zoe, blocked=ann)
    first = said(club, ann, "@BOB @cem @eve @zoe @ann, and a@bob.org or https://x.org/@bob")
    said(club, ann, "@bob again")
    assert list(News.objects.values_list("user", "kind", "line")) == [(bob.pk, "mentioned", first.pk)]
    talking.mark_read(club_id=club.pk, user=bob, last=first.pk)
    assert not News.objects.exists()
    assert not open_to(bob).exists()  # a club's lines are none of a match's


@pytest.mark.outgrown
def test_what_is_new_stands_until_it_was_read(ann, bob, cem):
    club = made(ann, bob)
    other = made(cem, bob, name="Other")
    line, foreign = said(club, ann), said(other, cem)
    assert [row.club for row in with_news(bob)] == [club, other]
    assert not with_news(ann).exists()
    talking.mark_read(club_id=club.pk, user=bob, last=foreign.pk)  # a line of another club marks nothing
    assert club in [row.club for row in with_news(bob)]
    browser = browser_of(bob)
    for page in ("/", "/clubs/"):
        assert "New in the chat" in browser.get(page).content.decode()
    browser.post(f"{chat(club)}read/", {"line": line.pk})
    assert [row.club for row in with_news(bob)] == [other]
    browser.post(f"{chat(club)}read/", {"line": "0"})
    assert Membership.objects.get(club=club, user=bob).seen == line.pk
    matches.hide(moderator=member("root2", is_superuser=True, is_staff=True), line=foreign, reason=WHY)
    assert not with_news(bob).exists()


def test_muted_and_blocked_people_are_not_read(ann, bob):
    club = made(ann, bob)
    line = said(club, ann, "a loud word")
    browser = browser_of(bob)
    assert browser.post(f"{chat(club)}mute/", {"mute": line.pk}).status_code == 302
    words = text_of(browser, chat(club))
    assert "a loud word" not in words and "You have muted this person." in words
    assert not with_news(bob).exists()
    browser.post(f"{chat(club)}mute/", {"hear": line.pk})
    assert "a loud word" in text_of(browser, chat(club))
    Block.objects.create(blocker=ann, blocked=bob)
    said(club, ann, "said after the block")
    words = text_of(browser, chat(club))
    assert "said after the block" not in words and "a loud word" in words
    assert not with_news(bob).exists()


def test_older_lines_are_a_page_away(ann):
    club = made(ann)
    rows = [ChatLine(club=club, channel="club", user=ann, text=f"line-{number}.") for number in range(60)]
    ChatLine.objects.bulk_create(rows)
    browser = browser_of(ann)
    page = browser.get(chat(club)).content.decode()
    assert "line-59." in page and "line-10." in page and "line-9." not in page
    before = ChatLine.objects.get(text="line-10.").pk
    assert f"?before={before}" in page
    page = browser.get(f"{chat(club)}?before={before}").content.decode()
    assert "line-9." in page and "line-10." not in page
    assert browser.get(f"{chat(club)}?before=x").status_code == 200


def test_who_leaves_reads_no_more(ann, bob):
    club = made(ann, bob)
    said(club, ann)
    joining.leave(club_id=club.pk, user=bob)
    assert browser_of(bob).get(chat(club)).status_code == 404
    assert not with_news(bob).exists()
