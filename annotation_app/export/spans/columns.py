"""Turn spans into BIO columns, one a category since categories overlap, and count what is lost. Pure: no I/O."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from annotation_app.export.spans.linear_form import ExportedSpan
from annotation_app.export.spans.tokens import Token, covered, tokens_of


@dataclass
class Losses:
    """Count spans; `overlapping` and `empty` ones are left out, the others lose a part.

    `overlapping` spans share a token with another of their category. `empty` ones are whitespace alone. `rounded_out`
    have a bound within a token, `trimmed` whitespace at a bound. `comments` and `links` count spans that have one.
    """

    spans: int = 0
    counts: Counter[str] = field(default_factory=Counter)

    def add(self, other: "Losses") -> None:
        self.spans += other.spans
        self.counts += other.counts


@dataclass(frozen=True)
class Columns:
    """Hold the columns.

    `tags` is {category: one of B, I, O a token}; `left_out` are spans in no column, in text order.
    """

    tokens: list[Token]
    tags: dict[str, list[str]]
    left_out: list[ExportedSpan]
    losses: Losses


def columns_of(text: str, spans: Sequence[ExportedSpan], categories: Sequence[str]) -> Columns:
    """Return the columns.

    Of two spans that need one cell the earlier start is kept, of equal starts the longer span.
    """
    tokens = tokens_of(text)
    tags = {category: ["O"] * len(tokens) for category in categories}
    losses, left_out = Losses(spans=len(spans)), []
    for span in sorted(spans, key=lambda span: (span.start, -span.end)):
        first, last = covered(tokens, span.start, span.end)
        cells = tags[span.category]
        if first == last:
            losses.counts["empty"] += 1
            left_out.append(span)
        elif any(cell != "O" for cell in cells[first:last]):
            losses.counts["overlapping"] += 1
            left_out.append(span)
        else:
            cells[first:last] = ["B", *("I" * (last - first - 1))]
            losses.counts.update(changes(text, span, tokens[first].start, tokens[last - 1].end))
    return Columns(tokens, tags, left_out, losses)


def changes(text: str, span: ExportedSpan, start: int, end: int) -> Iterator[str]:
    """Count what is lost of a span that stands in the columns from text[start] to text[end]."""
    if start < span.start or span.end < end:
        yield "rounded_out"
    if text[span.start].isspace() or text[span.end - 1].isspace():
        yield "trimmed"
    if span.comment is not None:
        yield "comments"
    if span.source is not None:
        yield "links"
