"""To whom a free seat is offered, in words: on the table's page and in lists, for those who may know."""

import pytest
from django.utils import translation

from accounts.models import User
from games.models import Match
from games.services.lobby import closing, opening
from tests.factories import browser_of, opened, seated
from tests.games.play.addresses import sentence

PRIVATE = Match.Access.INVITATION
LISTS = ("/matches/", "/play/")


@pytest.fixture
def challenge(ann, bob) -> Match:
    """Ann has asked Bob alone, for the one other seat."""
    return opened(ann, size=2, access=PRIVATE, invited=[bob])


def told(person: User | None, path: str) -> str:
    answer = browser_of(person).get(path)
    assert answer.status_code == 200
    return sentence(answer)


def page_of(match: Match) -> str:
    return f"/matches/{match.pk}/"


def test_who_challenges_reads_whom(ann, challenge):
    for path in (page_of(challenge), *LISTS):
        assert "offered to bob" in told(ann, path) and "free seat" not in told(ann, path)


def test_who_is_challenged_reads_that_it_is_for_them(ann, bob, challenge):
    paths = (page_of(challenge), "/matches/", "/")
    for path in paths:
        assert "offered to you" in told(bob, path) and "free seat" not in told(bob, path)
    for path in paths:
        assert "offered to you" not in told(ann, path)


def test_each_seat_has_its_name_while_there_is_one_for_each(ann, bob, cem):
    page = told(ann, page_of(opened(ann, size=4, access=PRIVATE, invited=[bob, cem])))
    assert page.count("offered to bob") == page.count("offered to cem") == page.count("free seat") == 1


def test_more_guests_than_seats_are_named_at_no_seat(ann, bob, cem):
    page = told(ann, page_of(opened(ann, size=2, access=PRIVATE, invited=[bob, cem])))
    assert page.count("for those who are invited") == 1 and "offered to" not in page and "free seat" not in page


def test_the_invited_do_not_read_who_else_is(ann, bob, cem):
    match = opened(ann, size=3, access=PRIVATE, invited=[bob, cem])
    page = told(bob, page_of(match))
    assert page.count("offered to you") == page.count("free seat") == 1 and "cem" not in page
    opening.join(match_id=match.pk, user=bob)
    assert "offered to cem" in told(bob, page_of(match))


def test_after_a_decline_the_seat_is_free(ann, bob, challenge):
    closing.decline(match_id=challenge.pk, user=bob)
    assert "free seat" in told(ann, page_of(challenge))


@pytest.mark.parametrize("access", ["open", "link"])
def test_what_others_may_take_stays_free(ann, bob, eve, access):
    match = opened(ann, size=2, access=access, invited=[bob])
    paths = {"open": page_of(match), "link": f"/join/{match.token}/"}
    for person, path in ((ann, page_of(match)), (bob, page_of(match)), (eve, paths[access]), (None, paths[access])):
        assert "free seat" in told(person, path) and "offered to" not in told(person, path)


def test_a_public_rematch_is_offered_to_who_played(ann, bob, eve):
    old = seated(ann, bob)
    Match.objects.filter(pk=old.pk).update(status="ended", ending="played", ended_at=old.created_at)
    match = opening.rematch(match_id=old.pk, user=ann)
    said = {ann: "offered to bob", bob: "offered to you", eve: "free seat", None: "free seat"}
    for _again in range(2):  # what one has read is not what the next is shown
        for person, words in said.items():
            page = told(person, page_of(match))
            assert [one for one in {*said.values()} if one in page] == [words]
    assert "bob" not in told(eve, page_of(match))


def test_a_list_asks_for_all_its_tables_at_once(ann, bob, cem, django_assert_max_num_queries):
    def count(path: str) -> int:
        with django_assert_max_num_queries(100) as asked:
            told(ann, path)
        return len(asked)

    opened(ann, size=2, access=PRIVATE, invited=[bob])
    before = {path: count(path) for path in LISTS}
    opened(ann, size=2, access=PRIVATE, invited=[cem])
    assert {path: count(path) for path in LISTS} == before


def test_in_french(ann, bob, challenge):
    User.objects.update(language="fr")
    with translation.override("fr"):
        assert "proposée à bob" in told(ann, page_of(challenge))
        assert "vous est proposée" in told(bob, page_of(challenge))
