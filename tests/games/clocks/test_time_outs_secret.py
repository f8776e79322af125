"""Run-outs in YAM menteur: they tell nothing, to the byte, before the turn is settled."""

import pytest

from games.models import Match, Seat, Turn
from games.services.play import moves
from tests.factories import fresh, seat, seated, state_of, submit
from tests.games.play.secrecy import Viewer, leaks, others_changed, sights, turns_changed

ROLL = {"type": "roll"}
CLAIM = {"type": "announce", "combination": "chance", "points": 20}
HERE = {"bot": "", "left": None, "left_at": None, "absent": False, "run_outs": 0}


@pytest.fixture(autouse=True)
def no_days_off_by_themselves(django_user_model, ann, bob, cem):
    django_user_model.objects.update(vacation_by_itself=False)


def thrower_of(match: Match):
    return seat(match, state_of(match).thrower)


def asked_of(match: Match) -> list[Seat]:
    return [seat(match, number) for number in match.game.to_move(state_of(fresh(match)))]


def others_of(match: Match, *people) -> list[Viewer]:
    """All who look on but the person in this seat."""
    own = thrower_of(match).user_id
    return [Viewer(p.username, p) for p in people if p.pk != own] + [Viewer("a visitor", None)]


def by_of(match: Match) -> list[str]:
    return list(match.log.order_by("number").values_list("by", flat=True))


def hand(number: int) -> dict[int, dict[str, str]]:
    return {n: {"by": Turn.By.PERSON} for n in range(1, number + 1)}


def same_as_by_hand(match, viewers, request) -> None:
    """What others see is what they would see had the turns been made by hand."""
    request.getfixturevalue("steady")  # from here on the time stands
    for viewer in viewers:
        after = sights(match, viewer)
        with turns_changed(match, hand(match.turns)), others_changed(match, viewer, run_outs=0):
            assert sights(match, viewer) == after, viewer.name


@pytest.mark.thin(0)
def test_a_throwers_run_out_is_two_turns_like_any_other(ann, bob, cem, hours, request):
    match = seated(ann, bob, cem, game_slug="yam-menteur")
    version = match.version
    hours.go_by(days=3, seconds=6)
    hours.sweep()
    match = fresh(match)
    assert by_of(match) == ["clock", "clock"]
    assert (match.turns, match.version) == (2, version + 2)  # as if made one by one
    same_as_by_hand(match, others_of(match, ann, bob, cem), request)


def test_it_is_told_once_the_turn_is_settled(ann, bob, cem, hours):
    match = seated(ann, bob, cem, game_slug="yam-menteur")
    hours.go_by(days=3, seconds=6)
    hours.sweep()
    for answerer in asked_of(match):
        submit(match, answerer, {"type": "answer", "doubt": False})
    page = sights(fresh(match), Viewer("a visitor", None))["table as data"].decode()
    assert page.count('"by": "clock"') == 2


@pytest.mark.thin(0)
def test_a_throwers_run_out_after_a_try(ann, bob, cem, hours, request):
    match = seated(ann, bob, cem, game_slug="yam-menteur")
    submit(match, thrower_of(match), ROLL)
    hours.go_by(days=3, seconds=6)
    hours.sweep()
    match = fresh(match)
    assert by_of(match) == ["person", "clock"]
    same_as_by_hand(match, others_of(match, ann, bob, cem), request)


@pytest.mark.thin(0)
def test_an_answerers_run_out(ann, bob, cem, hours, request):
    match = seated(ann, bob, cem, game_slug="yam-menteur")
    submit(match, thrower_of(match), ROLL)
    submit(match, thrower_of(match), CLAIM, key="claim")
    first, second = asked_of(match)
    moves.wish_call_off(match_id=match.pk, user=first.user, wish=True)
    give_time(second)
    hours.go_by(days=3, seconds=6)
    hours.sweep()
    match = fresh(match)
    assert by_of(match) == ["person", "person", "clock"]
    viewers = [Viewer(s.user.username, s.user) for s in (thrower_of(match), second)]
    same_as_by_hand(match, [*viewers, Viewer("a visitor", None)], request)
    assert leaks(match, viewers, lists=True) == set()


def give_time(late) -> None:
    """So that one of two answerers alone runs out."""
    late.bank *= 2
    late.set_deadline(late.match.pace)
    late.save()


@pytest.mark.thin(1)
@pytest.mark.parametrize("answering", [False, True], ids=["the thrower", "an answerer"])
def test_who_is_absent_is_not_told_either(ann, bob, cem, hours, request, answering):
    match = seated(ann, bob, cem, game_slug="yam-menteur")
    if answering:
        submit(match, thrower_of(match), ROLL)
        submit(match, thrower_of(match), CLAIM, key="claim")
        late, second = asked_of(match)
        give_time(second)
    else:
        late = thrower_of(match)
    moves.wish_call_off(match_id=match.pk, user=late.user, wish=True)
    late = seat(match, late.number)
    late.run_outs = 1
    late.save()
    match = fresh(match)
    version = match.version
    hours.go_by(days=3, seconds=6)
    hours.sweep()
    match = fresh(match)
    late = seat(match, late.number)
    assert (late.absent, match.status, match.version) == (True, "running", version)
    viewers = [Viewer(p.username, p) for p in (ann, bob, cem) if p.pk != late.user_id]
    viewers.append(Viewer("a visitor", None))
    request.getfixturevalue("steady")  # from here on the time stands
    for viewer in viewers:
        after = sights(match, viewer)
        match.seats.filter(pk=late.pk).update(**HERE)
        assert sights(match, viewer) == after, viewer.name
        match.seats.filter(pk=late.pk).update(**{name: getattr(late, name) for name in HERE})
    own = sights(match, Viewer("own", late.user))["table as data"].decode()
    assert '"absent": true' in own
