"""Clubs in the admin: what they say of themselves and who belongs to them; a page corrects or dissolves one."""

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
from games.admin_lists import ReadOnly, ShownFiltersOnly, labelled
from games.clubs.forms.moderating import CorrectionForm
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
