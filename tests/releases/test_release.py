"""A release out of real rows: its files by hand, and its hash."""

import errno
import hashlib
import json
import subprocess
from io import StringIO
from itertools import zip_longest
from pathlib import Path
from zipfile import ZipFile

import pytest
from django.conf import settings
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.core.management import CommandError, call_command

from annotation_app.agreement.selectors import agreement_table
from annotation_app.annotation.threads import note_publish, note_withdraw
from annotation_app.models import Batch, BatchItem, Evaluation, EvaluationFile, Item, Project, Release, Round
from annotation_app.refusals import Invalid
from annotation_app.releases.selectors import card_preview
from tests.aggregation.decided import second_look
from tests.agreement.tables import Said, answer
from tests.conftest import People
from tests.export.rows import Labelled, labelled
from tests.releases.made import files_of, fill_second, late_answers, lines_of, made, round_of, second_version, unpacked

pytestmark = pytest.mark.django_db(transaction=True)
CLOSED = {
    "state": "not_applicable",
    "label": None,
    "raw": dict.fromkeys(["annotator 2", "annotator 3", "annotator 4", "annotator 5"]),
    "source": None,
    "revised_since": None,
}


@pytest.fixture
def data(people: People) -> Labelled:
    return labelled(people)


def test_it_is_one_folder_with_everything_in_it(data: Labelled, tmp_path: Path) -> None:
    root = unpacked(made(data.project, notes="The first."), tmp_path / "out")
    assert root.name == "board-release-1"
    assert sorted(str(path.relative_to(root)) for path in root.rglob("*") if path.is_file()) == [
        "README.md",
        "SHA256SUMS",
        "agreement.json",
        "codebooks/v1.json",
        "data/aggregated.jsonl",
        "data/annotations.jsonl",
        "datasheet.json",
        "release.json",
        "rounds.json",
    ]
    checked = subprocess.run(["sha256sum", "--strict", "-c", "SHA256SUMS"], cwd=root, capture_output=True, text=True)
    assert (checked.returncode, checked.stdout.count(": OK")) == (0, 6)


def test_it_says_what_it_holds(data: Labelled, tmp_path: Path) -> None:
    release = made(data.project, notes="The first.")
    files = files_of(release)
    about = json.loads(files["release.json"])
    assert (about["project"], about["number"], about["notes"]) == ("Board", 1, "The first.")
    assert about["counts"] == release.counts == {
        "items": 4,
        "documents": 1,
        "annotations": 10,
        "annotators": 4,
        "rounds": 1,
        "second_looks": 0,
        "spans": 0,
    }  # fmt: skip
    assert about["content_hash"] == release.content_hash == hashlib.sha256(files["SHA256SUMS"]).hexdigest()
    # It lists what stands before it, and the row lists it too.
    assert about["files"] == release.files[:-1]
    assert release.files[-1]["path"] == "release.json"
    for file in release.files:
        whole = files[file["path"]]
        assert (file["bytes"], file["sha256"]) == (len(whole), hashlib.sha256(whole).hexdigest())
    assert {file["path"]: file["lines"] for file in release.files if file["lines"] is not None} == {
        "data/aggregated.jsonl": 4,
        "data/annotations.jsonl": 10,
    }
    stored = Path(settings.MEDIA_ROOT) / release.path
    assert (stored.stat().st_size, hashlib.sha256(stored.read_bytes()).hexdigest()) == (release.size, release.sha256)
    assert files["README.md"].decode() == release.card
    assert release.content_hash in release.card


def test_every_record_has_every_key(data: Labelled) -> None:
    """u1_1: yes and no, one skip; the surplus annotator answered another item, and has a key here too."""
    records = {each["id"]: each for each in lines_of(files_of(made(data.project))["data/aggregated.jsonl"])}
    assert records["u1_1"]["labels"]["opinion"] == {
        "state": "no_majority",
        "label": None,
        "votes": {"yes": 1, "no": 1, "ambiguous": 0},
        "raw": {"annotator 2": "yes", "annotator 3": "no", "annotator 4": None, "annotator 5": None},
        "source": None,
        "revised_since": None,
    }
    assert records["u1_2"]["labels"]["stance_nli_context"] == CLOSED | {
        "votes": {"sentence": 0, "utterance": 0, "minus_5_sentences": 0, "minus_200_tokens": 0}
    }
    assert len({json.dumps(keys_of(each)) for each in records.values()}) == 1
    annotations = lines_of(files_of(made(data.project))["data/annotations.jsonl"])
    skipped = next(each for each in annotations if each["state"] == "skipped")
    assert skipped["answers"] == dict.fromkeys(["opinion", "mp", "mp_context", "stance_nli", "stance_nli_context"])
    assert {each["annotator"] for each in annotations} == {f"annotator {number}" for number in (2, 3, 4, 5)}


def keys_of(value: object) -> object:
    return {key: keys_of(part) for key, part in sorted(value.items())} if isinstance(value, dict) else None


def test_two_versions_of_the_codebook_make_one_shape(data: Labelled, people: People) -> None:
    fill_second(people, {"n1": "New."}, Said({"opinion": "unsure", "tone": "cold"}), second_version(people))
    files = files_of(made(data.project))
    assert {"codebooks/v1.json", "codebooks/v2.json", "data/spans.jsonl", "data/text.jsonl"} <= set(files)
    old, new = (
        next(each for each in lines_of(files["data/aggregated.jsonl"]) if each["id"] == name) for name in ("u1_1", "n1")
    )
    # The newer version's stages and labels come first.
    assert list(old["labels"]) == list(new["labels"])
    assert list(new["labels"])[:3] == ["opinion", "tone", "mp"]
    assert new["labels"]["opinion"]["votes"] == {"yes": 0, "no": 0, "unsure": 1, "ambiguous": 0}
    assert old["labels"]["tone"]["state"] == new["labels"]["mp"]["state"] == "not_applicable"
    assert (old["spans"], old["spans_state"]) == (None, None)
    assert (new["spans"], new["spans_state"]) == (None, "not_validated")
    annotations = lines_of(files["data/annotations.jsonl"])
    assert annotations[0]["spans"] is None
    assert annotations[-1]["spans"] == []
    assert json.loads(files["codebooks/v2.json"]) == second_definition(data.project)


def test_the_preview_is_what_comes_out(data: Labelled, people: People) -> None:
    """But for the line that says which of the two it is."""
    fill_second(people, {"n1": "New."}, Said({"opinion": "unsure", "tone": "cold"}), second_version(people))
    preview = card_preview(data.project)
    released = files_of(made(data.project))["README.md"].decode()
    differ = [pair for pair in zip_longest(preview.split("\n"), released.split("\n")) if pair[0] != pair[1]]
    assert [(before[:33], after[:10]) for before, after in differ] == [
        ("This is a preview of release 1, a", "Release 1 ")
    ]
    assert "| `data/aggregated.jsonl` | Items with their context" in preview
    assert [line.split(" | ")[-1] for line in preview.split("\n") if line.startswith("| `data/")] == [
        *("5 |", "11 |", "1 |", "1 |"),
    ]


def second_definition(project: Project) -> dict:
    return dict(project.codebooks.get(version=2).definition)


def test_the_same_data_have_the_same_hash(data: Labelled, people: People) -> None:
    first, second = made(data.project, notes="One."), made(data.project, notes="Two.")
    assert (first.number, second.number) == (1, 2)
    assert first.content_hash == second.content_hash
    whole = bytes_of(first)
    late_answers(data, people)
    third = made(data.project)
    assert third.content_hash != first.content_hash
    assert bytes_of(first) == whole
    changed = {path for path, content in files_of(third).items() if files_of(first)[path] != content}
    assert {"data/annotations.jsonl", "agreement.json"} <= changed
    assert "codebooks/v1.json" not in changed


def bytes_of(release: Release) -> bytes:
    with default_storage.open(release.path) as file:
        return bytes(file.read())


def test_lines_stay_lines_whatever_the_text(data: Labelled) -> None:
    odd = "a\u2028b\u2029c\x85d\x0b\x1ce 👩‍🔬 \r\n\u202e"
    Item.objects.filter(external_id="u1_1").update(text=odd)
    files = files_of(made(data.project))
    assert files["data/aggregated.jsonl"].count(b"\n") == 4
    assert {each["id"]: each["text"] for each in lines_of(files["data/aggregated.jsonl"])}["u1_1"] == odd


def test_it_holds_the_rounds_and_agreement_as_the_pages_show_them(data: Labelled, people: People) -> None:
    round_of(data.project, people.admin, data.batch, {"strategy": {"asked": "random"}, "random_state": 7})
    files = files_of(made(data.project))
    assert json.loads(files["rounds.json"]) == [
        {
            "number": 1,
            "state": "annotating",
            "record": {"strategy": {"asked": "random"}, "random_state": 7},
        }
    ]
    agreement = json.loads(files["agreement.json"])
    assert (agreement["phase_2"], agreement["spans"]) == (None, None)
    table = agreement_table(project=data.project, scope="all")
    assert len(agreement["phase_1"]["all"]) == len(table.rows)
    for row, known in zip(agreement["phase_1"]["all"], table.rows, strict=True):
        assert (row["stage"], row["round"], row["n_units"]) == (known.stage, known.round, known.n_units)
        assert row["percent_agreement"] == pytest.approx(known.values["percent_agreement"], abs=1e-8)
    # u1_1: yes against no; u0_2: three times yes; u0_1: no, no, yes. Pairs of answers: 0 + 3 + 1 of 7 agree.
    opinion = agreement["phase_1"]["all"][0]
    assert (opinion["stage"], opinion["round"], opinion["percent_agreement"]) == ("opinion", None, round(4 / 7, 8))


def test_rounds_do_not_tell_where_things_lie_on_the_server(data: Labelled, people: People) -> None:
    record = {
        "model": "house/encoder",
        "failures": [{"step": "training", "reason": "No space left: '/home/ada/runs/7/train.npz' (and/or a/b)"}],
        "machine": {
            "config": {"model": {"name": "/home/ada/models/enc"}},
            "model": {"name": "/home/ada/models/enc"},
            "machine": "Linux-6.1.0-ada-lab-x86_64-with-glibc2.36",
        },
        "test_set": {"stage": "opinion", "file_name": "checked by Ada.jsonl", "sha256": "ef" * 32, "items": 3, "n": 3},
    }
    row = round_of(data.project, people.admin, data.batch, record)
    Round.objects.filter(pk=row.pk).update(model="house/encoder")
    released = files_of(made(data.project))["rounds.json"]
    assert b"/home" not in released and b"by Ada" not in released and b"ada-lab" not in released
    told = json.loads(released)[0]["record"]
    assert told["machine"]["config"]["model"] == told["machine"]["model"] == {"name": "house/encoder"}
    assert told["machine"]["machine"] == {"system": "Linux"}
    assert told["test_set"] == {"stage": "opinion", "sha256": "ef" * 32, "items": 3, "n": 3}
    assert told["failures"][0]["reason"] == "No space left: 'train.npz' (and/or a/b)"
    row.refresh_from_db()
    assert row.record == record


def test_second_looks_are_in_it(data: Labelled, people: People) -> None:
    """u1_1: Bob comes over to Alice's yes."""
    bob = people.annotators[1]
    second_look(data.batch, {data.items[2]: {bob: {"opinion": "yes", "mp": "no"}}})
    release = made(data.project)
    files = files_of(release)
    assert (release.counts["annotations"], release.counts["second_looks"], release.counts["rounds"]) == (11, 1, 1)
    looked = [each for each in lines_of(files["data/annotations.jsonl"]) if each["phase"] == 2]
    assert [(each["item_id"], each["annotator"], each["answers"]["opinion"]) for each in looked] == [
        ("u1_1", "annotator 3", "yes")
    ]
    agreement = json.loads(files["agreement.json"])
    # Of 7 pairs of answers 4 agreed (above), and now Alice's and Bob's too.
    assert agreement["phase_1"]["all"][0]["percent_agreement"] == round(4 / 7, 8)
    assert agreement["phase_2"]["all"][0]["percent_agreement"] == round(5 / 7, 8)


def test_the_command_makes_one_and_unpacks_it(data: Labelled, tmp_path: Path) -> None:
    said = StringIO()
    call_command("release", "Board", notes="By hand.", to=tmp_path / "taken", stdout=said)
    release = Release.objects.get()
    assert (release.state, release.notes, release.created_by) == ("done", "By hand.", None)
    lines = said.getvalue()
    root = tmp_path / "taken" / "board-release-1"
    assert "Release 1" in lines and release.content_hash in lines and str(root) in lines
    assert (root / "README.md").read_text() == release.card
    with pytest.raises(CommandError, match="exists already"):
        call_command("release", "Board", to=tmp_path / "taken")
    with pytest.raises(CommandError, match="no project 'Nobody'"):
        call_command("release", "Nobody")


def test_the_command_says_why_there_is_none(people: People, tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="nothing to release"):
        call_command("release", "Board", to=tmp_path / "taken")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"to": "a file"}, "a file is no folder"),
        ({"to": "a file/within"}, "a file is no folder: name another place"),
        ({"to": "none/within"}, "none does not exist: make it, or name another place"),
        ({"to": "x" * 300}, "cannot be made or read .File name too long"),
        ({"to": "full"}, "exists already and is not empty"),
        ({"notes": "x" * 10_001}, "10,001 characters; at most 10,000"),
        ({"notes": "bell \x07"}, r"Character 6 \(U\+0007\)"),
    ],
)
def test_the_command_keeps_no_release_of_a_wrong_call(
    data: Labelled, tmp_path: Path, given: dict[str, str], says: str
) -> None:
    """One that is made can never be taken back."""
    (tmp_path / "a file").write_text("kept")
    (tmp_path / "full" / "part").mkdir(parents=True)
    options = {**given, "to": tmp_path / given["to"]} if "to" in given else given
    with pytest.raises(CommandError, match=says):
        call_command("release", "Board", **options)
    assert not Release.objects.exists()
    assert (tmp_path / "a file").read_text() == "kept"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a file", "full"]


def test_the_command_names_the_release_that_it_could_not_unpack(
    data: Labelled, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(ZipFile, "extractall", full)
    with pytest.raises(CommandError, match=r"Release 1 is made .* but could not be unpacked .*No space left"):
        call_command("release", "Board", to=tmp_path / "taken")
    assert Release.objects.get().state == "done"


def test_the_archive_is_plain(data: Labelled) -> None:
    """No odd names, sizes as announced, nothing outside its one folder."""
    release = made(data.project)
    with default_storage.open(release.path) as file, ZipFile(file) as packed:
        assert packed.testzip() is None
        names = packed.namelist()
    assert [name.split("/", 1)[0] for name in names] == ["board-release-1"] * len(names)
    assert [name.split("/", 1)[1] for name in names] == [each["path"] for each in release.files]


def test_answers_of_a_prototype_stay_out(data: Labelled, people: People) -> None:
    before = made(data.project)
    batch = Batch.objects.create(
        project=data.project, number=1, kind=Batch.Kind.PROTOTYPE, codebook=data.batch.codebook, annotators_per_item=1
    )
    place = BatchItem.objects.create(batch=batch, item=data.items[0], rank=1)
    answer(batch, [(place, people.annotators[0], Said({"opinion": "yes", "mp": "no"}))])
    after = files_of(made(data.project))
    for path in ("data/aggregated.jsonl", "data/annotations.jsonl", "agreement.json"):
        assert after[path] == files_of(before)[path]


def test_it_holds_the_evaluations_that_were_chosen(data: Labelled, tmp_path: Path) -> None:
    row = Evaluation.objects.create(
        project=data.project,
        number=1,
        name="Small",
        state="done",
        codebook=data.batch.codebook,
        spec={"limit": None},
        created_by=data.project.created_by,
    )
    path = default_storage.save("evaluations/figures.json", ContentFile(b"{}"))
    EvaluationFile.objects.create(evaluation=row, name="figures.json", path=path, sha256="", size=2)
    with pytest.raises(Invalid, match="Evaluation 2 is not done"):
        made(data.project, evaluations=[2])
    assert not Release.objects.exists()
    root = unpacked(made(data.project, evaluations=[1]), tmp_path / "out")
    assert (root / "evaluation-1" / "figures.json").read_bytes() == b"{}"
    assert "evaluation-1/figures.json" in (root / "SHA256SUMS").read_text()
    assert json.loads((root / "release.json").read_text())["evaluations"] == [1]


def test_it_holds_the_notes_that_everybody_was_told(data: Labelled, people: People) -> None:
    first = note_publish(membership=people.admin, words="A forecast is no opinion.", stage="opinion")
    second = note_publish(membership=people.admin, words="Ask when in doubt.", stage="")
    gone = note_publish(membership=people.admin, words="Nobody should read this.", stage="")
    note_withdraw(membership=people.admin, note_uuid=gone.uuid)
    assert "codebooks/notes.json" in card_preview(data.project)
    # It holds for no batch of this release.
    second_version(people)
    note_publish(membership=people.admin, words="Of the next version.", stage="")
    files = files_of(made(data.project))
    times = [note.published_at.isoformat().replace("+00:00", "Z") for note in (first, second)]
    assert json.loads(files["codebooks/notes.json"]) == [
        {"codebook_version": 1, "stage": "opinion", "words": "A forecast is no opinion.", "published_at": times[0]},
        {"codebook_version": 1, "stage": None, "words": "Ask when in doubt.", "published_at": times[1]},
    ]
    card = files["README.md"].decode()
    assert "2 notes beside the codebook were published to everybody" in card
    assert "| `codebooks/notes.json` | What annotators were told beside the codebook while they worked |" in card
    assert b"codebooks/notes.json" in files["SHA256SUMS"]
