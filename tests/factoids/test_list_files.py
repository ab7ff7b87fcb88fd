"""Lists from files take the place of empty ones, exactly."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from rest_framework.test import APIClient

from annotation_app.demo.paths import FACTOIDS
from annotation_app.models import Membership, TextSet
from tests.conftest import People
from tests.factoids.api import (
    FERRY,
    Json,
    close,
    define,
    factoid,
    get_list,
    import_set,
    list_in,
    open_phase,
    set_done,
    upload,
)
from tests.factoids.rows import add_text, publish_list

Clients = Callable[[Membership], APIClient]
LIST = {"annotator": "A", "texts": ["M01", "M02"], "factoids": [factoid("P1", "M01-001", description="it sank")]}


@pytest.fixture
def admin(people: People, client_of: Clients) -> APIClient:
    return client_of(people.admin)


def send_list(admin: APIClient, text_set: TextSet, phase: Json, member: Membership, data: object) -> Any:
    content = data if isinstance(data, bytes) else json.dumps(data).encode()
    body = {"phase": phase["id"], "member": str(member.uuid), "file": upload("a.json", content)}
    return admin.post(f"/api/text-sets/{text_set.uuid}/lists/", body, format="multipart")


def written(shown: Json) -> list[Json]:
    return [{name: value for name, value in each.items() if name != "key"} for each in shown["factoids"]]


def test_the_demo_s_list_is_imported_exactly(people: People, admin: APIClient, client_of: Clients) -> None:
    texts = upload("texts.jsonl", (FACTOIDS / "texts.jsonl").read_bytes())
    path = f"/api/projects/{people.project.uuid}/text-sets/"
    made = admin.post(path, {"name": "Ferry", "files": [texts]}, format="multipart").json()
    text_set = TextSet.objects.get(uuid=made["id"])
    alice = people.annotators[0]
    phase = open_phase(admin, text_set, "definition", [alice])
    sent = json.loads((FACTOIDS / "list_a.json").read_bytes())
    answer = send_list(admin, text_set, phase, alice, sent)
    assert (answer.status_code, answer.json()["revision"]) == (201, 1)
    shown = get_list(client_of(alice), list_in(phase, alice))
    assert written(shown) == [{**each, "absent": []} for each in sent["factoids"]]
    again = send_list(admin, text_set, phase, alice, sent)
    assert (again.status_code, again.json()["code"]) == (409, "not_empty")


def test_a_factoid_a_line_comes_back_as_it_was(people: People, admin: APIClient, client_of: Clients) -> None:
    text_set = import_set(admin, people.project, FERRY)
    alice, bob = people.annotators[:2]
    phase = open_phase(admin, text_set, "definition", [alice, bob])
    define(client_of(alice), list_in(phase, alice), factoid("P1", "M02-003", description="two\ndied"), factoid("P2"))
    first = get_list(client_of(alice), list_in(phase, alice))
    rows = [{"list": "1", **each} for each in first["factoids"]]
    file = "\n".join(map(json.dumps, rows)).encode()
    assert send_list(admin, text_set, phase, bob, file).status_code == 201
    assert written(get_list(client_of(bob), list_in(phase, bob))) == written(first)


def test_an_annotation_is_filled_and_what_it_does_not_link_is_absent(
    people: People, admin: APIClient, client_of: Clients
) -> None:
    text_set = import_set(admin, people.project, FERRY)
    given = publish_list(text_set, {"F1": [], "F2": []})
    alice = people.annotators[0]
    phase = open_phase(admin, text_set, "annotation", [alice], given=str(given.uuid))
    sent = LIST | {"factoids": [factoid("F1", "M01-002"), {"id": "F2", "sentences": ["M02-001"]}]}
    del sent["factoids"][0]["absent"]  # type: ignore[attr-defined]
    other = send_list(admin, text_set, phase, alice, LIST)
    assert other.json()["errors"]["file"][0].startswith("The factoids are not those of the given list: F1 is in one")
    assert send_list(admin, text_set, phase, alice, sent).status_code == 201
    shown = get_list(client_of(alice), list_in(phase, alice))
    assert [(each["sentences"], each["absent"]) for each in shown["factoids"]] == [
        (["M01-002"], ["M02"]),
        (["M02-001"], ["M01"]),
    ]
    assert set_done(client_of(alice), list_in(phase, alice)).status_code == 200


def test_a_list_from_before_a_text_was_added_is_imported(people: People, admin: APIClient, client_of: Clients) -> None:
    text_set = import_set(admin, people.project, FERRY)
    given = publish_list(text_set, {"F1": []})
    alice = people.annotators[0]
    add_text(text_set, "S1", ["The system's words."], is_system=True)
    definition = open_phase(admin, text_set, "definition", [alice])
    outside = LIST | {"factoids": [factoid("P1", "S1-001")]}
    refused = send_list(admin, text_set, definition, alice, outside).json()["errors"]["file"][0]
    assert refused.startswith("a.json: factoids[0].sentences[0]: 'S1-001' is not in the set")
    assert send_list(admin, text_set, definition, alice, LIST).status_code == 201
    assert written(get_list(client_of(alice), list_in(definition, alice))) == LIST["factoids"]
    # The file says nothing of the system's text, so that its answers stay open.
    annotation = open_phase(admin, text_set, "annotation", [alice], given=str(given.uuid))
    sent = LIST | {"factoids": [{"id": "F1", "sentences": ["M01-002"]}]}
    assert send_list(admin, text_set, annotation, alice, sent).status_code == 201
    shown = get_list(client_of(alice), list_in(annotation, alice))
    assert [(each["sentences"], each["absent"]) for each in shown["factoids"]] == [(["M01-002"], ["M02"])]
    assert set_done(client_of(alice), list_in(annotation, alice)).json()["detail"].startswith("1 answer missing")


@pytest.mark.parametrize(
    ("sent", "said"),
    [
        (b"{", "a.json: line 1, column 2: not valid JSON"),
        (LIST | {"texts": ["M01", "M03"]}, "a.json: texts: 'M03' is no text that this phase is about"),
        (
            LIST | {"factoids": [factoid("P1", "M09-001")]},
            "a.json: factoids[0].sentences[0]: 'M09-001' is not in the set",
        ),
        (
            LIST | {"factoids": [factoid("P1"), factoid("P1")]},
            "a.json: factoids[1].id: 'P1' is the id of factoids[0] too",
        ),
        (
            LIST | {"factoids": [factoid("P1", absent=["M01"])]},
            "a.json: factoids[0].absent: Only an annotation of a given",
        ),
        (
            LIST | {"factoids": [factoid("P1"), factoid("x" * 101)]},
            "a.json: factoids[1].id: Has 101 characters; at most 100 are kept.",
        ),
        (
            LIST | {"factoids": [{**factoid("P1"), "absent": "M01"}]},
            "a.json: factoids[0].absent: must be a list of ids",
        ),
        (
            LIST | {"texts": ["M01"]},
            "a.json: texts: a set has two texts or more",
        ),
        ([], 'a.json: must be {"annotator", "texts", "factoids"}, or a factoid a line'),
        (b'{"list": "1", "id": "P1"}\n{"list": "2", "id": "P1"}', "a.json: list: holds 2 lists"),
        (
            {
                **LIST,
                "texts": ["M01", "M02"],
                "sentences": [{"text": "M02", "id": "M01-001"}],
            },
            "a.json: sentences: 'M01-001' is no such sentence of the set",
        ),
    ],
)
def test_what_is_wrong_is_named_and_nothing_is_stored(
    people: People, admin: APIClient, sent: object, said: str
) -> None:
    text_set = import_set(admin, people.project, FERRY)
    alice = people.annotators[0]
    phase = open_phase(admin, text_set, "definition", [alice])
    answer = send_list(admin, text_set, phase, alice, sent)
    assert answer.status_code == 400
    assert answer.json()["errors"]["file"][0].startswith(said)
    assert text_set.lists.get().revision == 0


def test_a_list_is_imported_for_people_of_an_open_phase(people: People, admin: APIClient) -> None:
    text_set = import_set(admin, people.project, FERRY)
    alice, bob = people.annotators[:2]
    phase = open_phase(admin, text_set, "definition", [alice])
    assert list(send_list(admin, text_set, phase, bob, LIST).json()["errors"]) == ["member"]
    close(admin, phase)
    assert send_list(admin, text_set, phase, alice, LIST).json()["code"] == "closed"
