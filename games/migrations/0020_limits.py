"""Matches that are casual because two of their members had begun too many rated ones."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("games", "0019_limits")]

    operations = [
        migrations.AddField("match", "limited", models.BooleanField(default=False, db_default=False)),
    ]
