"""One answer from each person, which stands; it is counted on the puzzle's own day; nothing is told before it."""

import re
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from threading import Barrier

import pytest
from django.db import connection
from django.test import Client

from accounts.models import User
from accounts.services import guests
from accounts.services.closing import close_account
from config.lib import clock as present
from games import tasks
from games.models import Audit, Match, Puzzle, PuzzleAnswer
from games.moderation import members
from games.queries.puzzles import card_of, counts_of, today
from games.services.people.personal_data import play_data
from games.services.puzzles import answering, making
from tests.factories import PASSWORD, admin, browser_of, guest, member
from tests.games.play.at_once import meanwhile
from tests.games.test_once import form_on

PAGE = "/puzzle/"


def post(browser: Client, puzzle: Puzzle, choice: object = 0):
    return browser.post(f"{PAGE}{puzzle.day}/answer/", {"puzzle": puzzle.pk, "choice": choice})


def text(response) -> str:
    return " ".join(re.sub(r"<[^>]*>", " ", response.content.decode()).split())


@pytest.mark.outgrown
def test_an_answer_is_kept_and_then_all_is_told(puzzle, cem, eve):
    PuzzleAnswer.objects.create(puzzle=puzzle, user=eve, choice=puzzle.bots, late=False)
    browser = browser_of(cem)
    before = text(browser.get(PAGE))
    assert "sharp bot" not in before and "%" not in before
    answer = post(browser, puzzle, puzzle.played)
    assert (answer.status_code, answer["Location"]) == (302, f"{PAGE}{puzzle.day}/")
    after = text(browser.get(answer["Location"]))
    for said in ("your answer", "the sharp bot", "played in the match", "less than the best" if puzzle.worths else ""):
        assert said in after
    assert f"/matches/{puzzle.match_id}/replay/{puzzle.step + 1}/" in browser.get(PAGE).content.decode()
    assert sum(counts_of(puzzle)) == 2


def test_a_replay_that_is_not_public_is_not_linked(puzzle, cem):
    browser = browser_of(cem)
    post(browser, puzzle)
    Match.objects.filter(pk=puzzle.match_id).update(access=Match.Access.INVITATION)
    assert "/replay/" not in browser.get(PAGE).content.decode()


def test_guests_answer_like_members(puzzle):
    assert post(browser_of(guest()), puzzle).status_code == 302
    assert counts_of(puzzle)[0] == 1


@pytest.mark.outgrown
def test_what_a_guest_answered_is_the_members_who_logs_in(puzzle, cem):
    gus = guest()
    browser = browser_of(gus)
    post(browser, puzzle, 1)
    browser.post("/accounts/login/", {"login": "cem", "password": PASSWORD})
    assert PuzzleAnswer.objects.get().user == cem
    assert post(browser, puzzle, 0).status_code == 409


def test_of_a_guests_answer_and_ones_own_ones_own_stays(puzzle, cem):
    gus = guest()
    post(browser_of(cem), puzzle, 0)
    browser = browser_of(gus)
    post(browser, puzzle, 1)
    browser.post("/accounts/login/", {"login": "cem", "password": PASSWORD})
    assert PuzzleAnswer.objects.get(user=cem).choice == 0


def test_visitors_look_and_are_asked_to_log_in(puzzle):
    browser = browser_of()
    page = browser.get(PAGE).content.decode()
    assert "/accounts/login/?next=/puzzle/" in page and "/answer/" not in page
    answer = post(browser, puzzle)
    assert answer.status_code == 302 and "/accounts/login/" in answer["Location"]
    assert not PuzzleAnswer.objects.exists()


def test_the_first_answer_stands(puzzle, cem):
    browser = browser_of(cem)
    post(browser, puzzle, 0)
    assert post(browser, puzzle, 0).status_code == 302
    answer = post(browser, puzzle, 1)
    assert answer.status_code == 409 and "Your first answer stands" in text(answer)
    assert PuzzleAnswer.objects.get().choice == 0


def test_the_same_post_twice_is_one_answer(puzzle, cem):
    browser = browser_of(cem)
    body = form_on(browser, PAGE, f"{PAGE}{puzzle.day}/answer/") | {"choice": "1"}
    answers = [browser.post(f"{PAGE}{puzzle.day}/answer/", body) for _time in range(2)]
    assert {(answer.status_code, answer["Location"]) for answer in answers} == {(302, f"{PAGE}{puzzle.day}/")}
    assert PuzzleAnswer.objects.count() == 1


@pytest.mark.outgrown
@pytest.mark.django_db(transaction=True)
def test_of_two_at_once_one_stands(puzzle, cem):
    start = Barrier(2)

    def give(choice: int) -> bool:
        try:
            start.wait(10)
            answering.answer(puzzle=puzzle, user=cem, choice=choice)
        except answering.AnsweredBefore:
            return False
        finally:
            connection.close()
        return True

    with ThreadPoolExecutor(2) as browsers:
        given = list(browsers.map(give, range(2)))
    assert sorted(given) == [False, True]
    assert PuzzleAnswer.objects.get().choice == given.index(True)


@pytest.mark.outgrown
@pytest.mark.django_db(transaction=True)
def test_ones_own_answer_in_the_instant_of_a_guests_log_in_stays(puzzle, cem):
    """The log-in failed: two answers were one member's."""
    gus = guest()
    answering.answer(puzzle=puzzle, user=gus, choice=1)
    with meanwhile(lambda: answering.answer(puzzle=puzzle, user=cem, choice=0)):
        guests.join(guest=gus, member=cem)
    assert PuzzleAnswer.objects.get(user=cem).choice == 0
    assert not User.objects.filter(pk=gus.pk).exists()


def test_what_is_no_answer_is_refused_in_words(puzzle, cem):
    for choice in ("", "x", "-1", "6", "99", "1.0", "9" * 30, "\0"):
        answer = post(browser_of(cem), puzzle, choice)
        assert answer.status_code == 400 and "Choose one of the answers" in text(answer), choice
    assert not PuzzleAnswer.objects.exists()


def test_an_answer_meant_for_another_puzzle_is_refused(puzzle, cem):
    for number in ("0", "x", "", "9" * 20):
        answer = browser_of(cem).post(f"{PAGE}{puzzle.day}/answer/", {"puzzle": number, "choice": "0"})
        assert answer.status_code == 409 and "withdrawn" in text(answer), number


def test_a_late_answer_is_kept_and_not_counted(puzzle, cem, eve, clock):
    post(browser_of(eve), puzzle, 1)
    clock.forward(86_400)
    browser = browser_of(cem)
    assert "not counted" in text(browser.get(f"{PAGE}{puzzle.day}/"))
    assert post(browser, puzzle, 0).status_code == 302
    page = text(browser.get(f"{PAGE}{puzzle.day}/"))
    assert "100 % 1 answer" in page.replace("\xa0", " ").replace("100%", "100 %") and "not counted" in page
    assert counts_of(puzzle)[:2] == [0, 1]


def test_suspended_members_look_and_do_not_answer(puzzle, cem):
    members.suspend(moderator=admin(), member=cem, until=present.now() + timedelta(days=3), reason="x")
    browser = browser_of(cem)
    page = browser.get(PAGE)
    assert page.status_code == 200 and "/answer/" not in page.content.decode()
    assert post(browser, puzzle).status_code == 403


@pytest.mark.outgrown
def test_after_a_year_answers_are_but_counted(puzzle, cem, clock):
    post(browser_of(cem), puzzle, 1)
    clock.forward(367 * 86_400)
    tasks.forget_mails()
    assert not PuzzleAnswer.objects.exists()
    puzzle.refresh_from_db()
    assert puzzle.counts[1] == sum(puzzle.counts) == 1
    browser = browser_of(member("dan"))
    assert "1 answer" in text(browser.get(f"{PAGE}{puzzle.day}/"))
    assert post(browser, puzzle).status_code == 409


def test_a_closed_account_leaves_its_answer_without_a_name(puzzle, cem):
    post(browser_of(cem), puzzle, 1)
    close_account(user_id=cem.pk)
    assert PuzzleAnswer.objects.get().user is None
    assert counts_of(puzzle)[1] == 1


def test_a_match_that_was_reopened_tells_nothing(puzzle, cem):
    Match.objects.filter(pk=puzzle.match_id).update(status=Match.Status.RUNNING, ended_at=None, ending="")
    browser = browser_of(cem)
    assert "cannot be shown" in text(browser.get(PAGE))
    assert post(browser, puzzle).status_code != 302 and not PuzzleAnswer.objects.exists()


def test_days_without_one_say_so(puzzle):
    said = {"2099-01-01": "still to come", "1999-01-01": "no puzzle yet", "0001-01-01": "no puzzle yet"}
    said |= dict.fromkeys(("yesterday", "2026-W48-1", "20261130", "2026-02-30"), "no such day")
    for day, words in said.items():
        answer = browser_of().get(f"{PAGE}{day}/")
        assert answer.status_code == 404 and words in text(answer), day


@pytest.mark.django_db
def test_a_missing_puzzle_is_asked_for_and_the_page_writes_nothing(monkeypatch, django_capture_on_commit_callbacks):
    rung = []
    monkeypatch.setattr("games.broadcast._post", lambda *call: rung.append(call))
    with django_capture_on_commit_callbacks(execute=True):
        for _time in range(2):
            assert "being chosen" in text(browser_of().get(PAGE))
    assert rung == [("games.tasks.make_puzzle", [today().toordinal()], 0)]
    assert not Puzzle.objects.exists()


def test_an_admin_withdraws_a_puzzle_with_a_reason(puzzle, cem, monkeypatch):
    post(browser_of(cem), puzzle, 1)
    root = admin()
    browser, form = browser_of(root), f"/admin/operation/puzzles/{puzzle.pk}/withdraw/"
    assert browser.get(form).status_code == 200
    assert browser.post(form, {"reason": "", "last": "0"}).status_code == 400
    assert browser.post(form, {"reason": "dull", "last": "0"}).status_code == 302
    row = Audit.objects.get(deed=Audit.Deed.PUZZLE)
    assert (row.moderator, row.reason, row.match) == (root, "dull", puzzle.match)
    assert browser.post(form, {"reason": "dull", "last": "0"}).status_code == 409
    assert post(browser_of(member("dan")), puzzle).status_code == 409
    fresh = making.make(today())
    assert fresh.pk != puzzle.pk and fresh.match is None
    assert "your answer" not in text(browser_of(cem).get(PAGE))
    assert post(browser_of(cem), fresh).status_code == 302
    assert text(browser.get("/admin/games/puzzle/")).count(str(puzzle.day.year)) >= 2


def test_a_member_cannot_withdraw(puzzle, cem):
    form = f"/admin/operation/puzzles/{puzzle.pk}/withdraw/"
    assert browser_of(cem).post(form, {"reason": "x", "last": "0"}).status_code in (302, 403)
    puzzle.refresh_from_db()
    assert puzzle.withdrawn_at is None


def test_home_says_which_game_and_whether_one_has_answered(puzzle, cem):
    browser = browser_of(cem)
    assert "one position, one decision" in text(browser.get("/"))
    post(browser, puzzle)
    assert "you have answered" in text(browser.get("/"))
    assert "one position, one decision" in text(browser_of().get("/"))


@pytest.mark.outgrown
def test_the_card_is_one_read(puzzle, cem, django_assert_num_queries):
    with django_assert_num_queries(1):
        assert card_of(cem).game_slug == puzzle.game_slug


def test_ones_answers_are_in_ones_file(puzzle, cem):
    post(browser_of(cem), puzzle, 1)
    [told] = play_data(cem)["puzzles"]
    assert told["day"] == str(puzzle.day) and told["answer"] == puzzle.answers[1]


def test_other_days_are_linked(puzzle, clock):
    clock.forward(86_400)
    making.make(today())
    assert f"/puzzle/{puzzle.day}/" in browser_of().get(PAGE).content.decode()
    assert f"/puzzle/{puzzle.day + timedelta(days=1)}/" in browser_of().get(f"{PAGE}{puzzle.day}/").content.decode()
