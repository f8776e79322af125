"""What the admin's lists are made of: searches, filters and columns that tell no more than they show."""

import operator
from collections.abc import Callable
from datetime import datetime
from functools import reduce
from typing import Any, ClassVar

from django.contrib import admin
from django.db.models import Model, Q, QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.html import format_html

from accounts.models import User
from games.forms import read_number

LONGEST_SEARCH = 100


class ShownFiltersOnly:
    """Lists that answer only what they show how to ask.

    Django's admin lets `?email__startswith=a` through for every field of the model itself; whoever may not
    see a field could find it out letter by letter. And its search reads every row of each table that it
    joins: here people are found first, by name, and then by indexes what is theirs.
    """

    model: ClassVar[Any]
    search_fields: ClassVar[Any]
    list_filter: ClassVar[Any]
    date_hierarchy: ClassVar[Any]

    def get_search_results(self, request: HttpRequest, queryset: Any, search_term: str) -> Any:
        """Return what the search finds; of an endless one only the beginning."""
        words = search_term[:LONGEST_SEARCH].strip()
        wanted = [self._found(field, words) for field in self.search_fields]
        if not words or not all(wanted):
            return super().get_search_results(request, queryset, words)  # type: ignore[misc]
        return queryset.filter(reduce(operator.or_, wanted)), False

    def _found(self, field: str, words: str) -> Q | None:
        """Return what a field of numbers ("=match__id") or of people ("member__username") finds."""
        rows = self.model._base_manager.order_by()
        if field.startswith("=") and field.endswith("id"):
            number = read_number(words)
            return Q(**{field[1:]: number}) if number is not None else Q(pk__in=())
        if not field.startswith("=") and field.endswith("__username"):
            people = User.objects.filter(username__icontains=words.replace("\0", "")).values("pk")
            path = field.removesuffix("__username")
            return Q(pk__in=rows.filter(**{f"{path}__in": people}).values("pk"))
        return None

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest) -> bool:
        """Return whether a filter of this list, or its dates, may have made this lookup."""
        shown = [getattr(one, "parameter_name", one) for one in self.list_filter]
        names = [*shown, *([self.date_hierarchy] if self.date_hierarchy else [])]
        return any(lookup == name or lookup.startswith(f"{name}__") for name in names)


class ReadOnly:
    """What may be looked at, and changed by services alone."""

    def has_add_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False


def among(name: str, label: Any, choices: Callable[[], list[tuple[str, Any]]]) -> Any:
    """Return a list's filter by a column whose values are known: Django's would look for them in all rows."""

    class Among(admin.SimpleListFilter):
        title = label
        parameter_name = name

        def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
            return choices()

        def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
            known = self.value() in dict(choices())
            return queryset.filter(**{name: self.value()}) if known else queryset

    return Among


def worded(name: str, label: Any, *, boolean: bool = False) -> Callable[[Any], Any]:
    """Return a column or field that shows the attribute of this name under a label in words."""

    @admin.display(description=label, ordering=name, boolean=boolean)
    def shown(row: Any) -> Any:
        told = getattr(row, f"get_{name}_display", None)  # of a column with choices
        value = told() if told else getattr(row, name)
        if isinstance(value, datetime):
            return date_format(timezone.localtime(value), "SHORT_DATETIME_FORMAT")
        if isinstance(value, dict):
            value = ", ".join(f"{key}: {one}" for key, one in value.items())
        if isinstance(value, Model):
            address = reverse(
                f"admin:{value._meta.app_label}_{value._meta.model_name}_change", args=[value.pk]
            )
            return format_html('<a href="{}">{}</a>', address, value)
        return "–" if value is None or value == "" else value

    shown.__name__ = name
    return shown
