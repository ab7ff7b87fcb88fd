"""A type of question that no product code knows: what it declares is what files and loaders get."""

import csv
import io
from pathlib import Path
from typing import Any

import pytest
from django.utils import timezone

from annotation_app.codebook.definition import DefinitionError, parse_definition
from annotation_app.codebook.question_types import QUESTION_TYPES
from annotation_app.export.options import ExportOptions
from annotation_app.export.stream import export_open
from annotation_app.models import CodebookVersion
from annotation_app.releases.features import fields_of
from annotation_app.releases.shape import released_codebooks, shape_of
from annotation_app.rounds.spec import RoundSpec, stages_check
from tests.agreement.tables import Said, fill
from tests.codebook.codebook_examples import stage
from tests.codebook.count_type import CountStage
from tests.conftest import People
from tests.releases.made import files_of, lines_of, made

pytestmark = pytest.mark.django_db(transaction=True)
COUNT = {"type": "count", "key": "numbers", "title": "Numbers", "prompt": "How many numbers does it name?"}


@pytest.fixture
def counted(people: People, settings: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> People:
    """Two items, answered by three people: a majority of 12, then three different answers."""
    settings.MEDIA_ROOT = tmp_path / "media"
    monkeypatch.setitem(QUESTION_TYPES, "count", CountStage)
    codebook = CodebookVersion.objects.create(
        project=people.project,
        version=2,
        state=CodebookVersion.State.PUBLISHED,
        published_at=timezone.now(),
        definition={"name": "Counts", "stages": [stage("first"), COUNT], "learning": {"stage": "first"}},
        created_by=people.project.created_by,
    )
    rows = {"i1": ["12", "12", "3"], "i2": ["0", "7", "12"]}
    said = {item: [Said({"first": "no", "numbers": each}) for each in row] for item, row in rows.items()}
    fill(people.project, people.annotators, said, codebook=codebook)
    return people


def test_a_codebook_may_have_no_other_question(monkeypatch: pytest.MonkeyPatch) -> None:
    """There is nothing to learn then, so that nothing need be named as `learning`."""
    monkeypatch.setitem(QUESTION_TYPES, "count", CountStage)
    codebook = parse_definition({"name": "Counts", "stages": [COUNT]})
    assert (codebook.learning, codebook.never_learned, codebook.label_stages) == (None, (), ())
    drawn = RoundSpec.model_construct(strategy="random", learning_stages=())
    assert stages_check(drawn, codebook) == {}
    assert set(stages_check(drawn.model_copy(update={"strategy": "entropy"}), codebook)) == {"strategy"}
    with pytest.raises(DefinitionError, match="learning: is missing"):
        parse_definition({"name": "Counts", "stages": [COUNT, stage("first")]})


def exported(people: People, kind: str, form: str) -> str:
    return b"".join(export_open(kind=kind, options=ExportOptions(people.project), written_as=form)).decode()


def test_exports_write_its_answers_in_its_own_type(counted: People) -> None:
    first, second = (each["labels"]["numbers"] for each in lines_of(exported(counted, "aggregated", "jsonl").encode()))
    assert (first["state"], first["label"], first["votes"]) == ("majority", 12, {"3": 1, "12": 2})
    assert first["raw"] == {"annotator 2": 12, "annotator 3": 12, "annotator 4": 3}
    assert (second["state"], second["label"]) == ("no_majority", None)
    answers = [each["answers"]["numbers"] for each in lines_of(exported(counted, "annotations", "jsonl").encode())]
    assert answers == [12, 12, 3, 0, 7, 12]


def test_tables_name_its_answers(counted: People) -> None:
    items = list(csv.DictReader(io.StringIO(exported(counted, "aggregated", "csv"), newline="")))
    assert [(each["numbers_label"], each["numbers_name"]) for each in items] == [("12", "12 times"), ("", "")]
    answers = list(csv.DictReader(io.StringIO(exported(counted, "annotations", "csv"), newline="")))
    told = [(each["label"], each["label_name"]) for each in answers if each["stage"] == "numbers"]
    assert told == [(each, f"{each} times") for each in ("12", "12", "3", "0", "7", "12")]


def test_a_release_declares_its_type_and_holds_its_answers(counted: People) -> None:
    files = files_of(made(counted.project))
    (first, _) = lines_of(files["data/aggregated.jsonl"])
    numbers = first["labels"]["numbers"]
    assert (numbers["label"], set(numbers["raw"].values()), "votes" in numbers) == (12, {12, 3}, False)
    assert lines_of(files["data/annotations.jsonl"])[3]["answers"]["numbers"] == 0
    shape = shape_of(counted.project, released_codebooks(counted.project))
    declared = fields_of("aggregated", shape)["labels"]["numbers"]
    assert (declared["label"], set(declared["raw"].values()), "votes" in declared) == ("int64", {"int64"}, False)
    assert fields_of("annotations", shape)["answers"] == {"first": "string", "numbers": "int64"}
