"""Test what each annotator answered at the gold items, from the project and from a release."""

from collections.abc import Callable

import pytest

from annotation_app.evaluation.people import people_answers
from annotation_app.models import Batch, Evaluation
from annotation_app.releases.services import release_here
from tests.conftest import People

# By the three annotators, whose numbers in the project are 2 to 4.
OPINION = {
    "unanimous": ["yes", "yes", "yes"],
    "majority": ["yes", "yes", "no"],
    "closed": ["no", "no", "no"],
    "context": ["yes", "yes", "yes"],
}
# The third answered "no" at the first stage of one item, which closed this one.
MP_CONTEXT = {"unanimous": ["no", "no", "no"], "majority": ["yes", "yes", None], "context": ["yes", "yes", "yes"]}


def given(row: Evaluation, stage: str) -> dict[str, list[str | None]]:
    answers = {(each.item, each.annotator): each.label for each in people_answers(row) if each.stage == stage}
    return {item: [answers.get((item, number)) for number in (2, 3, 4)] for item, _ in answers}


@pytest.mark.django_db(transaction=True)
def test_they_are_of_gold_items_alone_and_as_the_questions_have_them(
    people: People, labelled: Batch, worker: object, started: Callable[..., Evaluation]
) -> None:
    release_here(project=people.project)
    for gold in ({"kind": "labels"}, {"kind": "release", "number": 1}):
        row = started(gold=gold, stages=["opinion", "mp_context"])
        assert given(row, "opinion") == OPINION
        assert given(row, "mp_context") == MP_CONTEXT
