"""Damaged files: every outcome is rows, lines with faults, or one fault of the file with its place. Never a crash."""

import gzip
import io
import json
import zipfile
from collections.abc import Mapping

import openpyxl
import pyarrow
import pyarrow.parquet
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotation_app.ingest.formats import READERS, format_of, read_rows
from annotation_app.ingest.rows import BadLine, ImportRow, Unreadable
from annotation_app.ingest.source import Source
from annotation_app.ingest.staging import ENCODER, field

ROWS = [
    {"id": f"r{n}", "text": f'Größe {n}, "quoted" — 委员会.', "speaker": "S", "n": n, "deep": {"k": [1, None, 1.5]}}
    for n in range(5)
]
ROWS[1] |= {"sources": [{"id": "s1", "text": "A source.", "title": "T"}], "spans": []}
ROWS[2] |= {"sources": ["s1"], "spans": [{"start": 0, "end": 5, "category": "act", "quote": "Größe"}]}
TABLE = "id,text,n\r\n" + "".join(f'r{n},"Größe, ""{n}""\nnext",{n}\r\n' for n in range(5))
UTTERANCES = "".join(
    json.dumps(
        {"id": f"u{n}", "conversation_id": "c", "speaker": "S", "text": f"Größe {n}.", "reply-to": None, "meta": {}}
    )
    + "\n"
    for n in range(5)
)


def zipped(members: Mapping[str, bytes | str]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return out.getvalue()


def corpus() -> bytes:
    return zipped(
        {
            "c/utterances.jsonl": UTTERANCES,
            "c/speakers.json": '{"S": {"meta": {"chair": true}, "vectors": []}}',
            "c/conversations.json": '{"c": {"meta": {"title": "T"}, "vectors": []}}',
        }
    )


def workbook() -> bytes:
    made, out = openpyxl.Workbook(), io.BytesIO()
    for row in [["id", "text", "n"], *([row["id"], row["text"], row["n"]] for row in ROWS)]:
        made.worksheets[0].append(row)
    made.save(out)
    return out.getvalue()


def table() -> pyarrow.Table:
    return pyarrow.Table.from_pylist([{name: row[name] for name in ("id", "text", "n", "deep")} for row in ROWS])


def parquet() -> bytes:
    out = io.BytesIO()
    pyarrow.parquet.write_table(table(), out)
    return out.getvalue()


def arrow() -> bytes:
    out = io.BytesIO()
    with pyarrow.ipc.new_stream(out, table().schema) as stream:
        stream.write_table(table())
    return out.getvalue()


def tasks() -> bytes:
    value = {"start": 0, "end": 5, "labels": ["ACT"], "text": "Größe"}
    done = [{"result": [{"type": "labels", "value": value}]}]
    return json.dumps(
        [{"id": row["id"], "data": {"text": row["text"]}, "annotations": done} for row in ROWS], ensure_ascii=False
    ).encode()


def examples() -> bytes:
    beside = {"label": [[0, 5, "ACT"]], "Comments": []}
    return "".join(json.dumps({"id": row["id"], "text": row["text"]} | beside) + "\n" for row in ROWS).encode()


JSONL = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in ROWS).encode()
GOOD = {
    "jsonl": JSONL,
    "jsonl.gz": gzip.compress(JSONL, mtime=0),
    "json": json.dumps(ROWS, indent=1, ensure_ascii=False).encode(),
    "csv": TABLE.encode(),
    "csv.utf-16": TABLE.encode("utf-16"),
    "csv.cp1252": TABLE.encode("cp1252"),
    "tsv": TABLE.replace(",", "\t").encode(),
    "zip": corpus(),
    "xlsx": workbook(),
    "parquet": parquet(),
    "dataset.zip": zipped({"d/train/data-00000-of-00001.arrow": arrow()}),
    "tasks.json": tasks(),
    "doccano.jsonl": examples(),
    "conll": "".join(f"# sent_id = r{n}\nGröße NN B-ACT\n{n} CD I-ACT\n. . O\n\n" for n in range(5)).encode(),
    "brat.zip": zipped(
        {f"b/{row['id']}.txt": str(row["text"]) for row in ROWS}
        | {f"b/{row['id']}.ann": "T1\tACT 0 5\tGröße\n" for row in ROWS}
    ),
    "texts.zip": zipped({f"t/{row['id']}.txt": str(row["text"]).encode() for row in ROWS}),
}
BYTES = st.one_of(
    st.binary(max_size=8),
    st.sampled_from([b"\x00", b"\xed\xa0\x80", b"\\ud800", b"\r", b'"', b"[" * 2_000, b"9" * 5_000, b"{}", b"null"]),
)


def outcome(data: bytes, name: str) -> list[ImportRow | BadLine]:
    """What an import makes of it; every row can be stored, and every fault has its place and can be shown."""
    source = Source(name, file=io.BytesIO(data))
    try:
        found = list(read_rows(source, format_of(source, "auto")))
    except Unreadable as error:
        found = [error.bad]
    for each in found:
        if isinstance(each, ImportRow):
            # As they are copied into the database.
            for value in (each.id, each.text, each.title, each.speaker, ENCODER.encode(each.meta)):
                assert "\x00" not in value
                field(value).encode("utf-8")
        else:
            assert each.file and each.message and len(each.message) < 1_000
            json.dumps(each.as_dict(), ensure_ascii=False).encode("utf-8")
    return found


def read(data: bytes, name: str) -> list[ImportRow | BadLine]:
    return outcome(data, name)


def test_every_format_has_a_file_here() -> None:
    """A new reader is damaged like the others once a good file of its format stands above."""
    found = {format_of(Source(name, file=io.BytesIO(data)), "auto") for name, data in GOOD.items()}
    assert found == set(READERS)


@pytest.mark.parametrize("name", GOOD)
def test_the_files_are_good_before_they_are_damaged(name: str) -> None:
    found = read(GOOD[name], name)
    assert len(found) == 5 and all(isinstance(row, ImportRow) for row in found)


@pytest.mark.parametrize("name", GOOD)
@settings(max_examples=60)
@given(data=st.data())
def test_damage_is_a_fault_of_the_file(name: str, data: st.DataObject) -> None:
    good = GOOD[name]
    damaged = bytearray(good)
    for _ in range(data.draw(st.integers(1, 4))):
        start = data.draw(st.integers(0, max(0, len(damaged) - 1)))
        count = data.draw(st.integers(0, 12))
        damaged[start : start + count] = data.draw(BYTES)
    if data.draw(st.booleans()):
        del damaged[data.draw(st.integers(0, len(damaged))) :]
    for each in read(bytes(damaged), name):
        # A fault nobody foresaw would be told by its exception's name; each that was found has words of its own.
        assert isinstance(each, ImportRow) or "Error," not in each.message, each.message


def test_a_file_of_an_archive_that_has_lost_its_name_is_missed() -> None:
    damaged = corpus().replace(b"c/speakers.json", b"\x00" * len("c/speakers.json"))
    (bad,) = read(damaged, "corpus.zip")
    assert isinstance(bad, BadLine) and "speakers.json" in bad.message and "Error" not in bad.message


@given(data=st.binary(max_size=400))
def test_any_bytes_are_answered(data: bytes) -> None:
    for each in read(data, "any"):
        assert isinstance(each, ImportRow) or "Error," not in each.message, each.message
