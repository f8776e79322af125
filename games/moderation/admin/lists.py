"""The moderators' lists in the admin: reports, appeals, audit, sanctions, chat lines, banned addresses."""

from typing import Any, ClassVar

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db.models import Case, IntegerField, QuerySet, When
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.loader import render_to_string
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils.http import urlencode
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from accounts.access import member_of
from config.lib.formats import number
from games.admin_lists import ReadOnly, ShownFiltersOnly, labelled
from games.models import Audit, ChatLine
from games.moderation import bars, queue, reports
from games.moderation.action_page import act
from games.moderation.forms import BarForm
from games.moderation.models import Appeal, Barred, Report, Sanction
from games.services.operation.admin_actions import NoReason


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


class BansToConfirm(admin.SimpleListFilter):
    """Filter sanctions by whether they wait for a second moderator."""

    title = gettext_lazy("a ban to be confirmed")
    parameter_name = "to_ban"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [("1", _("waiting"))]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Sanction]) -> QuerySet[Sanction]:
        return queryset.filter(to_ban=True, ended_at=None) if self.value() == "1" else queryset


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
        about = self.acted_on(request, object_id) if request.user.has_perm(MODERATE) else {}
        more = {"act_url": act_url(**about) if about else ""}
        return super().change_view(request, object_id, form_url, (extra_context or {}) | more)  # type: ignore[misc]

    def acted_on(self, request: HttpRequest, object_id: str) -> dict[str, str | int]:
        """Return whom or what the actions are on, as their page's address names it; {} for nothing."""
        return {self.acts_on: object_id}


AT = labelled("at", gettext_lazy("when"))
MEMBER = labelled("member", gettext_lazy("member"))
UNTIL = labelled("until", pgettext_lazy("sanction", "until"))
MATCH = labelled("match_id", gettext_lazy("match"))
MODERATE, SEE_HIDDEN = "moderation.moderate", "moderation.see_hidden"


def act_url(**about: str | int) -> str:
    return f"{reverse('admin:moderation_act')}?{urlencode(about)}"


class ModerationAdmin(ReadOnly, ShownFiltersOnly, admin.ModelAdmin):
    """What moderators look at: read-only lists, the newest first, without a count of all rows."""

    search_help_text = gettext_lazy("A match number, or how a member's name begins")
    ordering = ("-pk",)
    show_full_result_count = False


@admin.register(Report)
class ReportAdmin(WithActions, ModerationAdmin):
    acts_on = "report"
    list_display = ("id", "about", "state", "reason", MATCH, "reporter", AT, "taken_by")
    list_filter = (Queue, "reason")
    list_select_related = ("member", "bot", "club", "reporter", "taken_by", "tournament")
    search_fields = ("=match__id", "member__username", "reporter__username")
    list_per_page = 50
    fields = (
        *(("state", "taken_by", "at", "closed_at"), ("reason", "reporter", "member", "bot", "match", "club")),
        *("words", "said", "contest", "context", "told", "done"),
    )
    readonly_fields = ("contest", "context", "told", "done")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Report]:
        return queue.grouped(reports.open_to(member_of(request), Report.objects.all()))

    def get_ordering(self, request: HttpRequest) -> tuple[str, ...]:
        """The queue: what waits longest first, with all that is about the same; closed ones the newest first."""
        return ("first", "pk") if self._is_queue(request) else ("-pk",)

    def horizon(self, request: HttpRequest) -> int | None:
        """Return none for the queue: what waits is shown whole, by an index."""
        return None if self._is_queue(request) else super().horizon(request)

    def _is_queue(self, request: HttpRequest) -> bool:
        return request.GET.get("state", Report.State.OPEN) in reports.OPEN

    @admin.display(description=gettext_lazy("about"), ordering="member")
    def about(self, row: Any) -> str:
        name = row.member.username if row.member else row.club.name if row.club else "–"
        if row.bot is not None:
            name = f"{name} · {row.bot.username}"
        if row.tournament is not None:
            name = f"{name} · {row.tournament.name}"
        return f"{name} ({number(row.about)})" if row.about > 1 else name

    @admin.display(description=gettext_lazy("tournament"))
    def contest(self, found: Report) -> SafeString | str:
        """Show the reported tournament, and where its name and description are changed."""
        if found.tournament is None:
            return "–"
        return render_to_string("admin/moderation/tournament.html", {"tournament": found.tournament})

    @admin.display(description=gettext_lazy("what the reporter is told"))
    def told(self, found: Report) -> str:
        return queue.outcome(found)

    def get_object(self, request: HttpRequest, object_id: str, from_field: str | None = None) -> Report | None:
        found: Report | None = super().get_object(request, object_id, from_field)
        if found is not None:
            reader = member_of(request)
            found.around, found.others = reports.lines_around(found, reader), reports.others(found, reader)
            found.is_chat_closed = reports.is_chat_closed(found, reader)
        return found

    @admin.display(description=gettext_lazy("around it"))
    def context(self, found: Report) -> SafeString:
        shown = {"lines": found.around, "report": found, "others": found.others}
        return render_to_string("admin/moderation/around.html", shown)

    @admin.display(description=gettext_lazy("done"))
    def done(self, found: Report) -> SafeString:
        rows = found.audits.select_related("moderator").order_by("pk")
        return render_to_string("admin/moderation/audits.html", {"audits": rows})


@admin.register(Appeal)
class AppealAdmin(WithActions, ModerationAdmin):
    """Appeals, the open ones and the oldest first."""

    acts_on = "appeal"
    list_display = ("id", "who", "sanction", "state", AT, "decided_by")
    list_filter = ("state",)
    list_select_related = ("sanction__member", "decided_by")
    search_fields = ("sanction__member__username",)
    search_help_text = gettext_lazy("How a member's name begins")
    fields = (("state", "at"), ("sanction", "imposed", "reason"), "words", ("decided_by", "decided_at"), "answer")
    readonly_fields = ("imposed", "reason")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Appeal]:
        rows = Appeal.objects.exclude(sanction__member=member_of(request))
        is_open = Case(When(state=Appeal.State.OPEN, then=0), default=1, output_field=IntegerField())
        return rows.annotate(closed=is_open)

    def get_ordering(self, request: HttpRequest) -> tuple[str, ...]:
        return ("closed", "pk")

    @admin.display(description=gettext_lazy("member"))
    def who(self, row: Appeal) -> str:
        return row.sanction.member.username if row.sanction.member else "–"

    @admin.display(description=gettext_lazy("imposed by"))
    def imposed(self, row: Appeal) -> str:
        return row.sanction.by.username if row.sanction.by else "–"

    @admin.display(description=gettext_lazy("reason"))
    def reason(self, row: Appeal) -> str:
        return row.sanction.reason


@admin.register(Barred)
class BarredAdmin(WithActions, ModerationAdmin):
    """Addresses and domains with which nobody signs up: added here, allowed again by an action."""

    acts_on = "barred"
    list_display = ("pattern", "reason", AT, "by")
    list_select_related = ("by",)
    fields = ("pattern", "reason", ("at", "by"))
    search_fields = ("pattern",)
    search_help_text = gettext_lazy("Part of an address or domain")

    def has_add_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return member_of(request).is_superuser

    def add_view(self, request: HttpRequest, form_url: str = "", extra_context: Any = None) -> HttpResponse:
        """Ban an address or a domain, with a reason that is kept in the audit."""
        if not self.has_add_permission(request):
            raise PermissionDenied
        form = BarForm(request.POST if request.method == "POST" else None)
        if form.is_valid() and self._barred(request, form):
            messages.success(request, _("%(what)s: done and recorded.") % {"what": form.cleaned_data["pattern"]})
            return redirect("admin:moderation_barred_changelist")
        title, back = _("Ban an address or a domain"), reverse("admin:moderation_barred_changelist")
        context = self.admin_site.each_context(request) | {"title": title, "form": form, "back": back}
        status = 400 if form.is_bound else 200
        return TemplateResponse(request, "admin/moderation/bar.html", context, status=status)

    def _barred(self, request: HttpRequest, form: BarForm) -> bool:
        """Ban what the form names; return whether it had a reason that can be read."""
        try:
            bars.bar(moderator=member_of(request), **form.cleaned_data)
        except NoReason as refusal:
            form.add_error("reason", str(refusal))
            return False
        return True


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
class SanctionAdmin(WithActions, ModerationAdmin):
    list_display = ("id", MEMBER, "kind", "at", UNTIL, "ended_at", "by", "to_ban", "reason")
    fields: ClassVar[Any] = ((MEMBER, "kind", "by"), ("at", UNTIL, "ended_at", "to_ban"), "reason")
    readonly_fields: ClassVar[Any] = (MEMBER, UNTIL)
    list_filter = ("kind", BansToConfirm)
    list_select_related = ("member", "by")
    search_fields = ("member__username",)
    search_help_text = gettext_lazy("How a member's name begins")

    def acted_on(self, request: HttpRequest, object_id: str) -> dict[str, str | int]:
        """Return the member under the sanction: a second moderator confirms a ban, or lifts it, there."""
        sanction = self.get_object(request, object_id)
        return {"member": sanction.member_id} if sanction and sanction.member_id else {}


@admin.register(ChatLine)
class ChatLineAdmin(WithActions, ModerationAdmin):
    acts_on = "line"
    list_display = ("id", AT, "user", MATCH, "club", "channel", "hidden", "text")
    list_filter = ("channel", "hidden")
    list_select_related = ("user", "club")
    search_fields = ("=match__id", "user__username")
    fields = (("at", "user", "match", "club", "channel", "hidden"), "text")
    search_help_text = gettext_lazy(
        "A match number, or how a member's name begins. Private chats are read through a report."
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[ChatLine]:
        return reports.lines_open_to(member_of(request))
