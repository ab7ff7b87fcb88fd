"""Write what is stored about one person into a ZIP of JSON files, one for each table."""

import json
import os
import zipfile
from collections.abc import Iterator
from contextlib import ExitStack
from datetime import timedelta
from io import TextIOWrapper
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Any

from django.apps import apps
from django.core.serializers.json import DjangoJSONEncoder
from django.db import transaction
from django.db.models import Field, Model, Q
from django.utils import timezone

from annotation_app.models import Event, User, event_write
from annotation_app.personal_data.holdings import HOLDINGS, NEVER, Holding

AT_ONCE = 500
OWN_AN_HOUR = 10


class TooManyExports(Exception):
    """Signal that a person has downloaded their data as often as they may in an hour."""


def person_export(*, user: User, path: Path) -> dict[str, int]:
    """Write a new file and return how many rows of each table it has. The log gets no name."""
    with transaction.atomic():
        # From its first byte nobody else can read it.
        kept = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(kept, "wb") as raw:
            counts = archive_write(raw, user)
        event_write(verb="person_exported", project=None, actor_id=None, subject=user.uuid)
    return counts


@transaction.atomic
def own_export(*, user: User) -> IO[bytes]:
    """Return a file without a name that holds one's own data, at its beginning. Raises TooManyExports."""
    # One at a time: otherwise many at once would all count the same.
    User.objects.select_for_update(no_key=True).get(pk=user.pk)
    hour = timezone.now() - timedelta(hours=1)
    if Event.objects.filter(actor=user, verb="person_exported", created_at__gte=hour).count() >= OWN_AN_HOUR:
        raise TooManyExports
    with ExitStack() as unfinished:
        raw = unfinished.enter_context(TemporaryFile())
        archive_write(raw, user)
        raw.seek(0)
        event_write(verb="person_exported", project=None, actor_id=user.pk, subject=user.uuid)
        unfinished.pop_all()
    return raw


def archive_write(raw: IO[bytes], user: User) -> dict[str, int]:
    """Write the ZIP and return how many rows of each table it has."""
    with zipfile.ZipFile(raw, "w", zipfile.ZIP_DEFLATED) as archive:
        return {holding.model: rows_write(archive, holding, user) for holding in HOLDINGS}


def rows_write(archive: zipfile.ZipFile, holding: Holding, user: User) -> int:
    """Write the rows of one table as a JSON list, a row a line, and return how many they are."""
    n = 0
    with archive.open(f"{holding.model}.json", "w", force_zip64=True) as raw, TextIOWrapper(raw, "utf-8") as file:
        file.write("[")
        for n, row in enumerate(rows_of(holding, user), start=1):
            file.write(",\n" if n > 1 else "\n")
            file.write(json.dumps(row, cls=DjangoJSONEncoder, ensure_ascii=False))
        file.write("\n]\n")
    return n


def rows_of(holding: Holding, user: User) -> Iterator[dict[str, Any]]:
    """Yield the person's rows, the oldest first. No serial id is in them: it tells how many rows others have."""
    model = apps.get_model("annotation_app", holding.model)
    mine = Q()
    for way in holding.ways:
        mine |= Q(**{way: user.pk})
    fields = [field for field in model._meta.concrete_fields if is_exported(field, holding)]
    paths = [f"{field.name}__uuid" if field.is_relation else field.name for field in fields]
    names = [field.name for field in fields] + list(holding.also)
    found = model._default_manager.filter(mine).order_by("pk").values_list(*paths, *holding.also)
    for row in found.iterator(chunk_size=AT_ONCE):
        yield dict(zip(names, row, strict=True))


def is_exported(field: "Field[Any, Any]", holding: Holding) -> bool:
    """Tell whether a field is exported. A foreign key is by the id for outside of what it leads to, if that has one."""
    if field.primary_key or field.name in NEVER or (holding.only and field.name not in holding.only):
        return False
    target: type[Model] | None = field.related_model if field.is_relation else None
    return target is None or any(each.name == "uuid" for each in target._meta.concrete_fields)
