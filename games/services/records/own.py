"""A member's own records as a zip: of matches that ended and in which they sat, the latest first."""

import io
import json
import zipfile
from datetime import UTC
from typing import NamedTuple

from django.db import DatabaseError
from django.db.models import QuerySet

from accounts.models import User
from config.lib import clock
from games.models import Match, Seat
from games.queries import play, readable
from games.record import record_of, signed

AT_ONCE = 500  # matches of a file


class Part(NamedTuple):
    """One file of several: of which matches, and before which number it begins; None for the latest."""

    first: int
    last: int
    before: int | None


def _numbers(user: User) -> QuerySet[Seat, int]:
    """Return the numbers of the matches whose records are the member's to have, the latest first."""
    ended = Seat.objects.filter(user=user, match__status=Match.Status.ENDED, match__state__isnull=False)
    return ended.order_by("-match_id").values_list("match_id", flat=True)


def parts_of(user: User) -> list[Part]:
    """Return the files into which the member's records are cut, the latest first."""
    found = list(_numbers(user))
    cut = [found[start : start + AT_ONCE] for start in range(0, len(found), AT_ONCE)]
    return [Part(part[-1], part[0], part[0] + 1 if place else None) for place, part in enumerate(cut)]


def zip_of(user: User, before: int | None = None) -> bytes:
    """Return the records of the member's matches before this number (None: of the latest) as a zip, 500 at most."""
    numbers, body = _numbers(user), io.BytesIO()
    if before is not None:
        numbers = numbers.filter(match__lt=before)
    made = clock.now().astimezone(UTC).timetuple()[:6]
    with zipfile.ZipFile(body, "w") as file:
        for number in numbers[:AT_ONCE]:
            if (text := _record(number, user)) is not None:
                about = zipfile.ZipInfo(f"club-y-{number}.json", made)
                about.compress_type, about.external_attr = zipfile.ZIP_DEFLATED, 0o600 << 16
                file.writestr(about, text)
    return body.getvalue()


def _record(number: int, user: User) -> str | None:
    """Return the record of a match as text; None if it cannot be read, goes on again, or is not theirs any more."""
    try:
        match, seats = play.match_and_seats(number)
        is_theirs = any(seat.user_id == user.pk for seat in seats)
        if not is_theirs or match.status != Match.Status.ENDED:
            return None
        return json.dumps(signed(record_of(match, seats)), indent=1, ensure_ascii=False)
    except Match.DoesNotExist:
        return None
    except DatabaseError:
        raise
    except Exception as error:
        readable.report(number, error)
        return None
