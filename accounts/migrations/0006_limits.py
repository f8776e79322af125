"""Whose invitations a member takes."""

from django.db import migrations, models

FROM = [("all", "Every member"), ("known", "Members whom I follow or have played with"), ("none", "Nobody")]


class Migration(migrations.Migration):
    dependencies = [("accounts", "0005_block")]

    operations = [
        migrations.AddField(
            "user",
            "invitations_from",
            models.CharField("who may invite me", max_length=5, choices=FROM, default="all", db_default="all"),
        ),
    ]
