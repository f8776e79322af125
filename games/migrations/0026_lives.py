from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0025_archive'),
    ]

    operations = [
        migrations.AddIndex('seat', models.Index(condition=models.Q(('absent', True)), fields=['match'], name='seat_absent')),
        migrations.AddIndex('sweep', models.Index(fields=['at'], name='sweep_old')),
        migrations.AddIndex('timeout', models.Index(fields=['at'], name='timed_out_old')),
    ]
