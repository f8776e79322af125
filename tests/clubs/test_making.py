"""Making, changing and dissolving a club: its name, its limits, and who may."""

import pytest
from django.core.exceptions import ValidationError
from django.db import transaction

from games.clubs.models import News
from games.clubs.services import joining, making, roles
from games.clubs.services.refusals import NotOfClub, OrganisersOnly, OwnerOnly, TooManyClubs, UnconfirmedMember
from games.models import Club, Match, Membership
from games.moderation import members
from games.services.refusals import CannotWrite, GuestsCannot, Invalid
from tests.clubs.arranged import INVITATION, OPEN, REQUEST, made, now, said, state, whole
from tests.factories import WHY, confirmed_member, guest, member, opened


def test_who_makes_a_club_owns_it(ann):
    club = made(ann, words="We  play\r\nat dawn.")
    assert (club.name, club.words, club.size) == ("Dice at Dawn", "We  play\nat dawn.", 1)
    assert state(club, ann) == "in owner" and whole(club)


@pytest.mark.parametrize(
    "name",
    [
        *("", "ab", "x" * 41, "   ", "...", "Moderators", "The Admin Club", "Club Y", "ClubY friends", "club-y"),
        *("Officiel", "The Staff", "Dicе at Dawn", "dice😀", "Dice|Dawn", "Ａdmin"),
    ],
)
def test_a_name_that_deceives_or_says_nothing_is_refused(ann, name):
    with pytest.raises(ValidationError):
        made(ann, name=name)
    assert not Club.objects.exists()


@pytest.mark.parametrize("name", ["Club Yvetot", "Badminton & dés", "L’équipe à 5", "Кости", "Club Yahtzee", "7-7-7"])
def test_an_ordinary_name_is_taken(ann, name):
    assert made(ann, name=name).name == name


@pytest.mark.outgrown
@pytest.mark.parametrize("name", ["dice at dawn", "D1ce  at Dawn!", "DICE-AT-DAWN", "Díce at Dawn"])
def test_no_two_clubs_look_alike(ann, bob, name):
    made(ann)
    with pytest.raises(ValidationError) as refusal:
        made(bob, name=name)
    assert refusal.value.code == "taken"
    assert Club.objects.count() == 1 and not Membership.objects.filter(user=bob).exists()


def test_guests_the_unconfirmed_and_the_sanctioned_make_none(ann, root):
    with pytest.raises(GuestsCannot):
        made(guest())
    with pytest.raises(UnconfirmedMember):
        made(confirmed_member("una", "una@example.org", confirmed=False))
    members.mute(moderator=root, member=ann, reason=WHY, until=None)
    with pytest.raises(CannotWrite):
        made(ann)
    assert not Club.objects.exists()


def test_a_member_owns_three_clubs_at_most(ann, bob):
    for number in range(3):
        made(ann, name=f"Dice {number + 4}")
    with pytest.raises(TooManyClubs):
        made(ann, name="One more")
    club = made(bob, ann)
    with pytest.raises(TooManyClubs):
        roles.hand_over(club_id=club.pk, user=bob, member_id=ann.pk)
    assert state(club, bob) == "in owner"


def test_too_long_a_description_is_refused(ann):
    with pytest.raises(Invalid):
        made(ann, words="x" * 2001)


@pytest.mark.outgrown
def test_its_owner_renames_a_club_and_an_organiser_changes_the_rest(ann, bob, cem, eve):
    club = made(ann, bob, cem)
    made(eve, name="Taken")
    roles.make_organiser(club_id=club.pk, user=ann, member_id=bob.pk, wish=True)
    making.change(club_id=club.pk, user=bob, words="new", access=REQUEST)
    assert (now(club).words, now(club).access) == ("new", REQUEST)
    for user, refusal in ((bob, OwnerOnly), (cem, OrganisersOnly), (eve, NotOfClub)):
        with pytest.raises(refusal):
            making.change(club_id=club.pk, user=user, words="", access=OPEN, name="Mine")
    with pytest.raises(ValidationError):
        making.change(club_id=club.pk, user=ann, words="", access=OPEN, name="T4ken".replace("4", "a"))
    making.change(club_id=club.pk, user=ann, words="", access=OPEN, name="Dice at dusk")
    assert now(club).name == "Dice at dusk"


def test_who_waits_when_a_club_is_hidden_is_told_that_they_were_not_let_in(ann, eve):
    club = made(ann, access=REQUEST)
    joining.join(club_id=club.pk, user=eve)
    making.change(club_id=club.pk, user=ann, words="", access=INVITATION)
    assert state(club, eve) == ""
    assert News.objects.filter(user=eve, kind="refused").exists()


def test_a_new_link_ends_the_old_one(ann, bob, eve):
    club = made(ann, bob, access=INVITATION)
    for user in (bob, eve):
        with pytest.raises((OrganisersOnly, NotOfClub)):
            making.renew_link(club_id=club.pk, user=user)
    assert making.renew_link(club_id=club.pk, user=ann).token != club.token


@pytest.mark.outgrown
def test_a_club_is_dissolved_by_its_owner_alone_and_its_matches_stay(ann, bob):
    club = made(ann, bob)
    said(club, bob)
    match = opened(ann)
    Match.objects.update(club=club)
    with pytest.raises(OwnerOnly):
        making.dissolve(club_id=club.pk, user=bob)
    with transaction.atomic():
        assert making.dissolve(club_id=club.pk, user=ann) == "Dice at Dawn"
    match.refresh_from_db()
    assert match.club is None and not Club.objects.exists() and not Membership.objects.exists()
    assert list(News.objects.values_list("user", "kind", "name")) == [(bob.pk, "dissolved", "Dice at Dawn")]


def test_everybody_finds_a_listed_club_by_part_of_its_name(client, ann, bob):
    made(ann)
    made(bob, name="Hidden", access=INVITATION)
    member("zoe")
    for search, found in (("", True), ("dawn", True), ("DÀWN", True), ("dusk", False), ("%", False), ("_", False)):
        page = client.get("/clubs/", {"search": search}).content.decode()
        assert ("Dice at Dawn" in page) is found, search
        assert "Hidden" not in page


def test_what_changes_the_direction_of_a_name_is_taken_away(ann):
    assert made(ann, name=" a\u202eb\x00\n  c ").name == "ab c"
