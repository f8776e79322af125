"""What may be asked of a list in the admin by its address: filters that it shows, nothing else."""

from typing import Any, ClassVar

from django.http import HttpRequest

LONGEST_SEARCH = 100


class ShownFiltersOnly:
    """Refuse lookups that no filter of the list makes.

    Django's admin lets `?email__startswith=a` through for every field of the model itself; whoever may not
    see a field could find it out letter by letter.
    """

    list_filter: ClassVar[Any]
    date_hierarchy: ClassVar[Any]

    def get_search_results(self, request: HttpRequest, queryset: Any, search_term: str) -> Any:
        """Return what the search finds; of an endless one only the beginning."""
        return super().get_search_results(request, queryset, search_term[:LONGEST_SEARCH])  # type: ignore[misc]

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest) -> bool:
        """Return whether a filter of this list, or its dates, may have made this lookup."""
        shown = [getattr(one, "parameter_name", one) for one in self.list_filter]
        names = [*shown, *([self.date_hierarchy] if self.date_hierarchy else [])]
        return any(lookup == name or lookup.startswith(f"{name}__") for name in names)
