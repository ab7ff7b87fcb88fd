"""Turn checked spans into the columns of one statement."""

from collections.abc import Sequence
from typing import Any

from annotation_app.annotation.span_rules import SpanText
from annotation_app.models import SourceDocument


def span_columns(spans: Sequence[SpanText]) -> dict[str, list[Any]]:
    """Return one list a column, in text order. A span's `place` is its index in the lists."""
    named = {span.source for span in spans if span.source}
    ids = dict(SourceDocument.objects.filter(uuid__in=named).values_list("uuid", "pk")) if named else {}
    return {
        "starts": [span.start for span in spans],
        "ends": [span.end for span in spans],
        "quotes": [span.quote for span in spans],
        "categories": [span.category for span in spans],
        "comments": [span.comment for span in spans],
        "sources": [ids[span.source] if span.source else None for span in spans],
    }
