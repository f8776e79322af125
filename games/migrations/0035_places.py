from django.db import migrations, models


def keep_mail_after(apps, schema_editor):
    """Whoever wanted a mail only of what reached no device has mail in the second place."""
    apps.get_model("games", "CallChoice").objects.filter(mail_after=True).update(mail_place=2)


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0034_reached'),
    ]

    operations = [
        migrations.AddField(
            model_name='callchoice',
            name='mail_place',
            field=models.PositiveSmallIntegerField(db_default=1, default=1),
        ),
        migrations.AddField(
            model_name='callchoice',
            name='devices_place',
            field=models.PositiveSmallIntegerField(db_default=1, default=1),
        ),
        migrations.AddField(
            model_name='callchoice',
            name='webhooks_place',
            field=models.PositiveSmallIntegerField(db_default=0, default=0),
        ),
        migrations.RunPython(keep_mail_after, migrations.RunPython.noop),
        migrations.RemoveField(model_name='callchoice', name='mail_after'),
        migrations.AlterField(
            model_name='mail',
            name='state',
            field=models.CharField(choices=[('waiting', 'waiting'), ('sending', 'being sent'), ('handed', 'handed over'), ('sent', 'sent'), ('pushed', 'left to other channels'), ('dropped', 'dropped, no longer true'), ('failed', 'failed'), ('unknown', 'unknown whether it went out')], default='waiting', max_length=7, verbose_name='state'),
        ),
        migrations.AlterField(
            model_name='push',
            name='state',
            field=models.CharField(choices=[('waiting', 'waiting'), ('sending', 'being sent'), ('handed', 'handed over'), ('sent', 'sent'), ('pushed', 'left to other channels'), ('dropped', 'dropped, no longer true'), ('failed', 'failed'), ('unknown', 'unknown whether it went out')], default='waiting', max_length=7, verbose_name='state'),
        ),
        migrations.AlterField(
            model_name='webhookcall',
            name='state',
            field=models.CharField(choices=[('waiting', 'waiting'), ('sending', 'being sent'), ('handed', 'handed over'), ('sent', 'sent'), ('pushed', 'left to other channels'), ('dropped', 'dropped, no longer true'), ('failed', 'failed'), ('unknown', 'unknown whether it went out')], default='waiting', max_length=7),
        ),
    ]
