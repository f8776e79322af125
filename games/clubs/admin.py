"""Club matches and circles of friends in the admin, read-only, with the error at which a sweep failed."""

from django.contrib import admin
from django.utils.translation import gettext_lazy as _

from games.admin_lists import ReadOnly, ShownFiltersOnly, of_game
from games.clubs.models import Circle, Encounter


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
