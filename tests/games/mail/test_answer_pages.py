"""What the page behind a mail's button says of the match, of what an answer brings, and to whom."""

import pytest
from django.test import Client

from accounts.models import User
from games.models import Match
from games.services.mail import answering
from tests.factories import asked, browser_of, opened, submit
from tests.games.mail.test_answers import links, page_of
from tests.games.mail.test_telling import announced, only
from tests.mailing import HOUR, prefer, send

pytestmark = pytest.mark.usefixtures("clock")


@pytest.fixture
def match(ann, bob, cem) -> Match:
    return announced(ann, bob, cem)


@pytest.fixture
def reader(match) -> User:
    return asked(match).user


@pytest.fixture
def message(reader, clock):
    clock.forward(HOUR)
    return only(send(), reader)


def test_another_member_reads_it_in_their_own_language(message, reader, eve):
    prefer(eve, language="fr")
    answer = browser_of(eve, headers={"accept-language": "fr"}).get(links(message)[0])
    assert "Ce lien est à quelqu’un d’autre" in answer.content.decode()
    assert answer.headers["Content-Language"] == "fr"


def test_a_spent_link_tells_of_which_match(message, match, reader):
    address = links(message)[0]
    Client().post(address)
    page = page_of(address)
    assert "Your answer has arrived" in page and "YAM menteur" in page
    assert all(seat.user.username in page for seat in match.seats.exclude(user=reader))
    match.seats.filter(user=reader).update(user=None)  # who has left hears no more of who sits there
    page = page_of(address)
    assert not any(seat.user.username in page for seat in match.seats.exclude(user=None))


def test_the_key_of_a_link_that_another_has_used_spends_nothing(message, match, reader):
    """It can be reckoned by whoever knows the question: with it another player would keep this one from answering."""
    address = links(message)[0]
    link = answering.read(address.split("/")[3])
    other = match.seats.filter(ask__isnull=False).exclude(user=reader).get()
    submit(match, other, {"type": "answer", "doubt": False}, key=link.key)
    assert answering.standing_of(link).state == "open"
    assert "Your answer has arrived" in page_of(address, method="post")
    assert answering.standing_of(link).state == "given"


@pytest.mark.parametrize(("size", "brings"), [(2, "and the match starts"), (3, "when the last seat is taken")])
def test_what_accepting_an_invitation_brings(ann, bob, clock, size, brings):
    opened(ann, size=size, access="invitation", invited=[bob])
    clock.forward(600)
    (invitation,) = [one for one in send() if one.to == [bob.email]]
    accept, decline = links(invitation)
    assert brings in invitation.body and brings in page_of(accept)
    assert "Those at the table are told." in page_of(decline)
    assert "ann invites you" in page_of(accept)
    assert "Accept or decline" not in invitation.alternatives[0][0]
