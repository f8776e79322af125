"""Saying no to an invitation."""

import pytest

from games.models import Match, Notice
from games.queries import play
from games.services.lobby import closing, opening
from games.services.refusals import NotAsked, NotInvited
from tests.factories import browser_of, fresh, opened, seated
from tests.games.play.addresses import sentence


def test_without_an_invitation_nothing_happens(ann, eve):
    match = opened(ann)
    closing.decline(match_id=match.pk, user=eve)
    assert fresh(match).version == match.version


def test_who_declined_is_a_stranger_again(ann, bob, cem):
    match = opened(ann, access=Match.Access.INVITATION, invited=[bob, cem])
    closing.decline(match_id=match.pk, user=bob)
    assert not play.visible_to(bob).exists()
    assert play.visible_to(cem).exists()
    assert fresh(match).version > match.version
    with pytest.raises(NotInvited):
        opening.join(match_id=match.pk, user=bob)


def test_those_who_sit_there_are_told_and_may_ask_again_a_day_later(ann, bob, cem, clock):
    match = opened(ann, size=2, access=Match.Access.INVITATION, invited=[bob, cem])
    closing.decline(match_id=match.pk, user=bob)
    assert "Declined: bob" in sentence(browser_of(ann).get(f"/matches/{match.pk}/news/"))
    page = sentence(browser_of(ann).get(f"/matches/{match.pk}/"))
    assert "Declined: bob" in page and "Invited, and not here yet: cem" in page
    assert [notice.user for notice in Notice.objects.filter(kind="declined")] == [ann]
    with pytest.raises(NotAsked):
        opening.invite(match_id=match.pk, user=ann, guests=[bob])
    clock.forward(24 * 3600 + 1)
    opening.invite(match_id=match.pk, user=ann, guests=[bob])
    assert play.invited_names(match, declined=True) == []
    assert opening.join(match_id=match.pk, user=bob).status == Match.Status.RUNNING


@pytest.mark.parametrize(
    ("page", "back"),
    [
        ("/matches/", "/matches/"),
        ("/play/?game=yay", "/play/"),
        ("/matches/{other}/", "/matches/{other}/"),
        ("/matches/{match}/", "/"),
        ("/matches/{other}/move/", "/"),
        ("//elsewhere.example/play/", "/"),
    ],
)
def test_one_stays_on_the_page_on_which_one_answered(ann, bob, page, back):
    other, match = seated(ann, bob), opened(ann, invited=[bob])
    names = {"other": other.pk, "match": match.pk}
    came = page.format(**names) if page.startswith("//") else f"//testserver{page.format(**names)}"
    answer = browser_of(bob).post(f"/matches/{match.pk}/decline/", headers={"referer": f"http:{came}"})
    assert answer["Location"] == back.format(**names)


def test_who_declines_reads_so(ann, bob):
    match = opened(ann, access="invitation", invited=[bob])
    page = browser_of(bob).post(f"/matches/{match.pk}/decline/", follow=True).content.decode()
    assert "Yum EXTRA: you have declined" in page
