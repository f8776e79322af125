"""Tournaments on other pages: the line of a match that belongs to one, and what a member takes part in, at home."""

from collections.abc import Sequence

from django.http import HttpRequest
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from accounts.models import User
from config.lib.formats import number
from games.competitions import queries
from games.competitions.models import Entrant, Table, Tournament
from games.competitions.telling import address, line_of, offer_of
from games.models import Club, Match, Membership, Seat
from games.queries.play import Person
from games.services.hooks import Series

SHOWN = 5  # at home


def belonging(matches: Sequence[int], user: Person) -> dict[int, Series]:
    """Return of which tournament, round and table these matches are, by id; a hook (WHERE_MATCHES_BELONG).

    Whoever may not see a tournament learns neither its name nor its address; whoever looks at a match of a club may.
    """
    columns = ("match", "number", "round__number", *(f"round__tournament__{name}" for name in ("pk", "name", "access")))
    rows = list(Table.objects.filter(match__in=matches).order_by().values_list(*columns))
    secret = {pk for *_others, pk, _name, access in rows if access != Tournament.Access.PUBLIC}
    hidden = secret - set(queries.visible(user).filter(pk__in=secret).values_list("pk", flat=True)) if secret else set()
    found = {}
    for match, table, round_, pk, name, _access in rows:
        words = _("round %(round)s, table %(table)s") % {"round": number(round_), "table": number(table)}
        named, url = (_("A tournament by invitation"), "") if pk in hidden else (name, reverse("tournament", args=[pk]))
        found[match] = Series(named, url, words, _("Standings of the tournament"))
    return found


def match_head(match: Match, seats: Sequence[Seat], viewer: Seat | None) -> SafeString:
    """Return to which tournament, round and table a match belongs as HTML, empty without one; a hook (MATCH_HEADS).

    Whoever may not see a tournament learns neither its name nor its address.
    """
    if match.creator_id is not None:  # nobody opened those of tournaments
        return SafeString()
    table = Table.objects.filter(match=match).select_related("round__tournament").first()
    if table is None:
        return SafeString()
    tournament = table.round.tournament
    named = tournament.access != Tournament.Access.LINK or _knows(tournament, viewer)
    context = {
        "name": tournament.name if named else "",
        "url": address(tournament) if named else "",
        "round": table.round.number,
        "table": table.number,
        "decided": table.state == Table.State.JUDGED,
        "void": table.state == Table.State.VOID,
        "goes_on": match.status == Match.Status.RUNNING,
        "rated": match.rated,
    }
    return render_to_string("competitions/match_head.html", context)


def _knows(tournament: Tournament, viewer: Seat | None) -> bool:
    """Return whether the person in this seat takes part in the tournament, or organises it."""
    if viewer is None or viewer.user_id is None:
        return False
    if tournament.organiser_id == viewer.user_id:
        return True
    return Entrant.objects.filter(tournament=tournament, user=viewer.user_id).exists()


def club_panel(request: HttpRequest, club: Club, me: Membership | None) -> SafeString:
    """Return a club's tournaments as HTML, for its members: open ones and running ones, then the latest that are over.

    Empty for others. A hook (CLUB_PANELS).
    """
    if me is None or not me.is_in:
        return SafeString()
    own = queries.listed(Tournament.objects.filter(club=club, access=Tournament.Access.CLUB))
    order = {"under_way": own.filter(ended_at=None).order_by("begins_at", "pk")}
    order["over"] = own.exclude(ended_at=None).order_by("-begins_at", "-pk")
    found = {name: list(some[:SHOWN]) for name, some in order.items()}
    enters = queries.entered_by(request.user, [one for some in found.values() for one in some])
    lines = {  # whose club it is need not be said there
        name: [line_of(one, enters=one.pk in enters) | {"club": ""} for one in some] for name, some in found.items()
    }
    context = {"club": club, "announces": me.organises, **lines}
    return render_to_string("competitions/club_panel.html", context, request)


def home_panel(request: HttpRequest) -> SafeString:
    """Return the tournaments that a member takes part in or organises as HTML, if any; a hook (HOME_PANELS)."""
    user = request.user
    if not isinstance(user, User) or user.is_guest:
        return SafeString()
    found = queries.listed(queries.under_way_of(user)).order_by("-state", "begins_at", "pk")[:SHOWN]
    lines = [line_of(one, own=one.organiser_id == user.pk) for one in found]
    return render_to_string("competitions/home_panel.html", {"lines": lines}) if lines else SafeString()


def home_questions(request: HttpRequest) -> tuple[int, SafeString]:
    """Return how many places one is asked to take, and the first question as HTML; a hook of games (HOME_QUESTIONS)."""
    user = request.user
    if not isinstance(user, User) or user.is_guest or (offer := offer_of(None, user)) is None:
        return 0, SafeString()
    html = render_to_string("competitions/parts/offer.html", {"offer": offer, "named": True}, request)
    return queries.offers_to(user).count(), html


def game_link(game_slug: str) -> tuple[str, str]:
    """Return the address of the tournaments of a game, and what it is called; a hook of games (GAME_LINKS)."""
    return f"{reverse('tournaments')}?{urlencode({'game': game_slug})}", _("Tournaments")
