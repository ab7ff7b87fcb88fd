"""Write kind `conll`: CoNLL-U Plus, a token a line and a column a category, after a head that names the losses.

Its records are lines of text.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import Any

from annotation_app.export.options import ExportOptions
from annotation_app.export.snapshot import Snapshot
from annotation_app.export.span_rows import MarkedItem, about, span_layers, span_rows
from annotation_app.export.spans.columns import Columns, Losses, columns_of
from annotation_app.export.writers.spans import sha256_of

FIXED = ("ID", "FORM", "QUORUM:START", "QUORUM:END")
LOST = {
    "overlapping": "left out: on a token that another span of the same category holds, which starts earlier or is "
    "longer (each is named before its text)",
    "empty": "left out: whitespace alone (each is named before its text)",
    "rounded_out": "rounded out to whole tokens: a bound within a token",
    "trimmed": "without the whitespace at their bounds",
    "comments": "without their comment",
    "links": "without their link to a source document",
}
# Line breaks to some readers, which JSON leaves as they are.
BREAKS = re.compile("[\x85\u2028\u2029]")


def read(snapshot: Snapshot, options: ExportOptions) -> tuple[int, Iterator[str]]:
    """Read the rows twice, because the head, which comes first, counts what is lost."""
    categories = marker_names(snapshot, options)
    losses, texts, lines = Losses(), 0, 0
    for marked in span_rows(snapshot, options):
        found = columns(marked)
        losses.add(found.losses)
        texts += 1
        lines += height(said_of(marked, options), found)
    first = head(categories, losses, texts)
    return len(first) + lines, chain(first, records(snapshot, options, list(categories)))


def records(snapshot: Snapshot, options: ExportOptions, categories: Sequence[str]) -> Iterator[str]:
    """Yield a block of lines for each person and item."""
    for marked in span_rows(snapshot, options):
        yield from block(said_of(marked, options), marked.row.text, columns(marked), categories)


def said_of(marked: MarkedItem, options: ExportOptions) -> dict[str, Any]:
    """Return what the head of a block says of its item."""
    said = about(marked, names=options.names) | {"text_sha256": sha256_of(marked.row.text)}
    del said["id"]
    return said


def columns(marked: MarkedItem) -> Columns:
    """Return the tokens of an item with a BIO tag for each category."""
    return columns_of(marked.row.text, marked.spans, marked.layer.keys)


def marker_names(snapshot: Snapshot, options: ExportOptions) -> dict[str, str]:
    """Return {key: marker} over all versions of the codebook, the newest one's first and in its words."""
    names: dict[str, str] = {}
    for _, layer in sorted(span_layers(snapshot, options).values(), key=lambda found: -found[0]):
        for category in layer.categories:
            names.setdefault(category.key, category.marker)
    return names


def head(categories: Mapping[str, str], losses: Losses, texts: int) -> list[str]:
    """Yield the head. `categories` is {key: marker name}; the first line is the format's own; losses are the file's."""
    columns = " ".join([*FIXED, *(column_name(marker) for marker in categories.values())])
    lost = [f"# - {losses.counts[kind]} {words}" for kind, words in LOST.items()]
    return [
        f"# global.columns = {columns}",
        "# A token a line, cut at Unicode word boundaries (UAX #29): a word, or one other sign. Offsets are code",
        "# points of the item's text, end exclusive. A column a category: B begins a span, I continues it, O is none.",
        f"# What these columns do not hold, of {losses.spans} spans in {texts} texts:",
        *lost,
        "# The export of kind spans holds all of it.",
        "",
    ]


def column_name(marker: str) -> str:
    """Return a column's name, without white space."""
    return "QUORUM:" + re.sub(r"\s+", "_", marker)


def block(said: Mapping[str, Any], text: str, found: Columns, categories: Sequence[str]) -> Iterator[str]:
    """Yield one block. `said` stands before the tokens, a JSON value a line; a category the codebook lacks is "_"."""
    for name, value in said.items():
        yield f"# {name} = {on_one_line(value)}"
    for span in found.left_out:
        dropped = {
            "category": span.category,
            "start": span.start,
            "end": span.end,
            "quote": text[span.start : span.end],
        }
        yield f"# dropped = {on_one_line(dropped)}"
    cells = [found.tags.get(category, ["_"] * len(found.tokens)) for category in categories]
    for number, (token, *tags) in enumerate(zip(found.tokens, *cells, strict=True), start=1):
        form = text[token.start : token.end]
        yield "\t".join([str(number), form, str(token.start), str(token.end), *tags])
    yield ""


def height(said: Mapping[str, Any], found: Columns) -> int:
    """Count the lines that `block` yields."""
    return len(said) + len(found.left_out) + len(found.tokens) + 1


def on_one_line(value: Any) -> str:
    """Return JSON without any line break, also those that JSON allows within texts."""
    written = json.dumps(value, ensure_ascii=False)
    return BREAKS.sub(lambda sign: f"\\u{ord(sign[0]):04x}", written)
