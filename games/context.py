"""What every page's frame shows of games."""

from django.http import HttpRequest


def waiting(request: HttpRequest) -> dict[str, int]:
    """Return the number of matches that wait for this member."""
    return {"waiting": 0}
