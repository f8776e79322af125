"""What an organiser or a moderator does to a tournament, each deed with its form on one page."""

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from accounts.access import Hidden, member_of
from accounts.models import User
from config.lib.formats import listing, number
from games.competitions import rows, telling
from games.competitions.forms.managing import DEEDS, OF_OPEN, OF_RUNNING, DeedForm
from games.competitions.models import Correction, Offer, Table, Tournament
from games.competitions.services import announcing, correcting
from games.competitions.services.refusals import Closed, OrganisersOnly
from games.competitions.views.finding import find, refusals_shown, within
from games.competitions.views.page import shown
from games.queries import people
from games.services.refusals import Refused
from games.views.once import once

STATE, TABLE = Tournament.State, Table.State
Choices = list[tuple[int, str]]


@require_http_methods(["GET", "HEAD", "POST"])
@refusals_shown(shown)
@once
def manage(request: HttpRequest, tournament_id: int) -> HttpResponse:
    """Show what may be done to a tournament, or do it.

    A post that comes again is answered as before, although its form would not fit any more.
    """
    tournament = find(request, tournament_id)
    if not request.user.is_authenticated:
        raise Hidden(request.path)
    if not isinstance(request.user, User) or not correcting.may_correct(tournament, request.user):
        raise OrganisersOnly
    deeds = deeds_for(tournament, request.user)
    forms = forms_of(request.POST if request.method == "POST" else None, tournament, request.user, deeds)
    if request.method != "POST":
        return _page(request, tournament, forms)
    form = next((one for one in forms if one.name == request.POST.get("deed")), None)
    if form is None:
        return _page(request, tournament, forms, Closed())
    if form.is_valid():
        try:
            return _do(request, tournament, form)
        except Refused as refusal:
            return _page(request, tournament, forms, refusal)
    return _page(request, tournament, forms, status=400)


def deeds_for(tournament: Tournament, user: User) -> list[str]:
    """Return what this organiser or moderator may do to a tournament now."""
    of_moderators = ["amend"] if user.has_perm(correcting.MODERATE) else []
    if tournament.state == STATE.OPEN:
        return [*OF_OPEN, *of_moderators]
    if tournament.state != STATE.RUNNING:
        return of_moderators
    unfit = {"extend"} if tournament.is_arena else set()
    if tournament.format not in correcting.TAKES_LATE:
        unfit.add("replace")
    deeds = [deed for deed in OF_RUNNING if deed not in unfit]
    return [*deeds, "stop", *of_moderators] if of_moderators else deeds


def forms_of(sent: Any, tournament: Tournament, user: User, deeds: list[str]) -> list[DeedForm]:
    """Return the forms of these deeds, that of the deed that is sent with what is sent."""
    posted = sent.get("deed", "") if sent is not None else None
    is_running = tournament.state == STATE.RUNNING
    players = rows.players(tournament) if is_running else []
    staying: Choices = [(one.number, one.name) for one in players if one.is_in]
    taken = {one.entrant_id for one in rows.corrections_of(tournament) if one.kind == Correction.Kind.REPLACED}
    places: Choices = [(one.number, _with_leaving(one)) for one in players if one.pk not in taken]
    own = next((one.pk for one in players if one.user_id == user.pk), None)
    running, counted = _tables(tournament, players, own) if is_running else ([], [])
    people_of = {"take-out": staying, "replace": places}
    tables_of = {"decide": running, "void": [*running, *counted]}
    entered = {one.name for one in players}
    known = [name for name in people.known_names(user) if name not in entered] if "replace" in deeds else []
    return [
        DeedForm(
            sent if posted == name else None,
            name=name,
            people=people_of.get(name, []),
            tables=tables_of.get(name, []),
            known=known,
            is_at_one=own is not None,
            told={"name": tournament.name, "words": tournament.words},
        )
        for name in deeds
    ]


def _with_leaving(player: rows.Player) -> str:
    return f"{player.name} ({telling.left_words(player.left)})" if player.left else player.name


def _tables(tournament: Tournament, players: list[rows.Player], own: int | None) -> tuple[Choices, Choices]:
    """Return the tables that run and those that are over and count, the latest first, in words; none of `own`."""
    found: dict[bool, Choices] = {True: [], False: []}
    names = {one.pk: one.name for one in players}
    tables = [rows.TableRow(*row) for row in rows.tables_of(tournament)]
    places = rows.places_at(tables)
    for table in tables:
        seats = places[table.pk]
        if any(seat.entrant_id == own for seat in seats):
            continue
        if len(seats) > 1 and table.state in (TABLE.RUNNING, TABLE.OVER, TABLE.JUDGED):
            words = {
                "round": number(table.round),
                "table": number(table.number),
                "names": listing(names[seat.entrant_id] for seat in seats),
            }
            choice = (table.pk, _("Round %(round)s, table %(table)s: %(names)s") % words)
            found[table.state == TABLE.RUNNING].append(choice)
    return found[True], found[False]


def _do(request: HttpRequest, tournament: Tournament, form: DeedForm) -> HttpResponse:
    messages.success(request, done(request, tournament, form))
    return redirect("tournament", tournament_id=tournament.pk)


def done(request: HttpRequest, tournament: Tournament, form: DeedForm) -> Any:
    """Do what a valid form says; return in words what was done. TooOften, or what the service refuses."""
    within(request, "correction")
    user, data = member_of(request), form.cleaned_data
    about: dict[str, Any] = {"tournament_id": tournament.pk, "user": user}
    why = data.get("reason", "")
    told = DEEDS[form.name].done
    if form.name == "begin":
        announcing.begin_now(**about)
        if not Tournament.objects.filter(pk=tournament.pk, state=STATE.RUNNING).exists():  # some may not take part now
            told = _("Too few of those who signed up may still take part: the tournament is cancelled.")
    elif form.name == "cancel":
        announcing.cancel_open(**about, reason=why)
    elif form.name == "take-out":
        correcting.take_out(**about, number=data["number"], reason=why)
    elif form.name == "replace":
        correcting.replace(**about, number=data["number"], by=data["by"], reason=why)
    elif form.name == "void":
        correcting.void_table(**about, table_id=data["table"], reason=why)
    elif form.name == "extend":
        ends_at = correcting.extend(**about, days=data["days"], reason=why)
        told = _("The round ends on %(when)s.") % {"when": date_format(timezone.localtime(ends_at), "DATETIME_FORMAT")}
    elif form.name == "decide":
        correcting.decide(**about, table_id=data["table"], reason=why)
        if tournament.judge == Tournament.Judge.BOTS:
            told = _("At this table bots now finish for whoever is to move.")
    elif form.name == "amend":
        correcting.amend(**about, name=data["name"], words=data["words"], reason=why)
    elif form.name == "stop":
        correcting.stop(**about, reason=why)
    else:
        raise Http404
    return told


def _page(
    request: HttpRequest,
    tournament: Tournament,
    forms: list[DeedForm],
    refusal: Refused | None = None,
    status: int = 200,
) -> HttpResponse:
    offers = tournament.offers.exclude(state=Offer.State.ACCEPTED).select_related("user", "entrant__user")
    context = {
        "tournament": tournament,
        "forms": forms,
        "refusal": refusal,
        "state": tournament.state,
        "offers": list(offers),
    }
    return render(request, "competitions/manage.html", context, status=refusal.status if refusal else status)
