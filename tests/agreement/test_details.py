"""One stage in detail, against tables counted by hand."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation_app.agreement.details import AgainstMajority, Details, agreement_details
from tests.agreement.tables import Said, at, fill
from tests.agreement.test_agreement import WORKED
from tests.conftest import People


def details(people: People, stage: str = "opinion", scope: str = "all", round: int | None = None) -> Details:
    found = agreement_details(project=people.project, stage=stage, scope=scope, round=round)
    assert found is not None
    return found


def test_it_counts_what_two_people_said_of_the_same_items(people: People) -> None:
    fill(people.project, people.annotators, at("opinion", WORKED))
    found = details(people)
    assert found.labels == ["yes", "no", "ambiguous"]
    first, *_ = found.confusion
    # Alice beside Bob: i1 YY, i2 NN, i3 YN, i4 YY.
    assert (first.pair, first.n, first.counts) == ((2, 3), 4, [[2, 1, 0], [0, 1, 0], [0, 0, 0]])
    assert [(each.pair, each.n) for each in found.confusion] == [((2, 3), 4), ((2, 4), 3), ((3, 4), 3)]


def test_it_counts_the_labels_of_each_annotator(people: People) -> None:
    fill(people.project, people.annotators, at("opinion", WORKED | {"i6": "A--"}))
    alice, bob, _ = details(people).label_shares
    # Alice: Y N Y Y N A; Bob: Y N N Y.
    assert (alice.annotator, alice.n, alice.counts) == (2, 6, [3, 2, 1])
    assert alice.shares == pytest.approx([1 / 2, 1 / 3, 1 / 6])
    assert (bob.n, bob.counts) == (4, [2, 2, 0])


def test_it_narrows_to_a_round(people: People) -> None:
    fill(people.project, people.annotators, at("opinion", {"i1": "YYY", "i2": "NNN"}), number=1)
    fill(people.project, people.annotators, at("opinion", {"i3": "YNY", "i4": "YY-"}), number=2)
    assert details(people, round=2).confusion[0].counts[0] == [1, 1, 0]
    assert details(people, round=2).label_shares[0].n == 2
    assert details(people, round=2).n_majority == 2
    assert details(people).n_majority == 4


def test_it_holds_each_annotator_against_the_majority(people: People) -> None:
    """Gold: i1 yes, i2 no, i3 yes, i4 yes; i5 has no majority, i6's is ambiguous and left out."""
    letters = {"i1": "YYY", "i2": "NNN", "i3": "YNY", "i4": "YYA", "i5": "YNA", "i6": "AAY", "i7": "YY-"}
    fill(people.project, people.annotators, at("opinion", letters))
    found = details(people)
    assert (found.n_majority, found.ambiguous) == (5, ["ambiguous"])
    assert found.against_majority == [
        AgainstMajority(2, 5, 5, 1.0, None, None),
        AgainstMajority(3, 5, 4, 0.8, None, None),
        # i4 ambiguous is wrong, i7 is not answered.
        AgainstMajority(4, 4, 3, 0.75, None, None),
    ]


def test_it_collapses_an_ordered_stage_after_the_vote(people: People) -> None:
    def said(context: str) -> Said:
        return Said({"opinion": "yes", "mp": "yes", "mp_context": context})

    steps = {"S": "sentence", "U": "utterance", "5": "minus_5_sentences"}
    table = {
        name: [said(steps[letter]) for letter in letters]
        for name, letters in {"i1": "SSU", "i2": "UU5", "i3": "U5S"}.items()
    }
    fill(people.project, people.annotators, table)
    found = details(people, "mp_context")
    # i3 has no majority of the four, though two of three say that more than the sentence is needed.
    assert found.n_majority == 2
    # Charlie says U for S, wrong in both ways, and 5 for U, wrong as a label but right in that context is needed.
    assert found.against_majority[2] == AgainstMajority(4, 2, 0, 0.0, 1, 0.5)


def test_it_leaves_out_what_the_aggregated_answers_close(people: People) -> None:
    yes, no = Said({"opinion": "yes", "mp": "yes"}), Said({"opinion": "no"})
    fill(people.project, people.annotators, {"i1": [yes, no, no], "i2": [yes, yes, no]})
    found = details(people, "mp")
    assert found.n_majority == 1
    assert [row.n for row in found.against_majority] == [1, 1]
    assert [row.n for row in details(people, "mp", scope="majority").label_shares] == [1, 1]


def test_it_shows_an_empty_project(people: People) -> None:
    found = details(people)
    assert (found.confusion, found.label_shares, found.against_majority, found.n_majority) == ([], [], [], 0)
    assert agreement_details(project=people.project, stage="nothing", scope="all") is None


def test_it_takes_the_same_number_of_statements_however_much_there_is(people: People) -> None:
    def queries() -> int:
        with CaptureQueriesContext(connection) as captured:
            details(people)
        return len(captured)

    fill(people.project, people.annotators, at("opinion", WORKED))
    few = queries()
    for number in range(2, 6):
        letters = {f"{item}-{number}": row for item, row in WORKED.items()}
        fill(people.project, people.annotators, at("opinion", letters), number=number)
    assert queries() == few
