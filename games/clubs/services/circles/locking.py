"""The only way to lock a circle of friends: its row, before its members and its matches."""

from games.clubs.models import Circle
from games.clubs.services.circles.refusals import CircleGone


def lock(circle_id: int) -> Circle:
    """Return the circle, locked until the transaction ends. CircleGone."""
    found = Circle.objects.select_for_update(no_key=True, of=("self",)).filter(pk=circle_id).first()
    if found is None:
        raise CircleGone
    return found
