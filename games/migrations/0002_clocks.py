# Clocks, and the records of what went wrong with them.

from datetime import timedelta
import config.lib.clock
import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models
from config.lib import clock


THREE_DAYS = timedelta(days=3)


def give_time(apps, schema_editor):
    """Matches under way get the usual pace, and their clocks a fresh start."""
    Seat = apps.get_model("games", "Seat")
    now = clock.now()
    Seat.objects.update(bank=THREE_DAYS // timedelta(milliseconds=1))
    running = Seat.objects.filter(match__status="running", ask__isnull=False, user__isnull=False, bot="")
    running.update(runs_from=now, deadline=now + THREE_DAYS)


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0001_initial'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Heartbeat',
            fields=[
                ('name', models.CharField(max_length=10, primary_key=True, serialize=False)),
                ('at', models.DateTimeField()),
                ('since', models.DateTimeField()),
            ],
        ),
        migrations.CreateModel(
            name='Outage',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('part', models.CharField(max_length=10)),
                ('start', models.DateTimeField()),
                ('end', models.DateTimeField()),
            ],
            options={
                'verbose_name': 'outage',
            },
        ),
        migrations.CreateModel(
            name='Sweep',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('at', models.DateTimeField(default=config.lib.clock.now)),
                ('due', models.PositiveIntegerField(default=0)),
                ('stopped', models.BooleanField(default=False)),
                ('released_at', models.DateTimeField(null=True)),
                ('undone_at', models.DateTimeField(null=True)),
            ],
            options={
                'verbose_name': 'sweep',
            },
        ),
        migrations.CreateModel(
            name='TimeOut',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('seat', models.PositiveSmallIntegerField()),
                ('ask', models.PositiveIntegerField()),
                ('kind', models.CharField(choices=[('played', 'the default move was played'), ('absent', 'a bot plays on'), ('ended', 'the match ended')], max_length=7)),
                ('at', models.DateTimeField(default=config.lib.clock.now)),
                ('before', models.JSONField()),
                ('undone', models.JSONField(null=True)),
            ],
            options={
                'verbose_name': 'time-out',
            },
        ),
        migrations.AddField(
            model_name='match',
            name='earlier_seeds',
            field=models.JSONField(default=list),
        ),
        migrations.AddField(
            model_name='match',
            name='outage',
            field=models.PositiveBigIntegerField(default=0),
        ),
        migrations.AddField(
            model_name='match',
            name='pace_slug',
            field=models.CharField(default='3d', max_length=4, verbose_name='time to think'),
        ),
        migrations.AddField(
            model_name='match',
            name='paused_at',
            field=models.DateTimeField(null=True),
        ),
        migrations.AddField(
            model_name='match',
            name='trouble',
            field=models.CharField(blank=True, max_length=200),
        ),
        migrations.AddField(
            model_name='match',
            name='troubled_at',
            field=models.DateTimeField(null=True),
        ),
        migrations.AddField(
            model_name='seat',
            name='absent',
            field=models.BooleanField(default=False),
        ),
        migrations.AddField(
            model_name='seat',
            name='bank',
            field=models.BigIntegerField(default=0),
        ),
        migrations.AddField(
            model_name='seat',
            name='deadline',
            field=models.DateTimeField(null=True),
        ),
        migrations.AddField(
            model_name='seat',
            name='run_outs',
            field=models.PositiveSmallIntegerField(default=0),
        ),
        migrations.AddField(
            model_name='seat',
            name='runs_from',
            field=models.DateTimeField(null=True),
        ),
        migrations.AddField(
            model_name='seat',
            name='wants_pause',
            field=models.BooleanField(default=False),
        ),
        migrations.AlterField(
            model_name='match',
            name='ending',
            field=models.CharField(blank=True, choices=[('played', 'played to the end'), ('resigned', 'ended by resignation'), ('timed_out', 'ended as time ran out'), ('called_off', 'called off by agreement'), ('closed', 'closed before it started'), ('lapsed', 'closed, as nobody joined')], max_length=10),
        ),
        migrations.AlterField(
            model_name='turn',
            name='by',
            field=models.CharField(choices=[('person', 'person'), ('bot', 'bot'), ('orders', 'standing orders'), ('clock', 'the clock')], max_length=6),
        ),
        migrations.AddIndex(
            model_name='seat',
            index=models.Index(condition=models.Q(('deadline__isnull', False)), fields=['deadline'], name='seat_due'),
        ),
        migrations.AddField(
            model_name='timeout',
            name='match',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='time_outs', to='games.match'),
        ),
        migrations.AddField(
            model_name='timeout',
            name='sweep',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='time_outs', to='games.sweep'),
        ),
        migrations.AddConstraint(
            model_name='timeout',
            constraint=models.UniqueConstraint(fields=('match', 'seat', 'ask'), name='timed_out_once'),
        ),
        migrations.AddIndex(
            model_name='match',
            index=models.Index(condition=models.Q(('status', 'running')), fields=['outage', 'id'], name='match_owed'),
        ),
        migrations.RunPython(give_time, migrations.RunPython.noop),
    ]
