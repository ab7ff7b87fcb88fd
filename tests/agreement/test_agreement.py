"""The agreement table against values worked by hand (DESIGN.md 6), over real rows."""

import json

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation_app.aggregation.selectors import majority_labels
from annotation_app.agreement.selectors import Row, agreement_table
from annotation_app.models import Assignment, Batch, Membership, Project
from tests.agreement.tables import Said, answer, at, fill, revise
from tests.conftest import People
from tests.factories import make_member

# Alpha 9/14 (i5 drops out); Fleiss over i1..i3 = 11/20; A-B as a pair: Fleiss 7/15 over i1..i4.
WORKED = {"i1": "YYY", "i2": "NNN", "i3": "YNY", "i4": "YY-", "i5": "N--"}


def view(
    project: Project,
    stage: str = "opinion",
    scope: str = "all",
    round: int | None = None,
    pair: tuple[int, int] | None = None,
) -> Row:
    table = agreement_table(project=project, scope=scope)
    (row,) = [row for row in table.rows if (row.stage, row.round, row.pair) == (stage, round, pair)]
    return row


def pair_of(first: Membership, second: Membership) -> tuple[int, int]:
    return first.number, second.number


def test_it_gives_the_worked_values_for_everyone(people: People) -> None:
    fill(people.project, people.annotators, at("opinion", WORKED))
    row = view(people.project)
    assert (row.n_items, row.n_units, row.fleiss_items) == (5, 4, 3)
    # Agreeing pairs of answers: 3 of 3, 3 of 3, 1 of 3, 1 of 1.
    assert row.values["percent_agreement"] == pytest.approx(8 / 10, abs=1e-15)
    assert row.values["fleiss_kappa"] == pytest.approx(11 / 20, abs=1e-15)
    assert row.values["alpha_nominal"] == pytest.approx(9 / 14, abs=1e-15)
    assert row.reason == {}


def test_it_gives_the_worked_values_for_a_pair(people: People) -> None:
    fill(people.project, people.annotators, at("opinion", WORKED))
    alice, bob, charlie = people.annotators
    row = view(people.project, pair=pair_of(alice, bob))
    assert (row.n_items, row.n_units, row.fleiss_items) == (5, 4, 4)
    assert row.values["percent_agreement"] == pytest.approx(3 / 4, abs=1e-15)
    assert row.values["fleiss_kappa"] == pytest.approx(7 / 15, abs=1e-15)
    # Eight answers, five yes and three no; two of them in the one unit that differs: 1 - 7 * 2 / (64 - 34).
    assert row.values["alpha_nominal"] == pytest.approx(8 / 15, abs=1e-15)
    # i4 has an answer from Bob alone, i5 from neither.
    assert view(people.project, pair=pair_of(bob, charlie)).n_items == 4


def test_it_gives_each_round_and_pools_the_items_of_all(people: People) -> None:
    fill(people.project, people.annotators, at("opinion", {"i1": "YYY", "i2": "NNN", "i3": "YNY"}), number=1)
    fill(people.project, people.annotators, at("opinion", {"i4": "YY-", "i5": "N--"}), number=2)
    table = agreement_table(project=people.project, scope="all")
    views = [(row.round, row.pair) for row in table.rows if row.stage == "opinion" and row.pair is None]
    assert views == [(None, None), (1, None), (2, None)]
    assert view(people.project).values["alpha_nominal"] == pytest.approx(9 / 14, abs=1e-15)
    # Nine answers, five yes: 1 - 8 * (4 / 2) / (81 - 41).
    assert view(people.project, round=1).values["alpha_nominal"] == pytest.approx(3 / 5, abs=1e-15)
    assert view(people.project, round=1).values["fleiss_kappa"] == pytest.approx(11 / 20, abs=1e-15)
    second = view(people.project, round=2)
    # Only Alice and Bob answered in round 2, so that i4 is complete there.
    assert (second.raters, second.n_items, second.fleiss_items) == ([2, 3], 2, 1)


def test_it_says_no_variation_where_every_answer_is_the_same(people: People) -> None:
    fill(people.project, people.annotators, at("opinion", {"i1": "YYY", "i2": "YY-"}))
    row = view(people.project)
    assert row.values == {"percent_agreement": 1.0, "fleiss_kappa": None, "alpha_nominal": None}
    said = "undefined, no variation: every answer is yes"
    assert row.reason == {"fleiss_kappa": said, "alpha_nominal": said}


def test_it_says_which_answers_are_missing(people: People) -> None:
    fill(people.project, people.annotators, at("opinion", {"i1": "Y--", "i2": "-N-"}))
    names = ("percent_agreement", "fleiss_kappa", "alpha_nominal")
    row = view(people.project)
    assert row.values == dict.fromkeys(names)
    assert row.reason == dict.fromkeys(names, "no unit with two answers")
    assert view(people.project, stage="mp").reason == dict.fromkeys(names, "no answers")


def test_it_needs_two_raters(people: People) -> None:
    fill(people.project, people.annotators[:1], at("opinion", {"i1": "Y", "i2": "N"}))
    assert set(view(people.project).reason.values()) == {"fewer than two raters"}


def test_it_has_no_fleiss_where_nobody_answered_beside_everyone(people: People) -> None:
    fill(people.project, people.annotators, at("opinion", {"i1": "YN-", "i2": "-NN", "i3": "Y-Y"}))
    row = view(people.project)
    assert row.values["fleiss_kappa"] is None
    assert row.reason == {"fleiss_kappa": "no item answered by every annotator under view"}
    assert row.values["percent_agreement"] == pytest.approx(2 / 3)


def test_it_counts_a_stage_only_where_it_was_open_for_the_annotator(people: People) -> None:
    both = {"opinion": "yes", "mp": "yes"}
    table = {"i1": [Said(both), Said({"opinion": "no"}), Said(both)], "i2": [Said(both), Said(both), Said(both)]}
    fill(people.project, people.annotators, table)
    assert view(people.project, stage="mp").n_units == 2
    assert view(people.project, stage="mp").fleiss_items == 1
    assert view(people.project, stage="opinion").fleiss_items == 2


def worked_row(project: Project) -> list[Row]:
    return agreement_table(project=project, scope="all").rows


def test_it_ignores_what_does_not_count(people: People) -> None:
    """Superseded revisions, skipped, withdrawn, surplus, other kinds of batch, other projects, adjudicators."""
    batch = fill(people.project, people.annotators, at("opinion", WORKED))
    before = worked_row(people.project)
    alice = people.annotators[0]
    first = Assignment.objects.get(annotator=alice, batch_item__item__external_id="i1")
    revise(batch, [(first, {"opinion": "no"})], revision=2)
    assert worked_row(people.project) != before
    revise(batch, [(first, {"opinion": "yes"})], revision=3)
    extras = {
        Assignment.State.SURPLUS: make_member(people.project, "sue", "annotator"),
        Assignment.State.WITHDRAWN: make_member(people.project, "will", "annotator"),
        Assignment.State.SKIPPED: make_member(people.project, "skip", "annotator"),
        Assignment.State.SUBMITTED: make_member(people.project, "judy", "adjudicator"),
    }
    places = list(batch.batch_items.all())
    for state, member in extras.items():
        answer(batch, [(place, member, Said({"opinion": "no"}, state)) for place in places])
    fill(people.project, people.annotators, at("opinion", {"p1": "YNA"}), kind=Batch.Kind.PROTOTYPE)
    elsewhere = people.outsider.project
    fill(elsewhere, [people.outsider], at("opinion", {"i1": "N"}))
    assert worked_row(people.project) == before


def test_it_keeps_the_answers_of_people_who_left(people: People) -> None:
    fill(people.project, people.annotators, at("opinion", WORKED))
    before = worked_row(people.project)
    Membership.objects.filter(pk=people.annotators[2].pk).update(is_active=False)
    assert worked_row(people.project) == before


def test_it_keeps_an_annotator_of_the_round_who_became_an_adjudicator(people: People) -> None:
    batch = fill(people.project, people.annotators, at("opinion", WORKED))
    before = worked_row(people.project)
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
    batch.round.annotators.set(people.annotators)
    batch.save()
    Membership.objects.filter(pk=people.annotators[2].pk).update(role="adjudicator")
    assert worked_row(people.project) == before


def test_it_keeps_items_with_a_majority_stage_by_stage(people: People) -> None:
    yes, no = {"opinion": "yes", "mp": "yes"}, {"opinion": "yes", "mp": "no"}
    table = {
        # No majority at either stage.
        "i1": [Said({"opinion": "no"}), Said({"opinion": "ambiguous"}), Said(yes)],
        # Majority at both.
        "i2": [Said(yes), Said(yes), Said(no)],
        # Majority yes at the first; one answer each way at the second, of three slots.
        "i3": [Said(yes), Said(no), Said({"opinion": "no"})],
        # Majority no: the lone answer at the closed second stage stays out.
        "i4": [Said({"opinion": "no"}), Said({"opinion": "no"}), Said(yes)],
    }
    fill(people.project, people.annotators, table)
    opinion = view(people.project, scope="majority")
    assert (opinion.n_items, opinion.n_units, opinion.fleiss_items) == (3, 3, 3)
    # Agreeing pairs: 3 of 3, 1 of 3, 1 of 3.
    assert opinion.values["percent_agreement"] == pytest.approx(5 / 9, abs=1e-15)
    second = view(people.project, stage="mp", scope="majority")
    assert (second.n_items, second.n_units) == (1, 1)
    assert view(people.project, stage="mp").n_items == 4
    assert view(people.project, stage="mp", scope="majority", round=1).n_items == 1


def test_it_leaves_a_stage_out_where_the_aggregated_answers_close_it(people: People) -> None:
    """Two of three answered stage 5 alike, but stage 4, which opens it, has no majority: it is not applicable."""
    mp = {"opinion": "yes", "mp": "yes", "mp_context": "sentence"}
    one = mp | {"stance_nli": "entailment", "stance_nli_context": "sentence"}
    other = mp | {"stance_nli": "neutral", "stance_nli_context": "sentence"}
    third = mp | {"stance_nli": "contradiction", "stance_nli_context": "utterance"}
    fill(people.project, people.annotators, {"i1": [Said(one), Said(other), Said(third)]})
    assert view(people.project, stage="stance_nli_context").n_items == 1
    assert view(people.project, stage="stance_nli_context", scope="majority").reason["alpha_nominal"] == "no answers"
    assert view(people.project, stage="mp_context", scope="majority").n_items == 1


def test_it_opens_stages_by_the_codebook_of_each_batch(people: People) -> None:
    first = people.project.codebooks.get()
    wider = json.loads(json.dumps(first.definition))
    wider["stages"][1]["open_when"] = {"stage": "opinion", "in": ["yes", "no"]}
    second = people.project.codebooks.create(
        version=2, state="published", definition=wider, created_by=people.admin.user
    )
    said = [Said({"opinion": "no", "mp": "yes"})] * 3
    fill(people.project, people.annotators, {"i1": said}, number=1, codebook=first)
    fill(people.project, people.annotators, {"i2": said}, number=2, codebook=second)
    rows = agreement_table(project=people.project, scope="majority").rows
    assert [(row.round, row.n_items) for row in rows if row.stage == "mp" and not row.pair] == [(None, 1), (2, 1)]
    states = [row.state for row in majority_labels(project=people.project, stage="mp")]
    assert states == ["not_applicable", "majority"]


def test_it_names_annotators_and_stages(people: People) -> None:
    fill(people.project, people.annotators, at("opinion", {"i1": "YN-"}))
    table = agreement_table(project=people.project, scope="all")
    assert [member.user.username for member in table.annotators] == ["alice", "bob"]
    assert [key for key, _ in table.stages] == ["opinion", "mp", "mp_context", "stance_nli", "stance_nli_context"]
    assert [row.stage for row in table.rows if row.pair is None and row.round is None] == [k for k, _ in table.stages]


@pytest.mark.parametrize(("scope", "statements"), [("all", 1), ("majority", 2)])
def test_it_takes_the_same_number_of_statements_however_much_there_is(
    people: People, scope: str, statements: int
) -> None:
    def queries() -> int:
        with CaptureQueriesContext(
            connection,
        ) as captured:
            agreement_table(project=people.project, scope=scope)
        selects = [query["sql"] for query in captured if query["sql"].startswith("WITH")]
        assert len(selects) == statements
        return len(captured)

    fill(people.project, people.annotators, at("opinion", WORKED))
    few = queries()
    for number in range(2, 6):
        fill(
            people.project,
            people.annotators,
            at("opinion", {f"{k}-{number}": v for k, v in WORKED.items()}),
            number=number,
        )
    assert queries() == few
