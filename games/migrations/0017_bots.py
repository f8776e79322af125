import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models
from django.db.models import Q


class Migration(migrations.Migration):
    dependencies = [migrations.swappable_dependency(settings.AUTH_USER_MODEL), ("games", "0016_people")]

    operations = [
        migrations.RemoveIndex("seat", "seat_bots_turn"),
        migrations.AddField("seat", "bot_at", models.DateTimeField(null=True)),
        migrations.AddField("seat", "ready_by", models.DateTimeField(null=True)),
        migrations.AddField("seat", "returned", models.BooleanField(default=False)),
        migrations.AddField("seat", "substituted", models.BooleanField(default=False)),
        migrations.AddField(
            "seat",
            "absentee",
            models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddIndex(
            "seat",
            models.Index(fields=["bot_at"], name="seat_bots_turn", condition=Q(ask__isnull=False) & ~Q(bot="")),
        ),
        migrations.AddIndex(
            "seat", models.Index(fields=["ready_by"], name="seat_asked_here", condition=Q(ready_by__isnull=False))
        ),
    ]
