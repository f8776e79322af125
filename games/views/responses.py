"""How a match is shown: access checked, as a page or a fragment, with a refusal if there is one."""

import re
from contextlib import suppress
from functools import wraps
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.core.cache import cache
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.middleware.csrf import _does_token_match, get_token  # type: ignore[attr-defined]
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import Resolver404, resolve, reverse
from django.utils import timezone
from django.utils.http import urlencode
from django.utils.module_loading import import_string
from django.utils.translation import get_language

from accounts.access import Hidden, View, member_of, page_of
from accounts.names import is_guests
from accounts.services.guests import LONGEST_TYPED, is_drawn
from config.lib import clock
from games.clocks import span
from games.forms.people import names_in, picker
from games.forms.play import read_turn
from games.models import Match, Seat, Wish
from games.partners import STRENGTHS
from games.queries import people, play
from games.rules import template_of
from games.services import hooks
from games.services.chat import mentions
from games.services.lobby import joining
from games.services.lobby.closing import is_host
from games.services.play import returning
from games.services.refusals import GuestsCannot, NotAPage, NotesChanged, Refused, TooOften
from games.table import Table, headline, render_orders, seat_name, seat_of_viewer
from games.viewing import Viewing
from games.views.chat_rendering import has_chat, render_chat
from games.views.dice import luck_panel
from games.views.dice_shown import dice_shown
from games.views.links import card_address, link_of, rating_range, shared_title, table_picture, told
from games.views.refusals import refused_page

TOKEN = re.compile("[A-Za-z0-9]{32}|[A-Za-z0-9]{64}")
LARGEST = 2**63  # ids are smaller
LONGEST_NOTES = 20_000  # and of refused notes
LONGEST_DRAFT = 5000  # characters of a refused chat line that are shown again
FRAGMENT_KEPT = 60  # seconds
# Pages on which somebody is asked, and stays when they have answered.
ANSWERED_ON = {
    *("home", "lobby", "my-matches", "match", "chat", "log", "replay", "new-match", "game", "statistics", "profile"),
    *("leaderboard", "leaderboard-teams", "settings", "mail-settings", "days-off", "circle", "my-data", "privacy"),
}


class ViewedMatch(Viewing):
    """A match as the person of a request may see it."""

    def __init__(self, request: HttpRequest, match: Match, seats: list[Seat]) -> None:
        super().__init__(request.user, match, seats)
        self.request = request

    def shown(self, table: Table, refusal: str = "") -> str:
        """Return the table as HTML, cached for watchers by version, language and time zone."""
        if table["playing"]:
            return self.fragment(table, refusal, csrf_token=_token(self.request))
        if self.viewer is not None or self.offered or refusal or table["step"] is not None:
            return self.fragment(table, refusal)
        reader = f"{get_language()}:{timezone.get_current_timezone_name()}:{table['since']}"
        name = f"table:{self.match.pk}:{self.match.history}:{reader}"
        return cache.get_or_set(name, lambda: self.fragment(table), FRAGMENT_KEPT) or self.fragment(table)


def _token(request: HttpRequest) -> str:
    """Return the CSRF token for a table's forms: the page's own if that is still good, as a new one is slow."""
    held = request.headers.get("X-CSRFToken") or request.POST.get("csrfmiddlewaretoken", "")
    is_live = "X-CSRFToken" in request.headers or "X-Live" in request.headers
    secret = request.META.get("CSRF_COOKIE", "")
    is_good = is_live and bool(secret) and bool(TOKEN.fullmatch(held)) and _does_token_match(held, secret)
    return held if is_good else get_token(request)


def find(request: HttpRequest, match_id: int) -> ViewedMatch:
    """Return the match with its seats, for a person who may see it; Hidden for others."""
    try:
        match, seats = play.match_and_seats(match_id)
    except Match.DoesNotExist:
        raise Hidden(address(match_id)) from None
    shown = ViewedMatch(request, match, seats)
    if shown.is_shown:
        return shown
    if request.method in ("GET", "HEAD") and hooks.may_watch(match, request.user, request.session):
        return shown
    raise Hidden(address(match_id))


def address(match_id: int) -> str:
    """Return the address of a match, whether or not there is one."""
    return reverse("match", args=[match_id])


def match_response(shown: ViewedMatch, *, refusal: Refused | None = None, token: str = "") -> HttpResponse:
    """Return the whole page of a match, with a refusal's sentence and status if there is one."""
    match, viewer, request = shown.match, shown.viewer, shown.request
    since = viewer.seen if viewer is not None and viewer.seen < match.turns else None
    if "since" in request.GET:  # by a page that was open all the time
        since = read_turn(request.GET["since"])
    table = shown.table(since)
    is_open = match.status == Match.Status.OPEN
    context: dict[str, Any] = {
        "match": match,
        "seats": shown.seats,
        "viewer": viewer,
        "table": table,
        "headline": headline(table),
        "table_html": shown.shown(table, str(refusal or "")),
        "brief_html": brief(match),
        **_notes(shown, refusal),
        "orders_html": render_orders(table),
        "orders_mark": viewer.orders_mark if viewer else "",
        **dice_shown(match, shown.seats, viewer),
        "link": link_of(match) if is_open and viewer else "",
        "card": (card := card_address(match, token)) or table_picture(match),
        "told": told(match, shown.seats) if card and is_open else {},
        "shared_title": shared_title(match, shown.seats, token),
        "token": token,
        "as_guest": _as_guest(shown, token),
        "other_guests": [one.username for one in shown.seats if one is not viewer and is_guests(one.username or "")],
        "can_join": is_open and viewer is None,
        "why_not": joining.why_not(match, request.user, shown.seats) if is_open and viewer is None else "",
        "kept": is_open and viewer is None and play.is_kept(match, request.user),
        "invited": is_open and play.is_invited(match, request.user),
        "asked_again": is_open and play.played_before(match, request.user),
        "may_return": match.status == Match.Status.RUNNING and viewer is not None and viewer.may_return(match),
        "deserted": _deserted(shown),
        "checking": any(seat.ready_by for seat in shown.seats),
        "left_to_answer": span(table["ready_by"] - clock.now_ms()) if table["ready_by"] else "",
        "picker": _picker(shown, refusal) if is_open and viewer is not None else None,
        "guests": play.invited_names(match) if is_open and viewer else [],
        "declined": play.invited_names(match, declined=True) if is_open and viewer else [],
        "rematch": rematch_shown(shown) if match.status == Match.Status.ENDED and viewer else None,
        "challenge": _challenge(shown) if match.status == Match.Status.ENDED and viewer else "",
        "strengths": [(level, STRENGTHS[level]) for level in match.game.levels],
        "is_creator": is_host(match, shown.seats, request.user),
        "socket": f"/ws/?match={match.pk}",
        "refusal": refusal,
        "now": clock.now_ms(),
        "notices": _notices(shown),
        "range": rating_range(match) if is_open else "",
        "heads": [import_string(path)(match, shown.seats, viewer) for path in settings.MATCH_HEADS],
        "series": hooks.way_back(match, viewer, request.user),
        "panels": [import_string(path)(match, shown.seats, viewer) for path in settings.MATCH_PANELS],
        "luck_html": luck_panel(match, shown.seats, viewer),
        "is_stopping": match.paused_at or any(seat["wants_pause"] or seat["wants_call_off"] for seat in table["seats"]),
    }
    if not token and has_chat(match, shown.seats, viewer):
        draft = request.POST.get("text", "")[:LONGEST_DRAFT] if refusal else ""
        context["chat_news"] = viewer is not None and bool(mentions.with_news(request.user, [match.pk]))
        context["chat_html"] = render_chat(request, match, shown.seats, draft=draft)
    status = refusal.status if refusal else 200
    return render(request, "games/play/match.html", context, status=status)


def _as_guest(shown: ViewedMatch, token: str) -> dict[str, Any] | None:
    """Return whether a visitor or guest may sit down here, and under which name; None if they may not."""
    user, post = shown.request.user, shown.request.POST
    is_known = user.is_authenticated and not is_drawn(user.username)
    if not shown.match.takes_guests or (user.is_authenticated and not user.is_guest):
        return None
    if not token and not play.is_invited(shown.match, user) and not play.played_before(shown.match, user):
        return None
    return {"name": user.username if is_known else "", "typed": post.get("guest", "")[:LONGEST_TYPED]}


def _picker(shown: ViewedMatch, refusal: Refused | None) -> dict[str, Any]:
    """Return what is shown for picking people to invite: who is here or asked already is not proposed."""
    here = {seat.username for seat in shown.seats} | set(play.invited_names(shown.match))
    known = [name for name in people.known_names(shown.request.user) if name not in here]
    return picker(known, names_in(shown.request.POST.getlist("name")) if refusal else [])


def _notes(shown: ViewedMatch, refusal: Refused | None) -> dict[str, str]:
    """Return the viewer's notes, or those that were refused, and beside them what was saved meanwhile."""
    viewer, post = shown.viewer, shown.request.POST
    if viewer is None:
        return {"notes": ""}
    written = post["notes"].replace("\r\n", "\n")[:LONGEST_NOTES] if refusal and "notes" in post else viewer.notes
    others = viewer.notes if isinstance(refusal, NotesChanged) else ""
    return {"notes": written, "notes_mark": viewer.notes_mark, "notes_saved": others}


def _notices(shown: ViewedMatch) -> list[tuple[Wish, bool]]:
    """Return what a member may be told of their running match while they are away, each with whether it is so."""
    viewer, match = shown.viewer, shown.match
    is_told = match.status == Match.Status.RUNNING and not match.pace.is_live
    if viewer is None or not is_told or member_of(shown.request).is_guest:
        return []
    return [(wish, viewer.notices == wish) for wish in Wish]


def _deserted(shown: ViewedMatch) -> str:
    """Return whose seat this person may take over as a substitute; empty if there is none."""
    if shown.match.status != Match.Status.RUNNING:
        return ""
    seat = returning.offered(shown.match, shown.seats, shown.request.user)
    return seat_name(seat) if seat and not joining.why_not(shown.match, shown.request.user, shown.seats) else ""


def _challenge(shown: ViewedMatch) -> str:
    """Return the query of a new table's form with the members who played here; empty without any, and for guests."""
    others = [seat.username for seat in shown.seats if seat.username and seat is not shown.viewer]
    members = [name for name in others if not is_guests(name)]
    if not members or is_guests(shown.request.user.username):
        return ""
    about = {"game": shown.match.game_slug, "pace": shown.match.pace_slug, "invited": members}
    return urlencode(about, doseq=True)


def rematch_shown(shown: ViewedMatch) -> dict[str, Any] | None:
    """Return what a player of an ended match may know of its rematch; None without one."""
    user = shown.request.user
    following_id = Match.objects.filter(rematch_of=shown.match).values_list("pk", flat=True).first()
    if following_id is None:
        return None
    following, seats = play.match_and_seats(following_id)
    is_open = following.status == Match.Status.OPEN
    own = seat_of_viewer(seats, user.pk)
    if following.is_of_club and not play.sees(following, own, user):  # they have left the club since
        return None
    is_in = own is not None
    asks_me = is_open and not is_in and play.is_invited(following, user)
    return {
        "id": following.pk,
        "is_open": is_open,
        "is_in": is_in,
        "asks_me": asks_me,
        "commitment": following.commitment,
        "why_not": joining.why_not(following, user, seats) if asks_me else "",
        "can_ask": is_open and not is_in and not asks_me,
        "names": [seat_name(seat) for seat in seats if seat.is_in],
    }


def brief(match: Match) -> str:
    """Return the rules of a match in brief, in the active language."""
    return render_to_string(template_of(match.game_slug, match.rules_version, f"brief.{get_language()}.html"))


def back(request: HttpRequest, match_id: int, otherwise: str) -> HttpResponse:
    """Return to the page on which this was answered, unless it is one of this match; else to the address given."""
    with suppress(Resolver404, ValueError):  # a header may be anything
        parts = urlsplit(request.headers.get("Referer", ""))
        page = resolve(parts.path) if parts.netloc == request.get_host() else None
        if page is not None and page.url_name in ANSWERED_ON and page.kwargs.get("match_id") != match_id:
            return HttpResponseRedirect(parts.path)
    return redirect(otherwise)


def posted(view: View) -> View:
    """Let a view accept POST alone; other methods get a page that says so (405)."""

    @wraps(view)
    def wrapped(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if request.method == "POST":
            return view(request, *args, **kwargs)
        refusal = NotAPage()
        answer = refused_page(request, refusal)
        answer["Allow"] = "POST"
        return answer

    wrapped.post_only = True  # type: ignore[attr-defined]
    return wrapped


def with_refusals(view: View) -> View:
    """Show a view's refusal on the page of its match, if the person may see that.

    This includes the rate limit. A script (`X-Live`) gets the table alone; a guest is led to sign-up.
    """

    @wraps(view)
    def wrapped(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        try:
            if getattr(request, "is_too_fast", False):
                raise TooOften
            return view(request, *args, **kwargs)
        except Match.DoesNotExist:
            raise Hidden(address(kwargs.get("match_id", 0))) from None
        except GuestsCannot as refusal:
            match_id = kwargs.get("match_id")
            back = f"/matches/{match_id}/" if match_id else page_of(request)
            messages.info(request, str(refusal))
            return to_sign_up(back)
        except Refused as refusal:
            shown, token = _place(request, kwargs.get("match_id"))
            if shown is None:
                return refused_page(request, refusal)
            shown.refuse(refusal, request.POST)
            if request.headers.get("X-Live"):
                table = shown.table(read_turn(request.POST.get("since")))
                return HttpResponse(shown.shown(table, str(refusal)), status=refusal.status)
            return match_response(shown, refusal=refusal, token=token)

    wrapped.says_too_often = True  # type: ignore[attr-defined]
    return wrapped


def to_sign_up(back: str) -> HttpResponse:
    """Lead a visitor or guest to sign-up, which says what for, and back to this address after it."""
    return redirect(f"{reverse('account_signup')}?{urlencode({'next': back})}")


def _place(request: HttpRequest, match_id: int | None) -> tuple[ViewedMatch | None, str]:
    """Return where a refusal is shown, and the token of the link by which the person sees it, if they do."""
    if match_id is None:
        return None, ""
    token = request.POST.get("token", "")
    by_link = play.opens(token, match_id)
    try:
        return find(request, match_id), ""
    except Hidden:
        if not by_link and play.late_invitation(match_id, request.user) is None:
            raise
    shown = ViewedMatch(request, *play.match_and_seats(match_id))
    is_open = by_link and shown.match.status == Match.Status.OPEN
    return (shown, token) if is_open else (None, "")


def players_only(view: View) -> View:
    """Lead a visitor to log-in, which shows the text they posted (accounts.middleware), and then to the match."""

    @wraps(view)
    def wrapped(request: HttpRequest, *args: Any, match_id: int, **kwargs: Any) -> HttpResponse:
        if request.user.is_authenticated:
            return view(request, *args, match_id=match_id, **kwargs)
        token = request.POST.get("token", "")
        by_link = play.opens(token, match_id)
        return redirect_to_login(reverse("join-link", args=[token]) if by_link else f"/matches/{match_id}/")

    return wrapped


def player_action(view: View) -> View:
    """Make a view an action of a logged-in person at a match, reached by POST, with refusals shown there."""
    return posted(with_refusals(players_only(view)))
