"""What a hostile site has of club matches, circles of friends, ladders, tokens, bots, webhooks and devices."""

from collections.abc import Sequence
from datetime import timedelta
from itertools import cycle

from accounts.models import User
from config.lib import clock as site_clock
from games.api.models import ApiToken
from games.api.services import tokens
from games.clubs.models import Board, BoardSeat, Circle, CircleMember, CircleTable, Encounter, Lineup
from games.competitions.models import Tournament
from games.ladders.models import Challenge, Change, Climber, Ladder
from games.models import Audit, Club, Device, Match, Membership, Webhook, WebhookCall
from games.services.webhooks import keeping
from tests.factories import seated
from tests.hostile import TEXTS, fitting

GAME = {"game_slug": "yum-extra", "pace_slug": "3d"}
TROUBLE = 200  # characters kept of an error, which may say what somebody had sent


def troubled(text: str) -> dict[str, object]:
    """Return what a row says that a sweep has set aside."""
    return {"troubled_at": site_clock.now(), "trouble": fitting(text, TROUBLE)}


def groups_kept(ann: User, kim: User, crowd: Sequence[User], known: dict[str, int]) -> dict[str, int]:
    """Keep all of it, beside the club, tournament and matches that there are; return the numbers of the new."""
    for text, one in zip(TEXTS, Tournament.objects.exclude(pk=known["contest"]), strict=False):
        Tournament.objects.filter(pk=one.pk).update(**troubled(text))
    keep_ladder(ann, crowd)
    keep_programs(kim, crowd)
    keep_devices(ann)
    return (
        keep_encounters(ann, crowd, known["club"])
        | keep_circles(ann, crowd, known)
        | keep_webhooks(ann, kim, known)
        | {"bot": kim.bots.order_by("pk")[0].pk, "token": kim.api_tokens.order_by("pk")[0].pk}
    )


def keep_encounters(ann: User, crowd: Sequence[User], club: int) -> dict[str, int]:
    """Challenges of Ann's club by clubs with hostile names, in every state; one with everybody in its line-ups."""
    rivals = list(Club.objects.exclude(pk=club).order_by("pk"))
    now, states = site_clock.now(), cycle(Encounter.State.values)
    usual = GAME | {"challenged_id": club, "public": True, "most_tables": 40, "answer_by": now + timedelta(days=3)}
    usual |= {"begins_at": now + timedelta(days=9), "challenged_name": fitting(TEXTS[3], 40)}
    made = Encounter.objects.bulk_create(
        Encounter(
            **usual, challenger=rival, challenger_name=fitting(text, 40), words=fitting(text, 500), made_by=person,
            state=state, first=0, **(troubled(text) if number % 3 == 0 else {}),
        )
        for number, (rival, text, person, state) in enumerate(zip(rivals, TEXTS, crowd, states, strict=False))
    )  # fmt: skip
    found = {state: next(one for one in made if one.state == state) for state in Encounter.State.values}
    lined, running = found["accepted"], found["running"]
    Membership.objects.filter(club=club, user__in=crowd).update(state="in")
    Membership.objects.bulk_create(
        Membership(club_id=one.challenger_id, user=person) for one in (lined, running) for person in crowd[1::2]
    )
    lines = Lineup.objects.bulk_create(
        Lineup(encounter=one, user=person, side=1 - number % 2, plays=True)
        for one in (lined, running)
        for number, person in enumerate(crowd)
    )
    match = seated(ann, crowd[9])
    Match.objects.filter(pk=match.pk).update(creator=None, access=Match.Access.OPEN)
    players = lines[len(crowd) :]
    boards = Board.objects.bulk_create(
        Board(encounter=running, number=number, state="over" if number else "running", match=None if number else match)
        for number in range(len(players) // 2)
    )
    BoardSeat.objects.bulk_create(
        BoardSeat(board=boards[number // 2], player=player, seat=number % 2, rank=number % 2 + 1, score=7)
        for number, player in enumerate(players)
    )
    return {"of_clubs": match.pk, "rival": found["declined"].challenger_id} | {
        state: one.pk for state, one in found.items()
    }


def keep_circles(ann: User, crowd: Sequence[User], known: dict[str, int]) -> dict[str, int]:
    """Circles with hostile names to which Ann belongs, or is asked, one of them with everybody."""
    made = Circle.objects.bulk_create(
        Circle(**GAME, name=fitting(text, 40), maker=person, size=2, **troubled(text))
        for person, text in zip(crowd, TEXTS, strict=True)
    )
    CircleMember.objects.bulk_create(
        CircleMember(circle=one, user=ann, accepted=number % 2 == 0) for number, one in enumerate(made)
    )
    CircleMember.objects.bulk_create(
        CircleMember(circle=one, user=person, accepted=number % 2 == 0)
        for number, person in enumerate(crowd)
        for one in {made[0], made[number]}
    )
    CircleTable.objects.create(circle=made[0], match_id=known["table"])
    return {"circle": made[0].pk, "asked_into": made[1].pk}


def keep_ladder(ann: User, crowd: Sequence[User]) -> None:
    """A ladder on which everybody stands, Ann below, with challenges and a history."""
    ladder, _made = Ladder.objects.get_or_create(game_slug="yum-extra")
    later = site_clock.now() + timedelta(days=3)
    climbers = Climber.objects.bulk_create(
        Climber(ladder=ladder, user=person, place=place, at_once=1, falls_at=later)
        for place, person in enumerate([*crowd[::2], ann, *crowd[1::2]], 1)
    )
    own = climbers[len(crowd) // 2]
    above, below = climbers[len(crowd) // 2 - 1], climbers[len(crowd) // 2 + 1]
    for challenger, challenged in ((own, above), (below, own)):
        Challenge.objects.create(ladder=ladder, challenger=challenger, challenged=challenged, answer_by=later)
    Change.objects.bulk_create(
        Change(ladder=ladder, kind=kind, climber=one, other=other, before=2, after=1)
        for kind, one, other in zip(cycle(Change.Kind.values), climbers, climbers[1:], strict=False)
    )


def keep_programs(kim: User, crowd: Sequence[User]) -> None:
    """Tokens and bots of Kim's that have hostile names, and the tokens of these."""
    robots = User.objects.bulk_create(
        User(username=f"robot{n}-bot", owner=kim, password="!") for n in range(len(TEXTS))
    )
    for number, (robot, text) in enumerate(zip(robots, TEXTS, strict=True)):
        User.objects.filter(pk=robot.pk).update(username=f"{fitting(text, 17).replace('/', '')}{number:03}-bot")
    seal = tokens.seal_of(kim)
    ApiToken.objects.bulk_create(
        ApiToken(user=user, name=fitting(text, 40), digest=f"{user.pk}-{number}", seal=seal, scopes=scopes)
        for number, (robot, text) in enumerate(zip(robots, TEXTS, strict=True))
        for user, scopes in ((kim, ["read"]), (robot, ["bot"]))
    )


def keep_webhooks(ann: User, kim: User, known: dict[str, int]) -> dict[str, int]:
    """Webhooks of Kim, of Ann's club and of the tournament, with hostile names and addresses; and their calls."""
    owners = {"hook": {"user": kim}, "club_hook": {"of": "club", "of_id": known["club"]}}
    owners["contest_hook"] = {"of": "tournament", "of_id": known["contest"]}
    outcomes = cycle(Webhook.Outcome.values)
    first = {}
    for key, owner in owners.items():
        hooks = Webhook.objects.bulk_create(
            Webhook(
                **owner, name=fitting(f"{number}{text}", 40), format="json", last_at=site_clock.now(), failures=3,
                last_outcome=outcome, last_status=500, **keeping.sealed(f"https://a.example/{text}", text),
            )
            for number, (text, outcome) in enumerate(zip(TEXTS, outcomes, strict=False))
        )  # fmt: skip
        WebhookCall.objects.bulk_create(WebhookCall(hook=hook, kind="test") for hook in hooks)
        first[key] = hooks[0].pk
    Audit.objects.bulk_create(
        Audit(moderator=ann, deed="hook", details=fitting(f"club 1: + {text}", 200)) for text in TEXTS
    )
    return first


def keep_devices(ann: User) -> None:
    """Devices of Ann's that have hostile names, and at which calling failed with hostile words."""
    Device.objects.bulk_create(
        Device(
            user=ann, name=fitting(text, 40), error=fitting(text, 200), endpoint=f"https://push.example/{number}",
            failed_at=site_clock.now(),
        )
        for number, text in enumerate(TEXTS)
    )  # fmt: skip
