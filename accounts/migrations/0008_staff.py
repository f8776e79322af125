# Names that look alike by the whole of Unicode's table; two members who are alike by it keep their names.

from django.db import migrations

from accounts.names import skeleton


def look_again(apps, schema_editor):
    User = apps.get_model("accounts", "User")
    taken = {}
    for pk, name, before in User.objects.order_by("pk").values_list("pk", "username", "skeleton").iterator():
        looks = skeleton(name)
        taken[pk] = (looks, before)
    held = {before for _looks, before in taken.values()}
    for pk, (looks, before) in taken.items():
        if looks == before:
            continue
        fresh = f"{looks}~{pk}" if looks in held else looks
        held.add(fresh)
        User.objects.filter(pk=pk).update(skeleton=fresh)


class Migration(migrations.Migration):
    dependencies = [("accounts", "0007_running")]

    operations = [migrations.RunPython(look_again, migrations.RunPython.noop)]
