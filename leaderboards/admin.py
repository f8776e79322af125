"""Ratings in the admin, read-only."""

from django.contrib import admin
from django.utils.translation import gettext_lazy as _

from games.admin_lists import ReadOnly, ShownFiltersOnly, of_game
from leaderboards.models import Championship, Medal, Qualified, RatingChange, Settlement, Standing


class RatingsAdmin(ReadOnly, ShownFiltersOnly, admin.ModelAdmin):
    """A read-only list, the newest first, without a count of all rows."""

    search_help_text = _("A match number, or how a member's name begins")
    ordering = ("-pk",)
    show_full_result_count = False


class ChangeInline(ReadOnly, admin.TabularInline):
    model = RatingChange
    fields = ("seat", "user", "rank", "matches", "before", "delta", "after")
    extra = 0


@admin.register(Settlement)
class SettlementAdmin(RatingsAdmin):
    list_display = ("id", "match_id", "round", "kind", "game_slug", "season", "at")
    list_filter = ("kind", of_game("game_slug"))
    search_fields = ("=match__id", "changes__user__username")
    fields = ("match", ("round", "kind"), ("game_slug", "season", "at"))
    inlines = (ChangeInline,)


@admin.register(RatingChange)
class RatingChangeAdmin(RatingsAdmin):
    list_display = ("settlement", "seat", "user", "rank", "matches", "before", "delta", "after")
    list_filter = ("settlement__kind", of_game("settlement__game_slug"))
    list_select_related = ("settlement", "user")
    search_fields = ("=settlement__match__id", "user__username")
    fields = ("settlement", ("seat", "user", "rank", "matches"), ("before", "delta", "after"))


@admin.register(Standing)
class StandingAdmin(RatingsAdmin):
    list_display = ("user", "game_slug", "season", "shown", "matches", "wins", "last_active")
    list_filter = (of_game("game_slug"),)
    list_select_related = ("user",)
    search_fields = ("user__username",)
    search_help_text = _("How a member's name begins")
    fields = ("user", ("game_slug", "season"), ("rating", "matches", "wins"), "last_active")


class QualifiedInline(ReadOnly, admin.TabularInline):
    model = Qualified
    fields = ("seed", "user", "is_former_winner")
    extra = 0


class MedalInline(ReadOnly, admin.TabularInline):
    model = Medal
    fields = ("place", "user")
    extra = 0


@admin.register(Championship)
class ChampionshipAdmin(ReadOnly, ShownFiltersOnly, admin.ModelAdmin):
    """The championships, the latest first."""

    list_display = ("season", "game_slug", "tournament", "qualified_at", "awarded_at")
    list_filter = (of_game("game_slug"),)
    list_select_related = ("tournament",)
    show_full_result_count = False
    fields = ("season", "game_slug", "tournament", ("qualified_at", "awarded_at"))
    inlines = (QualifiedInline, MedalInline)
