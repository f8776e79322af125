"""YESSS!'s pages: what each may see and press, words and pairs by form, orders, rules, the end laid open."""

import re
from html import unescape

import pytest
from django.urls import reverse

from games.models import Match
from games.plain_text import log_sentences
from games.queries.play import seats_of
from games.queries.turns import all_turns
from games.rules.yesss.data import name_of
from games.table import table_for
from tests.factories import browser_of, fresh, member, seat, seated
from tests.games.play.yesss_pages import act, buttons, page, post, roles, view, words

pytestmark = pytest.mark.django_db


@pytest.fixture
def four(ann, bob, cem):
    return [ann, bob, cem, member("dan")]


@pytest.fixture
def match(four):
    return seated(*four, game_slug="yesss", options={"language": "en", "rounds": 2})


@pytest.fixture
def proposed(match):
    for number in range(4):
        act(match, number, {"type": "select", "pair": view(match, number)["hand"][0]})
    return fresh(match)


@pytest.fixture
def said(proposed):
    """A match in which a word waits for two guesses: its token's number, announcer, keeper and guessers."""
    act(proposed, view(proposed)["tokens"][0]["announcer"], {"type": "word", "token": 0, "word": "tide"})
    return fresh(proposed)


def test_everybody_sees_seven_named_pictures_and_their_own_three_pairs(match, four, eve):
    pictures = view(match)["pictures"]
    for number, person in enumerate(four):
        html = page(person, match)
        ring = re.findall(r'class="pic p(\d)".*?alt="([^"]*)"', html, re.S)
        assert [unescape(name) for _n, name in ring] == [name_of(n, "en") for n in pictures]
        hand = view(match, number)["hand"]
        assert buttons(html) == [f'{{"type":"select","pair":[{a},{b}]}}' for a, b in hand]
    assert buttons(page(eve, match)) == []
    french = browser_of(member("francine", language="fr")).get(f"/matches/{match.pk}/").content.decode()
    assert all(f'alt="{name_of(n, "fr")}"' in unescape(french) for n in pictures)


def test_the_order_at_table_and_the_direction_are_drawn(match, ann):
    html = page(ann, match)
    direction = view(match)["direction"]
    assert f'class="sitting {direction}"' in html
    seats = re.findall(r'<li[^>]*><svg class="shape seat-(\d)"', html.split('class="sitting')[1].split("</ol>")[0])
    assert seats == ["0", "1", "2", "3"]
    assert ("go this way" in html) == (direction == "left")


def test_only_announcer_and_keeper_see_a_pair(said, four, eve):
    announcer, keeper, *guessers = roles(said)
    pair = view(said, announcer)["tokens"][0]["pair"]
    for number in (announcer, keeper):
        card = page(four[number], said).split('id="token-1-0-')[1].split("</li>")[0]
        assert [int(n) for n in re.findall(r"<b>(\d)</b>", card)] == pair
    for person in (*(four[number] for number in guessers), eve):
        card = page(person, said).split('id="token-1-0-')[1].split("</li>")[0]
        assert "known" not in card
        assert "tide" in card


def test_a_guess_by_two_ticked_pictures(said):
    _announcer, _keeper, guesser, _other = roles(said)
    answer = post(said, guesser, '{"type":"guess","token":0}', **{"guess.two.pair": ["", "6", "2"]})
    assert answer.status_code == 200
    assert "Your guess: 2–6" in words(answer.content.decode())
    assert said.log.latest("number").move == {"type": "guess", "token": 0, "pair": [2, 6]}


@pytest.mark.parametrize("ticked", [[""], ["", "3"], ["", "3", "4", "5"], ["", "x", "2"], ["", "1.0", "2"]])
def test_what_is_no_pair_is_refused_in_words(said, ticked):
    guesser = roles(said)[2]
    answer = post(said, guesser, '{"type":"guess","token":0}', **{"guess.two.pair": ticked})
    assert answer.status_code == 400
    assert "Nothing was played" in words(answer.content.decode())
    assert fresh(said).turns == said.turns


def test_an_objection_takes_nothing_from_the_ticked_pictures(said):
    guesser = roles(said)[2]
    answer = post(said, guesser, '{"type":"object","token":0}', **{"guess.two.pair": ["", "1", "2"]})
    assert answer.status_code == 200
    assert "You objected" in words(answer.content.decode())


def test_an_objection_that_carried_looks_like_no_mistake(said, four):
    announcer, keeper, *guessers = roles(said)
    for word in (None, "journey"):
        if word:
            act(said, announcer, {"type": "word", "token": 0, "word": word})
        for guesser in guessers:
            act(said, guesser, {"type": "object", "token": 0})
    card = page(four[keeper], said).split('<ul class="guesses">')[1].split("</ul>")[0]
    assert card.count('class="carried"') == len(guessers)
    assert "wrong" not in card
    assert "✕" not in card


def test_each_pair_that_one_announces_has_a_word_of_its_own(proposed):
    receiver = view(proposed)["tokens"][0]["receiver"]
    act(proposed, receiver, {"type": "refuse"})
    selector = 0
    own = [n for n, token in enumerate(view(proposed)["tokens"]) if token["announcer"] == selector]
    assert len(own) == 2
    html = page(seat(proposed, selector).user, proposed)
    assert re.findall(r'name="word.text.word.(\d)"', html) == [str(n) for n in own]
    fields = {f"word.text.word.{own[0]}": "first", f"word.text.word.{own[1]}": "second"}
    assert post(fresh(proposed), selector, f'{{"type":"word","token":{own[1]}}}', **fields).status_code == 200
    assert view(proposed)["tokens"][own[1]]["word"] == "second"
    assert view(proposed)["tokens"][own[0]]["word"] is None


@pytest.mark.parametrize(
    ("word", "why"),
    [
        ("Blue", "is a colour"),
        ("seven", "is a number"),
        ("rain-bow", "no spaces, hyphens"),
        ("two words", "no spaces, hyphens"),
        ("", "1 to 30 letters"),
        ("x" * 31, "at most 30 letters"),
        ("x" * 40, "at most 30 letters"),
        ("x" * 41, "at most 40 characters"),
        ("x" * 5000, "at most 40 characters"),
        ("<i>sea</i>", "no spaces, hyphens"),
        ("\0", "made of letters"),
    ],
)
def test_a_word_is_refused_by_the_server_in_words(proposed, word, why):
    announcer = view(proposed)["tokens"][0]["announcer"]
    answer = post(proposed, announcer, '{"type":"word","token":0}', **{"word.text.word.0": word})
    assert answer.status_code == 409
    assert why in words(answer.content.decode())
    assert fresh(proposed).turns == proposed.turns


@pytest.mark.parametrize("live", [False, True])
def test_a_refused_word_is_still_there_and_told_beside_its_field(proposed, live):
    announcer = view(proposed)["tokens"][0]["announcer"]
    fields = {"word.text.word.0": 'sea"<b>', "word.text.word.1": "of another pair"}
    answer = post(proposed, announcer, '{"type":"word","token":0}', live=live, **fields)
    assert answer.status_code == 409
    html = answer.content.decode()
    assert 'name="word.text.word.0" value="sea&#34;&lt;b&gt;"' in html
    assert 'aria-describedby="word-0-why" aria-invalid="true" autofocus' in html
    (why,) = re.findall(r'<p class="errors" id="word-0-why">([^<]+)</p>', html)
    assert why.startswith("Say one word made of letters")
    assert f'<p class="refusal note warn">{why}</p>' in html  # the field says it aloud: once is enough
    assert html.count("aria-invalid") == 1


def test_what_was_typed_outlives_other_refusals_and_is_told_at_no_field(said):
    receiver = view(said)["tokens"][1]["receiver"]
    fields = {"word.text.word.1": "half", "guess.two.pair": ["", "1", "2", "3"]}
    html = post(said, receiver, '{"type":"guess","token":0}', live=False, **fields).content.decode()
    assert "tick exactly two" in words(html)
    assert 'role="alert"' in html
    assert 'name="word.text.word.1" value="half"' in html
    assert "aria-invalid" not in html
    assert 'value="half"' not in page(seat(said, receiver).user, said)


def test_a_pair_is_sent_back_by_two_steps(proposed):
    """The button lies within details: a slip beside the word's field opens them, no more."""
    receiver = view(proposed)["tokens"][0]["receiver"]
    html = page(seat(proposed, receiver).user, proposed)
    (asked,) = re.findall(r'<details class="sure[^>]*id="back-[^>]*>(.*?)</details>', html, re.S)
    assert '{"type":"refuse"}' in buttons(asked)
    assert html.count('{"type":"refuse"}') == asked.count('{"type":"refuse"}') == 1


def test_an_order_takes_the_offer_to_send_back_off_the_page(proposed):
    receiver = view(proposed)["tokens"][0]["receiver"]
    person = seat(proposed, receiver).user
    assert '{"type":"refuse"}' in buttons(page(person, proposed))
    answer = browser_of(person).post(reverse("orders", args=[proposed.pk]), {"refuse": "never", "swap": "never"})
    assert answer.status_code == 302
    assert seat(proposed, receiver).orders == {"refuse": "never", "swap": "never"}
    html = page(person, proposed)
    assert '{"type":"refuse"}' not in buttons(html)
    assert re.search(r'name="swap" value="never" checked', html)
    browser_of(person).post(reverse("orders", args=[proposed.pk]), {})
    assert seat(proposed, receiver).orders == {}


@pytest.mark.parametrize("orders", [{"swap": "always"}, {"refuse": "1"}])
def test_orders_that_there_are_not(match, ann, orders):
    answer = browser_of(ann).post(reverse("orders", args=[match.pk]), orders)
    assert answer.status_code == 400
    assert seat(match, 0).orders == {}


def play_round(match) -> None:
    """Let all pass on, announce, and guess their first pair of the printed order, or a right one."""
    for number in range(4):
        act(match, number, {"type": "select", "pair": view(match, number)["hand"][0]})
    for token in range(4):
        announcer, keeper, *guessers = roles(match, token)
        act(match, announcer, {"type": "word", "token": token, "word": "word" + "abcd"[token]})
        right = view(match, keeper)["tokens"][token]["pair"]
        for number in guessers:
            guess = right if number == guessers[0] else next(p for p in ([1, 2], [1, 3]) if p != right)
            act(match, number, {"type": "guess", "token": token, "pair": guess})


def test_the_swap_the_next_round_and_the_end(match, four, eve):
    play_round(match)
    brains = view(match)["brains"]
    assert sum(brains) == 4 * 3  # a right guess counts for two, a wrong one for the keeper
    html = page(four[0], match)
    assert '{"type":"pass"}' in buttons(html)
    assert '{"type":"swap","seat":2}' in buttons(html)
    act(match, 0, {"type": "swap", "seat": 2})
    assert "You answered" in words(page(four[0], match))
    for number in (1, 2, 3):
        act(match, number, {"type": "pass"})
    html = page(eve, match)
    assert "ann changed places with cem for a brain" in words(html)
    assert len(re.findall(r'class="reveal"', html)) == 4
    assert 'class="pic back"' not in html
    play_round(match)
    ended = fresh(match)
    assert ended.status == Match.Status.ENDED
    html = page(eve, ended)
    assert "The funniest miss" in html
    assert "Every word of the match" in html
    assert html.count('class="reveal"') == 9
    assert words(html).index("The funniest miss") < words(html).index("Every word of the match")
    for number in range(1, ended.turns + 1):
        assert browser_of(eve).get(f"/matches/{ended.pk}/replay/{number}/").status_code == 200
    assert browser_of(eve).get(f"/matches/{ended.pk}/log/").status_code == 200


def test_what_a_mail_says_of_it(said):
    announcer, _keeper, *guessers = roles(said)
    right = view(said, announcer)["tokens"][0]["pair"]
    for number in guessers:
        act(said, number, {"type": "guess", "token": 0, "pair": right})
    match, seats = fresh(said), seats_of(said)
    lines = log_sentences(table_for(match, seats, seats[announcer], list(all_turns(match))))
    one, other = (name_of(view(said)["pictures"][n - 1], "en") for n in right)
    told = next(line for line in lines if "was" in line)
    assert told.startswith(f"“tide”, said by you, was {one} + {other} ({right[0]}–{right[1]}); right:")


@pytest.fixture
def race(ann, bob):
    return seated(ann, bob, game_slug="yesss", options={"mode": "cooperative", "minutes": 0, "language": "en"})


def test_clue_and_answer_by_the_same_pictures(race, ann, bob):
    for number in (0, 1):
        act(race, number, {"type": "ready"})
    race = fresh(race)
    ticked = {"clue+answer.two.pair": ["", "3", "1"], "clue.text.word": "tide"}
    assert post(race, 0, '{"type":"clue"}', **ticked).status_code == 200
    assert view(race, 0)["clues"][0]["pair"] == [1, 3]
    assert "pair" not in view(race, 1)["clues"][0]
    assert post(fresh(race), 1, '{"type":"answer","clue":0}', **ticked).status_code == 200
    assert view(race)["good"] == [[1, 3]]
    html = page(bob, race)
    assert 'class="score"><b>1</b>' in html
    assert '<li class="good">1–3' in html
    again = post(fresh(race), 1, '{"type":"answer","clue":0}', **ticked)
    assert again.status_code == 409
    assert "Somebody was quicker" in words(again.content.decode())
