"""Choose the check items of a batch: items with known answers that its annotators cannot tell from the others.

They come from a practice that was never opened, so that nobody has seen its key. How they stand in a batch, and stay
out of the data, is told in docs/develop/architecture/rounds.md.
"""

from collections.abc import Sequence
from typing import Annotated, Any
from uuid import UUID

from django.db.models import Exists, OuterRef, QuerySet
from pydantic import BaseModel, ConfigDict, Field

from al_worker.formats.plurals import several
from annotation_app.assignment.services import PRACTISED
from annotation_app.faults import bare_schema, worded
from annotation_app.models import Assignment, CodebookVersion, KnownAnswer, Membership, Practice, Project, Round
from annotation_app.projects.services import published_codebook
from annotation_app.rounds.draw import first_by_hash

MOST_PERCENT = 20


class CheckItemsSpec(BaseModel):
    """Hold which practice check items come from, by its UUID, and how many there are, in percent of the items."""

    model_config = ConfigDict(frozen=True, json_schema_extra=bare_schema)

    practice: UUID
    percent: Annotated[int, Field(ge=1, le=MOST_PERCENT), worded(f"Choose 1 to {MOST_PERCENT} percent.")]


def may_check(practice: Practice, codebook: CodebookVersion | None) -> bool:
    """Tell whether a batch of this codebook version may take check items from the practice."""
    return practice.opened_at is None and codebook is not None and practice.batch.codebook_id == codebook.pk


def check_size(n_items: int, percent: int) -> int:
    """Return how many check items come to so many items: the share rounded, and one at least."""
    return max(1, (2 * n_items * percent + 100) // 200)


def checks_faults(
    project: Project, spec: CheckItemsSpec | None, annotators: Sequence[Membership], n_items: int
) -> dict[str, list[str]]:
    """Return what keeps the check items from being drawn, by field; nothing where none are asked for."""
    if spec is None:
        return {}
    practice = practice_found(project, spec)
    if practice is None:
        return {"check_items.practice": ["This practice is not there any more: choose another one."]}
    if practice.opened_at is not None:
        return {"check_items.practice": ["This practice was opened, so that annotators know its key. Choose one that "
                                         "was never opened."]}  # fmt: skip
    if not may_check(practice, published_codebook(project)):
        return {"check_items.practice": ["Its key answers another version of the codebook. Make a practice of the "
                                         "published version."]}  # fmt: skip
    asked, there = check_size(n_items, spec.percent), usable_keys(practice, annotators).count()
    if there < asked:
        return {
            "check_items.percent": [
                f"{spec.percent} % of {several(n_items, 'item')} is {several(asked, 'check item')}, and the practice "
                f"has {there} with a key that none of these annotators was given before."
            ]
        }
    return {}


def practice_found(project: Project, spec: CheckItemsSpec) -> Practice | None:
    return project.practices.filter(uuid=spec.practice).select_related("batch").first()


def usable_keys(practice: Practice, annotators: Sequence[Membership]) -> QuerySet[KnownAnswer]:
    """Return the practice's keys of items that none of the annotators was ever given, and that no practice shows."""
    given = Assignment.objects.filter(annotator__in=annotators, batch_item__item=OuterRef("batch_item__item"))
    keys = KnownAnswer.objects.filter(batch_item__batch=practice.batch_id, batch_item__item__left_out="")
    return keys.exclude(batch_item__item__in=PRACTISED).filter(~Exists(given))


def checks_drawn(
    project: Project, spec: CheckItemsSpec | None, annotators: Sequence[Membership], n_items: int
) -> list[KnownAnswer]:
    """Return the keys of the check items of a batch that opens now, which `checks_faults` has let through."""
    practice = practice_found(project, spec) if spec else None
    return keys_drawn(practice, annotators, check_size(n_items, spec.percent)) if spec and practice else []


def keys_drawn(practice: Practice, annotators: Sequence[Membership], size: int) -> list[KnownAnswer]:
    keys = usable_keys(practice, annotators).select_related("batch_item__item")
    by_pk = {key.pk: key for key in keys}
    names = ((key.batch_item.item.external_id, pk) for pk, key in by_pk.items())
    return [by_pk[pk] for pk in first_by_hash(names, f"{practice.uuid}:checks", size)]


def check_fields(project: Project, spec: CheckItemsSpec | None) -> dict[str, Any]:
    """Return the fields of a round that say which check items its batch has."""
    if spec is None:
        return {}
    return {"check_practice": practice_found(project, spec), "check_percent": spec.percent}


def checks_of_round(row: Round, annotators: Sequence[Membership], n_items: int) -> tuple[list[KnownAnswer], list[str]]:
    """Return the keys of the check items of a round whose worker has chosen, and what to tell where there are fewer.

    Keys may have gone while the worker chose. The batch opens all the same, since its data do not depend on them.
    """
    if row.check_percent is None or row.check_practice is None:
        return [], []
    asked = check_size(n_items, row.check_percent)
    keys = keys_drawn(row.check_practice, annotators, asked)
    if len(keys) == asked:
        return keys, []
    return keys, [f"The batch has {len(keys)} of {several(asked, 'check item')}: keys of the practice went meanwhile."]
