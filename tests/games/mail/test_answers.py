"""One press from the mail: a signed link is good for one answer of one member, and changes nothing by being opened."""

import re
from random import Random

import pytest
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.core import signing
from django.test import Client
from django.utils.html import strip_tags

from accounts.models import User
from accounts.services import days_off
from config.lib.sockets import end_sessions
from games.models import Kind, Mail, Match, Notice
from games.moderation import members
from games.queries.play import seats_of
from games.services.mail import answering
from tests.factories import (
    PASSWORD,
    WHY,
    asked,
    browser_of,
    committed,
    end,
    fresh,
    last_audit,
    moderator,
    opened,
    prove,
    snapshot,
    submit,
)
from tests.games.mail.test_telling import announced, only
from tests.games.play.at_once import Tab, statuses
from tests.mailing import DAY, HOUR, prefer, send

pytestmark = pytest.mark.usefixtures("clock")

LINK = re.compile(r"http://testserver(/mails/answer/[^/\s\"]+/)")


def links(message) -> list[str]:
    """Return the addresses of a mail's buttons, the same in its text and in its HTML."""
    found = list(dict.fromkeys(LINK.findall(message.body)))
    assert found == list(dict.fromkeys(LINK.findall(message.alternatives[0][0])))
    return found


@pytest.fixture
def match(ann, bob, cem) -> Match:
    return announced(ann, bob, cem)  # the others are asked whether they believe it


@pytest.fixture
def reader(match) -> User:
    return asked(match).user


@pytest.fixture
def message(match, reader, clock):
    """The mail that asks the first of them."""
    Notice.objects.all().delete()
    clock.forward(HOUR)
    return only(send(), reader)


def page_of(address: str, browser: Client | None = None, method: str = "get") -> str:
    return getattr(browser or Client(), method)(address, follow=True).content.decode()


def given(match, user) -> list[bool]:
    """Return what this member has answered."""
    number = next(seat.number for seat in seats_of(match) if seat.user_id == user.pk)
    return [turn.move["doubt"] for turn in match.log.filter(seat=number) if turn.move["type"] == "answer"]


def test_a_press_plays_the_answer_that_the_link_names(message, match, reader):
    believe, doubt, _day = links(message)
    before = len(given(match, reader))
    browser = Client(enforce_csrf_checks=True)
    page = browser.get(doubt)
    assert "I doubt it" in page.content.decode() and "I believe it" not in page.content.decode()
    assert "A bluff: you " in page.content.decode()
    assert browser.post(doubt).status_code == 403  # a form's token is asked for, as everywhere
    token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', page.content.decode())[1]
    answer = browser.post(doubt, {"csrfmiddlewaretoken": token})
    assert (answer.status_code, answer["Location"]) == (302, doubt)
    assert given(match, reader)[before:] == [True]
    assert "Your answer has arrived" in browser.get(doubt).content.decode()
    assert "sessionid" not in "".join(browser.cookies)
    assert "/accounts/login/" in browser.get("/matches/")["Location"]  # and nothing else is open
    row = Mail.objects.get(pk=answering.read(doubt.split("/")[3]).mail_id)
    assert [one["of"] for one in row.answers] == [f"{match.pk}:move:{answering.read(doubt.split('/')[3]).ask}"]
    assert believe != doubt


def test_looking_changes_nothing(message, match, reader):
    own = browser_of(reader)
    own.get("/")
    before = snapshot()
    for address in links(message):
        for method in ("get", "head", "options"):
            assert getattr(Client(), method)(address).status_code in (200, 405)
        assert own.get(address).status_code == 200
    assert snapshot() == before


def test_a_replay_and_the_other_answer_say_so(message, match, reader):
    believe, doubt, day = links(message)
    before = len(given(match, reader))
    Client().post(believe)
    for _again in range(2):
        assert "Your answer has arrived" in page_of(believe, method="post")
    answer = Client().post(doubt)
    assert answer.status_code == 409
    assert "no longer open" in answer.content.decode() and f"/matches/{match.pk}/" in answer.content.decode()
    assert "no longer open" in page_of(day)
    assert given(match, reader)[before:] == [False]


def test_the_same_by_the_page_spends_it(message, match, reader):
    submit(match, asked(match), {"type": "answer", "doubt": False})
    for address in links(message):
        assert Client().post(address).status_code == 409
        assert "no longer open" in page_of(address)


@pytest.mark.thin(0)
def test_mutations_open_nothing(message, match, reader, settings):
    """MUTATIONS: whatever is changed of a token, it is refused in words, and nothing leaks."""
    mutations = 1000
    settings.ACCOUNT_RATE_LIMITS = settings.ACCOUNT_RATE_LIMITS | {"bad_link": "5000/m/ip"}
    rng, before, browser = Random(19), snapshot(), Client()
    token = links(message)[0].split("/")[3]
    letters = "ABCabc0189-_:.é%20"
    for number in range(mutations):
        place = rng.randrange(len(token))
        put, kept = rng.choice([rng.choice(letters), ""]), token[place + number % 2 :]
        spoilt = token[:place] + put + kept if number % 4 else token[:place]
        if spoilt in (token, ""):
            continue
        answer = getattr(browser, "post" if number % 2 else "get")(f"/mails/answer/{spoilt}/")
        text = answer.content.decode()
        assert answer.status_code == 404 and "<h1>" in text
        assert (
            not re.search(rf"\b{reader.username}\b|announced", strip_tags(text)) and f"/matches/{match.pk}/" not in text
        )
    assert snapshot() == before
    print(f"MUTATIONS {mutations} of a token: each refused in words, nothing changed")


def test_bad_links_of_one_address_are_counted(db, settings):
    settings.ACCOUNT_RATE_LIMITS = settings.ACCOUNT_RATE_LIMITS | {"bad_link": "3/m/ip"}
    browser = Client()
    statuses = [browser.get(f"/mails/answer/x{n}/").status_code for n in range(5)]
    assert statuses == [404, 404, 404, 429, 429]


def test_another_members_link(message, match, reader, eve):
    address = links(message)[0]
    for method in ("get", "post"):
        answer = getattr(browser_of(eve), method)(address)
        assert answer.status_code == 403
        assert "somebody else’s" in answer.content.decode() and "announced" not in answer.content.decode()
    assert "You answer as" in page_of(address, browser_of(reader))


@pytest.mark.thin(1)
@pytest.mark.parametrize("change", ["move", "user", "ask", "act"])
def test_a_signed_text_of_other_mails_is_no_link(change, message, match, reader, eve):
    """What another part of the site signed is not one, nor can an answer be exchanged."""
    about = signing.loads(links(message)[0].split("/")[3], salt=answering.SALT)
    forged = signing.dumps(about, salt="games.mails", compress=True)
    assert Client().post(f"/mails/answer/{forged}/").status_code == 404
    wrong = {"move": (6, {"type": "roll"}), "user": (0, eve.pk), "ask": (4, about[4] + 1), "act": (3, "day?")}
    place, value = wrong[change]
    about[place] = value
    signed = signing.dumps(about, salt=answering.SALT, compress=True)  # as if the key had leaked for one link
    assert Client().post(f"/mails/answer/{signed}/").status_code in (404, 409)


@pytest.mark.thin(2)
@pytest.mark.parametrize("way", ["password", "sessions", "ban", "suspend", "staff", "off", "factor", "closed"])
def test_what_ends_all_links(way, message, match, reader):
    address = links(message)[0]
    before = len(given(match, reader))
    mo = moderator()
    if way == "password":
        reader.set_password(f"{PASSWORD} more")
        reader.save()
    elif way == "sessions":
        UserSession.objects.create(user=reader, ip="192.0.2.1", user_agent="x", session_key="k" * 32)
        end_sessions(reader.pk)
    elif way == "ban":
        committed(members.ban, moderator=mo, member=reader, reason=WHY)
    elif way == "suspend":
        committed(
            members.suspend, moderator=mo, member=reader, reason=WHY, until=fresh(match).created_at.replace(year=2999)
        )
    elif way == "staff":
        members.end_mail_links(moderator=mo, member=reader, reason=WHY)
        assert (last_audit().deed, last_audit().member) == ("links", reader)
    elif way == "off":
        prefer(reader, answers_by_mail=False)
    elif way == "factor":
        Authenticator.objects.create(user=reader, type=Authenticator.Type.TOTP, data={})
    else:
        User.objects.filter(pk=reader.pk).update(is_active=False)
    answer = Client().post(address)
    assert answer.status_code == 409
    assert "has ended" in answer.content.decode() and "announced" not in answer.content.decode()
    assert len(given(match, reader)) == before


def test_ending_the_other_sessions_ends_the_links_though_there_is_no_other(reader):
    browser = browser_of(reader)
    browser.post("/accounts/sessions/")
    assert User.objects.get(pk=reader.pk).mail_links == 0  # who it is has to be shown first
    prove(browser)
    browser.post("/accounts/sessions/")
    assert User.objects.get(pk=reader.pk).mail_links == 1


def test_with_a_second_factor_they_are_off_unless_turned_on(match, reader, clock):
    Authenticator.objects.create(user=reader, type=Authenticator.Type.TOTP, data={})
    browser = browser_of(reader)
    form = {"topics": ["turn"], "rhythm": "each", "digest_hour": "8"}
    assert 'name="answers" id="id_answers" checked' not in browser.get("/settings/mails/").content.decode()
    Notice.objects.all().delete()
    clock.forward(HOUR)
    assert links(only(send(), reader)) == []
    browser.post("/settings/mails/", form | {"answers": "on"})
    assert User.objects.get(pk=reader.pk).answers_by_mail is True


def test_turned_off_there_are_none(match, reader, clock):
    browser_of(reader).post("/settings/mails/", {"topics": ["turn"], "rhythm": "each", "digest_hour": "8"})
    assert User.objects.get(pk=reader.pk).answers_by_mail is False
    Notice.objects.all().delete()
    clock.forward(HOUR)
    message = only(send(), reader)
    assert links(message) == [] and f"/matches/{match.pk}/" in message.body


def test_a_match_that_has_ended(message, match, reader):
    end(match, [1, 2, 3])
    for address in links(message):
        assert Client().post(address).status_code == 409
        assert "It is over" in page_of(address)


def test_a_day_more_takes_a_day_off(message, match, reader):
    day = links(message)[-1]
    deadline = asked(match).deadline
    left = days_off.left(User.objects.get(pk=reader.pk), days_off.today(reader).year)
    assert f"Days off that you have: {left}." in page_of(day)
    committed(Client().post, path=day)
    user = User.objects.get(pk=reader.pk)
    assert days_off.left(user, days_off.today(user).year) == left - 1
    assert (asked(match).deadline - deadline).total_seconds() == DAY
    assert "The day off is taken" in page_of(day)
    Client().post(day)
    assert days_off.left(User.objects.get(pk=reader.pk), days_off.today(user).year) == left - 1


def test_an_invitation_is_answered(ann, bob, cem, clock):
    match = opened(ann, invited=[bob, cem], size=3, access=Match.Access.INVITATION)
    clock.forward(HOUR)
    sent = send()
    accept, decline = links(only(sent, bob))
    assert "Accept" in page_of(accept) and "casual" in page_of(accept)
    Client().post(accept)
    assert match.seats.filter(user=bob).exists()
    assert "Your answer has arrived" in page_of(accept)
    assert "no longer open" in page_of(decline)
    _accept, declines = links(only(sent, cem))
    Client().post(declines)
    assert match.invitations.get(user=cem).declined
    assert "Your answer has arrived" in page_of(declines)


def test_who_was_suspended_meanwhile_does_not_join(ann, bob):
    match = opened(ann, invited=[bob], size=2)
    members.suspend(moderator=moderator(), member=bob, reason=WHY, until=match.created_at.replace(year=2999))
    token = answering.token_of(User.objects.get(pk=bob.pk), 1, match.pk, answering.JOIN, seat=None)
    assert Client().post(f"/mails/answer/{token}/").status_code == 403
    assert not match.seats.filter(user=bob).exists()


def test_lists_have_the_same_buttons(match, reader):
    browser = browser_of(reader)
    for page in ("/", "/matches/"):
        text = browser.get(page).content.decode()
        assert " announced " in text and "I believe it" in text and "I doubt it" in text
    form = re.search(r'<form class="do few".*?</form>', text, re.DOTALL)[0]
    fields = dict(re.findall(r'name="(\w+)" value="([^"]*)"', form))
    before = len(given(match, reader))
    post = fields | {"move": '{"type": "answer", "doubt": true}'}
    answer = browser.post(f"/matches/{match.pk}/move/", post, headers={"Referer": "http://testserver/matches/"})
    assert (answer.status_code, answer["Location"]) == (302, "/matches/")
    assert given(match, reader)[before:] == [True]
    assert "YAM menteur: I doubt it" in browser.get("/matches/").content.decode()
    again = browser.post(f"/matches/{match.pk}/move/", post)
    assert again.status_code == 302 and len(given(match, reader)) == before + 1
    other = browser.post(f"/matches/{match.pk}/move/", post | {"move": '{"type": "answer", "doubt": false}'})
    assert other.status_code == 409


def test_the_page_in_french(message, match, reader):
    prefer(reader, language="fr")
    answer = Client().get(links(message)[0])
    assert answer["Content-Language"] == "fr" and "J’y crois" in answer.content.decode()


@pytest.mark.outgrown
def test_the_mail_of_an_answer_is_kept_once(match, reader):
    seat = asked(match)
    mail = Mail.objects.create(user=reader, match=match, kind=Kind.TURN)
    for doubt in (True, False):
        token = answering.token_of(
            User.objects.get(pk=reader.pk),
            mail.pk,
            match.pk,
            "move",
            seat=seat,
            move={"type": "answer", "doubt": doubt},
        )
        Client().post(f"/mails/answer/{token}/")
        Client().post(f"/mails/answer/{token}/")
    assert len(Mail.objects.get(pk=mail.pk).answers) == 1


@pytest.mark.outgrown
def test_two_presses_at_one_moment_are_one_answer(match, reader, site, at_once):
    """Both answers from two mails, each twice, and the page's own: one is played, the others are refused in words."""
    seat = asked(match)
    before = len(given(match, reader))
    mail = Mail.objects.create(user=reader, match=match, kind=Kind.TURN)
    tokens = [
        answering.token_of(reader, mail.pk, match.pk, "move", seat=seat, move={"type": "answer", "doubt": doubt})
        for doubt in (True, False)
    ]
    visitor, page = Tab(None), Tab(reader)
    presses = [visitor.post(f"/mails/answer/{token}/") for token in tokens for _twice in range(2)]
    answers = at_once([*presses, page.move(match, seat.ask, "the-page", {"type": "answer", "doubt": True})])
    assert set(statuses(answers)) <= {200, 302, 409}
    assert len(given(match, reader)) == before + 1
    assert len(Mail.objects.get(pk=mail.pk).answers) <= 1
