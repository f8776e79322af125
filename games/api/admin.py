"""Tokens in the admin, read-only: whose they are, what for, when they were used."""

from typing import Any, ClassVar

from django.contrib import admin
from django.utils.translation import gettext_lazy as _

from games.admin_lists import ReadOnly, ShownFiltersOnly, labelled
from games.api.models import ApiToken


@admin.register(ApiToken)
class ApiTokenAdmin(ReadOnly, ShownFiltersOnly, admin.ModelAdmin):
    """Tokens without their names, which are their members' own."""

    fields: ClassVar[Any] = (labelled("user", _("member")), "scopes", "created_at", "used_at", "ends_at")
    list_display = ("id", *fields)
    readonly_fields = fields
    list_select_related = ("user",)
    search_fields = ("=user__id", "user__username")
    search_help_text = _("The number of a member, or how a member's name begins")
    ordering = ("-pk",)
    show_full_result_count = False
