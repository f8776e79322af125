"""Tournaments for members of a club: who announces, sees and enters them, and what leaving the club does."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from django.db import connection
from django.utils import timezone

from config.lib import clock
from games.competitions import queries
from games.competitions.models import Entrant, Tournament
from games.competitions.services import announcing, entering
from games.competitions.services.refusals import NotOrganiser, NotWelcome
from games.models import Match, Membership
from games.services.refusals import Invalid
from tests.clubs.arranged_for_play import club_of, organises, removed
from tests.competitions.arranged import USUAL, announced, begun, entered, now, organiser, running_tables
from tests.factories import browser_of, confirmed_member, guest, member, moderator

pytestmark = pytest.mark.django_db
CLUB = Tournament.Access.CLUB
NAME = "Dawn Cup"


@pytest.fixture
def club(ann, bob, cem):
    return club_of(ann, bob, cem)


@pytest.fixture
def cup(club, ann):
    return announced(ann, access=CLUB, club=club, name=NAME)


class TestAnnouncing:
    def test_owner_and_organisers_announce_without_having_played(self, club, ann, bob):
        organises(club, bob)
        for one in (ann, bob):
            assert announced(one, access=CLUB, club=club).club == club

    def test_nobody_else_does(self, club, cem, eve):
        for one in (cem, eve, organiser(), moderator()):
            with pytest.raises(NotOrganiser):
                announced(one, access=CLUB, club=club)
        unconfirmed = confirmed_member("una", "una@example.org", confirmed=False)
        Membership.objects.create(club=club, user=unconfirmed, role=Membership.Role.ORGANISER)
        with pytest.raises(NotOrganiser):
            announced(unconfirmed, access=CLUB, club=club)

    def test_for_everybody_it_takes_what_it_took(self, club, ann):
        with pytest.raises(NotOrganiser):
            announced(ann)
        for wishes in ({"access": CLUB}, {"club": club}, {"club": club, "access": Tournament.Access.LINK}):
            with pytest.raises(Invalid):
                announced(ann, **wishes)

    def test_the_form_offers_clubs_that_one_organises(self, club, ann, cem):
        page = browser_of(ann).get(f"/tournaments/new/?game=yum-extra&club={club.pk}")
        assert page.status_code == 200
        text = page.content.decode()
        assert "For members of “Dice at Dawn”" in text
        assert 'value="public"' not in text
        assert "you still need" in text
        assert browser_of(cem).get("/tournaments/new/?game=yum-extra").status_code == 403

    def test_in_a_small_club_it_does_not_wait_for_more_than_belong_to_it(self, club, ann):
        form = browser_of(ann).get(f"/tournaments/new/?game=yum-extra&club={club.pk}").context["form"]
        assert (club.size, form["seats"].value(), form["least"].value()) == (3, 4, 4)  # one table, not two
        club.size = 6
        club.save()
        form = browser_of(ann).get(f"/tournaments/new/?game=yum-extra&club={club.pk}").context["form"]
        assert form["least"].value() == 6

    def test_whoever_may_announce_others_chooses(self, club):
        olga = organiser()
        Membership.objects.create(club=club, user=olga, role=Membership.Role.ORGANISER)
        text = browser_of(olga).get("/tournaments/new/?game=yum-extra").content.decode()
        assert 'value="public"' in text
        assert 'value="club"' in text
        assert 'value="club"\n           checked' not in text

    def test_the_form_announces(self, club, ann):
        form = browser_of(ann).get("/tournaments/new/?game=yum-extra").context["form"]
        data = {name: form[name].value() for name in form.fields if form[name].value() is not None}
        at = timezone.localtime(clock.now() + timedelta(days=2)).strftime("%Y-%m-%dT%H:%M")
        data |= {"name": NAME, "begins_at": at, "game": "yum-extra", "seats": "2", "least": "2", "days": "14"}
        answer = browser_of(ann).post("/tournaments/new/", data | {"access": "club", "club": club.pk})
        assert answer.status_code == 302, answer.context["form"].errors
        made = Tournament.objects.get()
        assert (made.access, made.club, made.organiser) == (CLUB, club, ann)
        for wrong in ("", "x", "99", str(10**30)):
            answer = browser_of(ann).post("/tournaments/new/", data | {"access": "club", "club": wrong})
            assert answer.status_code == 400
        answer = browser_of(ann).post("/tournaments/new/", data | {"access": "public", "club": club.pk})
        assert answer.status_code == 400
        assert Tournament.objects.count() == 1


class TestSeeing:
    def test_members_alone_find_and_see_it(self, cup, cem, eve):
        other = member("otto")
        club_of(other, name="Night Owls")
        for person in (None, guest(), eve, other):
            browser = browser_of(person)
            for path in ("/tournaments/", "/tournaments/?game=yum-extra", "/", "/people/ann/"):
                assert NAME not in browser.get(path).content.decode(), (person, path)
            for path in ("", "?whole=1", f"?token={cup.token}"):
                assert browser.get(f"/tournaments/{cup.pk}/{path}").status_code != 200
            assert browser.get(f"/tournaments/link/{cup.token}/").status_code == 404
            answer = browser.post(f"/tournaments/{cup.pk}/enter/", {"token": cup.token})
            assert answer.status_code in (302, 404)
        assert not Entrant.objects.exists()
        browser = browser_of(cem)
        assert NAME in browser.get("/tournaments/").content.decode()
        page = browser.get(f"/tournaments/{cup.pk}/").content.decode()
        assert "members of “Dice at Dawn”" in page
        assert "og:title" not in page or NAME not in page.split("</head>", 1)[0].split("<title>")[0]

    @pytest.mark.outgrown
    def test_one_that_was_cancelled_is_not_forgotten(self, cup, club, ann):
        announcing.cancel_open(tournament_id=cup.pk, user=ann, reason="")
        page = browser_of(ann).get(f"/clubs/{club.pk}/").content.decode()
        assert NAME in page and "cancelled" in page and "no tournament yet" not in page

    def test_reads_agree(self, cup, ann, bob, eve):
        mo = moderator()
        for person, sees in ((ann, True), (bob, True), (eve, False)):
            assert (cup in queries.visible(person)) is sees
            assert queries.may_see(cup, person) is sees
        assert queries.may_see(cup, mo)

    def test_its_matches_are_the_clubs(self, club, ann, bob, cem, eve):
        running = begun(ann, [ann, bob], access=CLUB, club=club, name=NAME)
        match = running_tables(running)[0].match
        assert (match.access, match.club) == (Match.Access.CLUB, club)
        page = browser_of(cem).get(f"/tournaments/{running.pk}/").content.decode()
        assert f"/matches/{match.pk}/" in page
        page = browser_of(cem).get(f"/matches/{match.pk}/").content.decode()
        assert NAME in page
        assert browser_of(eve).get(f"/matches/{match.pk}/").status_code == 404
        club.delete()
        assert browser_of(ann).get(f"/matches/{match.pk}/").status_code == 200
        assert browser_of(cem).get(f"/tournaments/{running.pk}/").status_code == 404
        assert browser_of(bob).get(f"/tournaments/{running.pk}/").status_code == 200


class TestEntering:
    def test_members_enter_and_nobody_else(self, cup, bob, eve):
        entering.enter(tournament_id=cup.pk, user=bob)
        with pytest.raises(NotWelcome, match="members of a club"):
            entering.enter(tournament_id=cup.pk, user=eve, token=cup.token)
        assert entering.open_to(list(queries.listed(queries.visible(bob))), bob) == {cup.pk}
        assert entering.open_to(list(queries.listed(Tournament.objects.all())), eve) == set()

    def test_who_left_the_club_does_not_come_back(self, cup, club, bob):
        entering.enter(tournament_id=cup.pk, user=bob)
        removed(club, bob)
        assert Entrant.objects.get(user=bob).left == Entrant.Left.WITHDREW
        with pytest.raises(NotWelcome):
            entering.enter(tournament_id=cup.pk, user=bob)


@pytest.mark.outgrown
class TestLeaving:
    def test_it_withdraws_from_what_runs_and_the_table_is_played_on(self, club, ann, bob, cem):
        running = begun(ann, [ann, bob], access=CLUB, club=club)
        match = running_tables(running)[0].match
        removed(club, bob)
        assert Entrant.objects.get(user=bob).left == Entrant.Left.WITHDREW
        assert match.seats.filter(user=bob, bot="").exists()

    def test_from_no_other_clubs_and_no_public_one(self, club, ann, bob):
        olga = organiser()
        other = club_of(olga, bob, name="Night Owls")
        theirs, public = announced(olga, access=CLUB, club=other), announced(olga)
        for one in (theirs, public):
            entered(one, [bob])
        removed(club, bob)
        assert set(Entrant.objects.values_list("left", flat=True)) == {""}

    def test_what_they_organise_passes_to_the_owner(self, club, ann, bob):
        organises(club, bob)
        own, public = announced(bob, access=CLUB, club=club), announced(organiser("olaf"))
        removed(club, bob)
        assert now(own).organiser == ann
        assert now(public).organiser.username == "olaf"

    @pytest.mark.django_db(transaction=True)
    def test_who_signs_up_and_leaves_at_once_takes_no_part(self, ann, bob):
        club = club_of(ann, bob)
        cup = announcing.announce(
            organiser=ann, **USUAL, least=2, begins_at=clock.now() + timedelta(days=1), access=CLUB, club=club
        )

        def enters() -> None:
            try:
                entering.enter(tournament_id=cup.pk, user=bob)
            except NotWelcome:
                pass
            finally:
                connection.close()

        def leaves() -> None:
            try:
                removed(club, bob)
            finally:
                connection.close()

        with ThreadPoolExecutor(2) as pool:
            list(pool.map(lambda deed: deed(), [enters, leaves]))
        assert not Entrant.objects.filter(user=bob, left="").exists()
