"""Months of published records in the admin: which file there is, and how far the next one has come."""

from typing import Any, ClassVar

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from games.admin_lists import ReadOnly, ShownFiltersOnly, labelled
from games.models import RecordMonth


@admin.register(RecordMonth)
class RecordMonthAdmin(ReadOnly, ShownFiltersOnly, admin.ModelAdmin):
    """The months, without the salt of their pseudonyms, which would tell whose they are."""

    fields: ClassVar[Any] = (
        labelled("month", _("month")),
        labelled("matches", _("matches")),
        labelled("size", _("bytes")),
        labelled("digest", "SHA-256"),
        labelled("made_at", _("made at")),
        labelled("stale_at", _("to be made again since")),
        labelled("part_matches", _("matches in the file that is being made")),
    )
    list_display = readonly_fields = fields
    ordering = ("-month",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[RecordMonth]:
        return super().get_queryset(request).defer("salt")
