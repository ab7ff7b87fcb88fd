"""What the data say to each question, in exact words, of projects that can be counted by hand."""

from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation_app.models import Batch, Item, Membership, Role
from annotation_app.releases.datasheet import asked, datasheet_read
from annotation_app.releases.datasheet_facts.answers import COMPUTED
from tests.aggregation.decided import decide, second_look
from tests.agreement.tables import Said, at, fill
from tests.conftest import People
from tests.dashboards.paper import fill_paper
from tests.export import span_rows
from tests.export.layers import at as span_at
from tests.factories import make_items, make_member, publish
from tests.releases.worked import FIRST, WHOLE, worked_project
from tests.rounds.measured import round_of
from tests.spans import span_layer

# Questions of Gebru et al. (2021) by section; those from the draft of 2018 and the card's own come on top.
IN_THE_PAPER = {
    "motivation": 4,
    "composition": 16,
    "collection": 12,
    "preprocessing": 4,
    "uses": 6,
    "distribution": 7,
    "maintenance": 8,
}
FROM_THE_DRAFT = ("serves_purpose", "first_experiments")
DEMO_CODEBOOK = "Stance on monetary policy, five stages"


def computed(people: People) -> dict[str, str]:
    return {question.key: question.computed or "" for question in datasheet_read(project=people.project).questions}


def test_it_asks_every_question_of_the_paper() -> None:
    questions = {section["key"]: section["questions"] for section in asked()["sections"]}
    counted = {key: sum(each["key"] not in FROM_THE_DRAFT for each in questions[key]) for key in IN_THE_PAPER}
    assert counted == IN_THE_PAPER
    every = [each for section in questions.values() for each in section]
    assert len({each["key"] for each in every}) == len(every)
    assert set(COMPUTED) <= {each["key"] for each in every}
    assert all(each["text"].endswith("?") and each["help"].endswith(".") for each in every)


def test_it_counts_a_small_project(people: People) -> None:
    worked_project(people)
    said = computed(people)
    assert said["units"] == "One record is one sentence, cut out of an utterance or text. Each has 11 characters."
    assert said["counts"].splitlines() == [
        "- **8 sentences** from 2 documents, in 2 rounds (5 in round 1 and 3 in round 2). Each is one record of "
        "`data/aggregated.jsonl`.",
        "- 5 of them have a label at the first stage, Opinion.",
        "- **21 answers** by 3 annotators, 20 submitted and 1 skipped. Each is one record of `data/annotations.jsonl`.",
        "- Round 2 is open: 6 of 9 assignments are done.",
    ]
    assert said["missing"].splitlines() == [
        "- **Opinion**: 3 of 8 items without a label (2 tied and 1 waiting for answers).",
        "- **Monetary policy**: 2 of 3 items without a label (2 without a majority). "
        "The labels before it leave it unasked for 5 items.",
        "- **Context for monetary policy**: the one item that came to it has a label. "
        "The labels before it leave it unasked for 7 items.",
        "- **Stance**: the one item that came to it has a label. The labels before it leave it unasked for 7 items.",
        "- **Context for stance**: the one item that came to it has a label. "
        "The labels before it leave it unasked for 7 items.",
        "- 1 answer is a skip. Reasons given: “unclear” (1).",
        "- Round 2 is open: 6 of 9 assignments are done.",
    ]
    # Krippendorff's alpha: 20 answers, 10 yes, 7 no, 3 ambiguous; 1 - 19 * (2 + 3 + 2 + 2) / (400 - 158) = 71/242.
    assert said["errors"].splitlines()[:2] == [
        "- 2 of 8 items have a text that another item has too. All are kept.",
        "- 2 lines of what was imported were left out, unreadable or with an id that was there before.",
    ]
    assert said["errors"].splitlines()[2].startswith("- Annotators disagree; Krippendorff's α by stage: Opinion 0.29 (")


def test_it_tells_what_the_labels_are(people: People) -> None:
    worked_project(people)
    labels = computed(people)["labels"].splitlines()
    assert labels[0] == (
        "- **Opinion** (`opinion`, asked of every item): Does the speaker give an opinion here? "
        "Items: Yes 3, No 1, Can’t tell 1; without a label 3."
    )
    assert labels[3].startswith("- **Stance** (`stance_nli`, asked where Opinion is Yes and Monetary policy is Yes): ")
    assert labels[4].startswith(
        "- **Context for stance** (`stance_nli_context`, asked where Stance has a label, labels in "
    )
    assert labels[6].startswith(
        "Each item was given to 3 annotators. Its label at a stage is the one that more than half"
    )
    assert labels[6].endswith("No label was adjudicated.")
    assert labels[8] == "The rounds used version 1 of the codebook."


def test_it_tells_how_items_were_chosen(people: People) -> None:
    worked_project(people)
    said = computed(people)
    assert said["sample"] == (
        "A sample: annotators were given 8 of the 9 sentences of the pool (88.9%). The pool is what was imported: "
        "3 documents. Whether that is all there is of its kind, the data cannot say.\n\n"
        "Round 2 was chosen by a strategy, so that shares of labels over all rounds are not those of the pool. Round 1 "
        "was drawn uniformly before any choice, and estimates those of the pool."
    )
    assert said["sampling"].splitlines()[2:5] == [
        "- Round 1: 5 items, drawn uniformly at random; seed 7.",
        "- Round 2: 3 items, chosen by Maximum entropy (`entropy`), with Bag-of-words logistic regression trained on "
        "majority labels of `opinion`, 10.0% of them drawn uniformly instead; seed 7.",
        "- Beside the rounds, a prototype batch of 1 item was drawn uniformly at random (seed 3). It shows how common "
        "each label is; it is in no training set and not in the release.",
    ]
    assert said["splits"] == "There are no official splits. The field `round` says in which round an item was chosen."


def test_it_tells_who_worked_and_when(people: People) -> None:
    """Annotator 2: five times 2 s, 60 s and 2 s are 72 s. The first answers are of the next day in Oslo."""
    worked_project(people)
    said = computed(people)
    assert said["workers"].splitlines() == [
        "3 annotators labelled:",
        "",
        "- Annotator 2: 7 answers, in 1.2 minutes (0.7 of them active).",
        "- Annotator 3: 7 answers, 1 of them skipped, in 1.2 minutes (0.7 of them active).",
        "- Annotator 4: 7 answers, in 1.2 minutes (0.7 of them active).",
    ]
    assert said["timeframe"] == (
        "The labels were given from 1 April 2025 to 6 April 2025, on 2 days (Europe/Oslo).\n\n"
        "2 of 2 documents carry a date: 1993-07-07."
    )
    assert said["identifiable"].startswith("- 1 speaker is named, in 8 of 8 items.\n")
    assert "admin" not in said["acquisition"]


def test_it_tells_what_was_done_to_the_texts(people: People) -> None:
    worked_project(people)
    Item.objects.filter(external_id="p1").update(left_out="too_short")
    said = computed(people)
    assert said["preprocessing"].splitlines() == [
        "- Texts stand in the files exactly as they were imported, to the character.",
        "- Sentences were cut by spaCy's rule-based sentencizer (spaCy 3.8.7). Wrong cuts were not mended here.",
        "- Utterances with fewer than 4 or more than 500 words (white space) left the pool; they remain as context.",
        "- So the pool is without 1 sentence of texts that are too short and 0 of texts that are too long; it has 8.",
        "- Labels of several annotators were made into one by majority, stage by stage.",
    ]
    assert said["sample"].startswith("Annotators were given all 8 sentences of the pool.")
    assert said["raw"].endswith(f"A file of format jsonl, SHA-256 `{'cd' * 32}`")
    assert (
        "**How to label**" in said["mechanisms"] and f"the codebook {DEMO_CODEBOOK} (version 1)" in said["mechanisms"]
    )


def test_decisions_and_second_looks_are_told_apart_from_majorities(people: People) -> None:
    first = fill(people.project, people.annotators, at("opinion", FIRST))
    round_of(people, first, "random")
    judge = make_member(people.project, "dora", Role.ADJUDICATOR)
    alice, bob, _ = people.annotators
    i4, i5 = (Item.objects.get(external_id=name) for name in ("i4", "i5"))
    decide(judge, i4, {"opinion": "no"})
    second_look(first, {i5: {alice: {"opinion": "no"}, bob: {"opinion": "yes"}}})
    said = computed(people)
    assert "Items: Yes 2, No 2, Can’t tell 1." in said["labels"].splitlines()[0]
    assert (
        "1 label (1 item by an adjudicator) was decided afterwards, with the state `adjudicated`; agreement figures do "
        "not see this."
    ) in said["labels"]
    assert (
        "- In a second look, 2 annotators answered again 2 times about their own items on which labels differed: "
        "`phase` 2 in the raw file."
    ) in said["counts"]
    assert said["workers"].splitlines()[-2:] == [
        "- Second look: annotators 2 and 3, in 0.1 minutes together.",
        "- 1 person adjudicated 1 item.",
    ]
    assert "took a second look" in said["acquisition"]


def test_an_annotator_who_is_admin_too_is_named_as_less_blind(people: People) -> None:
    worked_project(people)
    Membership.objects.filter(pk=people.annotators[0].pk).update(role=Role.ADMIN)
    assert (
        "Annotator 2 is also admin or adjudicator of the project, who may see others' answers once they are in."
    ) in computed(people)["acquisition"]


def spans_project(people: People) -> None:
    """Two articles about one source; annotators 2 and 3 mark the first, of whom one is accepted."""
    codebook = span_rows.span_codebook(people.project)
    codebook_one = people.project.codebooks.exclude(pk=codebook.pk)
    codebook_one.delete()
    text = "The board raised rates. It rained."
    places = span_rows.open_articles(people.project, codebook, [text, "Nothing."], people.annotators[:2])
    span_rows.add_sources(places[0].item, {"press": "Rates were raised."})
    marks = [span_at(text, "The board raised rates.", "std_sentence"), span_at(text, "raised rates", "act", "Raised")]
    made = [span_rows.mark(places[0], member, marks) for member in people.annotators[:2]]
    span_rows.decide(places[0], people.admin, "accepted", annotation=made[0])


def test_it_tells_spans(people: People) -> None:
    spans_project(people)
    said = computed(people)
    assert said["counts"].splitlines() == [
        "- **2 items** from 1 document, in one round. Each is one record of `data/aggregated.jsonl`.",
        "- **2 answers** by 2 annotators, 2 submitted and 0 skipped. Each is one record of `data/annotations.jsonl`.",
        "- **4 spans** marked by the annotators: Std sentence 2, Act 2, Actor 0, Reference 0, Attribution 0, Motive 0, "
        "Evidence 0 and Scope 0.",
        "- Round 1 is open: 2 of 4 assignments are done.",
    ]
    assert "- **Act** (`act`, any number in each item, comment allowed): 2 spans." in said["labels"]
    assert said["missing"].splitlines() == [
        "- No item was skipped.",
        "- 1 of 2 items name no source document.",
        "- Spans of 1 of 2 items were validated (1 accepted, 0 edited and 0 rejected).",
        "- Round 1 is open: 2 of 4 assignments are done.",
    ]
    assert said["splits"].splitlines()[1].startswith("- Spans of Std sentence make targets;")
    assert said["sampling"].splitlines()[2] == "Round 1: 2 items, how they were chosen is not on record."
    assert "majority" not in said["labels"] + said["preprocessing"]


def mixed(people: People) -> None:
    definition = people.project.codebooks.get().definition | {"span_layer": span_layer()}
    fill(people.project, people.annotators, {"i1": [WHOLE] * 3}, codebook=publish(people.project, definition))


def test_a_codebook_of_both_tells_both(people: People) -> None:
    mixed(people)
    said = computed(people)
    assert (
        "- **Opinion** (`opinion`" in said["labels"]
        and "- **Act** (`act`, exactly 1 in each Sentence" in said["labels"]
    )
    assert "The rounds used version 2 of the codebook." in said["labels"]
    assert "answer its questions and mark spans" in said["mechanisms"]


def no_codebook(people: People) -> None:
    people.project.codebooks.all().delete()


def text_only(people: People) -> None:
    make_items(people.project, ["One sentence."])


def no_answers(people: People) -> None:
    round_of(people, fill(people.project, people.annotators, {"i1": [Said(state="open")] * 3}), "random")


@pytest.mark.parametrize(
    ("prepare", "key", "says"),
    [
        (no_codebook, "counts", "No text is imported yet."),
        (no_codebook, "labels", "No codebook is published yet, so that there are no labels."),
        (no_codebook, "mechanisms", "No codebook is published yet."),
        (no_codebook, "preprocessing", "Nothing is imported yet."),
        (
            text_only,
            "fields",
            "Nothing was given to annotators yet: no round has opened a batch. The pool holds 1 item.",
        ),
        (
            text_only,
            "workers",
            "Nothing was given to annotators yet: no round has opened a batch. The pool holds 1 item.",
        ),
        (no_answers, "workers", "No answer is given yet."),
        (no_answers, "timeframe", "No answer is given yet."),
    ],
)
def test_it_says_what_is_missing(people: People, prepare: Callable[[People], Any], key: str, says: str) -> None:
    prepare(people)
    assert computed(people)[key] == says


def test_it_takes_the_same_queries_however_much_there_is(people: People) -> None:
    def queries() -> int:
        with CaptureQueriesContext(connection) as captured:
            datasheet_read(project=people.project)
        return len([query for query in captured if "SAVEPOINT" not in query["sql"]])

    def filled(number: int, kind: str = Batch.Kind.ROUND) -> None:
        rows = {f"{kind}{number}-{n}": [WHOLE] * 3 for n in range(number)}
        batch = fill(people.project, people.annotators, rows, number=number, kind=kind)
        if kind == Batch.Kind.ROUND:
            round_of(people, batch)

    mixed(people)
    filled(1, Batch.Kind.PROTOTYPE)
    filled(2)
    few = queries()
    for number in range(3, 7):
        filled(number)
    assert queries() == few
    assert few == 67


def test_it_can_say_of_the_papers_project_what_its_authors_counted(people: People) -> None:
    """OP-FED B.2, B.3, Tables 3 and 8: 1,044 of 1,050 items labelled, batches of 150, 2,625 minutes."""
    fill_paper(people.project, people.annotators)
    said = computed(people)
    assert said["counts"].splitlines() == [
        "- **1,050 items** from 7 documents, in 7 rounds of 150. Each is one record of `data/aggregated.jsonl`.",
        "- 1,044 of them have a label at the first stage, Opinion.",
        "- **3,150 answers** by 3 annotators, 3,150 submitted and 0 skipped. Each is one record of "
        "`data/annotations.jsonl`.",
    ]
    assert [line.rsplit("? ", 1)[-1].rsplit("”? ", 1)[-1] for line in said["labels"].splitlines()[:5]] == [
        "Items: Yes 546, No 496, Can’t tell 2; without a label 6.",
        "Items: Yes 272, No 214, Can’t tell 1; without a label 59.",
        "Items: Sentence only 99, Whole turn 119, Five sentences before 20, 200 words before 4; without a label 30.",
        "Items: Supports it 47, Opposes it 94, Neither 18, Can’t tell 15; without a label 98.",
        "Items: Sentence only 24, Whole turn 111, Five sentences before 22, 200 words before 5; without a label 12.",
    ]
    assert said["missing"].startswith("- **Opinion**: 6 of 1,050 items without a label (6 tied).\n")
    assert said["workers"].splitlines()[2:] == [
        "- Annotator 2: 1,050 answers, in 815 minutes (652 of them active).",
        "- Annotator 3: 1,050 answers, in 875 minutes (700 of them active).",
        "- Annotator 4: 1,050 answers, in 935 minutes (748 of them active).",
    ]
    # The pool of this test has nothing but what was given out and the prototype's 200.
    assert said["sample"].startswith("A sample: annotators were given 1,050 of the 1,250 items of the pool (84.0%).")
