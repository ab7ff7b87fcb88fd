"""Text sets in a release: asked for over the API, and loaded by Hugging Face `datasets`."""

import io
import json
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest
import yaml
from django.core.management import CommandError, call_command
from rest_framework.test import APIClient

from annotation_app.models import Project, Release, TextSet
from annotation_app.releases.factoid_records import FIELDS
from annotation_app.releases.released_sets import folders_of
from annotation_app.releases.run import ReleaseRun
from tests.conftest import People
from tests.export.rows import labelled
from tests.factoids.api import import_set
from tests.factories import make_beat
from tests.releases.worked_set import TEXTS, Client, Worked

# Read once, when the library is imported; other tests of this process go without.
with pytest.MonkeyPatch.context() as offline:
    offline.setenv("HF_HUB_OFFLINE", "1")
    offline.setenv("HF_DATASETS_OFFLINE", "1")
    import datasets

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def worked(people: People, client_of: Client) -> Worked:
    make_beat("light")
    return Worked(people, client_of)


def released(client: APIClient, project: Project, *sets: TextSet) -> dict[str, Any]:
    """Ask for a release over the API, let the worker's function make it, and return what the API says of it."""
    body = {"text_sets": [str(each.uuid) for each in sets]}
    asked = client.post(f"/api/projects/{project.uuid}/releases/", body, format="json")
    assert asked.status_code == 201, asked.json()
    ReleaseRun.run(Release.objects.get(uuid=asked.json()["id"]).pk)
    found = client.get(f"/api/releases/{asked.json()['id']}/").json()
    assert found["state"] == "done", found["failure"]
    return dict(found)


def unpacked(client: APIClient, release: dict[str, Any], at: Path) -> Path:
    answer = client.get(f"/api/releases/{release['id']}/file/")
    with ZipFile(io.BytesIO(b"".join(answer.streaming_content))) as packed:  # type: ignore[attr-defined]
        packed.extractall(at)
    return at / str(release["filename"]).removesuffix(".zip")


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n")[:-1]]


def test_datasets_loads_the_sets_beside_the_labels(worked: Worked, tmp_path: Path) -> None:
    labelled(worked.people)
    other = import_set(worked.client, worked.people.project, TEXTS, "Ferry: Co")
    left_out = import_set(worked.client, worked.people.project, TEXTS, "Left out")
    release = released(worked.client, worked.people.project, worked.set, other)
    assert set(release["text_sets"]) == {str(worked.set.uuid), str(other.uuid)}
    # Alice has three factoids in three lists, Bob one and then the three, and three stand in version 1: 9 + 7 + 3.
    counts = {name: release["counts"][name] for name in ("items", "text_sets", "factoids")}
    assert counts == {"items": 4, "text_sets": 2, "factoids": 19}
    root = unpacked(worked.client, release, tmp_path / "out")
    cache = str(tmp_path / "cache")
    for kind in FIELDS:
        written = lines(root / "factoids" / "ferry-co" / f"{kind}.jsonl")
        assert written, kind
        loaded = datasets.load_dataset(str(root), f"ferry-co-{kind}", split="train", cache_dir=cache)
        assert list(loaded) == written, kind
    default = datasets.load_dataset(str(root), split="train", cache_dir=cache)
    assert list(default) == lines(root / "data" / "aggregated.jsonl")
    second = datasets.load_dataset(str(root), "ferry-co-2-texts", split="train", cache_dir=cache)
    assert list(second["id"]) == ["M01", "M02", "M03"]
    # Nobody has worked on the second set: its other files are empty, and have no configuration.
    head = yaml.safe_load(release["card"].split("---\n")[1])
    assert [each["config_name"] for each in head["configs"]] == [
        *("aggregated", "annotations"),
        *(f"ferry-co-{kind}" for kind in FIELDS),
        "ferry-co-2-texts",
    ]
    assert sorted(path.name for path in (root / "factoids").iterdir()) == ["ferry-co", "ferry-co-2"]
    assert "Left out" not in release["card"]
    assert folders_of(worked.people.project)[left_out.pk] == "left-out"


def test_its_files_are_those_of_the_export(worked: Worked, tmp_path: Path) -> None:
    root = unpacked(worked.client, released(worked.client, worked.people.project, worked.set), tmp_path / "out")
    exported = worked.exported(tmp_path / "export")
    own = {path.relative_to(exported): path.read_bytes() for path in exported.rglob("*.json*")}
    folder = root / "factoids" / "ferry-co"
    assert {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*") if path.is_file()} == own
    assert worked.named_in(root) == set()


def test_made_twice_it_has_the_same_hashes(worked: Worked) -> None:
    first, again = (released(worked.client, worked.people.project, worked.set) for _ in range(2))
    assert first["content_hash"] == again["content_hash"]
    hashes = [{each["path"]: each["sha256"] for each in release["files"]} for release in (first, again)]
    same = {path for path in hashes[0] if hashes[0][path] == hashes[1][path]}
    assert set(hashes[0]) == set(hashes[1]) == same | {"README.md", "release.json"}
    assert {"factoids/ferry-co/agreement.jsonl", "factoids/ferry-co/lists/version-1.json"} <= same


def test_the_card_has_a_section_of_them(worked: Worked) -> None:
    """The project has no labels: its text sets are released alone."""
    card = released(worked.client, worked.people.project, worked.set)["card"]
    section = card[card.index("\n## Text sets\n") : card.index("\n## Datasheet\n")]
    assert "\n### Ferry \\& Co\n\n3 texts, in `factoids/ferry-co`.\n" in section
    assert '\nfactoids_ferry_co = load_dataset(folder, "ferry-co-factoids", split="train")\n' in section
    # Worked out by hand in the test of the export's card.
    assert "| annotation | 2 | independent | annotator 2, annotator 3 |  | 0.60 [−1.00, 1.00] | 9 |" in section
    assert "A factoid's weight is the share of the texts that have it." in section
    assert "(configuration `ferry-co-relations`) | 2 |" in card
    assert "| `factoids/ferry-co/lists/version-1.json` | A factoid list, as the import of lists takes it |" in card
    assert 'load_dataset(folder, split="train")' not in card


def test_only_sets_of_the_project_are_taken(worked: Worked, people: People, client_of: Client) -> None:
    elsewhere = import_set(client_of(people.outsider), people.outsider.project, TEXTS)
    url = f"/api/projects/{people.project.uuid}/releases/"
    assert worked.client.get(url).json()["text_sets"] == [{"id": str(worked.set.uuid), "name": "Ferry & Co"}]
    answer = worked.client.post(url, {"text_sets": [str(elsewhere.uuid)]}, format="json")
    assert (answer.status_code, list(answer.json()["errors"])) == (400, ["text_sets"])
    assert str(elsewhere.uuid) in answer.json()["errors"]["text_sets"][0]
    alone = worked.client.post(url, {}, format="json")
    assert (alone.status_code, alone.json()["code"]) == (409, "nothing_to_release")
    assert not Release.objects.exists()


def test_the_command_takes_sets_by_their_name(worked: Worked, tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="Board has no text set “Fery”"):
        call_command("release", "Board", text_set=["Fery"])
    assert not Release.objects.exists()
    call_command("release", "Board", text_set=["Ferry & Co"], to=tmp_path / "out")
    root = tmp_path / "out" / "board-release-1"
    about = json.loads((root / "release.json").read_text())
    assert about["text_sets"] == [{"name": "Ferry & Co", "folder": "ferry-co"}]
    assert lines(root / "factoids" / "ferry-co" / "texts.jsonl")[0]["id"] == "M01"
