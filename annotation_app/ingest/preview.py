"""Preview an import by the same reading and the same checks, and store nothing of it."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, BinaryIO, cast

from django.core.files.uploadedfile import UploadedFile
from django.db import DataError, connection, transaction

from annotation_app.ingest.damage import PartEnded
from annotation_app.ingest.formats import FORMATS, read_rows
from annotation_app.ingest.mapping import FIELDS, NESTED, plain_name
from annotation_app.ingest.options import ImportOptions
from annotation_app.ingest.reading import NOTHING, Reading, nothing_left, prepare, read_all, whole_check
from annotation_app.ingest.rows import BadLine, ImportRow, Unreadable
from annotation_app.ingest.services import splitter_check
from annotation_app.ingest.source import PartOf, Source
from annotation_app.ingest.splitter import Bounds, Splitter, SplitterMissing
from annotation_app.ingest.staging import order_stage, staging_tables
from annotation_app.ingest.stand_off import STAND_OFF, category_names
from annotation_app.ingest.write import counts_of_staged
from annotation_app.models import Project
from annotation_app.refusals import Invalid

# Of a page that waits: so many unpacked bytes and rows are read, and so many characters cut into sentences.
MOST_BYTES = 32 * 1024**2
MOST_ROWS = 50_000
SPLIT_CHARACTERS = 150_000
SHOWN_ROWS = 8
SHOWN_CHARACTERS = 400
MOST_LABELS = 200
# What a column becomes: a field, what JSON alone can hold, or what is kept beside the text.
BESIDE = "meta"
BECOMES = (*FIELDS, *STAND_OFF, BESIDE)
FIRST = """
    SELECT r.line, r.external_id || coalesce('_' || s.number, ''), left(coalesce(s.text, r.text), %(characters)s),
           length(coalesce(s.text, r.text)) > %(characters)s, r.speaker, coalesce(r.document_id, r.external_id),
           r.title, r.left_out, r.meta::text
    FROM (SELECT * FROM staged_row ORDER BY line LIMIT %(rows)s) r JOIN staged_item s ON s.line = r.line
    ORDER BY r.line, s.number
    LIMIT %(rows)s
"""
CHARACTERS = "SELECT left_out, sum(length(text)) FROM staged_row GROUP BY left_out"


@dataclass
class Preview:
    """Hold a preview.

    `whole` means that the file was read to its end, else only `rows` rows were. `estimated` means that items were
    counted in a sample of the text. `labels` are those of the file's spans, and what each becomes; `categories`
    are the codebook's. `report` is that of an import; `imports` tells whether one would bring anything.
    """

    filename: str
    format: str
    whole: bool
    rows: int
    imports: bool
    estimated: bool
    in_project: int
    columns: list[dict[str, str]]
    labels: list[dict[str, Any]] = field(default_factory=list)
    categories: list[dict[str, str]] = field(default_factory=list)
    first: list[dict[str, Any]] = field(default_factory=list)
    report: dict[str, Any] = field(default_factory=dict)


class SampleSplitter:
    """Cut the first SPLIT_CHARACTERS into sentences, and leave every later row whole."""

    def __init__(self, splitter: Splitter, most: int) -> None:
        self._splitter, self._most = splitter, most
        self.name = splitter.name
        self.characters = self.sentences = 0
        self.whole = True

    @property
    def max_length(self) -> int:
        return self._splitter.max_length

    def record(self) -> dict[str, str]:
        return self._splitter.record()

    def bounds(self, texts: Sequence[str]) -> list[Bounds]:
        now: list[str] = []
        for text in texts:
            if self.characters >= self._most:
                break
            now.append(text)
            self.characters += len(text)
        found = self._splitter.bounds(now) if now else []
        self.sentences += sum(map(len, found))
        self.whole = self.whole and len(now) == len(texts)
        return [*found, *([(0, len(text))] for text in texts[len(now) :])]

    def estimated(self, characters: int) -> int:
        """Estimate how many sentences so many characters hold, to three digits."""
        guess = round(characters * self.sentences / max(1, self.characters))
        return int(float(f"{guess:.3g}"))


class Rows:
    """Hold the first rows of a file, good and bad ones; `whole` is False where there are more."""

    def __init__(self, source: Source, found: str, most: int) -> None:
        self.source, self.found, self.most = source, found, most
        self.whole = True

    def __iter__(self) -> Iterator[ImportRow | BadLine]:
        try:
            for count, row in enumerate(read_rows(self.source, self.found)):
                if count >= self.most:
                    self.whole = False
                    return
                yield row
        except PartEnded:
            self.whole = False


def upload_preview(*, project: Project, upload: UploadedFile, options: ImportOptions, is_cut: bool = False) -> Preview:
    """Preview an upload, which is not stored. `is_cut` means that it is only a file's beginning. Raises Invalid."""
    part = PartOf(MOST_BYTES, is_cut=is_cut)
    source = Source(upload.name or "upload", file=cast(BinaryIO, upload.file), manner=options.manner, part=part)
    return import_preview(project=project, source=source, options=options)


def import_preview(*, project: Project, source: Source, options: ImportOptions) -> Preview:
    """Read a source, all of it where it has no `part`. Raises Invalid for options that do not go with the file."""
    splitter_check(options)
    reading = Reading(project, source.name, options)
    preview = Preview(source.name, options.format, True, 0, False, False, 0, [])
    counts: dict[str, Any] = NOTHING
    try:
        with staging_tables():
            counts = read_first(reading, source, preview)
    except Unreadable as error:
        reading.stop(error.bad)
    except SplitterMissing as error:
        raise Invalid({"splitter": [str(error)]}) from error
    except DataError as error:
        reading.stop(reading.fault(f"The database cannot hold a value of the file: {error}"))
    preview.format, preview.rows = reading.format, reading.rows
    preview.in_project = reading.in_project
    preview.report = reading.report(counts, done=True)
    preview.columns = [
        {"name": name, "becomes": becomes(source, name, reading.format)} for name in preview.report["columns"]
    ]
    preview.labels = labels_found(reading)
    if reading.layer is not None:
        preview.categories = [{"key": each.key, "name": each.name} for each in reading.layer.categories]
    preview.imports = counts["items"] > 0 and not (
        reading.stopped or (reading.faults.count and not options.skip_bad_lines)
    )
    return preview


def labels_found(reading: Reading) -> list[dict[str, Any]]:
    """Return the labels of the spans with how many have each, and the category that it becomes.

    The category is None where the codebook has none of that name, and empty where its spans are left out.
    """
    known = category_names(reading.layer) if reading.layer else {}
    found = []
    for label, n in sorted(reading.labels.items())[:MOST_LABELS]:
        chosen = reading.options.categories.get(label, label)
        category = known.get(chosen)
        found.append({"name": label, "n": n, "category": category.key if category else None if chosen else ""})
    return found


def becomes(source: Source, column: str, found_format: str) -> str:
    nested = dict(zip(NESTED, ("document_id", *STAND_OFF), strict=True)) if FORMATS[found_format].carries_spans else {}
    return source.mapping.field_of(column) or nested.get(plain_name(column), BESIDE)


def read_first(reading: Reading, source: Source, preview: Preview) -> dict[str, Any]:
    """Stage rows, check them as an import does, and return the counts."""
    plan = prepare(reading, source)
    limited = source.part is not None
    sample = None
    if plan.makes_sentences:
        reading.splitter = splitter = Splitter(reading.options.splitter)
        if limited:
            reading.splitter = sample = SampleSplitter(splitter, SPLIT_CHARACTERS)
    rows = Rows(source, reading.format, MOST_ROWS if limited else 2**31)
    read_all(reading, plan, rows, lambda _: None)
    with transaction.atomic():
        whole_check(reading)
        counts = counts_of_staged() | {"order": order_stage()}
        preview.first = first_items()
        if sample is not None and not sample.whole:
            counts |= estimated_counts(sample)
    preview.whole, preview.estimated = rows.whole, sample is not None and not sample.whole
    if not counts["items"] and not reading.faults.count:
        reading.stop(nothing_left(reading))
    return counts


def estimated_counts(sample: SampleSplitter) -> dict[str, Any]:
    with connection.cursor() as cursor:
        cursor.execute(CHARACTERS)
        items = {why: sample.estimated(characters) for why, characters in cursor.fetchall()}
    kept, short, long = (items.get(why, 0) for why in ("", "too_short", "too_long"))
    return {"items": kept + short + long, "kept": kept, "left_out": {"too_short": short, "too_long": long}}


def first_items() -> list[dict[str, Any]]:
    names = ("line", "id", "text", "is_cut", "speaker", "document", "title", "left_out", "meta")
    with connection.cursor() as cursor:
        cursor.execute(FIRST, {"rows": SHOWN_ROWS, "characters": SHOWN_CHARACTERS})
        found = [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]
    return [item | {"meta": {name: short(value) for name, value in json.loads(item["meta"]).items()}} for item in found]


def short(value: Any) -> Any:
    """Return a value, or the beginning of its text where that is long."""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return value if len(text) <= SHOWN_CHARACTERS else f"{text[:SHOWN_CHARACTERS]} …"
