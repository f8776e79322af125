"""Matches in the admin: who sits where and how it stands, never what is hidden of a running match."""

from django.contrib import admin
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from games.models import Match, Seat


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
