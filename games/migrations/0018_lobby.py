"""Answers to those who propose a pause or a call-off, declined invitations, and the notices of both."""

from typing import Any

from django.db import migrations, models

ANSWERS = ("wants_pause", "wants_call_off")
KINDS = [
    ("turn", "your turn"),
    ("reminder", "reminder"),
    ("reminder2", "last reminder"),
    ("played", "we played for you"),
    ("vacation", "a day off was taken"),
    ("absent", "a bot plays on"),
    ("started", "started"),
    ("ended", "ended"),
    ("voided", "voided"),
    ("invited", "invited"),
    ("declined", "declined"),
    ("proposed", "pause or call-off proposed"),
    ("lapsed", "lapsed"),
    ("mentioned", "mentioned in a chat"),
]


def forget_answers(apps: Any, schema_editor: Any) -> None:
    """A "no" of before was none: nobody had been asked."""
    seats = apps.get_model("games", "Seat").objects.filter(match__status="running")
    for name in ANSWERS:
        seats.filter(**{name: False}).update(**{name: None})


class Migration(migrations.Migration):
    dependencies = [("games", "0017_bots")]

    operations = [
        migrations.AddField("invitation", "declined", models.BooleanField(default=False)),
        *(migrations.AlterField("seat", name, models.BooleanField(null=True)) for name in ANSWERS),
        migrations.AlterField("notice", "kind", models.CharField(choices=KINDS, max_length=10)),
        migrations.RunPython(forget_answers, migrations.RunPython.noop),
    ]
