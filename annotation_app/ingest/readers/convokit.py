"""Read ConvoKit corpora, as a folder or a zip archive: utterances.jsonl, speakers.json, conversations.json.

A conversation is a document. Its utterances are ordered by their timestamps, else by `reply-to`, else as in the file
(`ingest/order.py`). A document's title is the conversation's `title`. The keys of older corpora are read as well:
reply_to, user, root, users.json.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import PurePosixPath
from typing import Any

from annotation_app.ingest.archive import Archive, archive_opened
from annotation_app.ingest.encodings import AUTO, ESCAPE, UTF8, Encoding
from annotation_app.ingest.lines import BYTE_ORDER_MARK, Line, numbered_lines
from annotation_app.ingest.mapping import Columns, Use
from annotation_app.ingest.objects import object_of
from annotation_app.ingest.rows import (
    MAX_ID_LENGTH,
    BadLine,
    Fault,
    ImportRow,
    Unreadable,
    known_id,
    optional_string,
    place_in_time,
    required_id,
    required_text,
    within,
)
from annotation_app.ingest.source import Source

UTTERANCES = "utterances.jsonl"
# These two are read whole; the utterances never are.
MAX_TABLE_BYTES = 64 * 1024**2
# What becomes a column of its own; all else of an utterance is its metadata.
READ = ("id", "conversation_id", "root", "text", "speaker", "user", "reply-to", "reply_to", "timestamp", "vectors")
# As the report names them; older corpora may call two of them otherwise.
COLUMNS = ("id", "conversation_id", "speaker", "text")
MAPPING = Columns(tuple(Use("document_id" if name == "conversation_id" else name, name, "named") for name in COLUMNS))
Table = dict[str, dict[str, Any]]


class Corpus:
    """Hold the files of a corpus."""

    def __init__(self, archive: Archive) -> None:
        self.archive, self.source = archive, archive.source

    def table(self, *names: str) -> Table:
        """Return the first of these files, an object by id.

        Raises Unreadable where none is there or it is not one.
        """
        name = next((name for name in names if name in self.archive.members), None)
        if name is None:
            raise Unreadable(self.source.fault(f"The corpus holds no {names[0]}."))
        data = self.archive.read(name, MAX_TABLE_BYTES + 1)
        try:
            if len(data) > MAX_TABLE_BYTES:
                raise Fault(None, f"Larger than {MAX_TABLE_BYTES // 1024**2} MiB.")
            table = object_of(data.decode(UTF8, ESCAPE).removeprefix(BYTE_ORDER_MARK))
        except Fault as fault:
            raise Unreadable(BadLine(name, None, fault.field, fault.message)) from fault
        return {key: meta_of(value) for key, value in table.items()}


@contextmanager
def corpus_opened(source: Source) -> Iterator[Corpus]:
    """Open the files beside the one utterances.jsonl, which lies at the root or in a folder there."""
    with archive_opened(source) as archive:
        places = map(PurePosixPath, archive.members)
        homes = {place.parent for place in places if place.name == UTTERANCES and within_archive(place)}
        if len(homes) != 1:
            told = f"no {UTTERANCES}" if not homes else f"more than one {UTTERANCES}"
            mend = "zip" if source.folder is None else "give"
            raise Unreadable(
                source.fault(f"The {archive.kind} holds {told}: {mend} the folder of one ConvoKit corpus.")
            )
        yield Corpus(archive.within(homes.pop()))


def within_archive(place: PurePosixPath) -> bool:
    return len(place.parts) <= 2 and not place.is_absolute() and ".." not in place.parts


def meta_of(value: Any) -> dict[str, Any]:
    """Return the metadata under `meta`, and what stands beside it; older corpora have no such key."""
    if not isinstance(value, dict):
        return {}
    others = {key: inner for key, inner in value.items() if key not in ("meta", "vectors")}
    meta = value.get("meta", {})
    return {**others, **(meta if isinstance(meta, dict) else {"meta": meta})}


def read_convokit(source: Source) -> Iterator[ImportRow | BadLine]:
    with corpus_opened(source) as corpus:
        conversations = corpus.table("conversations.json")
        speakers = corpus.table("speakers.json", "users.json")
        with corpus.archive.open(UTTERANCES) as stream:
            source.watch(stream, corpus.archive.size(UTTERANCES))
            asked = source.manner.encoding
            source.encoding = Encoding(UTF8) if asked == AUTO else Encoding(asked, "asked")
            source.columns, source.mapping = list(COLUMNS), MAPPING
            for line in numbered_lines(source.decoded(stream, source.encoding.name), UTTERANCES):
                if isinstance(line, BadLine):
                    yield line
                elif line.text.strip():
                    yield row_or_bad(line, source.encoding.name, conversations, speakers)


def row_or_bad(line: Line, encoding: str, conversations: Table, speakers: Table) -> ImportRow | BadLine:
    row_id = None
    try:
        fields = object_of(line.text, encoding)
        row_id = known_id(fields)
        return utterance_row(fields, line.number, conversations, speakers)
    except Fault as fault:
        return fault.at(UTTERANCES, line.number, row_id)


def utterance_row(fields: dict[str, Any], line: int, conversations: Table, speakers: Table) -> ImportRow:
    """Return the row; metadata of utterance and speaker are joined in its meta. Raises Fault."""
    identifier, text = required_id(fields, "id"), required_text(fields, "text")
    conversation = within(
        required_id(fields, older(fields, "conversation_id", "root")), "conversation_id", MAX_ID_LENGTH
    )
    speaker_key = older(fields, "speaker", "user")
    if speaker_key not in fields:
        raise Fault("speaker", "Missing field.")
    speaker = optional_string(fields, speaker_key) or ""
    about = conversations.get(conversation, {})
    title = about.get("title")
    meta = {
        "reply_to": fields.get(older(fields, "reply-to", "reply_to")),
        "timestamp": fields.get("timestamp"),
        "meta": meta_of({key: value for key, value in fields.items() if key not in READ}),
        "speaker": speakers.get(speaker, {}),
    }
    title = title if isinstance(title, str) else ""
    row = ImportRow(UTTERANCES, line, identifier, text, conversation, speaker, title, None, about, meta)
    return row._replace(**place_in_time(fields.get("timestamp"), meta["reply_to"]))


def older(fields: dict[str, Any], key: str, old: str) -> str:
    return old if key not in fields and old in fields else key
