# The accounts, as they were first made.

import accounts.models
import accounts.models
import accounts.names
import config.lib.clock
import django.db.models.functions.text
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('auth', '0012_alter_user_first_name_max_length'),
    ]

    operations = [
        migrations.CreateModel(
            name='User',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('password', models.CharField(max_length=128, verbose_name='password')),
                ('last_login', models.DateTimeField(blank=True, null=True, verbose_name='last login')),
                ('is_superuser', models.BooleanField(default=False, help_text='Designates that this user has all permissions without explicitly assigning them.', verbose_name='superuser status')),
                ('email', models.EmailField(blank=True, max_length=254, verbose_name='email address')),
                ('is_staff', models.BooleanField(default=False, help_text='Designates whether the user can log into this admin site.', verbose_name='staff status')),
                ('is_active', models.BooleanField(default=True, help_text='Designates whether this user should be treated as active. Unselect this instead of deleting accounts.', verbose_name='active')),
                ('username', models.CharField(error_messages={'unique': 'This name is taken, or too similar to one that is.'}, max_length=24, unique=True, validators=[accounts.names.validate_name], verbose_name='user name')),
                ('skeleton', accounts.models.SkeletonField(editable=False, max_length=100, unique=True, verbose_name='looks like')),
                ('date_joined', models.DateTimeField(default=config.lib.clock.now, verbose_name='joined')),
                ('is_guest', models.BooleanField(default=False, verbose_name='guest')),
                ('language', models.CharField(default='en', max_length=8, verbose_name='language')),
                ('time_zone', models.CharField(default='UTC', max_length=64, verbose_name='time zone')),
                ('colours', models.CharField(choices=[('system', 'Same as the device'), ('light', 'Light'), ('dark', 'Dark')], default='system', max_length=8, verbose_name='colours')),
                ('reduced_motion', models.BooleanField(default=False, verbose_name='reduced motion')),
                ('groups', models.ManyToManyField(blank=True, help_text='The groups this user belongs to. A user will get all permissions granted to each of their groups.', related_name='user_set', related_query_name='user', to='auth.group', verbose_name='groups')),
                ('user_permissions', models.ManyToManyField(blank=True, help_text='Specific permissions for this user.', related_name='user_set', related_query_name='user', to='auth.permission', verbose_name='user permissions')),
            ],
            options={
                'verbose_name': 'member',
                'verbose_name_plural': 'members',
                'constraints': [models.UniqueConstraint(django.db.models.functions.text.Lower('email'), condition=models.Q(('email', ''), _negated=True), name='accounts_user_email_unique', violation_error_message='A member already has this e-mail address.')],
            },
            managers=[
                ('objects', accounts.models.Users()),
            ],
        ),
    ]
