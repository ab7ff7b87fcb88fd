"""The agreement table against values worked by hand, over real rows."""

import json

import pytest

from annotation_app.agreement.selectors import Row, agreement_table
from annotation_app.agreement.statistics import BY_KEY
from annotation_app.models import Assignment, Batch, Membership, Project
from tests.agreement.tables import Said, answer, at, fill, revise
from tests.agreement.views import pair_of, view
from tests.agreement.worked import WORKED
from tests.conftest import People
from tests.factories import make_member, publish
from tests.floats import rounded


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
        "alpha_interval": "the answers of this stage are no numbers",
        "alpha_masi": "the answers of this stage are no sets of labels",
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


def test_it_names_annotators_and_stages(people: People) -> None:
    fill(people.project, people.annotators, at("opinion", {"i1": "YN-"}))
    table = agreement_table(project=people.project, scope="all")
    assert [member.user.username for member in table.annotators] == ["alice", "bob"]
    assert [key for key, _ in table.stages] == ["opinion", "mp", "mp_context", "stance_nli", "stance_nli_context"]
    assert [row.stage for row in table.rows if row.pair is None and row.round is None] == [k for k, _ in table.stages]
