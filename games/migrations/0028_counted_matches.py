"""How many matches of each game are counted stands beside their faces: counting tallies takes longer with each match."""

from typing import Any

from django.db import migrations
from django.db.models import Count


def count(apps: Any, schema_editor: Any) -> None:
    """Add the row of each game that has counted matches."""
    tallies = apps.get_model("games", "Tally").objects.filter(counted_at__isnull=False, problem="")
    found = tallies.order_by().values_list("match__game_slug").annotate(n=Count("pk"))
    faces = apps.get_model("games", "FaceCount")
    faces.objects.bulk_create(faces(game_slug=slug, sides=0, face=1, count=n) for slug, n in found)


def forget(apps: Any, schema_editor: Any) -> None:
    apps.get_model("games", "FaceCount").objects.filter(sides=0).delete()


class Migration(migrations.Migration):
    dependencies = [("games", "0027_double_indexes")]
    operations = [migrations.RunPython(count, forget)]
