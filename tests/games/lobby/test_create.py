"""Opening a table: what the game does not allow is refused; a full one starts at once."""

import pytest
from django.contrib.auth.models import AnonymousUser

from accounts.models import User
from games.engine import UnknownRules
from games.models import Invitation, Match
from games.queries import play
from games.services.lobby import closing, opening
from games.services.refusals import GuestsCannot, Invalid, TooManyTables
from tests.factories import opened, state_of


@pytest.mark.parametrize(
    "wishes",
    [
        {"size": 1},
        {"size": 5},
        {"size": 2, "bots": ["easy", "easy"]},
        {"size": 3, "bots": ["genius"]},
        {"size": 2, "options": {"scratch": "never"}},
        {"size": 2, "options": {"colour": "red"}},
    ],
)
def test_what_the_game_does_not_allow_is_refused(ann, wishes):
    with pytest.raises(Invalid) as refused:
        opened(ann, **wishes)
    assert str(refused.value).endswith(".")
    assert not Match.objects.exists()


def test_an_unknown_game(ann):
    with pytest.raises(UnknownRules):
        opening.create_match(creator=ann, game_slug="chess", size=2)


def test_a_guest_opens_no_table_for_people(gus):
    with pytest.raises(GuestsCannot):
        opened(gus, size=3, bots=["easy"])
    assert not Match.objects.exists()


def test_too_many_open_tables(ann):
    for _ in range(closing.MOST_OPEN):
        opened(ann)
    with pytest.raises(TooManyTables):
        opened(ann)
    assert Match.objects.count() == closing.MOST_OPEN


@pytest.mark.outgrown
def test_who_has_no_confirmed_address_has_few_open_tables_and_below_all_others(ann, bob):
    """Sixty accounts an hour, of no mailbox, opened 1,200 tables; nobody found any other."""
    table = opened(ann)
    User.objects.filter(pk=bob.pk).update(email="")
    troll = User.objects.get(pk=bob.pk)
    for _ in range(closing.MOST_OPEN_UNPROVEN):
        opened(troll)
    with pytest.raises(TooManyTables, match="Confirm your e-mail address"):
        opened(troll)
    assert opened(troll, size=2, bots=["easy"]).status == Match.Status.RUNNING
    for person in (ann, troll, AnonymousUser()):
        shown = list(play.open_tables(person))
        assert [match.creator for match in shown] == [ann, troll, troll]
        assert shown[0] == table and shown[1].pk > shown[2].pk


def test_many_open_tables_do_not_keep_one_from_playing_bots(ann):
    for _ in range(closing.MOST_OPEN):
        opened(ann)
    assert opened(ann, size=2, bots=["easy"]).status == Match.Status.RUNNING


def test_an_open_table(ann):
    match = opened(ann, size=4, bots=["easy", "strong"], options={"scratch": "free"}, nonce="mine")
    seats = list(match.seats.all())
    assert [(s.number, s.user, s.bot) for s in seats] == [
        (0, ann, ""),
        (1, None, ""),
        (2, None, "easy"),
        (3, None, "strong"),
    ]
    assert seats[0].nonce == "mine"
    assert (match.status, match.creator, match.options) == ("open", ann, {"scratch": "free"})
    assert match.state is None
    assert all(s.ask is None for s in seats)


def test_the_options_left_out_are_the_defaults(ann):
    assert opened(ann).options == {"scratch": "forced"}


def test_a_full_table_starts_at_once(ann):
    match = Match.objects.get(pk=opened(ann, size=3, bots=["easy", "strong"]).pk)
    assert match.status == Match.Status.RUNNING
    assert match.started_at
    state = state_of(match)
    assert match.setup_draws == [[state.starter + 1]]
    assert [s.ask for s in match.seats.all()] == [1 if n == state.starter else None for n in range(3)]


def test_a_guest_plays_bots(gus):
    assert opened(gus, size=4, bots=["easy", "strong", "easy"]).status == Match.Status.RUNNING


def test_those_invited_are_asked_once(ann, bob, gus):
    match = opened(ann, access=Match.Access.INVITATION, invited=[bob, bob, ann, gus])
    assert list(Invitation.objects.values_list("match", "user")) == [(match.pk, bob.pk)]


def test_each_match_has_a_seed_and_a_token_of_its_own(ann):
    one, other = opened(ann), opened(ann)
    assert bytes(one.server_seed) != bytes(other.server_seed)
    assert one.token != other.token
    assert len(one.server_seed) == 32


def test_who_sends_no_nonce_has_no_part_in_the_dice(ann):
    """One that the site drew would let it choose, once it knows those of the others."""
    assert opened(ann).seats.get(number=0).nonce == ""
