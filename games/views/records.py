"""Published records: the page of the months, their files, and the zip of a member's own."""

import re
from collections.abc import AsyncIterator
from datetime import date
from pathlib import Path
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.shortcuts import render
from django.utils.http import http_date
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from accounts.access import member_of, members_only
from config.lib import rate_limits
from config.lib.pool import in_pool
from games.forms.play import read_number
from games.models import RecordMonth
from games.services.records import making, own
from games.services.refusals import TooOften
from games.views.responses import with_refusals

BLOCK = 1 << 16  # bytes that are read at once
RANGE = re.compile(r"bytes=(?:([0-9]{1,18})-([0-9]{0,18})|-([0-9]{1,18}))")
MONTH = re.compile(r"[0-9]{4}-[0-9]{2}")
KEPT = "public, max-age=300"


@require_safe
def records_page(request: HttpRequest) -> HttpResponse:
    """Show the months of which there is a file, the latest first, and what is in it."""
    months = RecordMonth.objects.exclude(digest="").order_by("-month")
    return render(request, "games/records/months.html", {"months": months})


@require_safe
def month_file(request: HttpRequest, month: str) -> HttpResponseBase:
    """Return the file of a month, or the part of it that is asked for (RFC 9110, one range of bytes)."""
    for _attempt in range(2):  # a new one may take its place between the look at the row and at the folder
        found = _month(month)
        try:
            return _answer(request, found, making.path_of(found))
        except FileNotFoundError:
            continue
    raise Http404


def _month(named: str) -> RecordMonth:
    """Return the month that is named as 2026-10, of which there is a file; Http404."""
    try:
        if MONTH.fullmatch(named):
            return RecordMonth.objects.exclude(digest="").get(month=date.fromisoformat(f"{named}-01"))
    except (ValueError, RecordMonth.DoesNotExist):
        pass
    raise Http404


def _answer(request: HttpRequest, month: RecordMonth, path: Path) -> HttpResponseBase:
    mark, size = f'"{month.digest}"', path.stat().st_size
    headers = {"ETag": mark, "Accept-Ranges": "bytes", "Cache-Control": KEPT}
    if request.headers.get("If-None-Match") in (mark, "*"):
        return HttpResponse(status=304, headers=headers)
    asked = request.headers.get("Range", "") if request.headers.get("If-Range", mark) == mark else ""
    part = _part_of(asked, size)
    if part is None:
        return HttpResponse(status=416, headers=headers | {"Content-Range": f"bytes */{size}"})
    first, length = part
    headers |= {
        "Content-Length": str(length),
        "Content-Disposition": f'attachment; filename="club-y-{month}.jsonl.zst"',
        **({"Last-Modified": http_date(month.made_at.timestamp())} if month.made_at else {}),
    }
    is_part = bool(RANGE.fullmatch(asked))
    if is_part:
        headers["Content-Range"] = f"bytes {first}-{first + length - 1}/{size}"
    # As it is: it would be packed once more, and would have another length.
    request.META.pop("HTTP_ACCEPT_ENCODING", None)
    body: Any = () if request.method == "HEAD" else _Blocks(path, first, length)
    return StreamingHttpResponse(body, status=206 if is_part else 200, content_type="application/zstd", headers=headers)


def _part_of(asked: str, size: int) -> tuple[int, int] | None:
    """Return from which byte on how many are asked for: all, unless one range is; None if it lies beyond the end."""
    found = RANGE.fullmatch(asked)
    if found is None:
        return 0, size
    first, last, ending = found.groups()
    if ending:
        length = min(int(ending), size)
        return (size - length, length) if length else None
    if int(first) >= size or (last and int(last) < int(first)):
        return None
    return int(first), min(int(last or size), size - 1) - int(first) + 1


class _Blocks:
    """A part of a file, read block by block as it is sent: it is never in memory as a whole, and holds up no thread.

    The file is opened now, so that it is read to its end even when another takes its place.
    """

    def __init__(self, path: Path, first: int, length: int) -> None:
        self._file, self._left = open(path, "rb"), length  # noqa: SIM115 (closed with the answer)
        self._file.seek(first)

    def _next(self) -> bytes:
        block = self._file.read(min(BLOCK, self._left))
        self._left -= len(block)
        return block

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    async def __aiter__(self) -> AsyncIterator[bytes]:
        while block := await in_pool(self._next):
            yield block


@members_only
@require_safe
def own_records_page(request: HttpRequest) -> HttpResponse:
    """Show the files of a member's own records: of the latest matches, and of those before."""
    return render(request, "games/records/own.html", {"parts": own.parts_of(member_of(request)), "most": own.AT_ONCE})


@never_cache
@members_only
@require_safe
@with_refusals
def own_records(request: HttpRequest) -> HttpResponse:
    """Return the records of the member's ended matches as a zip: the latest, or those before the match `before`."""
    user = member_of(request)
    if not rate_limits.allows_of(request, "export", user):
        raise TooOften
    body = own.zip_of(user, read_number(request.GET.get("before", "")))
    answer = HttpResponse(body, content_type="application/zip")
    answer["Content-Disposition"] = 'attachment; filename="club-y-records.zip"'
    return answer
