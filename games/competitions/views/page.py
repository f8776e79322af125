"""The page of one tournament: what it is, what one may do, who stands where, and its rounds."""

from typing import Any

from django.core.paginator import Page, Paginator
from django.db.models import F
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.template import engines
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from accounts.models import User
from config.lib import clock, sql
from games import broadcast
from games.clocks import until, when
from games.competitions import queries, rows, telling
from games.competitions.models import Round, Table, Tournament
from games.competitions.record import is_opened, record_of
from games.competitions.rows import Player
from games.competitions.services.correcting import MODERATE, may_correct
from games.competitions.services.entering import why_not
from games.competitions.services.locking import name_of
from games.competitions.services.refusals import NotOver
from games.competitions.views.finding import find, refusals_shown
from games.competitions.views.standing import Standing, round_of
from games.queries import play
from games.queries.clubs import belongs
from games.services.refusals import Refused
from games.views.waiting import NO_STORE, lines_of

STATE = Tournament.State
LINES_SHOWN, TABLES_SHOWN = 50, 40
TABLES_PRINTED = 1000  # on one page; ten rounds of a thousand would take seconds of the web server


@require_safe
@sql.snapshot()
def page(request: HttpRequest, tournament_id: int) -> HttpResponse:
    """Show a tournament, or say by `mark` alone which of its states that is, for a page that is open."""
    tournament = find(request, tournament_id)
    return _mark(tournament) if request.GET.get("mark") else shown(request, tournament)


@require_safe
@sql.snapshot()
def by_link(request: HttpRequest, token: str) -> HttpResponse:
    """Show the tournament of a link; who may see it anyhow is led to its page."""
    found = Tournament.objects.select_related("organiser")
    tournament = get_object_or_404(found, token=token.replace("\0", ""), access=Tournament.Access.LINK)
    if queries.may_see(tournament, request.user):
        return redirect("tournament", tournament_id=tournament.pk)
    return _mark(tournament) if request.GET.get("mark") else shown(request, tournament, None, token)


def _mark(tournament: Tournament) -> HttpResponse:
    mark = Standing(tournament, None).mark(len(rows.corrections_of(tournament)))
    return HttpResponse(mark, content_type="text/plain", headers=NO_STORE)


def shown(
    request: HttpRequest, tournament: Tournament, refusal: Refused | None = None, token: str = ""
) -> HttpResponse:
    """Return the page of a tournament, with a refusal's sentence and status if there is one."""
    user = request.user if isinstance(request.user, User) else None
    inside = tournament.access == Tournament.Access.CLUB and belongs(tournament.club_id, request.user)
    standing = Standing(tournament, user.pk if user else None, sees_tables=inside)
    me = next((one for one in standing.players.values() if user is not None and one.user_id == user.pk), None)
    rounds = queries.rounds_of(tournament)
    whole = request.GET.get("whole") == "1"
    corrections = rows.corrections_of(tournament)
    context = {
        "socket": f"/ws/?series={broadcast.ticket_to(name_of(tournament.pk))}",
        "mark": standing.mark(len(corrections)),
        "tournament": tournament,
        "state": tournament.state,
        "refusal": refusal,
        "token": token,
        "whole": whole,
        "moment": telling.moment(tournament),
        "begins": when(tournament.begins_at),
        "facts": telling.facts(tournament, standing.entered, standing.rounds),
        "entered": standing.entered,
        "corrections": telling.correction_words(corrections, standing.by_id),
        "deeds": _deeds(tournament, user),
        "reports": user is not None and not user.is_guest and tournament.organiser_id != user.pk,
        "seed": bytes(tournament.server_seed).hex() if is_opened(tournament) and rounds else "",
        **_of_reader(request, standing, me, rounds, token),
        **_lists(request, standing, rounds, whole=whole),
    }
    return render(request, "competitions/tournament.html", context, status=refusal.status if refusal else 200)


def _deeds(tournament: Tournament, user: User | None) -> bool:
    """Return whether there is anything that this person may do to the tournament as who organises or moderates."""
    if user is None or not may_correct(tournament, user):
        return False
    return tournament.state in (STATE.OPEN, STATE.RUNNING) or user.has_perm(MODERATE)


def _of_reader(
    request: HttpRequest, standing: Standing, me: Player | None, rounds: list[Round], token: str
) -> dict[str, Any]:
    """Return what the page tells its reader alone: whether they take part, may, and what waits for them."""
    user = request.user if isinstance(request.user, User) and not request.user.is_guest else None
    tournament = standing.tournament
    is_in = me is not None and me.is_in
    takes = tournament.state == STATE.OPEN or (tournament.state == STATE.RUNNING and tournament.is_arena)
    found: dict[str, Any] = {
        "is_in": is_in,
        "offer": telling.offer_of(tournament, request.user)
        if me is None and tournament.state == STATE.RUNNING
        else None,
        "left": telling.left_words(me.left) if me is not None and not is_in else "",
        "takes": takes and not is_in,
        "is_member": user is not None,
        "why_not": "",
        "unconfirmed": user is not None and not user.is_confirmed,
        "link": link_for(tournament, user, me),
    }
    if takes and not is_in and user is not None:
        found["why_not"] = why_not(tournament, user, tournament.token if me is not None else token)
    if me is None or tournament.state not in (STATE.RUNNING, STATE.OVER):
        return found
    place = next((line["place"] for line in standing.lines if line["number"] == me.number), None)
    found |= {"place": place, "of": len(standing.lines), "won": place == 1 and tournament.state == STATE.OVER}
    return found | (_now(request, standing, me, rounds) if tournament.state == STATE.RUNNING else {})


def link_for(tournament: Tournament, user: User | None, me: Player | None) -> str:
    """Return the link by which this member, who is `me` there, may pass a tournament on; empty if they may not."""
    is_secret = tournament.access == Tournament.Access.LINK
    passes_on = user is not None and (_knows(tournament, user, me) if is_secret else tournament.state == STATE.OPEN)
    return telling.link_of(tournament) if passes_on else ""


def _knows(tournament: Tournament, user: User | None, me: Player | None) -> bool:
    return me is not None or (user is not None and tournament.organiser_id == user.pk)


def _now(request: HttpRequest, standing: Standing, me: Player, rounds: list[Round]) -> dict[str, Any]:
    """Return what waits for somebody in a running tournament: their tables, whether they wait, what they need."""
    tournament = standing.tournament
    matches = play.my_running(request.user).filter(tournament_table__round__tournament=tournament)
    mine = list(matches.annotate(table_state=F("tournament_table__state")).order_by("pk"))
    found: dict[str, Any] = {"ready": me.ready_at is not None, "outside": []}
    for state in (Table.State.RUNNING, Table.State.JUDGED, Table.State.VOID):
        lines = lines_of([match for match in mine if match.table_state == state], request.user)
        if state == Table.State.RUNNING:
            found |= {"next": lines, "playing": bool(lines)}
        elif lines:
            found["outside"].append({"words": telling.outside_words(state), "lines": lines})
    if not tournament.is_arena and rounds:
        found["between"] = _between(standing, me, rounds[-1].number)
        need, final = standing.need(me.number, rounds[-1].number)
        found["need"] = telling.need_words(need, final=final) if need is not None else []
    return found


def _between(standing: Standing, me: Player, last: int) -> str:
    """Return what follows for somebody who has no match in a running tournament now."""
    if any(me.number in table for _round, table in standing.running):
        return _("Your table is about to begin.")
    if standing.is_staged:
        return _("Whether you go on shows when all tables of this round are over.")
    if standing.rounds is not None and last >= standing.rounds:
        return _("That was your last table: the standings are final when all others are over.")
    return _("Your table of this round is over. You are seated again when the next round is drawn.")


def _lists(request: HttpRequest, standing: Standing, rounds: list[Round], *, whole: bool) -> dict[str, Any]:
    tournament = standing.tournament
    if tournament.state == STATE.OPEN or not rounds:
        return {"people": standing.people()}
    lines = standing.lines
    pages = Paginator(lines, len(lines) if whole else LINES_SHOWN)
    page = pages.get_page(request.GET.get("page"))
    html = engines["jinja"].get_template("competitions/rows.jinja")
    winners = standing.shown(lines[:3]) if tournament.state == STATE.OVER else []
    return {
        "standing": page,
        "columns": standing.columns,
        "rows_html": SafeString(html.render({"rows": standing.shown(page), "columns": standing.columns})),
        "counted": standing.counted,
        "winners": winners,
        **_rounds(request, standing, rounds, whole=whole),
    }


def _rounds(request: HttpRequest, standing: Standing, rounds: list[Round], *, whole: bool) -> dict[str, Any]:
    """Return the rounds to choose from and the tables of one of them; of an arena, all, the latest first."""
    tournament = standing.tournament
    chosen = None if tournament.is_arena or whole else round_of(rounds, request.GET.get("round", ""))
    tables = rows.tables_of(tournament, chosen.number if chosen else None)
    pages = Paginator(tables, TABLES_PRINTED if whole else TABLES_SHOWN)
    page: Page[Any] = pages.get_page(request.GET.get("tables"))
    html = engines["jinja"].get_template("competitions/tables.jinja")
    several = chosen is None
    query = f"round={chosen.number}" if chosen else "whole=1" if whole else ""
    return {
        "rounds": [] if tournament.is_arena else [one.number for one in rounds],
        "announced": standing.rounds,
        "round": chosen,
        "round_ends": _ends(chosen if chosen is not None else rounds[-1], tournament),
        "tables": page,
        "tables_query": query,
        "tables_html": SafeString(html.render({"tables": standing.tables(page), "several": several})),
    }


def _ends(round_: Round, tournament: Tournament) -> str:
    """Return in words until when a round that is not over may take; empty for others."""
    if round_.ended_at is not None or tournament.state != STATE.RUNNING:
        return ""
    return "" if round_.ends_at < clock.now() else until(int(round_.ends_at.timestamp() * 1000))


@require_safe
@refusals_shown(shown)
@sql.snapshot()
def record(request: HttpRequest, tournament_id: int) -> HttpResponse:
    """Give the record of a tournament that is over, by which anybody may check its draws and standings."""
    tournament = find(request, tournament_id)
    if not is_opened(tournament):
        raise NotOver
    answer = JsonResponse(record_of(tournament), json_dumps_params={"indent": 1, "ensure_ascii": False})
    answer["Content-Disposition"] = f'attachment; filename="club-y-tournament-{tournament.pk}.json"'
    return answer
