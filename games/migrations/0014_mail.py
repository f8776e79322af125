import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models
from django.db.models import Q


class Migration(migrations.Migration):
    dependencies = [migrations.swappable_dependency(settings.AUTH_USER_MODEL), ("games", "0013_posted")]

    operations = [
        migrations.RemoveIndex("notice", "notice_waiting"),
        migrations.RenameModel("Letter", "Mail"),
        migrations.RenameField("notice", "letter", "mail"),
        migrations.AddIndex(
            "notice", models.Index(fields=["user"], name="notice_waiting", condition=Q(mail__isnull=True))
        ),
        migrations.AlterField(
            "mail",
            "match",
            models.ForeignKey(
                null=True, on_delete=django.db.models.deletion.CASCADE, related_name="mails", to="games.match"
            ),
        ),
        migrations.AlterField(
            "mail",
            "user",
            models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="mails",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
    ]
