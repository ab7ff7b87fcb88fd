"""Read a CoNLL file: a token a line with its tag in the last column, and an empty line after each sentence.

The text is the tokens with a blank between them. Tags are IOB1, IOB2 or IOBES. Columns in between are not kept. A line
`# id = x` or `# sent_id = x` names the sentence; without one, ids are made from the file's name and a number. Other
comments, which are a # and a blank before words that end in no tag, are not kept.
"""

import re
from collections.abc import Iterator
from typing import Any

from annotation_app.ingest.lines import check_decoded, numbered_lines
from annotation_app.ingest.readers.foreign import Marked, begin, marked_row
from annotation_app.ingest.rows import BadLine, Fault, ImportRow
from annotation_app.ingest.source import Source

NAMED = re.compile(r"#\s+(?:sent_)?id\s*=\s*(\S.*)")
DOCUMENT = "-DOCSTART-"
TAG = re.compile(r"([BIESLU])-(.+)")
NO_TAG = ("O", "_")


class Sentence:
    """Collect the tokens of one sentence, and the spans that their tags open, go on with and close."""

    def __init__(self, line: int) -> None:
        self.line = line
        self.id: str | None = None
        self.tokens: list[str] = []
        self.length = 0
        self.spans: list[dict[str, Any]] = []
        self.is_open = False

    def add(self, token: str, tag: str) -> None:
        """Add a token. Raises Fault for a tag of another scheme."""
        start = self.length + (1 if self.tokens else 0)
        self.tokens.append(token)
        self.length = start + len(token)
        if tag in NO_TAG:
            self.is_open = False
            return
        found = TAG.fullmatch(tag)
        if found is None:
            raise Fault("tag", f"{tag[:60]!r} is no tag: write O, or B-, I-, E- or S- and the label.")
        prefix, label = found[1], found[2]
        goes_on = self.is_open and prefix in "IEL" and self.spans[-1]["category"] == label
        if goes_on:
            self.spans[-1]["end"] = self.length
        else:
            self.spans.append({"start": start, "end": self.length, "category": label})
        self.is_open = prefix in "BI"


def read_conll(source: Source) -> Iterator[ImportRow | BadLine]:
    begin(source)
    sentence: Sentence | None = None
    bad: BadLine | None = None
    number = 0
    for line in numbered_lines(source.text(), source.name):
        if isinstance(line, BadLine):
            bad = bad or line
            continue
        if line.text.strip() and sentence is None:
            sentence = Sentence(line.number)
        if not line.text.strip():
            if bad or (sentence is not None and sentence.tokens):
                number += 1
                yield bad or row_of_sentence(sentence, source, number)  # type: ignore[arg-type]
            sentence, bad = None, None
            continue
        try:
            take(sentence, line.text, source)  # type: ignore[arg-type]
        except Fault as fault:
            bad = bad or fault.at(source.name, line.number)
    if bad or (sentence is not None and sentence.tokens):
        yield bad or row_of_sentence(sentence, source, number + 1)  # type: ignore[arg-type]


def take(sentence: Sentence, text: str, source: Source) -> None:
    """Add a line that is not empty to the sentence. Raises Fault."""
    check_decoded(text, source.encoding_name)
    if "\x00" in text:
        raise Fault(None, "Holds a NUL byte: take it out.")
    stripped = text.strip()
    if not sentence.tokens and is_comment(stripped):
        if named := NAMED.fullmatch(stripped):
            sentence.id = named[1].strip()
        return
    columns = columns_of(stripped)
    if columns[0] == DOCUMENT:
        return
    if len(columns) < 2:
        raise Fault("tag", "The line has one column: a token needs its tag beside it.")
    sentence.add(columns[0].strip(), columns[-1].strip())


def is_comment(line: str) -> bool:
    """Tell a comment from a token `#` with its tag: that one has no `=`, and ends in a tag."""
    if line == "#":
        return True
    if "\t" in line or not line.startswith("# "):
        return False
    return "=" in line or not ends_in_tag(line)


def columns_of(line: str) -> list[str]:
    return line.split("\t") if "\t" in line else line.split()


def ends_in_tag(line: str, *, with_label: bool = False) -> bool:
    """Tell whether a line is a token, and its last column a tag."""
    columns = columns_of(line)
    last = columns[-1].strip()
    return len(columns) > 1 and (bool(TAG.fullmatch(last)) or (last in NO_TAG and not with_label))


def row_of_sentence(sentence: Sentence, source: Source, number: int) -> ImportRow | BadLine:
    own = sentence.id or f"{source.stem}-{number}"
    return marked_row(Marked(own, " ".join(sentence.tokens), sentence.spans, {}), source, sentence.line, number)
