from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0039_figures_before'),
    ]

    operations = [
        migrations.AddField(
            model_name='seat',
            name='undid',
            field=models.PositiveIntegerField(null=True),
        ),
    ]
