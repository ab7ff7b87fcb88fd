"""What the report says of half-finished rounds, of changing people and of decisions; counted by hand."""

import csv
import io

from al_worker.formats.paper_csv import as_csv
from al_worker.formats.paper_latex import as_latex
from al_worker.formats.paper_tables import Table
from annotation_app.annotation.submission import DAY_MS
from annotation_app.dashboards.report.report import Report, project_report
from annotation_app.models import Item, Role
from tests.aggregation.decided import decide
from tests.agreement.tables import Row, Said, at, fill
from tests.conftest import People
from tests.dashboards.reports import table, texts
from tests.factories import make_member

NO, SUBJECT, POLICY = {"opinion": "no"}, {"opinion": "yes", "mp": "no"}, {"opinion": "yes", "mp": "yes"}
OPEN = Said(state="open")
# Opinion: yes, yes with one answer to come, open, no majority, open; of the first two, at mp: no, open.
HALF: dict[str, Row] = {
    "i1": [Said(SUBJECT)] * 3,
    "i2": [Said(POLICY), Said(SUBJECT), OPEN],
    "i3": [Said(NO), Said(SUBJECT), OPEN],
    "i4": [Said(NO), Said(SUBJECT), Said({"opinion": "ambiguous"})],
    "i5": [OPEN] * 3,
}


def report_of(people: People, *examples: str) -> Report:
    return project_report(project=people.project, examples=examples)


def csv_rows(shown: Table) -> list[list[str]]:
    return list(csv.reader(io.StringIO(as_csv(shown), newline="")))


def test_items_that_wait_for_answers_are_not_without_a_majority(people: People) -> None:
    fill(people.project, people.annotators, HALF)
    report = report_of(people)
    labels = table(report, "table_3")
    assert texts(labels, 1, 2)[2:12] == [
        ["Yes", "2"],
        ["No", "0"],
        ["Can’t tell", "0"],
        ["no majority", "1"],
        ["waiting for answers", "2"],
        ["Yes", "0"],
        ["No", "1"],
        ["Can’t tell", "0"],
        ["no majority", "0"],
        ["waiting for answers", "1"],
    ]
    # Nothing came to the stages behind them, and nothing waits there.
    assert sum(row[1].text == "waiting for answers" for row in labels.rows) == 2
    assert any(note.startswith("Items wait for answers where") for note in labels.notes)
    assert csv_rows(labels)[7][:5] == ["Opinion", "opinion", "waiting for answers", "waiting", "2"]
    assert " & waiting for answers & 2 &" in as_latex(labels)
    assert table(report, "table_4").columns[1].title == "Opinion (n = 2)"


def test_shares_leave_out_what_may_still_become_positive(people: People) -> None:
    """Both items with a majority are opinions; of them i2 may yet be about monetary policy, i1 is not."""
    fill(people.project, people.annotators, HALF)
    yields = table(report_of(people), "table_2")
    assert texts(yields, 0, 4, 5, 6) == [
        ["Opinion", "100.0%", "2", "2"],
        ["→ Monetary policy", "0.0%", "0", "1"],
        ["→→ Stance", "0.0%", "0", "1"],
    ]
    assert yields.notes[2:5] == [
        "Opinion: 2 items wait for answers and are not counted.",
        "Monetary policy: 3 items wait for answers and are not counted.",
        "Stance: 3 items wait for answers and are not counted.",
    ]


def test_examples_say_which_of_them_wait(people: People) -> None:
    fill(people.project, people.annotators, HALF)
    report = report_of(people, "i2", "i3", "i4")
    assert texts(table(report, "table_1"), 0, 2, 3) == [
        ["i2", "Yes", "waiting for answers"],
        ["i3", "waiting for answers", "*"],
        ["i4", "no majority", "*"],
    ]
    assert csv_rows(table(report, "table_1"))[2][2:6] == ["waiting for answers", "waiting", "*", "not_applicable"]


def test_a_finished_round_has_no_row_for_waiting(people: People) -> None:
    fill(people.project, people.annotators, at("opinion", {"i1": "NNN", "i2": "YNA"}))
    report = report_of(people)
    assert [row[1].text for row in table(report, "table_3").rows][2:7] == [
        "Yes",
        "No",
        "Can’t tell",
        "no majority",
        "Yes",
    ]
    assert not any("wait" in note for key in ("table_2", "table_3") for note in table(report, key).notes)


def test_kappa_says_how_many_items_everyone_answered(people: People) -> None:
    """Round 1 has three items with a majority, two of them answered by all of its people; in round 2 Dora stands in.

    Nobody's item has all four, so that the total of everyone has none; the pair of both rounds has all five.
    """
    alice, bob, charlie = people.annotators
    dora = make_member(people.project, "dora", Role.ANNOTATOR)
    letters = at("opinion", {"i1": "NNN", "i2": "AAA"})
    fill(people.project, [alice, bob, charlie], letters | {"i3": [Said(NO), Said(NO), OPEN]})
    report = report_of(people)
    labels = table(report, "table_3")
    assert [(row[3].text, row[3].basis) for row in labels.rows[2:6]] == [("1.00", "n = 2")] * 4
    assert [(row[4].text, row[4].basis) for row in labels.rows[2:3]] == [("1.00", "")]
    header, *rows = csv_rows(labels)
    assert header[5:9] == ["fleiss_kappa", "fleiss_kappa_low", "fleiss_kappa_high", "fleiss_kappa_n"]
    assert (rows[2][5], rows[2][8]) == ("1", "2")
    assert r"\nitems{2}" in as_latex(labels)
    assert not any("total" in note for note in table(report, "table_7_opinion").notes)
    fill(people.project, [alice, bob, dora], at("opinion", {"i4": "NNN", "i5": "AAA"}), number=2)
    agreement = table(report_of(people), "table_7_opinion")
    pair = f"{alice.number} and {bob.number}"
    at_pair = [column.title for column in agreement.columns].index(pair)
    of_majorities = [row for row in agreement.rows if row[1].key == "majority"]
    assert [(row[2].text, row[2].basis, row[at_pair].basis) for row in of_majorities] == [
        ("1.000", "n = 2", "n = 3"),
        ("1.000", "n = 2", "n = 2"),
        ("–", "n = 0", "n = 5"),
    ]
    assert agreement.notes[0] == (
        "The total of All leaves out 4 of the rounds' 4 items: not everyone of all rounds answered them."
    )


def test_examples_name_what_was_adjudicated_and_what_the_votes_came_to(people: People) -> None:
    """The votes: none, yes, no; decided: no, no, no. i5 has no decision."""
    fill(people.project, people.annotators, at("opinion", {"i4": "YNA", "i1": "YYN", "i2": "NNY", "i5": "NNA"}))
    judge = make_member(people.project, "dora", Role.ADJUDICATOR)
    for name in ("i4", "i1", "i2"):
        decide(judge, Item.objects.get(external_id=name), NO)
    shown = table(report_of(people, "i4", "i1", "i2", "i5"), "table_1")
    assert texts(shown, 0, 2, 3) == [
        ["i4", "No (adjudicated; no majority)", "*"],
        ["i1", "No (adjudicated; majority Yes)", "*"],
        ["i2", "No (adjudicated)", "*"],
        ["i5", "No", "*"],
    ]
    assert csv_rows(shown)[1][2:4] == ["No (adjudicated; no majority)", "no"]


def test_examples_show_the_context_that_was_decided(people: People) -> None:
    contexts = ("utterance", "minus_5_sentences", "sentence")
    rows: dict[str, Row] = {"i1": [Said(POLICY | {"mp_context": each, "stance_nli": "neutral"}) for each in contexts]}
    fill(people.project, people.annotators, rows)
    assert texts(table(report_of(people, "i1"), "table_9"), 2, 3) == [["no majority", ""]]
    judge = make_member(people.project, "dora", Role.ADJUDICATOR)
    decide(judge, Item.objects.get(external_id="i1"), {"mp_context": "utterance"})
    context = table(report_of(people, "i1"), "table_9")
    assert texts(context, 2, 3) == [["Whole turn (adjudicated)", "Text of i1."]]
    assert csv_rows(context)[1][2:4] == ["Whole turn (adjudicated)", "utterance"]


def test_time_says_what_was_cut(people: People) -> None:
    """A page left open for two days is kept as one: 24 hours and 30 seconds for two answers."""
    rows: dict[str, Row] = {
        "i1": [Said(NO, wall_ms=DAY_MS, active_ms=5_000), None, None],
        "i2": [Said(NO, wall_ms=30_000), None, None],
    }
    fill(people.project, people.annotators, rows)
    spent = table(report_of(people), "table_8")
    assert texts(spent, 1)[0] == ["1,440"]
    assert spent.notes[1] == "An answer, and each revision of it, counts for 24 hours at most: 1 was cut to that."


def test_names_stand_beside_their_keys_in_every_file(people: People) -> None:
    fill(people.project, people.annotators, at("opinion", {"i1": "YYY", "i2": "NNN"}))
    report = report_of(people)
    assert csv_rows(table(report, "table_2"))[2][:2] == ["Monetary policy", "mp"]
    assert csv_rows(table(report, "table_3"))[3][:5] == ["Opinion", "opinion", "Yes", "yes", "1"]
    assert csv_rows(table(report, "table_3"))[1][:5] == ["Pool", "pool", "documents", "documents", "1"]
