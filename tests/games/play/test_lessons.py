"""The lesson of each game, played through: on its path, with every other answer, skipped and taken up at each step."""

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from html import unescape
from io import StringIO
from itertools import product
from random import Random

import pytest
from django.core.management import call_command
from django.db import transaction
from django.utils import translation
from django.utils.html import strip_tags

from config.lib import clock
from games import coaching
from games.engine import LEARNER, Step, Verdict, verify
from games.models import Tally
from games.queries.play import match_and_seats
from games.record import record_of, signed
from games.rules import games, get_game, lesson
from games.services.play import moves
from games.services.refusals import Advised, NotYourSeat
from games.viewing import Viewing
from tests.factories import browser_of, played_on, state_of
from tests.games.lessons import Learner, others_of
from tests.rules.secrets import VARIANTS

TAUGHT = [slug for slug in games() if lesson(slug) is not None]
SPOKEN = 240  # characters of a sentence of the coach, at most: it stands on a phone


class Undone(Exception):
    """What was tried is taken back."""


@contextmanager
def tried(learner: Learner) -> Iterator[None]:
    """Take back what happens within, so that the path goes on where it was."""
    match, met = learner.match, list(learner.met)
    try:
        with transaction.atomic():
            yield
            raise Undone
    except Undone:
        learner.match, learner.met = match, met


def test_every_game_has_a_lesson():
    assert set(TAUGHT) == set(games())


@pytest.mark.thin(2)
@pytest.mark.parametrize(
    ("slug", "language"),
    [
        pytest.param(slug, language, marks=[] if (place + (language == "fr")) % 2 else pytest.mark.proof)
        for (place, slug), language in product(enumerate(TAUGHT), ("en", "fr"))
    ],
)
def test_the_path(ann, slug, language):
    learner, browser = Learner(ann, slug), browser_of(ann, headers={"accept-language": language})
    ann.language = language
    ann.save()
    for step in learner.path():
        assert step is not None, learner.table()["view"]
        with translation.override(language):
            said = coaching.coach_of(learner.match, learner.table()["view"], playing=True)["says"]
            page = browser.get(f"/matches/{learner.match.pk}/").content.decode()
        assert (said == step.says) == (language == "en")
        assert said in unescape(strip_tags(page))
        assert (">Go on by myself<" in page or ">Continuer sans guide<" in page) == step.last
        assert page.count("data-pointed") == len(step.points), step.points
    assert learner.match.status == "running"
    assert not learner.match.coached
    wanted = [step for step in lesson(slug).steps_of(LEARNER) if step.move is not None]
    assert [step.says for step in wanted if not any(_is_case_of(met, step) for met in learner.met)] == []
    prepared = {(step.seat, repr(step.move), repr(step.draws)): step.draws for step in lesson(slug).steps if step.draws}
    assert len(learner.match.prepared) == sum(map(len, prepared.values())) + len(lesson(slug).setup)


def _is_case_of(met: Step, step: Step) -> bool:
    """Whether this is the step, or one for a part of its situation or for more, that would like the same answer."""
    is_part = step.when.items() <= met.when.items() or met.when.items() <= step.when.items()
    return (met.move, met.draws) == (step.move, step.draws) and is_part


@pytest.mark.parametrize("slug", TAUGHT)
def test_each_other_answer(ann, slug):
    learner = Learner(ann, slug)
    for step in learner.path():
        for move, says in others_of(step, learner.table()["view"]["prompt"]) if step else ():
            assert move, (step.says, says)
            before = learner.match.version
            with pytest.raises(Advised, match=re.escape(says)):
                learner.play(move)
            assert learner.match.version == before
            with tried(learner):
                learner.play(move, advised=True)
                assert learner.match.version > before
                for _step in learner.path():
                    pass
                assert not learner.match.coached or learner.match.status == "ended"


@pytest.mark.outgrown
@pytest.mark.parametrize("slug", TAUGHT)
def test_skipped_at_each_step(ann, slug):
    learner = Learner(ann, slug)
    for step in learner.path():
        with tried(learner):
            prepared = list(learner.match.prepared)
            moves.skip_lesson(match_id=learner.match.pk, user=ann)
            learner._look()
            assert not learner.match.coached, step
            assert learner.table()["coach"] is None
            learner.follow()
            learner.bots_out()
            assert learner.match.prepared == prepared


@pytest.mark.parametrize("slug", TAUGHT)
def test_what_is_said_is_short_and_once(slug):
    steps = lesson(slug).steps
    said = [step.says for step in steps if step.seat == LEARNER]
    assert len(set(said)) == len(said)
    assert all(said)
    for text in [*said, *(says for step in steps for _pattern, says in step.others)]:
        for language in ("en", "fr"):
            with translation.override(language):
                assert len(translation.gettext(text)) <= SPOKEN, text


@pytest.mark.parametrize("slug", TAUGHT)
def test_nothing_secret_is_told(ann, slug, monkeypatch):
    """The page is the same whatever the others hold."""
    monkeypatch.setattr("games.table.fresh_key", lambda: "the key")
    learner, told = Learner(ann, slug), 0
    for _step in learner.path():
        match, seats = match_and_seats(learner.match.pk)
        shown = _fragment(ann, match, seats)
        for variant in VARIANTS[slug](state_of(match), LEARNER):
            match.state = match.game.dump(variant)
            assert _fragment(ann, match, seats) == shown
            told += 1
    assert (told > 0) == get_game(slug).secret


def _fragment(person, match, seats) -> str:
    viewing = Viewing(person, match, seats)
    html = viewing.fragment(viewing.table())
    return re.sub('name="key" value="[^"]*"', "", html)


@pytest.mark.outgrown
@pytest.mark.parametrize("slug", TAUGHT)
def test_its_record_names_the_prepared_draws(ann, slug, tmp_path):
    learner = Learner(ann, slug)
    for _step in learner.path():
        pass
    match = played_on(learner.match, Random(7))
    assert match.status == "ended"
    record = signed(record_of(*match_and_seats(match.pk)))
    assert verify(record, get_game) == Verdict(True, prepared=len(match.prepared))
    (tmp_path / "record.json").write_text(json.dumps(record))
    told = StringIO()
    call_command("verify_match", str(tmp_path / "record.json"), stdout=told)
    assert f"but {len(match.prepared)} that were prepared for a lesson" in told.getvalue()
    assert not verify(record | {"prepared": []}, get_game).sound
    assert not Tally.objects.exists()
    assert match.rated is False


def test_bots_leave_time_to_read(ann, settings):
    settings.BOT_PAUSE = 0.9
    learner = Learner(ann, "yum-extra")
    for _number in range(4):
        learner.follow()
    said = learner.step().says
    assert learner.table()["view"]["to_move"] == [1]
    wait = learner.match.seats.get(number=1).bot_at - clock.now()
    assert len(said) / coaching.READ - 1 < wait.total_seconds() <= len(said) / coaching.READ


def test_a_watcher_has_no_coach(ann, bob):
    match = Learner(ann, "yum-extra").match
    assert Viewing(bob, *match_and_seats(match.pk)).table()["coach"] is None
    with pytest.raises(NotYourSeat):
        moves.skip_lesson(match_id=match.pk, user=bob)


def test_a_move_by_mail_is_not_answered_by_the_coach(ann):
    learner = Learner(ann, "yum-extra")
    learner.follow()
    turns = learner.match.turns
    learner.play({"type": "roll"}, advised=True)
    assert learner.match.turns == turns + 1


def test_what_a_gamble_cost_is_told_after_it(ann):
    learner = Learner(ann, "yes")
    while learner.table()["view"]["phase"] != "buy":
        learner.bots_out()
        learner.follow()
    before = learner.table()["view"]["cash"][0]
    learner.play({"type": "buy", "country": "united_kingdom", "gamble": True})
    table = learner.table()
    price = before - table["view"]["cash"][0]
    assert ("less than 80,000" in table["coach"]["says"]) == (price < 80_000)
    assert ("more than 80,000" in table["coach"]["says"]) == (price > 80_000)
    assert table["coach"]["points"] == ("ya",)


def test_what_a_purchase_met_is_told_at_once_and_where_its_card_lies(ann):
    learner, browser = Learner(ann, "yes"), browser_of(ann)
    while learner.table()["view"]["phase"] != "buy":
        learner.bots_out()
        learner.follow()
    page = browser.get(f"/matches/{learner.match.pk}/").content.decode()
    assert "×2: twice the printed price" in page
    assert 'class="place moved"' not in page
    learner.follow()
    assert "“Four goods in Europe” is met" in learner.table()["coach"]["says"]
    page = browser.get(f"/matches/{learner.match.pk}/").content.decode()
    assert re.findall('class="place moved" name="place" id="p-([a-z_]+)"', page) == ["united_kingdom"]


def test_what_a_seat_gained_is_that_of_the_last_payment_until_the_next_roll(ann):
    """In ¥€$: a purchase for 80,000 and one for 20,000 in the same turn are no sum."""
    learner, gains = Learner(ann, "yes"), []
    for step in learner.path():
        if step is not None:
            gains.append((learner.table()["view"]["phase"], learner.table()["seats"][LEARNER]["gain"]))
    wanted = [("roll", 0), ("choose", 0), ("advance", 0), ("roll", 100_000), ("choose", 0), ("buy", 0)]
    assert gains == [*wanted, ("interest", -80_000), ("roll", 70_000), ("choose", 0)]


def test_who_left_the_path_is_told_and_comes_back(ann):
    learner = Learner(ann, "yum-extra")
    learner.follow()
    learner.play({"type": "roll", "dice": [0]}, advised=True)
    coach = learner.table()["coach"]
    assert (coach["last"], coach["points"]) == (False, ())
    assert "left the path" in coach["says"]
    steps = list(learner.path())
    assert None in steps
    assert steps[-1].last
