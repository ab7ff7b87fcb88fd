"""The counted patterns follow the answers, whatever changes them and however many count at once."""

import json
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from itertools import combinations

import pytest
from django.db import connection, transaction

from annotation_app.aggregation.rules import aggregated_labels
from annotation_app.aggregation.selectors import codebooks_of
from annotation_app.agreement import services
from annotation_app.agreement.selectors import agreement_table
from annotation_app.agreement.services import patterns_refresh
from annotation_app.models import (
    AnswerPattern,
    Assignment,
    Batch,
    CountedItem,
    LabelCombination,
    Membership,
    Project,
    RecountQueue,
)
from tests.agreement.tables import Said, answer, at, fill, revise
from tests.agreement.worked import WORKED
from tests.assignment.batches import at_once
from tests.conftest import People

Counts = dict[tuple[object, ...], int]


def counts(project: Project) -> Counts:
    patterns_refresh(project=project)
    rows = AnswerPattern.objects.filter(batch__project=project).exclude(n=0)
    return {(row.batch_id, row.stage, tuple(row.raters), tuple(row.labels), row.majorities): row.n for row in rows}


def from_the_beginning(project: Project) -> Counts:
    """Everything forgotten, queued and counted again."""
    AnswerPattern.objects.filter(batch__project=project).delete()
    LabelCombination.objects.filter(batch__project=project).delete()
    CountedItem.objects.all().delete()
    for batch in project.batches.all():
        RecountQueue.objects.bulk_create(RecountQueue(batch_item=pk, batch=batch.pk) for pk in places_of(batch))
    return counts(project)


Bag = tuple[int, str, int, int, tuple[str, ...]]


def kept_bags(project: Project) -> dict[Bag, tuple[int, int]]:
    rows = LabelCombination.objects.filter(batch__project=project).exclude(n=0)
    return {(row.batch_id, row.stage, row.a, row.b, tuple(row.labels)): (row.n, row.n_settled) for row in rows}


def bags_of(project: Project) -> dict[Bag, tuple[int, int]]:
    """The same from the patterns, one after the other."""
    codebooks = codebooks_of(project)
    n, n_settled = Counter[Bag](), Counter[Bag]()
    for row in AnswerPattern.objects.filter(batch__project=project).exclude(n=0).select_related("batch"):
        is_settled = row.stage in aggregated_labels(codebooks[row.batch.codebook_id], json.loads(row.majorities))
        for a, b, labels in viewed(row):
            n[row.batch_id, row.stage, a, b, labels] += row.n
            n_settled[row.batch_id, row.stage, a, b, labels] += row.n * is_settled
    return {bag: (n[bag], n_settled[bag]) for bag in n}


def viewed(row: AnswerPattern) -> Iterator[tuple[int, int, tuple[str, ...]]]:
    said = list(zip(row.raters, row.labels, strict=True))
    yield 0, 0, tuple(sorted(row.labels))
    yield from ((rater, 0, (label,)) for rater, label in said)
    yield from ((a, b, (first, second)) for (a, first), (b, second) in combinations(said, 2))


def places_of(batch: Batch) -> list[int]:
    return list(batch.batch_items.order_by("rank").values_list("pk", flat=True))


def first_assignment(batch: Batch, member: Membership) -> Assignment:
    return Assignment.objects.get(batch_item=places_of(batch)[0], annotator=member)


def revised(people: People, batch: Batch) -> None:
    revise(batch, [(first_assignment(batch, people.annotators[0]), {"opinion": "no", "mp": "no"})], revision=2)


def withdrawn(people: People, batch: Batch) -> None:
    Assignment.objects.filter(pk=first_assignment(batch, people.annotators[1]).pk).update(state="withdrawn", slot=None)


def skipped(people: People, batch: Batch) -> None:
    row = first_assignment(batch, people.annotators[2])
    row.state = Assignment.State.SKIPPED
    row.save()


def everybody_gone(people: People, batch: Batch) -> None:
    Assignment.objects.filter(batch_item=places_of(batch)[0]).update(state="skipped")


def judge_made(people: People, batch: Batch) -> None:
    people.annotators[0].role = "adjudicator"
    people.annotators[0].save()


def more_slots(people: People, batch: Batch) -> None:
    batch.annotators_per_item = 6
    batch.save()


def answered_by_one_more(people: People, batch: Batch) -> None:
    answer(batch, [(place, people.admin, Said({"opinion": "yes"})) for place in batch.batch_items.all()])


CHANGES: list[Callable[[People, Batch], None]] = [
    revised,
    withdrawn,
    skipped,
    everybody_gone,
    judge_made,
    more_slots,
    answered_by_one_more,
]


@pytest.mark.parametrize("change", CHANGES)
def test_they_follow_every_change_of_what_counts(people: People, change: Callable[[People, Batch], None]) -> None:
    batch = fill(people.project, people.annotators, at("opinion", WORKED))
    fill(people.project, people.annotators, at("opinion", {"j1": "YYY"}), number=2)
    before = counts(people.project)
    change(people, batch)
    after, bags = counts(people.project), kept_bags(people.project)
    assert after != before
    assert bags == bags_of(people.project)
    assert after == from_the_beginning(people.project)
    assert bags == kept_bags(people.project)


def test_patterns_of_a_database_without_bags_are_put_into_them(people: People, monkeypatch: pytest.MonkeyPatch) -> None:
    fill(people.project, people.annotators, at("opinion", WORKED))
    counts(people.project)
    bags = kept_bags(people.project)
    assert bags
    LabelCombination.objects.all().delete()
    AnswerPattern.objects.update(n_applied=0)
    monkeypatch.setattr(services, "PATTERNS_AT_ONCE", 2)
    counts(people.project)
    assert kept_bags(people.project) == bags


def test_they_know_who_was_named_for_a_round(people: People) -> None:
    batch = fill(people.project, people.annotators, at("opinion", WORKED))
    before = counts(people.project)
    judge_made(people, batch)
    assert counts(people.project) != before
    batch.round = people.project.rounds.create(
        number=1,
        strategy_asked="random",
        query_size=5,
        random_state=0,
        model="none",
        learning_stages=["opinion"],
        annotators_per_item=3,
        codebook=batch.codebook,
        created_by=people.admin.user,
    )
    batch.save()
    batch.round.annotators.set(people.annotators)
    assert counts(people.project) == before
    batch.round.annotators.remove(people.annotators[0])
    assert counts(people.project) != before


def test_a_claim_queues_nothing(people: People) -> None:
    batch = fill(people.project, people.annotators, at("opinion", WORKED))
    counts(people.project)
    answer(batch, [(place, people.admin, Said({}, Assignment.State.OPEN)) for place in batch.batch_items.all()])
    Assignment.objects.filter(annotator=people.admin).update(state="claimed", slot=None)
    assert not RecountQueue.objects.exists()


def test_more_items_than_are_taken_at_once_are_all_counted(people: People, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(services, "AT_ONCE", 2)
    fill(people.project, people.annotators, at("opinion", WORKED))
    assert sum(counts(people.project).values()) == len(WORKED)


def test_another_projects_queue_stays(people: People) -> None:
    fill(people.outsider.project, [people.outsider], at("opinion", {"i1": "Y"}))
    counts(people.project)
    assert RecountQueue.objects.count() == 1
    assert sum(counts(people.outsider.project).values()) == 1


@pytest.mark.django_db(transaction=True)
def test_an_answer_counts_from_its_commit_on(people: People) -> None:
    batch = fill(people.project, people.annotators, at("opinion", WORKED))
    before = counts(people.project)
    seen: list[Counts] = []

    def read() -> None:
        seen.append(counts(people.project))
        connection.close()

    with transaction.atomic():
        revised(people, batch)
        reader = threading.Thread(target=read)
        reader.start()
        reader.join()
    assert seen == [before]
    after = counts(people.project)
    assert after != before
    assert after == from_the_beginning(people.project)


@pytest.mark.django_db(transaction=True)
def test_people_who_look_at_once_count_nothing_twice(people: People) -> None:
    letters = {f"i{number}": "YNY" if number % 3 else "NNY" for number in range(60)}
    batch = fill(people.project, people.annotators, at("opinion", letters))

    def look(person: int) -> None:
        for turn in range(5):
            member = people.annotators[person]
            own = Assignment.objects.filter(annotator=member, batch_item__batch=batch).order_by("pk")
            rows = list(own[turn * 5 : turn * 5 + 5])
            revise(batch, [(row, {"opinion": "ambiguous"}) for row in rows], revision=2)
            agreement_table(project=people.project, scope="all")

    at_once([partial(look, person) for person in range(3)])
    after = counts(people.project)
    assert kept_bags(people.project) == bags_of(people.project)
    assert after == from_the_beginning(people.project)
