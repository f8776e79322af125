"""The base of the admin's lists: searches, filters and columns that reveal only what they show."""

from collections.abc import Callable
from datetime import datetime
from typing import Any, ClassVar

from django.contrib import admin
from django.contrib.admin.exceptions import DisallowedModelAdminLookup, DisallowedModelAdminToField
from django.contrib.admin.options import IncorrectLookupParameters
from django.core.exceptions import ValidationError
from django.db.models import AutoField, F, Model, Q, QuerySet
from django.db.models.functions import Lower
from django.db.models.lookups import Exact
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _lazy

from accounts.models import User
from accounts.names import skeleton
from config.lib import sql
from config.lib.formats import number
from games.forms.play import read_number
from games.rules import games, get_game

LONGEST_SEARCH = 100
ASKED = ("exact", "isnull", "gte", "lt")  # lookups of filters and dates
NOT_ASKED = (IncorrectLookupParameters, ValidationError, ValueError, OverflowError)
MOST_PEOPLE = 500  # whose names a search looks at
MOST_FOUND = 1_000  # rows that a search finds by one of its fields
NEWEST = 10_000  # rows of a list without a search


class NoSuchList(Exception):
    """The address asks a list for a filter that it does not offer."""


def _names_people(field: str) -> bool:
    return field == "skeleton" or field.endswith("__username")


def _people(words: str) -> list[int]:
    """Return the ids of members whose name begins with, or as if with, these words: 500 at most, and who is so named.

    By skeletons, so that "eric" finds "Éric" and "anna" finds "Анна" on every database; from their beginning, as an
    index has them, however many members there are.
    """
    looks = skeleton(words)
    if not looks:
        return []
    found: set[int] = set()
    for alike in (Q(skeleton=looks), sql.begins("skeleton", looks)):
        found |= set(User.objects.filter(alike).order_by().values_list("pk", flat=True)[:MOST_PEOPLE])
    return sorted(found)


class ShownFiltersOnly:
    """Lists that answer only the filters they show, and search members by index.

    Django's admin allows lookups on all fields, which would reveal hidden ones letter by letter.
    """

    model: ClassVar[Any]
    search_fields: ClassVar[Any]
    show_full_result_count: ClassVar[bool] = False
    list_filter: ClassVar[Any]
    by_index: ClassVar[frozenset[str]] = frozenset()  # filters as addresses have them, which find old rows, too
    get_list_filter: ClassVar[Any]
    date_hierarchy: ClassVar[Any]

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        """Return the list; for an unknown address, a page that says so (400)."""
        named = {"title": capfirst(self.model._meta.verbose_name_plural), "newest": self._newest(request)}
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

    def horizon(self, request: HttpRequest) -> int | None:
        """Return the number after which the newest 10 000 rows begin; None for a list that has no more, or needs all.

        Older ones are found by a search. So no filter and no count reads a whole table, whatever grows.
        """
        asked = {f"{name}={value}" for name, value in request.GET.items()}
        if not isinstance(self.model._meta.pk, AutoField) or asked & self.by_index:
            return None
        return self.model._base_manager.order_by("-pk").values_list("pk", flat=True)[NEWEST : NEWEST + 1].first()

    def _newest(self, request: HttpRequest) -> str:
        is_cut = not request.GET.get("q") and self.horizon(request) is not None
        return number(NEWEST) if is_cut else ""

    def get_search_results(self, request: HttpRequest, queryset: Any, search_term: str) -> Any:
        """Return the results of a search, cut to 100 characters; without one the newest rows."""
        words = search_term[:LONGEST_SEARCH].replace("\0", "").strip()
        fields = self.get_search_fields(request)  # type: ignore[attr-defined]
        if not words or not fields:
            horizon = self.horizon(request)
            return queryset if horizon is None else queryset.filter(pk__gt=horizon), False
        people = _people(words) if any(map(_names_people, fields)) else []
        found = {pk for field in fields for pk in self._numbers(self._found(field, words, people))}
        return queryset.filter(pk__in=found), False

    def _numbers(self, wanted: Q) -> list[int]:
        """Return the newest 1 000 rows that fulfil this: a field at a time, as each has an index of its own."""
        rows = self.model._base_manager.filter(wanted)
        newest = rows.order_by(-F("pk"))  # an expression, so that they are sorted and the table is not walked back
        return list(newest.values_list("pk", flat=True)[:MOST_FOUND]) if wanted else []

    def _found(self, field: str, words: str, people: list[int]) -> Q:
        """Return what a field of ids ("=match__id"), of members ("member__username") or of texts finds; none: empty."""
        if field == "skeleton":
            return Q(pk__in=people) if people else Q()
        if field == "email":  # a whole address
            is_own = Q(Exact(Lower("email"), words.lower())) & ~Q(email="")  # as the members' index has them
            return is_own if self.model is User else Q(email=words.lower())
        if field.startswith("=") and field != "=message_id":
            given = read_number(words)
            return Q(**{field[1:]: given}) if given is not None else Q()
        if not _names_people(field):
            return Q(**({field[1:]: words.lower()} if field.startswith("=") else {f"{field}__icontains": words}))
        return Q(**{f"{field.removesuffix('__username')}__in": people}) if people else Q()

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


def of_game(name: str) -> Any:
    """Return the list filter over the games."""
    return among(name, _lazy("game"), lambda: [(slug, get_game(slug).name) for slug in games()])


def labelled(name: str, label: Any, *, boolean: bool = False, ordering: str = "") -> Callable[[Any], Any]:
    """Return a column or field that shows an attribute under a label, sorted by `ordering` or by itself."""

    @admin.display(description=label, ordering=ordering or name, boolean=boolean)
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
