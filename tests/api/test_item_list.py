"""The list of items finds by words, filters by all that is known of an item, and tells no answers too early."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from rest_framework.test import APIClient

from annotation_app.annotation.remarks import item_flag
from annotation_app.annotation.services import annotation_submit
from annotation_app.assignment.services import next_window
from annotation_app.dashboards.items.search import search_condition
from annotation_app.models import Assignment, Batch, Item, Membership
from tests.assignment.batches import open_batch
from tests.conftest import People
from tests.factories import make_items
from tests.labels import NO, YES, label_batch, submission

pytestmark = pytest.mark.django_db
ClientOf = Callable[[Membership], APIClient]
TEXTS = [
    "Inflation ist zu hoch, sagt die Bank.",
    "The inflation rate fell; gold rose.",
    "A rate of inflation that nobody likes.",
    "Ärger über die INFLATIONSRATE",
    "100% of nothing",
    "政策利率上升",
]


@pytest.fixture
def admin(people: People, client_of: ClientOf) -> APIClient:
    return client_of(people.admin)


def url(people: People, more: str = "") -> str:
    return f"/api/projects/{people.project.uuid}/items/{more}"


def found(admin: APIClient, people: People, **asked: Any) -> list[str]:
    answer = admin.get(url(people), asked)
    assert answer.status_code == 200, answer.json()
    assert admin.get(url(people, "count/"), asked).json()["n"] == len(answer.json()["items"])
    return [each["item_id"] for each in answer.json()["items"]]


@pytest.mark.parametrize(
    ("query", "places"),
    [
        ("inflation", [0, 1, 2, 3]),
        ("rate inflation", [1, 2, 3]),
        ('"inflation rate"', [1]),
        ("„Inflation Rate“", [1]),
        ("inflation -rate", [0]),
        ('inflation -"inflation rate"', [0, 2, 3]),
        ("ärger", [3]),
        ("100%", [4]),
        ("%", [4]),
        ("利率", [5]),
        ("doc_2", [2]),
        ("DOC_2_1 nobody", [2]),
        ("_", [0, 1, 2, 3, 4, 5]),
        ("  ", [0, 1, 2, 3, 4, 5]),
        ("absent", []),
    ],
)
def test_it_finds_parts_of_words_phrases_and_ids(
    people: People, admin: APIClient, query: str, places: list[int]
) -> None:
    make_items(people.project, TEXTS)
    assert found(admin, people, q=query) == [f"doc_{place}_1" for place in places]


def test_an_item_of_another_project_is_never_found(people: People, admin: APIClient) -> None:
    make_items(people.outsider.project, TEXTS)
    assert found(admin, people, q="inflation") == []


def test_it_tells_states_apart(people: People, admin: APIClient) -> None:
    pool, unfit, left = make_items(people.project, ["In the pool.", "Short.", "Left out."], "a")
    Item.objects.filter(pk=unfit.pk).update(left_out=Item.LeftOut.TOO_SHORT)
    assert admin.post(f"/api/items/{left.uuid}/leave-out/", {"reason": "No sentence"}, "json").status_code == 200
    done = open_batch(people.project, people.annotators, size=1, number=1)
    label_batch(done, lambda *_: NO)
    open_batch(people.project, people.annotators, size=2, number=2)
    assert found(admin, people, state="pool") == [pool.external_id]
    assert found(admin, people, state="unfit") == [unfit.external_id]
    assert found(admin, people, state="left_out") == [left.external_id]
    assert found(admin, people, state="done") == ["doc-1_0_1"]
    assert found(admin, people, state="open") == ["doc-2_0_1", "doc-2_1_1"]
    assert found(admin, people, state="given") == ["doc-1_0_1", "doc-2_0_1", "doc-2_1_1"]
    assert found(admin, people, batch=done.uuid) == ["doc-1_0_1"]
    [shown] = admin.get(url(people), {"state": "done"}).json()["items"]
    assert (shown["batch"], shown["done"], shown["total"]) == ({"kind": "round", "number": 1}, 3, 3)


def test_columns_documents_and_speakers_choose(people: People, admin: APIClient) -> None:
    items = make_items(people.project, TEXTS, "minutes")
    meta: list[Any] = [{"party": "Left"}, {"party": "right"}, {}, {"year": 1999}, {"meta": {"tone": "dry"}}]
    for item, said in zip(items[:5], meta, strict=True):
        item.meta = said
        item.save()
    items[0].document.meta = {"party": "none"}
    items[0].document.save()

    def by(*parts: str) -> list[str]:
        return [each.split("_")[1] for each in found(admin, people, column=json.dumps(parts))]

    assert by("party", "left") == ["0"]
    # What stands at the document holds where the item says nothing else.
    assert by("party", "none") == ["2", "3", "4", "5"]
    assert by("year", "1999") == ["3"]
    assert by("meta", "tone", "dry") == ["4"]
    both = [json.dumps(["year", "1999"]), json.dumps(["party", "none"])]
    assert found(admin, people, column=both) == ["minutes_3_1"]
    assert found(admin, people, document="INUTE", speaker="speaker 1") == ["minutes_1_1", "minutes_4_1"]
    assert found(admin, people, document="other") == []
    faulty = admin.get(url(people), {"column": "party"})
    assert faulty.status_code == 400


def by_place(member: Membership, item: Item) -> dict[str, str]:
    """Alice says no of the first item, and everybody else yes; of the second all say yes, of the third all no."""
    place = int(item.external_id.split("_")[1])
    return NO if place == 2 or (place == 0 and member.number == 2) else YES


def test_labels_and_outcomes_choose(people: People, admin: APIClient) -> None:
    label_batch(open_batch(people.project, people.annotators, size=3), by_place)
    alice, bob, _ = people.annotators
    assert found(admin, people, stage="opinion", label="yes") == ["doc-1_0_1", "doc-1_1_1"]
    assert found(admin, people, stage="opinion", label="no") == ["doc-1_2_1"]
    assert found(admin, people, stage="opinion", label="no", by=alice.uuid) == ["doc-1_0_1", "doc-1_2_1"]
    assert found(admin, people, stage="opinion", label="no", by=bob.uuid) == ["doc-1_2_1"]
    assert found(admin, people, outcome="disagreement") == ["doc-1_0_1"]
    assert found(admin, people, outcome="disagreement", stage="mp") == []
    assert found(admin, people, outcome="agreed", stage="opinion") == ["doc-1_1_1", "doc-1_2_1"]
    assert found(admin, people, outcome="no_majority") == []
    assert admin.get(url(people), {"label": "yes"}).json()["errors"]["stage"]
    assert admin.get(url(people), {"stage": "weather", "label": "yes"}).json()["errors"]["stage"]
    stranger = {"stage": "opinion", "label": "yes", "by": str(people.outsider.uuid)}
    assert admin.get(url(people), stranger).json()["errors"]["by"]


def test_skips_flags_and_comments_choose(people: People, admin: APIClient) -> None:
    batch = open_batch(people.project, people.annotators[:1], size=2)
    [alice] = people.annotators[:1]
    first, second = next_window(membership=alice, ahead=2).assignments
    item_flag(membership=alice, assignment_uuid=second.uuid, note="Is this a sentence?")
    body = submission({})
    annotation_submit(
        membership=alice, assignment_uuid=first.uuid, body=type(body)(**{**vars(body), "skip_reason": "Not English"})
    )
    names = dict(Assignment.objects.values_list("pk", "batch_item__item__external_id"))
    assert found(admin, people, remark="skipped") == [names[first.pk]]
    assert found(admin, people, remark="flagged") == [names[second.pk]]
    assert found(admin, people, remark="commented") == []
    assert batch.batch_items.count() == 2
    batch.kind = Batch.Kind.PRACTICE
    batch.save()
    assert found(admin, people, remark="skipped") == found(admin, people, remark="flagged") == []


def test_an_admin_who_rates_learns_nothing_before_their_own_answer_is_final(
    people: People, admin: APIClient, client_of: ClientOf
) -> None:
    batch = open_batch(people.project, [*people.annotators, people.admin], size=2)
    open_batch(people.project, people.annotators, size=1, number=2)
    for each in Batch.objects.filter(project=people.project):
        label_batch_without(each, people.admin)
    asked = [
        {"stage": "opinion", "label": "yes"},
        {"stage": "opinion", "label": "yes", "by": people.annotators[0].uuid},
        {"outcome": "agreed", "stage": "opinion"},
    ]
    for each in asked:
        assert found(admin, people, **each) == ["doc-2_0_1"]
        # As many are hidden whatever the answers are.
        assert admin.get(url(people, "count/"), each).json() == {"n": 1, "hidden": 2}
        assert admin.get(url(people, "count/"), {**each, **no_label(each)}).json() == {"n": 0, "hidden": 2}
    # Their own answer is theirs to look for.
    mine = next_window(membership=people.admin, ahead=1).assignments[0]
    annotation_submit(membership=people.admin, assignment_uuid=mine.uuid, body=submission(YES))
    own = Item.objects.get(batch_items__assignments=mine).external_id
    assert found(admin, people, stage="opinion", label="yes", by=people.admin.uuid) == [own]
    assert found(admin, people, stage="opinion", label="yes") == ["doc-2_0_1"]
    Batch.objects.filter(pk=batch.pk).update(frozen_at=batch.opened_at)
    assert len(found(admin, people, stage="opinion", label="yes", by=people.annotators[0].uuid)) == 3


def label_batch_without(batch: Batch, spared: Membership) -> None:
    for row in Assignment.objects.filter(batch_item__batch=batch).exclude(annotator=spared):
        while window := next_window(membership=row.annotator, ahead=5).assignments:
            for each in window:
                annotation_submit(membership=row.annotator, assignment_uuid=each.uuid, body=submission(YES))


def no_label(asked: dict[str, Any]) -> dict[str, Any]:
    return {"outcome": "no_majority"} if "outcome" in asked else {"label": "no"}


@pytest.mark.parametrize("sort", ["order", "id", "length"])
def test_pages_follow_each_other_both_ways(people: People, admin: APIClient, sort: str) -> None:
    rows = make_items(people.project, [f"{'long ' * (n % 7)}sentence {n % 3}" for n in range(60)])
    keys: dict[str, Callable[[Item], Any]] = {
        "order": lambda item: item.pk,
        "id": lambda item: item.external_id,
        "length": lambda item: (len(item.text), item.pk),
    }
    expected = [each.external_id for each in sorted(rows, key=keys[sort])]
    assert walked(admin, people, sort) == (expected, [25, 25, 10])
    assert walked(admin, people, f"-{sort}") == (expected[::-1], [25, 25, 10])


def walked(admin: APIClient, people: People, sort: str) -> tuple[list[str], list[int]]:
    """Walk to the end and back again: the way back shows the same pages."""
    pages = [admin.get(url(people), {"sort": sort}).json()]
    assert pages[0]["before"] is None
    while pages[-1]["after"]:
        pages.append(admin.get(url(people), {"sort": sort, "after": pages[-1]["after"]}).json())
    page = pages[-1]
    for earlier in pages[-2::-1]:
        page = admin.get(url(people), {"sort": sort, "before": page["before"]}).json()
        assert page["items"] == earlier["items"]
    assert page["before"] is None
    return [each["item_id"] for page in pages for each in page["items"]], [len(page["items"]) for page in pages]


def test_a_page_from_an_item_that_is_gone_says_so(people: People, admin: APIClient) -> None:
    gone = admin.get(url(people), {"after": str(people.project.uuid)})
    assert (gone.status_code, list(gone.json()["errors"])) == (400, ["after"])


def test_more_words_than_are_looked_for_are_refused(people: People, admin: APIClient) -> None:
    assert admin.get(url(people), {"q": "a " * 20}).status_code == 200
    refused = admin.get(url(people), {"q": "a " * 21})
    assert (refused.status_code, list(refused.json()["errors"])) == (400, ["q"])


@pytest.mark.parametrize("part", ["\\u0000", "\\ud800"])
def test_a_value_that_no_text_holds_is_refused(people: People, admin: APIClient, part: str) -> None:
    for asked in (f'["a","{part}"]', f'["{part}","a"]'):
        refused = admin.get(url(people), {"column": asked})
        assert (refused.status_code, next(iter(refused.json()["errors"])).split(".")[0]) == (400, "column")


def test_a_part_of_a_word_is_looked_up_by_the_index(people: People) -> None:
    make_items(people.project, TEXTS)
    sql, values = Item.objects.filter(search_condition('"tion rate"')).query.sql_with_params()
    with connection.cursor() as cursor:
        # So few rows are read faster one by one.
        cursor.execute("SET LOCAL enable_seqscan = off")
        cursor.execute(f"EXPLAIN {sql}", values)
        plan = "\n".join(line for (line,) in cursor.fetchall())
    assert "item_text_parts" in plan
    assert "item_id_parts" in plan
