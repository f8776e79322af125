"""What is posted twice is made once; what is refused leaves what was written."""

import re

import pytest
from django.contrib.sessions.models import Session
from django.test import Client

from accounts.models import User
from config.lib import clock as present
from games.models import ChatLine, Invitation, Match, Posted, Seat
from games.moderation.models import Report
from games.services import posts
from games.services.play import moves
from tests.factories import browser_of, fresh, member, opened, rated, seat, seated
from tests.games.play.addresses import POSTS, address
from tests.games.play.at_once import Tab

KEY = re.compile(r'name="key" value="([\w-]+)"')


def form_on(browser: Client, page: str, action: str) -> dict[str, str]:
    """Return the hidden fields of the form on this page that posts there, as a browser would send them."""
    html = browser.get(page).content.decode()
    form = re.search(rf'<form[^>]*action="{re.escape(action)}"[^>]*>(.*?)</form>', html, re.DOTALL)[1]
    return dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', form))


TABLE = {"game": "yum-extra", "size": "3", "pace": "3d", "access": "open", "option_scratch": "free"}


def make_table(browser, match):
    return browser, "/play/new/", "/play/new/", TABLE


def play_now(browser, match):
    return browser, "/games/yum-extra/", "/games/yum-extra/now/", {"lesson": "no"}


def talk(browser, match):
    return browser, f"/matches/{match.pk}/", f"/matches/{match.pk}/chat/say/", {"text": "hello"}


@pytest.mark.parametrize(
    ("deed", "made"), [(make_table, Match), (play_now, Match), (talk, ChatLine)], ids=["table", "play now", "talk"]
)
def test_the_same_post_makes_one_and_is_answered_alike(ann, bob, deed, made):
    browser, page, action, more = deed(browser_of(ann), seated(ann, bob))
    post, before = form_on(browser, page, action) | more, made.objects.count()
    answers = [browser.post(action, post) for _time in range(3)]
    assert made.objects.count() == before + 1
    assert {(answer.status_code, answer["Location"]) for answer in answers} == {(302, answers[0]["Location"])}
    browser.post(action, form_on(browser, page, action) | more)  # another rendering: another one
    assert made.objects.count() == before + 2


def test_the_same_words_said_again_are_another_line(ann, bob):
    """Not the key alone decides: a text that was changed, or posted anew, is meant."""
    browser, page, action, _words = talk(browser_of(ann), seated(ann, bob))
    post = form_on(browser, page, action)
    for text in ("one", "one", "two"):
        assert browser.post(action, post | {"text": text}, headers={"X-Live": "1"}).status_code == 200
    assert list(ChatLine.objects.order_by("pk").values_list("text", flat=True)) == ["one", "two"]


def test_a_visitor_who_posts_twice_is_one_guest(db):
    """Neither answer has come when the second click goes out: both posts come from a visitor."""
    browser = Client()
    post = form_on(browser, "/games/yum-extra/", "/games/yum-extra/now/") | {"lesson": "no"}
    visitor = browser.cookies["csrftoken"].value
    places = set()
    for _click in range(2):
        browser.cookies.clear()
        browser.cookies["csrftoken"] = visitor
        answer = browser.post("/games/yum-extra/now/", post)
        places.add(answer["Location"])
        assert browser.get(answer["Location"]).status_code == 200
    assert len(places) == 1
    assert User.objects.filter(is_guest=True).count() == Match.objects.count() == 1


def test_a_visitors_post_that_comes_again_and_again_opens_few_sessions(db, settings):
    """Each is a row that lasts for 90 days, and nobody has to log in for it."""
    settings.ACCOUNT_RATE_LIMITS = settings.ACCOUNT_RATE_LIMITS | {"guest_back": "2/h/key"}
    browser = Client()
    post = form_on(browser, "/games/yum-extra/", "/games/yum-extra/now/") | {"lesson": "no"}
    visitor = browser.cookies["csrftoken"].value
    for _click in range(6):
        browser.cookies.clear()
        browser.cookies["csrftoken"] = visitor
        assert browser.post("/games/yum-extra/now/", post).status_code == 302
    assert Session.objects.count() == 3


def test_an_invitation_is_one(ann, bob):
    match, browser = opened(ann, access="invitation"), browser_of(ann)
    page, action = f"/matches/{match.pk}/", f"/matches/{match.pk}/invite/"
    post = form_on(browser, page, action) | {"name": "bob"}
    browser.post(action, post)
    version = fresh(match).version
    assert browser.post(action, post)["Location"] == page
    assert (fresh(match).version, Invitation.objects.count()) == (version, 1)


def test_a_report_is_thanked_for_alike(ann, bob):
    browser, address = browser_of(ann), "/report/?member=bob"
    html = browser.get(address).content.decode()
    post = {"reason": "cheating", "words": "look", "key": KEY.search(html)[1]}
    answers = [browser.post(address, post, follow=True).content.decode() for _time in range(2)]
    assert "A moderator will look at it." in answers[0]
    assert "already" not in answers[1]
    assert Report.objects.count() == 1


def test_what_is_kept_of_posts_is_bounded(ann, bob, settings):
    """600 a minute, each kept for a day, were 200 MB of one member."""
    match, browser = seated(ann, bob), browser_of(ann)
    settings.ACCOUNT_RATE_LIMITS = settings.ACCOUNT_RATE_LIMITS | {"kept_post": "3/h/user"}
    action = f"/matches/{match.pk}/notes/"
    for number in range(3):
        assert browser.post(action, {"notes": f"{number}", "key": f"key-{number}", "before": ""}).status_code == 302
        Seat.objects.update(notes="")
    page = browser.post(action, {"notes": "kept words", "key": "key-4", "before": ""})
    assert page.status_code == 429
    assert "kept words" in page.content.decode()
    assert Posted.objects.count() == 3


@pytest.mark.thin(8)
@pytest.mark.parametrize("name", sorted(POSTS))
def test_beyond_that_no_address_is_an_error(matches, ann, settings, name):
    settings.ACCOUNT_RATE_LIMITS = settings.ACCOUNT_RATE_LIMITS | {"kept_post": "1/h/user"}
    browser, notes = browser_of(ann), f"/matches/{matches['running'].pk}/notes/"
    assert browser.post(notes, {"notes": "a", "key": "key-of-the-first", "before": ""}).status_code == 302
    answer = browser.post(address(name, matches["running"]), {"key": "key-of-the-next"})
    assert answer.status_code < 500


def test_of_a_visitor_for_whom_nothing_was_made_no_post_is_kept(db):
    """They were led to the lesson, and each post was a row for a day, as often as anybody posted."""
    for number in range(3):
        answer = Client().post("/games/yay/now/", {"key": f"key-{number}"})
        assert (answer.status_code, answer.url) == (302, "/games/yay/lesson/")
    assert not Posted.objects.exists()


@pytest.mark.parametrize("what", ["resign", "leave", "rematch", "start"])
def test_a_second_click_lands_where_the_first_did(ann, bob, cem, what):
    match = opened(ann) if what in ("leave", "start") else seated(ann, bob, cem)
    if what == "rematch":
        for person in (ann, bob, cem):
            moves.wish_call_off(match_id=match.pk, user=person, wish=True)
    browser, action = browser_of(ann), f"/matches/{match.pk}/{what}/"
    post = form_on(browser, f"/matches/{match.pk}/", action)
    first, second = (browser.post(action, post) for _click in range(2))
    assert (first.status_code, first["Location"]) == (second.status_code, second["Location"])
    assert first.status_code == 302


def test_what_was_refused_may_be_posted_again(ann, bob, clock):
    browser, page, action, more = talk(browser_of(ann), seated(ann, bob))
    post = form_on(browser, page, action)
    assert browser.post(action, post | {"text": " "}).status_code == 400
    assert not Posted.objects.exists()
    assert browser.post(action, post | more).status_code == 302
    clock.forward(23 * 3600)
    assert posts.forget_old() == 0
    clock.forward(2 * 3600)
    assert posts.forget_old() == 1


@pytest.mark.both
def test_at_the_same_moment_too(site, at_once):
    ann = member("ann")
    tab, before = Tab(ann), present.now()
    answers = at_once([tab.post("/games/yum-extra/now/", lesson="no", key="one-and-the-same") for _click in range(12)])
    assert {answer.status_code for answer in answers} == {302}
    assert len({answer.headers["Location"] for answer in answers}) == 1
    assert Match.objects.filter(created_at__gte=before).count() == 1


# ——— What was written


def notes_of(browser, match) -> dict[str, str]:
    return form_on(browser, f"/matches/{match.pk}/", f"/matches/{match.pk}/notes/")


def test_notes_of_two_tabs_do_not_overwrite_each_other(ann, bob):
    match = seated(ann, bob)
    one, other = browser_of(ann), browser_of(ann)
    action, seen = f"/matches/{match.pk}/notes/", notes_of(other, match)
    assert one.post(action, notes_of(one, match) | {"notes": "from the first"}).status_code == 302
    answer = other.post(action, seen | {"notes": "from the second"})
    page = answer.content.decode()
    assert answer.status_code == 409
    assert seat(match, 0).notes == "from the first"
    assert page.index("from the second</textarea>") < page.index("from the first")
    mark = re.search(r'name="before" value="(\w+)"', page.partition(f'action="{action}"')[2])[1]
    assert other.post(action, {"before": mark, "notes": "from both"}).status_code == 302
    assert seat(match, 0).notes == "from both"
    assert one.post(action, seen | {"notes": "from both"}).status_code == 302  # says what is there already


@pytest.mark.parametrize("mark", ["x" * 100, "a\0b", "\ufffe", " "])
def test_a_mark_of_notes_that_is_none_is_one_of_others(ann, bob, mark):
    match, browser = seated(ann, bob), browser_of(ann)
    moves.write_notes(match_id=match.pk, user=ann, notes="mine")
    answer = browser.post(f"/matches/{match.pk}/notes/", {"notes": "other", "before": mark})
    assert answer.status_code == 409
    assert seat(match, 0).notes == "mine"


def test_line_ends_count_once(ann, bob):
    match, browser = seated(ann, bob), browser_of(ann)
    for action, field, most in (
        (f"/matches/{match.pk}/notes/", "notes", 10_000),
        ("/report/?member=bob", "words", 2000),
    ):
        text = "a\r\n" * (most // 2)
        assert browser.post(action, {field: text, "reason": "cheating"}).status_code == 302, field
    assert seat(match, 0).notes == "a\n" * 5_000


def test_refused_notes_and_names_stay_in_their_fields(ann, bob):
    match, table, browser = seated(ann, bob), opened(ann), browser_of(ann)
    answer = browser.post(f"/matches/{match.pk}/notes/", {"notes": "z" * 10_001})
    assert "z" * 10_001 in answer.content.decode()
    answer = browser.post(f"/matches/{table.pk}/invite/", {"name": "bob, nobody"})
    text = answer.content.decode()
    assert 'value="bob" checked' in text and 'value="nobody"' in text


def test_a_new_table_beyond_the_limit_keeps_its_form(ann, monkeypatch):
    monkeypatch.setattr("games.views.open_matches.rate_limits.allows", lambda *asked, **how: False)
    answer = browser_of(ann).post("/play/new/", TABLE)
    assert answer.status_code == 429
    assert 'name="pace"' in answer.content.decode()


def test_what_is_written_survives_a_log_out_and_an_old_page(ann, bob):
    match = rated(ann, bob)
    answer = Client().post(f"/matches/{match.pk}/chat/say/", {"text": "my long text"}, follow=True)
    assert "my long text" in answer.content.decode()
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(ann)
    answer = strict.post(f"/matches/{match.pk}/notes/", {"notes": "my long notes"})
    assert answer.status_code == 403
    assert "my long notes" in answer.content.decode()


@pytest.mark.both
def test_the_page_that_one_came_from_may_have_any_address(ann, bob):
    """The answer leads back there, and what is kept of it has a length in PostgreSQL."""
    match = seated(ann, bob)
    browser = browser_of(ann, headers={"Referer": f"http://testserver/people/{'x' * 400}/"})
    post = form_on(browser, f"/matches/{match.pk}/", f"/matches/{match.pk}/call-off/") | {"wish": "1"}
    first = browser.post(f"/matches/{match.pk}/call-off/", post)
    assert first.status_code == 302
    assert seat(match, 0).wants_call_off
    moves.wish_call_off(match_id=match.pk, user=ann, wish=False)
    assert browser.post(f"/matches/{match.pk}/call-off/", post).status_code == 302
    assert not seat(match, 0).wants_call_off
