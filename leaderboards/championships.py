"""The championship of each game and season: announced a month ahead, for the best of the season's board.

Everything is found by query and done once, however often the task comes (spec: tournaments.md, Championships).
"""

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

import structlog
from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from accounts.models import User
from config.lib import clock
from games.competitions import queries as tournaments
from games.competitions.models import Tournament
from games.competitions.pairing import standings
from games.competitions.services import notices
from games.competitions.services.announcing import announce_by_site
from games.competitions.services.refusals import NotWelcome
from games.forms.options import fewest, usual_options
from games.rules import games, get_game
from games.services.mail import news
from leaderboards.models import Championship, Medal, Qualified, Standing
from leaderboards.queries import champions
from leaderboards.season_names import lazy_words
from leaderboards.seasons import before, end_of, season_of

log = structlog.get_logger(__name__)
AHEAD = timedelta(days=31)  # of the season's end, when it is announced
SIGN_UP = timedelta(days=8)  # after the season's end, until it begins
BEST = 16  # of the season's board
LEAST = 4  # who must have signed up
LEAST_MATCHES = 5  # rated ones in the season
WINNERS_OF = 4  # championships before: their winners are qualified, and seeded first
ROUND = timedelta(days=28)
FIRST_SEED = 9999
BATCH = 100


def tend() -> None:
    """Announce, qualify and award what is due."""
    announce_due()
    qualify_due()
    award_due()
    tell_qualified()


def announce_due() -> None:
    """Announce the championships of the present season from a month before its end on."""
    season = season_of(clock.now())
    if clock.now() < end_of(season) - AHEAD:
        return
    there = set(Championship.objects.filter(season=season).values_list("game_slug", flat=True))
    for slug in games():
        if slug not in there:
            _announce(slug, season)


def _announce(slug: str, season: str) -> None:
    game = get_game(slug)
    options = usual_options(game)
    size = fewest(game)
    if game.is_cooperative(game.full_options(size, options)) or game.is_live(game.full_options(size, options)):
        return
    try:
        with transaction.atomic():
            tournament = announce_by_site(
                name=name_of(slug, season),
                game_slug=slug,
                options=options,
                format=Tournament.Format.KNOCKOUT,
                seats=size,
                advance=max(1, size // 2),
                pace_slug="3d",
                least=max(LEAST, size),
                most=BEST + WINNERS_OF,
                begins_at=end_of(season) + SIGN_UP,
                round_limit=ROUND // timedelta(minutes=1),
            )
            Championship.objects.create(game_slug=slug, season=season, tournament=tournament)
    except IntegrityError:
        log.info("championship announced by another", game=slug, season=season)


def name_of(slug: str, season: str) -> str:
    """Return the name of a championship's tournament: it is stored, so it reads alike in all languages."""
    return f"Grand Prix: {get_game(slug).name}, {season}"


def qualify_due() -> None:
    """Note who is qualified, once a season is over."""
    for championship in Championship.objects.filter(qualified_at=None):
        if end_of(championship.season) <= clock.now():
            _qualify(championship.pk)


def _qualify(championship_id: int) -> None:
    with transaction.atomic():
        championship = Championship.objects.select_for_update(no_key=True).get(pk=championship_id)
        if championship.qualified_at is not None:
            return
        winners = former_winners(championship)
        board = Standing.objects.filter(game_slug=championship.game_slug, season=championship.season)
        board = board.filter(matches__gte=LEAST_MATCHES, user__is_active=True, user__is_guest=False, user__owner=None)
        best = board.exclude(user__in=winners).order_by("-rating", "user")[:BEST].values_list("user", flat=True)
        people = [(member, True) for member in winners] + [(member, False) for member in best]
        Qualified.objects.bulk_create(
            Qualified(championship=championship, user_id=member, seed=seed, is_former_winner=is_winner)
            for seed, (member, is_winner) in enumerate(people, 1)
        )
        championship.qualified_at = clock.now()
        championship.save(update_fields=["qualified_at"])


def former_winners(championship: Championship) -> list[int]:
    """Return who won this game's last championships, the latest first, each once."""
    season, found = championship.season, []
    for _before in range(WINNERS_OF):
        season = before(season)
        found += champions(championship.game_slug, season)
    return list(dict.fromkeys(found))


def check_qualified(tournament: Tournament, user: User) -> None:
    """Raise NotWelcome for who is not qualified for a championship; a hook of games (ON_ENTERING)."""
    championship = Championship.objects.filter(tournament=tournament).first()
    if championship is None:
        return
    if championship.qualified_at is None:
        raise NotWelcome(_("Who may take part is settled when the season ends: its best %(best)d.") % {"best": BEST})
    if not Qualified.objects.filter(championship=championship, user=user).exists():
        raise NotWelcome(_("This championship is for the best %(best)d of its season.") % {"best": BEST})


def seeds_of(tournament: Tournament, members: Sequence[int]) -> dict[int, int]:
    """Return the strengths by which a championship's seeds play late against each other; a hook of games (SEEDS)."""
    rows = Qualified.objects.filter(championship__tournament=tournament, user__in=members)
    return {member: FIRST_SEED - seed for member, seed in rows.values_list("user", "seed")}


def award_due() -> None:
    """Give the medals of championships that are over; a cancelled one has none."""
    ended = (Tournament.State.OVER, Tournament.State.CANCELLED)
    for championship in Championship.objects.filter(awarded_at=None, tournament__state__in=ended):
        with transaction.atomic():
            one = Championship.objects.select_for_update(no_key=True).get(pk=championship.pk)
            if one.awarded_at is None:
                _award(one, championship.tournament)


def _award(championship: Championship, tournament: Tournament) -> None:
    if tournament.state == Tournament.State.OVER:
        lines = standings(
            tournaments.plan_of(tournament), tournaments.everybody(tournament), tournaments.results_of(tournament)
        )
        people = {entrant.number: entrant.user_id for entrant in tournaments.entrants(tournament)}
        Medal.objects.bulk_create(
            Medal(championship=championship, place=line.place, user_id=people[line.number]) for line in lines[:3]
        )
    championship.awarded_at = clock.now()
    championship.save(update_fields=["awarded_at"])


def tell_qualified() -> None:
    """Write to those who are qualified, each once."""
    for row_id in list(Qualified.objects.filter(to_tell=True).order_by("pk").values_list("pk", flat=True)[:BATCH]):
        with transaction.atomic():
            rows = Qualified.objects.select_for_update(skip_locked=True, of=("self",), no_key=True)
            row = rows.select_related("championship__tournament", "user").filter(pk=row_id, to_tell=True).first()
            if row is None:
                continue
            row.to_tell = False
            row.save(update_fields=["to_tell"])
            if news.is_wanted(row.user, notices.TOPIC):
                notices.write(row.user, "leaderboards/mail/qualified", row.championship.tournament, _facts(row))


def _facts(row: Qualified) -> dict[str, Any]:
    """Return what the mail says: for what, as what, and until when one signs up."""
    championship = row.championship
    return {
        "qualified": row,
        "game": get_game(championship.game_slug).name,
        "season": lazy_words(championship.season),
        "until": championship.tournament.begins_at,
    }
