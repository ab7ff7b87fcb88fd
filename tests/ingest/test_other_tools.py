"""Exports of other tools: texts with their spans, offsets checked against the text, and labels made categories."""

import gzip
import io
import json
import zipfile
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation_app.ingest.formats import READERS, format_of
from annotation_app.ingest.options import ImportOptions
from annotation_app.ingest.preview import import_preview
from annotation_app.ingest.readers.foreign import from_utf16, in_code_points, wide_starts
from annotation_app.ingest.rows import BadLine, Fault, ImportRow
from annotation_app.ingest.source import ReadingOptions, Source
from annotation_app.models import Import, ImportedSpans, Project
from tests.ingest.conftest import ImportText
from tests.ingest.faults import assert_nothing_imported
from tests.ingest.stand_off import project as project

TEXT = "\U0001f4a9 The Fed met in Rome."
# In code points; in UTF-16 units each is one more.
FED, ROME = (6, 9), (17, 21)


def read(name: str, data: str | bytes, *, number_rows: bool = False) -> list[ImportRow | BadLine]:
    file = io.BytesIO(data.encode() if isinstance(data, str) else data)
    source = Source("export.x", file=file, manner=ReadingOptions(number_rows=number_rows))
    return list(READERS[format_of(source, name)](source))


def spans(row: ImportRow | BadLine) -> list[tuple[str, str]]:
    assert isinstance(row, ImportRow), row
    return [(row.text[span.start : span.end], span.category) for span in row.spans]


def task(*results: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"id": 7, "data": {"text": TEXT, "party": "A"}, "annotations": [{"result": list(results)}], **more}


def ranged(start: int, end: int, label: str, words: str | None = None) -> dict[str, Any]:
    value = {"start": start, "end": end, "labels": [label]} | ({} if words is None else {"text": words})
    return {"type": "labels", "value": value}


@pytest.mark.parametrize("shift", [0, 1])
def test_label_studio_counts_code_points_or_utf16_units(shift: int) -> None:
    """The words tell which, version by version."""
    choice = {"type": "choices", "value": {"choices": ["news"]}}
    found = (
        ranged(FED[0] + shift, FED[1] + shift, "ORG", "Fed"),
        ranged(ROME[0] + shift, ROME[1] + shift, "LOC", "Rome"),
    )
    (row,) = read("label_studio", json.dumps([task(*found, choice)]))
    assert spans(row) == [("Fed", "ORG"), ("Rome", "LOC")]
    assert isinstance(row, ImportRow) and row.id == "7" and row.meta == {"party": "A", "results": [choice]}


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (task(ranged(*FED, "ORG", "Bank")), "is not 'Bank', which the file gives"),
        (task(ranged(*FED, "ORG")), "may count code points or UTF-16 units, which differ in this text"),
        (task(ranged(90, 95, "ORG")), "no range of a text"),
        (task({"type": "labels", "value": {"start": "/p[1]", "end": 4, "labels": ["A"]}}), "must be a whole number"),
        (task(annotations=[{"result": [ranged(*FED, "A", "Fed")]}, {"result": []}]), "2 annotations that differ"),
        ({"id": 1, "data": {"a": "x", "b": "y"}}, "Holds 2 texts"),
        ({"id": 1, "text": "x"}, "no task of Label Studio"),
    ],
)
def test_label_studio_names_what_cannot_be_read(given: dict[str, Any], said: str) -> None:
    (row,) = read("label_studio", json.dumps([given]))
    assert isinstance(row, BadLine) and said in row.message


def test_label_studio_takes_the_ground_truth_of_several_annotations() -> None:
    truth = {"result": [ranged(*FED, "ORG", "Fed")], "ground_truth": True}
    cancelled = {"result": [ranged(*ROME, "LOC", "Rome")], "was_cancelled": True}
    (row,) = read("label_studio", json.dumps([task(annotations=[{"result": []}, truth, cancelled])]))
    assert spans(row) == [("Fed", "ORG")]


def test_doccano_counts_utf16_units() -> None:
    lines = [
        {"id": 1, "text": TEXT, "label": [[7, 10, "ORG"]], "Comments": []},
        {"id": 2, "text": TEXT, "entities": [{"id": 5, "label": "LOC", "start_offset": 18, "end_offset": 22}]},
        {"id": 3, "text": "All of it.", "label": ["news"]},
        {"id": 4, "text": TEXT, "label": [[1, 4, "ORG"]]},
    ]
    first, second, third, cut = read("doccano", "\n".join(map(json.dumps, lines)))
    assert (spans(first), spans(second), spans(third)) == ([("Fed", "ORG")], [("Rome", "LOC")], [])
    assert isinstance(third, ImportRow) and third.meta == {"label": ["news"]}
    assert isinstance(cut, BadLine) and "1 to 4 is no range of the text, counted in UTF-16 units" in cut.message


def test_conll_reads_tags_of_every_scheme() -> None:
    iob2 = "# sent_id = a\nThe DT O\nNew NNP B-ORG\nYork NNP I-ORG\nFed NNP B-ORG\nmet VBD O\n"
    iobes = "-DOCSTART- -X- O\n\nJane\tB-PER\nDoe\tE-PER\nRome\tS-LOC\n"
    iob1 = "Rome I-LOC\nParis I-LOC\nBonn B-LOC\n"
    first, second, third = read("conll", f"{iob2}\n{iobes}\n{iob1}")
    assert spans(first) == [("New York", "ORG"), ("Fed", "ORG")]
    assert spans(second) == [("Jane Doe", "PER"), ("Rome", "LOC")]
    assert spans(third) == [("Rome Paris", "LOC"), ("Bonn", "LOC")]
    assert [row.id for row in (first, second, third) if isinstance(row, ImportRow)] == ["a", "export-2", "export-3"]
    (bad,) = read("conll", "Rome LOC\n")
    assert isinstance(bad, BadLine) and bad.line == 1 and "'LOC' is no tag" in bad.message


def test_conll_tells_comments_from_tokens() -> None:
    comments = "# newdoc id = d\n# newpar\n#\n# sent_id = a\n# text = Vitamin B-12\nRome\tB-LOC\n"
    given = [comments, "#x=1\tB-X\nis\tO\n", "#a=b B-X\n", "# # O\n3 CD B-NUM\n", "#\tB-X\n"]
    rows = read("conll", "\n".join(given))
    assert [row.text for row in rows if isinstance(row, ImportRow)] == ["Rome", "#x=1 is", "#a=b", "# 3", "#"]
    assert [spans(row) for row in rows[1:]] == [[("#x=1", "X")], [("#a=b", "X")], [("3", "NUM")], [("#", "X")]]
    assert isinstance(rows[0], ImportRow) and rows[0].id == "a"


def test_conll_reports_a_line_that_is_too_long_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("annotation_app.ingest.lines.MAX_LINE_CHARACTERS", 20)
    long = "x" * 30 + " O\n"
    first, second, third = read("conll", f"Rome B-LOC\n\n{long}\nBonn B-LOC\n{long}")
    assert spans(first) == [("Rome", "LOC")]
    assert [(bad.line, "longer than 20" in bad.message) for bad in (second, third) if isinstance(bad, BadLine)] == [
        (3, True),
        (6, True),
    ]
    (alone,) = read("conll", long)
    assert isinstance(alone, BadLine) and alone.line == 1


def zipped(files: Mapping[str, str]) -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return data.getvalue()


def test_brat_reads_stand_off_and_keeps_the_rest() -> None:
    marks = "T1\tORG 6 9\tFed\nT2\tLOC 17 21\tRome\nR1\tIn Arg1:T1 Arg2:T2\n"
    gap, wrong = "T1\tORG 0 1;2 3\tx y\n", "T1\tORG 0 3\tBank\n"
    data = zipped(
        {
            "a.txt": TEXT,
            "a.ann": marks,
            "b.txt": "Nothing.",
            "c.txt": "x y z",
            "c.ann": gap,
            "d.txt": "Fed",
            "d.ann": wrong,
        }
    )
    source = Source("export.zip", file=io.BytesIO(data))
    assert format_of(source, "auto") == "brat"
    first, second, third, fourth = READERS["brat"](source)
    assert spans(first) == [("Fed", "ORG"), ("Rome", "LOC")] and spans(second) == []
    assert isinstance(first, ImportRow) and (first.id, first.meta) == ("a", {"brat": ["R1\tIn Arg1:T1 Arg2:T2"]})
    assert isinstance(third, BadLine) and "has gaps" in third.message
    assert isinstance(fourth, BadLine) and "is not 'Bank'" in fourth.message


def test_brat_takes_any_case_and_reports_what_is_nobodys() -> None:
    given = {"a.txt": TEXT, "a.ANN": "T1\tORG 6 9\tFed\n", "B.TXT": "Rome", "b.ann": "T1\tLOC 0 4\tRome\r\n"}
    lost = {"gone.ann": "T1\tORG 0 1\tx\n", "c.txt": "x", "c.ann": "", "c.Ann": "T1\tA 0 1\tx\n"}
    found = {each.file: each for each in read("brat", zipped(given | lost))}
    assert (spans(found["a.txt"]), spans(found["B.TXT"])) == ([("Fed", "ORG")], [("Rome", "LOC")])
    faults = {name: each.message for name, each in found.items() if isinstance(each, BadLine)}
    assert faults.keys() == {"gone.ann", "c.ann"}
    assert "add gone.txt" in faults["gone.ann"] and "named like c.txt" in faults["c.ann"]


def test_brat_cuts_lines_at_line_feeds_alone() -> None:
    text = "The\u2028Fed\x85met\x0cin Rome."
    marks = f"T1\tORG 0 15\t{text[:15]}\r\n#1\tAnnotatorNotes T1\tsaid\u2028so\nT2\tLOC 15 19\tRome"
    (row,) = read("brat", zipped({"a.txt": text, "a.ann": marks}))
    assert spans(row) == [(text[:15], "ORG"), ("Rome", "LOC")]
    assert isinstance(row, ImportRow) and row.meta == {"brat": ["#1\tAnnotatorNotes T1\tsaid\u2028so"]}


def test_units_are_counted_once_for_a_text() -> None:
    text = f"{TEXT} {'word ' * 2000}"
    line = {"id": 1, "text": text, "label": [[place, place + 1, "A"] for place in range(3, 2003)]}
    before = wide_starts.cache_info().misses
    (row,) = read("doccano", json.dumps(line))
    assert len(spans(row)) == 2000 and wide_starts.cache_info().misses <= before + 1
    assert [from_utf16(text, at, len(text) + 1) is None for at in (0, 1, 2)] == [False, True, False]
    assert from_utf16(text, 0, len(text) + 2) is None


LABELLED = {"id": 1, "text": TEXT, "label": [[7, 10, "ORG"]]}


@pytest.mark.parametrize(
    ("given", "format_found"),
    [
        (json.dumps([task(ranged(*FED, "ORG", "Fed"))], indent=2), "label_studio"),
        (json.dumps([{"data": {"text": "a"}, "annotations": [], "id": 1}]), "label_studio"),
        (json.dumps([{"id": "a", "text": "b", "data": {}, "annotations": []}]), "json"),
        (json.dumps([{"id": "a", "data": {}, "annotations": [{"label": "x"}]}]), "json"),
        (json.dumps(LABELLED | {"Comments": []}), "doccano"),
        (
            json.dumps({"text": "a", "label": [], "Comments": []}) + "\n" + json.dumps(LABELLED | {"Comments": []}),
            "doccano",
        ),
        (json.dumps({"text": "a", "entities": [{"label": "X", "start_offset": 0, "end_offset": 1}]}), "doccano"),
        (json.dumps(LABELLED), "jsonl"),
        (json.dumps({"id": 1, "text": "a", "label": ["news"], "Comments": []}), "jsonl"),
        (json.dumps({"id": 1, "text": "a", "spans": [{"start": 0, "end": 1, "category": "act"}]}), "jsonl"),
        ("-DOCSTART- -X- O\n\nNew NNP B-ORG\nYork NNP I-ORG\n", "conll"),
        ("# newdoc\n# sent_id = a\n1\tRome\tB-LOC\n2\tis\tO\n", "conll"),
        ("token\ttag\nRome\tB-LOC\nis\tO\n", "csv"),
        ("id,text\na,vitamin B-12\nb,vitamin B-6\n", "csv"),
        ("a O\nb O\n", "csv"),
    ],
)
def test_exports_are_told_where_it_is_certain(given: str, format_found: str) -> None:
    for data in (given.encode(), gzip.compress(given.encode()), given.encode("utf-16")):
        assert format_of(Source("export.x", file=io.BytesIO(data)), "auto") == format_found
    plain = Source("x", file=io.BytesIO(given.encode()), manner=ReadingOptions(columns={"text": "body"}))
    assert format_of(plain, "auto") in ("json", "jsonl", "csv")
    assert format_of(Source("x", file=io.BytesIO(given.encode())), "csv") == "csv"


def test_a_cut_or_damaged_export_is_told_by_what_there_is() -> None:
    lines = "\n".join(json.dumps(LABELLED | {"id": n, "text": TEXT + str(n) * 9, "Comments": []}) for n in range(5000))
    cut = gzip.compress(lines.encode())[:-400]
    assert format_of(Source("x.gz", file=io.BytesIO(cut)), "auto") == "doccano"
    assert format_of(Source("x", file=io.BytesIO(lines.encode()[: 256 * 1024 + 7])), "auto") == "doccano"


texts = st.text(st.sampled_from("ab\u00e9\u4e2d\U0001f4a9\U0001f600 "), min_size=1, max_size=12)


@given(texts, st.data())
def test_utf16_offsets_come_back_as_code_points(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start + 1, len(text)))
    units = [len(text[:at].encode("utf-16-le")) // 2 for at in (start, end)]
    assert from_utf16(text, *units) == (start, end)


@given(texts, st.data(), st.booleans())
def test_a_range_is_never_read_wrongly(text: str, data: st.DataObject, in_units: bool) -> None:
    """With its words, a range of either unit is the right one or is refused: the true reading always fits the words."""
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start + 1, len(text)))
    given_as = [len(text[:at].encode("utf-16-le")) // 2 for at in (start, end)] if in_units else [start, end]
    try:
        found = in_code_points(text, *given_as, text[start:end], "span")
    except Fault as fault:
        assert "differ in this text" in fault.message and not text.isascii()
    else:
        assert found == (start, end)


@pytest.mark.django_db(transaction=True)
def test_labels_become_categories_by_name_or_choice(project: Project, import_bytes: ImportText) -> None:
    lines = json.dumps([task(ranged(*FED, "ORG", "Fed"), ranged(*ROME, "What is done", "Rome"))])
    options: dict[str, Any] = {"format": "label_studio", "unit": "document"}

    def preview(**more: Any) -> Any:
        source = Source("x.json", file=io.BytesIO(lines.encode()))
        return import_preview(project=project, source=source, options=ImportOptions(**options, **more))

    before = preview()
    assert before.labels == [
        {"name": "ORG", "n": 1, "category": None},
        {"name": "What is done", "n": 1, "category": "act"},
    ]
    assert {"name": "spans", "becomes": "spans"} in before.columns
    assert not before.imports and [each["key"] for each in before.categories] == ["act", "reference", "plain"]
    failed = import_bytes(lines, **options)
    assert_nothing_imported(failed)

    left_out = preview(categories={"ORG": ""})
    assert left_out.imports and left_out.labels[0]["category"] == "" and left_out.report["marks"] == 1
    done = import_bytes(lines, **options, categories={"ORG": "plain"})
    assert done.state == Import.State.DONE, done.report
    marks = ImportedSpans.objects.get().spans
    assert [(each["start"], each["end"], each["category"]) for each in marks] == [(6, 9, "plain"), (17, 21, "act")]
