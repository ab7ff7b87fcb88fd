"""Majority labels read from real rows."""

from collections import Counter

from django.db import connection
from django.test.utils import CaptureQueriesContext
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from annotation_app.aggregation.selectors import Majority, majority_labels
from annotation_app.models import Assignment, Batch, Membership
from tests.agreement.tables import Said, answer, at, fill, revise
from tests.conftest import People
from tests.factories import make_member


def by_item(people: People, stage: str = "opinion") -> dict[str, Majority]:
    return {row.external_id: row for row in majority_labels(project=people.project, stage=stage)}


def outcomes(people: People, stage: str = "opinion") -> dict[str, tuple[str, str | None]]:
    return {item: (row.state, row.label) for item, row in by_item(people, stage).items()}


def test_it_takes_more_than_half_of_the_slots(people: People) -> None:
    fill(people.project, people.annotators, at("opinion", {"i1": "YYN", "i2": "YNA", "i3": "Y--", "i4": "NN-"}))
    assert outcomes(people) == {
        "i1": ("majority", "yes"),
        "i2": ("tie", None),
        # One answer of three slots is no majority, though it is all there is; two of three are.
        "i3": ("no_majority", None),
        "i4": ("majority", "no"),
    }
    assert by_item(people)["i1"].votes == {"yes": 2, "no": 1}


def test_it_needs_more_than_half_of_an_even_number(people: People) -> None:
    fill(people.project, people.annotators[:2], at("opinion", {"i1": "YN", "i2": "YY"}))
    assert outcomes(people) == {"i1": ("tie", None), "i2": ("majority", "yes")}


def test_it_counts_a_skip_as_a_slot_without_an_answer(people: People) -> None:
    skip = Said({}, Assignment.State.SKIPPED)
    yes, no = Said({"opinion": "yes"}), Said({"opinion": "no"})
    fill(people.project, people.annotators, {"i1": [yes, skip, skip], "i2": [no, no, skip], "i3": [skip, skip, skip]})
    assert outcomes(people) == {
        "i1": ("no_majority", None),
        "i2": ("majority", "no"),
        "i3": ("no_majority", None),
    }
    assert by_item(people)["i3"].votes == {}


def test_it_aggregates_a_later_stage_where_the_aggregated_answers_open_it(people: People) -> None:
    yes, no = Said({"opinion": "yes", "mp": "yes"}), Said({"opinion": "yes", "mp": "no"})
    closed = Said({"opinion": "no"})
    fill(
        people.project,
        people.annotators,
        {"i1": [yes, yes, closed], "i2": [yes, no, closed], "i3": [yes, closed, closed]},
    )
    assert outcomes(people, "mp") == {
        "i1": ("majority", "yes"),
        "i2": ("tie", None),
        "i3": ("not_applicable", None),
    }
    assert by_item(people, "mp")["i3"].votes == {"yes": 1}
    assert outcomes(people, "no_such_stage")["i1"] == ("not_applicable", None)


def test_it_counts_only_current_answers_in_slots(people: People) -> None:
    batch = fill(people.project, people.annotators, at("opinion", {"i1": "YYN"}))
    place = batch.batch_items.get()
    surplus, judge = make_member(people.project, "sue", "annotator"), make_member(people.project, "judy", "adjudicator")
    answer(batch, [(place, surplus, Said({"opinion": "no"}, Assignment.State.SURPLUS))])
    answer(batch, [(place, judge, Said({"opinion": "no"}))])
    Membership.objects.filter(pk=people.annotators[0].pk).update(is_active=False)
    assert by_item(people)["i1"].votes == {"yes": 2, "no": 1}
    revise(batch, [(place.assignments.get(annotator=people.annotators[1]), {"opinion": "no"})], revision=2)
    assert outcomes(people)["i1"] == ("majority", "no")


def test_it_keeps_to_the_rounds_asked_for_in_order_of_batch_and_rank(people: People) -> None:
    second = fill(people.project, people.annotators, at("opinion", {"b2": "YYY", "a2": "NNN"}), number=2)
    fill(people.project, people.annotators, at("opinion", {"b1": "YYY", "a1": "NNN"}), number=1)
    fill(people.project, people.annotators, at("opinion", {"p": "YYY"}), kind=Batch.Kind.PROTOTYPE)
    fill(people.outsider.project, [people.outsider], at("opinion", {"x": "Y"}))
    assert list(by_item(people)) == ["b1", "a1", "b2", "a2"]
    rows = majority_labels(project=people.project, stage="opinion", batches=[second])
    assert [(row.external_id, row.batch_number, row.text) for row in rows] == [
        ("b2", 2, "Text of b2."),
        ("a2", 2, "Text of a2."),
    ]
    assert majority_labels(project=people.project, stage="opinion", batches=[]) == []


def test_it_takes_two_statements_however_many_items(people: People) -> None:
    fill(people.project, people.annotators, at("opinion", {f"i{n}": "YYN" for n in range(50)}))
    with CaptureQueriesContext(connection) as captured:
        assert len(majority_labels(project=people.project, stage="opinion")) == 50
    assert len([query for query in captured if query["sql"].startswith(("SELECT", "WITH"))]) == 2


def test_it_agrees_with_counting_by_hand(people: People) -> None:
    @settings(max_examples=15, suppress_health_check=list(HealthCheck), derandomize=True)
    @given(st.lists(st.text("YNA-", min_size=3, max_size=3), min_size=1, max_size=10), st.integers(3, 6))
    def each(rows: list[str], slots: int) -> None:
        number = people.project.batches.count() + 1
        letters = {f"{number}-{i}": row for i, row in enumerate(rows)}
        batch = fill(people.project, people.annotators, at("opinion", letters), number=number, slots=slots)
        found = majority_labels(project=people.project, stage="opinion", batches=[batch])
        assert len(found) == len(rows)
        for row, result in zip(rows, found, strict=True):
            label, n = Counter(row.replace("-", "") or "?").most_common(1)[0]
            won = n > slots / 2 and label != "?"
            assert result.label == ({"Y": "yes", "N": "no", "A": "ambiguous"}[label] if won else None)
            shared = len({each for each in "YNA" if row.count(each) == n}) > 1 and label != "?"
            assert result.state == ("majority" if won else "tie" if shared else "no_majority")

    each()
