"""What a mail tells: the question whole, what happened and what that changed, and in its subject who did what."""

import html
import re
from datetime import timedelta
from random import Random

import pytest
from django.utils.html import strip_tags

from config.lib import clock as site_clock
from games.models import Kind, Match, Notice
from games.queries.play import seats_of
from games.services.lobby import opening
from games.services.mail.notices import note
from games.services.play import moves
from games.table import table_for
from tests.factories import asked, end, fresh, opened, played_on, seated, state_of
from tests.mailing import HOUR, prefer, send, wind

pytestmark = pytest.mark.usefixtures("clock")


def texts(message) -> tuple[str, str]:
    """Return a mail's text, and the words of its HTML."""
    body = re.sub(r"<style>.*?</style>", "", message.alternatives[0][0], flags=re.DOTALL)
    return message.body, " ".join(html.unescape(strip_tags(body)).split())


def only(messages, person):
    (message,) = [one for one in messages if one.to == [person.email]]
    return message


def announced(*people) -> Match:
    """Return a match of YAM menteur in which all others are asked whether they believe the first."""
    match = seated(*people, game_slug="yam-menteur")
    for seed in range(50):
        found = played_on(match, Random(seed), turns=60, until=lambda state: state.claim and not state.answered)
        if state_of(found).claim:
            return found
    raise AssertionError


def test_the_claim_stands_in_the_mail_whole(ann, bob, cem, clock):
    match = announced(ann, bob, cem)
    state = state_of(match)
    Notice.objects.all().delete()
    clock.forward(HOUR)
    reader = asked(match).user
    thrower = seats_of(match)[state.thrower]
    message = only(send(), reader)
    points, tries = state.claim.points, state.tries
    assert message.subject == f"Your turn: do you believe {thrower.username}’s {points}?"
    for text in texts(message):
        assert f"{thrower.username} announced {points} in " in text
        assert f"after {'one try' if tries == 1 else f'{tries} tries'}" in text
        assert "Your row " in text
        assert "●▲■"[thrower.number] in text
        assert "left, until " in text
    assert not any(f"Your dice: {' '.join(map(str, state.dice))}" in text for text in texts(message))


def test_what_happened_is_told_from_a_whole_turn_on_with_what_it_changed(ann, bob, cem, clock):
    match = played_on(seated(ann, bob, cem, game_slug="yam-menteur"), Random(2), turns=40)
    number = next(turn.number for turn in match.log.order_by("-number") if not match.game.opens_paragraph(turn.events))
    reader = asked(match)
    match.seats.filter(pk=reader.pk).update(seen=number - 1)
    begun = max(t.number for t in match.log.filter(number__lte=number) if match.game.opens_paragraph(t.events))
    Notice.objects.all().delete()
    clock.forward(HOUR)
    told = only(send(), reader.user).body
    seats = seats_of(match)
    table = table_for(match, seats, seats[reader.number])
    for seat in seats:
        assert str(table["view"]["sheets"][seat.number]["total"]) in told
    assert "Since your last visit:" in told
    assert begun < number


def test_figures_show_the_change(ann, bob, clock):
    match = played_on(seated(ann, bob), Random(3), turns=40)
    reader = asked(match)
    match.seats.filter(pk=reader.pk).update(seen=0)
    Notice.objects.all().delete()
    clock.forward(HOUR)
    table = table_for(match, seats_of(match), seats_of(match)[reader.number])
    other = 1 - reader.number
    total = table["view"]["sheets"][other]["total"]
    for text in texts(only(send(), reader.user)):
        assert f"{'●▲'[other]} {seats_of(match)[other].username} 0 → {total}" in text


def test_a_reminder_says_what_is_left(ann, bob, clock):
    match = seated(ann, bob)
    reader, other = asked(match), next(seat for seat in seats_of(match) if seat.ask is None)
    Notice.objects.all().delete()
    clock.forward(HOUR)
    send()
    clock.forward(3 * HOUR)
    wind(reader, left=timedelta(hours=1, minutes=58), bank=timedelta(days=3))
    assert only(send(), reader.user).subject.endswith(f" left in Yum EXTRA with {other.username}")


def test_an_invitation_says_what_it_would_be(ann, bob, clock):
    opened(ann, invited=[bob], size=2, access=Match.Access.INVITATION)
    clock.forward(HOUR)
    message = only(send(), bob)
    assert message.subject == "ann invites you to Yum EXTRA"
    for text in texts(message):
        assert "3 days" in text and "casual" in text and "2 players" in text
        assert text.index("Accept") < text.index("Decline")


def test_an_end_says_the_place_and_ends_are_told_together(ann, bob, clock):
    for places in ([1, 2], [2, 1]):
        end(played_on(seated(ann, bob), Random(1), turns=4), places)
    Notice.objects.exclude(kind=Kind.ENDED).delete()
    clock.forward(HOUR)
    message = only(send(), ann)
    assert message.subject == "You won in Yum EXTRA (and 1 more match)"
    first = min(Match.objects.values_list("pk", flat=True))
    assert message.extra_headers["References"] == f"<match-{first}.member-{ann.pk}@testserver>"
    assert "1. ● you" in message.body and "1. ▲ bob" in message.body


def test_what_the_page_shows_while_one_looks_is_not_mailed(ann, bob, clock):
    match = seated(ann, bob)
    moves.resign(match_id=match.pk, user=bob)
    assert Notice.objects.filter(user=ann, kind=Kind.ENDED).exists()
    moves.mark_seen(match_id=match.pk, user_id=ann.pk)
    clock.forward(HOUR)
    assert send() == []


def test_nobody_who_looked_at_the_page_is_told_that_it_started(ann, bob, clock):
    match = opened(ann, size=2)
    opening.join(match_id=match.pk, user=bob)
    moves.mark_seen(match_id=match.pk, user_id=ann.pk)
    assert not Notice.objects.filter(user=ann, kind=Kind.STARTED).exists()


def test_of_several_matches_the_subject_tells_the_first(ann, bob, cem, clock):
    for other in (bob, cem):
        match = seated(ann, other)
        match.seats.update(ask=None, asked_at=None)
        match.seats.filter(user=ann).update(ask=5, asked_at=site_clock.now())
        played = fresh(match)
        assert played.seats.get(user=ann).ask == 5
    Notice.objects.all().delete()
    clock.forward(HOUR)
    message = only(send(), ann)
    assert message.subject.endswith("(and 1 more match)")
    assert message.extra_headers["References"].count("<match-") == 1


def test_in_french(ann, bob, cem, clock):
    match = announced(ann, bob, cem)
    Notice.objects.all().delete()
    clock.forward(HOUR)
    reader = asked(match).user
    prefer(reader, language="fr")
    message = only(send(), reader)
    assert " annonce 50, y croyez-vous" in message.subject
    assert "a annoncé" in message.body


def test_who_was_mentioned_is_told_by_whom(ann, bob, clock):
    match = seated(ann, bob)
    note(match, Kind.PLAYED, [ann.pk], ask=3)
    Notice.objects.exclude(kind=Kind.PLAYED).delete()
    match.seats.update(ask=None, asked_at=None)
    clock.forward(HOUR)
    assert only(send(), ann).subject.startswith("Yum EXTRA with bob · Your time ran out")
