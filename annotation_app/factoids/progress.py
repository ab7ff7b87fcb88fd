"""Count how far people are with their factoid lists, and say when a list is done."""

from collections import defaultdict
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.db.models import Count, Max, QuerySet
from django.utils import timezone

from al_worker.formats.plurals import several
from annotation_app.factoids.access import open_check
from annotation_app.factoids.revisions import list_lock
from annotation_app.factoids.texts import list_texts
from annotation_app.models import (
    Factoid,
    FactoidAbsence,
    FactoidItem,
    FactoidList,
    FactoidPhase,
    FactoidRevision,
    FactoidSentence,
)
from annotation_app.projects.writable import writable_lock
from annotation_app.refusals import Refused


@dataclass(frozen=True)
class Progress:
    """Hold the numbers of a list.

    A text of an annotation is done where every factoid is answered there, a text of a definition where a sentence is
    linked. Answers are factoids by texts.
    """

    n_factoids: int
    n_texts_done: int
    n_answers: int
    n_items: int
    n_items_open: int
    last_at: datetime | None


def progress_of(lists: Collection[FactoidList]) -> dict[int, Progress]:
    """Return the progress of lists by their primary keys, in a fixed number of queries."""
    keys = [row.pk for row in lists]
    n_factoids = counted(Factoid.objects.filter(factoid_list__in=keys))
    answered = answered_cells(keys)
    items = FactoidItem.objects.filter(factoid_list__in=keys)
    n_items, n_open = counted(items), counted(items.filter(is_there=None))
    revisions = FactoidRevision.objects.filter(factoid_list__in=keys)
    last = dict(revisions.values_list("factoid_list").annotate(at=Max("created_at")))
    found = {}
    for row in lists:
        is_annotation = row.phase is not None and row.phase.kind == FactoidPhase.Kind.ANNOTATION
        needed = n_factoids.get(row.pk, 0) if is_annotation else 1
        by_text = answered.get(row.pk, {}).values()
        done = sum(number >= needed for number in by_text)
        of_items = n_items.get(row.pk, 0), n_open.get(row.pk, 0)
        found[row.pk] = Progress(n_factoids.get(row.pk, 0), done, sum(by_text), *of_items, last.get(row.pk))
    return found


def counted(rows: QuerySet[Factoid] | QuerySet[FactoidItem]) -> dict[int, int]:
    """Return how many rows each list has. Lists without a row are left out."""
    return dict(rows.values_list("factoid_list").annotate(n=Count("pk")))


def answered_cells(lists: Collection[int]) -> dict[int, dict[int, int]]:
    """Return how many factoids are answered in each text of each list. Texts without an answer are left out."""
    found: dict[int, dict[int, int]] = defaultdict(dict)
    there = FactoidSentence.objects.filter(factoid__factoid_list__in=lists)
    absent = FactoidAbsence.objects.filter(factoid__factoid_list__in=lists)
    # No factoid is in both: an absence is refused where a sentence is linked.
    for rows in (
        there.values_list("factoid__factoid_list", "sentence__set_text").annotate(n=Count("factoid", distinct=True)),
        absent.values_list("factoid__factoid_list", "set_text").annotate(n=Count("factoid")),
    ):
        for row, text, number in rows:
            found[row][text] = found[row].get(text, 0) + number
    return found


@transaction.atomic
def list_done_set(*, row: FactoidList, is_done: bool) -> FactoidList:
    """Say that the work on a list is done, or that it is not.

    Raises Refused where something of an annotation is not answered yet, or an item is open.
    """
    writable_lock(row.text_set.project_id)
    row = list_lock(row)
    open_check(row)
    if is_done:
        finished_check(row)
    row.done_at = (row.done_at or timezone.now()) if is_done else None
    row.save(update_fields=["done_at"])
    return row


def finished_check(row: FactoidList) -> None:
    """Raise Refused where answers are missing."""
    if n_open := row.items.filter(is_there=None).count():
        raise Refused(
            "unfinished", f"{several(n_open, 'item')} to decide: decide them first, then say that it is done."
        )
    if row.phase is None or row.phase.kind != FactoidPhase.Kind.ANNOTATION or row.items.exists():
        return
    cells = row.factoids.count() * list_texts(row).count()
    if lacking := cells - sum(answered_cells([row.pk]).get(row.pk, {}).values()):
        what = several(lacking, "answer")
        raise Refused(
            "unfinished", f"{what} missing: say of each factoid in which texts it is, and in which it is not."
        )
