"""Open the batch of a second look, which hands items out again to the people whose answers differ."""

from collections import defaultdict
from collections.abc import Sequence

from annotation_app.assignment.services import ROWS_AT_ONCE, queue_of
from annotation_app.models import Assignment, Batch, BatchItem, Item, Membership, event_write


def second_batch_open(
    *, first: Batch, items: Sequence[tuple[int, Sequence[Membership]]], actor_id: int | None
) -> Batch:
    """Open the batch inside the caller's transaction.

    `items` are (item id, its annotators) in rank order; each has at least one annotator.
    """
    batch = Batch.objects.create(
        project=first.project,
        codebook_id=first.codebook_id,
        kind=Batch.Kind.SECOND_LOOK,
        number=first.number,
        annotators_per_item=max(len(people) for _, people in items),
        second_look_of=first,
    )
    rows = [BatchItem(batch=batch, item_id=pk, rank=rank) for rank, (pk, _) in enumerate(items, 1)]
    BatchItem.objects.bulk_create(rows, batch_size=ROWS_AT_ONCE)
    names = dict(Item.objects.filter(pk__in=[pk for pk, _ in items]).values_list("pk", "external_id"))
    theirs: dict[Membership, list[BatchItem]] = defaultdict(list)
    for row, (_, people) in zip(rows, items, strict=True):
        for person in people:
            theirs[person].append(row)
    queues = [each for person, own in theirs.items() for each in queue_of(batch, person, own, names)]
    Assignment.objects.bulk_create(queues, batch_size=ROWS_AT_ONCE)
    event_write(
        verb="second_look_opened",
        project=first.project,
        actor_id=actor_id,
        subject=batch.uuid,
        number=first.number,
        items=len(rows),
        assignments=len(queues),
    )
    return batch
