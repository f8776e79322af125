from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0041_puzzles'),
    ]

    operations = [
        migrations.AddField(
            model_name='seat',
            name='gained',
            field=models.BigIntegerField(db_default=0, default=0),
        ),
    ]
