"""Tournaments in the admin: what was announced, how they stand, what was corrected; only services change them."""

from typing import Any, ClassVar

from django.contrib import admin, messages
from django.db.models import Count, OuterRef, QuerySet, Subquery
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import URLPattern, path, reverse
from django.utils.html import format_html
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from accounts.access import member_of
from games.admin_lists import ReadOnly, ShownFiltersOnly, labelled, of_game
from games.competitions.models import Correction, Entrant, Tournament
from games.competitions.services import aside
from games.time_controls import pace_name
from games.views.operation import RUN_SITE, for_admins
from games.views.responses import LARGEST, posted

MODERATE = "moderation.moderate"
SHOWN = 50  # of those set aside, on the operation page
ORGANISER, TROUBLED = (
    labelled("organiser", _("organiser")),
    labelled("troubled_at", pgettext_lazy("tournament", "set aside at")),
)
GAME = labelled("game_name", _("game"), ordering="game_slug")
CREATED, BEGAN = labelled("created_at", _("announced at")), labelled("began_at", _("began at"))
ENDED, TROUBLE = labelled("ended_at", pgettext_lazy("tournament", "ended at")), labelled("trouble", _("trouble"))
OPTIONS = labelled("options", _("options"))


class Aside(admin.SimpleListFilter):
    """Tournaments at which a sweep failed."""

    title = pgettext_lazy("tournament", "set aside")
    parameter_name = "aside"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        return [("1", pgettext_lazy("tournament", "set aside"))]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Tournament]) -> QuerySet[Tournament]:
        return queryset.filter(troubled_at__isnull=False) if self.value() == "1" else queryset


class CorrectionInline(ReadOnly, admin.TabularInline):
    model = Correction
    template = "admin/games/match/rows.html"
    fields: ClassVar[Any] = (
        labelled("at", _("when")),
        labelled("kind", _("what")),
        labelled("by", _("by")),
        "who",
        "where",
        labelled("reason", _("reason")),
    )
    readonly_fields: ClassVar[Any] = fields
    extra = 0

    def has_view_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return request.user.has_perm(MODERATE)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Correction]:
        found = super().get_queryset(request)
        return found.select_related("by", "entrant__user", "instead__user", "table__round")

    @admin.display(description=_("who"))
    def who(self, row: Correction) -> str:
        """Return whom it concerns, and who came instead, by numbers and names."""
        return " → ".join(f"{one.number} {one.user or ''}".strip() for one in (row.entrant, row.instead) if one) or "–"

    @admin.display(description=_("round and table"))
    def where(self, row: Correction) -> str:
        return f"{row.table.round.number} · {row.table.number}" if row.table else "–"


@admin.register(Tournament)
class TournamentAdmin(ReadOnly, ShownFiltersOnly, admin.ModelAdmin):
    list_display: Any = ("id", "name", "state", "format", GAME, ORGANISER, "entered", "begins_at", TROUBLED, "ways")
    list_filter = ("state", "format", of_game("game_slug"), "access", Aside)
    list_select_related = ("organiser", "club")
    list_per_page = 50
    by_index = frozenset({"state__exact=open", "state__exact=running"})
    search_fields = ("=id", "organiser__username", "entrants__user__username")
    search_help_text = _("A tournament’s number, or how the name of its organiser or of who takes part begins")
    ordering = ("-pk",)
    fields: ClassVar[Any] = (
        ("name", "ways"),
        ("state", "format", GAME, OPTIONS),
        (ORGANISER, "entered", "access", "club"),
        ("seats", "rounds_wished", "advance", "matches"),
        ("pace_words", "rated", "round_hours", "judge"),
        ("least", "most", "lowest_rating", "highest_rating", "least_ended", "least_reliability"),
        (CREATED, "begins_at", BEGAN, ENDED),
        (TROUBLED, TROUBLE),
        "words",
    )
    readonly_fields: ClassVar[Any] = (
        *("ways", "entered", "pace_words", "round_hours", GAME, OPTIONS, ORGANISER),
        *(CREATED, BEGAN, ENDED, TROUBLED, TROUBLE),
    )
    inlines = (CorrectionInline,)

    def has_view_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return request.user.has_perm(MODERATE)

    def has_module_permission(self, request: HttpRequest) -> bool:
        return self.has_view_permission(request)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Tournament]:
        in_it = Entrant.objects.filter(tournament=OuterRef("pk"), left="").order_by().values("tournament")
        rows = super().get_queryset(request).defer("server_seed", "token")
        return rows.annotate(number=Subquery(in_it.annotate(n=Count("pk")).values("n")))

    def get_urls(self) -> list[URLPattern]:
        again = path("<int:tournament_id>/again/", look_again, name="competitions_tournament_again")
        return [again, *super().get_urls()]

    @admin.display(description=_("who take part"))
    def entered(self, tournament: Any) -> int:
        return tournament.number or 0

    @admin.display(description=_("time to think"), ordering="pace_slug")
    def pace_words(self, tournament: Tournament) -> str:
        return pace_name(tournament.pace_slug)

    @admin.display(description=_("limit of a round, in hours"))
    def round_hours(self, tournament: Tournament) -> str:
        return f"{tournament.round_limit / 60:g}"

    @admin.display(description=_("look, correct"))
    def ways(self, tournament: Tournament) -> str:
        """Return the ways to the tournament's page, and to the one on which it is corrected."""
        page, manage = (reverse(name, args=[tournament.pk]) for name in ("tournament", "tournament-manage"))
        words = gettext("The page"), gettext("Correct it")
        return format_html('<a href="{}">{}</a> · <a href="{}">{}</a>', page, words[0], manage, words[1])


@posted
@for_admins(RUN_SITE)
def look_again(request: HttpRequest, tournament_id: int) -> HttpResponse:
    """Let the next sweep look at a tournament that was set aside."""
    if tournament_id >= LARGEST:
        raise Http404
    tournament = get_object_or_404(Tournament.objects.only("name"), pk=tournament_id)
    if aside.look_again(admin=member_of(request), tournament=tournament):
        words = gettext("The next sweep looks at the tournament “%(name)s” again.")
        messages.success(request, words % {"name": tournament.name})
    else:
        messages.info(request, gettext("The tournament “%(name)s” is not set aside any more.") % {"name": tournament})
    return redirect("operation")


def set_aside() -> list[dict[str, Any]]:
    """Return the tournaments at which a sweep failed, for the operation page; a hook (SET_ASIDE). 50 at most."""
    return [
        {
            "name": f"{row.name} ({row.pk})",
            "page": reverse("admin:competitions_tournament_change", args=[row.pk]),
            "again": reverse("admin:competitions_tournament_again", args=[row.pk]),
            "troubled_at": row.troubled_at,
            "trouble": row.trouble,
        }
        for row in aside.set_aside().only("name", "troubled_at", "trouble")[:SHOWN]
    ]
