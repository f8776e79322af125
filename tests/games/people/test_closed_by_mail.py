"""Whoever answers from a mail, without log-in, in the instant in which their account is closed is told in words."""

import pytest
from django.test import Client

from accounts.models import User
from accounts.services.closing import close_account
from games.models import Invitation
from games.queries.play import seats_of
from games.services.mail import answering, unsubscribing
from tests.factories import asked, opened, seat, seated

pytestmark = [pytest.mark.outgrown, pytest.mark.django_db(transaction=True)]


def close_after(monkeypatch, owner, name, user) -> None:
    """Close that account at the moment at which the service of this name has answered."""
    real = getattr(owner, name)

    def and_close(*args, **kwargs):
        found = real(*args, **kwargs)
        if User.objects.filter(pk=user.pk).exists():
            close_account(user_id=user.pk)
        return found

    monkeypatch.setattr(owner, name, and_close)


@pytest.mark.parametrize("act", [answering.JOIN, answering.DECLINE])
def test_an_invitation(ann, bob, monkeypatch, act):
    table = opened(ann, invited=[bob])
    token = answering.token_of(bob, 0, table.pk, act, seat=None)
    close_after(monkeypatch, answering, "standing_of", bob)
    answer = Client(raise_request_exception=False).post(f"/mails/answer/{token}/")
    assert answer.status_code < 500
    assert seat(table, 1).is_free
    assert not Invitation.objects.exists()


@pytest.mark.parametrize("act", [answering.MOVE, answering.DAY])
def test_a_question(ann, bob, monkeypatch, act):
    match = seated(ann, bob)
    mover = asked(match)
    move = {"type": "roll"} if act == answering.MOVE else None
    token = answering.token_of(mover.user, 0, match.pk, act, seat=mover, move=move)
    close_after(monkeypatch, answering, "standing_of", mover.user)
    answer = Client(raise_request_exception=False).post(f"/mails/answer/{token}/")
    assert answer.status_code < 500
    assert all(seat.user_id != mover.user_id for seat in seats_of(match))


def test_turning_mails_off(ann, monkeypatch):
    token = unsubscribing.token(ann.pk, ["turn"])
    close_after(monkeypatch, unsubscribing, "read", ann)
    assert Client(raise_request_exception=False).post(f"/mails/off/{token}/").status_code < 500
