"""Import text sets, and add texts to them."""

from collections.abc import Sequence
from typing import BinaryIO, cast

from django.core.files.uploadedfile import UploadedFile
from django.db import transaction
from django.db.models import Max

from annotation_app.factoids.events import event_of
from annotation_app.factoids.text_files import ReadText, texts_read
from annotation_app.ingest.source import Source
from annotation_app.models import Project, SetSentence, SetText, TextSet, User, event_write
from annotation_app.projects.writable import writable_lock
from annotation_app.refusals import Invalid, Refused

FEWEST_TEXTS = 2
NOT_IMPORTED = "The texts were not imported."


def text_set_import(*, project: Project, actor: User, name: str, files: Sequence[UploadedFile], format: str) -> TextSet:
    """Make a set of the texts of files. Raises Invalid with all that is wrong in them; nothing is stored then."""
    texts = texts_read([source_of(file) for file in files], format)
    return text_set_create(project=project, actor=actor, name=name, texts=texts)


@transaction.atomic
def text_set_create(*, project: Project, actor: User, name: str, texts: Sequence[ReadText]) -> TextSet:
    """Make a set of these texts. Raises Invalid."""
    project = writable_lock(project.pk)
    name = name.strip()
    if not name:
        raise Invalid({"name": ["Give the text set a name."]}, NOT_IMPORTED)
    if project.text_sets.filter(name=name).exists():
        raise Invalid({"name": [f"The project has a text set “{name}” already: choose another name."]}, NOT_IMPORTED)
    if len(texts) < FEWEST_TEXTS:
        raise Invalid(
            {"files": [f"A set has two texts or more, and here is {len(texts)}: choose more files."]}, NOT_IMPORTED
        )
    row = TextSet.objects.create(project=project, name=name, created_by=actor)
    texts_store(row, texts, is_system=False)
    event_write(verb="text_set_imported", **event_of(row, actor), texts=len(texts), name=name)
    return row


@transaction.atomic
def texts_add(
    *, text_set: TextSet, actor: User, files: Sequence[UploadedFile], format: str, is_system: bool
) -> TextSet:
    """Add texts to a set while nobody works on it. Once a phase was opened, only a system's texts are added.

    Raises Invalid and Refused; nothing is stored then.
    """
    writable_lock(text_set.project_id)
    if text_set.phases.filter(closed_at=None).exists():
        raise Refused("phase_open", "A phase is open, and its texts must stay the same: close it, then add texts.")
    if not is_system and text_set.phases.exists():
        message = "People have worked on this set, so that only a system's texts can be added: say that they are these."
        raise Invalid({"is_system": [message]}, NOT_IMPORTED)
    known = {
        "texts": text_set.texts.values_list("external_id", flat=True),
        "sentences": text_set.sentences.values_list("external_id", flat=True),
    }
    texts = texts_read([source_of(file) for file in files], format, **known)
    texts_store(text_set, texts, is_system=is_system)
    event_write(verb="texts_added", **event_of(text_set, actor), texts=len(texts), is_system=is_system)
    return text_set


def source_of(file: UploadedFile) -> Source:
    return Source(file.name or "upload", file=cast(BinaryIO, file.file))


def texts_store(row: TextSet, texts: Sequence[ReadText], *, is_system: bool) -> None:
    last = row.texts.aggregate(last=Max("position"))["last"]
    first = 0 if last is None else last + 1
    made = SetText.objects.bulk_create(
        SetText(text_set=row, external_id=text.id, position=at, is_system=is_system)
        for at, text in enumerate(texts, start=first)
    )
    SetSentence.objects.bulk_create(
        SetSentence(text_set=row, set_text=text, external_id=name, position=at, text=words)
        for text, read in zip(made, texts, strict=True)
        for at, (name, words) in enumerate(read.sentences)
    )
