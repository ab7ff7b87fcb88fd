"""Open a round of items that an admin chose.

It is a round like any other: its answers count in agreement, majorities, reports, exports and releases, later rounds
learn from it, and the budget pays for it. Only the choice is an admin's, and whatever tells how items were sampled
says so.
"""

from collections.abc import Sequence

from django.db.models import Max
from django.utils import timezone

from al_worker.formats.models import NO_MODEL
from al_worker.formats.strategies import STRATEGIES
from annotation_app.assignment.practice import not_passed, not_passed_words
from annotation_app.assignment.services import batch_open
from annotation_app.codebook.definition import codebook_of
from annotation_app.models import Batch, CodebookVersion, Item, Membership, Project, Round, User, event_write
from annotation_app.refusals import Invalid
from annotation_app.rounds.budget import budget_left
from annotation_app.rounds.check_items import CheckItemsSpec, check_fields, checks_drawn
from annotation_app.rounds.record import round_record
from annotation_app.rounds.results import Chosen, Results
from annotation_app.rounds.services import batches_freeze, previous_round_close
from annotation_app.rounds.training_set import training_set_hash


def strategy_title(name: str) -> str:
    """Return what people call what chose a round's items."""
    return "Chosen by an admin" if name == Round.CHOSEN else STRATEGIES[name].title


def chosen_round_open(
    *,
    project: Project,
    codebook: CodebookVersion,
    items: Sequence[int],
    annotators: Sequence[Membership],
    annotators_per_item: int,
    shares: dict[str, int],
    check_items: CheckItemsSpec | None,
    actor: User,
) -> Batch:
    """Open the next round with these items, within the project's lock: no worker has to choose.

    As every start does, it freezes the answers of the rounds before. Raises Invalid for the budget and people who may
    not, and Refused while a round is at work or open.
    """
    now = timezone.now()
    batches_freeze(project, now)
    previous_round_close(project)
    errors: dict[str, list[str]] = {}
    left = budget_left(project)
    if left is not None and len(items) > left:
        errors["items"] = [f"The project's budget has {left} of {project.annotation_budget} items left."]
    if missing := not_passed(project, annotators):
        errors["annotators"] = not_passed_words(missing)
    if errors:
        raise Invalid(errors)
    learning = codebook_of(codebook).learning
    row = Round.objects.create(
        project=project,
        number=(project.rounds.aggregate(last=Max("number"))["last"] or 0) + 1,
        state=Round.State.ANNOTATING,
        strategy_asked=Round.CHOSEN,
        strategy_used=Round.CHOSEN,
        query_size=len(items),
        # Nothing is drawn.
        random_state=0,
        model=NO_MODEL,
        learning_stages=[learning.stage] if learning else [],
        training_set_hash=training_set_hash([]),
        annotators_per_item=annotators_per_item,
        shares=shares,
        **check_fields(project, check_items),
        codebook=codebook,
        created_by=actor,
        created_at=now,
    )
    row.annotators.set(annotators)
    event_write(
        verb="round_started",
        project=project,
        actor_id=actor.pk,
        subject=row.uuid,
        number=row.number,
        strategy=Round.CHOSEN,
    )
    batch = batch_open(
        project=project,
        codebook=codebook,
        items=[(pk, None) for pk in items],
        annotators=annotators,
        annotators_per_item=annotators_per_item,
        kind=Batch.Kind.ROUND,
        number=row.number,
        round=row,
        shares=row.shares_of(annotators),
        checks=checks_drawn(project, check_items, annotators, len(items)),
        actor_id=actor.pk,
    )
    event_write(verb="round_opened", project=project, actor_id=actor.pk, subject=row.uuid, items=len(items))
    names = dict(Item.objects.filter(pk__in=items).values_list("pk", "external_id"))
    chosen = [Chosen(names[pk], rank, None) for rank, pk in enumerate(items, 1)]
    row.record = round_record(row, Results(chosen=chosen, metrics={}, record={}, files=()))
    row.save(update_fields=["record"])
    return batch
