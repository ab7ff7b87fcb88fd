"""Releases as their users load them: Hugging Face `datasets`, offline, from the unpacked folder."""

import io
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pyarrow.json
import pytest
import yaml

from annotation_app.models import DatasheetAnswer, Item, Project, Release
from annotation_app.releases.dates import DATE, Dates
from annotation_app.releases.features import fields_of
from annotation_app.releases.selectors import card_preview
from annotation_app.releases.shape import released_codebooks, shape_of
from tests.aggregation.decided import decide
from tests.agreement.span_tables import fill_spans, marked
from tests.agreement.tables import Said, fill
from tests.conftest import People
from tests.export.rows import Labelled, labelled
from tests.factories import publish
from tests.releases.made import files_of, fill_second, lines_of, made, second_version, unpacked
from tests.spans import span_codebook

# Read once, when the library is imported; other tests of this process go without.
with pytest.MonkeyPatch.context() as offline:
    offline.setenv("HF_HUB_OFFLINE", "1")
    offline.setenv("HF_DATASETS_OFFLINE", "1")
    import datasets

pytestmark = pytest.mark.django_db(transaction=True)
ODD = "The 🎉 “rate”\r\nrose\u2028again.\u00a0\tEnd 👩‍🔬"


class Loader:
    """`load_dataset(folder)`, with its cache in a folder of the test."""

    def __init__(self, release: Release, at: Path) -> None:
        assert datasets.config.HF_HUB_OFFLINE
        self.root, self.cache = unpacked(release, at / "out"), at / "cache"
        self.files = files_of(release)

    def __call__(self, *config: str) -> datasets.Dataset:
        loaded = datasets.load_dataset(str(self.root), *config, cache_dir=str(self.cache))
        assert list(loaded) == ["train"]
        return loaded["train"]

    def written(self, kind: str) -> list[dict[str, Any]]:
        return lines_of(self.files[f"data/{kind}.jsonl"])


@pytest.fixture
def data(people: People) -> Labelled:
    return labelled(people)


def test_the_labels_come_back_as_they_are(data: Labelled, people: People, tmp_path: Path) -> None:
    decide(people.admin, data.items[2], {"opinion": "yes"})
    load = Loader(made(data.project), tmp_path)
    items = load()
    assert list(items) == load.written("aggregated")
    assert items["id"] == ["u0_1", "u0_2", "u1_1", "u1_2"]
    opinion = items[2]["labels"]["opinion"]
    assert (opinion["state"], opinion["label"], opinion["source"]) == ("adjudicated", "yes", "adjudication")
    assert (opinion["revised_since"], items[0]["labels"]["opinion"]["revised_since"]) == (False, None)
    assert opinion["votes"] == {"yes": 1, "no": 1, "ambiguous": 0}
    annotations = load("annotations")
    assert list(annotations) == load.written("annotations")
    assert annotations[2]["answers"]["opinion"] is None


def test_the_votes_of_sets_are_counted_label_by_label(people: People, tmp_path: Path) -> None:
    labels = [{"key": key, "name": key.title()} for key in ("joy", "anger", "fear")]
    feelings = {"type": "several", "key": "feelings", "title": "Feelings", "prompt": "Which?", "labels": labels}
    codebook = publish(people.project, {"name": "Feelings", "stages": [feelings | {"least": 0}]})
    rows = {"a": ['["joy"]', '["anger","joy"]', "[]"], "b": ["[]", "[]", '["fear"]']}
    said = {item: [Said({"feelings": each}) for each in row] for item, row in rows.items()}
    fill(people.project, people.annotators, said, codebook=codebook)
    load = Loader(made(people.project), tmp_path)
    items = load()
    assert list(items) == load.written("aggregated")
    first, second = (item["labels"]["feelings"] for item in items)
    assert (first["label"], first["votes"]) == (["joy"], {"joy": 2, "anger": 1, "fear": 0})
    assert first["raw"] == {"annotator 2": ["joy"], "annotator 3": ["anger", "joy"], "annotator 4": []}
    assert (second["label"], second["votes"]) == ([], {"joy": 0, "anger": 0, "fear": 1})


def test_the_first_records_decide_nothing(data: Labelled, people: People, tmp_path: Path) -> None:
    """A first batch without scores, votes and spans; then another version of the codebook, with all of them."""
    data.batch.batch_items.update(score=None)
    codebook = second_version(people)
    texts = {f"n{number}": f"{ODD} {number}" for number in range(3)}
    fill_second(people, texts, Said({"opinion": "unsure", "tone": "cold"}), codebook)
    load = Loader(made(data.project), tmp_path)
    items = load()
    assert list(items) == load.written("aggregated")
    assert items["acquisition_score"] == [None] * 4 + [1 / 3, 1 / 4, 1 / 5]
    assert items[4]["text"] == f"{ODD} 0"
    assert items[4]["labels"]["tone"]["raw"]["annotator 2"] == "cold"
    assert list(load("annotations")) == load.written("annotations")


def test_spans_come_back_with_their_offsets(people: People, tmp_path: Path) -> None:
    publish(people.project, span_codebook() | {"span_layer": {"categories": [{"key": "act", "name": "Act"}]}})
    alice, bob = people.annotators[:2]
    fill_spans(
        people.project,
        {"a": alice, "b": bob},
        [marked(ODD, a=[("act", "🎉", "A 🎉 comment"), "act: rose"], b=[]), marked("Plain.", a=[], b=["act: Plain"])],
    )
    load = Loader(made(people.project), tmp_path)
    for kind in ("aggregated", "annotations", "spans", "text"):
        assert list(load(kind)) == load.written(kind)
    first = load("spans")[0]
    assert (first["annotator"], first["text"]) == ("annotator 2", ODD)
    assert first["spans"] == [
        {"start": 4, "end": 5, "quote": "🎉", "category": "act", "comment": "A 🎉 comment", "source": None},
        {"start": 14, "end": 18, "quote": "rose", "category": "act", "comment": None, "source": None},
    ]
    assert all(first["text"][span["start"] : span["end"]] == span["quote"] for span in first["spans"])
    assert "labels" not in load("aggregated").column_names


def test_a_layer_without_any_annotation_keeps_nothing_from_loading(
    data: Labelled, people: People, tmp_path: Path
) -> None:
    """`spans.jsonl` is there and empty, which is no configuration that could be loaded."""
    fill_second(people, {"n1": "New."}, Said({}, "skipped"), second_version(people))
    load = Loader(made(data.project), tmp_path)
    assert load.files["data/spans.jsonl"] == b""
    assert [config["config_name"] for config in head_of(load)["configs"]] == ["aggregated", "annotations"]
    assert len(load()) == 5


def test_the_head_names_each_field_of_each_record(data: Labelled, people: People, tmp_path: Path) -> None:
    fill_second(people, {"n1": "New."}, Said({"opinion": "yes", "tone": "warm"}), second_version(people))
    load = Loader(made(data.project), tmp_path)
    head = head_of(load)
    shape = shape_of(data.project, released_codebooks(data.project))
    for info in head["dataset_info"]:
        kind = info["config_name"]
        fields = fields_of(kind, shape)
        for record in load.written(kind):
            same_keys(record, fields)
        # As the library itself would write them.
        assert load(kind).features._to_yaml_list() == info["features"]


def same_keys(value: Any, fields: Any) -> None:
    if isinstance(fields, Mapping) and value is not None:
        assert set(value) == set(fields)
        for name, part in value.items():
            same_keys(part, fields[name])
    if isinstance(fields, list):
        for part in value or []:
            same_keys(part, fields[0])


def head_of(load: Loader) -> dict[str, Any]:
    card = load.files["README.md"].decode()
    return dict(yaml.safe_load(card.split("---\n")[1]))


def answered(project: Project, people: People, **answers: str) -> None:
    for question, text in answers.items():
        DatasheetAnswer.objects.create(project=project, question=question, text=text, answered_by=people.admin.user)


def test_the_head_tells_the_hub_what_it_is(data: Labelled, people: People, tmp_path: Path) -> None:
    title = "Board: “opinions”\u2028 #1"
    answered(data.project, people, title=title, licence="CC-BY-4.0\nAnd thanks.", languages="en, de")
    load = Loader(made(data.project), tmp_path)
    head = head_of(load)
    assert {name: head[name] for name in head if name not in ("configs", "dataset_info")} == {
        "pretty_name": title,
        "license": "cc-by-4.0",
        "language": ["en", "de"],
        "task_categories": ["text-classification"],
        "size_categories": ["n<1K"],
    }
    assert head["configs"] == [
        {"config_name": "aggregated", "data_files": "data/aggregated.jsonl", "default": True},
        {"config_name": "annotations", "data_files": "data/annotations.jsonl"},
    ]
    assert len(load()) == 4


def test_what_nobody_answered_is_not_made_up(data: Labelled, people: People, tmp_path: Path) -> None:
    answered(data.project, people, languages="English and German", licence="Ask the board first.")
    head = head_of(Loader(made(data.project), tmp_path))
    assert (head["pretty_name"], head["license"], "language" in head) == ("Board", "other", False)
    DatasheetAnswer.objects.update(text="")
    assert head_of(Loader(made(data.project), tmp_path / "again"))["license"] == "unknown"


@pytest.mark.parametrize(
    ("answers", "told"),
    [
        ({"licence": "CC BY 4.0\nAnd thanks."}, {"license": "cc-by-4.0"}),
        ({"licence": "Apache 2.0"}, {"license": "apache-2.0"}),
        ({"licence": "undecided"}, {"license": "other"}),
        ({"licence": "cc-by-5.0"}, {"license": "other"}),
        ({"languages": "EN,cs ;\nhsb"}, {"license": "unknown", "language": ["en", "cs", "hsb"]}),
        ({"languages": "not yet"}, {"license": "unknown"}),
        ({"languages": "en and de"}, {"license": "unknown"}),
        ({"languages": "TBD"}, {"license": "unknown"}),
    ],
)
def test_the_head_says_only_what_the_hub_takes(people: People, answers: dict[str, str], told: dict[str, Any]) -> None:
    """The hub refuses a card whose licence it does not know; and `not` and `and` are languages too."""
    answered(people.project, people, **answers)
    head = yaml.safe_load(card_preview(people.project).split("---\n")[1])
    assert {name: head[name] for name in head if name in ("license", "language")} == told


def test_where_the_loader_takes_texts_for_times_the_card_says_so(data: Labelled, tmp_path: Path) -> None:
    data.items[0].document.external_id = "1993-07-07"
    data.items[0].document.save()
    Item.objects.filter(pk=data.items[1].pk).update(text="1993-07-07 12:00")
    load = Loader(made(data.project), tmp_path)
    items, written = load(), load.written("aggregated")
    assert written[0]["document"]["id"] == "1993-07-07"
    assert items[0]["document"]["id"] == "1993-07-07 00:00:00"
    # One text among others is left as it is.
    assert items["text"] == [each["text"] for each in written]
    assert json.loads(load.files["release.json"])["only_dates"] == {"data/aggregated.jsonl": ["document.id"]}
    assert "In `data/aggregated.jsonl` nothing but dates stands in `document.id`" in load.files["README.md"].decode()
    assert load("annotations")["created_at"] == [each["created_at"] for each in load.written("annotations")]


FIELDS = {"id": "string", "n": "int64", "document": {"id": "string"}, "turns": [{"speaker": "string"}]}
DAY = "2020-01-31"


def record(one: str | None, document: str | None, *speakers: str) -> dict[str, Any]:
    turns = [{"speaker": speaker} for speaker in speakers]
    return {"id": one, "n": 1, "document": None if document is None else {"id": document}, "turns": turns}


@pytest.mark.parametrize(
    ("records", "found"),
    [
        ([record(DAY, None)], ["id"]),
        ([record(f"{DAY}T10:00:00Z", f"{DAY} 10:00", "Ada")], ["id", "document.id"]),
        ([record("20200131", "2020", DAY, DAY)], ["turns[].speaker"]),
        ([record(None, DAY), record(None, "x")], []),
        ([], []),
    ],
)
def test_fields_of_nothing_but_dates_are_found(records: list[dict[str, Any]], found: list[str]) -> None:
    dates = Dates(FIELDS)
    for each in records:
        dates.see(each)
    assert dates.found == found


@pytest.mark.parametrize(
    "text",
    [DAY, "20200131", "2020", "2020-01", "31-01-2020"]
    + [f"{DAY}{more}" for more in (" 10", " 1000", "T10:00", " 10:00:00", "T10:00:00Z", "Z", "T10:00:00+01:00", "x")]
    + [f"{DAY}T10:00:00.5Z"],
)
def test_what_is_a_date_is_what_the_reader_takes_for_one(text: str) -> None:
    column = pyarrow.json.read_json(io.BytesIO(json.dumps({"a": text}).encode()))["a"]
    assert pyarrow.types.is_timestamp(column.type) == (DATE.fullmatch(text) is not None)


def test_typed_columns_that_were_imported_load_as_they_came(data: Labelled, tmp_path: Path) -> None:
    scalars = {"party": "left", "seats": -3, "share": 0.5, "old": False}
    for item in data.items:
        Item.objects.filter(pk=item.pk).update(meta=scalars | {"tags": ["tax", 2], "mixed": 1})
    Item.objects.filter(pk=data.items[1].pk).update(meta={"share": 2, "mixed": "one"})
    load = Loader(made(data.project), tmp_path)
    items = load()
    first, second = items[0]["meta"], items[1]["meta"]
    assert {name: first[name] for name in scalars} == scalars
    assert (json.loads(first["tags"]), json.loads(first["mixed"])) == (["tax", 2], 1)
    assert json.loads(second["mixed"]) == "one"
    assert (second["party"], second["seats"], second["share"], second["old"]) == (None, None, 2.0, None)
    assert str(items.features["meta"]["seats"].dtype) == "int64"
    card = (load.root / "README.md").read_text()
    assert "Under `meta`, what came with the texts when they were imported: `mixed`, `old`, `party`," in card
