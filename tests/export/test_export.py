"""Exports out of the database: every field by hand, one snapshot, whole or not at all."""

import json
from collections import Counter
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.db import OperationalError, connection
from hypothesis import given
from hypothesis import strategies as st

from annotation_app.assignment.selectors import annotator_progress, batch_progress
from annotation_app.export.lines import json_line
from annotation_app.export.options import ExportOptions
from annotation_app.export.stream import ExportIncomplete, export_open
from annotation_app.models import Assignment, Batch, Item
from tests.aggregation.decided import decide, second_look, withdraw
from tests.agreement.tables import Said, at, fill, revise
from tests.conftest import People
from tests.export.rows import FIRST, SECOND, Labelled, labelled

NOT_APPLICABLE: dict = {"state": "not_applicable", "label": None, "votes": {}, "raw": {}}

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def data(people: People) -> Labelled:
    return labelled(people)


def exported(options: ExportOptions, kind: str = "aggregated") -> list[dict]:
    export = export_open(kind=kind, options=options)
    text = b"".join(export).decode()
    assert text == "" or text.endswith("\n")
    lines = [json.loads(each) for each in text.split("\n")[:-1]]
    assert len(lines) == export.total
    return lines


def test_it_writes_an_item_with_its_context_and_labels(data: Labelled) -> None:
    lines = exported(ExportOptions(data.project))
    assert [each["id"] for each in lines] == ["u0_1", "u0_2", "u1_1", "u1_2"]
    assert lines[2] == {
        "id": "u1_1",
        "text": "I agree.",
        "speaker": "Speaker 1",
        "document": {"id": "d1", "title": "Minutes"},
        "utterance": {"id": "u1", "number": 2},
        "sentence_number": 1,
        "start": 0,
        "end": 8,
        "contexts": {
            "utterance": {"before": "", "after": "\r\nNot at\tall."},
            "minus_5_sentences": [{"speaker": "Speaker 0", "text": FIRST}],
            "minus_200_tokens": [{"speaker": "Speaker 0", "text": FIRST}],
        },
        "round": 1,
        "acquisition_score": 0.5,
        "rank": 2,
        "complete": True,
        "left_out": None,
        "labels": {
            "opinion": {
                "state": "no_majority",
                "label": None,
                "votes": {"yes": 1, "no": 1},
                "raw": {"annotator 2": "yes", "annotator 3": "no"},
            },
            "mp": {"state": "not_applicable", "label": None, "votes": {"no": 1}, "raw": {"annotator 2": "no"}},
            "mp_context": NOT_APPLICABLE,
            "stance_nli": NOT_APPLICABLE,
            "stance_nli_context": NOT_APPLICABLE,
        },
        "codebook_version": 1,
    }


def test_it_gives_back_the_exact_utterance(data: Labelled) -> None:
    for each, whole in zip(exported(ExportOptions(data.project)), [FIRST, FIRST, SECOND, SECOND], strict=True):
        around = each["contexts"]["utterance"]
        assert around["before"] + each["text"] + around["after"] == whole
        assert whole[each["start"] : each["end"]] == each["text"]


def test_it_aggregates_by_the_slots_without_surplus(data: Labelled) -> None:
    labels = {each["id"]: each["labels"] for each in exported(ExportOptions(data.project))}
    raw = {item: {stage: said.pop("raw") for stage, said in each.items()} for item, each in labels.items()}
    # Late's answer came as a surplus: it is no vote, and stands with the annotations.
    assert raw["u0_1"]["opinion"] == {"annotator 2": "no", "annotator 3": "no", "annotator 4": "yes"}
    assert labels["u0_1"]["opinion"] == {"state": "majority", "label": "no", "votes": {"yes": 1, "no": 2}}
    # Alice's second revision made it unanimous.
    assert labels["u0_2"]["opinion"] == {"state": "majority", "label": "yes", "votes": {"yes": 3}}
    assert labels["u0_2"]["mp"] == {"state": "majority", "label": "no", "votes": {"no": 3}}
    assert labels["u0_2"]["mp_context"]["state"] == "not_applicable"
    assert labels["u1_2"]["opinion"] == {"state": "no_majority", "label": None, "votes": {}}


def test_it_says_where_answers_are_still_to_come(data: Labelled) -> None:
    def complete() -> dict[str, bool]:
        return {each["id"]: each["complete"] for each in exported(ExportOptions(data.project))}

    # Nobody has answered u1_2; a skip counts as done, a surplus answer does not.
    assert complete() == {"u0_1": True, "u0_2": True, "u1_1": True, "u1_2": False}
    slots = list(Assignment.objects.filter(batch_item__item__external_id="u1_2").order_by("pk"))
    Assignment.objects.filter(pk=slots[0].pk).update(state=Assignment.State.SKIPPED)
    assert not complete()["u1_2"]
    Assignment.objects.filter(pk=slots[1].pk).update(state=Assignment.State.SKIPPED)
    assert not complete()["u1_2"]
    # The third person left.
    Assignment.objects.filter(pk=slots[2].pk).update(state=Assignment.State.WITHDRAWN)
    assert complete()["u1_2"]
    # Everybody did.
    Assignment.objects.filter(pk__in=[slot.pk for slot in slots]).update(state=Assignment.State.WITHDRAWN)
    assert not complete()["u1_2"]


def test_it_leaves_the_context_of_a_whole_turn_empty(people: People) -> None:
    fill(people.project, people.annotators, at("opinion", {"i1": "YYY"}))
    Item.objects.update(number=None)
    (only,) = exported(ExportOptions(people.project))
    assert only["sentence_number"] is None
    assert only["contexts"] == {"utterance": None, "minus_5_sentences": [], "minus_200_tokens": []}


def test_it_writes_current_annotations_by_pseudonym(data: Labelled) -> None:
    lines = exported(ExportOptions(data.project), "annotations")
    # In the order of rank: u1_1 is second of the batch, u0_2 third, u0_1 last.
    assert [(each["item_id"], each["annotator"], each["state"]) for each in lines] == [
        ("u1_1", "annotator 2", "submitted"),
        ("u1_1", "annotator 3", "submitted"),
        ("u1_1", "annotator 4", "skipped"),
        ("u0_2", "annotator 2", "submitted"),
        ("u0_2", "annotator 3", "submitted"),
        ("u0_2", "annotator 4", "submitted"),
        ("u0_1", "annotator 2", "submitted"),
        ("u0_1", "annotator 3", "submitted"),
        ("u0_1", "annotator 4", "submitted"),
        ("u0_1", "annotator 5", "surplus"),
    ]
    revised = lines[3]
    assert revised.pop("created_at").endswith("Z")
    assert revised == {
        "item_id": "u0_2",
        "text": "We should act 🎉 now.",
        "round": 1,
        "phase": 1,
        "annotator": "annotator 2",
        "state": "submitted",
        "answers": {"opinion": "yes", "mp": "no"},
        "comment": "",
        "skip_reason": "",
        "context_opened": "sentence",
        "active_ms": 1500,
        "wall_ms": 2000,
        "codebook_version": 1,
        "revision": 2,
        "is_current": True,
        "left_out": None,
    }
    assert (lines[2]["answers"], lines[2]["skip_reason"]) == ({}, "unclear")


def test_it_writes_every_revision_when_asked(data: Labelled) -> None:
    lines = exported(ExportOptions(data.project, revisions="all"), "annotations")
    assert len(lines) == 11
    assert [(each["revision"], each["is_current"], each["answers"]) for each in lines[3:5]] == [
        (1, False, {"opinion": "no"}),
        (2, True, {"opinion": "yes", "mp": "no"}),
    ]


def test_it_names_people_only_when_asked(data: Labelled) -> None:
    text = b"".join(export_open(kind="annotations", options=ExportOptions(data.project))).decode().lower()
    assert not [name for name in ("alice", "bob", "charlie", "late") if name in text]
    named = exported(ExportOptions(data.project, names=True), "annotations")
    assert [each["annotator"] for each in named[:3]] == ["alice", "bob", "charlie"]


def test_it_counts_as_the_pages_do(data: Labelled, people: People) -> None:
    progress = batch_progress(data.batch)
    lines = exported(ExportOptions(data.project), "annotations")
    done = Counter(each["annotator"] for each in lines if each["state"] in ("submitted", "skipped"))
    assert len(exported(ExportOptions(data.project))) == progress.size == 4
    assert done.total() == progress.done
    by_person = annotator_progress([data.batch])
    assert [done[f"annotator {member.number}"] for member in people.annotators] == [
        by_person[data.batch.pk, member.pk][0] for member in people.annotators
    ]


def test_it_exports_the_rounds_of_this_project_only(data: Labelled, people: People) -> None:
    before = {kind: exported(ExportOptions(data.project), kind) for kind in ("aggregated", "annotations")}
    fill(data.project, people.annotators, at("opinion", {"p1": "YNA"}), kind=Batch.Kind.PROTOTYPE)
    fill(people.outsider.project, [people.outsider], at("opinion", {"x1": "Y"}))
    assert {kind: exported(ExportOptions(data.project), kind) for kind in before} == before


def test_it_exports_nothing_of_an_empty_project(people: People) -> None:
    assert exported(ExportOptions(people.project)) == exported(ExportOptions(people.project), "annotations") == []


def test_it_shows_the_moment_it_was_opened(data: Labelled, people: People) -> None:
    before = exported(ExportOptions(data.project), "annotations")
    export = export_open(kind="annotations", options=ExportOptions(data.project))
    mine = Assignment.objects.get(annotator=people.annotators[0], batch_item__item__external_id="u0_1")
    revise(data.batch, [(mine, {"opinion": "ambiguous"})], revision=2)
    fill(data.project, people.annotators, at("opinion", {"n1": "YYY"}), number=2)
    assert [json.loads(each) for each in b"".join(export).splitlines()] == before
    assert len(exported(ExportOptions(data.project), "annotations")) == len(before) + 3


def test_it_raises_where_the_database_goes_away(data: Labelled, tmp_path: Path) -> None:
    export = export_open(kind="annotations", options=ExportOptions(data.project))
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_terminate_backend(%s)", [export.snapshot.connection.connection.get_backend_pid()])
    with pytest.raises(OperationalError):
        list(export)


def test_it_raises_where_lines_are_missing(data: Labelled) -> None:
    export = export_open(kind="annotations", options=ExportOptions(data.project))
    export.records = iter([{"id": 1}])
    with pytest.raises(ExportIncomplete, match="1 lines of 10"):
        list(export)
    assert export.snapshot.connection.connection is None


def test_it_lets_go_of_its_connection(data: Labelled) -> None:
    unread = export_open(kind="aggregated", options=ExportOptions(data.project))
    unread.close()
    assert unread.snapshot.connection.connection is None
    read = export_open(kind="aggregated", options=ExportOptions(data.project))
    assert list(read)
    assert read.snapshot.connection.connection is None


TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"))
LINE_ENDS = st.text('ab\n\r\x0b\x0c\x1c\x85\u2028\u2029\u200d\ufeff"\\')


@given(st.dictionaries(TEXTS | LINE_ENDS, TEXTS | LINE_ENDS, max_size=4))
def test_it_keeps_any_text_on_one_line(record: dict[str, str]) -> None:
    whole = json_line(record).decode()
    first, rest = whole.split("\n")
    assert (json.loads(first), rest) == (record, "")


def test_it_writes_text_as_it_is(people: People) -> None:
    texts = ["a\u2028b\u2029c\x85d\x0be", 'quote " and \\ and\ttab', "👩‍🔬 \u202eabc é e\u0301", "CR LF\r\n\r\nend"]
    fill(people.project, people.annotators, {f"i{n}": [Said({"opinion": "yes"})] * 3 for n in range(len(texts))})
    for n, text in enumerate(texts):
        Item.objects.filter(external_id=f"i{n}").update(text=text)
    assert [each["text"] for each in exported(ExportOptions(people.project))] == texts
    whole = b"".join(export_open(kind="aggregated", options=ExportOptions(people.project))).decode()
    assert "👩‍🔬" in whole
    assert "\\u" not in whole.replace("\\u000b", "")


def test_it_writes_the_same_from_the_command_line(data: Labelled, tmp_path: Path) -> None:
    whole = b"".join(export_open(kind="aggregated", options=ExportOptions(data.project)))
    out, said = tmp_path / "board.jsonl", StringIO()
    call_command("export_dataset", "Board", "aggregated", out=out, stderr=said)
    assert out.read_bytes() == whole
    assert f"4 lines in {out}" in said.getvalue()
    printed = StringIO()
    call_command("export_dataset", str(data.project.uuid), "aggregated", stdout=printed)
    assert printed.getvalue().encode() == whole


def test_it_gives_the_name_only_to_a_whole_file(data: Labelled, tmp_path: Path) -> None:
    out = tmp_path / "board.jsonl"
    data.batch.batch_items.filter(item__external_id="u1_2").update(score=float("nan"))
    with pytest.raises(ValueError, match="not JSON compliant"):
        call_command("export_dataset", "Board", "aggregated", out=out)
    assert not out.exists()


def test_it_names_what_it_cannot_find(data: Labelled, tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="no project 'Nobody'"):
        call_command("export_dataset", "Nobody", "aggregated")
    with pytest.raises(CommandError, match=r"folder .* does not exist"):
        call_command("export_dataset", "Board", "aggregated", out=tmp_path / "none" / "board.jsonl")
    with pytest.raises(CommandError, match="is a folder: name a file"):
        call_command("export_dataset", "Board", "aggregated", out=tmp_path)
    assert not list(tmp_path.parent.glob("*.part"))


def test_it_refuses_options_that_the_kind_does_not_take(data: Labelled, tmp_path: Path) -> None:
    out = tmp_path / "board.jsonl"
    with pytest.raises(CommandError) as refusal:
        call_command("export_dataset", "Board", "annotations", "--phase", "1", "--random-state", "0", out=out)
    assert str(refusal.value).splitlines() == [
        "--phase: Kind annotations does not take it; these do: aggregated.",
        "--random-state: Kind annotations does not take it; these do: targets.",
    ]
    assert not out.exists()
    call_command("export_dataset", "Board", "annotations", "--revisions", "all", out=out, stderr=StringIO())
    assert len(out.read_bytes().splitlines()) == 11


def test_it_tells_what_was_decided_from_what_was_voted(data: Labelled, people: People) -> None:
    """u1_1: yes and no, one skip. Decided as yes, which opens mp, where one of three said no."""
    decide(people.admin, data.items[2], {"opinion": "yes"})
    labels = next(each["labels"] for each in exported(ExportOptions(data.project)) if each["id"] == "u1_1")
    assert labels["opinion"] == {
        "state": "adjudicated",
        "label": "yes",
        "votes": {"yes": 1, "no": 1},
        "raw": {"annotator 2": "yes", "annotator 3": "no"},
        "source": "adjudication",
        "revised_since": False,
    }
    assert labels["mp"] == {"state": "no_majority", "label": None, "votes": {"no": 1}, "raw": {"annotator 2": "no"}}
    assert labels["mp_context"] == NOT_APPLICABLE
    # Both say no now, and the decision stands: the line says that it was made before.
    alice = Assignment.objects.get(batch_item__item=data.items[2], annotator=people.annotators[0])
    revise(data.batch, [(alice, {"opinion": "no"})], revision=2)
    changed = next(each["labels"]["opinion"] for each in exported(ExportOptions(data.project)) if each["id"] == "u1_1")
    assert (changed["state"], changed["votes"], changed["revised_since"]) == ("adjudicated", {"no": 2}, True)
    # Taken back, everything is as it was voted.
    withdraw(people.admin, data.items[2])
    again = next(each["labels"] for each in exported(ExportOptions(data.project)) if each["id"] == "u1_1")
    assert (again["opinion"]["state"], "source" in again["opinion"]) == ("majority", False)
    assert (again["mp"]["state"], "revised_since" in again["opinion"]) == ("not_applicable", False)


def test_it_names_who_said_what_where_it_is_asked_to(data: Labelled) -> None:
    labels = next(each["labels"] for each in exported(ExportOptions(data.project, names=True)) if each["id"] == "u1_1")
    assert labels["opinion"]["raw"] == {"alice": "yes", "bob": "no"}


def test_it_writes_both_phases(data: Labelled, people: People) -> None:
    """u1_1: Bob comes over in the second look."""
    alice, bob, _ = people.annotators
    second = second_look(data.batch, {data.items[2]: {alice: None, bob: {"opinion": "yes", "mp": "no"}}})
    first, later = (
        next(each["labels"] for each in exported(ExportOptions(data.project, phase=phase)) if each["id"] == "u1_1")
        for phase in (1, 2)
    )
    assert (first["opinion"]["state"], first["opinion"]["votes"]) == ("no_majority", {"yes": 1, "no": 1})
    assert (later["opinion"]["state"], later["opinion"]["votes"]) == ("majority", {"yes": 2})
    assert later["mp"]["raw"] == {"annotator 2": "no", "annotator 3": "no"}
    lines = exported(ExportOptions(data.project), "annotations")
    assert [(each["annotator"], each["phase"]) for each in lines if each["item_id"] == "u1_1"] == [
        ("annotator 2", 1),
        ("annotator 3", 1),
        ("annotator 4", 1),
        ("annotator 3", 2),
    ]
    assert {each["round"] for each in lines} == {second.number}
