"""Automatic days off are an option of the table; how far a player has read the chat."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0015_orders'),
    ]

    operations = [
        migrations.AddField(
            model_name='match',
            name='automatic_days_off',
            field=models.BooleanField(default=True, verbose_name='automatic days off'),
        ),
        migrations.AddField(
            model_name='seat',
            name='chat_seen',
            field=models.PositiveBigIntegerField(default=0),
        ),
    ]
