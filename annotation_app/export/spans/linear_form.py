"""Write one person's spans of one item in the text form. Pure: no I/O."""

from collections.abc import Iterable
from dataclasses import dataclass

from al_worker.formats.text_form import Span, linearize
from annotation_app.codebook.spans import SpanLayer


@dataclass(frozen=True, slots=True)
class ExportedSpan:
    """Hold a span: text[start:end] in code points, a category's key, and a source document's external id."""

    start: int
    end: int
    category: str
    comment: str | None = None
    source: str | None = None


def linear_form(text: str, spans: Iterable[ExportedSpan], layer: SpanLayer, style: str = "spaces") -> str:
    """Return the text with markers, named by category; the target category holds the others.

    docs/develop/text_form.md describes the form. Links to source documents are left out.
    """
    outer = (layer.by_key[layer.target].marker,) if layer.target else ()
    named = [Span(span.start, span.end, layer.by_key[span.category].marker, span.comment) for span in spans]
    return linearize(text, named, style, outer)
