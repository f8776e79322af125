"""Organising tournaments by programs: announcing them, and what their organisers do to them."""

from typing import Any

from django import forms
from django.http import Http404, HttpRequest
from django.utils.translation import gettext as now_
from django.utils.translation import gettext_noop as _

from accounts.access import member_of
from games.api.kit import checked
from games.api.shapes.parts import Number
from games.competitions import queries
from games.competitions.api.shapes import NewTournament, TournamentDeed, TournamentShape
from games.competitions.api.tournaments import routes, told
from games.competitions.forms.announcing import TournamentForm
from games.competitions.services import announcing
from games.competitions.services.correcting import may_correct
from games.competitions.services.refusals import Closed, NotOrganiser, OrganisersOnly
from games.competitions.views.finding import find, within
from games.competitions.views.managing import deeds_for, done, forms_of
from games.rules import games, get_game
from games.services.refusals import Invalid

FIELDS = {"rounds": "rounds_wished", "matches": "group_matches"}  # of what is sent: those of the form


@routes.acts(
    "/tournaments",
    TournamentShape,
    page="new-tournament",
    words=_("Announce a tournament"),
    more=_("What is left out is as the page proposes it."),
    then=told,
    status=201,
)
def new(request: HttpRequest, given: NewTournament) -> int:
    """Announce a tournament."""
    if given.game not in games():
        raise Http404
    user = member_of(request)
    missing = announcing.missing_to_organise(user)
    clubs = queries.clubs_organised(user) if user.is_confirmed else []
    if missing and not clubs:
        raise NotOrganiser
    about: dict[str, Any] = {"game_slug": given.game, "clubs": clubs, "of_clubs_alone": bool(missing)}
    form = TournamentForm(_posted(given, TournamentForm(**about, club=str(given.club or ""))), **about)
    checked(form)
    within(request, "tournament")
    return announcing.announce(organiser=user, **form.wishes()).pk


def _posted(given: NewTournament, blank: TournamentForm) -> dict[str, Any]:
    """Return what the page's form would post: what it proposes, and what is sent instead. Invalid."""
    if set(given.options) - set(get_game(given.game).option_fields):
        raise Invalid(now_("The game cannot be played with these settings."))
    proposed = {name: _initial(blank, name, field) for name, field in blank.fields.items()}
    sent = {FIELDS.get(name, name): value for name, value in given.model_dump().items() if value is not None}
    options = {f"option_{name}": str(value) for name, value in sent.pop("options").items()}
    rated = {"rated": "rated" if sent.pop("rated") else ""}
    return {name: value for name, value in (proposed | sent | options | rated).items() if value is not None}


def _initial(blank: TournamentForm, name: str, field: forms.Field) -> Any:
    return blank.get_initial_for_field(field, name)


@routes.acts(
    "/tournaments/{number}/manage",
    TournamentShape,
    page="tournament-manage",
    words=_("Organise a tournament"),
    more=_("Begin or cancel it, give a round more time, replace somebody, decide or void a table: each with a reason."),
    then=told,
)
def manage(request: HttpRequest, number: Number, given: TournamentDeed) -> int:
    """Do to one's tournament what `deed` says."""
    tournament, user = find(request, number), member_of(request)
    if not may_correct(tournament, user):
        raise OrganisersOnly
    sent = {name: value for name, value in given.model_dump().items() if value is not None}
    found = forms_of(sent, tournament, user, deeds_for(tournament, user))
    form = next((one for one in found if one.name == given.deed), None)
    if form is None:
        raise Closed
    checked(form)
    done(request, tournament, form)
    return number
