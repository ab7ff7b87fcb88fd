"""Read texts of a set from files: JSON, a table, or plain texts. Every fault is named with its file and line."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from al_worker.formats.plurals import several
from annotation_app.ingest.damage import UNFORESEEN
from annotation_app.ingest.delimited import Lines, Malformed, table_of
from annotation_app.ingest.faults import BadLineList
from annotation_app.ingest.file_kinds import foreign
from annotation_app.ingest.formats import START, beginning
from annotation_app.ingest.lines import check_decoded
from annotation_app.ingest.mapping import plain_name
from annotation_app.ingest.options import BLANK
from annotation_app.ingest.readers.json_array import array_objects
from annotation_app.ingest.readers.jsonl import Given, line_objects
from annotation_app.ingest.rows import (
    BadLine,
    Fault,
    Unreadable,
    check_characters,
    kind,
    required_id,
    required_text,
    within,
)
from annotation_app.ingest.source import ZIP_MAGIC, Source
from annotation_app.ingest.splitter import Splitter
from annotation_app.refusals import Invalid

AUTO, JSONL, CSV, TXT = "auto", "jsonl", "csv", "txt"
FORMATS = (AUTO, JSONL, CSV, TXT)
ID_LENGTH = 200
COLUMNS = ("text_id", "sentence_id", "sentence", "text")
FORM = '{"id", "text"} or {"id", "sentences": [{"id", "text"}]}'
EMPTY = "Empty: there is nothing in it to link."


@dataclass
class SentText:
    """Hold a text as it was read, with the place where it stands. Without `whole` it is cut into `sentences` already.

    The id of a sentence is None where it is to be made.
    """

    file: str
    line: int
    id: str
    whole: str | None = None
    sentences: list[tuple[int, str | None, str]] = field(default_factory=list)


@dataclass(frozen=True)
class ReadText:
    """Hold a checked text with the ids and texts of its sentences."""

    id: str
    sentences: Sequence[tuple[str, str]]


def texts_read(
    sources: Sequence[Source], asked: str, *, texts: Iterable[str] = (), sentences: Iterable[str] = ()
) -> list[ReadText]:
    """Return the texts of the files. `texts` and `sentences` are the ids that the set has already.

    Raises Invalid with all faults, of which the first hundred are listed.
    """
    faults = BadLineList()
    sent: list[SentText] = []
    for source in sources:
        try:
            for each in read_source(source, asked):
                if isinstance(each, BadLine):
                    faults.add(each)
                else:
                    sent.append(each)
        except Unreadable as error:
            faults.add(error.bad)
    read = list(checked_texts(sent, faults, frozenset(texts), frozenset(sentences)))
    if faults.count:
        raise Invalid({"files": fault_lines(faults)}, f"The texts were not imported: {several(faults.count, 'fault')}.")
    return read


def fault_lines(faults: BadLineList) -> list[str]:
    lines = [fault_line(**fault) for fault in faults.as_dicts()]
    left = faults.count - len(lines)
    return [*lines, *([f"There are {left:,} more faults."] if left else [])]


def fault_line(*, line: int | None, file: str, field: str | None, message: str) -> str:
    place = ", ".join(filter(None, (file, f"line {line:,}" if line else "", field or "")))
    return f"{place}: {message}"


def read_source(source: Source, asked: str) -> Iterator[SentText | BadLine]:
    """Yield the texts of one file, and its bad lines. Raises Unreadable where it can't be read on."""
    reader = READERS[format_of(source) if asked == AUTO else asked]
    try:
        yield from reader(source)
    except UNFORESEEN as error:
        raise Unreadable(source.fault(f"The file cannot be read: {type(error).__name__}, {error}.")) from error


def format_of(source: Source) -> str:
    """Return the format by the file's name and its first characters. Raises Unreadable for a file of another kind."""
    start = source.start(START)
    if start.startswith(ZIP_MAGIC):
        raise Unreadable(source.fault("This is a zip archive: unpack it, then choose the files in it."))
    if message := foreign(start):
        raise Unreadable(source.fault(message))
    if source.name.lower().endswith(".txt"):
        return TXT
    text = beginning(start)
    if not text:
        raise Unreadable(source.fault(EMPTY))
    return JSONL if text[0] in "{[" else CSV


def read_json(source: Source) -> Iterator[SentText | BadLine]:
    """Yield the texts of JSON objects, which stand one a line, or in an array."""
    is_array = beginning(source.start(START)).startswith("[")
    for given in array_objects(source) if is_array else line_objects(source):
        if isinstance(given, BadLine):
            yield given
            continue
        try:
            yield text_of_object(source, given)
        except Fault as fault:
            yield fault.at(source.name, given.line)


def text_of_object(source: Source, given: Given) -> SentText:
    fields, line = given.fields, given.line
    name = text_id(fields, "id")
    if "sentences" not in fields:
        if "text" not in fields:
            raise Fault(None, f"A text is {FORM}.")
        return SentText(source.name, line, name, whole=required_text(fields, "text", empty=EMPTY))
    sentences = fields["sentences"]
    if not isinstance(sentences, list) or not sentences:
        raise Fault("sentences", "Must be an array of one sentence or more.")
    read = [sentence_of(each, f"sentences[{at}]") for at, each in enumerate(sentences)]
    return SentText(source.name, line, name, sentences=[(line, *each) for each in read])


def sentence_of(value: Any, place: str) -> tuple[str | None, str]:
    if not isinstance(value, dict):
        raise Fault(place, f'Must be an object {{"id", "text"}}, not {kind(value)}.')
    try:
        name = text_id(value, "id") if value.get("id") is not None else None
        return name, required_text(value, "text", empty=EMPTY)
    except Fault as fault:
        raise Fault(f"{place}.{fault.field}", fault.message) from fault


def text_id(fields: dict[str, Any], name: str) -> str:
    return within(required_id(fields, name), name, ID_LENGTH)


def read_csv(source: Source) -> Iterator[SentText | BadLine]:
    """Yield the texts of a table, in the order of their first rows. A row is a sentence, or a whole text."""
    lines = Lines(source.text(), source.name)
    table = table_of(lines, known=COLUMNS)
    names = [plain_name(cell) for cell in table.header]
    told = "sentence" if "sentence" in names else "text"
    for name in ("text_id", told):
        if names.count(name) != 1:
            columns = "text_id, sentence_id (may be left out), and sentence or text"
            raise lines.fault(table.line, f"The header has no column {name}, or it has two. Columns are {columns}.")
    are_sentences = told == "sentence" or "sentence_id" in names
    found: dict[str, SentText] = {}
    for line, cells in table.records:
        if isinstance(cells, Malformed):
            yield BadLine(source.name, line, None, cells.message)
            continue
        try:
            fields = cells_of(names, cells, source.encoding_name)
            row = SentText(source.name, line, text_id(fields, "text_id"))
            text = required_text(fields, told, empty=EMPTY)
            sentence = text_id(fields, "sentence_id") if fields.get("sentence_id", "").strip() else None
        except Fault as fault:
            yield fault.at(source.name, line)
            continue
        if not are_sentences:
            row.whole = text
            yield row
        else:
            found.setdefault(row.id, row).sentences.append((line, sentence, text))
    yield from found.values()


def cells_of(names: list[str], cells: list[str], encoding: str) -> dict[str, str]:
    if len(cells) < len(names) or any(cell.strip() for cell in cells[len(names) :]):
        counts = f"{len(cells)} cells where the header names {len(names)} columns"
        raise Fault(None, f"{counts}: put cells that hold the delimiter in quotation marks.")
    fields = dict(zip(names, cells, strict=False))
    for name, value in fields.items():
        check_text(value, name, encoding)
    return fields


def check_text(value: str, name: str | None, encoding: str) -> None:
    check_decoded(value, encoding)
    check_characters(value, name)


def read_txt(source: Source) -> Iterator[SentText | BadLine]:
    """Yield the one text of a file, whose name is the text's id."""
    whole = source.text().read()
    try:
        check_text(whole, None, source.encoding_name)
        name = within(source.stem, "id", ID_LENGTH)
        text = required_text({"text": whole.removeprefix("\ufeff")}, "text", empty=EMPTY)
    except Fault as fault:
        yield fault.at(source.name, 1)
        return
    yield SentText(source.name, 1, name, whole=text)


READERS: dict[str, Callable[[Source], Iterator[SentText | BadLine]]] = {JSONL: read_json, CSV: read_csv, TXT: read_txt}


def checked_texts(
    sent: Sequence[SentText], faults: BadLineList, texts: frozenset[str], sentences: frozenset[str]
) -> Iterator[ReadText]:
    """Cut the texts into sentences, give these their ids, and name every id that occurs twice."""
    used_texts = dict.fromkeys(texts, "the set already")
    used_sentences = dict.fromkeys(sentences, "the set already")
    for text, cut in zip(sent, sentences_cut(sent), strict=True):
        is_new = noted(used_texts, text.id, "text", text.file, text.line, faults)
        if not cut:
            faults.add(BadLine(text.file, text.line, None, EMPTY))
        read = []
        for number, (line, name, words) in enumerate(cut, start=1):
            named = name or f"{text.id}-{number:03}"
            if len(named) > ID_LENGTH:
                faults.add(
                    BadLine(text.file, line, "id", f"Longer than {ID_LENGTH} characters with a sentence's number.")
                )
            # A text that is there twice is one fault, and not one more for each of its sentences.
            if is_new:
                noted(used_sentences, named, "sentence", text.file, line, faults)
            read.append((named, words))
        yield ReadText(text.id, read)


def noted(used: dict[str, str], name: str, what: str, file: str, line: int, faults: BadLineList) -> bool:
    """Note where an id is used, and return True; where it is used already, add a fault and return False."""
    if name in used:
        faults.add(BadLine(file, line, "id", f"The id {name} is that of a {what} in {used[name]}: renumber one."))
        return False
    used[name] = f"{file}, line {line:,} too"
    return True


def sentences_cut(sent: Sequence[SentText]) -> Iterator[list[tuple[int, str | None, str]]]:
    """Yield the sentences of each text. Whole texts are cut as the sentences of an import are."""
    whole = [text.whole for text in sent if text.whole is not None]
    cut = iter(zip(whole, Splitter(BLANK).bounds(whole) if whole else (), strict=True))
    for text in sent:
        if text.whole is None:
            yield text.sentences
        else:
            words, bounds = next(cut)
            yield [(text.line, None, words[start:end]) for start, end in bounds]
