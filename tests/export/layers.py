"""The paper's span layer, in the words of a codebook, and spans written by their words instead of their offsets."""

from annotation_app.codebook.spans import SpanLayer
from annotation_app.export.spans.linear_form import ExportedSpan

MARKERS = {
    "std_sentence": "STD SENTENCE",
    "act": "ACT",
    "actor": "ACTOR",
    "reference": "REFERENCE",
    "attribution": "ATTRIBUTION",
    "motive": "MOTIVE",
    "evidence": "EVIDENCE",
    "scope": "SCOPE",
}


def layer(target: str | None = "std_sentence", refers: str | None = "reference") -> SpanLayer:
    categories = [
        {"key": key, "name": marker.title(), "marker": marker, "color": "blue", "refers": key == refers}
        for key, marker in MARKERS.items()
    ]
    return SpanLayer.model_validate({"target": target, "categories": categories})


def at(text: str, words: str, category: str, comment: str | None = None, source: str | None = None) -> ExportedSpan:
    """The span of the only place where `words` stand in `text`."""
    assert text.count(words) == 1
    start = text.index(words)
    return ExportedSpan(start, start + len(words), category, comment, source)
