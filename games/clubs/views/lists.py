"""The list of clubs, and the form of a new one."""

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from accounts.access import member_of
from config.lib import sql
from games.clubs import queries
from games.clubs.forms.making import ClubForm
from games.clubs.services import making
from games.clubs.services.locking import check_person
from games.clubs.views.finding import member, to_club, within
from games.models import LONGEST_CLUB_NAME
from games.queries.clubs import with_news
from games.services.refusals import Refused
from games.views.once import once
from games.views.responses import to_sign_up, with_refusals

PER_PAGE = 20


@require_safe
@sql.snapshot()
def clubs(request: HttpRequest) -> HttpResponse:
    """Show the clubs that everybody may find, twenty a page, and one's own; `?search=` is part of a name."""
    search = request.GET.get("search", "").replace("\0", "")[:LONGEST_CLUB_NAME].strip()
    page = Paginator(queries.listed(search), PER_PAGE).get_page(request.GET.get("page"))
    me = member(request)
    context = {
        "page": page,
        "search": search,
        "query": urlencode({"search": search}) if search else "",
        "is_member": me is not None,
        "own": queries.own(me) if me is not None else [],
        "news": set(with_news(me).values_list("club", flat=True)) if me is not None else set(),
        "invited": queries.invitations(me) if me is not None else [],
        "asked": queries.asked(me) if me is not None else [],
    }
    return render(request, "games/clubs/list.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@with_refusals
def new_club(request: HttpRequest) -> HttpResponse:
    """Show the form of a new club, and make it; a visitor or guest is led to sign-up, and back."""
    if not request.user.is_authenticated or member_of(request).is_guest:
        return to_sign_up(request.path)
    check_person(member_of(request))
    form, status = ClubForm(request.POST if request.method == "POST" else None), 200
    if form.is_bound:
        status = 400
        if form.is_valid():
            try:
                return _made(request, form)
            except ValidationError as error:
                form.add_error("name", error)
            except Refused as refusal:  # the form keeps the text
                form.add_error(None, str(refusal))
                status = refusal.status
    return render(request, "games/clubs/new.html", {"form": form}, status=status)


@once
def _made(request: HttpRequest, form: ClubForm) -> HttpResponse:
    within(request, "club")
    club = making.make(user=member_of(request), **form.cleaned_data)
    messages.success(
        request, _("Your club is there. Give its link to people you would like to have in it: press “Invite”.")
    )
    return to_club(club.pk)
