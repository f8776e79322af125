from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0036_waited_at'),
    ]

    operations = [
        migrations.AddField(
            model_name='callchoice',
            name='webhooks_since',
            field=models.DateTimeField(null=True),
        ),
    ]
