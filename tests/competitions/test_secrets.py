"""What of a tournament is for some alone: private ones, the link's secret, blocks, the seed before the end."""

import pytest

from accounts.models import Block
from games.competitions.models import Table, Tournament
from games.competitions.services import entering
from tests.competitions.arranged import announced, begun, entered, organiser, people, play_to_the_end
from tests.factories import admin, browser_of, guest, member, moderator
from tests.games.play.addresses import sentence

pytestmark = pytest.mark.django_db
ACTS = ("enter", "withdraw", "ready", "place", "manage")


def test_a_private_one_is_not_there_for_strangers():
    tournament = announced(organiser(), access="link")
    eve = browser_of(member("eve"))
    for number in (tournament.pk, 10**6):
        page = f"/tournaments/{number}/"
        assert eve.get(page).status_code == 404
        assert eve.get(f"{page}manage/").status_code == 404
        assert {eve.post(f"{page}{act}/", {"token": "x"}).status_code for act in ACTS} == {404}
        for visitor in (browser_of(), browser_of(guest(f"guest-gnu-{number}"))):
            assert visitor.get(page)["Location"].startswith("/accounts/login/")
            assert visitor.post(f"{page}enter/")["Location"] == f"/accounts/login/?next=/tournaments/{number}/"


def test_the_answers_do_not_differ_from_those_of_one_that_is_not_there():
    tournament = announced(organiser(), access="link")
    eve = browser_of(member("eve"))
    here, nowhere = (eve.get(f"/tournaments/{number}/").content.decode() for number in (tournament.pk, 999_999))
    plain = [text.replace(str(tournament.pk), "N").replace("999999", "N") for text in (here, nowhere)]
    assert len(plain[0]) == len(plain[1])


def test_who_organises_takes_part_or_moderates_sees_it():
    olga, (ann, bob) = organiser(), people(2)
    tournament = announced(olga, access="link")
    entered(tournament, [ann, bob])
    entering.withdraw(tournament_id=tournament.pk, user=bob)
    for person in (olga, ann, bob, moderator(), admin()):
        assert browser_of(person).get(f"/tournaments/{tournament.pk}/").status_code == 200


def test_the_link_shows_it_and_lets_one_sign_up():
    tournament, eve = announced(organiser(), access="link"), member("eve")
    link = f"/tournaments/link/{tournament.token}/"
    for reader in (None, guest(), eve):
        assert "Autumn Cup" in sentence(browser_of(reader).get(link))
    visitor = browser_of().post(f"/tournaments/{tournament.pk}/enter/", {"token": tournament.token})
    assert visitor["Location"] == f"/accounts/signup/?next=%2Ftournaments%2Flink%2F{tournament.token}%2F"
    answer = browser_of(eve).post(f"/tournaments/{tournament.pk}/enter/", {"token": tournament.token})
    assert answer["Location"] == f"/tournaments/{tournament.pk}/"
    assert browser_of(eve).get(link)["Location"] == f"/tournaments/{tournament.pk}/"


def test_the_link_of_a_public_one_and_a_forged_one_lead_nowhere():
    public = announced(organiser())
    for token in (public.token, "x", "%00", "a" * 300):
        assert browser_of().get(f"/tournaments/link/{token}/").status_code == 404


def test_a_refusal_by_link_is_shown_to_whoever_has_it_alone():
    tournament, eve = announced(organiser(), access="link", least_ended=5), member("eve")
    answer = browser_of(eve).post(f"/tournaments/{tournament.pk}/enter/", {"token": tournament.token})
    assert answer.status_code == 403 and "5 ended matches are missing" in sentence(answer)


def test_the_secret_of_the_link_is_for_whoever_takes_part_or_organises():
    olga, (ann, bob) = organiser(), people(2)
    tournament = announced(olga, access="link")
    entered(tournament, [ann])
    page = f"/tournaments/{tournament.pk}/"
    for person, knows in ((olga, True), (ann, True), (moderator(), False)):
        assert (f"/link/{tournament.token}/" in browser_of(person).get(page).content.decode()) is knows
    public = announced(olga)
    assert public.token not in browser_of(bob).get(f"/tournaments/{public.pk}/").content.decode()


def test_nobody_reads_the_seed_before_the_end():
    olga, members = organiser(), people(4)
    tournament = begun(olga, members)
    seed = bytes(tournament.server_seed).hex()
    for person in (None, olga, members[0], moderator()):
        assert seed not in browser_of(person).get(f"/tournaments/{tournament.pk}/?whole=1").content.decode()
    play_to_the_end(tournament)
    assert seed in browser_of().get(f"/tournaments/{tournament.pk}/").content.decode()


def test_nobody_reads_who_blocks_whom():
    olga, members = organiser(), people(6)
    Block.objects.create(blocker=members[0], blocked=members[1])
    tournament = begun(olga, members)
    for person in (olga, members[0], members[1]):
        told = sentence(browser_of(person).get(f"/tournaments/{tournament.pk}/?whole=1")).lower()
        assert "block" not in told and "apart" not in told


def test_the_match_of_a_private_one_does_not_name_it_to_strangers():
    olga, members = organiser(), people(2)
    tournament = begun(olga, members, access="link")
    Tournament.objects.filter(pk=tournament.pk).update(name="Secret Cup")
    match = Table.objects.get(round__tournament=tournament).match
    told = browser_of(members[0]).get(f"/matches/{match.pk}/").content.decode()
    assert "Secret Cup" in told and f"/tournaments/{tournament.pk}/" in told
    match.access = "open"
    match.save()
    told = browser_of(member("eve")).get(f"/matches/{match.pk}/").content.decode()
    assert "A tournament by invitation" in told
    assert "Secret Cup" not in told and "/tournaments/1" not in told


def test_the_match_of_a_public_one_leads_to_it():
    tournament = begun(organiser(), people(2))
    match = Table.objects.get(round__tournament=tournament).match
    answer = browser_of().get(f"/matches/{match.pk}/")
    assert f'href="/tournaments/{tournament.pk}/"' in answer.content.decode()
    assert "Autumn Cup · round 1, table 1" in sentence(answer)


def test_home_has_what_one_takes_part_in_and_nothing_of_others():
    olga, members = organiser(), people(2)
    begun(olga, members)
    assert "Your tournaments" in sentence(browser_of(members[0]).get("/"))
    assert "Your tournaments" not in sentence(browser_of(member("eve")).get("/"))
