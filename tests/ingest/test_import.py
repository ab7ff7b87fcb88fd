"""What an import leaves behind: documents, utterances, sentences with offsets, items."""

import json
from typing import Any

import pytest

from annotation_app.ingest.selectors import report_of
from annotation_app.models import Document, Import, Item, Utterance
from tests.ingest.conftest import ImportText

pytestmark = pytest.mark.django_db(transaction=True)


def jsonl(*rows: dict[str, Any]) -> str:
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def test_it_splits_utterances_and_trims_only_at_sentence_bounds(import_bytes: ImportText) -> None:
    text = "  Prices rose 👩‍🔬 again.\t Did\r\nthey? \n"
    imported = import_bytes(jsonl({"id": "u", "text": text, "speaker": "A.", "tone": "dry"}), rows="utterance")
    utterance = Utterance.objects.get()
    assert (utterance.text, utterance.speaker, utterance.n_tokens) == (text, "A.", 6)
    assert (utterance.sentence_starts, utterance.sentence_ends) == ([2, 26], [24, 36])
    assert utterance.meta == {"tone": "dry"}
    items = Item.objects.order_by("id").values_list("external_id", "number", "start", "end", "text", "meta", "left_out")
    assert list(items) == [
        ("u_1", 1, 2, 24, "Prices rose 👩‍🔬 again.", {}, ""),
        ("u_2", 2, 26, 36, "Did\r\nthey?", {}, ""),
    ]
    assert report_of(imported)["splitter"]["name"] == "blank"
    assert report_of(imported)["splitter"]["version"].startswith("3.")


def test_it_leaves_short_and_long_utterances_out_but_keeps_them(import_bytes: ImportText) -> None:
    texts = {
        "three": "One. Two three.",
        "four": "One. Two three four.",
        "long": "w " * 499 + "end.",
        "over": "w " * 500 + "end.",
    }
    imported = import_bytes(jsonl(*({"id": key, "text": text} for key, text in texts.items())), rows="utterance")
    left = dict(Item.objects.values_list("external_id", "left_out"))
    assert left == {
        "three_1": "too_short",
        "three_2": "too_short",
        "four_1": "",
        "four_2": "",
        "long_1": "",
        "over_1": "too_long",
    }
    report = report_of(imported)
    assert (report["kept"], report["left_out"]) == (3, {"too_short": 2, "too_long": 1})
    assert report["left_out_utterances"] == {"too_short": 1, "too_long": 1}
    assert report["limits"] == {"min_tokens": 4, "max_tokens": 500}


def test_it_keeps_rows_that_are_the_unit_as_they_are(import_bytes: ImportText) -> None:
    imported = import_bytes(jsonl({"id": "s", "text": " Two. Sentences? ", "label": "x"}))
    item = Item.objects.get()
    assert (item.external_id, item.number, item.start, item.end, item.text) == ("s", None, 0, 17, " Two. Sentences? ")
    assert (item.meta, item.utterance.meta, item.left_out) == ({"label": "x"}, {}, "")
    assert (item.utterance.sentence_starts, item.utterance.sentence_ends) == ([0], [17])
    assert report_of(imported)["splitter"] is None
    assert report_of(imported)["limits"] == {"min_tokens": 0, "max_tokens": 500}


def test_it_filters_whole_rows_only_where_limits_are_given(import_bytes: ImportText) -> None:
    imported = import_bytes(jsonl({"id": "a", "text": "Two words"}, {"id": "b", "text": "One"}), min_tokens=2)
    assert dict(Item.objects.values_list("external_id", "left_out")) == {"a": "", "b": "too_short"}
    assert report_of(imported)["limits"]["min_tokens"] == 2


def test_it_gives_utterance_items_sentence_bounds_for_the_context(import_bytes: ImportText) -> None:
    import_bytes(jsonl({"id": "u", "text": "One here. Two here."}), unit="utterance")
    item = Item.objects.select_related("utterance").get()
    assert (item.external_id, item.number, item.text) == ("u", None, "One here. Two here.")
    assert item.utterance.sentence_starts == [0, 10]


def test_it_splits_documents_without_filtering_them(import_bytes: ImportText) -> None:
    text = "Hi. " + "word " * 600 + "end."
    imported = import_bytes(jsonl({"id": "d", "text": text, "title": "T"}), rows="document")
    assert list(Item.objects.order_by("id").values_list("external_id", "left_out")) == [("d_1", ""), ("d_2", "")]
    assert report_of(imported)["limits"] is None
    assert Document.objects.get().title == "T"


def test_it_orders_rows_by_position_and_documents_by_first_row(import_bytes: ImportText) -> None:
    rows = [("b", "d2", 1), ("x", None, None), ("a", "d2", 0), ("c", "d1", None), ("e", "d2", None), ("d", "d1", None)]
    import_bytes(jsonl(*({"id": i, "text": i, "document_id": d, "position": p} for i, d, p in rows)))
    found = Utterance.objects.order_by("document__position", "position")
    assert list(found.values_list("document__external_id", "document__position", "external_id", "position")) == [
        ("d2", 0, "a", 0),
        ("d2", 0, "b", 1),
        ("d2", 0, "e", 2),
        ("x", 1, "x", 0),
        ("d1", 2, "c", 0),
        ("d1", 2, "d", 1),
    ]
    assert list(Item.objects.order_by("id").values_list("external_id", flat=True)) == [row[0] for row in rows]


def test_it_describes_a_document_by_its_first_row(import_bytes: ImportText) -> None:
    first = {"id": "a", "text": "x", "document_id": "d", "title": "First", "date": "2020-01-02"}
    second = {"id": "b", "text": "y", "document_id": "d", "title": "Second", "date": "2021-01-02"}
    import_bytes(jsonl(first, second))
    document = Document.objects.get()
    assert (document.title, document.meta) == ("First", {"date": "2020-01-02"})
    assert Item.objects.get(external_id="b").meta == {"title": "Second", "date": "2021-01-02"}


def test_it_adds_to_a_project_after_what_is_there(import_bytes: ImportText) -> None:
    import_bytes(jsonl({"id": "a", "text": "x"}), "first.jsonl")
    import_bytes("id,text\nb,y\n", "second.csv")
    found = Document.objects.order_by("position").values_list(
        "external_id", "position", "source__filename", "source__format"
    )
    assert list(found) == [("a", 0, "first.jsonl", "jsonl"), ("b", 1, "second.csv", "csv")]


def test_it_records_the_files_hash_and_the_state(import_bytes: ImportText) -> None:
    imported = import_bytes('{"id": "a", "text": "x"}')
    assert imported.state == Import.State.DONE
    assert report_of(imported)["sha256"] == "077b1f15e6716a0afd2175d49e933efe143c0a7f18a107f56e67bc658cc80b74"
    assert imported.progress == {"step": "done", "fraction": 1.0, "rows": 1}


def test_it_says_that_a_pipeline_is_not_installed(import_bytes: ImportText) -> None:
    with pytest.raises(ValueError, match="no_such_pipeline is not installed"):
        import_bytes('{"id": "a", "text": "x"}', splitter="no_such_pipeline")
    assert not Import.objects.exists()
