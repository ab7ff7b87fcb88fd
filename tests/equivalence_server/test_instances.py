"""Instances and augmented targets: what the command on files prints, each with its place in its item."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pytest_django.fixtures import Settings
from rest_framework.test import APIClient

from al_worker.core.__main__ import main
from annotation_app.equivalence.data import marked_data
from annotation_app.equivalence.instances import item_place
from annotation_app.export.options import ExportOptions
from annotation_app.models import Assignment, Membership
from tests.conftest import People
from tests.equivalence_server.api import Classes, made
from tests.equivalence_server.rows import Settled, settled_articles
from tests.export.span_rows import exported
from tests.releases.made import made as release_made

Client = Callable[[Membership], APIClient]


@pytest.fixture
def settled(people: People) -> Settled:
    return settled_articles(people)


@pytest.fixture
def classes(settled: Settled, people: People, client_of: Client) -> Classes:
    found = Classes(client_of(people.admin), people.project)
    found.save(
        found.create(), [made("", "cut rates", "lowered rates"), made("", "held rates"), made("", "raised rates")]
    )
    found.save(found.create("labels", part="comment"), [made("", "Cut rates"), made("", "Did not cut rates")])
    return found


@pytest.mark.django_db(transaction=True)
def test_they_are_those_of_the_command_on_the_exports_file(
    classes: Classes, people: People, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "evaluations.json").write_bytes(classes.download())
    lines = exported(ExportOptions(people.project, of="validated"), "targets")
    (tmp_path / "targets.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    for source, prefix, seed in (("paper", "sentence", 0), ("code", "target", 3)):
        options = ["--source", source, "--prefix", prefix, "--seed", str(seed)]
        files = [str(tmp_path / name) for name in ("evaluations.json", "targets.jsonl")]
        assert main(["equivalence", "instances", *files, *options]) == 0
        printed = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
        query: dict[str, Any] = {"source": source, "prefix": prefix, "seed": seed}
        assert classes.lines("instances/file/", **query) == printed
        shown = classes.get("instances/", **query)
        assert (shown["n"], shown["page"], shown["n_pages"]) == (len(printed), 1, 1)
        assert [{key: each[key] for key in printed[0]} for each in shown["instances"]] == printed
    assert len(printed) > 0


@pytest.mark.django_db(transaction=True)
def test_each_has_its_place_in_its_item(classes: Classes, people: People) -> None:
    """By hand: sources press-1, press-2 and the item news_2_1; floor(.8 * 3) = 2 train, the last of the order tests."""
    tested = {each.id: each for each in marked_data(people.project, "current").targets if each.split == "test"}
    found = classes.get("instances/")
    assert {each["target"] for each in found["instances"]} == set(tested)
    for each in found["instances"]:
        place = each["item_text"][each["start"] : each["end"]]
        span = next(one for one in tested[each["target"]].spans if one.category == "ACT")
        assert place in (each["positive"], "cut rates", "held rates", "raised rates")
        assert place == tested[each["target"]].text[span.start : span.end]
    assert [each["split"] for each in found["tallies"]] == ["test", "test"]
    assert found["evaluations_left_out"] == []
    assert any("decision" in each for each in found["left_out"])
    assert any(each.startswith("Targets without a source document: 1.") for each in found["left_out"])


@pytest.mark.django_db(transaction=True)
def test_each_names_the_classes_of_its_continuations(settled: Settled, people: People, client_of: Client) -> None:
    classes = Classes(client_of(people.admin), people.project)
    named = [made("looser", "cut rates", "lowered rates"), made("", "held rates"), made("tighter", "raised rates")]
    classes.save(classes.create(), named)
    found = classes.get("instances/")["instances"]
    names = {"cut rates": "looser", "lowered rates": "looser", "held rates": "", "raised rates": "tighter"}
    for each in found:
        said = [(each[side], each[f"{side}_name"]) for side in ("positive", "negative")]
        assert said == [(words, names[words]) for words, _ in said]
    assert any(each["positive_name"] or each["negative_name"] for each in found)


def test_a_place_in_a_target_of_two_parts() -> None:
    """The parts 2..15 and 21..40 of an item stand at 0 and 14 of the target, with a blank between."""
    ranges = ((2, 15), (21, 40))
    assert item_place(3, 12, ranges) == (5, 14)
    assert item_place(17, 27, ranges) == (24, 34)
    assert item_place(0, 13, ranges) == (2, 15)
    assert item_place(0, 33, ranges) == (2, 40)


@pytest.mark.django_db(transaction=True)
def test_what_is_not_finished_is_left_out_and_named(classes: Classes) -> None:
    draft = classes.create("a draft")
    one = classes.save(classes.create("empty"), [made("", "cut rates"), made("")])
    found = classes.get("instances/")["evaluations_left_out"]
    assert [(each["id"], each["reason"]) for each in found] == [
        (draft["id"], "it has no class, and an evaluation needs two or more"),
        (one["id"], "a class of it has no string"),
    ]
    alone = classes.get("instances/", evaluation=draft["id"])
    assert (alone["n"], alone["tallies"], len(alone["evaluations_left_out"])) == (0, [], 1)


@pytest.mark.django_db(transaction=True)
def test_instances_of_items_that_the_reader_may_answer_are_counted_only(
    classes: Classes, people: People, settled: Settled
) -> None:
    before, file_before = classes.get("instances/"), classes.lines("instances/file/")
    item = before["instances"][0]["item"]
    hidden = sum(each["item"] == item for each in before["instances"])
    place = next(each for each in settled.places if each.item.external_id == item)
    Assignment.objects.create(batch_item=place, annotator=people.admin, position=1, state=Assignment.State.OPEN)
    after = classes.get("instances/")
    assert (after["n"], after["n_hidden"], len(after["instances"])) == (
        before["n"],
        hidden,
        before["n"] - hidden,
    )
    shown = {each["target"] for each in after["instances"]}
    assert classes.lines("instances/file/") == [each for each in file_before if each["target"] in shown]
    assert (len(file_before), hidden > 0) == (before["n"], True)


@pytest.mark.django_db(transaction=True)
def test_augmented_targets_have_their_sources(settled: Settled, people: People, client_of: Client) -> None:
    """By hand: a target of press-1 has cut rates, and the other cut and raised rates; no target has lowered rates."""
    classes = Classes(client_of(people.admin), people.project)
    alike = made("", "cut rates", "raised rates", "lowered rates")
    classes.save(classes.create(), [alike, made("", "held rates")])
    training = {each.id: each for each in marked_data(people.project, "current").targets if each.split == "train"}
    found = classes.lines("augmented/file/", factor=2, seed=1)
    for line in found:
        original = training[line["id"].rpartition(" (augmented ")[0]]
        assert (line["split"], line["item"]) == ("train", original.item)
        assert line["sources"] == ([original.source] if original.source else [])
    assert sorted(line["text"] for line in found) == [
        "It raised rates.",
        "The board cut rates. It cut rates.",
        "The board raised rates. It raised rates.",
    ]
    # Those of an item that the reader may still answer are left out.
    place = next(each for each in settled.places if each.item.external_id == found[0]["item"])
    Assignment.objects.create(batch_item=place, annotator=people.admin, position=1, state=Assignment.State.OPEN)
    left = classes.lines("augmented/file/", factor=2, seed=1)
    assert left == [line for line in found if line["item"] != found[0]["item"]]


@pytest.mark.django_db(transaction=True)
def test_a_release_gives_its_own(
    classes: Classes, people: People, settings: Settings, tmp_path: Path, settled: Settled
) -> None:
    settings.MEDIA_ROOT, settings.RUNS_DIR = tmp_path / "media", tmp_path / "runs"
    now = classes.lines("instances/file/")
    release = release_made(people.project)
    assert classes.lines("instances/file/", data=f"release:{release.number}") == now
    classes.get("instances/", 400, data="release:7")
    wrong: Any = classes.client.get(f"{classes.base}instances/file/", {"data": "later"})
    assert wrong.status_code == 400
