"""Tables for members of a club: who may open, join and be asked, and what leaving the club does."""

import re
from concurrent.futures import ThreadPoolExecutor
from threading import Event

import pytest
from django.db import connection

from games.clubs.services import joining, making
from games.models import Club, Invitation, Kind, Match, Membership, Notice
from games.queries.play import open_tables
from games.services.lobby import club_tables, opening
from games.services.play import moves
from games.services.refusals import Invalid, NotAsked, NotInvited, NotOfClub
from tests.clubs.arranged_for_play import club_match, club_of, club_table, removed
from tests.factories import browser_of, end, fresh, guest, member, opened

pytestmark = pytest.mark.django_db
CLUB = Match.Access.CLUB
NEW = "/play/new/?game=yum-extra"
WISHES = {"game": "yay", "size": "2", "access": "club", "pace": "3d", "option_size": "8"}


@pytest.fixture
def club(ann, bob, cem):
    return club_of(ann, bob, cem)


def refused_words(answer) -> str:
    return " ".join(re.sub(r"<[^>]*>", " ", answer.content.decode()).split())


@pytest.mark.outgrown
def test_a_table_of_a_club_is_joined_by_its_members(club, ann, bob):
    table = club_table(club, ann, size=2)
    assert list(open_tables(bob)) == [table]
    opening.join(match_id=table.pk, user=bob)
    assert fresh(table).status == Match.Status.RUNNING
    assert fresh(table).club == club


def test_who_does_not_belong_opens_none(club, eve):
    for state in (None, *Membership.State):
        if state is not None:
            Membership.objects.update_or_create(club=club, user=eve, defaults={"state": state})
        if state == Membership.State.IN:
            continue
        with pytest.raises(NotOfClub):
            club_table(club, eve)
    assert not Match.objects.exists()


def test_neither_a_club_without_its_access_nor_the_other_way_round(club, ann):
    with pytest.raises(Invalid):
        opened(ann, access=CLUB)
    with pytest.raises(Invalid):
        opened(ann, club=club)


@pytest.mark.parametrize("way", ["plainly", "invited", "played before", "by the token"])
def test_who_does_not_belong_sits_down_in_no_way(club, ann, bob, eve, way):
    table = club_table(club, ann)
    if way == "invited":
        Invitation.objects.create(match=table, user=eve)
    if way == "played before":
        table.rematch_of = end(club_match(club, ann, bob), [1, 2])
        table.rematch_of.seats.filter(user=bob).update(user=eve)
        table.save()
    with pytest.raises(NotOfClub):
        opening.join(match_id=table.pk, user=eve, token=table.token if way == "by the token" else "")
    assert not table.seats.filter(user=eve).exists()
    answer = browser_of(eve).post(f"/matches/{table.pk}/join/", {"token": table.token})
    assert answer.status_code == 404


def test_guests_do_not_sit_down_even_if_a_row_says_they_belong(club, ann):
    visitor = guest()
    table = club_table(club, ann)
    assert not table.takes_guests
    with pytest.raises(Exception, match="Guests"):
        opening.join(match_id=table.pk, user=visitor, token=table.token)


def test_strangers_are_not_invited_neither_first_nor_later(club, ann, bob, eve):
    with pytest.raises(NotAsked, match="eve does not belong"):
        club_table(club, ann, invited=[bob, eve])
    table = club_table(club, ann)
    with pytest.raises(NotAsked, match="eve does not belong"):
        opening.invite(match_id=table.pk, user=ann, guests=[bob, eve])
    assert not Invitation.objects.exists()
    opening.invite(match_id=table.pk, user=ann, guests=[bob])
    assert Invitation.objects.get().user == bob


def test_a_rematch_stays_in_the_club(club, ann, bob, cem):
    ended = end(club_match(club, ann, bob), [1, 2])
    rematch = opening.rematch(match_id=ended.pk, user=ann)
    assert (rematch.access, rematch.club) == (CLUB, club)
    with pytest.raises(opening.KeptSeat):
        opening.join(match_id=rematch.pk, user=cem)
    assert rematch not in open_tables(cem)
    assert fresh(opening.rematch(match_id=ended.pk, user=bob)).status == Match.Status.RUNNING


def test_without_who_has_left_the_club(club, ann, bob, cem):
    ended = end(club_match(club, ann, bob, cem), [1, 2, 3])
    removed(club, cem)
    assert opening.unasked(ended.pk, ann) == ["cem does not belong to the club of this table."]
    rematch = opening.rematch(match_id=ended.pk, user=ann)
    assert [one.user for one in rematch.invitations.all()] == [bob]
    page = browser_of(cem).get(f"/matches/{ended.pk}/").content.decode()
    assert f"/matches/{rematch.pk}/" not in page
    with pytest.raises(NotOfClub):
        opening.rematch(match_id=ended.pk, user=cem)


def test_who_has_left_the_club_has_a_rematch_by_invitation(club, ann, bob):
    ended = end(club_match(club, ann, bob), [1, 2])
    removed(club, bob)
    rematch = opening.rematch(match_id=ended.pk, user=bob)
    assert (rematch.access, rematch.club) == (Match.Access.INVITATION, None)
    assert rematch.invitations.get().user == ann


def test_of_a_dissolved_club_too(club, ann, bob):
    ended = end(club_match(club, ann, bob), [1, 2])
    club.delete()
    rematch = opening.rematch(match_id=ended.pk, user=ann)
    assert (rematch.access, rematch.club) == (Match.Access.INVITATION, None)


@pytest.mark.outgrown
def test_leaving_the_club_is_getting_up_from_its_open_tables(club, ann, bob, cem):
    table, own = club_table(club, ann), club_table(club, bob)
    opening.join(match_id=table.pk, user=bob)
    asked = club_table(club, cem, invited=[bob])
    elsewhere, running = opened(bob), club_match(club, ann, bob)
    Notice.objects.filter(kind=Kind.INVITED).exists()
    removed(club, bob)
    assert list(table.seats.filter(user__isnull=False)) == [table.seats.get(user=ann)]
    assert fresh(own).ending == Match.Ending.CLOSED
    assert not asked.invitations.exists()
    assert elsewhere.seats.filter(user=bob).exists()
    assert running.seats.filter(user=bob).exists()
    seat = running.seats.filter(ask__isnull=False).get()
    assert browser_of(bob).get(f"/matches/{running.pk}/").status_code == 200
    assert seat.ask is not None


def test_a_match_that_runs_is_played_on_by_who_has_left(club, ann, bob):
    match = club_match(club, ann, bob)
    removed(club, bob)
    moves.resign(match_id=match.pk, user=bob)
    assert fresh(match).status == Match.Status.ENDED


def test_of_a_club_that_is_dissolved_open_tables_close_and_the_rest_stays(club, ann, bob):
    table, running = club_table(club, ann), club_match(club, ann, bob)
    club_tables.close_tables(club.pk)
    club.delete()
    assert fresh(table).status == Match.Status.ENDED
    assert fresh(running).status == Match.Status.RUNNING
    assert fresh(running).club is None


@pytest.mark.outgrown
@pytest.mark.django_db(transaction=True)
def test_who_leaves_and_sits_down_at_once_does_not_sit_there(ann, bob):
    club = club_of(ann, bob)
    table = club_table(club, ann)

    def joins() -> None:
        try:
            opening.join(match_id=table.pk, user=bob)
        except NotOfClub:
            pass
        finally:
            connection.close()

    def leaves() -> None:
        try:
            removed(club, bob)
        finally:
            connection.close()

    with ThreadPoolExecutor(2) as pool:
        list(pool.map(lambda deed: deed(), [joins, leaves]))
    assert not table.seats.filter(user=bob).exists()


@pytest.mark.outgrown
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("dissolves", [False, True])
def test_who_leaves_while_they_open_a_table_does_not_sit_there(ann, bob, monkeypatch, dissolves):
    club = club_of(ann, bob)
    opens, gone = Event(), Event()

    def pause(_creator) -> None:
        opens.set()
        gone.wait(1)

    monkeypatch.setattr(opening, "refuse_many", pause)

    def creates() -> None:
        try:
            club_table(club, bob)
        finally:
            connection.close()

    def leaves() -> None:
        try:
            opens.wait(5)
            making.dissolve(club_id=club.pk, user=ann) if dissolves else joining.leave(club_id=club.pk, user=bob)
            gone.set()
        finally:
            connection.close()

    with ThreadPoolExecutor(2) as pool:
        list(pool.map(lambda deed: deed(), [creates, leaves]))
    assert Match.objects.get().status == Match.Status.ENDED
    assert Club.objects.exists() is not dissolves


class TestTheForm:
    def test_it_offers_ones_clubs_alone(self, club, bob, eve):
        other = club_of(eve, name="Night Owls")
        page = browser_of(bob).get(NEW).content.decode()
        assert "For members of “Dice at Dawn”" in page
        assert "Night Owls" not in page
        club_of(member("dora"), bob, name="Early Birds")
        page = browser_of(bob).get(f"{NEW}&club={club.pk}").content.decode()
        assert re.search(rf'<option value="{club.pk}" selected>Dice at Dawn', page)
        assert re.search(r'value="club" checked', page)
        assert other.name not in page

    def test_without_a_club_it_does_not_speak_of_any(self, bob):
        assert 'value="club"' not in browser_of(bob).get(f"{NEW}&club=1").content.decode()

    def test_a_link_to_a_club_of_others_proposes_nothing(self, club, eve):
        club_of(eve, name="Night Owls")
        page = browser_of(eve).get(f"{NEW}&club={club.pk}").content.decode()
        assert 'value="club" checked' not in page
        assert "Dice at Dawn" not in page

    def test_it_opens_the_table(self, club, bob):
        answer = browser_of(bob).post("/play/new/", WISHES | {"club": club.pk})
        assert answer.status_code == 302
        assert (Match.objects.get().access, Match.objects.get().club) == (CLUB, club)

    def test_it_refuses_in_words_who_does_not_belong(self, club, eve):
        answer = browser_of(eve).post("/play/new/", WISHES | {"club": club.pk})
        assert answer.status_code == 400
        assert "You do not belong to that club, or not any more." in refused_words(answer)
        club_of(eve, name="Night Owls")
        answer = browser_of(eve).post("/play/new/", WISHES | {"club": club.pk})
        assert answer.status_code == 400
        assert "You do not belong to that club, or not any more." in refused_words(answer)
        assert not Match.objects.exists()

    @pytest.mark.parametrize("number", ["", "x", "-1", str(10**30), "1\x00"])
    def test_it_refuses_junk(self, club, bob, number):
        answer = browser_of(bob).post("/play/new/", WISHES | {"club": number})
        assert answer.status_code == 400
        assert not Match.objects.exists()

    def test_a_club_beside_another_access_does_not_matter(self, club, bob):
        answer = browser_of(bob).post("/play/new/", WISHES | {"club": club.pk, "access": "open"})
        assert answer.status_code == 302
        assert Match.objects.get().club is None


def test_private_tables_refuse_as_before(ann, eve):
    with pytest.raises(NotInvited):
        opening.join(match_id=opened(ann, access=Match.Access.INVITATION).pk, user=eve)
