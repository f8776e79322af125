"""Names, and words that people wrote, are marked so that a browser's translation leaves them alone."""

import re
from html.parser import HTMLParser

import pytest

from games.models import Seat
from games.queries.play import seats_of
from games.rules import games, get_game
from games.services.chat import lines
from games.services.lobby import closing
from games.services.play import moves
from tests.factories import browser_of, confirmed_member, member, opened, seated

PLAIN = ("title", "option", "textarea", "button")  # which hold text alone, or say what is done to whom
WORD = re.compile(r"\w+")
VOID = {"meta", "link", "input", "br", "hr", "img", "use", "path", "rect", "circle", "source"}


class Translated(HTMLParser):
    """Counts where a name stands, alone or in a sentence: marked, or as a text that may be translated."""

    def __init__(self, name: str, *, in_sentences: bool) -> None:
        super().__init__()
        self.in_sentences = in_sentences
        self.name, self.open, self.kept, self.lost = name, [], 0, []

    def handle_starttag(self, tag, attrs):
        if tag not in VOID:
            self.open.append((tag, dict(attrs).get("translate") == "no"))

    def handle_endtag(self, tag):
        if any(tag == opened for opened, _no in self.open):
            while self.open.pop()[0] != tag:
                pass

    def handle_data(self, data):
        is_there = self.name in WORD.findall(data) if self.in_sentences else data.strip().lstrip("@") == self.name
        if is_there and not any(tag in PLAIN for tag, _no in self.open):
            if any(no for _tag, no in self.open):
                self.kept += 1
            else:
                self.lost.append(f"{self.open[-1][0]}: {' '.join(data.split())}")


def shown(page: str, name: str, *, in_sentences: bool = True) -> Translated:
    found = Translated(name, in_sentences=in_sentences)
    found.feed(page)
    return found


@pytest.fixture
def maple(db):
    return confirmed_member("maple", "maple@example.org")


ADDRESSES = ("/", "/play/", "/matches/", "/people/maple/", "/people/maple/season/", "/settings/people/")


def test_a_name_in_a_sentence_is_left_alone(ann, bob, maple):
    """Who opens, invites, asks, declines, proposes, was reported, ran out of time."""
    running, own = seated(ann, maple, pace="7d"), opened(ann, invited=[maple])
    invited = opened(maple, invited=[ann])
    moves.wish_pause(match_id=running.pk, user=maple, wish=True)
    moves.wish_call_off(match_id=running.pk, user=maple, wish=True)
    closing.decline(match_id=own.pk, user=maple)
    Seat.objects.filter(match=seated(bob, maple), user=maple).update(bot="strong", left=1, absent=True)
    for match in (running, own, invited):
        look_at(ann, f"/matches/{match.pk}/news/")
    for address in ("/", "/play/", "/report/?member=maple", "/people/maple/"):
        look_at(ann, address)
    look_at(maple, "/matches/")


def look_at(person, address: str) -> None:
    answer = browser_of(person).get(address)
    assert answer.status_code in (200, 204)
    assert shown(answer.content.decode(), "maple").lost == [], address


def test_a_name_is_left_alone(ann, maple):
    """On the pages where people meet, and at the table of every game."""
    crowd = [member(f"crowd{number}") for number in range(2)]
    tables = [seated(ann, maple, *crowd[: get_game(slug).max_seats - 2], game_slug=slug) for slug in games()]
    opened(maple)
    lines.say(match=tables[0], seats=seats_of(tables[0]), user=maple, text="good luck @ann")
    browser = browser_of(ann)
    browser.post("/people/maple/follow/", {"wish": "1"})
    at_tables = [f"/matches/{match.pk}/" for match in tables]
    for address in (*ADDRESSES, *at_tables):
        found = shown(browser.get(address).content.decode(), "maple", in_sentences=address not in at_tables)
        assert found.lost == [], address
        assert found.kept > 0, address
