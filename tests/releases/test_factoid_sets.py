"""The export of a text set: loaded by Hugging Face `datasets`, read by the command on files, and imported again."""

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from al_worker.factoids.reading import factoid_list
from annotation_app.models import Event, Membership
from annotation_app.releases.factoid_records import FIELDS
from tests.conftest import People
from tests.factoids.api import define, factoid, get_list, list_in, upload
from tests.releases.worked_set import ALICE, TEXTS, Client, Worked

# Read once, when the library is imported; other tests of this process go without.
with pytest.MonkeyPatch.context() as offline:
    offline.setenv("HF_HUB_OFFLINE", "1")
    offline.setenv("HF_DATASETS_OFFLINE", "1")
    import datasets


@pytest.fixture
def worked(people: People, client_of: Client) -> Worked:
    return Worked(people, client_of)


def lines(folder: Path, name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()]


# Without a transaction around the test, the export is one that may only read.
@pytest.mark.django_db(transaction=True)
def test_datasets_loads_every_file_as_it_is(worked: Worked, tmp_path: Path) -> None:
    assert datasets.config.HF_HUB_OFFLINE
    folder = worked.exported(tmp_path)
    names = {path.stem for path in folder.glob("*.jsonl")}
    assert names == set(FIELDS)
    for name in FIELDS:
        assert lines(folder, name), name
        loaded = datasets.load_dataset(str(folder), name, split="train", cache_dir=str(tmp_path / "cache"))
        assert list(loaded) == lines(folder, name), name
    whole = datasets.load_dataset(str(folder), split="train", cache_dir=str(tmp_path / "cache"))
    assert list(whole) == lines(folder, "factoids")


def test_the_records_say_what_was_done(worked: Worked, tmp_path: Path) -> None:
    folder = worked.exported(tmp_path)
    assert [each["id"] for each in lines(folder, "texts")] == ["M01", "M02", "M03"]
    phases = [(each["phase"], each["kind"], each["step"], each["follows"]) for each in lines(folder, "phases")]
    assert phases == [
        (1, "definition", "independent", None),
        (2, "annotation", "independent", None),
        (3, "annotation", "second_look", 2),
    ]
    assert lines(folder, "phases")[1]["annotators"] == ["annotator 2", "annotator 3"]
    lists = {each["list"]: each for each in lines(folder, "lists")}
    assert list(lists) == [
        *(f"phase-{phase}-annotator-{number}" for phase in (1, 2, 3) for number in (2, 3)),
        "version-1",
    ]
    assert lists["version-1"]["proposed_from"] == ["phase-1-annotator-2", "phase-1-annotator-3"]
    assert lists["phase-3-annotator-2"]["started_from"] == "phase-2-annotator-2"
    judged = [(each["a"], each["b"], each["relation"], each["is_current"]) for each in lines(folder, "relations")]
    assert judged == [("P1", "F1", "related", False), ("P1", "F1", "equal", True)]
    assert lines(folder, "relations")[0]["annotator"] == "annotator 1"
    # P1 has two of F1's three sentences: F = 2 * 2 / (2 + 3).
    assert [(each["a"], each["b"], each["f"], each["direction"]) for each in lines(folder, "links")] == [
        ("P1", "F1", 0.8, "strong")
    ]
    # They differ in M02 alone: each is asked again there.
    assert [(each["list"], each["id"], each["text"], each["was_there"]) for each in lines(folder, "items")] == [
        ("phase-3-annotator-2", "P1", "M02", False),
        ("phase-3-annotator-3", "P1", "M02", True),
    ]
    decisions = lines(folder, "decisions")
    about = [(each["list"], each["revision"], each["annotator"], each["id"], each["text"]) for each in decisions]
    assert about == [("phase-3-annotator-2", number, "annotator 2", "P1", "M02") for number in (1, 2)]
    answers = [{"is_there": None, "note": ""}, {"is_there": False, "note": "Nobody went aboard."}]
    assert [each["before"] for each in decisions] == answers
    assert [each["after"] for each in decisions] == [answers[1], {"is_there": False, "note": ""}]
    agreement = [(each["kind"], each["phase"], each["relation"], each["N"]) for each in lines(folder, "agreement")]
    assert agreement == [
        ("annotation", 2, None, 9),
        ("annotation", 3, None, 9),
        *(("definition", 1, kind, n) for kind, n in ((None, 3), ("equal", 3), ("subsumes", 0), ("subsumed", 0))),
    ]
    weights = {each["id"]: (each["version"], each["weight"]) for each in lines(folder, "consensus")}
    assert weights == {"P1": (1, 1.0), "P2": (1, pytest.approx(1 / 3)), "P10": (1, 0.0)}
    assert {(each["list"], each["text"]) for each in lines(folder, "scores")} == {("version-1", text) for text in TEXTS}


def test_people_are_pseudonyms_and_the_log_names_the_export(worked: Worked, tmp_path: Path) -> None:
    assert worked.named_in(worked.exported(tmp_path)) == set()
    event = Event.objects.filter(verb="export_made").get()
    assert (event.data["kind"], event.data["file"], event.data["names"]) == ("factoids", "ferry-co-factoids.zip", False)


def test_the_card_tells_how_to_load_it_and_what_people_agreed_on(worked: Worked, tmp_path: Path) -> None:
    card = (worked.exported(tmp_path) / "README.md").read_text(encoding="utf-8")
    _, head, body = card.split("---\n", 2)
    assert yaml.safe_load(head)["pretty_name"] == "Ferry & Co"
    assert "# Ferry \\& Co" in body
    assert 'factoids = load_dataset(folder, "factoids", split="train")' in body
    # They differ in one of nine items: P(A) = 8/9. Of 18 answers 3 are "there": P(E) = (9 + 225) / 324 = 13/18.
    head, numbers = "| annotation | 2 | independent | annotator 2, annotator 3 |  |", "| 9 | 2 | 2 | 0.889 | 0.722 |"
    assert f"{head} 0.60 [−1.00, 1.00] {numbers}" in body
    assert "\n– There is no item: no relation is subsumes.\n" in body
    assert "| `relations.jsonl` |" in body


def test_lists_of_open_phases_and_drafts_stay_out(worked: Worked, tmp_path: Path) -> None:
    before = lines(worked.exported(tmp_path / "before"), "lists")
    phase = worked.phase("definition", members=[worked.alice])
    define(worked.client_of(worked.alice), list_in(phase, worked.alice), factoid("SECRET", "M01-001"))
    worked.post(f"text-sets/{worked.set.uuid}/consensus/", {"from": worked.draft["id"]})
    folder = worked.exported(tmp_path / "after")
    assert lines(folder, "lists") == before
    assert "SECRET" not in "".join(path.read_text(encoding="utf-8") for path in folder.rglob("*.json*"))
    assert lines(folder, "phases")[-1]["closed_at"] is None


def test_a_list_comes_back_exactly(worked: Worked, tmp_path: Path) -> None:
    folder = worked.exported(tmp_path)
    of_alice = folder / "lists" / "phase-1-annotator-2.json"
    read = factoid_list(json.loads(of_alice.read_text(encoding="utf-8")), "list")
    assert [each.id for each in read.factoids] == ["P1", "P2", "P10"]
    phase = worked.phase("definition", members=[worked.alice, worked.bob])
    imported = import_list(worked, phase, worked.alice, of_alice.read_bytes())
    found = get_list(worked.client_of(worked.alice), imported)["factoids"]
    assert [{name: each[name] for name in ALICE[0]} for each in found] == ALICE
    # One list's lines of factoids.jsonl say the same.
    own = [line for line in lines(folder, "factoids") if line["list"] == "phase-1-annotator-2"]
    data = "\n".join(map(json.dumps, own)).encode()
    again = get_list(worked.client_of(worked.bob), import_list(worked, phase, worked.bob, data))["factoids"]
    assert [{name: each[name] for name in ALICE[0]} for each in again] == ALICE


def test_an_annotation_comes_back_exactly(worked: Worked, tmp_path: Path) -> None:
    folder = worked.exported(tmp_path)
    exported = [line for line in lines(folder, "factoids") if line["list"] == "phase-3-annotator-3"]
    phase = worked.phase("annotation", members=[worked.alice], given=worked.draft["id"])
    data = (folder / "lists" / "phase-3-annotator-3.json").read_bytes()
    found = get_list(worked.client_of(worked.alice), import_list(worked, phase, worked.alice, data))["factoids"]
    assert [{"list": "phase-3-annotator-3", **each} for each in found] == [
        {**{name: line[name] for name in ("list", "key", "id", "description", "sentences", "absent")}}
        for line in exported
    ]


def import_list(worked: Worked, phase: dict[str, Any], member: Membership, data: bytes) -> str:
    body = {"file": upload("list.json", data), "phase": phase["id"], "member": str(member.uuid)}
    answer = worked.client.post(f"/api/text-sets/{worked.set.uuid}/lists/", body, format="multipart")
    assert answer.status_code == 201, answer.json()
    return str(answer.json()["id"])
