"""The shared real corpora, whole or in part: counts against an independent count, text character for character."""

import gzip
import json
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from annotation_app.ingest.options import ImportOptions
from annotation_app.ingest.selectors import report_of
from annotation_app.ingest.services import import_from_path
from annotation_app.models import Document, Import, Item, Project, Utterance
from tests.shared import shared_file

pytestmark = pytest.mark.django_db(transaction=True)


def report_from(project: Project, path: Path, **options: Any) -> dict[str, Any]:
    imported = import_from_path(project=project, actor=None, path=path, options=ImportOptions(**options))
    assert imported.state == Import.State.DONE, report_of(imported)
    return report_of(imported)


def sentence_counts(texts: list[str]) -> list[int]:
    """Straight from spaCy, without the importer."""
    import spacy

    nlp = spacy.blank("en")
    nlp.add_pipe("sentencizer")
    return [sum(1 for sentence in doc.sents if sentence.text.strip()) for doc in nlp.pipe(texts)]


def test_it_loads_the_press_conferences_whole(project: Project) -> None:
    folder = shared_file("fomc-pressconf")
    report = report_from(project, folder, splitter="sentencizer")
    lines = (folder / "utterances.jsonl").read_bytes().decode().split("\n")
    source = {row["id"]: row for row in map(json.loads, filter(None, lines))}
    counts = dict(zip(source, sentence_counts([row["text"] for row in source.values()]), strict=True))
    words = {key: len(row["text"].split()) for key, row in source.items()}
    short = [counts[key] for key, n in words.items() if n < 4]
    long = [counts[key] for key, n in words.items() if n > 500]

    assert (report["documents"], report["utterances"]) == (58, 3152)
    assert (len(short), len(long)) == (185, 113)
    assert report["left_out"] == {"too_short": sum(short), "too_long": sum(long)}
    assert report["kept"] == sum(counts.values()) - sum(short) - sum(long) > 15_000
    assert Item.objects.filter(left_out="").count() == report["kept"]
    stored = Utterance.objects.values_list("external_id", "text", "speaker", "document__external_id")
    assert {key: rest for key, *rest in stored} == {
        key: [row["text"], row["speaker"], row["conversation_id"]] for key, row in source.items()
    }
    assert_offsets_hold()
    assert_order_is_the_files(source)


def assert_offsets_hold() -> None:
    fields = ("external_id", "text", "sentence_starts", "sentence_ends")
    utterances = {pk: rest for pk, *rest in Utterance.objects.values_list("pk", *fields)}
    numbered: dict[int, int] = {}
    items = Item.objects.order_by("id").values_list("utterance_id", "number", "external_id", "text", "start", "end")
    for pk, number, external_id, text, start, end in items:
        own_id, whole, starts, ends = utterances[pk]
        numbered[pk] = numbered.get(pk, 0) + 1
        assert text == whole[start:end] == text.strip() != ""
        assert (number, external_id) == (numbered[pk], f"{own_id}_{number}")
        assert (start, end) == (starts[numbered[pk] - 1], ends[numbered[pk] - 1])


def assert_order_is_the_files(source: dict[str, dict[str, str]]) -> None:
    ordered = Utterance.objects.order_by("document__position", "position").values_list("external_id", flat=True)
    assert list(ordered) == list(source)
    assert Document.objects.get(external_id="20110427").meta["date"] == "2011-04-27"


def dirty_rows() -> dict[str, str]:
    lines = shared_file("fomc-pressconf/pressconf-dirty.jsonl").read_bytes().decode("utf-8").split("\n")
    return {row["id"]: row["text"] for row in map(json.loads, filter(None, lines))}


@pytest.mark.parametrize("rows", ["sentence", "utterance", "document"])
def test_it_keeps_dirty_turns_character_for_character(project: Project, rows: str) -> None:
    path = shared_file("fomc-pressconf/pressconf-dirty.jsonl")
    report = report_from(project, path, rows=rows)
    assert (report["utterances"], report["n_errors"]) == (31, 0)
    assert dict(Utterance.objects.values_list("external_id", "text")) == dirty_rows()
    if rows == "sentence":
        assert dict(Item.objects.values_list("external_id", "text")) == dirty_rows()
    else:
        assert_offsets_hold()


def test_it_keeps_a_slice_of_the_pool_with_ids_order_and_dirt(project: Project, tmp_path: Path) -> None:
    with gzip.open(shared_file("fomc-pool/pool.jsonl.gz"), "rb") as pool:
        lines = list(islice(pool, 95_000, 98_000))
    (tmp_path / "slice.jsonl").write_bytes(b"".join(lines))
    report = report_from(project, tmp_path / "slice.jsonl")
    source = [json.loads(line) for line in lines]
    assert (report["items"], report["kept"], report["splitter"]) == (3000, 3000, None)
    assert report["documents"] == len({row["document_id"] for row in source})
    stored = Item.objects.order_by("id").values_list(
        "external_id", "text", "utterance__speaker", "document__external_id"
    )
    assert list(stored) == [(row["id"], row["text"], row["speaker"] or "", row["document_id"]) for row in source]
    assert any("\u00e2\u20ac" in row["text"] for row in source), "the slice holds mojibake"
