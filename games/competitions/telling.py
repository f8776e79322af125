"""Tournaments in words: facts, who takes part, rounds with their tables, corrections, what one still needs."""

from collections.abc import Iterable, Mapping
from typing import Any

from django.conf import settings
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from accounts.models import badge_of
from config.lib.formats import about_people, number, person
from games.catalogue import option_words
from games.clocks import when
from games.competitions import pairing, queries
from games.competitions.models import Correction, Entrant, Table, Tournament
from games.competitions.rows import CorrectionRow, Player
from games.queries.play import Person
from games.rules import games, get_game
from games.table import profile_address
from games.time_controls import pace_name

KIND, FORMAT = Correction.Kind, Tournament.Format
A_DAY = 24 * 60  # minutes
PODIUM = 3  # places that have a name of their own


def address(tournament: Tournament) -> str:
    """Return the address of a tournament's page."""
    return reverse("tournament", args=[tournament.pk])


def link_of(tournament: Tournament) -> str:
    """Return the address by which a tournament is passed on; with its secret, if it stands in no list."""
    by_link = tournament.access == Tournament.Access.LINK
    path = reverse("tournament-link", args=[tournament.token]) if by_link else address(tournament)
    return f"{settings.SITE_URL}{path}"


def who(player: Player, reader: int | None = None) -> dict[str, Any]:
    """Return number, name and profile of an entrant, and whether the reader is it."""
    return {
        "number": player.number,
        "name": player.name,
        "profile": player.profile,
        "badge": player.badge,
        "you": reader is not None and player.user_id == reader,
        "left": left_words(player.left),
    }


def left_words(left: str) -> str:
    """Return in neutral words that somebody left; not that it was the site's doing. Empty for who takes part."""
    if left in (Entrant.Left.BARRED, Entrant.Left.CLOSED):
        return pgettext("tournament", "left")
    return str(Entrant.Left(left).label) if left else ""


def offer_of(tournament: Tournament | None, person: Person) -> dict[str, Any] | None:
    """Return what a member is asked who is to take somebody's place, in this tournament or any; None if nothing."""
    offers = queries.offers_to(person)
    offer = (offers if tournament is None else offers.filter(tournament=tournament)).first()
    if offer is None:
        return None
    one, gone = offer.tournament, offer.entrant.user
    return {
        "id": one.pk,
        "name": one.name,
        "url": address(one),
        "by": offer.by,
        "gone": gone.username if gone else "",
        "reason": offer.reason,
        "terms": one.terms,
        "is_arena": one.is_arena,
        "first": 1 + one.rounds.count(),
    }


def outside_words(state: str) -> str:
    """Return what a table of this state means for its match that is still played; empty if both go on together."""
    if state == Table.State.VOID:
        return _(
            "This table was voided: it counts for nothing in the tournament. "
            "The match itself goes on as one of its own."
        )
    if state == Table.State.JUDGED:
        return _("This table is decided. The match itself goes on outside the tournament.")
    return ""


def limit_words(tournament: Tournament) -> str:
    """Return how long a round may take, or all of an arena."""
    days, minutes = divmod(tournament.round_limit, A_DAY)
    if days and not minutes:
        return ngettext("%(n)s day", "%(n)s days", days) % {"n": number(days)}
    hours, rest = divmod(tournament.round_limit, 60)
    return f"{hours} h {rest:02d}" if hours and rest else f"{hours} h" if hours else f"{rest} min"


def rounds_words(tournament: Tournament, entrants: int, rounds: int | None) -> str:
    """Return how many rounds there are, as far as that can be said: `rounds` with so many entrants; else empty."""
    if tournament.is_arena or not rounds:
        return ""
    if tournament.state == Tournament.State.OPEN and not tournament.rounds_wished:
        words = ngettext(
            "%(rounds)s round, if %(people)s take part", "%(rounds)s rounds, if %(people)s take part", rounds
        )
        return words % {"rounds": number(rounds), "people": number(entrants)}
    return ngettext("%(n)s round", "%(n)s rounds", rounds) % {"n": number(rounds)}


def format_words(tournament: Tournament) -> list[str]:
    """Return the format, and what it leaves open, in a few words each."""
    found = [str(FORMAT(tournament.format).label)]
    if tournament.format in (FORMAT.GROUPS, FORMAT.KNOCKOUT):
        said = _("half of each table go on")
        if tournament.advance:
            words = ngettext("the best of each table goes on", "the best %(n)s of each table go on", tournament.advance)
            said = words % {"n": number(tournament.advance)}
        found.append(said)
    if tournament.format == FORMAT.GROUPS and tournament.matches > 1:
        found.append(_("%(n)s matches in each group") % {"n": number(tournament.matches)})
    return found


def conditions(tournament: Tournament) -> list[str]:
    """Return in words what is asked of whoever signs up; empty if nothing."""
    found = []
    lowest, highest = tournament.lowest_rating, tournament.highest_rating
    if lowest and highest is not None:
        found.append(_("a rating from %(lowest)d to %(highest)d") % {"lowest": lowest, "highest": highest})
    elif lowest:
        found.append(_("a rating of at least %(rating)d") % {"rating": lowest})
    elif highest is not None:
        found.append(_("a rating of at most %(rating)d") % {"rating": highest})
    if ended := tournament.least_ended:
        words = ngettext("%(n)s ended match against people", "%(n)s ended matches against people", ended)
        found.append(words % {"n": number(ended)})
    if tournament.least_reliability:
        found.append(_("a reliability of at least %(share)d %%") % {"share": tournament.least_reliability})
    return found


def facts(tournament: Tournament, entered: int, rounds: int | None) -> list[tuple[str, str]]:
    """Return what was announced as names and values, for a list of facts."""
    slug = tournament.game_slug
    options = option_words(get_game(slug), tournament.options) if slug in games() else []
    spread = rounds_words(tournament, max(entered, tournament.least), rounds)
    told = [
        (_("Game"), " · ".join([tournament.game_name, *options])),
        (_("Format"), " · ".join([*format_words(tournament), *([spread] if spread else [])])),
        (_("Seats at a table"), number(tournament.seats)),
        (_("Time to think"), pace_name(tournament.pace_slug)),
        (_("Rated?"), _("rated") if tournament.rated else _("casual")),
        (_("Players"), _places(tournament, entered)),
        (_("Conditions"), " · ".join(conditions(tournament)) or pgettext("conditions", "none")),
    ]
    if tournament.access == Tournament.Access.LINK:
        told.append((_("Who may take part"), str(Tournament.Access.LINK.label)))
    if tournament.access == Tournament.Access.CLUB:
        told.append((_("Who may take part"), club_words(tournament)))
    if tournament.is_arena:
        return [*told, (_("How long it lasts"), limit_words(tournament))]
    judge = str(Tournament.Judge(tournament.judge).label)
    return [*told, (_("Limit of a round"), limit_words(tournament)), (_("At the limit"), judge)]


def club_words(tournament: Tournament) -> str:
    """Return in words for members of which club a tournament is; empty for others, and once the club is no more."""
    if tournament.access != Tournament.Access.CLUB or tournament.club is None:
        return ""
    return _("members of “%(name)s”") % {"name": tournament.club.name}


def _places(tournament: Tournament, entered: int) -> str:
    words = {"n": number(entered), "least": number(tournament.least), "most": number(tournament.most)}
    if tournament.state == Tournament.State.OPEN:
        return _("%(n)s of %(most)s, at least %(least)s needed") % words
    return words["n"]


def moment(tournament: Tournament) -> str:
    """Return in words when it begins, began, or ended."""
    if tournament.state == Tournament.State.OPEN:
        return _("begins %(when)s") % {"when": when(tournament.begins_at)}
    if tournament.state == Tournament.State.RUNNING and tournament.began_at:
        return _("since %(when)s") % {"when": when(tournament.began_at)}
    return _("ended %(when)s") % {"when": when(tournament.ended_at)} if tournament.ended_at else ""


def line_of(tournament: Tournament, *, opens: bool = False, enters: bool = False, own: bool = False) -> dict[str, Any]:
    """Return what a list shows of a tournament (`queries.listed`); the reader may sign up, takes part, organises it."""
    at = tournament.ended_at or tournament.began_at or tournament.begins_at
    return {
        "url": address(tournament),
        "name": tournament.name,
        "game": tournament.game_slug,
        "game_name": tournament.game_name,
        "organiser": tournament.organiser,
        "format": format_words(tournament)[0],
        "pace": pace_name(tournament.pace_slug),
        "rated": tournament.rated,
        "state": tournament.state,
        "state_words": tournament.get_state_display(),
        "entered": getattr(tournament, "entered", 0),
        "most": tournament.most,
        "moment": moment(tournament),
        "iso": at.isoformat(timespec="seconds"),
        "is_link": tournament.access == Tournament.Access.LINK,
        "club": club_words(tournament),
        "opens": opens and not enters,
        "enters": enters and tournament.ended_at is None,
        "own": own,
    }


def correction_words(found: Iterable[CorrectionRow], players: Mapping[int, Player]) -> list[dict[str, Any]]:
    """Return each correction as a sentence, with its reason, hour and author; `players` by their ids."""
    return [
        {
            "words": _what_was_done(one, players),
            "reason": one.reason,
            "by": _author(one),
            "when": when(one.at),
            "iso": one.at.isoformat(timespec="seconds"),
        }
        for one in found
    ]


def _author(one: CorrectionRow) -> dict[str, str] | None:
    """Return who did it, as pages name people; None for the site."""
    if one.by is None:
        return None
    profile = profile_address(one.by) if one.is_active else ""
    return {"name": one.by, "profile": profile, "badge": str(badge_of(one.is_staff, one.is_superuser))}


def _what_was_done(one: CorrectionRow, players: Mapping[int, Player]) -> str | SafeString:
    gone, come = players.get(one.entrant_id or 0), players.get(one.instead_id or 0)
    if one.kind == KIND.LEFT and gone is not None:
        return about_people(_LEFT.get(gone.left, _LEFT[Entrant.Left.BARRED])(), [gone.name])
    if one.kind == KIND.REPLACED and gone is not None and come is not None:
        return about_people(_("%(names)s left; %(come)s takes part instead."), [gone.name], come=person(come.name))
    if one.kind == KIND.EXTENDED and one.until is not None:
        return _("The round has more time, until %(when)s.") % {"when": when(one.until)}
    if one.round is not None and one.table is not None:
        words = {"round": number(one.round), "table": number(one.table)}
        if one.kind == KIND.VOIDED:
            return _("Round %(round)s, table %(table)s was voided: it counts for nothing.") % words
        return _("Round %(round)s, table %(table)s was decided.") % words
    if one.kind == KIND.AMENDED:
        return _("A moderator has changed the name or the description.")
    if one.kind == KIND.CANCELLED:
        return _("The tournament was cancelled.")
    return str(KIND(one.kind).label)


_LEFT: dict[str, Any] = {
    Entrant.Left.WITHDREW: lambda: _("%(names)s withdrew."),
    Entrant.Left.TIMED_OUT: lambda: _("%(names)s ran out of time and is not seated again."),
    Entrant.Left.REMOVED: lambda: _("%(names)s was taken out."),
    Entrant.Left.BARRED: lambda: _("%(names)s left."),
    Entrant.Left.CLOSED: lambda: _("%(names)s left."),
}


def need_words(need: pairing.Need, *, final: bool) -> list[str]:
    """Return what somebody needs in the last round, in sentences; `final`: for the first place, not to go on."""
    said, staged = [], not final
    if need.sure:
        return [_("Nothing more: you go on whatever happens.") if staged else _("Nothing more: you have won.")]
    if need.enough is not None:
        said.append((_GO_ON if staged else _WIN)["enough"](need.enough))
    if need.possible is not None and need.possible != need.enough:
        said.append((_GO_ON if staged else _WIN)["possible"](need.possible))
    if need.enough is None and need.possible is None:
        said.append(_("Going on is out of reach.") if staged else _("The first place is out of reach."))
    return [*said, *_held_words(need)] if final else said


def _held_words(need: pairing.Need) -> list[str]:
    """Return which place is sure by which one at the own table, and which ones in any case."""
    said = []
    rank = max((rank for rank, held in enumerate(need.held, 1) if held <= PODIUM), default=1)
    if need.held and 1 < need.held[rank - 1] < need.worst:
        said.append(_at_least(_place(rank), need.held[rank - 1]))
    if need.best == need.worst:
        return [*said, _("You will end at place %(n)s.") % {"n": number(need.best)}]
    if need.best > 1:
        said.append(_("At best you end at place %(n)s.") % {"n": number(need.best)})
    return [*said, _("Whatever happens, you end at place %(n)s or better.") % {"n": number(need.worst)}]


def _at_least(place: str, held: int) -> str:
    words = {"place": place, "n": number(held)}
    if held == 2:
        return _("%(place)s, and you are at least second.") % words
    if held == PODIUM:
        return _("%(place)s, and you are at least third.") % words
    return _("%(place)s, and you end at place %(n)s or better.") % words


def _place(rank: int) -> str:
    """Return which place at the own table is meant, as a sentence begins with it."""
    return (
        _("Win your table") if rank == 1 else _("Be place %(place)s or better at your table") % {"place": number(rank)}
    )


_WIN: dict[str, Any] = {
    "enough": lambda rank: _("%(place)s, and you win the tournament.") % {"place": _place(rank)},
    "possible": lambda rank: _("%(place)s, and you may still win the tournament.") % {"place": _place(rank)},
}
_GO_ON: dict[str, Any] = {
    "enough": lambda rank: _("%(place)s, and you go on.") % {"place": _place(rank)},
    "possible": lambda rank: _("%(place)s, and you may still go on.") % {"place": _place(rank)},
}
