"""Members, their addresses and matches in the admin, with the actions on them."""

from typing import Any, ClassVar

from allauth.account.models import EmailAddress
from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib import admin
from django.contrib.auth.models import Group
from django.core.exceptions import PermissionDenied
from django.db.models import Prefetch, QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.template.response import TemplateResponse
from django.urls import URLPattern, path
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.access import member_of
from accounts.admin import MemberAdmin
from accounts.models import User
from games.admin import MatchAdmin
from games.admin_lists import ReadOnly, ShownFiltersOnly, among
from games.forms.play import read_number
from games.models import Audit, Match, Seat
from games.moderation import hints, reports
from games.moderation.action_page import look
from games.moderation.admin.lists import SEE_HIDDEN, WithActions
from games.moderation.matches import Partial
from games.moderation.models import Report

PRIVATE = (
    "email",
    "language",
    "time_zone",
    "colours",
    "reduced_motion",
    "single_keys",
    "asks_before_final",
    "last_login",
)

admin.site.unregister(UserSession)  # network addresses are for their member alone
admin.site.unregister(Group)  # which rights there are is in the code: `models.MAY`
admin.site.unregister(EmailAddress)
admin.site.unregister(User)
admin.site.unregister(Match)


@admin.register(EmailAddress)
class AddressAdmin(ReadOnly, ShownFiltersOnly, admin.ModelAdmin):
    """Addresses, confirmed or not; a moderator's action on the member changes them."""

    list_display = ("email", "user", "primary", "verified")
    list_filter = ("primary", "verified")
    list_select_related = ("user",)
    search_fields = ("email", "user__username")
    search_help_text = gettext_lazy("A whole e-mail address, or how a member's name begins")
    ordering = ("-pk",)


@admin.register(User)
class ModeratedMemberAdmin(WithActions, ShownFiltersOnly, MemberAdmin):
    """Members with their reports, sanctions and audit; the e-mail only for who may change members."""

    acts_on = "member"
    by_index = frozenset({"is_staff__exact=1", "is_superuser__exact=1"})
    show_full_result_count = False
    list_per_page = 50
    ordering = ("-pk",)  # the order of joining, and by an index
    list_filter: ClassVar[Any] = tuple(
        among("language", gettext_lazy("language"), lambda: settings.LANGUAGES) if one == "language" else one
        for one in MemberAdmin.list_filter
    )
    change_form_template = "admin/moderation/member.html"
    readonly_fields: ClassVar[Any] = (*MemberAdmin.readonly_fields, "confirmed", "last_visit", "known", "hints")
    fieldsets: ClassVar[Any] = (
        *MemberAdmin.fieldsets[:1],
        (gettext_lazy("On the site"), {"fields": (("confirmed", "last_visit"),)}),
        (gettext_lazy("Moderation"), {"fields": ("known", "hints")}),
        *MemberAdmin.fieldsets[1:],
    )

    def get_list_display(self, request: HttpRequest) -> Any:
        return self._public(request, super().get_list_display(request))

    def get_list_filter(self, request: HttpRequest) -> Any:
        return self._public(request, super().get_list_filter(request))

    def get_search_fields(self, request: HttpRequest) -> Any:
        return self._public(request, super().get_search_fields(request))

    def get_fieldsets(self, request: HttpRequest, obj: Any = None) -> Any:
        shown = [
            (name, options | {"fields": self._public(request, options["fields"])})
            for name, options in super().get_fieldsets(request, obj)
        ]
        return [(name, options) for name, options in shown if options["fields"]]

    def _public(self, request: HttpRequest, names: Any) -> Any:
        """Leave out what moderators do not see (privacy page): address, settings, last log-in."""
        if self.has_change_permission(request):
            return names
        return tuple(name for name in names if getattr(name, "parameter_name", name) not in PRIVATE)

    def get_object(self, request: HttpRequest, object_id: str, from_field: str | None = None) -> User | None:
        found: User | None = super().get_object(request, object_id, from_field)
        if found is not None:
            reader = member_of(request)
            about = reports.open_to(reader, Report.objects.filter(member=found))
            found.reports_shown = about.order_by("-pk")[: reports.MOST_SHOWN]  # type: ignore[attr-defined]
            deeds = reports.told_to(reader, Audit.objects.filter(member=found))
            notes = deeds.filter(deed=Audit.Deed.NOTE).select_related("moderator")
            found.notes_about = notes.order_by("-pk")  # type: ignore[attr-defined]
            found.deeds_about = deeds.select_related("moderator").order_by("-pk")[: reports.MOST_SHOWN]  # type: ignore[attr-defined]
        return found

    @admin.display(description=gettext_lazy("address confirmed"), boolean=True)
    def confirmed(self, member: User) -> bool:
        return member.is_confirmed

    @admin.display(description=gettext_lazy("last visit"))
    def last_visit(self, member: User) -> str:
        return reports.date_words(member.seen_at) if member.seen_at else "–"

    @admin.display(description=gettext_lazy("notes, reports, sanctions, audit"))
    def known(self, member: User) -> SafeString:
        shown = {
            "notes": member.notes_about,  # type: ignore[attr-defined]
            "reports": member.reports_shown,  # type: ignore[attr-defined]
            "sanctions": member.sanctions.order_by("-pk")[: reports.MOST_SHOWN],
            "audits": member.deeds_about,  # type: ignore[attr-defined]
        }
        return render_to_string("admin/moderation/known.html", shown)

    @admin.display(description=gettext_lazy("hints of several accounts"))
    def hints(self, member: User) -> SafeString:
        return render_to_string("admin/moderation/hints.html", hints.shown(member))


@admin.register(Match)
class ModeratedMatchAdmin(WithActions, MatchAdmin):
    """Matches, the actions on them, and, with the permission, their hidden state."""

    acts_on = "match"
    change_form_template = "admin/moderation/match.html"
    date_hierarchy: ClassVar[Any] = None  # it would read every row to find the years

    def get_queryset(self, request: HttpRequest) -> QuerySet[Match]:
        seats = Prefetch("seats", Seat.objects.select_related("user").order_by("number"))
        rows = super().get_queryset(request).defer("state", "setup_draws", "outcome", "earlier_seeds")
        return rows.prefetch_related(seats)

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        number = read_number(object_id)
        match = Match.objects.filter(pk=number).first() if number is not None else None
        sees = match is not None and (match.is_public or reports.may_watch(match, request.user, request.session))
        return super().change_view(request, object_id, form_url, (extra_context or {}) | {"sees_page": sees})

    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view(self.hidden_view)
        return [path("<int:match_id>/hidden/", view, name="games_match_hidden"), *super().get_urls()]

    def hidden_view(self, request: HttpRequest, match_id: int) -> HttpResponse:
        """The whole state of a match, after giving a reason; each look is kept in the audit."""
        if not request.user.has_perm(SEE_HIDDEN):
            raise PermissionDenied
        match = Match.objects.filter(pk=match_id).first() if match_id < 2**63 else None
        if match is None or not match.state:
            raise Http404
        whole = self.admin_site.each_context(request) | {"title": _("Hidden state"), "match": match}
        try:
            context, status = look(request, member_of(request), match), 200
        except Partial as refusal:
            context, status = {"refusal": refusal}, refusal.status
        return TemplateResponse(request, "admin/moderation/hidden.html", whole | context, status=status)
