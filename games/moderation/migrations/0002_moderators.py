# The group of moderators. Permissions are made after all migrations; those that it needs are made here.

from django.db import migrations

MAY = {
    "moderation": {"audit": ["moderate", "view_audit"], "report": ["view_report"], "sanction": ["view_sanction"]},
    "accounts": {"user": ["view_user"]},
    "games": {"match": ["view_match"], "chatline": ["view_chatline"]},
}
NAMES = {"moderate": "Can act on reports, members, chats and matches"}


def make(apps, schema_editor):
    Group = apps.get_model("auth", "Group")
    Permission = apps.get_model("auth", "Permission")
    ContentType = apps.get_model("contenttypes", "ContentType")
    group, _made = Group.objects.get_or_create(name="Moderators")
    for app, models in MAY.items():
        for model, codenames in models.items():
            kind, _made = ContentType.objects.get_or_create(app_label=app, model=model)
            for codename in codenames:
                permission, _made = Permission.objects.get_or_create(
                    content_type=kind,
                    codename=codename,
                    defaults={"name": NAMES.get(codename, f"Can view {model}")},
                )
                group.permissions.add(permission)


class Migration(migrations.Migration):
    dependencies = [
        ("moderation", "0001_initial"),
        ("games", "0009_chat"),
        ("auth", "0012_alter_user_first_name_max_length"),
        ("contenttypes", "0002_remove_content_type_name"),
    ]

    operations = [migrations.RunPython(make, migrations.RunPython.noop)]
