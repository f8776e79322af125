from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0037_webhooks_since'),
    ]

    operations = [
        migrations.AddField(
            model_name='match',
            name='coached',
            field=models.BooleanField(db_default=False, default=False),
        ),
        migrations.AddField(
            model_name='match',
            name='prepared',
            field=models.JSONField(null=True),
        ),
    ]
