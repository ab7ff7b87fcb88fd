"""One person's spans of one item, and the text form of them: pure."""

from collections.abc import Iterable
from dataclasses import dataclass

from al_worker.formats.text_form import Span, linearize
from annotation_app.codebook.spans import SpanLayer


@dataclass(frozen=True, slots=True)
class MarkedSpan:
    """text[start:end] in code points. `category` is a key of the layer, `source` a source document's external id."""

    start: int
    end: int
    category: str
    comment: str | None = None
    source: str | None = None


def linear_form(text: str, spans: Iterable[MarkedSpan], layer: SpanLayer, style: str = "spaces") -> str:
    """Markers carry the categories' marker names; the target category holds the others (docs/develop/text_form.md).

    Links to source documents have no place in it.
    """
    outer = (layer.by_key[layer.target].marker,) if layer.target else ()
    named = [Span(span.start, span.end, layer.by_key[span.category].marker, span.comment) for span in spans]
    return linearize(text, named, style, outer)
