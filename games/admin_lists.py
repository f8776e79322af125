"""The base of the admin's lists: searches, filters and columns that reveal only what they show."""

import operator
from collections.abc import Callable
from datetime import datetime
from functools import reduce
from typing import Any, ClassVar

from django.contrib import admin
from django.contrib.admin.exceptions import DisallowedModelAdminLookup, DisallowedModelAdminToField
from django.contrib.admin.options import IncorrectLookupParameters
from django.core.exceptions import ValidationError
from django.db.models import Model, Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.text import capfirst
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.names import skeleton
from games.forms.play import read_number

LONGEST_SEARCH = 100
ASKED = ("exact", "isnull", "gte", "lt")  # lookups of filters and dates
NOT_ASKED = (IncorrectLookupParameters, ValidationError, ValueError, OverflowError)
MOST_PEOPLE = 500  # whose ids a search passes to the next query


class NoSuchList(Exception):
    """The address asks a list for a filter that it does not offer."""


def _names_people(field: str) -> bool:
    return field == "skeleton" or (not field.startswith("=") and field.endswith("__username"))


def _people(words: str) -> Any:
    """Return the ids of members whose name contains, or looks as if, these words; for very many, the query instead.

    By skeletons, so that "eric" finds "Éric" and "anna" finds "Анна" on every database.
    """
    alike = Q(skeleton__contains=looks) if (looks := skeleton(words)) else Q()
    found = User.objects.filter(Q(username__icontains=words) | alike).order_by().values("pk")
    numbers = list(found.values_list("pk", flat=True)[: MOST_PEOPLE + 1])
    return numbers if len(numbers) <= MOST_PEOPLE else found


class ShownFiltersOnly:
    """Lists that answer only the filters they show, and search members by index.

    Django's admin allows lookups on all fields, which would reveal hidden ones letter by letter.
    """

    model: ClassVar[Any]
    search_fields: ClassVar[Any]
    show_full_result_count: ClassVar[bool] = False
    list_filter: ClassVar[Any]
    get_list_filter: ClassVar[Any]
    date_hierarchy: ClassVar[Any]

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        """Return the list; for an unknown address, a page that says so (400)."""
        named = {"title": capfirst(self.model._meta.verbose_name_plural)}
        try:
            return super().changelist_view(request, named | (extra_context or {}))  # type: ignore[misc]
        except NoSuchList:
            context = admin.site.each_context(request) | {"title": _("No such list"), "whole": request.path}
            return TemplateResponse(request, "admin/no_list.html", context, status=400)

    def render_change_form(
        self, request: HttpRequest, context: Any, *args: Any, obj: Any = None, **kwargs: Any
    ) -> HttpResponse:
        """Return the page of a row, with its name as the headline."""
        if obj is not None:
            context |= {"title": f"{capfirst(self.model._meta.verbose_name)} {obj}", "subtitle": None}
        return super().render_change_form(request, context, *args, obj=obj, **kwargs)  # type: ignore[misc]

    def get_changelist_instance(self, request: HttpRequest) -> Any:
        try:
            return super().get_changelist_instance(request)  # type: ignore[misc]
        except (DisallowedModelAdminLookup, DisallowedModelAdminToField, *NOT_ASKED) as error:
            raise NoSuchList from error

    def get_search_results(self, request: HttpRequest, queryset: Any, search_term: str) -> Any:
        """Return the results of a search, cut to 100 characters."""
        words = search_term[:LONGEST_SEARCH].replace("\0", "").strip()
        fields = self.get_search_fields(request)  # type: ignore[attr-defined]
        if not words or not fields:
            return queryset, False
        people = _people(words) if any(map(_names_people, fields)) else ()
        return queryset.filter(reduce(operator.or_, (self._found(field, words, people) for field in fields))), False

    def _found(self, field: str, words: str, people: Any) -> Q:
        """Return what a field of ids ("=match__id"), of members ("member__username") or of texts finds."""
        if field.startswith("=") and field.endswith("id"):
            number = read_number(words)
            return Q(**{field[1:]: number}) if number is not None else Q(pk__in=())
        if field == "skeleton":
            return Q(pk__in=people)
        if not _names_people(field):
            return Q(**({f"{field[1:]}__iexact": words} if field.startswith("=") else {f"{field}__icontains": words}))
        path = field.removesuffix("__username")
        theirs = Q(**{f"{path}__in": people})
        if "__" not in path:
            return theirs
        return Q(pk__in=self.model._base_manager.order_by().filter(theirs).values("pk"))  # each row once

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest) -> bool:
        """Return whether a filter of this list, or its dates, can produce this lookup."""
        shown = [getattr(one, "parameter_name", one) for one in self.get_list_filter(request)]
        names = [*shown, *([self.date_hierarchy] if self.date_hierarchy else [])]
        asks = lookup.rpartition("__")[2] in ASKED
        known = any(lookup == one or (asks and lookup.startswith(f"{one}__")) for one in names)
        return known and "\0" not in value


class ReadOnly:
    """Rows that the admin shows; only services change them."""

    def has_add_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False

    has_change_permission = has_delete_permission = has_add_permission


def among(name: str, label: Any, choices: Callable[[], list[tuple[str, Any]]]) -> Any:
    """Return a list filter over known values: Django's would search all rows for them."""

    class Among(admin.SimpleListFilter):
        title = label
        parameter_name = name

        def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
            return choices()

        def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
            known = self.value() in dict(choices())
            return queryset.filter(**{name: self.value()}) if known else queryset

    return Among


def labelled(name: str, label: Any, *, boolean: bool = False) -> Callable[[Any], Any]:
    """Return a column or field that shows an attribute under a label."""

    @admin.display(description=label, ordering=name, boolean=boolean)
    def shown(row: Any) -> Any:
        told = getattr(row, f"get_{name}_display", None)  # of a column with choices
        value = told() if told else getattr(row, name)
        if isinstance(value, bool) and not boolean:
            return _("yes") if value else "–"
        if isinstance(value, datetime):
            return date_format(timezone.localtime(value), "SHORT_DATETIME_FORMAT")
        if isinstance(value, dict):
            value = ", ".join(f"{key}: {one}" for key, one in value.items())
        if isinstance(value, Model):
            kind = value._meta
            address = reverse(f"admin:{kind.app_label}_{kind.model_name}_change", args=[value.pk])
            return format_html('<a href="{}">{}</a>', address, value)
        return "–" if value is None or value == "" else value

    shown.__name__ = name
    return shown
