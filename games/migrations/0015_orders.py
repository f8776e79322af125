"""Seats know the question that standing orders leave to the person."""

from typing import ClassVar

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies: ClassVar = [("games", "0014_mail")]

    operations: ClassVar = [
        migrations.AddField(
            model_name="seat",
            name="own_ask",
            field=models.PositiveIntegerField(null=True),
        ),
    ]
