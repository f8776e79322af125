"""What the API says of a match: as a table that somebody sees, and as a line of a list."""

from typing import Any, Literal

from django.utils.translation import gettext_noop as _

from games.api.shapes.parts import GAME, GAME_NAME, Listed, Millis, Moment, Shape, Slug, said

Status = Literal["open", "running", "ended"]
COMMITMENT = "0e4540973c41bac5acfb99744584c7628d35de6238180e442dbb1fb9effc80d9"
_DICE = {"commitment": COMMITMENT, "entry": "", "nonce": "", "seal": "", "opens": False, "opened": False}
_SEAT = {"number": 0, "name": "Ann", "kind": "person"}
_PROMPT = {"phase": "lock", "moves": [{"type": "lock", "row": 1, "col": {"one_of": [2, 3]}}], "optional": False}


class SeatShape(Shape):
    """A seat as you see it."""

    number: int = said(_("Its number, from 0 on."), 0)
    name: str = said(_("Whose it is; of a free seat what is said instead."), "Ann")
    kind: str = said(_("Who sits there: person, bot, free or former."), "person")
    badge: str = said(_("What a bot, or staff, is called, and whose a member’s bot is; empty for others."), "")
    profile: str = said(_("The address of their profile; empty without one."), "/people/Ann/")
    you: bool = said(_("Whether it is your seat."), True)
    to_move: bool = said(_("Whether the match waits for it."), True)
    left: bool = said(_("Whether its person has left the running match: a bot plays on."), False)
    absent: bool = said(_("Whether its person ran out of time, and may come back."), False)
    substitute: bool = said(_("Whether a substitute has taken it over."), False)
    wants_pause: bool = said(_("Whether they propose a pause, or agree to one."), False)
    wants_call_off: bool = said(_("Whether they propose to call the match off, or agree."), False)
    declines: list[str] = said(_("Which proposals of others they decline: pause, call_off."), [])
    deadline: Millis | None = said(
        _("When its clock runs out (ms); null if none runs, or that is not told."), 1796061600000
    )
    bank: int | None = said(_("The time that it has while its clock stands (ms); null if that is not told."), 259200000)
    away: Millis | None = said(_("Until when its person is away (ms); null if they are not."), None)
    reached: Millis | None = said(_("When its person was told that it is asked (ms), as far as you may know."), None)
    ready_by: Millis | None = said(
        _("Until when its person is to say that they are here (ms), before a live match."), None
    )
    rank: int | None = said(_("Its rank once the match has ended."), 1)
    score: int | None = said(_("Its score once the match has ended."), 42)


class EntryShape(Shape):
    """A turn in the log."""

    n: int = said(_("Its number, from 1 on."), 12)
    seat: int | None = said(_("The seat that made it; null for the clock of the game."), 0)
    by: str = said(
        _("How it came about: person, orders, bot, clock, none (nothing to decide); empty while that is hidden."),
        "person",
    )
    at: Moment
    events: list[dict[str, Any]] = said(
        _("What happened, as the rules of the game tell it to you."), [{"type": "locked"}]
    )
    paragraph: int = said(_("Turns of one number belong together."), 3)
    new: bool = said(_("Whether it came after the turn that you named by `since`."), False)


class DiceShape(Shape):
    """What is promised of a match's dice, and your own part of them."""

    commitment: str = said(
        _("What the site has committed itself to: the SHA-256 of its secret, which the record opens."), COMMITMENT
    )
    entry: str = said(
        _("The fingerprint of all that was fixed at the start; empty before it. Note it before you open your part."),
        "ee94156e74919d77e83c27de4bf9495e8c7596fde8dc693eafa3d1068dcbd32d",
    )
    nonce: str = said(_("Your part of the seed, once the match has begun."), "kJ3_x")
    seal: str = said(_("Likewise: the seal of your further number; empty without one."), "")
    opens: bool = said(_("Whether you may open that number now: until your first move, once."), False)
    opened: bool = said(_("Whether you have opened it."), True)


class TableShape(Shape):
    """A match as you see it now: the same data from which the page is drawn."""

    id: int = said(_("The number of the match, as in its address."), 4711)
    game: Slug
    rules: int = said(_("The version of the rules by which it is played."), 1)
    name: str = said(_("The name of the game."), GAME_NAME)
    options: dict[str, Any] = said(_("The options of the match."), {"size": 8})
    version: int = said(_("Raised by every change that anybody can see."), 17)
    history: str = said(_("Which version this is; another one, if the site was restored meanwhile."), "17:67d075fa0a89")
    status: Status = said(_("open, running or ended."), "running")
    ending: str = said(_("How it ended: played, resigned, timed_out, called_off, closed, lapsed; empty before."), "")
    voided: bool = said(_("Whether a moderator has voided it."), False)
    rated: bool = said(_("Whether it is rated."), True)
    access: str = said(_("Who may join: open, invitation, link or club."), "open")
    takes_bots: bool = said(_("Whether bots of members may sit down."), False)
    pace: str = said(_("Its time control."), "3d")
    dice: DiceShape = said(_("What is promised of its dice, and your own part of them."), _DICE)
    turns: int = said(_("How many turns have been made."), 12)
    step: int | None = said(_("Of a replay: after which turn this is; null for now."), None)
    you: int | None = said(_("The number of your seat; null for who watches."), 0)
    playing: bool = said(_("Whether you play in it now."), True)
    ask: int | None = said(
        _("The number of the question that you are asked; a move names it. Null if you owe none."), 9
    )
    undo: int | None = said(_("The turn that you may take back; null without one."), None)
    orders: dict[str, Any] = said(_("Your standing orders."), {})
    orders_mark: str = said(
        _("Which orders these are: sent back as `before`, it keeps others from being lost."), "44136fa355b3678a"
    )
    notices: str = said(_("What you are told of this match: all, reminders, none; empty for who watches."), "all")
    seats: list[SeatShape] = said(_("All seats, by number."), [_SEAT])
    free: int = said(_("How many seats are free."), 0)
    ready_by: Millis | None = said(
        _("Until when you are to say that you are here (ms); null if you are not asked."), None
    )
    cooperative: bool = said(_("Whether all seats play for one score."), False)
    paused: bool = said(_("Whether it is paused: no clock runs."), False)
    can_pause: bool = said(_("Whether a pause can be proposed."), True)
    view: dict[str, Any] | None = said(
        _("The game as your seat sees it; its `prompt` is exactly what you may do now. Null before the start."),
        {"phase": "lock", "to_move": [0], "you": 0, "prompt": _PROMPT, "outcome": None},
    )
    log: list[EntryShape] = said(_("The last turns, the oldest first."), [])
    unveiled: dict[str, Any] = said(_("After the end: what turns hid while it ran, by their number."), {})
    coach: str = said(_("What the coach of a first match says; empty without one."), "")
    invited: list[str] = said(_("Of an open table at which you sit: who is invited and has not answered."), ["Bob"])
    declined: list[str] = said(_("Likewise: who has declined."), [])
    link: str = said(_("Likewise: the address by which others join, if it is opened by a link; else empty."), "")
    rematch: int | None = said(_("The number of its rematch, as far as you may know of it."), None)


class PromptShape(Shape):
    """What you may do now."""

    ask: int | None = said(_("The number of the question; null if you owe no answer."), 9)
    prompt: dict[str, Any] | None = said(_("The prompt, in the form that the site’s own pages read."), _PROMPT)
    moves: dict[str, Any] = said(_("The same as a JSON Schema: exactly the moves that are legal."), {"anyOf": []})
    few: list[dict[str, Any]] = said(_("All legal moves, where they are few; else empty."), [{"type": "pass"}])


class LineSeat(Shape):
    """A seat in a line of a list."""

    number: int = said(_("Its number, from 0 on."), 0)
    name: str = said(_("Whose it is; of a free seat what is said instead."), "Ann")
    badge: str = said(_("What a bot, or staff, is called, and whose a member’s bot is; empty for others."), "")
    free: bool = said(_("Whether it is free."), False)


class MatchLine(Shape):
    """A match in a list."""

    id: int = said(_("The number of the match, as in its address."), 4711)
    game: Slug
    name: str = said(_("The name of the game."), GAME_NAME)
    status: Status = said(_("open, running or ended."), "running")
    ending: str = said(_("How it ended; empty before."), "")
    voided: bool = said(_("Whether a moderator has voided it."), False)
    rated: bool = said(_("Whether it is rated."), True)
    takes_bots: bool = said(_("Whether bots of members may sit down."), False)
    pace: str = said(_("Its time control."), "3d")
    options: dict[str, Any] = said(_("The options of the match."), {"size": 8})
    version: int = said(_("Raised by every change that anybody can see."), 17)
    commitment: str = said(
        _("What the site has committed its dice to: draw your part of the seed once you have it."), COMMITMENT
    )
    turns: int = said(_("How many turns have been made."), 12)
    seats: list[LineSeat] = said(_("Its seats."), [{"number": 0, "name": "Ann", "badge": "", "free": False}])
    at: Moment = said(
        _("When it ended, else when it was last moved in, else when it was opened."), "2026-11-30T18:00:00+00:00"
    )
    headline: str = said(_("What you are asked there, or whom it waits for, in a few words."), "Ann is to throw")
    you: int | None = said(_("The number of your seat; null for who watches."), 0)
    asked: bool = said(_("Whether you owe an answer there."), True)
    deadline: Millis | None = said(
        _("When your clock runs out (ms); null if none runs, or that is not told."), 1796061600000
    )
    proposals: list[str] = said(_("What others propose and you have not answered: pause, call-off."), [])
    invited: bool = said(_("Whether you are invited and have not answered."), False)
    why_not: str = said(_("Of an open table: why you cannot sit down, in words; empty if you can."), "")
    rank: int | None = said(_("Your rank once the match has ended."), 1)
    score: int | None = said(_("Your score once the match has ended."), 42)
    talk: bool = said(_("Whether its chat has something that you have not read."), False)


class MatchListed(Listed):
    """A list of matches."""

    items: list[MatchLine] = said(_("The matches of this part of the list."), [])


class LogShape(Listed):
    """The log of a match."""

    items: list[EntryShape] = said(_("The turns, the oldest first."), [])
    unveiled: dict[str, Any] = said(_("After the end: what turns hid while it ran, by their number."), {})


class RecordShape(Shape):
    """The record of a match that has ended, by which anybody can replay it and check its dice."""

    record: dict[str, Any] = said(_("The record, as docs/spec/engine.md describes it."), {"format": 2, "game": GAME})


class NotesShape(Shape):
    """Your private notes on a match."""

    notes: str = said(_("The notes."), "Bob locks early.")
    mark: str = said(
        _("Which notes these are: sent back as `before`, it keeps others from being lost."), "e3b0c44298fc1c14"
    )
