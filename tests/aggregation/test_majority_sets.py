"""The majority of sets of labels: found label by label, in the database, for pages, files and agreement alike."""

import io
import json
from collections.abc import Sequence

import pytest
from django.core.management import call_command
from django.db import connection
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from al_worker.formats.heads import set_text
from annotation_app.aggregation.selectors import majority_labels
from annotation_app.agreement.selectors import agreement_table
from tests.agreement.measured import MEASURED, fill_measured, measured_codebook
from tests.agreement.tables import Said, fill
from tests.conftest import People

A, J, F, NONE = '["anger"]', '["joy"]', '["fear"]', "[]"
AJ, FJ, AFJ = '["anger","joy"]', '["fear","joy"]', '["anger","fear","joy"]'


def majority(answers: Sequence[str], slots: int) -> str | None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT rules.majority_set(%s::text[], rules.majority_takes(%s))", [list(answers), slots])
        (found,) = cursor.fetchone()
    return None if found is None else str(found)


@pytest.mark.parametrize(
    ("answers", "slots", "expected"),
    [
        ([J, J, A], 3, J),
        # Joy has three of three; anger and fear have one each, and two left each of them out.
        ([J, AJ, FJ], 3, J),
        ([AJ, FJ, A], 3, AJ),
        ([AFJ, AFJ, NONE], 3, AFJ),
        # Two leave each label out.
        ([A, J, F], 3, NONE),
        ([NONE, NONE, A], 3, NONE),
        # Two people who differ in one label: neither its yes nor its no is more than half.
        ([A, AJ], 2, None),
        ([A, A], 2, A),
        ([A, A, AJ, AJ], 4, None),
        # Of three slots one answer is too few, and of two different ones the third decides.
        ([A], 3, None),
        ([A, A], 3, A),
        ([A, AJ], 3, None),
        ([NONE], 3, None),
        ([NONE, NONE], 3, NONE),
        ([], 3, None),
    ],
)
def test_each_label_has_a_majority_of_its_own(db: None, answers: list[str], slots: int, expected: str | None) -> None:
    assert majority(answers, slots) == expected


def test_it_is_the_rule_of_one_label_for_each_label_and_stays_with_further_answers(db: None) -> None:
    sets = st.sets(st.sampled_from(["anger", "fear", "joy"])).map(set_text)

    @settings(max_examples=100, suppress_health_check=list(HealthCheck), derandomize=True)
    @given(st.lists(sets, min_size=1, max_size=5), st.integers(0, 2))
    def each(answers: list[str], missing: int) -> None:
        slots = len(answers) + missing
        said = [set(json.loads(answer)) for answer in answers]
        yes = {label for label in ("anger", "fear", "joy") if sum(label in one for one in said) * 2 > slots}
        no = {label for label in ("anger", "fear", "joy") if sum(label not in one for one in said) * 2 > slots}
        found = majority(answers, slots)
        assert (found is not None) == (len(yes | no) == 3)
        assert found is None or set(json.loads(found)) == yes
        if missing and found is not None:
            assert majority([*answers, AFJ], slots) == found

    each()


def test_pages_and_agreement_take_it(people: People) -> None:
    rows = {"i1": [J, AJ, FJ], "i2": [A, J, F], "i3": [AJ, AJ, NONE], "i4": [A, AJ, None]}
    table = {item: [None if each is None else Said({"feelings": each}) for each in row] for item, row in rows.items()}
    fill(people.project, people.annotators, table, codebook=measured_codebook(people.project))
    found = {row.external_id: row for row in majority_labels(project=people.project, stage="feelings")}
    assert {item: (row.state, row.label) for item, row in found.items()} == {
        "i1": ("majority", J),
        # The question lets nobody off (least 0), so that the empty set is an answer like any other.
        "i2": ("majority", NONE),
        "i3": ("majority", AJ),
        "i4": ("tie", None),
    }
    assert found["i1"].votes == {J: 1, AJ: 1, FJ: 1}
    (everyone,) = [
        row
        for row in agreement_table(project=people.project, scope="majority").rows
        if row.stage == "feelings" and row.pair is None and row.round is None
    ]
    assert (everyone.n_items, everyone.n_circular) == (3, 0)


def test_a_set_that_the_question_does_not_take_is_no_majority(people: People) -> None:
    codebook = measured_codebook(people.project)
    (asked,) = [each for each in codebook.definition["stages"] if each["key"] == "feelings"]
    asked["least"] = 1
    codebook.save()
    said = [Said({"feelings": each}) for each in (A, J, F)]
    fill(people.project, people.annotators, {"i1": said}, codebook=codebook)
    (row,) = majority_labels(project=people.project, stage="feelings")
    assert (row.state, row.label) == ("tie", None)


def test_a_second_computation_says_the_same_of_every_kind_of_answers(people: People) -> None:
    fill_measured(people.project, people.annotators, {"i1": "AAB", "i2": "ABD", "i3": "CCC", "i4": "BDD", "i5": "AB-"})
    out = io.StringIO()
    call_command("agreement_verify", str(people.project.uuid), stdout=out)
    assert f"{people.project.name}, phase 1, majority" in out.getvalue()
    assert len(MEASURED) == 5
