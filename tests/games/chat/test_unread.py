"""What is new in a chat is marked until it is read, and who was mentioned is told by whom and where."""

import pytest

from accounts.services import relationships
from games.models import ChatLine
from games.services.chat import mentions
from tests.factories import browser_of, seated
from tests.games.chat.calls import say


@pytest.fixture
def match(ann, bob):
    return seated(ann, bob)


def address(match, what="") -> str:
    return f"/matches/{match.pk}/chat/{what}"


def mark(match, person) -> str:
    """Return the mark beside the match's name."""
    page = browser_of(person).get(f"/matches/{match.pk}/").content.decode()
    return page.partition('id="chat-news" ')[2].partition("</a>")[0]


def test_new_lines_are_marked_until_read(match, ann, bob):
    """Reading is what a page that is looked at reports, the button, or writing; no GET."""
    said = say(match, bob, "well rolled")
    assert mentions.with_news(ann, [match.pk]) == {match.pk}
    assert mentions.with_news(bob, [match.pk]) == set()
    assert 'href="#chat">' in mark(match, ann)
    mentions.mark_read(user_id=ann.pk, match_id=match.pk, last=said.pk + 1)  # no such line
    assert mentions.with_news(ann, [match.pk]) == {match.pk}
    mentions.mark_read(user_id=ann.pk, match_id=match.pk, last=said.pk)
    assert mentions.with_news(ann, [match.pk]) == set()
    assert match.seats.get(user=ann).chat_seen == said.pk
    assert "data-none" in mark(match, ann)
    again = say(match, bob, "and again")
    assert mentions.with_news(ann, [match.pk]) == {match.pk}
    answer = browser_of(ann).post(address(match, "read/"), {"line": again.pk, "back": "1"})
    assert answer["Location"] == f"/matches/{match.pk}/#chat"
    assert mentions.with_news(ann, [match.pk]) == set()


def test_what_may_not_be_read_is_not_new(match, ann, bob, cem):
    say(match, cem, "watchers only")
    ChatLine.objects.filter(pk=say(match, bob, "hidden").pk).update(hidden=True)
    assert mentions.with_news(ann, [match.pk]) == set()
    assert mentions.with_news(cem, [match.pk]) == set()
    relationships.block(blocker=ann, blocked=bob)
    say_by_bob = ChatLine.objects.create(match=match, channel=ChatLine.Channel.PLAYERS, user=bob, text="hey")
    assert mentions.with_news(ann, [match.pk]) == set()
    assert say_by_bob.pk


def test_a_mention_is_told_with_name_and_match(match, ann, bob):
    say(match, bob, "@ann your turn")
    told = browser_of(ann).get("/mentions/").content.decode()
    assert '<span translate="no">bob</span> mentioned you at' in told
    assert f'data-mention="{match.pk}"' in told
    assert browser_of(bob).get("/mentions/").content.decode().strip() == ""
    assert browser_of().get("/mentions/").content.decode().strip() == ""
