"""Talking at a match: who reads and writes where, what a line looks like, mentions, muting, limits."""

import json
import re

import pytest
from django.core.cache import cache

from accounts.models import User
from accounts.services import relationships
from games.models import ChatLine, Match, Muted
from games.queries.play import seats_of
from games.services.chat import lines as chat_lines
from games.services.lobby import closing
from games.services.play import moves
from games.services.refusals import CannotWrite, Invalid
from games.views.chat_rendering import LINES
from tests.factories import browser_of, fresh, opened, seated
from tests.games.play.test_consumer import hears, in_thread, opened_page, page, people, running

LIVE = {"X-Live": "1"}


@pytest.fixture
def match(ann, bob):
    return seated(ann, bob)


def say(match, user, text="hello"):
    return chat_lines.say(match=match, seats=seats_of(match), user=user, text=text)


def address(match, what="") -> str:
    return f"/matches/{match.pk}/chat/{what}"


def read(match, person=None) -> str:
    return browser_of(person).get(address(match), headers=LIVE).content.decode()


def test_players_write_and_read_among_themselves(match, ann, bob, cem):
    answer = browser_of(ann).post(address(match, "say/"), {"text": "well rolled"}, headers=LIVE)
    assert answer.status_code == 200
    assert "well rolled" in answer.content.decode()
    assert "well rolled" in read(match, bob)
    assert "well rolled" in browser_of(bob).get(f"/matches/{match.pk}/").content.decode()
    for outsider in (cem, None):
        assert "well rolled" not in read(match, outsider)
        assert "well rolled" not in browser_of(outsider).get(f"/matches/{match.pk}/").content.decode()


def test_watchers_have_a_channel_of_their_own_until_the_end(match, ann, bob, cem, eve):
    say(match, cem, "he bluffs")
    assert "he bluffs" in read(match, eve)
    assert "he bluffs" in read(match)
    assert "he bluffs" not in read(match, ann)
    moves.resign(match_id=match.pk, user=bob)
    assert fresh(match).status == Match.Status.ENDED
    assert "he bluffs" in read(match, ann)
    say(match, ann, "only for bob")
    assert "only for bob" not in read(match, cem)


def test_without_javascript_the_form_leads_back(match, ann):
    answer = browser_of(ann).post(address(match, "say/"), {"text": "hi"})
    assert answer.status_code == 302
    assert answer["Location"] == f"/matches/{match.pk}/#chat"


@pytest.mark.parametrize("text", ["", "   ", "\0", "\u200b\u202e", "x" * 1001])
def test_nothing_and_too_much_are_refused(match, ann, text):
    with pytest.raises(Invalid):
        say(match, ann, text)
    answer = browser_of(ann).post(address(match, "say/"), {"text": text})
    assert answer.status_code == 400
    assert not ChatLine.objects.exists()


def test_a_refused_line_is_given_back(match, ann):
    answer = browser_of(ann).post(address(match, "say/"), {"text": "y" * 1001})
    assert "y" * 1001 in answer.content.decode()


def test_guests_and_visitors_only_read(match, gus):
    with pytest.raises(CannotWrite):
        say(match, gus)
    assert browser_of(gus).post(address(match, "say/"), {"text": "hi"}).status_code == 403
    answer = browser_of().post(address(match, "say/"), {"text": "hi"})
    assert answer.status_code == 302
    assert answer["Location"].startswith("/accounts/login/")
    assert not ChatLine.objects.exists()


def test_who_may_not_see_a_match_may_not_talk_there(ann, bob, eve):
    match = seated(ann, bob, access=Match.Access.LINK)
    for answer in (
        browser_of(eve).get(address(match)),
        browser_of(eve).post(address(match, "say/"), {"text": "hi"}),
    ):
        assert answer.status_code == 404


def test_nobody_talks_to_bots(ann):
    match = seated(ann, bots=["easy"], access=Match.Access.INVITATION)
    assert browser_of(ann).get(address(match)).status_code == 404
    assert 'id="chat"' not in browser_of(ann).get(f"/matches/{match.pk}/").content.decode()


def blocks(blocker, blocked):
    relationships.block(blocker=blocker, blocked=blocked)


@pytest.mark.parametrize("blocker", ["bob", "cem"])
def test_who_only_watches_does_not_write_to_whom_they_are_kept_apart_from(match, ann, bob, cem, blocker):
    blocks(*((bob, cem) if blocker == "bob" else (cem, bob)))
    with pytest.raises(CannotWrite):
        say(match, cem)
    page = browser_of(cem).get(address(match)).content.decode()
    assert "kept apart" in page
    assert "id_say" not in page
    say(match, ann)
    say(match, bob)
    relationships.unblock(blocker=bob, blocked=cem)
    relationships.unblock(blocker=cem, blocked=bob)
    say(match, cem)


@pytest.mark.parametrize("blocker", ["ann", "bob"])
def test_two_who_are_kept_apart_do_not_write_to_each_other(match, ann, bob, blocker):
    blocks(*((ann, bob) if blocker == "ann" else (bob, ann)))
    for person in (ann, bob):
        with pytest.raises(CannotWrite):
            say(match, person)
        page = browser_of(person).get(address(match)).content.decode()
        assert "kept apart" in page
        assert "id_say" not in page
        assert browser_of(person).post(address(match, "say/"), {"text": "x"}).status_code == 403


def test_at_a_table_of_three_a_block_silences_nobody_towards_the_third(ann, bob, cem, clock):
    match = seated(ann, bob, cem)
    say(match, ann, "an old line")
    clock.forward(60)
    blocks(ann, bob)
    clock.forward(60)
    say(match, bob, "bob to all @ann")
    say(match, ann, "ann to all @bob")
    say(match, cem, "cem to all")
    to_ann, to_bob, to_cem = (read(match, person) for person in (ann, bob, cem))
    for line in ("an old line", "bob to all", "ann to all", "cem to all"):
        assert line in to_cem
    assert "bob to all" not in to_ann
    assert "You have blocked this person" in to_ann
    assert "ann to all" not in to_bob
    assert "blocked" not in to_bob
    assert "an old line" in to_bob


def test_what_is_kept_from_somebody_is_kept_from_their_hands_too(ann, bob, cem, clock):
    match = seated(ann, bob, cem)
    blocks(ann, bob)
    clock.forward(60)
    line = say(match, ann, "not for bob")
    assert browser_of(bob).post(address(match, "mute/"), {"mute": line.pk}).status_code == 404
    assert browser_of(bob).get(f"/report/?line={line.pk}").status_code == 404


def test_who_has_confirmed_no_address_reads_along(match, ann):
    User.objects.filter(pk=ann.pk).update(email="")
    ann.refresh_from_db()
    with pytest.raises(CannotWrite):
        say(match, ann)
    page = browser_of(ann).get(address(match)).content.decode()
    assert "Confirm your e-mail address to write here" in page
    assert "id_say" not in page


def test_one_line_too_many_in_a_minute(match, ann):
    browser = browser_of(ann)
    answers = [browser.post(address(match, "say/"), {"text": f"{n}"}, headers=LIVE) for n in range(13)]
    assert [answer.status_code for answer in answers] == [200] * 12 + [429]
    assert "a little fast" in answers[-1].content.decode()
    assert ChatLine.objects.count() == 12
    cache.clear()


def test_a_person_is_muted_and_heard_again(match, ann, bob):
    line = say(match, bob, "bla bla")
    browser = browser_of(ann)
    answer = browser.post(address(match, "mute/"), {"mute": line.pk}, headers=LIVE)
    assert "bla bla" not in answer.content.decode()
    assert "You have muted this person" in answer.content.decode()
    assert "bla bla" in read(match, bob)
    browser.post(address(match, "mute/"), {"mute": line.pk})
    assert Muted.objects.count() == 1
    answer = browser.post(address(match, "mute/"), {"hear": line.pk}, headers=LIVE)
    assert "bla bla" in answer.content.decode()


def test_who_cannot_be_muted(match, ann, cem):
    own = say(match, ann)
    assert browser_of(ann).post(address(match, "mute/"), {"mute": own.pk}).status_code == 400
    for number in (own.pk, "x", "9" * 30, ""):
        assert browser_of(cem).post(address(match, "mute/"), {"mute": number}).status_code == 404


@pytest.mark.parametrize("lines", [3, LINES, LINES + 1, LINES + 9])
def test_an_open_page_hears_that_lines_are_gone(lines, match, ann, bob):
    """Also of one in the middle, and that a line reads otherwise: who is gone stays on no open page."""
    for number in range(lines):
        say(match, ann, f"line {number}")
    middle, last = (ChatLine.objects.order_by("-pk")[number] for number in (1, 0))
    have = token(match, bob)
    middle.delete()
    assert asked_again(match, bob, have) == 200
    have = token(match, bob)
    assert asked_again(match, bob, have) == 204
    ChatLine.objects.filter(pk=last.pk).update(text="@…")
    assert asked_again(match, bob, have) == 200


def test_an_open_page_is_told_nothing_of_what_is_hidden(match, ann, bob):
    line = say(match, ann, "very rude")
    ChatLine.objects.filter(pk=line.pk).update(hidden=True)
    have = token(match, bob)
    ChatLine.objects.filter(pk=line.pk).update(text="something else")
    assert token(match, bob) == have


def test_a_hidden_line_is_not_sent(match, ann, bob):
    line = say(match, ann, "very rude")
    ChatLine.objects.filter(pk=line.pk).update(hidden=True)
    for person in (ann, bob):
        assert "very rude" not in read(match, person)
        assert "A moderator has hidden this line" in read(match, person)


def token(match, person) -> str:
    """What the page of this person says it has of the chat."""
    return re.search(r'data-have="(\w+)"', read(match, person))[1]


def asked_again(match, person, have: str) -> int:
    return browser_of(person).get(address(match), {"have": have}, headers=LIVE).status_code


def test_what_is_new_only(match, ann, bob):
    line = say(match, ann)
    have, browser = token(match, bob), browser_of(bob)
    assert asked_again(match, bob, have) == 204
    ChatLine.objects.filter(pk=line.pk).update(hidden=True)
    assert asked_again(match, bob, have) == 200
    for have in ("x", "\0", "-1", "1.9"):
        assert browser.get(address(match), {"have": have}, headers=LIVE).status_code == 200


def test_long_talks_come_in_pages(match, ann, bob):
    ChatLine.objects.bulk_create(
        ChatLine(match=match, channel="players", user=ann, text=f"line-{n:03}.") for n in range(120)
    )
    found, where = set(), address(match)
    for _ in range(3):
        text = browser_of(bob).get(where).content.decode()
        found |= {n for n in range(120) if f"line-{n:03}." in text}
        where = address(match) + "?before=" + (text.split("?before=")[1].split('"')[0] if "?before=" in text else "0")
    assert found == set(range(120))


@pytest.mark.django_db(transaction=True)
async def test_a_line_rings_and_a_mention_calls():
    ann, bob = await people("ann", "bob")
    match = await running(ann, bob)
    async with page(f"match={match.pk}", ann) as at_match, page("lobby=1", bob) as elsewhere:
        await opened_page(at_match)
        await opened_page(elsewhere)
        await in_thread(say)(match, ann, "@BOB your turn, @nobody")
        assert {"mention": match.pk} in [await hears(elsewhere) for _ in range(2)]
        heard = [await hears(at_match) for _ in range(4)]
        assert {"chat": True} in heard
        assert "your turn" not in json.dumps(heard)
        assert not any("mention" in one for one in heard)


def test_who_is_muted_does_not_call(match, ann, bob, monkeypatch):
    called = []
    monkeypatch.setattr("games.broadcast.chat_changed", lambda number, *, mentioned: called.append(mentioned))
    say(match, ann, "@bob")
    Muted.objects.create(user=bob, person=ann)
    say(match, ann, "@bob")
    assert called == [[bob.pk], []]


def test_only_who_takes_part_is_mentioned(match, ann, bob, cem, eve):
    people = chat_lines.mentioned_people(match, seats_of(match), "players", "@ann @BOB @cem")
    assert people == {"ann": ann.pk, "bob": bob.pk}
    say(match, cem)
    assert chat_lines.mentioned_people(match, seats_of(match), "watchers", "@ann @cem @eve") == {"cem": cem.pk}


def test_an_open_table_is_for_talking_too(ann, bob):
    match = opened(ann)
    say(match, ann, "join me")
    assert "join me" not in browser_of(bob).get(f"/matches/{match.pk}/").content.decode()


def test_the_invited_talk_with_those_who_sit_there(ann, bob, cem):
    """Until they decline; then they are as other watchers."""
    table = opened(ann, size=3, invited=[bob], access=Match.Access.OPEN)
    say(table, ann, "when do you have time?")
    say(table, bob, "tonight")
    assert "when do you have time?" in read(table, bob)
    assert "tonight" in read(table, ann)
    assert "tonight" not in read(table, cem)
    closing.decline(match_id=table.pk, user=bob)
    assert "tonight" not in read(table, bob)
    say(table, bob, "a pity")
    assert "a pity" not in read(table, ann)
    assert "a pity" in read(table, cem)
