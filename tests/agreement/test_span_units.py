"""Which annotations enter agreement on spans."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation_app.agreement.span_selectors import SpanRow, span_agreement
from annotation_app.models import Assignment, Batch, Membership
from tests.agreement.span_tables import fill_spans, mark, marked, revise_spans, span_codebook, view
from tests.conftest import People
from tests.factories import make_member, make_project
from tests.floats import rounded

TEXT = "The board raised interest rates"
SAME = marked(TEXT, a=["act: rates"], b=["act: rates"])
OTHER = marked(TEXT, a=["act: rates"], b=["act: board"])

Team = dict[str, Membership]


@pytest.fixture
def team(people: People) -> Team:
    span_codebook(people.project)
    return dict(zip("abc", people.annotators, strict=True))


def rows(people: People) -> list[SpanRow]:
    return span_agreement(project=people.project).rows


def test_only_submitted_annotations_of_rounds_count(people: People, team: Team) -> None:
    fill_spans(people.project, team, [SAME])
    before = rows(people)
    for number, state in enumerate(("skipped", "withdrawn", "surplus"), start=2):
        fill_spans(people.project, team, [OTHER], number=number, state=state)
    fill_spans(people.project, team, [OTHER], kind=Batch.Kind.PROTOTYPE)
    fill_spans(people.project, team, [OTHER], kind=Batch.Kind.PRACTICE)
    elsewhere = make_project("Third")
    span_codebook(elsewhere)
    fill_spans(elsewhere, {name: make_member(elsewhere, f"{name}-there", "annotator") for name in "ab"}, [OTHER])
    judge = make_member(people.project, "judge", "adjudicator")
    fill_spans(people.project, {**team, "b": judge}, [OTHER], number=7)
    assert rounded(rows(people)) == rounded(before)


def test_only_the_current_revision_counts(people: People, team: Team) -> None:
    batch = fill_spans(people.project, team, [OTHER])
    theirs = Assignment.objects.get(batch_item__batch=batch, annotator=team["b"])
    revise_spans(batch, [(theirs, TEXT, [mark(TEXT, "act: rates")])], revision=2)
    assert view(people.project, "act", team["a"], team["b"]).figures["exact_f1"].value == 1


def test_who_has_left_still_counts(people: People, team: Team) -> None:
    fill_spans(people.project, team, [SAME])
    before = rows(people)
    Membership.objects.filter(pk=team["b"].pk).update(is_active=False)
    assert rounded(rows(people)) == rounded(before)


def test_named_batches_stand_in_for_the_rounds(people: People, team: Team) -> None:
    fill_spans(people.project, team, [OTHER])
    batch = fill_spans(people.project, team, [SAME], kind=Batch.Kind.PROTOTYPE)
    table = span_agreement(project=people.project, batches=[batch])
    assert {row.figures["exact_f1"].value for row in table.rows if row.category == "act"} == {1}


def test_rounds_stand_apart_and_together(people: People, team: Team) -> None:
    fill_spans(people.project, team, [SAME], number=1)
    fill_spans(people.project, team, [OTHER], number=2)
    pair = (team["a"], team["b"])
    found = {number: view(people.project, "act", *pair, round=number) for number in (None, 1, 2)}
    # 2 * 1 / 4 over both; 1 and 0 apart.
    assert {number: row.figures["exact_f1"].value for number, row in found.items()} == {None: 0.5, 1: 1, 2: 0}
    assert {number: row.sizes.alpha_length for number, row in found.items()} == {None: 62, 1: 31, 2: 31}


def test_rows_stand_in_the_codebooks_order(people: People, team: Team) -> None:
    span_codebook(people.project, ("motive", "act"))
    fill_spans(people.project, team, [SAME])
    table = span_agreement(project=people.project)
    assert [category.key for category in table.categories] == ["motive", "act", "actor"]
    assert list(dict.fromkeys(row.category for row in table.rows)) == ["motive", "act", "actor", None]
    assert [(row.round, row.pair) for row in table.rows if row.category == "act"] == [
        (None, None),
        (None, (2, 3)),
        (1, None),
        (1, (2, 3)),
    ]
    assert [member.number for member in table.annotators] == [2, 3]


def test_a_project_without_a_span_layer_has_nothing(people: People) -> None:
    table = span_agreement(project=people.project)
    assert (table.rows, table.categories, table.annotators) == ([], [], [])


def test_the_number_of_statements_does_not_grow(people: People, team: Team) -> None:
    fill_spans(people.project, team, [SAME])
    with CaptureQueriesContext(
        connection,
    ) as few:
        rows(people)
    fill_spans(people.project, team, [SAME, OTHER, marked(TEXT, a=[], b=["motive: The"], c=["act: The"])], number=2)
    with CaptureQueriesContext(connection) as many:
        rows(people)
    assert len(few) == len(many)
