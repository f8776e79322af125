"""What is written in the instant in which somebody closes their account, who is called, muted, or writes it."""

import pytest

from accounts.models import User
from accounts.services import closing
from games.models import ChatLine, Kind, Muted, Notice, Seat
from games.queries.play import seats_of
from games.services.chat import lines
from games.services.refusals import Invalid
from tests.factories import seated
from tests.games.play.at_once import meanwhile

pytestmark = [pytest.mark.outgrown, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def match(ann, bob):
    return seated(ann, bob)


def test_who_is_called_is_gone(match, ann, bob):
    """The line was lost with an error."""
    User.objects.filter(pk=bob.pk).update(chat_mails=True)
    seats = seats_of(match)
    with meanwhile(lambda: closing.close_account(user_id=bob.pk)):
        lines.say(match=match, seats=seats, user=ann, text="@bob well rolled")
    assert ChatLine.objects.get().text == "@bob well rolled"
    assert not Notice.objects.filter(kind__in=(Kind.MENTIONED, Kind.SAID)).exists()


def test_who_is_muted_is_gone(match, ann, bob):
    line = lines.say(match=match, seats=seats_of(match), user=bob, text="hello")
    with meanwhile(lambda: closing.close_account(user_id=bob.pk)), pytest.raises(Invalid):
        lines.mute(user=ann, line=line, wish=True)
    assert not Muted.objects.exists()


def test_who_writes_while_they_close_their_account_holds_up_nobody(match, bob):
    """Each waited for the other: the line for the account, and the account for the seat."""

    def lock() -> None:
        User.objects.select_for_update().get(pk=bob.pk)

    with meanwhile(lock, lambda: Seat.objects.filter(user=bob).update(notes="")):
        lines.say(match=match, seats=seats_of(match), user=bob, text="hello")
    seats = seats_of(match)
    with meanwhile(lambda: closing.close_account(user_id=bob.pk)), pytest.raises(User.DoesNotExist):
        lines.say(match=match, seats=seats, user=bob, text="bye")
    assert list(ChatLine.objects.values_list("text", "user")) == []
