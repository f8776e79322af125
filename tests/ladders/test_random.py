"""Random deeds on one ladder (`make proof`: 2 000): its places are 1 to n, and nobody has more than they said."""

from datetime import timedelta
from random import Random

import pytest
from django.db import connection

from accounts.services.closing import close_account
from accounts.services.relationships import block
from config.lib import clock as present
from games.ladders import queries, tasks
from games.ladders.models import Challenge, Climber
from games.ladders.services import challenging, places, results, standing
from games.models import Match
from games.services.refusals import Refused
from tests import FULL
from tests.ladders.arranged import GAME, end_match, joined, ladder, now, outage, people

DEEDS = 2_000 if FULL else 300
ON_POSTGRESQL = 400 if FULL else 60  # where the same statements are asked, and each takes longer
SEED = 20261130
STATE = Challenge.State


class Crowd:
    """Members who do whatever occurs to them on one ladder."""

    def __init__(self, rng: Random, hours) -> None:
        self.rng, self.hours, self.members = rng, hours, people(14)
        self.ladder = joined(self.members[:9], at_once=2)
        self.done: dict[str, int] = {}

    def act(self) -> None:
        kinds = [self.join, self.challenge, self.accept, self.decline, self.withdraw, self.pause, self.resume]
        kinds += [self.challenge, self.accept, self.end, self.end, self.end, self.leave, self.pass_time, self.rare]
        kinds += [self.change]
        deed = self.rng.choice(kinds)
        self.hours.beat()
        try:
            deed()
            self.done[deed.__name__] = self.done.get(deed.__name__, 0) + 1
        except Refused:
            pass
        if self.rng.random() < 0.4:
            tasks.tend()

    def someone(self):
        return self.rng.choice(self.members)

    def join(self) -> None:
        standing.join(game_slug=GAME, user=self.someone(), at_once=self.rng.randint(1, 3))

    def change(self) -> None:
        standing.change_at_once(ladder_id=self.ladder.pk, user=self.someone(), at_once=self.rng.randint(2, 3))

    def challenge(self) -> None:
        user = self.someone()
        me = queries.climber_of(self.ladder, user)
        if me is None or me.place is None:
            return
        above = Climber.objects.filter(ladder=self.ladder, place__lt=me.place).order_by("-place")[:6]
        if above:
            chosen = self.rng.choice(list(above))
            challenging.challenge(ladder_id=self.ladder.pk, user=user, climber_id=chosen.pk)

    def _one(self, *states: str) -> Challenge | None:
        rows = Challenge.objects.filter(state__in=states).select_related("challenger__user", "challenged__user")
        found = [one for one in rows if one.challenger.user and one.challenged.user]
        return self.rng.choice(found) if found else None

    def accept(self) -> None:
        if one := self._one(STATE.OPEN):
            challenging.accept(challenge_id=one.pk, user=one.challenged.user)

    def decline(self) -> None:
        if one := self._one(STATE.OPEN):
            challenging.decline(challenge_id=one.pk, user=one.challenged.user, free=self.rng.random() < 0.5)

    def withdraw(self) -> None:
        if one := self._one(STATE.OPEN):
            challenging.withdraw(challenge_id=one.pk, user=one.challenger.user)

    def end(self) -> None:
        if (one := self._one(STATE.RUNNING)) and now(one).match.status == Match.Status.RUNNING:
            end_match(one, won=self.rng.choice([True, True, False, None]))

    def pause(self) -> None:
        standing.pause(ladder_id=self.ladder.pk, user=self.someone(), days=self.rng.randint(1, 30))

    def resume(self) -> None:
        standing.resume(ladder_id=self.ladder.pk, user=self.someone())

    def leave(self) -> None:
        if self.rng.random() < 0.3:
            standing.leave(ladder_id=self.ladder.pk, user=self.someone())

    def pass_time(self) -> None:
        self.hours.go_by(hours=self.rng.choice([1, 12, 40, 200]))
        tasks.tend()

    def rare(self) -> None:
        chance = self.rng.random()
        if chance < 0.3:
            outage(present.now() - timedelta(hours=3), timedelta(hours=self.rng.randint(1, 3)))
        elif chance < 0.6 and (one := self._one(STATE.WON, STATE.HELD)):
            results.match_voided(now(one).match)
        elif chance < 0.65 and len(self.members) > 9:
            gone = self.members.pop(self.rng.randrange(len(self.members)))
            close_account(user_id=gone.pk)
        elif chance < 0.7:
            one, other = self.rng.sample(self.members, 2)
            block(blocker=one, blocked=other)


def wrongs() -> list[str]:
    """Return where the ladder breaks its word."""
    found = places.problems(ladder())
    rows = list(Climber.objects.filter(place__isnull=False))
    busy = queries.under_way([row.pk for row in rows])
    found += [f"{row} has {busy[row.pk]} at once" for row in rows if busy[row.pk] > 3]
    pairs = [
        frozenset(pair)
        for pair in Challenge.objects.filter(state__in=queries.UNDER_WAY).values_list("challenger", "challenged")
    ]
    if len(pairs) != len(set(pairs)):
        found.append("two play each other twice")
    return found


@pytest.mark.thin(0)
@pytest.mark.outgrown
def test_random_deeds_leave_a_whole_ladder(hours):
    print(f"seed {SEED}")
    crowd = Crowd(Random(SEED), hours)
    for deed in range(DEEDS if connection.vendor == "sqlite" else ON_POSTGRESQL):
        crowd.act()
        assert wrongs() == [], deed
    for _run in range(3):
        hours.beat()
        tasks.tend()
        assert wrongs() == []
    print(crowd.done, ladder().changes.count())
    assert len(crowd.done) >= 10 and ladder().trouble == ""
    if connection.vendor == "postgresql" or not FULL:
        return
    kinds = set(ladder().changes.values_list("kind", flat=True))
    assert kinds >= {"joined", "left", "won", "yielded", "lapsed", "fell"}
    assert not Challenge.objects.filter(state__in=(STATE.WON, STATE.HELD, STATE.VOID), settled_at=None).exists()


def test_a_ladder_that_is_not_whole_is_found(ann, bob, cem):
    joined([ann, bob, cem])
    Climber.objects.filter(user=bob).update(place=7)
    assert places.problems(ladder()) == ["place 3, expected 2", "place 7, expected 3"]
    Climber.objects.filter(user=bob).update(place=2, left_at=present.now())
    Climber.objects.filter(user=cem).update(place=None)
    assert len(places.problems(ladder())) == 2
