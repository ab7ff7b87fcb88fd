"""The report on small projects, counted by hand; and on projects that have nothing to count."""

from collections.abc import Callable
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext

from al_worker.formats.paper_csv import as_csv
from al_worker.formats.paper_latex import as_latex
from annotation_app.dashboards.report.artifacts import definition_hash
from annotation_app.dashboards.report.report import Report, project_report
from annotation_app.models import Batch, Import, Item, Role, Round, User
from annotation_app.projects.services import member_add
from annotation_app.refusals import Invalid
from tests.agreement.tables import Row, Said, at, fill
from tests.conftest import People
from tests.dashboards.reports import figure, table, texts
from tests.factories import publish
from tests.rounds.measured import round_of
from tests.spans import span_codebook

# Majority yes, no, ambiguous, none, yes (two of three).
WORKED = {"i1": "YYY", "i2": "NNN", "i3": "AAN", "i4": "YNA", "i5": "YYN"}
DEEP = {"opinion": "yes", "mp": "yes", "mp_context": "utterance", "stance_nli": "entailment"}


def report_of(people: People, *examples: str) -> Report:
    return project_report(project=people.project, examples=examples)


def needs(context: str, opened: str) -> Said:
    return Said(DEEP | {"mp_context": context, "stance_nli_context": "sentence"}, context_opened=opened)


def test_it_names_the_first_random_round_where_there_is_no_prototype(people: People) -> None:
    round_of(people, fill(people.project, people.annotators, at("opinion", WORKED)), "random")
    yields = table(report_of(people), "table_2")
    assert yields.columns[1].title == "First random batch (round 1)"
    # Two of the four items with a majority; the sample is part of all rounds, and the ratio has no interval.
    assert texts(yields)[0] == ["Opinion", "50.0%", "2", "4", "50.0%", "2", "4", "1.00"]
    assert any("stands in for it" in note for note in yields.notes)


def test_it_has_no_baseline_before_a_random_batch_is_complete(people: People) -> None:
    fill(people.project, people.annotators, at("opinion", WORKED))
    yields = table(report_of(people), "table_2")
    assert texts(yields)[0] == ["Opinion", "–", "–", "–", "50.0%", "2", "4", "–"]
    assert any(note.startswith("No baseline yet") for note in yields.notes)


def test_it_measures_people_against_the_majority(people: People) -> None:
    """Of i1, i2 and i5, whose majority is yes or no: Charlie is wrong at i5 alone. i3 and i4 have no class."""
    fill(people.project, people.annotators, at("opinion", WORKED))
    humans = table(report_of(people), "table_4")
    assert humans.columns[1].title == "Opinion (n = 3)"
    assert texts(humans, 0, 1) == [
        ["Majority class", "0.67"],
        # The two others agree for Alice on i1 and i2, for Bob on these too, for Charlie on i5 as well; on i3 they
        # are unsure of it.
        ["Lowest annotator, against the others", "0.67"],
        ["Highest annotator, against the others", "1.00"],
        ["Annotator 2, against the others", "1.00 (n = 2)"],
        ["Annotator 3, against the others", "1.00 (n = 2)"],
        ["Annotator 4, against the others", "0.67 (n = 3)"],
        ["Lowest annotator, own vote included", "0.67"],
        ["Highest annotator, own vote included", "1.00"],
        ["Annotator 2, own vote included", "1.00 (n = 3)"],
        ["Annotator 3, own vote included", "1.00 (n = 3)"],
        ["Annotator 4, own vote included", "0.67 (n = 3)"],
    ]


def test_two_annotators_have_no_figure_against_a_majority_that_takes_both(people: People) -> None:
    """Of two answers a majority is both: agreement over such items would be 1 whatever people do."""
    letters = {"i1": "YY", "i2": "YN", "i3": "NN", "i4": "NY"}
    fill(people.project, people.annotators[:2], at("opinion", letters))
    report = report_of(people)
    humans = table(report, "table_4")
    assert texts(humans, 0, 1)[1:] == [
        ["Lowest annotator, against the others", "0.50"],
        ["Highest annotator, against the others", "0.50"],
        ["Annotator 2, against the others", "0.50 (n = 4)"],
        ["Annotator 3, against the others", "0.50 (n = 4)"],
        ["Lowest annotator, own vote included", "–"],
        ["Highest annotator, own vote included", "–"],
        ["Annotator 2, own vote included", "–"],
        ["Annotator 3, own vote included", "–"],
    ]
    # Yes and no four times each, half of the pairs equal: kappa 0, alpha 1 - 7 * 4 / 32.
    assert texts(table(report, "table_3"), 3, 4)[2] == ["0.00", "0.12"]
    stages = table(report, "agreement_stages")
    assert texts(stages)[:2] == [
        ["Opinion", "all items", "4", "4", "0", "0.50", "0.50", "0.00", "0.00", "0.12", "–", "0.00"],
        ["Opinion", "with a majority", "2", "2", "2", *["–"] * 7],
    ]
    batches = table(report, "table_7_opinion")
    assert texts(batches) == [
        ["1", "all items", "0.000", "0.000", "0.000"],
        ["1", "with a majority", "–", "–", "–"],
        ["Total", "all items", "0.000", "0.000", "0.000"],
        ["Total", "with a majority", "–", "–", "–"],
    ]
    for shown in (humans, stages, batches):
        assert "circular: " in as_csv(shown)
        assert "circular: " in as_latex(shown)
        assert "& 1.0" not in as_latex(shown)


def test_it_counts_context_as_needed_or_not_after_the_vote(people: People) -> None:
    """Majority: two utterances. Who said five sentences found that context is needed too; who said sentence did not.

    All three differ at i2, so that it has no majority, though two of them needed context.
    """
    turn, five = "utterance", "minus_5_sentences"
    rows: dict[str, Row] = {
        "i1": [needs(turn, turn), needs(turn, turn), needs(five, "sentence")],
        "i2": [needs(turn, turn), needs(five, "minus_200_tokens"), needs("sentence", "sentence")],
        "i3": [needs(turn, turn), needs(turn, five), needs("sentence", turn)],
    }
    fill(people.project, people.annotators, rows)
    report = report_of(people)
    humans = table(report, "table_4")
    assert humans.columns[3].title == "Context for monetary policy (n = 2)"
    assert texts(humans, 0, 3)[-3:] == [
        ["Annotator 2, own vote included", "1.00 (n = 2)"],
        ["Annotator 3, own vote included", "1.00 (n = 2)"],
        ["Annotator 4, own vote included", "0.50 (n = 2)"],
    ]
    crossed = table(report, "cross_mp_context")
    assert texts(crossed) == [
        ["Sentence only", "1", "1", "0", "0", "2"],
        ["Whole turn", "0", "4", "1", "0", "5"],
        ["Five sentences before", "1", "0", "0", "1", "2"],
        ["200 words before", "0", "0", "0", "0", "0"],
    ]
    assert crossed.notes == ["1 of 9 answers (11.1%) declare more context than was opened."]
    drawn = figure(report, "figure_4_mp_context")
    assert [(bar.label, bar.values) for bar in drawn.bars][1:] == [
        ("3", {"utterance": pytest.approx(2 / 3), "minus_5_sentences": pytest.approx(1 / 3)}),
        ("4", {"minus_5_sentences": pytest.approx(1 / 3), "sentence": pytest.approx(2 / 3)}),
    ]
    assert "Annotator 4: Sentence only 66.7%, Whole turn 0.0%, Five sentences before 33.3%" in drawn.alternative


def test_it_places_items_in_tenths_of_their_document(people: People) -> None:
    """Twenty sentences: two a tenth. Yes are the last four."""
    fill(people.project, people.annotators, at("opinion", {f"i{n}": "YYY" if n >= 16 else "NNN" for n in range(20)}))
    fill(people.project, people.annotators, at("opinion", {f"short{n}": "YYY" for n in range(9)}), number=2)
    drawn = figure(report_of(people), "figure_3_opinion")
    assert [bar.values for bar in drawn.bars] == [{"yes": 0, "other": 2}] * 8 + [{"yes": 2, "other": 0}] * 2
    assert drawn.notes == ["Left out: 9 items of documents with fewer than ten sentences."]
    assert drawn.alternative.endswith("70–80% 0 of 2; 80–90% 2 of 2; 90–100% 2 of 2")


def test_it_counts_all_time_and_skips_nothing(people: People) -> None:
    """Two items of 90 s, one of them active for 30 s; the skipped one took time too."""
    rows: dict[str, Row] = {
        "i1": [Said({"opinion": "no"}, wall_ms=90_000, active_ms=30_000), None, None],
        "i2": [Said({}, "skipped", wall_ms=90_000, active_ms=90_000), None, None],
    }
    fill(people.project, people.annotators, rows)
    spent = table(report_of(people), "table_8")
    assert texts(spent) == [["1", "3.0", "2.0"], ["Total", "3.0", "2.0"], ["Seconds an item", "90", "60"]]


def test_it_prints_short_times_alike_in_the_table_and_in_words(people: People) -> None:
    rows: dict[str, Row] = {"i1": [Said({"opinion": "no"}, wall_ms=26_000, active_ms=6_500), None, None]}
    fill(people.project, people.annotators, rows)
    spent = table(report_of(people), "table_8")
    assert texts(spent)[-1] == ["Seconds an item", "26", "6.5"]
    assert spent.notes == [
        "All together 0.4 wall minutes for 1 answer: 26 seconds an item, 6.5 of them active.",
        "An answer, and each revision of it, counts for 24 hours at most: none was cut.",
    ]


def test_it_shows_chosen_examples_with_what_they_needed(people: People) -> None:
    rows: dict[str, Row] = {"i1": [needs("utterance", "utterance")] * 3, **at("opinion", {"i2": "NNN", "i3": "YNA"})}
    fill(people.project, people.annotators, rows)
    report = report_of(people, "i3", "i1", "i2")
    assert texts(table(report, "table_1"), 0, 2, 3, 4) == [
        ["i3", "no majority", "*", "*"],
        ["i1", "Yes", "Yes", "Whole turn"],
        ["i2", "No", "*", "*"],
    ]
    assert texts(table(report, "table_9"), 0, 2, 3) == [
        ["i3", "n/a", ""],
        ["i1", "Whole turn", "Text of i1."],
        ["i2", "n/a", ""],
    ]
    assert report.candidates == []
    assert {shown.id for shown in report_of(people).candidates} == {"i1", "i2"}


def test_its_agreement_is_what_a_hand_gives(people: People) -> None:
    """Over all five items: 15 answers, 6 yes, 6 no, 3 ambiguous, agreement 1, 1, 1/3, 0, 1/3. Fleiss:
    (8/15 - 81/225) / (1 - 81/225) = 13/48. Alpha: 1 - 14 (2 + 3 + 2) / (225 - 81) = 23/72. AC1: chance is 8/25.

    Over i1, i2, i3, i5, which have a majority: 12 answers, 5 yes, 5 no, 2 ambiguous, and agreement 1, 1, 1/3, 1/3.

    Fleiss: (2/3 - 54/144) / (1 - 54/144) = 7/15. Alpha: 1 - 11 (2 + 2) / (144 - 54) = 23/45. AC1: chance is
    (1 - 54/144) / 2 = 5/16, so that (2/3 - 5/16) / (11/16) = 17/33. Fleiss without i1, i2, i3, i5: 1/4, 1/4, 11/20,
    17/26, mean 0.42596, squares 0.12924; se^2 = 3/4 of it; 3.18245 se = 0.99082 around 7/15, cut at 1.
    2 and 3 agree everywhere. 2 and 4 on two of four: Fleiss (1/2 - 26/64) / (38/64) = 3/19, Cohen
    (1/2 - 5/16) / (11/16) = 3/11.
    """
    round_of(people, fill(people.project, people.annotators, at("opinion", WORKED)), "random")
    report = report_of(people)
    labels = table(report, "table_3")
    yes = labels.rows[2]
    assert texts(labels, 1, 2)[:6] == [
        ["documents", "1"],
        ["items", "5"],
        ["Yes", "2"],
        ["No", "1"],
        ["Can’t tell", "1"],
        ["no majority", "1"],
    ]
    assert [cell.value for cell in yes[3:]] == [
        pytest.approx(13 / 48),
        pytest.approx(23 / 72),
        None,
        pytest.approx(16 / 51),
    ]
    first, second = table(report, "agreement_stages").rows[:2]
    assert [cell.value for cell in first[7:]] == pytest.approx([13 / 48, 13 / 48, 23 / 72, None, 16 / 51])
    assert [cell.value for cell in second[7:]] == pytest.approx([7 / 15, 7 / 15, 23 / 45, None, 17 / 33])
    assert second[7].interval is not None
    assert (second[7].interval.low, second[7].interval.high) == (pytest.approx(7 / 15 - 0.99082, abs=1e-5), 1)
    agreement = table(report, "table_7_opinion")
    assert texts(agreement, 0, 1) == [
        [batch, items] for batch in ("1 (random)", "Total") for items in ("all items", "with a majority")
    ]
    # Over all: 2 and 3 agree on four of five, 2 and 4 and 3 and 4 on two.
    over_all = [13 / 48, 0.42 / 0.62, 0.44 / 0.64, 0.04 / 0.64, 0.12 / 0.72, 0.02 / 0.62, 0.04 / 0.64]
    for place in (0, 2):
        assert [cell.value for cell in agreement.rows[place][2:]] == pytest.approx(over_all)
        with_majority = ["0.467", "1.000", "1.000", "0.158", "0.273", "0.158", "0.273"]
        assert texts(agreement)[place + 1][2:] == with_majority
    assert agreement.rows[1][2].bracketed == "[−0.524, 1.000]"


def test_it_compares_the_six_who_share_the_most(people: People) -> None:
    """Of eight: 8 and 9 share five items, 3 to 7 the two that all but 2 answered. Of equals the lower numbers."""
    more = [User.objects.create_user(f"more-{n}") for n in range(5)]
    joined = [member_add(project=people.project, user=user, role=Role.ANNOTATOR) for user in more]
    everyone = [*people.annotators, *joined]
    assert [person.number for person in everyone] == [2, 3, 4, 5, 6, 7, 8, 9]
    fill(people.project, everyone, at("opinion", {"i1": "YYYNYYYY", "i2": "-NNNNNYN"}))
    fill(people.project, everyone[-2:], at("opinion", {"i3": "YY", "i4": "NN", "i5": "YY"}), number=2)
    shown = table(report_of(people), "table_7_opinion")
    pairs = [column.title for column in shown.columns if " and " in column.title]
    assert pairs == [f"{a} and {b}" for a, b in combinations([3, 4, 5, 6, 8, 9], 2)]
    assert shown.notes[0].startswith("Pairs among annotators 3, 4, 5, 6, 8, 9, who share the most items")
    chosen = project_report(project=people.project, annotators=[7, 2])
    titles = [column.title for column in table(chosen, "table_7_opinion").columns]
    assert titles == ["Batch", "Items", "All", "2 and 7", "C 2, 7"]
    with pytest.raises(Invalid, match="up to 6"):
        project_report(project=people.project, annotators=range(2, 10))


def test_it_refuses_examples_that_nobody_was_given(people: People) -> None:
    fill(people.project, people.annotators, at("opinion", WORKED))
    with pytest.raises(Invalid, match="'nowhere'"):
        report_of(people, "i1", "nowhere")


def test_it_lists_what_was_used(people: People) -> None:
    row = round_of(people, fill(people.project, people.annotators, at("opinion", WORKED)))
    model = {"name": "bow-logreg", "model_revision": "r1", "pretrained_weights_sha256": "ab" * 32}
    Round.objects.filter(pk=row.pk).update(
        record={"machine": {"model": model, "versions": {"numpy": "2.0", "torch": None}}}
    )
    splitter = {"name": "blank", "version": "3.8.7", "spacy": "3.8.7"}
    definition = people.project.codebooks.get().definition
    Import.objects.update(report={"sha256": "cd" * 32, "items": 5, "splitter": splitter})
    assert texts(table(report_of(people), "table_6")) == [
        ["corpus", "test", "jsonl", "cdcdcdcdcdcd", "5 items"],
        ["splitter", "blank", "3.8.7", "", "sentences, with spaCy 3.8.7"],
        ["codebook", "Stance on monetary policy, five stages", "1", definition_hash(definition)[:12], "labels"],
        ["model", "Bag-of-words logistic regression", "r1", "abababababab", "round 1"],
        ["library", "numpy", "2.0", "", "round 1"],
    ]


def no_codebook(people: People) -> None:
    people.project.codebooks.all().delete()


def spans_only(people: People) -> None:
    people.project.codebooks.all().delete()
    publish(people.project, span_codebook())


def no_answers(people: People) -> None:
    batch = fill(people.project, people.annotators, {"i1": [Said(state="open")] * 3})
    round_of(people, batch, "random")


def one_of_three(people: People) -> None:
    fill(people.project, people.annotators, at("opinion", {"i1": "Y--"}), slots=3)


@pytest.mark.parametrize(
    ("prepare", "says"),
    [
        (no_codebook, "No codebook is published yet"),
        (spans_only, "The codebook has no stages, only spans"),
        (lambda people: None, "No round has opened a batch yet"),
        (no_answers, "No item has a majority yet"),
        (one_of_three, "No item has a majority yet"),
    ],
)
def test_it_says_what_is_missing(people: People, prepare: Callable[[People], Any], says: str, tmp_path: Path) -> None:
    prepare(people)
    report = report_of(people)
    for key in ("table_2", "table_3", "table_4"):
        assert table(report, key).missing.startswith(says)
    assert all(figure.missing for section in report.sections for figure in section.figures)
    call_command("report", people.project.name, html=tmp_path / "report.html")
    assert says in (tmp_path / "report.html").read_text(encoding="utf-8")


def test_it_says_what_is_still_open(people: People) -> None:
    no_answers(people)
    assert report_of(people).notices == ["Round 1 is open: 0 of 3 assignments are done."]


def test_it_takes_the_same_queries_however_much_there_is(people: People) -> None:
    def queries(*examples: str) -> int:
        with CaptureQueriesContext(connection) as captured:
            report_of(people, *examples)
        asked = [query["sql"] for query in captured if "SAVEPOINT" not in query["sql"]]
        return len([sql for sql in asked if not sql.startswith("SET ")])

    def filled(number: int, kind: str = Batch.Kind.ROUND) -> None:
        rows = {f"{kind}{number}-{n}": [needs("utterance", "utterance")] * 3 for n in range(3)}
        batch = fill(people.project, people.annotators, rows, number=number, kind=kind)
        if kind == Batch.Kind.ROUND:
            round_of(people, batch)

    filled(1, Batch.Kind.PROTOTYPE)
    filled(1)
    few = queries("round1-0")
    for number in range(2, 6):
        filled(number)
    assert queries(*Item.objects.filter(external_id__startswith="round").values_list("external_id", flat=True)) == few
    assert few == 43


def test_the_command_refuses_what_it_cannot_write(people: People, tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="no project"):
        call_command("report", "Nothing of that name", html=tmp_path / "report.html")
    with pytest.raises(CommandError, match="does not exist"):
        call_command("report", people.project.name, html=tmp_path / "nowhere" / "report.html")
    with pytest.raises(CommandError, match="is a folder"):
        call_command("report", people.project.name, html=tmp_path)
    with pytest.raises(CommandError, match="'i1'"):
        call_command("report", people.project.name, html=tmp_path / "report.html", examples=["i1"])
    assert not list(tmp_path.iterdir())
