from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0033_hooks_and_mutes'),
    ]

    operations = [
        migrations.AddField(
            model_name='seat',
            name='reached_at',
            field=models.DateTimeField(null=True),
        ),
        migrations.AddField(
            model_name='seat',
            name='waited_ask',
            field=models.PositiveIntegerField(null=True),
        ),
        migrations.AddIndex(
            model_name='seat',
            index=models.Index(condition=models.Q(('waited_ask__isnull', False)), fields=['match'], name='seat_waited'),
        ),
    ]
