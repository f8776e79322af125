"""The only way to lock an encounter: its row, before members, its line-ups and tables, and matches."""

from games.clubs.models import Encounter


def lock(encounter_id: int, *, wait: bool = True) -> Encounter:
    """Return the encounter, locked until the transaction ends. Encounter.DoesNotExist, also without `wait`."""
    rows = Encounter.objects.select_for_update(skip_locked=not wait, no_key=True, of=("self",))
    return rows.select_related("challenger", "challenged").get(pk=encounter_id)
