from django.db import migrations, models
from django.db.models import Q


class Migration(migrations.Migration):
    dependencies = [("games", "0014_mail")]

    operations = [
        migrations.RemoveIndex("seat", "seat_bots_turn"),
        migrations.AddField("seat", "bot_at", models.DateTimeField(null=True)),
        migrations.AddField("seat", "ready_by", models.DateTimeField(null=True)),
        migrations.AddIndex(
            "seat",
            models.Index(fields=["bot_at"], name="seat_bots_turn", condition=Q(ask__isnull=False) & ~Q(bot="")),
        ),
        migrations.AddIndex(
            "seat", models.Index(fields=["ready_by"], name="seat_asked_here", condition=Q(ready_by__isnull=False))
        ),
    ]
