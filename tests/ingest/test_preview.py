"""What an import would bring is told before it, by the same reader, and nothing is kept."""

import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from rest_framework.test import APIClient

from annotation_app.ingest import preview
from annotation_app.models import Document, Event, Import, Item, Membership
from tests.conftest import People
from tests.ingest.conftest import ImportText

pytestmark = pytest.mark.django_db(transaction=True)
ClientOf = Callable[[Membership], APIClient]
Ask = Callable[..., Any]
# Of a gzip file the last unpacked block is lost with its end.
MANY = "".join(f"b{number},{number**9}\n" for number in range(5_000)).encode()
TABLE = "ID;Text;Speaker;party;timestamp\na1;Prices rose again.;Ada;left;1\na2;Rates fell.;Bo;right;2\n"


@pytest.fixture
def ask(people: People, client_of: ClientOf, settings: Any, tmp_path: Path) -> Ask:
    settings.MEDIA_ROOT = tmp_path / "media"

    def send(data: bytes | str, name: str = "rows.csv", **form: Any) -> Any:
        file = SimpleUploadedFile(name, data.encode() if isinstance(data, str) else data)
        path = f"/api/projects/{people.project.uuid}/imports/preview/"
        answer = client_of(people.admin).post(path, {"file": file, **form}, format="multipart")
        stored = [path for path in (tmp_path / "media").rglob("*") if path.is_file()]
        assert (Import.objects.filter(filename=name).count(), stored) == (0, [])
        assert not Event.objects.filter(verb="import_created", data__filename=name).exists()
        return answer

    return send


def shown(answer: Any) -> dict[str, Any]:
    assert answer.status_code == 200, answer.data
    return dict(answer.json())


def test_it_tells_how_a_table_is_read_and_what_its_columns_become(ask: Ask) -> None:
    told = shown(ask(TABLE, unit="document"))
    assert (told["format"], told["whole"], told["rows"], told["imports"]) == ("csv", True, 2, True)
    assert (told["report"]["delimiter"], told["report"]["encoding"]) == ("semicolon", {"name": "utf-8", "how": "seen"})
    assert [(column["name"], column["becomes"]) for column in told["columns"]] == [
        ("ID", "id"),
        ("Text", "text"),
        ("Speaker", "speaker"),
        ("party", "meta"),
        ("timestamp", "timestamp"),
    ]
    assert told["first"][0] == {
        "line": 2,
        "id": "a1",
        "text": "Prices rose again.",
        "is_cut": False,
        "speaker": "Ada",
        "document": "a1",
        "title": "",
        "left_out": "",
        "meta": {"party": "left", "timestamp": "1"},
    }
    assert (told["report"]["items"], told["report"]["kept"], told["estimated"]) == (2, 2, False)
    assert not Item.objects.exists()
    assert not Document.objects.exists()


def test_a_column_of_a_table_becomes_only_what_the_import_takes_it_for(ask: Ask) -> None:
    """Rows of a table belong together by one column; its cells hold no objects."""
    told = shown(ask("id,text,conversation_id,document\na,One.,c,d\nb,Two.,c,d\n", unit="document"))
    columns = {column["name"]: column["becomes"] for column in told["columns"]}
    assert columns == {"id": "id", "text": "text", "conversation_id": "document_id", "document": "meta"}
    assert (told["report"]["documents"], set(told["first"][0]["meta"])) == (1, {"document"})
    told = shown(ask('{"id": "a", "text": "One.", "document": {"id": "d", "title": "D"}}\n', name="rows.jsonl"))
    assert {"name": "document", "becomes": "document_id"} in told["columns"]


def test_it_counts_what_limits_leave_out(ask: Ask) -> None:
    rows = "id,text\n" + "".join(
        f"r{number},{' '.join(['word'] * words)}\n" for number, words in enumerate([3, 5, 501])
    )
    told = shown(ask(rows, unit="document", min_tokens="4", max_tokens="500"))
    report = told["report"]
    assert (report["items"], report["kept"]) == (3, 1)
    assert (report["left_out"], report["left_out_utterances"]) == (
        {"too_short": 1, "too_long": 1},
        {"too_short": 1, "too_long": 1},
    )
    assert [item["left_out"] for item in told["first"]] == ["too_short", "", "too_long"]
    # A long text is shown by its beginning.
    assert (len(told["first"][2]["text"]), told["first"][2]["is_cut"]) == (400, True)


def test_it_cuts_sentences_as_the_import_does(ask: Ask, import_bytes: ImportText, people: People) -> None:
    text = "The Board met again on Monday. It raised its main rate. Nobody voted against that."
    line = json.dumps({"id": "m1", "text": text, "party": 3}) + "\n"
    told = shown(ask(line, "rows.jsonl", unit="sentence", rows="utterance"))
    assert [item["id"] for item in told["first"]] == ["m1_1", "m1_2", "m1_3"]
    assert told["first"][1]["text"] == "It raised its main rate."
    assert (told["report"]["items"], told["report"]["splitter"]["name"]) == (3, "blank")
    imported = import_bytes(line, unit="sentence", rows="utterance")
    same = ("documents", "utterances", "items", "kept", "left_out", "left_out_utterances", "splitter", "columns")
    assert {name: told["report"][name] for name in same} == {name: (imported.report or {})[name] for name in same}


def test_it_estimates_sentences_beyond_a_sample(ask: Ask, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(preview, "SPLIT_CHARACTERS", 100)
    # 50 characters and two sentences a row: the first two rows are cut, and stand for the other eight.
    row = "The Board met on Monday. It left all rates alone. "
    lines = "".join(json.dumps({"id": f"m{number}", "text": row}) + "\n" for number in range(10))
    told = shown(ask(lines, "rows.jsonl", unit="sentence", rows="utterance"))
    assert (len(row), told["estimated"], told["rows"]) == (50, True, 10)
    assert (told["report"]["items"], told["report"]["kept"]) == (20, 20)


def test_it_names_faults_and_ids_that_the_project_has(ask: Ask, import_bytes: ImportText) -> None:
    import_bytes("id,text\na1,Prices rose again.\n", "earlier.csv", unit="document")
    data = "id,text\na1,Prices rose again.\na2,\na3,Rates fell.\na3,Rates fell twice.\n"
    told = shown(ask(data, unit="document"))
    assert (told["in_project"], told["imports"], told["report"]["skippable"]) == (1, False, True)
    assert [(fault["line"], fault["field"]) for fault in told["report"]["errors"]] == [
        (2, "id"),
        (3, "text"),
        (5, "id"),
    ]
    told = shown(ask(data, unit="document", skip_bad_lines="true", skip_existing="true"))
    assert (told["imports"], told["report"]["items"], told["report"]["existing"]) == (True, 1, 1)
    assert told["report"]["skipped_lines"] == 2
    told = shown(ask("id,text\na1,Prices rose again.\n", unit="document", skip_existing="true"))
    assert not told["imports"]
    assert "Nothing is new" in told["report"]["errors"][0]["message"]


TWEETS = "tweet_id,Sentence,tweet\nt1,Prices rose again.,RT\nt2,Rates fell.,RT\n"


def test_a_chosen_column_is_read_alike_by_preview_and_import(ask: Ask, import_bytes: ImportText) -> None:
    told = shown(ask(TWEETS, unit="document"))
    assert told["report"]["mapping"][1] == {"field": "text", "column": "Sentence", "how": "guessed"}
    columns = {"text": "tweet", "title": "Sentence"}
    told = shown(ask(TWEETS, unit="document", columns=json.dumps(columns)))
    assert [(column["name"], column["becomes"]) for column in told["columns"]] == [
        ("tweet_id", "id"),
        ("Sentence", "title"),
        ("tweet", "text"),
    ]
    assert (told["first"][0]["text"], told["first"][0]["title"]) == ("RT", "Prices rose again.")
    imported = import_bytes(TWEETS, "tweets.csv", unit="document", columns=columns)
    assert imported.options["columns"] == columns
    assert (imported.report or {})["mapping"] == told["report"]["mapping"]
    assert list(Item.objects.order_by("pk").values_list("external_id", "text")) == [("t1", "RT"), ("t2", "RT")]
    assert Document.objects.get(external_id="t2").title == "Rates fell."


def test_a_file_without_a_text_column_still_tells_its_columns(ask: Ask) -> None:
    told = shown(ask("nr,Aussage\n1,Rates fell.\n", unit="document"))
    assert [column["name"] for column in told["columns"]] == ["nr", "Aussage"]
    assert told["report"]["errors"][0]["field"] == "text"
    told = shown(ask("nr,Aussage\n1,Rates fell.\n", unit="document", columns='{"text": "Aussage", "id": "nr"}'))
    assert (told["imports"], told["first"][0]["id"]) == (True, "1")


@pytest.mark.parametrize("columns", ["{", "[1]", "3", '{"text": 3}', '{"words": "Aussage"}'])
def test_a_choice_of_columns_that_is_none_is_refused_at_its_field(ask: Ask, columns: str) -> None:
    answer = ask(TWEETS, columns=columns)
    assert (answer.status_code, list(answer.json()["errors"])) == (400, ["columns"])


def test_another_encoding_and_delimiter_change_what_is_shown(ask: Ask) -> None:
    data = "id;text\na1;Caf\u00e9 cr\u00e8me\n".encode("cp1252")
    told = shown(ask(data, unit="document"))
    assert (told["report"]["encoding"]["how"], told["first"][0]["text"]) == ("guessed", "Caf\u00e9 cr\u00e8me")
    told = shown(ask(data, unit="document", encoding="cp1251"))
    assert told["report"]["encoding"] == {"name": "cp1251", "how": "asked"}
    assert told["first"][0]["text"] == data.decode("cp1251").split(";")[-1].strip()
    told = shown(ask(data, unit="document", delimiter="comma"))
    assert "Missing column 'text'" in told["report"]["errors"][0]["message"]


@pytest.mark.parametrize("packed", [False, True])
def test_of_a_large_file_it_reads_a_part_and_says_so(ask: Ask, monkeypatch: pytest.MonkeyPatch, packed: bool) -> None:
    monkeypatch.setattr(preview, "MOST_BYTES", 4096)
    data = "id,text\n" + "".join(f"r{number:05},Rates fell.\n" for number in range(1_000))
    told = shown(ask(gzip.compress(data.encode()) if packed else data, unit="document"))
    # 4,096 bytes hold the header (8) and 215 whole rows of 19.
    assert (told["whole"], told["rows"], told["imports"]) == (False, 215, True)
    monkeypatch.setattr(preview, "MOST_BYTES", 10**6)
    monkeypatch.setattr(preview, "MOST_ROWS", 7)
    told = shown(ask(data, unit="document"))
    assert (told["whole"], told["rows"]) == (False, 7)


@pytest.mark.parametrize(
    "file",
    [
        ("rows.csv", b"id,text\na1,Rates fell.\na2,Rates ro"),
        ("rows.jsonl", b'{"id": "a1", "text": "Rates fell."}\n{"id": "a2", "te'),
        ("rows.csv.gz", gzip.compress(b"id,text\na1,Rates fell.\n" + MANY)[:-9]),
    ],
)
def test_of_a_beginning_only_whole_rows_count(ask: Ask, file: tuple[str, bytes]) -> None:
    name, data = file
    told = shown(ask(data, name, unit="document", is_cut="true"))
    assert (told["whole"], told["report"]["errors"], told["first"][0]["id"]) == (False, [], "a1")


def test_a_file_of_another_kind_is_named(ask: Ask) -> None:
    told = shown(ask(b"%PDF-1.7 ...", "talk.pdf"))
    assert (told["imports"], told["report"]["skippable"]) == (False, False)
    assert "This is a PDF document" in told["report"]["errors"][0]["message"]


def test_options_that_do_not_go_together_are_refused_at_their_field(ask: Ask) -> None:
    assert list(ask(TABLE, unit="sentence", splitter="no_such_pipeline").json()["errors"]) == ["splitter"]
    assert list(ask(TABLE, unit="document", rows="sentence").json()["errors"]) == ["rows"]


def test_the_command_makes_a_dry_run(people: People, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "rows.csv").write_text(TABLE)
    call_command("import_corpus", "Board", str(tmp_path / "rows.csv"), "--unit=document", "--dry-run")
    said = capsys.readouterr().out
    assert "2 documents, 2 utterances, 2 items." in said
    assert "Columns: ID (id), Text (text), Speaker (speaker), party (meta), timestamp (timestamp)." in said
    assert "nothing was stored" in said
    (tmp_path / "bad.csv").write_text("id,text\na1,\n")
    with pytest.raises(CommandError, match="Nothing would be imported: 1 errors"):
        call_command("import_corpus", "Board", str(tmp_path / "bad.csv"), "--unit=document", "--dry-run")
    assert "bad.csv:2: text: Empty text" in capsys.readouterr().err
    assert not Import.objects.exists()
