"""The pages of clubs, for visitors, guests and members, and what one does there, without a script."""

import pytest

from accounts.models import User
from games.clubs.services import joining, roles
from games.models import Club, Membership
from tests.clubs.arranged import INVITATION, OPEN, REQUEST, made, now, state, whole
from tests.factories import browser_of, guest, member
from tests.games.test_once import form_on
from tests.ladders.test_pages import posted, text_of

FORM = {"name": "Dice at Dawn", "words": "We roll.", "access": OPEN}


def page_of(club: Club) -> str:
    return f"/clubs/{club.pk}/"


def test_a_club_is_made_once_by_a_double_click(ann):
    browser = browser_of(ann)
    form = form_on(browser, "/clubs/new/", "/clubs/new/") | FORM
    for _time in range(2):
        answer = browser.post("/clubs/new/", form)
    club = Club.objects.get()
    assert answer["Location"] == page_of(club)
    assert "We roll." in text_of(browser, page_of(club))


def test_what_was_typed_stays_when_it_is_refused(ann, bob):
    made(bob)
    browser = browser_of(ann)
    answer = browser.post("/clubs/new/", FORM | {"name": "dice at DAWN", "words": "kept words"})
    page = answer.content.decode()
    assert answer.status_code == 400 and "kept words" in page and "looks like it" in page
    for broken in ({"name": "\0abc"}, {"access": "x"}, {"words": "x" * 2001}, {"name": ""}):
        assert browser.post("/clubs/new/", FORM | broken).status_code == 400, broken
    assert Club.objects.count() == 1


def test_a_visitor_and_a_guest_are_led_to_sign_up_and_back(client, ann):
    club = made(ann, access=INVITATION)
    link = f"/clubs/join/{club.token}/"
    page = client.get(link).content.decode()
    assert (
        "Dice at Dawn" in page and f"/accounts/signup/?next={link}" in page and f"/accounts/login/?next={link}" in page
    )
    for browser in (client, browser_of(guest())):
        assert browser.post(link)["Location"] == f"/accounts/signup/?next=%2Fclubs%2Fjoin%2F{club.token}%2F"
        assert browser.get("/clubs/new/")["Location"].startswith("/accounts/signup/?next=")
    assert client.get("/clubs/join/nothing/").status_code == 404
    assert client.get("/clubs/join/%00/").status_code == 404
    assert now(club).size == 1


def test_a_member_comes_by_the_link_and_reads_who_is_there(ann, bob):
    club = made(ann, access=INVITATION)
    browser, link = browser_of(bob), f"/clubs/join/{club.token}/"
    assert browser.get(page_of(club)).status_code == 404
    assert posted(browser, link, link)["Location"] == page_of(club)
    assert state(club, bob) == "in member"
    assert browser.get(link)["Location"] == page_of(club)
    assert "ann owner bob you" in text_of(browser, page_of(club))


@pytest.mark.parametrize("who", ["visitor", "stranger", "asked", "out"])
def test_a_club_by_invitation_is_none_to_whom_it_does_not_concern(client, ann, bob, who):
    club = made(ann, access=INVITATION, words="secret words")
    if who in ("asked", "out"):
        Membership.objects.create(club=club, user=bob, state=who)
    browser = client if who == "visitor" else browser_of(bob)
    gone = browser.get("/clubs/999999/")
    answer = browser.get(page_of(club))
    assert answer.status_code == gone.status_code and "secret" not in answer.content.decode()
    if who != "visitor":
        for act in ("join", "withdraw", "leave", "invite", "people", "link", "dissolve"):
            assert browser.post(f"{page_of(club)}{act}/", {"name": "bob"}).status_code == 404, act
        assert browser.get(f"{page_of(club)}edit/").status_code == 404
    assert now(club).size == 1


def test_who_asks_stands_first_and_the_answer_is_said_where_it_is_seen(ann, bob, cem, eve):
    club = made(ann, access=REQUEST, words="We roll.")
    page, owner = page_of(club), browser_of(ann)
    for one in (bob, cem, eve):
        posted(browser_of(one), page, f"{page}join/")
    text = text_of(owner, page)
    assert (
        text.index("They ask to join") < text.index("We roll.")
        and 'href="#inviting"' in owner.get(page).content.decode()
    )
    for one, deed, said in ((bob, "let-in", "bob belongs to the club now"), (cem, "refuse", "cem is not let in")):
        form = {"person": str(one.pk), "deed": deed}
        answer = owner.post(f"{page}people/", form_on(owner, page, f"{page}people/") | form)
        assert answer["Location"] == page  # its head, where the sentence and who else asks stand
        assert said in owner.get(page).content.decode()
    assert "They ask to join" not in text_of(browser_of(bob), page)


def test_an_organiser_s_page_from_an_asking_to_a_removal(ann, bob, cem):
    club = made(ann, access=REQUEST)
    page, owner, other = page_of(club), browser_of(ann), browser_of(bob)
    assert posted(other, page, f"{page}join/").status_code == 302
    assert "You have asked to join" in text_of(other, page)
    assert posted(owner, page, f"{page}people/", deed="let-in").status_code == 302
    assert state(club, bob) == "in member"
    for deed, after in (("organiser", "in organiser"), ("no-organiser", "in member"), ("remove", "out")):
        assert posted(owner, page, f"{page}people/", deed=deed).status_code == 302
        assert state(club, bob) == after
    assert "Kept out" in text_of(owner, page)
    assert posted(owner, page, f"{page}people/", deed="let-back").status_code == 302
    assert posted(owner, page, f"{page}invite/", name="cem").status_code == 302
    assert "You are invited" in text_of(browser_of(cem), page)
    assert posted(browser_of(cem), page, f"{page}join/").status_code == 302
    assert posted(browser_of(cem), page, f"{page}leave/").status_code == 302
    assert whole(club)


def test_organisers_are_not_mailed_again_and_again_by_who_asks_and_withdraws(ann, bob):
    club = made(ann, access=REQUEST)
    browser, page = browser_of(bob), page_of(club)
    for _time in range(2):
        assert posted(browser, page, f"{page}join/").status_code == 302
        assert browser.post(f"{page}join/").status_code == 302  # who has asked already
        assert posted(browser, page, f"{page}withdraw/").status_code == 302
    assert posted(browser, page, f"{page}join/").status_code == 429
    assert state(club, bob) == ""


def test_nobody_is_made_an_organiser_again_and_again(ann, bob):
    club = made(ann, bob)
    browser, page = browser_of(ann), page_of(club)
    for _time in range(2):
        for act in ("organiser", "no-organiser"):
            assert posted(browser, page, f"{page}people/", deed=act, person=bob.pk).status_code == 302
    assert posted(browser, page, f"{page}people/", deed="organiser", person=bob.pk).status_code == 429
    assert state(club, bob) == "in member"


def test_nobody_is_invited_twice_a_day(ann, bob):
    club = made(ann, access=INVITATION)
    browser, page = browser_of(ann), page_of(club)
    assert posted(browser, page, f"{page}invite/", name="bob").status_code == 302
    joining.withdraw(club_id=club.pk, user=bob)
    assert posted(browser, page, f"{page}invite/", name="bob").status_code == 429
    assert state(club, bob) == ""


def test_nobody_is_invited_to_club_after_club_by_the_same_member(ann, bob, cem):
    clubs = [made(cem, ann, name=f"Club {letter}", access=INVITATION) for letter in "ab"]
    for club in clubs:
        roles.make_organiser(club_id=club.pk, user=cem, member_id=ann.pk, wish=True)
    clubs += [made(ann, name=f"Club {letter}", access=INVITATION) for letter in "cd"]
    browser = browser_of(ann)
    answers = [posted(browser, page_of(one), f"{page_of(one)}invite/", name="bob").status_code for one in clubs]
    assert answers == [302, 302, 302, 429]
    assert Membership.objects.filter(user=bob).count() == 3


def test_odd_posts_are_refused_and_never_an_error(ann, bob):
    club = made(ann, bob)
    browser, page = browser_of(ann), page_of(club)
    for act, body in (
        *(
            ("people", {"deed": deed, "person": person})
            for deed in ("remove", "x", "")
            for person in ("", "x", "9" * 40)
        ),
        *(("invite", {"name": name}) for name in ("", "\0", "x" * 500, "nobody")),
        *(("chat/say", {"text": text}) for text in ("", "\0")),
        *(("chat/mute", body) for body in ({}, {"mute": "x"}, {"hear": "9" * 40})),
    ):
        assert 400 <= browser.post(f"{page}{act}/", body).status_code < 500, (act, body)
    assert browser.get(f"/clubs/{10**30}/").status_code == 404
    assert browser.post(f"/clubs/{10**30}/join/").status_code == 404
    assert browser.get("/clubs/?page=x&search=%00").status_code == 200
    assert whole(club)


def test_a_page_reads_and_writes_nothing_and_few_queries(ann, bob, django_assert_max_num_queries):
    club = made(ann)
    for number in range(30):
        joining.join(club_id=club.pk, user=member(f"p{number:02}"))
    browser = browser_of(ann)
    browser.get(page_of(club))
    with django_assert_max_num_queries(26):
        assert browser.get(page_of(club)).status_code == 200
    with django_assert_max_num_queries(22):
        assert browser.get("/clubs/").status_code == 200
    with django_assert_max_num_queries(22):
        assert browser.get(f"{page_of(club)}chat/").status_code == 200


def test_who_is_unconfirmed_reads_why(bob):
    User.objects.filter(pk=bob.pk).update(email="")
    answer = browser_of(User.objects.get(pk=bob.pk)).get("/clubs/new/")
    assert answer.status_code == 403 and "confirmed e-mail address" in answer.content.decode()
