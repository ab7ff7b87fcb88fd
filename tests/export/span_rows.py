"""Span projects for exports: articles that carry source documents, marked by people, decided by a validator."""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any
from uuid import uuid4

from annotation_app.annotation.services import annotation_submit
from annotation_app.annotation.submission import Submission
from annotation_app.assignment.services import batch_open
from annotation_app.export.options import ExportOptions
from annotation_app.export.spans.linear_form import ExportedSpan
from annotation_app.export.stream import export_open
from annotation_app.models import (
    Annotation,
    Assignment,
    Batch,
    BatchItem,
    CodebookVersion,
    Import,
    Item,
    ItemSource,
    Membership,
    Project,
    SourceDocument,
    ValidatedSpan,
    Validation,
)
from tests.export.layers import MARKERS
from tests.factories import make_items, publish


def span_codebook(project: Project, *, target: str | None = "std_sentence") -> CodebookVersion:
    """The next version, of spans alone, with the paper's categories and nothing mandatory."""
    categories = [
        {"key": key, "name": marker.capitalize(), "marker": marker, "refers": key == "reference"}
        for key, marker in MARKERS.items()
    ]
    return publish(project, {"name": "Spans", "span_layer": {"target": target, "categories": categories}})


def open_articles(
    project: Project,
    codebook: CodebookVersion,
    texts: Sequence[str],
    annotators: Sequence[Membership],
    *,
    number: int = 1,
    document: str = "news",
) -> list[BatchItem]:
    """One round's batch of new items <document>_0_1, <document>_1_1, ... in this order; everyone marks all of them."""
    items = make_items(project, list(texts), document)
    batch = batch_open(
        project=project,
        codebook=codebook,
        items=[(item.pk, None) for item in items],
        annotators=annotators,
        annotators_per_item=len(annotators),
        kind=Batch.Kind.ROUND,
        number=number,
    )
    return list(batch.batch_items.order_by("rank"))


def add_sources(item: Item, sources: Mapping[str, str]) -> None:
    """{external id: text}, in this order; one that the project has already is carried by this item too."""
    imported = Import.objects.create(project=item.project, filename="test", format="jsonl", state=Import.State.DONE)
    for position, (name, text) in enumerate(sources.items()):
        source, _ = SourceDocument.objects.get_or_create(
            project=item.project,
            external_id=name,
            defaults={"source": imported, "title": f"Title of {name}", "text": text, "n_words": len(text.split())},
        )
        ItemSource.objects.create(item=item, source_document=source, position=position)


def mark(place: BatchItem, member: Membership, spans: Iterable[ExportedSpan], *, base: int = 0) -> Annotation:
    """Submits as the API does: checked by the span rules."""
    sources = dict(place.item.project.source_documents.values_list("external_id", "uuid"))
    sent = [
        {
            "start": span.start,
            "end": span.end,
            "quote": place.item.text[span.start : span.end],
            "category": span.category,
            "comment": span.comment,
            "source": str(sources[span.source]) if span.source else None,
        }
        for span in spans
    ]
    assignment = Assignment.objects.get(batch_item=place, annotator=member)
    body = Submission(uuid4(), base, {}, "sentence", 1500, 2000, spans=sent)
    return annotation_submit(membership=member, assignment_uuid=assignment.uuid, body=body).annotation


def decide(
    place: BatchItem,
    validator: Membership,
    decision: str,
    *,
    annotation: Annotation | None = None,
    spans: Sequence[ExportedSpan] = (),
) -> Validation:
    """The next revision of the validator's decision about an item."""
    made = Validation.objects.create(
        batch_item=place,
        revision=place.validations.count() + 1,
        client_id=uuid4(),
        body_hash="",
        validator=validator,
        decision=decision,
        annotation=annotation,
        reason="It says nothing." if decision == "rejected" else "",
    )
    sources = dict(place.item.project.source_documents.values_list("external_id", "pk"))
    ValidatedSpan.objects.bulk_create(
        ValidatedSpan(
            validation=made,
            place=number,
            start=span.start,
            end=span.end,
            quote=place.item.text[span.start : span.end],
            category=span.category,
            comment=span.comment or "",
            source_document_id=sources[span.source] if span.source else None,
        )
        for number, span in enumerate(spans)
    )
    return made


def exported(options: ExportOptions, kind: str) -> list[dict[str, Any]]:
    """The records of a whole export."""
    export = export_open(kind=kind, options=options)
    lines = [json.loads(each) for each in b"".join(export).decode().split("\n")[:-1]]
    assert len(lines) == export.total
    return lines
