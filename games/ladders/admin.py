"""Ladders in the admin, read-only."""

from django.contrib import admin
from django.utils.translation import gettext_lazy as _

from games.admin_lists import ReadOnly, ShownFiltersOnly, of_game
from games.ladders.models import Challenge, Change, Climber, Ladder


class LaddersAdmin(ReadOnly, ShownFiltersOnly, admin.ModelAdmin):
    """A read-only list, the newest first, without a count of all rows."""

    ordering = ("-pk",)
    show_full_result_count = False


@admin.register(Ladder)
class LadderAdmin(LaddersAdmin):
    list_display = ("game_slug", "troubled_at", "trouble")
    fields = ("game_slug", ("troubled_at", "trouble"))


@admin.register(Climber)
class ClimberAdmin(LaddersAdmin):
    list_display = ("id", "ladder", "user", "place", "at_once", "idle_since", "paused_until", "left_at")
    list_filter = (of_game("ladder__game_slug"),)
    list_select_related = ("ladder", "user")
    search_fields = ("user__username",)
    search_help_text = _("How a member's name begins")
    fields = (
        "ladder",
        "user",
        ("place", "at_once"),
        ("joined_at", "placed_at", "idle_since"),
        "paused_until",
        "left_at",
    )


@admin.register(Challenge)
class ChallengeAdmin(LaddersAdmin):
    list_display = ("id", "ladder", "challenger", "challenged", "state", "made_at", "answer_by", "match_id", "moved")
    list_filter = ("state", of_game("ladder__game_slug"))
    list_select_related = ("ladder", "challenger", "challenged")
    search_fields = ("=match__id",)
    search_help_text = _("A match number")
    fields = ("ladder", ("challenger", "challenged"), ("state", "counts", "moved"), ("made_at", "answer_by"), "match")


@admin.register(Change)
class ChangeAdmin(LaddersAdmin):
    list_display = ("id", "ladder", "at", "kind", "climber", "before", "after")
    list_filter = ("kind", of_game("ladder__game_slug"))
    list_select_related = ("ladder", "climber")
    fields = ("ladder", ("at", "kind"), ("climber", "other", "challenge"), ("before", "after"))
