"""Set up a practice: choose its items, write their key, open it, and see who passed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal
from uuid import UUID

from django.db import transaction
from django.db.models import Max, QuerySet
from django.utils import timezone
from pydantic import ConfigDict, Field

from annotation_app.aggregation.selectors import majority_labels
from annotation_app.assignment.blinding import reveal_answers
from annotation_app.assignment.practice import PracticeStanding, attempts_of, next_practice_number, standing_of
from annotation_app.codebook.answers import answer_faults
from annotation_app.codebook.definition import codebook_of
from annotation_app.codebook.stages import Codebook
from annotation_app.faults import bare_schema, worded
from annotation_app.ingest.pool import choosing_reason
from annotation_app.models import (
    Batch,
    BatchItem,
    Capability,
    Item,
    KnownAnswer,
    Membership,
    Practice,
    Project,
    Round,
    User,
    event_write,
)
from annotation_app.projects.services import published_codebook
from annotation_app.projects.writable import writable_lock
from annotation_app.refusals import Invalid, Refused
from annotation_app.rounds.batches import usable_batches
from annotation_app.rounds.check_items import may_check
from annotation_app.rounds.draw import first_by_hash, uniform_draw
from annotation_app.rounds.spec import Seed
from annotation_app.starts import StartSpec, started_before

MOST_ITEMS = 200
MOST_ATTEMPTS = 20
EXPLANATION_LENGTH = 2_000
# Answers to a stage of free text are never the same twice, so that no key can be compared with them.
NO_KEY = "none"
NOT_IN_KEY = "The key has no answer to this question: give one, or leave its explanation out."

Title = Annotated[
    str, Field(min_length=1, max_length=100), worded("Give the practice a title of at most 100 characters.")
]
Percent = Annotated[int, Field(ge=1, le=100), worded("Choose 1 to 100 percent.")]
Attempts = Annotated[int, Field(ge=1, le=MOST_ATTEMPTS), worded(f"Choose 1 to {MOST_ATTEMPTS} attempts.")]
Size = Annotated[int, Field(ge=1, le=MOST_ITEMS), worded(f"Choose 1 to {MOST_ITEMS} items.")]


class PracticeSpec(StartSpec):
    """Hold what an admin says of a practice. `pass_mark` is in percent of the items."""

    model_config = ConfigDict(frozen=True, json_schema_extra=bare_schema, str_strip_whitespace=True)

    title: Title
    pass_mark: Percent = 80
    attempts: Attempts = 3
    is_required: bool = False


class PracticeItemsSpec(StartSpec):
    """Hold which items an admin adds: those named by `ids`, or `size` drawn at random.

    They are drawn from the pool, or from the adjudicated items, whose aggregated labels are then their key.
    """

    model_config = ConfigDict(frozen=True, json_schema_extra=bare_schema)

    source: Literal["ids", "pool", "adjudicated"]
    ids: tuple[str, ...] = Field(default=(), max_length=MOST_ITEMS)
    size: Size = 10
    random_state: Seed = 0


@dataclass(frozen=True)
class PracticeView:
    """Hold a practice with the number of its items, and how everybody who may annotate stands in it."""

    row: Practice
    n_items: int
    n_keys: int
    # Keys that check items can be drawn from.
    n_checks: int
    people: list[PracticeStanding]


def practice_views(project: Project) -> list[PracticeView]:
    """Return the practices, the newest first, in a constant number of queries."""
    practices = list(project.practices.select_related("batch").order_by("-number"))
    batches = [practice.batch_id for practice in practices]
    items = list(BatchItem.objects.filter(batch__in=batches).values_list("batch", flat=True))
    keys = list(KnownAnswer.objects.filter(batch_item__batch__in=batches).values_list("batch_item__batch", flat=True))
    members = list(project.memberships.active_with(Capability.RATE).select_related("user").order_by("number"))
    attempts = attempts_of(practices)
    codebook = published_codebook(project)
    return [
        PracticeView(
            row,
            items.count(row.batch_id),
            keys.count(row.batch_id),
            keys.count(row.batch_id) if may_check(row, codebook) else 0,
            [standing_of(row, member, attempts) for member in members] if row.opened_at else [],
        )
        for row in practices
    ]


def practice_items(practice: Practice) -> QuerySet[BatchItem]:
    """Return the items in their order, each with its item and its key, where it has one."""
    return practice.batch.batch_items.select_related("item", "known_answer").order_by("rank")


@transaction.atomic
def practice_create(*, project: Project, spec: PracticeSpec, actor: User) -> Practice:
    """Make a practice without items, of the published codebook. Raises Refused where that asks no question.

    Return the one that the same client_id made before.
    """
    writable_lock(project.pk)
    if (before := started_before(project.practices.all(), spec.client_id, spec.body_hash())) is not None:
        return before
    codebook = published_codebook(project)
    if codebook is None:
        raise Refused("no_codebook", "This project has no published codebook: publish one first.")
    if not any(stage.measure != NO_KEY for stage in codebook_of(codebook).stages):
        raise Refused("no_stages", "The codebook has no question that a key can answer. Spans are not compared.")
    batch = Batch.objects.create(
        project=project,
        codebook=codebook,
        kind=Batch.Kind.PRACTICE,
        number=next_practice_number(project),
        annotators_per_item=1,
    )
    number = (project.practices.aggregate(last=Max("number"))["last"] or 0) + 1
    practice = Practice.objects.create(
        project=project,
        number=number,
        batch=batch,
        created_by=actor,
        body_hash=spec.body_hash(),
        **spec.model_dump(),
    )
    event_write(
        verb="practice_created", project=project, actor_id=actor.pk, subject=practice.uuid, title=practice.title
    )
    return practice


@transaction.atomic
def practice_change(*, practice: Practice, spec: PracticeSpec, actor: User) -> Practice:
    """Change what is said of it. Raises Refused where more than `is_required` changes after it was opened.

    Rounds cannot require a practice that is closed, since nobody could begin it.
    """
    practice = practice_lock(practice)
    new = spec.model_dump(exclude={"client_id"})
    changed = {name for name, value in new.items() if getattr(practice, name) != value}
    if practice.opened_at is not None and changed - {"is_required"}:
        raise opened_refusal()
    if practice.closed_at is not None and spec.is_required and changed:
        raise Refused("practice_closed", "This practice is closed, so that newcomers could not pass it any more.")
    if changed:
        for name in changed:
            setattr(practice, name, new[name])
        practice.save(update_fields=list(changed))
        event_write(verb="practice_changed", project=practice.project, actor_id=actor.pk, subject=practice.uuid, **new)
    return practice


@transaction.atomic
def practice_remove(*, practice: Practice, actor: User) -> None:
    """Remove a practice that was never opened; its items return to the pool. Raises Refused."""
    practice = draft_lock(practice)
    choosing_check(practice)
    event_write(
        verb="practice_removed",
        project=practice.project,
        actor_id=actor.pk,
        subject=practice.uuid,
        title=practice.title,
    )
    items_remove(practice.batch.batch_items.all())
    practice.delete()
    practice.batch.delete()


def items_remove(rows: QuerySet[BatchItem]) -> None:
    KnownAnswer.objects.filter(batch_item__in=rows).delete()
    rows.delete()


@transaction.atomic
def practice_items_add(*, practice: Practice, spec: PracticeItemsSpec, membership: Membership) -> int:
    """Put items into a practice that is not open yet; return how many. Raises Invalid and Refused.

    The same client_id adds nothing again, and returns how many it added.
    """
    practice = practice_lock(practice)
    if (before := started_before(practice.additions.all(), spec.client_id, spec.body_hash())) is not None:
        return before.added
    if practice.opened_at is not None:
        raise opened_refusal()
    if reason := choosing_reason(practice.project):
        raise Refused("round_at_work", reason)
    keys: Mapping[int, Mapping[str, str]] = {}
    match spec.source:
        case "ids":
            items = items_named(practice, spec.ids)
        case "pool":
            key = f"{spec.random_state}:practice"
            items = uniform_draw(project=practice.project, key=key, size=spec.size)
            if not items:
                raise Invalid({"size": ["The pool has no items left. Import texts first."]})
        case "adjudicated":
            keys = adjudicated_keys(practice, spec)
            items = list(keys)
            decided = BatchItem.objects.filter(batch__kind=Batch.Kind.ROUND, item__in=items)
            reveal_answers(
                reader=membership,
                batch_items=list(decided.values_list("pk", flat=True)),
                subject=practice.uuid,
                lock_own=True,
            )
    last = practice.batch.batch_items.aggregate(last=Max("rank"))["last"] or 0
    if practice.batch.batch_items.count() + len(items) > MOST_ITEMS:
        raise Invalid({spec.source: [f"A practice has at most {MOST_ITEMS} items."]})
    rows = [BatchItem(batch=practice.batch, item_id=pk, rank=rank) for rank, pk in enumerate(items, last + 1)]
    BatchItem.objects.bulk_create(rows)
    KnownAnswer.objects.bulk_create(
        KnownAnswer(batch_item=row, answers=keys[row.item_id]) for row in rows if row.item_id in keys
    )
    if spec.client_id is not None:
        practice.additions.create(client_id=spec.client_id, body_hash=spec.body_hash(), added=len(rows))
    event_write(
        verb="practice_items_added",
        project=practice.project,
        actor_id=membership.user_id,
        subject=practice.uuid,
        items=len(rows),
        source=spec.source,
    )
    return len(rows)


def items_named(practice: Practice, ids: Sequence[str]) -> list[int]:
    """Return the ids of the rows of the named items, in that order. Raises Invalid with every fault."""
    names = [name.strip() for name in ids if name.strip()]
    found = dict(practice.project.items.filter(external_id__in=names, left_out="").values_list("external_id", "pk"))
    missing = [name for name in names if name not in found]
    live = set(live_items(practice.project, list(found.values())))
    has = set(practice.batch.batch_items.values_list("item", flat=True))
    faults = [f"{name}: the project has no such item, or it was left out." for name in missing[:10]]
    faults += [f"{name}: people may still answer it in an open batch." for name, pk in found.items() if pk in live][:10]
    faults += [f"{name}: it is in this practice already." for name, pk in found.items() if pk in has][:10]
    if not names:
        faults = ["Name one or more items, one id a line."]
    elif len(set(names)) != len(names):
        faults.append("Name every item once.")
    if faults:
        raise Invalid({"ids": faults})
    return [found[name] for name in names]


def live_items(project: Project, items: Sequence[int]) -> QuerySet[BatchItem, Any]:
    """Return which of the items people may still answer, or change their answer to: a key would tell on it."""
    rows = BatchItem.objects.filter(batch__project=project, item__in=items, batch__frozen_at__isnull=True)
    return rows.exclude(batch__kind=Batch.Kind.PRACTICE).values_list("item", flat=True)


def adjudicated_keys(practice: Practice, spec: PracticeItemsSpec) -> dict[int, dict[str, str]]:
    """Return the key by item id of adjudicated items of closed rounds: their aggregated labels. Raises Invalid."""
    project, codebook = practice.project, codebook_of(practice.batch.codebook)
    batches = [batch for batch in usable_batches(project, practice.batch.codebook) if batch.frozen_at is not None]
    keys: dict[int, dict[str, str]] = {}
    names: dict[int, str] = {}
    decided: set[int] = set()
    for stage in codebook.stages:
        if stage.measure == NO_KEY:
            continue
        for row in majority_labels(project=project, stage=stage.key, batches=batches, adjudicated=True):
            if row.label is not None:
                keys.setdefault(row.item_id, {})[stage.key] = row.label
                names[row.item_id] = row.external_id
            if row.state == "adjudicated":
                decided.add(row.item_id)
    usable = Item.objects.filter(pk__in=decided, left_out="").exclude(batch_items__batch=practice.batch)
    left = set(usable.values_list("pk", flat=True)) - set(live_items(project, list(decided)))
    fit = {pk: keys[pk] for pk in left if not key_faults(codebook, keys.get(pk, {}))}
    if not fit:
        raise Invalid(
            {"size": ["No closed round has an adjudicated item with a label to compare that is not in this practice."]}
        )
    chosen = first_by_hash(((names[pk], pk) for pk in fit), f"{spec.random_state}:practice", spec.size)
    return {pk: fit[pk] for pk in chosen}


@transaction.atomic
def practice_item_remove(*, practice: Practice, item: UUID, actor: User) -> None:
    """Take an item out of a practice that is not open yet. Doing it twice changes nothing. Raises Refused."""
    practice = draft_lock(practice)
    rows = practice.batch.batch_items.filter(item__uuid=item)
    if rows.exists():
        items_remove(rows)
        event_write(verb="practice_item_removed", project=practice.project, actor_id=actor.pk, subject=practice.uuid)


@transaction.atomic
def practice_key_set(
    *,
    practice: Practice,
    item: UUID,
    answers: Mapping[str, Any],
    explanation: str,
    actor: User,
    explanations: Mapping[str, str] | None = None,
    base_version: int | None = None,
) -> None:
    """Write the key of an item of a practice that is not open yet. Raises Invalid with every fault, and Refused.

    `explanations` are by stage. `base_version` is what the writer saw: 0 for no key, None for whatever there is. A key
    that somebody wrote meanwhile is not written over (Refused with `stale`). A retry changes nothing.
    """
    practice = draft_lock(practice)
    row = practice.batch.batch_items.filter(item__uuid=item).first()
    if row is None:
        raise Refused("no_item", "This item is not in the practice any more. Reload the page.")
    told = {stage: words.strip() for stage, words in (explanations or {}).items() if words.strip()}
    faults = key_faults(codebook_of(practice.batch.codebook), answers)
    faults |= {f"explanations.{stage}": [NOT_IN_KEY] for stage in told if stage not in answers}
    if faults:
        raise Invalid(faults, "The key was not stored.")
    key = KnownAnswer.objects.filter(batch_item=row).first() or KnownAnswer(batch_item=row, version=0)
    new = {"answers": dict(answers), "explanation": explanation.strip(), "explanations": told}
    if key.version and all(getattr(key, name) == value for name, value in new.items()):
        return
    if base_version not in (None, key.version):
        raise Refused("stale", "Somebody wrote this key meanwhile, so yours was not stored over it.")
    for name, value in new.items():
        setattr(key, name, value)
    key.version += 1
    key.save()
    event_write(verb="practice_key_set", project=practice.project, actor_id=actor.pk, subject=practice.uuid)


def key_faults(codebook: Codebook, answers: Mapping[str, Any]) -> dict[str, list[str]]:
    """Return what is wrong with a key, by field. It may leave stages out, which are then not compared."""
    if not answers:
        return {"answers": ["Answer one question at least."]}
    faults = answer_faults(codebook, answers, answers)
    free = [key for key in answers if key in codebook.by_key and codebook.by_key[key].measure == NO_KEY]
    faults |= dict.fromkeys(free, "A free text is not compared: leave it out of the key.")
    return {f"answers.{key}": [fault] for key, fault in faults.items()}


@transaction.atomic
def practice_open(*, practice: Practice, actor: User) -> Practice:
    """Offer the practice to everybody who may annotate. Raises Refused where an item has no key, or is in a batch."""
    practice = draft_lock(practice)
    choosing_check(practice)
    rows = list(practice_items(practice))
    if not rows:
        raise Refused("no_items", "Add items first.")
    if missing := sum(not hasattr(row, "known_answer") for row in rows):
        raise Refused("no_key", f"{missing} of {len(rows)} items have no key yet.")
    if live := len(set(live_items(practice.project, [row.item_id for row in rows]))):
        raise Refused("live", f"{live} of the items are in an open batch now: remove them, or wait until it is closed.")
    practice.opened_at = timezone.now()
    practice.save(update_fields=["opened_at"])
    event_write(
        verb="practice_opened",
        project=practice.project,
        actor_id=actor.pk,
        subject=practice.uuid,
        items=len(rows),
        pass_mark=practice.pass_mark,
        attempts=practice.attempts,
    )
    return practice


@transaction.atomic
def practice_close(*, practice: Practice, actor: User) -> Practice:
    """Let nobody begin it any more; attempts that were begun go on. Raises Refused, also where rounds require it."""
    practice = practice_lock(practice)
    if practice.opened_at is None or practice.closed_at is not None:
        raise Refused("wrong_state", "Only a practice that is open can be closed.")
    if practice.is_required:
        raise Refused(
            "required", "Rounds require this practice, and newcomers could not pass it. First end “Rounds require it”."
        )
    practice.closed_at = timezone.now()
    practice.save(update_fields=["closed_at"])
    event_write(verb="practice_closed", project=practice.project, actor_id=actor.pk, subject=practice.uuid)
    return practice


def practice_lock(practice: Practice) -> Practice:
    """Hold the project, as everything does that draws from the pool, and read the practice anew."""
    writable_lock(practice.project_id)
    return Practice.objects.select_related("project", "batch__codebook").get(pk=practice.pk)


def draft_lock(practice: Practice) -> Practice:
    locked = practice_lock(practice)
    if locked.opened_at is not None:
        raise opened_refusal()
    return locked


def choosing_check(practice: Practice) -> None:
    """Raise Refused while a round that takes its check items from the practice has not opened its batch yet."""
    if row := practice.checked_rounds.filter(state__in=Round.CHOOSING_STATES).first():
        raise Refused(
            "check_items", f"Round {row.number} is about to take check items from this practice: wait for it."
        )


def opened_refusal() -> Refused:
    return Refused("opened", "This practice was opened, so that its items, key and marks stay. Make another one.")
