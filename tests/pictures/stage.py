"""Inside the site that is photographed: a few members, and matches at telling moments."""

import json
import secrets
from datetime import timedelta
from random import Random

from accounts.models import User
from config.lib import clock
from games.models import Match
from games.queries.play import match_row, seats_of
from games.queries.puzzles import today
from games.services.lobby import opening
from games.services.play import moves
from games.services.puzzles import making
from leaderboards.models import Standing
from leaderboards.seasons import season_of
from tests.bench.prepare import log_in
from tests.pictures.contests import stage_contests
from tests.pictures.people import past, stage_people
from tests.pictures.stage_yes import stage_yes
from tests.pictures.tables import submit, table
from tests.pictures.talk import stage_talk
from tests.pictures.yesss import yesss

SEED = 20261128


def member(name: str, language: str) -> User:
    email = f"{name}@example.org".replace("é", "e")
    return User.objects.create_user(name, email, language=language, time_zone="Europe/Paris")


def crowd(language: str, people: list[User]) -> None:
    """Give the members, and others, ratings that they might have after some months."""
    names = (
        "Amira",
        "Bastien",
        "chloe_k",
        "Dieter",
        "Esme",
        "Farid",
        "Giulia",
        "hana",
        "Ingrid",
        "Joao",
        "Kofi",
    )
    ranked = [*people, *(member(name, language) for name in names)]
    for number, person in enumerate(ranked):
        for season in ("", season_of(clock.now())):
            Standing.objects.create(
                user=person,
                game_slug="yum-extra",
                season=season,
                rating=1580_00 - number * 19_00 + number % 3 * 47_00,
                matches=70 - 5 * number,
                wins=26 - 2 * number,
                last_active=clock.now() - timedelta(days=number * 2),
            )


def play_until(match: Match, there, rng: Random) -> Match:
    """Let strong minds play all seats until the moment is there; the last seat plays easily."""
    for number in range(2000):
        match = match_row(match.pk)
        if match.status == Match.Status.ENDED:
            break
        seats = seats_of(match)
        seat = next(seat for seat in seats if seat.ask is not None)
        view = match.game.view(match.game.load(bytes(match.state or b"")), seat.number)
        if there(match, seat, view):
            break
        level = "easy" if seat.number == len(seats) - 1 else "strong"
        move = match.game.bot(level).choose(view, rng)
        submit(match, seat, move, f"k{match.turns}-{number}")
    return match


def stage_yum(ana: User, mireille: User, otto: User, rng: Random) -> dict[str, int]:
    """Matches of Yum EXTRA in which Ana begins, must write, and may use a privilege."""

    def when(least: int, more):
        return lambda match, seat, view: match.turns >= least and seat.user_id == ana.pk and more(view)

    moments = {
        "yum_first": when(0, lambda view: view["phase"] == "roll" and not view["rolls"]),
        "yum_write": when(80, lambda view: view["phase"] == "roll" and view["rolls"] == 3),
        "yum_combo": when(40, lambda view: view["phase"] == "combo" and len(view["prompt"]["moves"]) > 1),
    }
    return {name: play_until(table([ana, mireille, otto]), there, rng).pk for name, there in moments.items()}


def yam(people: list[User], rng: Random) -> dict[str, int]:
    """Return matches of YAM menteur at its telling moments, as the first of the people sees them."""
    me = people[0].pk

    def moment(turns: int, *, phase: str, tries: int = 0, mine: bool = True, revealed: bool = False):
        def there(match, seat, view) -> bool:
            shown = not revealed or (view["last"] is not None and view["last"]["revealed"])
            return (
                match.turns > turns
                and (view["phase"], view["tries"] if phase == "throw" else 0) == (phase, tries)
                and (seat.user_id == me) == mine
                and shown
            )

        return there

    four, eight = people[:4], people + [member(f"Guest{n}", people[0].language) for n in (7, 8)]
    moments = {
        "yam_throw": (four, moment(60, phase="throw")),
        "yam_announce": (four, moment(70, phase="throw", tries=2)),
        "yam_answer": (four, moment(80, phase="answer")),
        "yam_answered": (four, moment(90, phase="answer")),
        "yam_reveal": (four, moment(60, phase="throw", mine=False, revealed=True)),
        "yam_eight": (eight, moment(300, phase="answer")),
        "yam_ended": (four, lambda *now: False),
    }
    staged = {name: play_until(table(who, "yam-menteur"), there, rng).pk for name, (who, there) in moments.items()}
    orders = {"doubt": ["yam"], "believe": ["chance"], "believe_up_to": 15}
    answered = match_row(staged["yam_answered"])
    own = next(seat for seat in seats_of(answered) if seat.user_id == me)
    submit(answered, own, {"type": "answer", "doubt": True}, "answered")
    moves.give_orders(match_id=staged["yam_throw"], user=people[0], orders=orders)
    return staged


def stage_yay(ana: User, mireille: User, otto: User, priya: User, rng: Random) -> dict[str, int]:
    """Matches of YAY! in which Ana aims, decides, must cross out, watches, and has ended."""

    def when(phase: str, least: int, more=lambda view: True):
        return lambda match, seat, view: (
            match.turns > least and seat.user_id == ana.pk and view["phase"] == phase and more(view)
        )

    four, two = [ana, mireille, otto, priya], [mireille, ana]
    aim = play_until(table(four, "yay"), when("throw", 50), rng)
    decide = play_until(table(two, "yay"), when("decide", 40, lambda view: view["enterable"]), rng)
    cross = play_until(table(two, "yay"), when("decide", 60, lambda view: view["throws"][-1]["sum"] > 9), rng)
    for number in range(40):
        cross = play_until(cross, when("decide", 60, lambda view: view["throws"][-1]["sum"] > 9), rng)
        seat = next(seat for seat in seats_of(cross) if seat.ask is not None)
        throw = {"type": "throw", "x": 400, "y": 400}
        submit(cross, seat, throw, f"c{number}")
        cross = match_row(cross.pk)
        view = cross.game.view(cross.game.load(bytes(cross.state or b"")), seat.number)
        if view["phase"] == "cross":
            break
    watch = play_until(
        table(four, "yay"),
        lambda match, seat, view: match.turns > 70 and view["phase"] == "decide" and seat.user_id == otto.pk,
        rng,
    )
    short = play_until(table([ana, mireille, otto], "yay", size=6), when("throw", 12), rng)
    first = play_until(table(two, "yay"), when("throw", -1), rng)
    ended = play_until(table(four, "yay"), lambda *now: False, rng)
    return {
        "yay_aim": aim.pk,
        "yay_decide": decide.pk,
        "yay_cross": cross.pk,
        "yay_watch": watch.pk,
        "yay_short": short.pk,
        "yay_first": first.pk,
        "yay_ended": ended.pk,
    }


def stage(language: str) -> None:
    """Print, as JSON, the session of the member who looks, and the matches."""
    rng = Random(SEED)
    secrets.token_bytes = rng.randbytes  # the dice, too, fall the same each time: else a moment may never come
    ana, mireille, otto = (member(name, language) for name in ("Ana", "Mireille", "otto_b"))
    others = [member(name, language) for name in ("Priya", "Jonas-K", "le_grand_dé"[:10])]

    crowd(language, [ana, mireille, otto])
    past(otto, "yum-extra", 61, 1500, rng)
    past(otto, "yam-menteur", 8, 1500, rng)

    def second_roll(match, seat, view) -> bool:
        return match.turns > 70 and seat.user_id == ana.pk and view["phase"] == "roll" and view["rolls"] == 1

    def others_turn(match, seat, view) -> bool:
        return match.turns > 50 and seat.user_id == otto.pk and view["phase"] == "roll" and view["rolls"] == 2

    move = play_until(table([ana, mireille, otto]), second_roll, rng)
    waiting = play_until(table([mireille, ana, otto]), others_turn, rng)
    ended = play_until(table([ana, mireille, otto]), lambda *now: False, rng)
    for seat in seats_of(move):
        if seat.user_id == ana.pk:
            seat.seen = move.turns - 7
            seat.save(update_fields=["seen"])
    tables = [
        opening.create_match(creator=person, game_slug="yum-extra", size=size)
        for person, size in zip(others, (4, 2, 3), strict=True)
    ]
    opening.join(match_id=tables[0].pk, user=mireille)
    opening.join(match_id=tables[0].pk, user=otto)
    yay = stage_yay(ana, mireille, otto, others[0], rng)
    yam_matches = yam([ana, mireille, otto, *others], rng)
    making.make(today())
    stage_people(ana, [otto, mireille, *others], rng)
    print(
        json.dumps(
            {
                "session": log_in(ana),
                "move": move.pk,
                "waiting": waiting.pk,
                "ended": ended.pk,
                "table": tables[0].pk,
                **yam_matches,
                **yay,
                **stage_talk(language, move, ana, mireille, otto),
                **yesss([ana, mireille, otto, *others], language, rng),
                **stage_yes([ana, mireille, otto, *others], rng),
                **stage_yum(ana, mireille, otto, rng),
                **stage_contests(ana, [otto, mireille, *others], language, rng),
            }
        )
    )
