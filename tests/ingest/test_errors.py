"""Every kind of bad line: reported with file, line and field, and nothing imported."""

import gzip
import io
import zipfile

import pytest

from annotation_app.ingest.rows import MAX_ID_LENGTH
from annotation_app.ingest.selectors import report_of
from annotation_app.models import Event, Import, Item, Project
from tests.ingest.conftest import ImportText
from tests.ingest.faults import assert_nothing_imported, errors_of

pytestmark = pytest.mark.django_db(transaction=True)
GOOD = b'{"id": "good-%d", "text": "A good line."}\n'
# Shows that the file is in UTF-8: what is not is then damage, and no other encoding.
ACCENTS = '{"id": "good-2", "text": "Größe, déjà, año."}\n'.encode()


BAD_JSONL = [
    (b'{"id": "a", "text": "x"', None, "Malformed JSON"),
    (b'{"id": "a", "text": "raw\ttab"}', None, "Malformed JSON"),
    (b'["a", "x"]', None, "Not a JSON object"),
    (b'{"id": "a", "text": "x", "n": NaN}', None, "NaN"),
    (b'{"id": "a", "text": "x", "n": 1e999}', None, "too large"),
    (b'{"id": "a", "text": "x", "n": ' + b"[" * 100_000, None, "nested too deeply"),
    (b'{"text": "x"}', "id", "Missing field"),
    (b'{"id": "a"}', "text", "Missing field"),
    (b'{"id": "  ", "text": "x"}', "id", "Empty"),
    (b'{"id": "' + b"a" * (MAX_ID_LENGTH + 1) + b'", "text": "x"}', "id", "Longer than"),
    (b'{"id": "a", "text": ""}', "text", "Empty text"),
    (b'{"id": "a", "text": " \\t\\r\\n\\u00a0\\u2028"}', "text", "Empty text"),
    (b'{"id": true, "text": "x"}', "id", "not true or false"),
    (b'{"id": "a", "text": ["x"]}', "text", "not an array"),
    (b'{"id": "a", "text": null}', "text", "not null"),
    (b'{"id": "a", "text": "x", "speaker": [3]}', "speaker", "not an array"),
    (b'{"id": "a", "text": "x", "n": 1, "n": 2}', None, "the key 'n' stands twice"),
    (b'{"id": "a", "text": "x", "n": ' + b"9" * 5_000 + b"}", None, "Malformed JSON"),
    (b'{"id": "a", "text": "x", "n": ' + b"[" * 101 + b"]" * 101 + b"}", None, "nested too deeply"),
    (b'{"id": "a", "text": "x", "document_id": {}}', "document_id", "not an object"),
    (b'{"id": "a", "text": "x", "position": -1}', "position", "whole number"),
    (b'{"id": "a", "text": "x", "position": 1.5}', "position", "whole number"),
    (b'{"id": "a", "text": "x", "position": true}', "position", "whole number"),
    (b'{"id": "a", "text": "caf\xe9"}', None, "Not valid UTF-8 at byte 25"),
    (b'{"id": "a", "text": "\xed\xa0\x80"}', None, "Not valid UTF-8"),
    (b'{"id": "a", "text": "x\x00y"}', None, "NUL"),
    (b'{"id": "a", "text": "x\\u0000y"}', "text", "NUL"),
    (b'{"id": "a\\u0000", "text": "x"}', "id", "NUL"),
    (b'{"id": "a", "text": "x \\ud800 y"}', "text", "lone surrogate"),
    (b'{"id": "a", "text": "x \\uDE00\\uD83D y"}', "text", "lone surrogate"),
    (b'{"id": "a", "text": "x", "deep": {"k": ["\\udfff"]}}', "deep", "lone surrogate"),
    (b'{"id": "a", "text": "x", "k\\u0000": 1}', "k\ufffd", "NUL"),
]


def assert_reported(imported: Import, first_line: int, bad: list[tuple[bytes, str | None, str]]) -> None:
    """One error a bad line, in order, each with its own line, field and message."""
    found = errors_of(imported)
    assert [(line, field) for line, field, _ in found] == [
        (first_line + number, field) for number, (_, field, _) in enumerate(bad)
    ]
    for (_, _, message), (data, _, told) in zip(found, bad, strict=True):
        assert told in message, data[:80]


def test_it_reports_every_kind_of_bad_jsonl_line(import_bytes: ImportText) -> None:
    imported = import_bytes(GOOD % 1 + ACCENTS + b"\n".join(bad for bad, _, _ in BAD_JSONL) + b"\n" + GOOD % 3)
    assert_reported(imported, 3, BAD_JSONL)
    assert {error["file"] for error in report_of(imported)["errors"]} == {"rows.jsonl"}
    assert_nothing_imported(imported)


BAD_CSV = [
    (b"a,x,y\n", None, "3 cells where the header names 2"),
    (b"a\n", None, "1 cells where the header names 2"),
    (b'a,"x"y\n', None, "Malformed CSV"),
    (b"y\n", None, "1 cells where"),
    (b"a,caf\xe9\n", "text", "Not valid UTF-8"),
    (b"a,x\x00y\n", "text", "NUL"),
    (b"a,  \n", "text", "Empty text"),
    (b",x\n", "id", "Empty"),
    (b'a,"never closed\nand on\n', None, "never closed"),
]


def test_it_reports_every_kind_of_bad_csv_record(import_bytes: ImportText) -> None:
    data = 'id,text\ngood,"Größe of\ntwo lines"\n'.encode() + b"".join(bad for bad, _, _ in BAD_CSV)
    imported = import_bytes(data, "rows.csv")
    assert_reported(imported, 4, BAD_CSV)
    assert_nothing_imported(imported)


def test_it_names_both_lines_of_a_duplicate_id(import_bytes: ImportText) -> None:
    imported = import_bytes(GOOD % 1 + GOOD % 2 + GOOD % 1 + GOOD % 2 + GOOD % 1)
    assert [(line, field) for line, field, _ in errors_of(imported)] == [(3, "id"), (4, "id"), (5, "id")]
    assert "'good-1': line 1 of this file" in errors_of(imported)[2][2]
    assert_nothing_imported(imported)


def test_it_names_a_duplicate_of_a_line_that_is_wrong_otherwise(import_bytes: ImportText) -> None:
    """Both at once, so that one look at the file is enough; a line is one fault, so the fourth is not named twice."""
    empty = b'{"id": "good-%d", "text": ""}\n'
    imported = import_bytes(empty % 1 + GOOD % 2 + GOOD % 1 + empty % 2 + b'{"id": "good-\\u0000", "text": ""}\n')
    assert [(line, field) for line, field, _ in errors_of(imported)] == [(1, "text"), (3, "id"), (4, "text"), (5, "id")]
    assert "'good-1': line 1 of this file" in errors_of(imported)[1][2]
    assert report_of(imported)["n_errors"] == 4
    assert_nothing_imported(imported)
    imported = import_bytes(b"id,text\na,\nb,One.\na,Two.\n", "rows.csv")
    assert [(line, field) for line, field, _ in errors_of(imported)] == [(2, "text"), (4, "id")]


def test_it_finds_such_duplicates_among_thousands_of_bad_lines(import_bytes: ImportText) -> None:
    bad = b"".join(b'{"id": "good-%d", "text": ""}\n' % number for number in range(2_500))
    assert report_of(import_bytes(bad + GOOD % 0 + GOOD % 1_200 + GOOD % 2_499 + GOOD % 2_500))["n_errors"] == 2_503


def test_where_bad_lines_are_skipped_the_good_line_keeps_its_id(import_bytes: ImportText) -> None:
    imported = import_bytes(b'{"id": "good-1", "text": ""}\n' + GOOD % 1, skip_bad_lines=True)
    assert imported.state == Import.State.DONE
    assert report_of(imported)["skipped_lines"] == 1
    assert Item.objects.get().external_id == "good-1"


def test_it_tells_an_id_of_the_project_from_one_of_the_file(import_bytes: ImportText) -> None:
    import_bytes(GOOD % 1)
    imported = import_bytes(GOOD % 2 + GOOD % 1)
    ((line, field, message),) = errors_of(imported)
    assert (line, field) == (2, "id")
    assert "the project has" in message
    assert Item.objects.count() == 1


def test_it_lets_two_projects_have_the_same_ids(import_bytes: ImportText) -> None:
    elsewhere = Project.objects.get(name="Elsewhere")
    assert import_bytes(GOOD % 1).state == import_bytes(GOOD % 1, into=elsewhere).state == Import.State.DONE


def test_it_refuses_a_made_id_that_an_item_has(import_bytes: ImportText) -> None:
    import_bytes('{"id": "u_2", "text": "Mine."}')
    imported = import_bytes('{"id": "u", "text": "One here now. Two are here now."}', rows="utterance")
    assert errors_of(imported) == [(1, "id", "Duplicate id: the project has an item 'u_2' already.")]


def test_it_refuses_to_continue_a_document(import_bytes: ImportText) -> None:
    import_bytes('{"id": "a", "text": "x", "document_id": "d"}')
    imported = import_bytes('{"id": "b", "text": "y", "document_id": "d"}')
    assert [(line, field) for line, field, _ in errors_of(imported)] == [(1, "document_id")]


def test_it_lists_a_thousand_errors_and_counts_all(import_bytes: ImportText) -> None:
    imported = import_bytes(b"{}\n" * 1_250 + (GOOD % 1) * 3)
    assert report_of(imported)["n_errors"] == 1_252
    assert [error["line"] for error in report_of(imported)["errors"]] == list(range(1, 1_001))
    assert_nothing_imported(imported)


def test_it_skips_bad_lines_where_asked_and_keeps_the_first_of_duplicates(import_bytes: ImportText) -> None:
    import_bytes('{"id": "old", "text": "Was here."}')
    data = b'{"id": "a", "text": "First."}\n{bad\n{"id": "a", "text": "Second."}\n{"id": "old", "text": "New."}\n'
    imported = import_bytes(data + GOOD % 9, skip_bad_lines=True)
    assert imported.state == Import.State.DONE
    assert dict(Item.objects.values_list("external_id", "text")) == {
        "old": "Was here.",
        "a": "First.",
        "good-9": "A good line.",
    }
    report = report_of(imported)
    assert (report["skipped_lines"], report["n_errors"], report["items"], report["documents"]) == (3, 3, 2, 2)
    assert [error["line"] for error in report["errors"]] == [2, 3, 4]


def test_it_refuses_a_file_of_bad_lines_only(import_bytes: ImportText) -> None:
    imported = import_bytes(b"{}\n", skip_bad_lines=True)
    assert "No row is left" in errors_of(imported)[-1][2]
    assert_nothing_imported(imported)


@pytest.mark.parametrize("skip", [False, True])
def test_it_refuses_a_truncated_gzip_file_even_where_bad_lines_are_skipped(
    import_bytes: ImportText, skip: bool
) -> None:
    whole = gzip.compress(b"".join(GOOD % number for number in range(5_000)))
    imported = import_bytes(whole[: len(whole) // 2], "rows.jsonl.gz", skip_bad_lines=skip)
    ((line, _, message),) = errors_of(imported)
    assert line is not None and 1 < line < 5_000
    assert "damaged or ends early" in message
    assert_nothing_imported(imported)


def test_it_refuses_a_damaged_member_of_a_zip(import_bytes: ImportText) -> None:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_STORED) as archive:
        archive.writestr("utterances.jsonl", '{"id": "u", "conversation_id": "c", "speaker": "S", "text": "Abcd."}\n')
        archive.writestr("speakers.json", "{}")
        archive.writestr("conversations.json", "{}")
    imported = import_bytes(data.getvalue().replace(b"Abcd.", b"Abcx."), "corpus.zip")
    assert "Bad CRC-32" in errors_of(imported)[0][2]
    assert report_of(imported)["errors"][0]["file"] == "utterances.jsonl"
    assert_nothing_imported(imported)


def test_it_reports_options_that_do_not_fit_the_file(import_bytes: ImportText) -> None:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        archive.writestr("utterances.jsonl", "")
    imported = import_bytes(data.getvalue(), "corpus.zip", unit="document")
    assert "choose sentence or utterance" in errors_of(imported)[0][2]
    assert_nothing_imported(imported)


def test_it_writes_the_end_of_an_import_to_the_audit_log(import_bytes: ImportText) -> None:
    import_bytes(GOOD % 1)
    import_bytes(b"{}")
    verbs = Event.objects.filter(verb__startswith="import_").order_by("id").values_list("verb", flat=True)
    assert list(verbs) == ["import_created", "import_done", "import_created", "import_failed"]
