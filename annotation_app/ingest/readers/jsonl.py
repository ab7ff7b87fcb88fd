"""JSON Lines, plain or as .gz: one object a line, `id` and `text` required.

Known fields: document_id, speaker, position, title, date; document {id, title}, sources and spans, which CSV cannot
carry. Every other field becomes meta. Empty lines are passed over.
"""

from collections.abc import Iterator

from annotation_app.ingest.lines import Line, numbered_lines
from annotation_app.ingest.objects import object_of
from annotation_app.ingest.rows import BadLine, Fault, Row, known_id, row_of
from annotation_app.ingest.source import Source
from annotation_app.ingest.stand_off import STAND_OFF, read_sources, read_spans


def read_jsonl(source: Source) -> Iterator[Row | BadLine]:
    for line in numbered_lines(source.stream(), source.name):
        if isinstance(line, BadLine):
            yield line
        elif line.data.strip():
            yield row_or_bad(line, source.name)


def row_or_bad(line: Line, file: str) -> Row | BadLine:
    row_id = None
    try:
        fields = object_of(line.data)
        row_id = known_id(fields)
        beside = {name: fields.pop(name, None) for name in STAND_OFF}
        row = row_of(fields, file, line.number)
        sources = read_sources(beside)
        return row._replace(sources=sources, spans=read_spans(beside, row.text, sources))
    except Fault as fault:
        return fault.at(file, line.number, row_id)
