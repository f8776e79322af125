"""Replies by mail: what is played, what is refused in words, and what nobody else learns."""

import pytest
from django.core import mail

from games.models import Mail, Notice, PlayedKey, Reply, Turn
from games.services.mail import delivery, planning, reply_address
from games.services.operation import old_rows
from tests.factories import asked, end, fresh, seated, state_of, submit
from tests.mailing import prefer, send
from tests.replying import letter, say, take, told

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("replies_on")]


@pytest.fixture
def match(ann, bob):
    return seated(ann, bob, game_slug="yum-extra")


def test_a_reply_plays(match):
    mover = asked(match)
    assert str(say(match, "roll")).startswith("250")
    turn = match.log.get()
    assert (turn.seat, turn.move, turn.by) == (mover.number, {"type": "roll"}, Turn.By.PERSON)
    assert PlayedKey.objects.get().key.startswith("mail-")
    reply = Reply.objects.get()
    assert (reply.outcome, reply.user, reply.match_id) == ("played", mover.user, match.pk)


def test_turn_mails_say_how_to_answer(match, clock):
    mover = asked(match)
    clock.forward(600)
    [sent] = [one for one in send() if one.to == [mover.user.email]]
    assert sent.extra_headers["Reply-To"] == reply_address.address_for(mover.user, match.pk, mover.ask)
    [html] = [body for body, kind in sent.alternatives if kind == "text/html"]
    for text in (sent.body, html):
        assert "Answer this mail with one line to play" in text
        assert "roll" in text


def test_the_foot_is_in_the_readers_language(match, clock):
    mover = asked(match)
    prefer(mover.user, language="fr")
    clock.forward(600)
    [sent] = [one for one in send() if one.to == [mover.user.email]]
    assert "lancer" in sent.body
    assert "Répondez à cet e-mail" in sent.body


@pytest.mark.parametrize("off", ["site", "member"])
def test_without_replies_no_foot_is_shown_and_none_is_taken(match, clock, settings, off):
    mover = asked(match)
    to = reply_address.address_for(mover.user, match.pk, mover.ask)
    if off == "site":
        settings.REPLY_DOMAIN = ""
    else:
        prefer(mover.user, mail_off=["reply"])
    clock.forward(600)
    [sent] = [one for one in send() if one.to == [mover.user.email]]
    assert "Reply-To" not in sent.extra_headers
    assert "Answer this mail" not in sent.body
    assert str(take(letter(mover.user.email, to, "roll"), to)).startswith("550")
    assert not match.log.exists()


def test_a_bundle_has_an_address_for_each_match(match, ann, bob, clock):
    other = seated(ann, bob, game_slug="yum-extra")
    mover = asked(match)
    if asked(other).user != mover.user:
        say(other, "roll")
        say(other, "write high roll")
    clock.forward(4000)
    sent = next(one for one in send() if one.to == [mover.user.email])
    for one in (match, other):
        if asked(one).user == mover.user:
            address = reply_address.address_for(mover.user, one.pk, asked(one).ask)
            assert address in (sent.extra_headers.get("Reply-To"), *sent.body.split()) or f"{address}:" in sent.body


def test_what_is_not_understood_changes_nothing_and_is_answered(match):
    before = fresh(match)
    assert str(say(match, "what now?")).startswith("250")
    text = told()
    assert "did not understand" in text
    assert "Your turn to roll" in text
    assert "roll" in text
    assert not match.log.exists()
    assert state_of(fresh(match)) == state_of(before)
    assert Reply.objects.get().outcome == "unclear"


@pytest.mark.parametrize("word", ["help", "Aide", "orders", "ordres", "HELP!", "?"])
def test_help_tells_what_is_asked_and_what_may_be_said(match, word):
    say(match, word)
    assert "Your turn to roll" in told()
    assert not match.log.exists()
    assert Reply.objects.get().outcome == "help"


def test_the_rules_refuse_in_their_words(match):
    say(match, "roll")
    say(match, "extra red")
    say(match, "extra red")
    assert "already used that extra" in told()
    assert match.log.count() == 2


@pytest.mark.outgrown
def test_the_same_mail_twice_is_carried_out_once(match):
    mover = asked(match)
    to = reply_address.address_for(mover.user, match.pk, mover.ask)
    raw = letter(mover.user.email, to, "roll", message_id="<twice@example.org>")
    for _time in range(3):
        assert str(take(raw, to)).startswith("250")
    assert match.log.count() == 1
    assert Mail.objects.filter(kind="reply").count() == 1


def test_an_old_question_is_refused_in_words_with_the_present_one(match):
    old = asked(match)
    say(match, "roll")
    say(match, "roll all", seat=old)
    text = told()
    assert "answered already" in text
    assert "You are asked now:" in text
    assert "Your second roll" in text
    assert match.log.count() == 1


def test_somebody_elses_turn(match, bob):
    mine = asked(match)
    for move in ({"type": "roll"}, {"type": "score", "cell": "high_roll"}):
        submit(match, asked(match), move, key=move["type"])
    say(match, "roll", seat=mine)
    assert "answered already" in told()
    assert Reply.objects.get().outcome == "stale"


def test_another_sender_is_refused_and_told_nothing_but_the_member_is_warned_once(match, bob, settings):
    mover = asked(match)
    to = reply_address.address_for(mover.user, match.pk, mover.ask)
    for number in range(3):
        verdict = str(take(letter("eve@evil.example", to, "roll"), to))
        assert verdict.startswith("550 5.7.1"), number
        assert "turn" not in verdict
    delivery.send_due()
    [warning] = mail.outbox
    assert warning.to == [mover.user.email]
    assert "from another address" in warning.body
    assert "Your turn to roll" not in warning.body
    assert "Reply-To" not in warning.extra_headers
    assert not match.log.exists()


FORGED = "mx.example.org; dmarc=fail header.from=example.org; spf=pass smtp.mailfrom=evil.example"
PROVEN = (
    "mx.example.org; dmarc=pass (p=reject) header.from=example.org",
    "mx.example.org; dkim=pass header.d=example.org header.s=x; spf=fail smtp.mailfrom=x@other.example",
    "mx.example.org 1; spf=pass (sender SPF authorized) smtp.mailfrom=ann@example.org",
)
UNPROVEN = (
    *("", FORGED, "mx.example.org; none", "mx.example.org; dkim=pass header.d=evil.example"),
    *("other.example; dmarc=pass header.from=example.org", "evil; mx.example.org; dmarc=pass header.from=example.org"),
    *("mx.example.org; dkim=pass header.d=org", "mx.example.org; dmarc=pass header.from=evil.example"),
    *("mx.example.org; spf=pass smtp.mailfrom=x@example.org.evil.example", "mx.example.org (dmarc=pass)"),
)


@pytest.mark.thin(4)
@pytest.mark.parametrize(("results", "plays"), [*((one, True) for one in PROVEN), *((one, False) for one in UNPROVEN)])
def test_only_the_results_of_our_own_server_are_believed(match, settings, results, plays):
    settings.REPLY_SENDERS_CHECKED, settings.REPLY_AUTHSERV_ID = False, "mx.example.org"
    headers = {"Authentication-Results": results} if results else {}
    assert str(say(match, "roll", headers=headers)).startswith("250" if plays else "550 5.7.1")
    assert match.log.exists() == plays


def test_results_that_came_with_the_mail_are_not_believed(match, settings):
    settings.REPLY_SENDERS_CHECKED, settings.REPLY_AUTHSERV_ID = False, "mx.example.org"
    mover = asked(match)
    to = reply_address.address_for(mover.user, match.pk, mover.ask)
    own = b"Received: from a by mx.example.org\nReceived: from b by a\n"
    planted = f"Authentication-Results: {PROVEN[0]}\n".encode()
    raw = letter(mover.user.email, to, "roll")
    assert str(take(own + planted + raw, to)).startswith("550 5.7.1")
    settings.REPLY_AUTHSERV_ID = ""
    assert str(take(b"Authentication-Results: ; dmarc=pass\n" + raw, to)).startswith("550 5.7.1")
    assert not match.log.exists()


ODD_SENDERS = (
    *(
        "ann@example.org, eve@evil.example",
        "ann@example.org <eve@evil.example>",
        '"ann@example.org" <eve@evil.example>',
    ),
    *("", "ann", "@example.org", "ann@example.org.evil.example", "xann@example.org", "ann@example.org@evil.example"),
    *("<eve@evil.example> <ann@example.org>", "eve@evil.example <ann@example.org>", "x: ann@example.org;"),
    *(
        "ann@example.org)<eve@evil.example>",
        "ann@example.org(<eve@evil.example>",
        "(<ann@example.org>)eve@evil.example",
    ),
)


@pytest.mark.thin(4)
@pytest.mark.parametrize("sender", ODD_SENDERS)
def test_odd_senders_are_not_the_member(match, ann, sender):
    to = reply_address.address_for(ann, match.pk, asked(match).ask)
    raw = b"From: " + sender.encode() + b"\r\nTo: " + to.encode() + b"\r\nMessage-ID: <a@b>\r\n\r\nroll\r\n"
    assert str(take(raw, to)).startswith("550 5.7.1")
    twice = b"From: ann@example.org\r\n" + raw
    assert str(take(twice, to)).startswith("550 5.7.1")
    assert not match.log.exists()


def test_another_members_address_is_of_no_use(match, ann, bob, capfd):
    mover = asked(match)
    other = next(person for person in (ann, bob) if person != mover.user)
    to = reply_address.address_for(mover.user, match.pk, mover.ask)
    assert str(take(letter(other.email, to, "roll"), to)).startswith("550 5.7.1")
    own = reply_address.address_for(other, match.pk, mover.ask)
    assert str(take(letter(other.email, own, "roll"), own)).startswith("250")
    assert not match.log.exists()
    said = "".join(capfd.readouterr())
    assert "reply not taken" in said
    for secret in (to, own, to.partition("@")[0], mover.user.email, other.email):
        assert secret not in said


PROGRAMS = (
    *({"Auto-Submitted": "auto-replied"}, {"Auto-Submitted": "auto-generated; x=y"}, {"Precedence": "bulk"}),
    *({"Precedence": "auto_reply"}, {"X-Autoreply": "yes"}, {"List-Id": "<a.b>"}, {"Return-Path": "<>"}),
    *({"X-Autorespond": "x"}, {"X-Loop": "x"}),
)


@pytest.mark.parametrize("headers", PROGRAMS, ids=str)
def test_programs_are_not_answered(match, headers):
    assert str(say(match, "roll", headers=headers)).startswith("250")
    assert not match.log.exists()
    assert not Mail.objects.filter(kind="reply").exists()


def test_bounces_and_our_own_mails_are_not_answered(match):
    mover = asked(match)
    to = reply_address.address_for(mover.user, match.pk, mover.ask)
    raw = letter(mover.user.email, to, "roll")
    assert str(take(raw, to, envelope_sender="")).startswith("250")
    assert str(take(letter(mover.user.email, to, "roll", message_id="<a@testserver>"), to)).startswith("250")
    assert str(take(letter("MAILER-DAEMON@example.org", to, "roll"), to)).startswith("250")
    assert not match.log.exists()
    assert not Mail.objects.filter(kind="reply").exists()


def test_a_members_replies_are_limited(match, monkeypatch):
    monkeypatch.setattr("games.services.mail.receiving.MOST_OF_MEMBER", 3)
    answers = [str(say(match, f"nonsense {number}"))[:3] for number in range(5)]
    assert answers == ["250", "250", "250", "450", "450"]
    assert Mail.objects.filter(kind="reply").count() == 3


def test_mails_from_one_address_are_limited(match, monkeypatch):
    monkeypatch.setattr("games.services.mail.receiving.MOST_OF_ADDRESS", 2)
    mover = asked(match)
    to = reply_address.address_for(mover.user, match.pk, mover.ask)
    answers = [str(take(letter("eve@evil.example", to, "roll"), to))[:3] for _time in range(4)]
    assert answers == ["550", "550", "450", "450"]
    assert str(say(match, "roll")).startswith("250"), "the member has a count of their own"


def test_a_reply_after_the_time_ran_out_is_refused_in_words(hours, ann, bob):
    for person in (ann, bob):
        prefer(person, vacation_by_itself=False)
    match = seated(ann, bob)
    mover = asked(match)
    hours.go_by(days=3, seconds=3)
    say(match, "roll", seat=mover)
    assert "time had run out" in told()
    assert not match.log.exists()


def test_a_match_that_is_over_or_left(match, ann, bob):
    mover = asked(match)
    end(match, [1, 2])
    say(match, "roll", seat=mover)
    assert "not running" in told()


def test_replies_are_forgotten_after_thirty_days(match, clock):
    say(match, "roll")
    clock.forward(29 * 86_400)
    old_rows.forget_old()
    assert Reply.objects.exists()
    clock.forward(2 * 86_400)
    old_rows.forget_old()
    assert not Reply.objects.exists()


def test_an_answer_holds_only_what_its_member_may_see(ann, bob, cem):
    match = seated(ann, bob, cem, game_slug="yam-menteur")
    say(match, "roll")
    thrower = asked(match)
    dice = state_of(fresh(match)).dice
    say(match, "chance 20")
    delivery.send_due()
    mail.outbox.clear()
    for other in (person for person in match.seats.filter(ask__isnull=False).select_related("user")):
        say(match, "help", seat=other)
    delivery.send_due()
    assert {one.to[0] for one in mail.outbox} == {one.email for one in (ann, bob, cem) if one != thrower.user}
    for one in mail.outbox:
        assert "keep" not in one.body
        assert " ".join(map(str, dice)) not in one.body
    assert Notice.objects.filter(kind="turn", user=thrower.user).count() <= 3
    assert planning.sweep() >= 0
