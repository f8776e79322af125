"""Matches and mails in the admin: how they stand, never what is hidden of a running match."""

from django.contrib import admin, messages
from django.contrib.admin.models import CHANGE, LogEntry
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.models import Match, Seat
from games.post import Letter
from games.services import letters


class ReadOnly:
    """What may be looked at, and changed by services alone."""

    def has_add_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False


class SeatInline(ReadOnly, admin.TabularInline):
    model = Seat
    fields = ("number", "user", "bot", "left", "asked_at", "rank", "score")
    extra = 0


@admin.register(Match)
class MatchAdmin(ReadOnly, admin.ModelAdmin):
    list_display = (
        "id",
        "game_slug",
        "status",
        "ending",
        "size",
        "access",
        "turns",
        "created_at",
        "moved_at",
    )
    list_filter = ("game_slug", "status", "ending", "access")
    search_fields = ("=id", "seats__user__username")
    search_help_text = _("A match number, or a member's name")
    list_select_related = ("creator",)
    show_full_result_count = False
    date_hierarchy = "created_at"
    fields = (
        ("game_slug", "rules_version", "size", "access"),
        ("status", "ending", "turns", "version"),
        ("creator", "rematch_of"),
        ("created_at", "joined_at", "started_at", "moved_at", "ended_at"),
        ("options", "commitment"),
    )
    readonly_fields = ("commitment",)
    inlines = (SeatInline,)


@admin.register(Letter)
class LetterAdmin(ReadOnly, admin.ModelAdmin):
    """Mails as rows: what became of each, not what it says."""

    list_display = ("id", "kind", "state", "user_id", "attempts", "created_at", "sent_at", "error")
    list_filter = ("state", "kind", "created_at")
    search_fields = ("=user__id", "=user__username", "=message_id")
    search_help_text = _("A member's number or name, or a Message-ID")
    show_full_result_count = False
    ordering = ("-pk",)
    fields = (
        ("kind", "state", "state_at"),
        ("user_id", "message_id"),
        ("attempts", "next_try_at", "error"),
        ("created_at", "sent_at"),
    )
    actions = ("resend",)

    def has_resend_permission(self, request: HttpRequest) -> bool:
        """Return whether this admin may have mails sent again."""
        return request.user.has_perm("games.change_letter")

    @admin.action(permissions=["resend"], description=_("Send again, if it failed or its fate is unknown"))
    def resend(self, request: HttpRequest, queryset: QuerySet[Letter]) -> None:
        """Have the chosen mails sent again, and write down who asked for it."""
        again = letters.resend(queryset)
        if again:
            LogEntry.objects.log_actions(request.user.pk or 0, again, CHANGE, gettext("Sent again"))
        self.message_user(
            request, gettext("%(n)d mails are on their way again.") % {"n": len(again)}, messages.SUCCESS
        )
