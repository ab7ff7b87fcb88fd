"""Write columns as CoNLL-U Plus: a head that names the losses, then a block an item and person. Pure: no I/O."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from annotation_app.export.spans.columns import Columns, Losses

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
    return "QUORUM:" + re.sub(r"\s+", "_", marker)


def block(about: Mapping[str, Any], text: str, columns: Columns, categories: Sequence[str]) -> Iterator[str]:
    """Yield one block. `about` stands before the tokens, a JSON value a line; a category the codebook lacks is "_"."""
    for name, value in about.items():
        yield f"# {name} = {on_one_line(value)}"
    for span in columns.left_out:
        dropped = {
            "category": span.category,
            "start": span.start,
            "end": span.end,
            "quote": text[span.start : span.end],
        }
        yield f"# dropped = {on_one_line(dropped)}"
    cells = [columns.tags.get(category, ["_"] * len(columns.tokens)) for category in categories]
    for number, (token, *tags) in enumerate(zip(columns.tokens, *cells, strict=True), start=1):
        form = text[token.start : token.end]
        yield "\t".join([str(number), form, str(token.start), str(token.end), *tags])
    yield ""


def height(about: Mapping[str, Any], columns: Columns) -> int:
    """Count the lines that `block` yields."""
    return len(about) + len(columns.left_out) + len(columns.tokens) + 1


def on_one_line(value: Any) -> str:
    written = json.dumps(value, ensure_ascii=False)
    return BREAKS.sub(lambda sign: f"\\u{ord(sign[0]):04x}", written)
