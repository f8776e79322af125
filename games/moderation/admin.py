"""The moderators' part of the admin: reports, audit, sanctions, chat lines, members and matches."""

from typing import Any, ClassVar

from allauth.account.models import EmailAddress
from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib import admin, messages
from django.contrib.auth.models import Group
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.loader import render_to_string
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils.http import urlencode
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from accounts.access import member_of
from accounts.admin import MemberAdmin
from accounts.models import User
from games.admin import MatchAdmin
from games.admin_lists import ReadOnly, ShownFiltersOnly, among, labelled
from games.models import Audit, ChatLine, Match
from games.moderation import hints, reports
from games.moderation.action_page import act, look
from games.moderation.matches import Partial
from games.moderation.models import Report, Sanction


class Queue(admin.SimpleListFilter):
    """Filter reports by state; open ones by default."""

    title = gettext_lazy("state")
    parameter_name = "state"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [("all", _("All")), *((value, str(label)) for value, label in Report.State.choices)]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Report]) -> QuerySet[Report]:
        wanted = self.value()
        if wanted in Report.State:
            return queryset.filter(state=wanted)
        return queryset if wanted == "all" else queryset.filter(state__in=reports.OPEN)

    def choices(self, changelist: Any) -> Any:
        default = changelist.get_query_string(remove=["state"])
        yield {"selected": self.value() is None, "query_string": default, "display": _("waiting")}
        for value, label in self.lookup_choices:
            chosen = changelist.get_query_string({"state": value})
            yield {"selected": self.value() == value, "query_string": chosen, "display": label}


@admin.display(description=gettext_lazy("details"))
def details(row: Audit) -> str:
    return row.told or "–"


class WithActions:
    """A page whose "Act" button leads to the list of actions on it."""

    change_form_template: ClassVar[Any] = "admin/moderation/act_link.html"
    acts_on: ClassVar[str] = ""

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        more = {"act_url": act_url(**{self.acts_on: object_id}) if request.user.has_perm(MODERATE) else ""}
        return super().change_view(request, object_id, form_url, (extra_context or {}) | more)  # type: ignore[misc]


AT = labelled("at", gettext_lazy("when"))
MEMBER = labelled("member", gettext_lazy("member"))
UNTIL = labelled("until", pgettext_lazy("sanction", "until"))
MATCH = labelled("match_id", gettext_lazy("match"))
MODERATE, SEE_HIDDEN = "moderation.moderate", "moderation.see_hidden"


def act_url(**about: str | int) -> str:
    return f"{reverse('admin:moderation_act')}?{urlencode(about)}"


class ModerationAdmin(ReadOnly, ShownFiltersOnly, admin.ModelAdmin):
    """What moderators look at: read-only lists, the newest first, without a count of all rows."""

    search_help_text = gettext_lazy("A match number, or a member's name")
    ordering = ("-pk",)
    show_full_result_count = False


@admin.register(Report)
class ReportAdmin(WithActions, ModerationAdmin):
    acts_on = "report"
    list_display = ("id", "state", "reason", "member", MATCH, "reporter", AT, "taken_by")
    list_filter = (Queue, "reason")
    list_select_related = ("member", "reporter", "taken_by")
    search_fields = ("=match__id", "member__username", "reporter__username")
    list_per_page = 50
    fields = (
        *(("state", "taken_by", "at", "closed_at"), ("reason", "reporter", "member", "match")),
        *("words", "said", "context", "done"),
    )
    readonly_fields = ("context", "done")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Report]:
        return reports.open_to(member_of(request), super().get_queryset(request))

    def get_object(self, request: HttpRequest, object_id: str, from_field: str | None = None) -> Report | None:
        found: Report | None = super().get_object(request, object_id, from_field)
        if found is not None:
            reader = member_of(request)
            found.around, found.others = reports.lines_around(found, reader), reports.others(found, reader)
        return found

    @admin.display(description=gettext_lazy("around it"))
    def context(self, found: Report) -> SafeString:
        shown = {"lines": found.around, "report": found, "others": found.others}
        return render_to_string("admin/moderation/around.html", shown)

    @admin.display(description=gettext_lazy("done"))
    def done(self, found: Report) -> SafeString:
        rows = found.audits.select_related("moderator").order_by("pk")
        return render_to_string("admin/moderation/audits.html", {"audits": rows})


@admin.register(Audit)
class AuditAdmin(ModerationAdmin):
    list_display = ("id", AT, "moderator", "deed", "member", MATCH, details, "reason")
    list_filter = ("deed",)
    list_select_related = ("moderator", "member")
    fields: ClassVar[Any] = (
        *(("at", "moderator", "deed"), ("member", "match", "report")),
        *("line", details, "reason"),
    )
    readonly_fields: ClassVar[Any] = (details,)
    search_fields = ("=match__id", "member__username", "moderator__username")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Audit]:
        return reports.told_to(member_of(request), super().get_queryset(request))

    def get_urls(self) -> list[URLPattern]:
        own = path("act/", self.admin_site.admin_view(self.act_view), name="moderation_act")
        return [own, *super().get_urls()]

    def act_view(self, request: HttpRequest) -> HttpResponse:
        """The actions on what `?report=`, `?member=`, `?match=`, `?line=` name; `&deed=` names one."""
        if not request.user.has_perm(MODERATE):
            raise PermissionDenied
        status, context = act(request, member_of(request))
        if status == 302:
            messages.success(request, _("%(what)s: done and recorded.") % {"what": context["done"]})
            return redirect(context["to"])
        template = "admin/moderation/deed.html" if "form" in context else "admin/moderation/act.html"
        context = self.admin_site.each_context(request) | context
        return TemplateResponse(request, template, context, status=status)


@admin.register(Sanction)
class SanctionAdmin(ModerationAdmin):
    list_display = ("id", MEMBER, "kind", "at", UNTIL, "ended_at", "reason")
    fields: ClassVar[Any] = ((MEMBER, "kind"), ("at", UNTIL, "ended_at"), "reason")
    readonly_fields: ClassVar[Any] = (MEMBER, UNTIL)
    list_filter = ("kind",)
    list_select_related = ("member",)
    search_fields = ("member__username",)
    search_help_text = gettext_lazy("A member's name")


@admin.register(ChatLine)
class ChatLineAdmin(WithActions, ModerationAdmin):
    acts_on = "line"
    list_display = ("id", AT, "user", MATCH, "channel", "hidden", "text")
    list_filter = ("channel", "hidden")
    list_select_related = ("user",)
    search_fields = ("=match__id", "user__username")
    fields = (("at", "user", "match", "channel", "hidden"), "text")

    def get_queryset(self, request: HttpRequest) -> QuerySet[ChatLine]:
        return super().get_queryset(request).exclude(pk__in=reports.behind(member_of(request)))


PRIVATE = ("email", "language", "time_zone", "colours", "reduced_motion", "last_login")

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
    ordering = ("-pk",)


@admin.register(User)
class ModeratedMemberAdmin(WithActions, ShownFiltersOnly, MemberAdmin):
    """Members with their reports, sanctions and audit; the e-mail only for who may change members."""

    acts_on = "member"
    show_full_result_count = False
    list_per_page = 50
    ordering = ("-pk",)  # the order of joining, and by an index
    list_filter: ClassVar[Any] = tuple(
        among("language", gettext_lazy("language"), lambda: settings.LANGUAGES) if one == "language" else one
        for one in MemberAdmin.list_filter
    )
    readonly_fields: ClassVar[Any] = (*MemberAdmin.readonly_fields, "known", "hints")
    fieldsets: ClassVar[Any] = (
        *MemberAdmin.fieldsets[:1],
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
            found.deeds_about = deeds.select_related("moderator").order_by("-pk")[: reports.MOST_SHOWN]  # type: ignore[attr-defined]
        return found

    @admin.display(description=gettext_lazy("reports, sanctions, audit"))
    def known(self, member: User) -> SafeString:
        shown = {
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
        return super().get_queryset(request).defer("state", "setup_draws", "outcome", "earlier_seeds")

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
