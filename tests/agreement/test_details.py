"""One stage in detail, against tables counted by hand."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation_app.aggregation.statements import Phase
from annotation_app.agreement.details import AgainstMajority, Details, agreement_details
from annotation_app.agreement.label_habits import says_much_more
from annotation_app.models import Item
from tests.aggregation.decided import second_look
from tests.agreement.tables import Said, at, fill
from tests.agreement.worked import WORKED
from tests.conftest import People


def details(
    people: People, stage: str = "opinion", scope: str = "all", round: int | None = None, phase: Phase = 1
) -> Details:
    found = agreement_details(project=people.project, stage=stage, scope=scope, round=round, phase=phase)
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


def test_it_holds_labels_beside_what_others_say_of_the_same_items(people: People) -> None:
    """i5 has one answer. Of i1 to i4, the others of Alice say yes on 1, 0, 1/2 and 1 of the items: 5/8; she on 3/4."""
    fill(people.project, people.annotators, at("opinion", WORKED))
    alice, bob, charlie = details(people).label_shares
    assert (alice.n, alice.n_compared, bob.n_compared, charlie.n_compared) == (5, 4, 4, 3)
    yes, no, ambiguous = alice.habits
    assert (yes.own, yes.others) == pytest.approx((3 / 4, 5 / 8))
    # Differences 0, 0, 1/2, 0: mean 1/8, squares about it 1/4 - 4/64 = 3/16, so that se^2 = 3/16 / (3 * 4) = 1/64.
    assert yes.standard_error == pytest.approx(1 / 8)
    assert (no.own, no.others, no.standard_error) == pytest.approx((1 / 4, 3 / 8, 1 / 8))
    # A label that nobody gave differs nowhere.
    assert (ambiguous.own, ambiguous.others, ambiguous.standard_error, ambiguous.much_more) == (0, 0, 0, False)


def test_it_has_nothing_to_compare_where_one_alone_answered(people: People) -> None:
    fill(people.project, people.annotators, at("opinion", {"i1": "Y--", "i2": "YN-"}))
    alice, _ = details(people).label_shares
    assert (alice.n, alice.n_compared, alice.habits[0].standard_error) == (2, 1, None)
    fill(people.project, people.annotators, at("opinion", {"i3": "--Y"}), number=2)
    (charlie,) = details(people, round=2).label_shares
    assert (charlie.n, charlie.n_compared, charlie.habits) == (1, 0, [])


def test_it_flags_who_says_a_label_much_more_often(people: People) -> None:
    """Charlie cannot tell on 10 of 40 items where the others say yes: 1/4 against none, se^2 = (1/4 * 3/4) / 39."""
    letters = {f"i{n}": "YYA" if n < 10 else "YNY" for n in range(40)}
    fill(people.project, people.annotators, at("opinion", letters))
    shares = details(people).label_shares
    flagged = [(row.annotator, label) for row in shares for label, habit in enumerate(row.habits) if habit.much_more]
    # Bob says no on 30 of 40, where the others say yes.
    assert flagged == [(2, 0), (3, 1), (4, 2)]
    assert shares[2].habits[2].standard_error == pytest.approx((3 / 16 / 39) ** 0.5)


@pytest.mark.parametrize(
    ("n", "own", "others", "error", "is_much_more"),
    [
        (19, 0.5, 0.1, 0.05, False),  # too few items
        (20, 0.5, 0.1, None, False),  # no standard error
        (20, 0.30, 0.15, 0.049, True),  # three standard errors, twice as often
        (20, 0.30, 0.15, 0.051, False),  # not sure
        (900, 0.61, 0.50, 0.01, True),  # ten points, though not 1.5 times
        (900, 0.59, 0.50, 0.01, False),  # sure, and small
        (900, 0.04, 0.02, 0.001, True),  # rare, 1.5 times as often
        (900, 0.0, 0.0, 0.0, False),
        (900, 0.1, 0.5, 0.01, False),  # less often
    ],
)
def test_much_more_often_is_sure_and_large(
    n: int, own: float, others: float, error: float | None, is_much_more: bool
) -> None:
    assert says_much_more(n=n, own=own, others=others, standard_error=error) is is_much_more


def test_it_takes_the_answers_of_second_looks_in_phase_two(people: People) -> None:
    alice, bob, charlie = people.annotators
    first = fill(people.project, people.annotators, at("opinion", {"i1": "YYN", "i2": "NNN"}))
    item = Item.objects.get(project=people.project, external_id="i1")
    second_look(first, {item: {alice: None, bob: None, charlie: {"opinion": "yes"}}})
    assert [each.counts[0] for each in details(people).confusion] == [[1, 0, 0], [0, 1, 0], [0, 1, 0]]
    again = details(people, phase=2)
    assert [each.counts for each in again.confusion] == [[[1, 0, 0], [0, 1, 0], [0, 0, 0]]] * 3
    assert again.label_shares[2].counts == [1, 1, 0]
    assert [row.n_right for row in again.against_majority] == [2, 2, 2]
    assert [row.n_right for row in details(people).against_majority] == [2, 2, 1]


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
        # i7 has two answers: with a majority both are its label.
        AgainstMajority(2, 5, 5, 1.0, None, None, n_circular=1),
        AgainstMajority(3, 5, 4, 0.8, None, None, n_circular=1),
        # i4 ambiguous is wrong, i7 is not answered.
        AgainstMajority(4, 4, 3, 0.75, None, None),
    ]


def test_it_holds_each_annotator_against_the_majority_of_the_others(people: People) -> None:
    """The two others agree on i1, i2, i4 for Alice (yes, no, yes); on i1, i2, i3 for Bob; on i1, i2, i3 for Charlie. Of
    i5 nobody's others agree; of i6 Alice's and Bob's others do not, and Charlie's say ambiguous. On i7 the other of two
    is Bob for Alice, and Alice for Bob."""
    letters = {"i1": "YYY", "i2": "NNN", "i3": "YYN", "i4": "NYY", "i5": "YNA", "i6": "AAY", "i7": "YN-"}
    fill(people.project, people.annotators, at("opinion", letters))
    assert details(people).leave_one_out == [
        AgainstMajority(2, 4, 2, 0.5, None, None),
        AgainstMajority(3, 3, 2, pytest.approx(2 / 3), None, None),
        AgainstMajority(4, 3, 2, pytest.approx(2 / 3), None, None),
    ]


def test_of_two_annotators_the_other_is_the_majority_of_the_others(people: People) -> None:
    fill(people.project, people.annotators[:2], at("opinion", {"i1": "YY", "i2": "YN", "i3": "NN", "i4": "YN"}))
    found = details(people)
    assert [(row.n, row.n_right, row.accuracy) for row in found.leave_one_out] == [(4, 2, 0.5)] * 2
    # Items with a majority are those where both say the same: right by construction, and no figure.
    assert (found.n_majority, found.n_circular) == (2, 2)
    assert [(row.n, row.n_right, row.accuracy) for row in found.against_majority] == [(2, 2, None)] * 2
    assert all(row.reason.startswith("circular: ") for row in found.against_majority)


def test_it_says_why_nobody_can_be_held_against_others(people: People) -> None:
    fill(people.project, people.annotators, at("opinion", {"i1": "Y--", "i2": "-YN", "i3": "-AN"}))
    alone, _, ambiguous = details(people).leave_one_out
    assert (alone.n, alone.accuracy, alone.reason) == (0, None, "nobody else answered these items")
    assert (ambiguous.n, ambiguous.n_right, ambiguous.reason) == (1, 0, "")
    fill(people.project, people.annotators, at("opinion", {"i4": "YNA"}), number=2)
    reasons = {row.reason for row in details(people, round=2).leave_one_out}
    assert reasons == {"on no item do the others have a majority that is not ambiguous"}


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
    # Of the others Alice's agree on none; Bob's on none; Charlie's on i1 (S) and i2 (U).
    assert [row.n for row in found.leave_one_out] == [0, 0, 2]
    assert found.leave_one_out[2] == AgainstMajority(4, 2, 0, 0.0, 1, 0.5)


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
    # A second look finds the rows as they were kept.
    kept = queries()
    assert kept < few
    for number in range(2, 6):
        letters = {f"{item}-{number}": row for item, row in WORKED.items()}
        fill(people.project, people.annotators, at("opinion", letters), number=number)
    assert queries() <= few
    assert queries() == kept


def test_it_keeps_what_it_counted_until_an_answer_changes(people: People) -> None:
    fill(people.project, people.annotators, at("opinion", WORKED), number=1)
    before = details(people)
    assert details(people) == before
    fill(people.project, people.annotators, at("opinion", {"i6": "YNN"}), number=2)
    assert details(people) != before
    assert details(people, round=1) == before
