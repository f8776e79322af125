"""What the pictures of members' pages show: ratings that moved, people one follows, counted dice."""

from datetime import timedelta
from random import Random

from accounts.models import User
from accounts.services import relationships
from config.lib import clock
from games.models import Match, Muted, Seat, Turn
from games.services.play import dice_counts
from leaderboards.models import RatingChange, Settlement, Standing
from leaderboards.seasons import ALL_TIME, season_of


def stage_people(ana: User, others: list[User], rng: Random) -> None:
    """Give Ana bonds with the others, and the matches hours between their moves."""
    for followed in others[:3]:
        relationships.follow(follower=ana, followed=followed)
    relationships.block(blocker=ana, blocked=User.objects.get(username="Kofi"))  # who sits at none of her tables
    for muted in others[1:3]:
        Muted.objects.create(user=ana, person=muted)
    for member in others:
        User.objects.filter(pk=member.pk).update(date_joined=clock.now() - timedelta(days=rng.randint(90, 700)))
    _slow_down(rng)
    dice_counts.count_matches()


def past(member: User, game_slug: str, matches: int, start: int, rng: Random) -> None:
    """Write down rating changes, the last of which is where the member stands."""
    now, before = clock.now(), start * 100
    for number in range(matches):
        at = now - timedelta(days=3 * (matches - number))
        match = Match.objects.create(
            game_slug=game_slug, rules_version=1, size=2, status="ended", ending="closed", ended_at=at
        )
        settlement = Settlement.objects.create(match=match, game_slug=game_slug, season=season_of(at), at=at)
        delta = rng.randint(-1400, 1700)
        RatingChange.objects.create(
            settlement=settlement,
            seat=0,
            user=member,
            player=member.pk,
            rank=1 if delta > 0 else 2,
            matches=number,
            before=before,
            delta=delta,
            after=before + delta,
        )
        before += delta
    Standing.objects.update_or_create(
        user=member,
        game_slug=game_slug,
        season=ALL_TIME,
        defaults={"rating": before, "matches": matches, "wins": matches // 3, "last_active": now},
    )


def _slow_down(rng: Random) -> None:
    """Let minutes or hours pass between the moves of the matches, as they do by correspondence."""
    for match in Match.objects.filter(turns__gt=0):
        at = clock.now_ms()
        turns = list(match.log.order_by("-number"))
        for turn in turns:
            turn.at = at
            at -= rng.randint(60_000, 9 * 3_600_000)
        Turn.objects.bulk_update(turns, ["at"])
        started = clock.now() - timedelta(milliseconds=clock.now_ms() - at)
        Match.objects.filter(pk=match.pk).update(started_at=started)
    Seat.objects.filter(match__turns__gt=0, number=1, match__status="ended").update(run_outs=1)
