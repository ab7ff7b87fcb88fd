"""Agreement over items with a majority, and where that makes it circular, by hand over real rows."""

import json

import pytest

from annotation_app.aggregation.selectors import majority_labels
from annotation_app.agreement.selectors import agreement_table
from annotation_app.agreement.statistics import BY_KEY
from tests.agreement.tables import Said, at, fill
from tests.agreement.views import view
from tests.conftest import People
from tests.factories import publish


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
    """Give no figure over items of two answers, which a majority takes both, for everyone and for the pair."""
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
