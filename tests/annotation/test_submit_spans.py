"""Spans through a submit: stored with the revision, given back, replayed, and refused whole."""

import pytest
from django.db import IntegrityError, connection

from annotation_app.annotation.selectors import content_of
from annotation_app.annotation.services import annotation_submit
from annotation_app.assignment.services import next_window
from annotation_app.models import Annotation, Assignment, Event, Item, Span
from annotation_app.refusals import Invalid
from tests.assignment.batches import open_batch
from tests.conftest import People
from tests.factories import publish
from tests.refusals import refusal
from tests.spans import add_source, loose_codebook, span, span_codebook, span_submission


@pytest.fixture
def row(people: People) -> Assignment:
    open_batch(people.project, people.annotators, codebook=publish(people.project, loose_codebook()))
    return next_window(membership=people.annotators[0], ahead=1).assignments[0]


def item_of(row: Assignment) -> Item:
    return Item.objects.get(batch_items__assignments=row)


def test_it_stores_spans_in_text_order_with_the_revision(row: Assignment) -> None:
    text = item_of(row).text
    first, last = text.split()[0], text.split()[-1]
    sent = [span(text, last, "b", " why?\r\n"), span(text, text, "a"), span(text, first, "c", "")]
    submitted = annotation_submit(membership=row.annotator, assignment_uuid=row.uuid, body=span_submission(sent))
    stored = list(Span.objects.order_by("place").values_list("place", "start", "end", "quote", "category", "comment"))
    assert stored == [
        (0, 0, len(first), first, "c", ""),
        (1, 0, len(text), text, "a", ""),
        (2, len(text) - len(last), len(text), last, "b", " why?\r\n"),
    ]
    assert list(content_of(submitted.annotation).spans) == list(submitted.content.spans)
    assert [one.category for one in submitted.content.spans] == ["c", "a", "b"]


def test_a_retry_gets_its_spans_back_and_other_spans_are_another_body(row: Assignment) -> None:
    text = item_of(row).text
    body = span_submission([span(text, text.split()[0], "a", "x")])
    first = annotation_submit(membership=row.annotator, assignment_uuid=row.uuid, body=body)
    again = annotation_submit(membership=row.annotator, assignment_uuid=row.uuid, body=body)
    assert (again.created, again.annotation.pk) == (False, first.annotation.pk)
    assert list(again.content.spans) == list(first.content.spans)
    assert Span.objects.count() == 1
    other = span_submission([])
    object.__setattr__(other, "client_id", body.client_id)
    with refusal("client_id_reused"):
        annotation_submit(membership=row.annotator, assignment_uuid=row.uuid, body=other)


def test_a_revision_has_spans_of_its_own_and_the_earlier_ones_stay(row: Assignment) -> None:
    text = item_of(row).text
    word = text.split()[0]
    annotation_submit(membership=row.annotator, assignment_uuid=row.uuid, body=span_submission([span(text, word, "a")]))
    second = annotation_submit(
        membership=row.annotator, assignment_uuid=row.uuid, body=span_submission([span(text, word, "b")], 1)
    )
    assert list(Span.objects.order_by("pk").values_list("annotation__revision", "category")) == [(1, "a"), (2, "b")]
    row.refresh_from_db()
    assert (row.current, [one.category for one in content_of(second.annotation).spans]) == (second.annotation, ["b"])


def test_nothing_is_half_saved(row: Assignment) -> None:
    text = item_of(row).text
    sent = [span(text, text.split()[0], "a"), span(text, text.split()[1], "zzz") | {"quote": "?"}]
    before = Event.objects.count()
    with pytest.raises(Invalid) as invalid:
        annotation_submit(membership=row.annotator, assignment_uuid=row.uuid, body=span_submission(sent))
    assert set(invalid.value.errors) == {"spans[1].quote", "spans[1].category"}
    assert (Annotation.objects.count(), Span.objects.count(), Event.objects.count()) == (0, 0, before)


def test_a_skipped_item_has_no_spans_and_needs_none(people: People) -> None:
    open_batch(people.project, people.annotators, codebook=publish(people.project, span_codebook()))
    row = next_window(membership=people.annotators[0], ahead=1).assignments[0]
    text = item_of(row).text
    with pytest.raises(Invalid) as invalid:
        annotation_submit(
            membership=row.annotator,
            assignment_uuid=row.uuid,
            body=span_submission([span(text, text, "sentence")], skip_reason="torn page"),
        )
    assert set(invalid.value.errors) == {"spans"}
    body = span_submission([], skip_reason="torn page")
    annotation_submit(membership=row.annotator, assignment_uuid=row.uuid, body=body)
    row.refresh_from_db()
    assert row.state == "skipped"


def test_a_reference_is_stored_with_the_source_that_it_means(people: People) -> None:
    open_batch(people.project, people.annotators, codebook=publish(people.project, span_codebook()))
    row = next_window(membership=people.annotators[0], ahead=1).assignments[0]
    item = item_of(row)
    source = add_source(item)
    elsewhere = add_source(item.project.items.exclude(pk=item.pk).earliest("pk"), "speech", "Well.")
    words = item.text.split()

    def sent(meant: object) -> list[dict[str, object]]:
        return [
            span(item.text, item.text, "sentence"),
            span(item.text, words[0], "act", "Did it"),
            span(item.text, words[1], "reference", source=meant),
        ]

    with pytest.raises(Invalid) as invalid:
        annotation_submit(
            membership=row.annotator, assignment_uuid=row.uuid, body=span_submission(sent(elsewhere.uuid))
        )
    assert set(invalid.value.errors) == {"spans[2].source"}
    submitted = annotation_submit(
        membership=row.annotator, assignment_uuid=row.uuid, body=span_submission(sent(source.uuid))
    )
    assert Span.objects.get(category="reference").source_document == source
    assert [one.source for one in content_of(submitted.annotation).spans if one.category == "reference"] == [
        source.uuid
    ]


def test_the_database_refuses_an_empty_span(row: Assignment) -> None:
    annotation_submit(membership=row.annotator, assignment_uuid=row.uuid, body=span_submission([]))
    with pytest.raises(IntegrityError, match="span_is_not_empty"), connection.cursor() as cursor:
        cursor.execute(
            'INSERT INTO annotation_app_span (annotation_id, place, start, "end", quote, category, comment) '
            "SELECT id, 0, 3, 3, '', 'a', '' FROM annotation_app_annotation"
        )
