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
    ]
