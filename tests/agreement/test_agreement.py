"""The agreement table against values worked by hand, over real rows."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from annotation_app.aggregation.selectors import majority_labels
from annotation_app.agreement.selectors import Row, Slices, agreement_table
from annotation_app.agreement.statistics import BY_KEY
from annotation_app.models import AgreementCache, Assignment, Batch, Membership, Project
from tests.agreement.tables import Said, answer, at, fill, revise
from tests.agreement.worked import WORKED
from tests.conftest import People
from tests.factories import make_member, publish
from tests.floats import rounded


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
    assert row.values["percent_agreement"] == pytest.approx(8 / 10, abs=1e-12)
    assert row.values["fleiss_kappa"] == pytest.approx(11 / 20, abs=1e-12)
    assert row.values["alpha_nominal"] == pytest.approx(9 / 14, abs=1e-12)
    # Of the four items with two answers 1, 1, 1/3, 1 agree: 5/6. Yes has (1 + 0 + 2/3 + 1 + 0) / 5 = 8/15 of the items'
    # shares, so that Pe = 2 * 8/15 * 7/15 = 112/225.
    assert row.values["ac1"] == pytest.approx(151 / 226, abs=1e-12)
    assert row.reason == {
        "cohen_kappa": "defined for two people: see the pairs",
        "alpha_ordinal": "the labels of this stage have no order",
    }


def test_it_gives_the_worked_values_for_a_pair(people: People) -> None:
    fill(people.project, people.annotators, at("opinion", WORKED))
    alice, bob, charlie = people.annotators
    row = view(people.project, pair=pair_of(alice, bob))
    assert (row.n_items, row.n_units, row.fleiss_items) == (5, 4, 4)
    assert row.values["percent_agreement"] == pytest.approx(3 / 4, abs=1e-12)
    assert row.values["fleiss_kappa"] == pytest.approx(7 / 15, abs=1e-12)
    # Eight answers, five yes and three no; two of them in the one unit that differs: 1 - 7 * 2 / (64 - 34).
    assert row.values["alpha_nominal"] == pytest.approx(8 / 15, abs=1e-12)
    # Alice says yes to three of four, Bob to two: Pe = 3/4 * 2/4 + 1/4 * 2/4 = 1/2.
    assert row.values["cohen_kappa"] == pytest.approx(1 / 2, abs=1e-12)
    # Shares of yes: 1, 0, 1/2, 1 and, of i5 that Alice answered alone, 0: half of the five items.
    assert row.values["ac1"] == pytest.approx(1 / 2, abs=1e-12)
    # i4 has an answer from Bob alone, i5 from neither.
    assert view(people.project, pair=pair_of(bob, charlie)).n_items == 4


def test_it_gives_ordered_stages_an_ordinal_alpha(people: People) -> None:
    steps = {"S": "sentence", "U": "utterance", "5": "minus_5_sentences", "2": "minus_200_tokens"}
    letters = {"i1": "SS", "i2": "UU", "i3": "SU", "i4": "U5"}
    fill(people.project, people.annotators[:2], at("mp_context", letters, steps))
    row = view(people.project, stage="mp_context")
    # Three, four and one answer have midranks 1.5, 5, 7.5: squared distances 12.25 (S-U), 6.25 (U-5), 36 (S-5).
    # 1 - 7 * (12.25 + 6.25) / (3 * 4 * 12.25 + 4 * 1 * 6.25 + 3 * 1 * 36) = 1 - 129.5 / 280.
    assert row.values["alpha_ordinal"] == pytest.approx(43 / 80, abs=1e-12)
    # 1 - 7 * (2 + 2) / (64 - 26).
    assert row.values["alpha_nominal"] == pytest.approx(5 / 19, abs=1e-12)


def test_it_has_no_ordinal_alpha_where_a_label_left_the_order(people: People) -> None:
    letters = {"i1": "SS", "i2": "XS"}
    fill(people.project, people.annotators[:2], at("mp_context", letters, {"S": "sentence", "X": "page"}))
    row = view(people.project, stage="mp_context")
    assert row.reason["alpha_ordinal"] == "undefined: page has no place in the order of the labels"
    assert row.values["alpha_nominal"] is not None


def test_it_names_a_label_that_left_the_order_as_it_was_called(people: People) -> None:
    first = people.project.codebooks.get()
    definition = json.loads(json.dumps(first.definition))
    stage = next(stage for stage in definition["stages"] if stage["key"] == "mp_context")
    gone = stage["labels"].pop()
    publish(people.project, definition)
    letters = {"i1": "SS", "i2": "XS"}
    labels = {"S": "sentence", "X": gone["key"]}
    fill(people.project, people.annotators[:2], at("mp_context", letters, labels), codebook=first)
    said = f"undefined: {gone['name']} has no place in the order of the labels"
    assert gone["name"] != gone["key"]
    assert view(people.project, stage="mp_context").reason["alpha_ordinal"] == said


def test_it_leaves_out_each_item_once_for_an_interval(people: People) -> None:
    letters = {f"i{number}": "YN" if number < 4 else "YY" if number < 10 else "NN" for number in range(16)}
    fill(people.project, people.annotators[:2], at("opinion", letters))
    row = view(people.project)
    # Of a mean the jackknife's error is the usual one: sqrt(3/4 * 1/4 / 15); t of 15 degrees of freedom is 2.131450.
    half = 2.131449545559 * (0.75 * 0.25 / 15) ** 0.5
    assert row.ci["percent_agreement"] == pytest.approx((0.75 - half, 0.75 + half), abs=1e-11)


def test_it_keeps_an_interval_within_what_a_coefficient_can_be(people: People) -> None:
    fill(people.project, people.annotators[:2], at("opinion", {"i1": "YY", "i2": "NN", "i3": "YN", "i4": "YY"}))
    # Cohen without each item: 2/5, 0, 1, 2/5, a standard error of sqrt(153) / 20 with t = 3.182: both ends lie outside.
    assert view(people.project).ci["fleiss_kappa"] == (-1.0, 1.0)
    assert view(people.project, pair=(2, 3)).ci["cohen_kappa"] == (-1.0, 1.0)


def test_it_says_why_there_is_no_interval(people: People) -> None:
    batch = {"i1": "YY", "i2": "YY", "i3": "NN"}
    fill(people.project, people.annotators[:2], at("opinion", batch))
    row = view(people.project)
    # Without i3 every answer is yes.
    assert row.values["alpha_nominal"] == 1.0
    assert set(row.ci) == {"percent_agreement", "item_agreement", "ac1"}
    said = "no interval: without one of the items the coefficient is undefined"
    assert row.reason["ci.alpha_nominal"] == row.reason["ci.fleiss_kappa"] == said
    fill(people.project, people.annotators[:2], at("mp", {"i4": "YN"}), number=2)
    only = view(people.project, stage="mp")
    assert only.ci == {}
    assert only.reason["ci.percent_agreement"] == "no interval from fewer than two items"


def test_it_gives_each_round_and_pools_the_items_of_all(people: People) -> None:
    fill(people.project, people.annotators, at("opinion", {"i1": "YYY", "i2": "NNN", "i3": "YNY"}), number=1)
    fill(people.project, people.annotators, at("opinion", {"i4": "YY-", "i5": "N--"}), number=2)
    table = agreement_table(project=people.project, scope="all")
    margins = [(row.round, row.pair) for row in table.rows if row.stage == "opinion" and row.pair is None]
    assert margins == [(None, None), (1, None), (2, None)]
    assert view(people.project).values["alpha_nominal"] == pytest.approx(9 / 14, abs=1e-12)
    # Nine answers, five yes: 1 - 8 * (4 / 2) / (81 - 41).
    assert view(people.project, round=1).values["alpha_nominal"] == pytest.approx(3 / 5, abs=1e-12)
    assert view(people.project, round=1).values["fleiss_kappa"] == pytest.approx(11 / 20, abs=1e-12)
    second = view(people.project, round=2)
    # Only Alice and Bob answered in round 2, so that i4 is complete there.
    assert (second.raters, second.n_items, second.fleiss_items) == ([2, 3], 2, 1)


def test_it_says_no_variation_where_every_answer_is_the_same(people: People) -> None:
    fill(people.project, people.annotators, at("opinion", {"i1": "YYY", "i2": "YY-"}))
    row = view(people.project)
    # No chance disagreement that kappa or alpha could be measured by; AC1's chance agreement is 0 with any q >= 2:
    # (1 - 1^2) / (q - 1), so that it is (1 - 0) / (1 - 0).
    assert row.values == dict.fromkeys(BY_KEY) | {"percent_agreement": 1.0, "item_agreement": 1.0, "ac1": 1.0}
    assert row.ci == dict.fromkeys(("percent_agreement", "item_agreement", "ac1"), (1.0, 1.0))
    # The label by its name in the codebook.
    said = "undefined, no variation: every answer is Yes"
    assert {row.reason[name] for name in ("fleiss_kappa", "alpha_nominal")} == {said}
    alice, bob, _ = people.annotators
    assert view(people.project, pair=pair_of(alice, bob)).reason["cohen_kappa"] == said


def test_one_label_of_two_that_occur_leaves_ac1_as_it_was(people: People) -> None:
    """The two labels count also where the items that both answered have one of them alone: P = 1, and of the three
    items' shares yes has 2/3, so that Pe = 2 * 2/3 * 1/3 = 4/9."""
    fill(people.project, people.annotators[:2], at("opinion", {"i1": "YY", "i2": "YY", "i3": "N-"}))
    row = view(people.project, pair=pair_of(*people.annotators[:2]))
    assert row.values["ac1"] == pytest.approx(1.0, abs=1e-12)
    assert row.reason["alpha_nominal"] == "undefined, no variation: every answer is Yes"


def test_it_says_which_answers_are_missing(people: People) -> None:
    fill(people.project, people.annotators, at("opinion", {"i1": "Y--", "i2": "-N-"}))
    row, pair = view(people.project), view(people.project, pair=(2, 3))
    assert row.values == pair.values == dict.fromkeys(BY_KEY)
    assert pair.reason == dict.fromkeys(BY_KEY, "no unit with two answers")
    assert row.reason == pair.reason | {"cohen_kappa": "defined for two people: see the pairs"}
    assert view(people.project, stage="mp").reason["ac1"] == "no answers"


def test_it_needs_two_raters(people: People) -> None:
    fill(people.project, people.annotators[:1], at("opinion", {"i1": "Y", "i2": "N"}))
    reason = view(people.project).reason
    assert set(reason) == set(BY_KEY)
    assert {reason[name] for name in reason if name != "cohen_kappa"} == {"fewer than two raters"}


def test_it_has_no_fleiss_where_nobody_answered_beside_everyone(people: People) -> None:
    fill(people.project, people.annotators, at("opinion", {"i1": "YN-", "i2": "-NN", "i3": "Y-Y"}))
    row = view(people.project)
    assert row.values["fleiss_kappa"] is None
    assert row.reason["fleiss_kappa"] == "no item answered by every annotator under view"
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
    assert rounded(worked_row(people.project)) == rounded(before)


def test_it_keeps_the_answers_of_people_who_left(people: People) -> None:
    fill(people.project, people.annotators, at("opinion", WORKED))
    before = worked_row(people.project)
    Membership.objects.filter(pk=people.annotators[2].pk).update(is_active=False)
    assert rounded(worked_row(people.project)) == rounded(before)


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
    assert rounded(worked_row(people.project)) == rounded(before)


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
    assert opinion.values["percent_agreement"] == pytest.approx(5 / 9, abs=1e-12)
    second = view(people.project, stage="mp", scope="majority")
    assert (second.n_items, second.n_units) == (1, 1)
    assert view(people.project, stage="mp").n_items == 4
    assert view(people.project, stage="mp", scope="majority", round=1).n_items == 1


def test_two_annotators_with_a_majority_agree_by_construction(people: People) -> None:
    """Of two answers a majority takes both: no figure over such items, for everyone and for the pair."""
    fill(people.project, people.annotators[:2], at("opinion", {"i1": "YY", "i2": "YN", "i3": "NN", "i4": "NY"}))
    # Of 4 items 2 agree; yes and no 4 times each: kappa 0, and alpha 1 - 7 * 4 / (64 - 32).
    row = view(people.project)
    assert (row.values["percent_agreement"], row.values["fleiss_kappa"], row.n_circular) == (0.5, 0.0, 0)
    assert row.values["alpha_nominal"] == pytest.approx(0.125, abs=1e-12)
    for pair in (None, (2, 3)):
        circular = view(people.project, scope="majority", pair=pair)
        assert (circular.n_items, circular.n_units, circular.n_circular) == (2, 2, 2)
        assert set(circular.values.values()) == {None}
        assert circular.ci == {}
        named = set(BY_KEY) - ({"cohen_kappa"} if pair is None else set()) - {"alpha_ordinal"}
        assert all(circular.reason[name].startswith("circular: ") for name in named)


def test_it_counts_items_that_agree_by_construction_beside_others(people: People) -> None:
    """With three slots an item of two answers needs both. Its pair is circular where no third person answered."""
    fill(people.project, people.annotators, at("opinion", {"i1": "YYN", "i2": "NN-", "i3": "YY-", "i4": "YN-"}))
    row = view(people.project, scope="majority")
    assert (row.n_items, row.n_units, row.n_circular) == (3, 3, 2)
    # 1 of 3 pairs, 1 of 1, 1 of 1; a mean over items is (1/3 + 1 + 1) / 3.
    assert row.values["percent_agreement"] == pytest.approx(3 / 5, abs=1e-12)
    assert row.values["item_agreement"] == pytest.approx(7 / 9, abs=1e-12)
    assert view(people.project, scope="majority", pair=(2, 3)).n_circular == 2
    assert view(people.project, scope="majority", pair=(2, 4)).n_circular == 0


def test_three_answers_for_five_slots_agree_by_construction_too(people: People) -> None:
    fill(people.project, people.annotators, at("opinion", {"i1": "YYY", "i2": "YYN", "i3": "NNN"}), slots=5)
    row = view(people.project, scope="majority")
    assert (row.n_units, row.n_circular, row.values["alpha_nominal"]) == (2, 2, None)


def test_second_looks_with_a_majority_are_circular_too(people: People) -> None:
    fill(people.project, people.annotators[:2], at("opinion", {"i1": "YY", "i2": "YN", "i3": "NN"}))
    row = next(
        row for row in agreement_table(project=people.project, scope="majority", phase=2).rows if row.stage == "opinion"
    )
    assert (row.n_units, row.n_circular, row.values["percent_agreement"]) == (2, 2, None)


def test_fleiss_in_its_general_form_takes_any_k_of_n_annotators(people: People) -> None:
    """Two answers an item by any two of three: nobody answered all, so that Fleiss over complete items has no value.

    i1 YY, i2 YN, i3 NN, i4 YY: P = 3/4, p_yes = 5/8, Pe = (25 + 9) / 64, kappa = (3/4 - 34/64) / (1 - 34/64) = 14/30.
    i5 has one answer and is left out.
    """
    fill(
        people.project,
        people.annotators,
        at("opinion", {"i1": "YY-", "i2": "-YN", "i3": "N-N", "i4": "YY-", "i5": "Y--"}),
    )
    row = view(people.project)
    assert row.values["fleiss_kappa"] is None
    assert (row.general_answers, row.general_items) == (2, 4)
    assert row.values["fleiss_kappa_general"] == pytest.approx(14 / 30, abs=1e-12)


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
    second = publish(people.project, wider)
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


@pytest.mark.parametrize("scope", ["all", "majority"])
def test_it_takes_the_same_number_of_statements_however_much_there_is(people: People, scope: str) -> None:
    def queries() -> int:
        with CaptureQueriesContext(connection) as captured:
            agreement_table(project=people.project, scope=scope)
        return len(captured)

    fill(people.project, people.annotators, at("opinion", WORKED))
    few = queries()
    # A second look finds the rows as they were kept.
    kept = queries()
    assert kept < few
    for number in range(2, 6):
        letters = {f"{item}-{number}": row for item, row in WORKED.items()}
        fill(people.project, people.annotators, at("opinion", letters), number=number)
    # The kept rows are written over, where they were first made before.
    assert queries() <= few
    assert queries() == kept


def test_it_counts_only_the_views_that_are_asked_for(people: People) -> None:
    """Whatever is left out changes no row that is left."""
    for number in (1, 2):
        letters = {f"{item}-{number}": row for item, row in WORKED.items()}
        fill(people.project, people.annotators, at("opinion", letters), number=number)
    mp = {"i9": [Said({"opinion": "yes", "mp": label}) for label in ("yes", "no", "yes")]}
    fill(people.project, people.annotators, mp, number=3)
    whole = agreement_table(project=people.project, scope="all").rows

    def rows(**chosen: Any) -> list[Row]:
        return agreement_table(project=people.project, scope="all", slices=Slices(**chosen)).rows

    def left(keep: Callable[[Row], bool]) -> list[dict[str, Any]]:
        return rounded([vars(row) for row in whole if keep(row)])

    def given(found: list[Row]) -> list[dict[str, Any]]:
        return rounded([vars(row) for row in found])

    assert given(rows(of="everyone")) == left(lambda row: row.pair is None)
    assert given(rows(of="pairs")) == left(lambda row: row.pair is not None)
    assert given(rows(stage="mp")) == left(lambda row: row.stage == "mp")
    assert given(rows(round=2)) == left(lambda row: row.round == 2)
    assert given(rows(round=0, stage="opinion")) == left(lambda row: (row.round, row.stage) == (None, "opinion"))
    pair = pair_of(*people.annotators[:2])
    assert given(rows(of="pairs", pair=pair)) == left(lambda row: row.pair == pair)
    # Kept apart from each other, and made anew after a change.
    fill(people.project, people.annotators, at("opinion", {"new": "YYY"}), number=4)
    assert [row.round for row in rows(of="everyone", stage="opinion")] == [None, 1, 2, 3, 4]


def test_rows_of_frozen_rounds_are_kept_and_stand_in_their_place(people: People) -> None:
    for number in (1, 2, 3):
        letters = {f"{item}-{number}": row for item, row in WORKED.items()}
        fill(people.project, people.annotators, at("opinion", letters), number=number)
    before = agreement_table(project=people.project, scope="all").rows
    people.project.batches.filter(number__in=(1, 3)).update(frozen_at=timezone.now())
    assert rounded([vars(row) for row in agreement_table(project=people.project, scope="all").rows]) == rounded(
        [vars(row) for row in before]
    )
    # A mark in what was kept shows where it is read again.
    kept = AgreementCache.objects.get(project=people.project, view="all frozen")
    assert {row[1] for row in kept.rows} == {1, 3}
    kept.rows[0][5] = 77
    kept.save()
    batch = people.project.batches.get(number=2)
    row = Assignment.objects.filter(batch_item__batch=batch).first()
    assert row is not None
    revise(batch, [(row, {"opinion": "ambiguous"})], revision=2)
    assert view(people.project, round=1).n_items == 77
    assert view(people.project, round=2).values != view(people.project, round=3).values
    # Who is a rater is not frozen.
    Membership.objects.filter(pk=people.annotators[2].pk).update(role="adjudicator")
    assert view(people.project, round=1).raters == [2, 3]
