"""Archives the turns of matches that ended, a few at a time, and brings them back when one is reopened."""

from datetime import timedelta

import structlog
from django.db import connection, transaction
from django.db.migrations.recorder import MigrationRecorder

from config.lib import clock
from games.models import Archive, Match, Turn
from games.queries import turns
from games.services.play.locking import lock_match

log = structlog.get_logger(__name__)

AFTER = timedelta(days=1)  # after the end; until then an end is likeliest to be undone
AT_ONCE = 200
GOING_BACK = timedelta(days=7)  # for so long a site can return to the release before archives, which cannot read them


def archive_matches() -> int:
    """Archive matches that ended over a day ago, the earliest first; return how many. One failure stops no other.

    None in the first week of the database with the release that brought archives.
    """
    migrated = MigrationRecorder(connection).migration_qs.filter(app="games", name="0025_archive")
    if not migrated.filter(applied__lt=clock.now() - GOING_BACK).exists():
        return 0
    ended = Match.objects.filter(status=Match.Status.ENDED, archived=False, ended_at__lt=clock.now() - AFTER)
    done = 0
    for match_id in ended.filter(troubled_at=None).order_by("ended_at").values_list("pk", flat=True)[: 2 * AT_ONCE]:
        try:
            done += archive_match(match_id)
        except Exception:
            log.exception("not archived", match=match_id)
        if done == AT_ONCE:
            break
    return done


def archive_match(match_id: int) -> bool:
    """Archive one match unless it is locked, runs again, or was archived before; return whether it was done."""
    with transaction.atomic():
        try:
            match, _seats = lock_match(match_id, wait=False)
        except Match.DoesNotExist:
            return False
        if match.status != Match.Status.ENDED or match.archived:
            return False
        if rows := list(Turn.objects.filter(match=match).order_by("number")):
            archive = turns.archive_of(match.pk, rows)
            if _facts(turns.unpacked(match.pk, bytes(archive.body))) != _facts(rows):
                raise ValueError("an archive would lose something")
            archive.save(force_insert=True)
            Turn.objects.filter(match=match).delete()
        Match.objects.filter(pk=match.pk).update(archived=True)
    return True


def bring_back(match: Match) -> None:
    """Make rows of an archive again, within the transaction that has locked the match and reopens it."""
    Turn.objects.bulk_create(turns.archived(match.pk), batch_size=500)
    Archive.objects.filter(match=match).delete()
    match.archived = False
    match.save(update_fields=["archived"])


def _facts(rows: list[Turn]) -> list[tuple[object, ...]]:
    return [tuple(getattr(turn, name) for name in turns.COLUMNS) for turn in rows]
