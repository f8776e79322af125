"""What somebody sees of a match, and whether it changes with what they may not know."""

import json
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from itertools import zip_longest
from random import Random
from typing import Any

from django.core.cache import cache
from django.db import transaction
from django.db.models import F
from django.urls import reverse

from accounts.models import User
from config.lib import clock
from games.models import Kind, Mail, Match, Notice, Seat
from games.queries.play import seats_of
from games.queries.turns import all_turns
from games.record import record_of
from games.rules import get_game
from games.services.mail.composing import compose
from games.table import headline, seat_of_viewer, table_for
from tests import FULL
from tests.api.calling import Program
from tests.factories import browser_of, fresh, played_on, seated, state_of
from tests.rules.secrets import TURN_VARIANTS, VARIANTS

PAGES = ("match", "table", "log", "record")
ELSEWHERE = ("embed", "table-svg")  # the PNG is drawn of the SVG; they are the same for everybody
LISTS = ("/", "/play/", "/play/?fragment=1", "/matches/")


@dataclass
class Viewer:
    """Somebody who looks at a match; `person` is None for a visitor."""

    name: str
    person: User | None

    def seat(self, match: Match):
        return seat_of_viewer(seats_of(match), self.person.pk if self.person else None)


def sights(match: Match, viewer: Viewer, *, lists: bool = FULL, brief: bool = False) -> dict[str, bytes]:
    """Everything that the site shows this person of the match, by name; with or without the lists of matches.

    In brief without what is made of the rest: an earlier replay, the page of the record, a refusal.
    """
    cache.clear()
    match, seats, seat = fresh(match), seats_of(match), viewer.seat(match)
    data = table_for(match, seats, seat, all_turns(match), since=2)
    shown = {
        "table as data": json.dumps(data).encode(),
        "headline": headline(data).encode(),
    }
    if match.state:
        shown["view"] = json.dumps(match.game.view(state_of(match), seat.number if seat else None)).encode()
    if match.status != Match.Status.ENDED:
        shown["record as data"] = json.dumps(record_of(match, seats)).encode()
    browser = browser_of(viewer.person)
    told = {match.turns - 1, match.turns} | ({2, match.turns - 3} if lists else set())
    told |= set(range(match.turns + 1)) if FULL else set()
    addresses = [reverse(name, args=[match.pk]) for name in PAGES if not (brief and name == "record")]
    addresses += [reverse("replay", args=[match.pk, step]) for step in range(match.turns + 1) if step in told]
    addresses += [reverse("why", args=[match.pk])] if seat is not None and seat.ask else []
    addresses += LISTS if lists else ()
    addresses += [reverse(name, args=[match.pk]) for name in ELSEWHERE if seat is None]
    for address in addresses:
        answer = browser.get(address)
        shown[address] = bytes([answer.status_code % 100]) + answer.content
    if viewer.person is not None:
        shown |= by_program(match, viewer.person, told, lists=lists)
    if not brief:
        refused = browser.post(reverse("move", args=[match.pk]), {"ask": "0", "key": "k", "move": '{"type": "x"}'})
        shown["a refusal"] = bytes([refused.status_code % 100]) + refused.content
    if seat is not None:
        shown["mail"] = mail_to(match, seat)
    return shown


def by_program(match: Match, person: User, steps: set[int], *, lists: bool) -> dict[str, bytes]:
    """Everything that the API tells this person's program, with the tag of each answer."""
    program, at = Program(person), f"/matches/{match.pk}"
    addresses = [at, f"{at}?since=2", f"{at}/prompt", f"{at}/log", f"{at}/record", f"{at}/chat"]
    addresses += [f"{at}/replay?step={step}" for step in sorted(steps) if 0 <= step <= match.turns]
    addresses += ["/matches?state=waiting", "/matches?state=running", "/watchable", "/lobby"] if lists else []
    shown = {}
    for address in addresses:
        answer = program.get(address)
        shown[f"API {address}"] = answer.get("ETag", "").encode() + bytes([answer.status_code % 100]) + answer.content
    body = {"ask": 0, "key": "k", "move": {"type": "x"}}
    shown["a refusal by the API"] = program.post(f"{at}/moves", body).content
    program.end()
    return shown


def mail_to(match: Match, seat: Seat) -> bytes:
    """A mail about the match to the seat's person, with all that one can tell, as it would leave now."""
    with transaction.atomic():
        mail = Mail(user_id=seat.user_id, match=match, kind=Kind.TURN, message_id="one")
        mail.save()
        kind = Kind.TURN if seat.ask else Kind.VACATION
        notice = Notice.objects.create(user_id=seat.user_id, match=match, kind=kind, ask=seat.ask or 0, mail=mail)
        message = compose(mail, ((notice.pk,), ()))
        transaction.set_rollback(True)
    words = [message.subject, message.body, message.alternatives[0][0], *message.extra_headers.values()]
    return json.dumps([str(part) for part in words]).encode()


@contextmanager
def changed(match: Match, **fields) -> Iterator[None]:
    """The match with other fields, as long as this lasts."""
    before = Match.objects.filter(pk=match.pk).values(*fields).get()
    Match.objects.filter(pk=match.pk).update(**fields)
    yield
    Match.objects.filter(pk=match.pk).update(**before)


@contextmanager
def others_changed(match: Match, viewer: Viewer, **fields) -> Iterator[None]:
    """The match with other fields in all seats but the viewer's, as long as this lasts."""
    own = viewer.seat(match)
    others = match.seats.exclude(pk=own.pk if own else None)
    before = {row["pk"]: row for row in others.values("pk", *fields)}
    others.update(**fields)
    yield
    for key, row in before.items():
        match.seats.filter(pk=key).update(**{name: row[name] for name in fields})


@contextmanager
def turns_changed(match: Match, turns: dict[int, dict[str, Any]]) -> Iterator[None]:
    """The match with those turns made otherwise, as long as this lasts."""
    before = {turn.number: turn for turn in all_turns(match)}
    for number, fields in turns.items():
        match.log.filter(number=number).update(**fields)
    yield
    for number, fields in turns.items():
        match.log.filter(number=number).update(**{name: getattr(before[number], name) for name in fields})


Change = tuple[str, Callable[[], AbstractContextManager[None]]]


def variants(match: Match, viewer: Viewer) -> list[list[Change]]:
    """Changes of what the viewer may not know, in groups: each group is of different things, made at once."""
    fields: list[Change] = [
        ("the seed", partial(changed, match, server_seed=bytes(range(32)))),
        ("the link", partial(changed, match, token="another token")),
        ("others' nonces", partial(others_changed, match, viewer, nonce="another nonce")),
        (
            "others' orders",
            partial(others_changed, match, viewer, orders={"pass_always": True, "keep_extra": True}),
        ),
        ("others' notes", partial(others_changed, match, viewer, notes="other <b>notes</b>")),
        ("what others have seen", partial(others_changed, match, viewer, seen=1)),
    ]
    if not match.state:
        return [fields]
    own = viewer.seat(match)
    number = own.number if own else None
    states: list[Change] = [
        ("the hidden state", partial(changed, match, state=match.game.dump(state)))
        for state in VARIANTS[match.game_slug](state_of(match), number)
    ]
    made = {turn.number: {"by": "orders"} for turn in all_turns(match) if turn.by == "person" and turn.seat != number}
    fields.append(("who moved by orders", partial(turns_changed, match, made)))
    if match.game.secret or len(match.game.to_move(state_of(match))) > 1:
        fields.append(("who was reached", partial(others_changed, match, viewer, reached_at=clock.now())))
        fields.append(("whose clock waits", partial(others_changed, match, viewer, waited_ask=F("ask"))))
    turns: list[Change] = [
        ("the hidden turns", partial(turns_changed, match, made))
        for made in TURN_VARIANTS[match.game_slug](list(all_turns(match)), number)
    ]
    pairs = [[one for one in pair if one] for pair in zip_longest(states, turns)]
    return [fields + pair for pair in pairs[:1] or [[]]] + pairs[1:]


def leaks(
    match: Match, viewers: list[Viewer], look=sights, *, lists: bool = FULL, brief: bool = False
) -> set[tuple[str, str, str]]:
    """(what differs, who sees it, where) for everything that tells a secret.

    A group that shows nothing at once shows nothing singly; of one that does, each change is looked at. Only with the
    first group of each viewer are the lists looked at, which tell of a match no more than its headline (in short, if
    they are wanted); and in short with the others only what is not made of the rest, and with a visitor, who is shown
    what a watcher is, only that group. Of a leak that a test plants, `brief` looks where it shows.
    """
    found = set()
    if look is sights:
        look = partial(sights, lists=lists, brief=brief and not FULL)
    for viewer in viewers:
        true = look(match, viewer)

        def seen(changes: list[Change], look=look, true=true, viewer=viewer) -> set[str]:
            with ExitStack() as made:
                for _what, change in changes:
                    made.enter_context(change())
                other = look(match, viewer)
            return {where for where in other if true[where] != other[where]}

        groups = variants(match, viewer)
        for number, group in enumerate(groups if viewer.person or FULL else groups[:1]):
            if number == 1 and isinstance(look, partial):
                seen = partial(seen, look=partial(sights, lists=False, brief=not FULL))
            together = seen(group)
            if together:
                singly = {(what, where) for what, change in group for where in seen([(what, change)])}
                unexplained = together - {where for _what, where in singly}
                singly |= {("several at once", where) for where in unexplained}
                found |= {(what, viewer.name, where) for what, where in singly}
    return found


def match_of(slug: str, ann, bob, turns: int) -> Match:
    bots = ["easy"][: get_game(slug).max_seats - 2]
    match = played_on(seated(ann, bob, bots=bots, game_slug=slug), Random(91), turns=turns)
    match.seats.filter(number=0).update(notes="Ann's notes", orders={"pass_always": True}, seen=3)
    match.seats.filter(number=1).update(notes="Bob's notes", orders={}, seen=turns)
    return fresh(match)
