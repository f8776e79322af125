"""Whom one has muted: listed among one's people, and heard again from there."""

import pytest
from django.urls import reverse

from accounts.models import User
from accounts.services import relationships
from games.models import Muted
from tests.factories import browser_of

PAGE = "/settings/people/"


def hear(person, name):
    return browser_of(person).post(f"/people/{name}/hear/", follow=True)


@pytest.fixture
def muted(ann, bob, cem):
    Muted.objects.create(user=ann, person=bob)
    Muted.objects.create(user=cem, person=bob)
    Muted.objects.create(user=bob, person=ann)


def test_who_may_not(muted, ann, gus):
    assert browser_of().post("/people/bob/hear/").url.startswith("/accounts/login/")
    assert browser_of(gus).post("/people/bob/hear/").url == "/accounts/signup/"
    assert browser_of(ann).get("/people/bob/hear/").status_code == 405
    for name in ("cem", "ann", "nobody", "%00", "bob%00x", "x" * 400):
        answer = hear(ann, name)
        assert answer.status_code == 200
        assert "You have not muted anybody of that name." in answer.content.decode()
    assert Muted.objects.count() == 3


def test_heard_again_by_oneself_alone(muted, ann, bob, cem):
    answer = hear(ann, "bob")
    assert answer.redirect_chain == [(PAGE, 302)]
    assert "You have unmuted bob." in answer.content.decode()
    assert set(Muted.objects.values_list("user", "person")) == {(cem.pk, bob.pk), (bob.pk, ann.pk)}


def test_the_list(muted, ann, bob, eve):
    text = browser_of(ann).get(PAGE).content.decode().partition('id="muted"')[2]
    assert f'action="{reverse("hear", args=["bob"])}"' in text
    assert 'href="/people/bob/"' in text
    assert ">cem<" not in text
    empty = browser_of(eve).get(PAGE).content.decode()
    assert "Nobody. To mute somebody, use the menu beside one of their chat lines." in empty
    assert "Nobody. Press “Block” on a member’s profile." in empty


def test_who_is_banned_has_no_page_and_can_be_heard_again(muted, ann, bob):
    User.objects.filter(pk=bob.pk).update(is_active=False)
    text = browser_of(ann).get(PAGE).content.decode()
    assert "/people/bob/hear/" in text
    assert 'href="/people/bob/"' not in text
    hear(ann, "bob")
    assert not Muted.objects.filter(user=ann).exists()


def test_the_page_tells_what_each_does(ann, bob):
    text = browser_of(ann).get(PAGE).content.decode()
    for words in (
        "Leaderboards can show only the people you follow",
        "cannot follow, invite or write to each other, or sit down",
        "They are not told, but may notice.",
        "You do not see what they write at any match",
    ):
        assert words in text, words
    for page in (PAGE, "/people/bob/", "/privacy/"):
        assert "Nobody is told" not in browser_of(ann).get(page).content.decode()


def test_each_list_asks_once(ann, django_assert_max_num_queries):
    for number in range(12):
        other = User.objects.create_user(f"other-{number}")
        Muted.objects.create(user=ann, person=other)
        relationships.follow(follower=ann, followed=other)
    browser = browser_of(ann)
    with django_assert_max_num_queries(9):
        assert "other-11" in browser.get(PAGE).content.decode()
