"""The authors' JSON in and out, byte by byte, and what is wrong in a file."""

import json
from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest
from rest_framework.test import APIClient

from annotation_app.models import EquivalenceEvaluation, EquivalenceRevision, Event, Membership
from tests.conftest import People
from tests.equivalence_server.api import Classes, made, says
from tests.equivalence_server.rows import settled_articles
from tests.export.span_rows import span_codebook
from tests.factories import publish
from tests.shared import shared_file

pytestmark = pytest.mark.django_db

Client = Callable[[Membership], APIClient]
REPEATED = (
    "[10].equivalence_classes[0][21]: “left rates unchanged” of “act modals (negative)” stands in its class already; "
    "it counts once."
)
FILE: list[dict[str, Any]] = [
    {"annotation": "ACT", "evaluation": "acts", "equivalence_classes": [["cut rates", "cut"], ["held rates"]]},
    {"annotation": "scope", "evaluation": "time", "equivalence_classes": [["soon"], ["this year"]], "in_depth": True},
]


@pytest.fixture
def classes(people: People, client_of: Client) -> Classes:
    settled_articles(people)
    return Classes(client_of(people.admin), people.project)


def written(value: Any) -> bytes:
    return (json.dumps(value, ensure_ascii=False, indent=2) + "\n").encode()


def test_the_authors_file_comes_back_byte_by_byte(classes: Classes) -> None:
    data = shared_file("equivalence-classes/equivalence_classes.json").read_bytes()
    tried = classes.upload(data, dry_run=True)
    assert (len(tried["created"]), tried["changed"], tried["faults"]) == (15, [], [])
    assert EquivalenceEvaluation.objects.count() == 0
    # A member of one evaluation stands twice in its class; hardly any string is in these few texts.
    assert [each for each in tried["notices"] if "counts once" in each] == [REPEATED]
    assert classes.upload(data)["created"] == tried["created"]
    assert classes.download() == data
    again = classes.upload(data)
    assert (again["created"], again["changed"], len(again["unchanged"])) == ([], [], 15)
    assert EquivalenceRevision.objects.count() == 15
    page = classes.get()
    assert {each["category"] for each in page["evaluations"]} == {"scope", "motive", "evidence", "attribution", "act"}
    assert sum(each["in_depth"] for each in page["evaluations"]) == 9
    # One that a file brought with a string twice in a class can be saved as it is.
    for each in page["evaluations"]:
        evaluation = classes.get(f"{each['id']}/")
        classes.save(evaluation, evaluation["classes"])
    assert classes.download() == data


def test_names_of_classes_and_what_the_name_does_not_say_are_written(classes: Classes) -> None:
    evaluation = classes.create("acts", part="comment", in_depth=True)
    classes.save(evaluation, [made("lower", "cut rates"), made("", " held rates")])
    draft = classes.create("a draft")
    classes.save(draft, [made("", "cut rates"), made("empty")])
    data = classes.download()
    assert json.loads(data) == [
        {
            "annotation": "act",
            "evaluation": "acts",
            "equivalence_classes": [["cut rates"], [" held rates"]],
            "part": "comment",
            "in_depth": True,
            "class_names": ["lower", ""],
        }
    ]
    assert data == written(json.loads(data))
    assert classes.upload(data)["unchanged"] == ["acts"]


def test_an_import_over_a_known_evaluation_is_a_revision_of_it(classes: Classes, people: People) -> None:
    assert classes.upload(written(FILE))["created"] == ["acts", "time"]
    before = classes.get(f"{classes.get()['evaluations'][0]['id']}/")
    named = [each | {"name": name} for each, name in zip(before["classes"], ("lower", "same"), strict=True)]
    saved = classes.save(before, named)
    lower, same = saved["classes"]
    review = {"decision": "validated", "note": "", "revision": saved["revision"], "client_id": str(uuid4())}
    classes.post(f"{saved['id']}/reviews/", class_key=same["key"], **review)

    changed = [FILE[0] | {"equivalence_classes": [["raised rates"], ["held rates"], ["cut rates", "cut the rate"]]}]
    tried = classes.upload(written(changed), dry_run=True)
    assert (tried["created"], tried["changed"], classes.get(f"{saved['id']}/")["revision"]) == ([], ["acts"], 2)
    assert classes.upload(written(changed))["changed"] == ["acts"]
    after = classes.get(f"{saved['id']}/")
    assert says(after) == [("", ["raised rates"]), ("same", ["held rates"]), ("lower", ["cut rates", "cut the rate"])]
    assert [each["key"] for each in after["classes"]][1:] == [same["key"], lower["key"]]
    assert [each["review"]["state"] for each in after["classes"]] == ["none", "validated", "none"]
    assert says(classes.act(after, "undo")) == says(saved)
    assert len(classes.get()["evaluations"]) == 2
    verbs = Event.objects.filter(verb__startswith="equivalence").values_list("verb", flat=True)
    assert sorted(verbs) == ["equivalence_changed"] * 3 + ["equivalence_created"] * 2 + ["equivalence_reviewed"]


def test_a_category_by_another_of_its_names_is_the_same_category(classes: Classes, people: People) -> None:
    """The category is retitled, so that its title is neither its key nor its marker."""
    newest = span_codebook(people.project).definition
    layer = newest["span_layer"]
    named = [each | ({"name": "What was done"} if each["key"] == "act" else {}) for each in layer["categories"]]
    publish(people.project, newest | {"span_layer": layer | {"categories": named}})
    assert classes.upload(written(FILE))["created"] == ["acts", "time"]
    by_title = FILE[0] | {"annotation": "What was done", "equivalence_classes": [["cut rates"], ["held rates"]]}
    tried = classes.upload(written([by_title]), dry_run=True)
    assert (tried["created"], tried["changed"], tried["faults"]) == ([], ["acts"], [])
    assert classes.upload(written([by_title])) == tried
    # The evaluation goes on with the name that its category had.
    assert json.loads(classes.download())[0] == by_title | {"annotation": "ACT"}
    assert classes.upload(written([by_title]), dry_run=True)["unchanged"] == ["acts"]
    twice = classes.upload(written([FILE[0], by_title]), dry_run=True)
    assert [each["place"] for each in twice["faults"]] == ["[1].evaluation"]


def test_all_faults_are_named_and_nothing_is_imported(classes: Classes) -> None:
    wrong = [
        *FILE,
        {"annotation": "act", "evaluation": "one", "equivalence_classes": [["cut rates"]]},
        {"annotation": "act", "evaluation": "twice", "equivalence_classes": [["cut"], ["held", "cut "]]},
        {"annotation": "verb", "evaluation": "verbs", "equivalence_classes": [["a"], ["b"]]},
        {"annotation": "act", "evaluation": "acts", "equivalence_classes": [["a"], ["b"]]},
        {"annotation": "act", "evaluation": "names", "equivalence_classes": [["a"], ["b"]], "class_names": ["one"]},
    ]
    tried = classes.upload(written(wrong), dry_run=True)
    assert {each["place"]: each["message"] for each in tried["faults"]} == {
        "[2].equivalence_classes": "an evaluation has two classes or more, not 1; add one, or leave the evaluation out",
        "[3].equivalence_classes[1][1]": "'cut ' is [3].equivalence_classes[0][0] too; "
        "a string is a member of one class only",
        "[4].annotation": "“verb” is no category of the codebook; it has std_sentence, act, actor, reference, "
        "attribution, motive, evidence, scope",
        "[5].evaluation": "“acts” of act is [0] too; rename one, or join the two",
        "[6].class_names": "has 1 names for 2 classes; write one for each, empty where it has none",
    }
    assert tried["unknown_categories"] == ["verb"]
    refused = classes.upload(written(wrong), 400)
    assert len(refused["errors"]["file"]) == 5
    assert EquivalenceEvaluation.objects.count() == 0


@pytest.mark.parametrize(
    ("data", "place"),
    [
        (b"", "line 1, column 1"),
        (b"\xff", "byte 0"),
        (b"{}", "the file"),
        (b"[1]", "[0]"),
        (b"[[" * 50_000, "the file"),
    ],
)
def test_what_is_no_such_file_is_refused(classes: Classes, data: bytes, place: str) -> None:
    (fault,) = classes.upload(data, dry_run=True)["faults"]
    assert fault["place"] == place
    classes.upload(data, 400)


def test_annotators_neither_export_nor_import(people: People, client_of: Client, classes: Classes) -> None:
    plain = Classes(client_of(people.annotators[0]), people.project)
    plain.upload(written(FILE), 403)
    classes.upload(written(FILE))
    assert plain.client.get(f"{plain.base}file/").status_code == 403
    assert classes.download() == written(FILE)
