"""Strings with their places, who sees them, and what is suggested."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.utils import timezone
from pytest_django.fixtures import Settings
from rest_framework.test import APIClient

from al_worker.bridge.run_string_vectors import StringVectorsRun
from annotation_app.equivalence.suggestions import pairs_by_words
from annotation_app.export.spans.linear_form import ExportedSpan
from annotation_app.models import Assignment, Batch, Event, Membership, Round, StringVectors
from tests.conftest import People
from tests.equivalence_server.api import Classes, made
from tests.equivalence_server.rows import Settled, settled_articles
from tests.export.span_rows import decide, mark, open_articles
from tests.factories import make_beat, make_member
from tests.rounds.starting import waiting_round

Client = Callable[[Membership], APIClient]


@pytest.fixture
def settled(people: People) -> Settled:
    return settled_articles(people)


@pytest.fixture
def classes(settled: Settled, people: People, client_of: Client) -> Classes:
    return Classes(client_of(people.admin), people.project)


def shown(found: Any) -> list[tuple[str, int, str | None]]:
    return [(each["text"], each["n"], each["class_key"]) for each in found["strings"]]


@pytest.mark.django_db
def test_it_counts_the_strings_of_settled_spans(classes: Classes) -> None:
    words = classes.create()
    cut = made("", "cut rates", "cut the rate")
    words = classes.save(words, [cut, made("", "raised rates")])
    found = classes.get(f"{words['id']}/strings/")
    assert [(text, n) for text, n, _ in shown(found)] == [("cut rates", 2), ("held rates", 2), ("raised rates", 1)]
    assert [key == cut["key"] for _, _, key in shown(found)] == [True, False, False]
    assert found["unused"] == [{"text": "cut the rate", "class_key": cut["key"]}]
    assert {key: found[key] for key in ("n_spans", "n_without_part", "hidden_items")} == {
        "n_spans": 5,
        "n_without_part": 0,
        "hidden_items": 0,
    }
    assert (words["n_unused"], words["n_members"]) == (1, 3)

    comments = classes.get(f"{classes.create('labels', part='comment')['id']}/strings/")
    assert shown(comments) == [
        ("Cut rates", 2, None),
        ("Did not cut rates", 1, None),
        ("Did not raise rates", 1, None),
    ]
    assert (comments["n_spans"], comments["n_without_part"]) == (5, 1)
    both = classes.get(f"{classes.create('both', part='both')['id']}/strings/")
    assert [text for text, _, _ in shown(both)] == [
        "cut rates (Cut rates)",
        "held rates (Did not cut rates)",
        "held rates (Did not raise rates)",
        "raised rates",
    ]
    page = classes.get()
    act = next(each for each in page["categories"] if each["key"] == "act")
    assert {key: act[key] for key in ("title", "has_comment", "n_spans")} == {
        "title": "Act",
        "has_comment": True,
        "n_spans": 5,
    }
    assert page["parts"] == ["words", "comment", "both"]


@pytest.mark.django_db
def test_each_string_is_shown_where_it_stands(classes: Classes, settled: Settled) -> None:
    words, comments = classes.create(), classes.create("labels", part="comment")
    both = classes.create("both", part="both")
    found = classes.get(f"{words['id']}/places/", text=" held rates ")
    first, second = settled.places[0].item, settled.places[2].item
    assert (found["n"], found["page"], found["n_pages"]) == (2, 1, 1)
    assert found["places"] == [
        {
            "item": str(first.uuid),
            "item_id": "news_0_1",
            "before": "🎉 It cut rates. Why? It ",
            "words": "held rates",
            "comment": "Did not cut rates",
            "after": " soon.",
            "batch": 1,
        },
        {
            "item": str(second.uuid),
            "item_id": "news_2_1",
            "before": "They ",
            "words": "held rates",
            "comment": "Did not raise rates",
            "after": " again.",
            "batch": 1,
        },
    ]
    of_comment = classes.get(f"{comments['id']}/places/", text="Did not raise rates")["places"]
    assert [each["item_id"] for each in of_comment] == ["news_2_1"]
    of_both = classes.get(f"{both['id']}/places/", text="held rates (Did not cut rates)")["places"]
    assert [each["item_id"] for each in of_both] == ["news_0_1"]
    # Part of a string is another string.
    assert classes.get(f"{words['id']}/places/", text="held")["n"] == 0
    assert classes.get(f"{comments['id']}/places/", text="rates")["n"] == 0


@pytest.mark.django_db
def test_a_long_text_is_cut_around_the_place(classes: Classes, people: People, settled: Settled) -> None:
    text = f"{'a' * 250} 🎉 met {'z' * 250}"
    place = open_articles(people.project, settled.codebook, [text], people.annotators[1:2], number=2, document="more")[
        0
    ]
    marked = mark(place, people.annotators[1], [ExportedSpan(253, 256, "act")])
    decide(place, people.admin, "accepted", annotation=marked)
    evaluation = classes.create()
    (found,) = classes.get(f"{evaluation['id']}/places/", text="met")["places"]
    assert (found["before"], found["words"]) == (f"{'a' * 197} 🎉 ", "met")
    assert (found["after"], found["batch"]) == (f" {'z' * 199}", 2)


@pytest.mark.django_db
def test_an_annotator_sees_closed_batches_alone(people: People, settled: Settled, client_of: Client) -> None:
    """Bob has none of the items, and sees nothing all the same while Alice may change her answers."""
    admin = Classes(client_of(people.admin), people.project)
    evaluation = admin.create()
    path = f"{evaluation['id']}/"
    alice, bob = (Classes(client_of(member), people.project) for member in people.annotators[:2])
    for annotator in (alice, bob):
        assert annotator.get(f"{path}strings/")["strings"] == []
        assert annotator.get(f"{path}strings/")["hidden_items"] == 3
        assert annotator.get(f"{path}places/", text="cut rates")["n"] == 0
        assert annotator.get(f"{path}suggestions/")["pairs"] == []
        page = annotator.get()
        assert ({each["n_spans"] for each in page["categories"]}, page["hidden_items"]) == ({0}, 3)
        # A string that they found elsewhere hides nothing from them.
        kept = annotator.save(annotator.get(path), [made("", "seen elsewhere")])
        assert kept["n_unused"] == 1
    classes = [made("", "cut rates"), made("", "held rates")]
    evaluation = admin.save(admin.get(path), classes)
    for annotator in (alice, bob):
        for read in (path, f"{path}strings/", f"{path}revisions/"):
            assert annotator.get(read, 409)["code"] == "hidden_strings"
        assert annotator.save(evaluation, classes[:1], 409)["code"] == "hidden_strings"
        assert [each["n_members"] for each in annotator.get()["evaluations"]] == [2]
        assert annotator.client.get(f"{annotator.base}file/").status_code == 403
    # Closed: what was not answered is withdrawn, and answers may still be revised.
    Batch.objects.filter(project=people.project).update(closed_at=timezone.now())
    assert bob.get(f"{path}strings/", 409)["code"] == "hidden_strings"
    # The next round has begun.
    Batch.objects.filter(project=people.project).update(frozen_at=timezone.now())
    for annotator in (alice, bob):
        found = annotator.get(f"{path}strings/")
        assert ([each["text"] for each in found["strings"]], found["hidden_items"]) == (
            ["cut rates", "held rates", "raised rates"],
            0,
        )
        assert annotator.get(f"{path}places/", text="cut rates")["n"] == 2
    shown = Event.objects.get(verb="answers_shown")
    assert (shown.actor, shown.subject, len(shown.data["assignments"])) == (
        people.annotators[0].user,
        evaluation["id"],
        3,
    )
    # The round was cancelled: Alice has seen what she may not change any more, and of the fourth item she has not.
    Batch.objects.filter(project=people.project).update(frozen_at=None, closed_at=None)
    locked = Assignment.objects.filter(annotator=people.annotators[0], answers_revealed_at__isnull=False)
    assert set(locked.values_list("batch_item", flat=True)) == {place.pk for place in settled.places[:3]}
    olga = client_of(people.outsider)
    assert olga.get(f"/api/projects/{people.project.uuid}/equivalence/{path}strings/").status_code == 404


@pytest.mark.django_db
def test_who_may_still_answer_does_not_see_others_spans(people: People, settled: Settled, client_of: Client) -> None:
    """An admin has one of the items too; an adjudicator has none, and sees all."""
    place = settled.places[0]
    Assignment.objects.create(batch_item=place, annotator=people.admin, position=1, state=Assignment.State.OPEN)
    admin = Classes(client_of(people.admin), people.project)
    judge = Classes(client_of(make_member(people.project, "judith", "adjudicator")), people.project)
    path = f"{admin.create()['id']}/"
    found = admin.get(f"{path}strings/")
    assert [(each["text"], each["n"]) for each in found["strings"]] == [
        ("cut rates", 1),
        ("held rates", 1),
        ("raised rates", 1),
    ]
    assert (found["hidden_items"], admin.get()["hidden_items"]) == (1, 1)
    assert [each["item_id"] for each in admin.get(f"{path}places/", text="cut rates")["places"]] == ["news_1_1"]
    assert judge.get(f"{path}strings/")["n_spans"] == 5
    # Whoever has looked at the others' answers cannot answer any more.
    Assignment.objects.filter(annotator=people.admin).update(answers_revealed_at=timezone.now())
    assert admin.get(f"{path}strings/")["n_spans"] == 5


@pytest.mark.django_db
def test_it_suggests_strings_that_share_words(classes: Classes) -> None:
    """By hand: rates is in all 3 strings, each other word in one; weights 1 and 1 + ln 3 = 2.0986."""
    evaluation = classes.create()
    held = made("", "held rates")
    evaluation = classes.save(evaluation, [held, made("", "x")])
    found = classes.get(f"{evaluation['id']}/suggestions/", by="words")
    assert (found["state"], found["n_new"]) == ("ready", 0)
    # 1 / (1 + 2 * 2.0986) = 0.1924 is too little.
    assert found["pairs"] == []
    pairs = pairs_by_words(["cut the rates", "cut rates", "Cut rates soon", "met"], {"cut rates": "k"})
    # Of 4 strings: cut and rates in 3 (1.2877), the, soon and met in 1 (2.3863).
    assert [(each.text, each.other, each.score, each.shared, each.class_key) for each in pairs] == [
        ("Cut rates soon", "cut rates", 0.5191, ["cut", "rates"], "k"),
        ("cut the rates", "cut rates", 0.5191, ["cut", "rates"], "k"),
        ("Cut rates soon", "cut the rates", 0.3505, ["cut", "rates"], None),
    ]


@pytest.mark.django_db(transaction=True)
def test_the_worker_finds_alike_strings_by_vectors(
    classes: Classes, people: People, settled: Settled, settings: Settings, tmp_path: Path
) -> None:
    settings.RUNS_DIR = tmp_path / "runs"
    evaluation = classes.create("labels", part="comment")
    path = f"{evaluation['id']}/suggestions/"
    assert classes.get(path, by="vectors")["state"] == "none"
    down = classes.post(path, 409)
    assert (down["code"], "model worker does not run" in down["detail"]) == ("worker_down", True)
    make_beat("models")
    assert classes.post(path)["state"] == "waiting"
    assert classes.post(path)["state"] == "waiting"
    row = StringVectors.objects.get()
    assert row.strings == ["Cut rates", "Did not cut rates", "Did not raise rates"]

    waiting = waiting_round(people)
    assert StringVectorsRun.waiting() == []
    Round.objects.filter(pk=waiting.pk).update(state=Round.State.CANCELLED)
    assert StringVectorsRun.waiting() == [(row.pk, 0)]
    StringVectorsRun.run(row.pk)
    row.refresh_from_db()
    assert (row.state, row.failure) == ("done", "")
    found = classes.get(path, by="vectors")
    assert (found["state"], found["encoder"], found["n_new"]) == ("ready", "all-MiniLM-L6-v2", 0)
    best = found["pairs"][0]
    assert {best["text"], best["other"]} == {"Did not cut rates", "Did not raise rates"}
    assert 0.6 <= best["score"] <= 1.0
    assert classes.post(path)["state"] == "ready"
    assert StringVectors.objects.count() == 1
    assert not (tmp_path / "runs" / "string-vectors" / str(row.uuid)).exists()

    # A new string has no vector yet.
    decide(settled.places[2], people.admin, "edited", spans=[ExportedSpan(5, 9, "act", "Kept rates")])
    later = classes.get(path, by="vectors")
    assert (later["state"], later["n_new"]) == ("ready", 1)
    assert all("Did not raise rates" not in (each["text"], each["other"]) for each in later["pairs"])
    verbs = Event.objects.filter(verb__startswith="equivalence_vectors").order_by("pk").values_list("verb", flat=True)
    assert list(verbs) == ["equivalence_vectors_started", "equivalence_vectors_done"]


@pytest.mark.django_db(transaction=True)
def test_a_failure_of_the_worker_is_told(classes: Classes, people: People, settings: Settings, tmp_path: Path) -> None:
    settings.RUNS_DIR, settings.MODELS = tmp_path / "runs", [f"all-MiniLM-L6-v2={tmp_path}"]
    make_beat("models")
    path = f"{classes.create()['id']}/suggestions/"
    classes.post(path)
    StringVectorsRun.run(StringVectors.objects.get().pk)
    found = classes.get(path, by="vectors")
    assert (found["state"], found["pairs"]) == ("failed", [])
    assert str(tmp_path) in found["failure"] or "model" in found["failure"]
    assert json.dumps(found)
