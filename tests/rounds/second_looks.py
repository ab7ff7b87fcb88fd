"""Batches with a second look."""

from collections.abc import Mapping

from annotation_app.annotation.services import annotation_submit
from annotation_app.assignment.services import next_window
from annotation_app.models import Batch, Item, Membership, Round
from annotation_app.rounds.second_look import second_look_open
from tests.conftest import People
from tests.labels import submission

PAIR = {"both-yes": "YY", "both-no": "NN", "alice-yes": "YN", "bob-yes": "NY"}


def of_round(people: People, batch: Batch) -> Round:
    """The round that this batch is of, as complete as its answers are."""
    row = Round.objects.create(
        project=people.project,
        number=batch.number,
        state=Round.State.COMPLETE,
        strategy_asked="random",
        strategy_used="random",
        query_size=4,
        random_state=1,
        model="none",
        learning_stages=["opinion"],
        annotators_per_item=batch.annotators_per_item,
        codebook=batch.codebook,
        created_by=people.admin.user,
    )
    batch.round = row
    batch.save()
    return row


def opened(people: People, row: Round) -> Batch:
    return second_look_open(row=row, actor=people.admin.user)


def look_again(member: Membership, answers: Mapping[str, Mapping[str, str]]) -> None:
    for row in next_window(membership=member, ahead=10).assignments:
        name = Item.objects.get(batch_items__assignments=row).external_id
        if name in answers:
            annotation_submit(membership=member, assignment_uuid=row.uuid, body=submission(answers[name]))
