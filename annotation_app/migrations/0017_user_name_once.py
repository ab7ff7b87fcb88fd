from collections import defaultdict

from django.db import migrations, models

from annotation_app.models.names import key_of, name_key

LENGTH = 150


def doubles_rename(apps, schema_editor):
    """Two accounts whose names are one: the oldest keeps it, later ones get a number. The operator tells their owners.

    Neither account could be taken away or merged, since both may have answered.
    """
    User = apps.get_model("annotation_app", "User")
    people = defaultdict(list)
    for user in User.objects.order_by("pk"):
        people[name_key(user.username)].append(user)
    for same in list(people.values()):
        for user in same[1:]:
            number, old = 2, user.username
            while name_key(renamed := f"{old[: LENGTH - 8]}-{number}") in people:
                number += 1
            people[name_key(renamed)] = [user]
            user.username = renamed
            user.save(update_fields=["username"])
            print(f"\n  The user name {old!r} is also {same[0].username!r}: the later account signs in as {renamed!r} now.")


class Migration(migrations.Migration):
    dependencies = [("annotation_app", "0016_batches_closed")]

    operations = [
        migrations.RunPython(doubles_rename, migrations.RunPython.noop, elidable=False),
        migrations.AddConstraint(
            model_name="user",
            constraint=models.UniqueConstraint(key_of("username"), name="user_name_once"),
        ),
    ]
