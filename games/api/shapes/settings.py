"""What the API says of a member's settings, days off and people, and what is sent to change them."""

from datetime import date
from typing import Literal

from django.utils.translation import gettext_noop as _

from games.api.shapes.given import Whole, Yes
from games.api.shapes.parts import LARGEST, Given, Listed, Name, Shape, said


class SettingsShape(Shape):
    """Settings of a member."""

    language: str = said(_("The language of your pages and mails."), "fr")
    time_zone: str = said(_("Your time zone."), "Europe/Paris")
    colours: str = said(_("The colours of your pages: system, light or dark."), "system")
    reduced_motion: bool = said(_("Whether dice and cards appear without animation on your pages."), False)
    single_keys: bool = said(_("Whether letters and digits play on your pages of matches."), True)
    asks_before_final: bool = said(_("Whether you are asked before moves that cannot be taken back."), False)
    invitations_from: str = said(_("Who may invite you to a table, as the page of settings says it."), "all")
    named_in_records: bool = said(_("Whether your name stands in published records; else a pseudonym."), True)


class SettingsGiven(Given):
    """Settings to be changed."""

    language: str | None = said(_("The language: en or fr."), "fr", default=None, max_length=10)
    time_zone: str | None = said(_("The time zone, by its name."), "Europe/Paris", default=None, max_length=64)
    colours: str | None = said(_("The colours: system, light or dark."), "dark", default=None, max_length=20)
    reduced_motion: Yes | None = said(_("Whether dice and cards appear without animation."), True, default=None)
    single_keys: Yes | None = said(_("Whether letters and digits play."), False, default=None)
    asks_before_final: Yes | None = said(
        _("Whether to be asked before moves that cannot be taken back."), True, default=None
    )
    invitations_from: str | None = said(
        _("Who may invite you from now on, as the page of settings says it."), "all", default=None, max_length=20
    )
    named_in_records: Yes | None = said(_("Whether your name stands in published records."), False, default=None)


class DayOff(Shape):
    """A day off."""

    day: str = said(_("The day, in your time zone."), "2026-12-24")
    by_itself: bool = said(_("Whether the site took it for you."), False)
    ahead: bool = said(_("Whether it is still to come, so that it can be given back."), True)


class DaysOffShape(Shape):
    """One's days off."""

    days: list[DayOff] = said(_("The days of this year and later."), [])
    left: int = said(_("How many are left this year."), 12)
    left_next: int = said(_("And next year."), 20)
    by_itself: bool = said(_("Whether the site takes days off for you when your clock would run out."), True)


class DaysOffGiven(Given):
    """Days off to be taken, given back, or whether the site takes them."""

    first: date | None = said(_("To take days: the first of them."), "2026-12-24", default=None)
    last: date | None = said(_("To take days: the last of them."), "2026-12-26", default=None)
    give_back: list[date] = said(_("Days to give back."), [], default=[], max_length=100)
    by_itself: Yes | None = said(_("Whether the site is to take days off for you."), True, default=None)


class PersonListed(Listed):
    """Names of people."""

    items: list[Name] = said(_("Their names."), ["Bob"])


class SandboxGiven(Given):
    """A sandbox: playing on from a step of a match that has ended."""

    match: Whole = said(_("The number of a match that has ended and that you may see."), 4711, ge=1, le=LARGEST)
    step: Whole = said(_("After which move to play on; 0 is the start."), 12, default=0, ge=0, le=1_000_000)
    kind: Literal["bots", "alone", "friends"] = said(
        _("Against bots; alone, for all seats; with friends whom you invite."), "bots", default="bots"
    )
    level: str | None = said(_("How strong the bots are; as the page proposes it without it."), "easy", default=None)
    seat: Whole | None = said(
        _("Your seat, from 0 on; without it, the one that is to move."), 0, default=None, ge=0, le=50
    )
    invited: list[Name] = said(_("The names of the members who are invited."), [], default=[], max_length=10)
