import django.db.models.deletion
from django.db import migrations, models

import config.lib.clock


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0024_samples'),
    ]

    operations = [
        migrations.CreateModel(
            name='Archive',
            fields=[
                ('match', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='archive', serialize=False, to='games.match')),
                ('turns', models.PositiveIntegerField()),
                ('made', models.JSONField()),
                ('body', models.BinaryField()),
            ],
        ),
        migrations.CreateModel(
            name='PlayedKey',
            fields=[
                ('pk', models.CompositePrimaryKey('match_id', 'seat', 'key', blank=True, editable=False, primary_key=True, serialize=False)),
                ('match', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='games.match')),
                ('seat', models.PositiveSmallIntegerField()),
                ('key', models.CharField(max_length=40)),
                ('number', models.PositiveIntegerField()),
                ('at', models.DateTimeField(default=config.lib.clock.now)),
            ],
            options={
                'indexes': [models.Index(fields=['at'], name='played_key_old')],
            },
        ),
        # For the former release, which writes keys here while both run; rows without one take no room in it.
        migrations.RemoveConstraint('turn', 'turn_key_once'),
        migrations.AddConstraint('turn', models.UniqueConstraint(condition=models.Q(('key__isnull', False)), fields=('match', 'seat', 'key'), name='turn_key_once')),
        migrations.AddField('match', 'archived', models.BooleanField(db_default=False, default=False)),
        migrations.AddIndex('match', models.Index(condition=models.Q(('archived', False), ('status', 'ended')), fields=['ended_at'], name='match_to_archive')),
    ]
