"""Clubs in the admin: what they say of themselves and who belongs to them; a page corrects or dissolves one.

Club matches and circles of friends, with the error at which a sweep failed.
"""

from typing import Any, ClassVar

from django.contrib import admin, messages
from django.core.exceptions import ValidationError
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils.html import format_html
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_http_methods

from accounts.access import member_of
from games.admin_lists import ReadOnly, ShownFiltersOnly, labelled, of_game
from games.clubs.forms.moderating import CorrectionForm
from games.clubs.models import Circle, Encounter
from games.clubs.services import moderating
from games.models import Club, Membership
from games.services.operation.admin_actions import NoReason
from games.services.refusals import Refused
from games.views.operation import for_admins
from games.views.responses import LARGEST

MODERATE = "moderation.moderate"


class MembershipInline(ReadOnly, admin.TabularInline):
    model = Membership
    template = "admin/games/match/rows.html"
    fields: ClassVar[Any] = (labelled("user", _("member")), "state", "role", labelled("since", _("since")))
    readonly_fields: ClassVar[Any] = fields
    extra = 0

    def has_view_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return request.user.has_perm(MODERATE)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Membership]:
        return super().get_queryset(request).select_related("user").order_by("state", "since", "pk")


@admin.register(Club)
class ClubAdmin(ReadOnly, ShownFiltersOnly, admin.ModelAdmin):
    list_display: Any = ("id", "name", "access", "size", labelled("created_at", _("made at")), "ways")
    list_filter = ("access",)
    list_per_page = 50
    search_fields = ("=id", "memberships__user__username")
    search_help_text = _("A club’s number, or how the name of somebody who belongs to it begins")
    ordering = ("-pk",)
    fields: ClassVar[Any] = (("name", "ways"), ("access", "size", labelled("created_at", _("made at"))), "words")
    readonly_fields: ClassVar[Any] = ("ways", labelled("created_at", _("made at")))
    inlines = (MembershipInline,)

    def has_view_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return request.user.has_perm(MODERATE)

    def has_module_permission(self, request: HttpRequest) -> bool:
        return self.has_view_permission(request)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Club]:
        return super().get_queryset(request).defer("token")

    def get_urls(self) -> list[URLPattern]:
        return [path("<int:club_id>/correct/", correct, name="games_club_correct"), *super().get_urls()]

    @admin.display(description=_("look, correct"))
    def ways(self, club: Club) -> str:
        """Return the ways to the club's page, if everybody sees it, and to the one on which it is corrected."""
        words = gettext("The page"), gettext("Correct it")
        there = format_html('<a href="{}">{}</a>', reverse("admin:games_club_correct", args=[club.pk]), words[1])
        if not club.is_listed:
            return there
        return format_html('<a href="{}">{}</a> · {}', reverse("club", args=[club.pk]), words[0], there)


class OfClubs(ReadOnly, ShownFiltersOnly, admin.ModelAdmin):
    """A read-only list, the newest first, without a count of all rows."""

    ordering = ("-pk",)
    show_full_result_count = False


@admin.register(Encounter)
class EncounterAdmin(OfClubs):
    list_display = ("id", "challenger_name", "challenged_name", "game_slug", "state", "begins_at", "troubled_at")
    list_filter = ("state", of_game("game_slug"))
    search_fields = ("=id",)
    search_help_text = _("The number of a club match")
    fields = (
        ("challenger", "challenged"),
        ("state", "game_slug"),
        ("seats", "most_tables"),
        ("pace_slug", "rated"),
        "words",
        ("made_by", "made_at", "answer_by", "answered_at"),
        ("begins_at", "began_at", "ended_at"),
        ("troubled_at", "trouble"),
    )


@admin.register(Circle)
class CircleAdmin(OfClubs):
    list_display = ("id", "name", "game_slug", "maker", "weekday", "hour", "zone", "next_at", "paused", "troubled_at")
    list_filter = (of_game("game_slug"),)
    list_select_related = ("maker",)
    search_fields = ("maker__username",)
    search_help_text = _("How a member's name begins")
    fields = (
        ("name", "maker", "made_at"),
        ("game_slug", "size", "pace_slug", "rated"),
        ("weekday", "hour", "zone", "next_at"),
        ("paused", "missed"),
        ("troubled_at", "trouble"),
    )


@require_http_methods(["GET", "HEAD", "POST"])
@for_admins(MODERATE)
def correct(request: HttpRequest, club_id: int) -> HttpResponse:
    """Show the form that corrects a club, and do what it says, with a reason that is kept in the audit."""
    if club_id >= LARGEST:
        raise Http404
    club = get_object_or_404(Club.objects.defer("token"), pk=club_id)
    form = CorrectionForm(request.POST if request.method == "POST" else None, initial={"name": club.name})
    status = 200
    if form.is_bound:
        status = 400
        if form.is_valid():
            try:
                return _corrected(request, club, form.cleaned_data)
            except ValidationError as error:
                form.add_error("name", error)
            except NoReason:
                form.add_error("reason", gettext("Say why."))
            except Refused as refusal:
                form.add_error(None, str(refusal))
                status = refusal.status
    back = reverse("admin:games_club_change", args=[club.pk])
    context = admin.site.each_context(request) | {
        "title": gettext("Correct the club “%(name)s”") % {"name": club.name},
        "club": club,
        "form": form,
        "back": back,
    }
    return TemplateResponse(request, "admin/games/club/correct.html", context, status=status)


def _corrected(request: HttpRequest, club: Club, wishes: dict[str, Any]) -> HttpResponse:
    moderator, reason, key = member_of(request), wishes["reason"], wishes["key"]
    done = gettext("%(what)s: done and recorded.") % {"what": club.name}
    if wishes["dissolve"]:
        moderating.dissolve(club_id=club.pk, moderator=moderator, reason=reason, key=key)
        messages.success(request, done)
        return redirect("admin:games_club_changelist")
    moderating.correct(
        club_id=club.pk, moderator=moderator, reason=reason, name=wishes["name"], blank=wishes["blank"], key=key
    )
    messages.success(request, done)
    return redirect("admin:games_club_change", club.pk)
