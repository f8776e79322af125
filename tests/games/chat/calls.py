"""What the tests of mentions share: who says what, and what keeps a call from its reader."""

from accounts.services import relationships
from accounts.services.closing import close_account
from games.models import ChatLine, Muted
from games.queries.play import seats_of
from games.services.chat import lines, mentions
from tests.factories import browser_of


def say(match, user, text="@bob look at that") -> ChatLine:
    return lines.say(match=match, seats=seats_of(match), user=user, text=text)


def called(user) -> list[tuple[int, str]]:
    """Return what the home page tells: the match, and by whom."""
    return [(call.match_id, call.name) for call in mentions.unread(user, 9)]


def home(user) -> str:
    return browser_of(user).get("/").content.decode()


def read(match, user, last=10**30) -> None:
    mentions.mark_read(user_id=user.pk, match_id=match.pk, last=last)


def mute(match, ann, bob):
    Muted.objects.create(user=bob, person=ann)


def block(match, ann, bob):
    relationships.block(blocker=bob, blocked=ann)


def be_blocked(match, ann, bob):
    relationships.block(blocker=ann, blocked=bob)


def hide(match, ann, bob):
    ChatLine.objects.update(hidden=True)


def close_the_writers_account(match, ann, bob):
    close_account(user_id=ann.pk)


REFUSALS = [mute, block, be_blocked, hide, close_the_writers_account]
