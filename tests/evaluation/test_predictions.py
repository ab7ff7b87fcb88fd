"""Predictions with their gold labels, filtered, in context, and the causes that people name for errors."""

from collections.abc import Callable, Sequence
from typing import Any

import pytest
from rest_framework.test import APIClient

from annotation_app.models import Batch, ErrorMark, Evaluation, Event, Item, Membership, Prediction
from tests.conftest import People
from tests.factories import make_items

# System, item, label, confidence, problem; all at the stage opinion. Gold: unanimous, majority, context yes, closed no.
ROWS = [
    ("a", "unanimous", "no", 0.9, ""),
    ("a", "majority", "no", 0.8, ""),
    ("a", "closed", "yes", 0.7, ""),
    ("a", "context", "yes", 0.95, ""),
    ("b", "unanimous", "yes", 0.6, ""),
    ("b", "majority", None, None, "refused"),
    ("b", "pool_0_1", "no", 0.5, ""),
]


@pytest.fixture
def evaluation(people: People, labelled: Batch, worker: object, started: Callable[..., Evaluation]) -> Evaluation:
    make_items(people.project, ["Nobody was given this."], document="pool")
    row = started(systems=["majority"])
    row.spec["systems"] = ["majority", "a", "b"]
    row.save()
    for system, name, label, confidence, problem in ROWS:
        Prediction.objects.create(
            evaluation=row,
            system=system,
            stage="opinion",
            item=Item.objects.get(external_id=name),
            label=label,
            confidence=confidence,
            problem=problem,
            explanation=f"Why {name}.",
        )
    return row


@pytest.fixture
def admin(people: People, client_of: Callable[[Membership], APIClient]) -> APIClient:
    return client_of(people.admin)


def page(admin: APIClient, evaluation: Evaluation, **asked: Any) -> dict[str, Any]:
    answer = admin.get(f"/api/evaluations/{evaluation.uuid}/predictions/", asked)
    assert answer.status_code == 200, answer.content
    return dict(answer.json())


def named(rows: Sequence[dict[str, Any]]) -> list[tuple[str, str]]:
    return [(row["system"], row["item"]["external_id"]) for row in rows]


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        ({"system": "a"}, ["a context", "a unanimous", "a majority", "a closed"]),
        ({"system": "b"}, ["b unanimous", "b pool_0_1", "b majority"]),
        ({"stage": "mp"}, []),
        # An answer that is not compliant is an error, and an item without a gold label is none.
        ({"only": "errors"}, ["a unanimous", "a majority", "a closed", "b majority"]),
        ({"only": "not_compliant"}, ["b majority"]),
        ({"gold": "no"}, ["a closed"]),
        ({"predicted": "no"}, ["a unanimous", "a majority", "b pool_0_1"]),
        ({"gold": "yes", "predicted": "no"}, ["a unanimous", "a majority"]),
        ({"agreement": "unanimous"}, ["a context", "a unanimous", "a closed", "b unanimous"]),
        ({"agreement": "majority"}, ["a majority", "b majority"]),
        ({"least_confidence": "0.8"}, ["a context", "a unanimous", "a majority"]),
        ({"cause": "none", "only": "errors", "system": "a"}, ["a unanimous", "a majority", "a closed"]),
        ({"system": "a", "limit": "2", "offset": "1"}, ["a unanimous", "a majority"]),
    ],
)
def test_filters(admin: APIClient, evaluation: Evaluation, asked: dict[str, str], expected: list[str]) -> None:
    found = page(admin, evaluation, **asked)
    assert [f"{system} {item}" for system, item in named(found["rows"])] == expected
    assert found["total"] == (4 if "limit" in asked else len(expected))


def test_a_page_past_the_end_still_says_how_many_there_are(admin: APIClient, evaluation: Evaluation) -> None:
    assert page(admin, evaluation, offset=100) == {"total": 7, "rows": []}


def test_a_row_has_its_gold_label_and_the_answer_as_it_came(admin: APIClient, evaluation: Evaluation) -> None:
    [refused] = page(admin, evaluation, only="not_compliant")["rows"]
    assert (refused["gold"], refused["is_unanimous"], refused["label"]) == ("yes", False, None)
    assert (refused["problem"], refused["explanation"], refused["cause"]) == ("refused", "Why majority.", None)
    [pool] = [row for row in page(admin, evaluation)["rows"] if row["item"]["external_id"] == "pool_0_1"]
    assert (pool["gold"], pool["is_unanimous"]) == (None, None)


def test_parameters_are_checked(admin: APIClient, evaluation: Evaluation) -> None:
    path = f"/api/evaluations/{evaluation.uuid}/predictions/"
    for name, value in {"only": "x", "agreement": "x", "cause": "x", "limit": "201", "least_confidence": "2"}.items():
        answer = admin.get(path, {name: value})
        assert (answer.status_code, list(answer.json()["errors"])) == (400, [name])


def one(admin: APIClient, evaluation: Evaluation, system: str, item: str) -> str:
    row = Prediction.objects.get(evaluation=evaluation, system=system, item__external_id=item)
    return f"/api/predictions/{row.uuid}/"


def test_one_prediction_stands_in_its_context_with_the_votes(admin: APIClient, evaluation: Evaluation) -> None:
    found = admin.get(one(admin, evaluation, "a", "majority")).json()
    assert found["votes"] == [{"label": "no", "n": 1}, {"label": "yes", "n": 2}]
    assert found["context"] == {
        "utterance": "Text of majority.",
        "before": [{"speaker": "Chair", "text": "Text of unanimous."}],
        "speaker": "Chair",
        "document": "batch-round-1",
    }
    assert admin.get(one(admin, evaluation, "b", "pool_0_1")).json()["votes"] == []


def test_causes_are_named_changed_and_taken_away(admin: APIClient, people: People, evaluation: Evaluation) -> None:
    causes = f"/api/projects/{people.project.uuid}/error-causes/"
    first, second = (admin.post(causes, {"name": name}, "json").json() for name in ("Irony", "Too short"))
    # A cause that is there is taken, however it is written.
    for name in ("Irony", "  irony ", "IRONY"):
        again = admin.post(causes, {"name": name}, "json")
        assert (again.status_code, again.json()) == (200, {**first, "n": 0})
    assert admin.post(causes, {"name": " "}, "json").status_code == 400
    path = one(admin, evaluation, "a", "unanimous")
    marked = admin.post(f"{path}cause/", {"cause": first["id"]}, "json").json()
    assert marked["cause"] == {"id": first["id"], "name": "Irony"}
    admin.post(f"{one(admin, evaluation, 'a', 'closed')}cause/", {"cause": first["id"]}, "json")
    assert [(each["name"], each["n"]) for each in admin.get(causes).json()] == [("Irony", 2), ("Too short", 0)]
    assert named(page(admin, evaluation, cause=first["id"])["rows"]) == [("a", "unanimous"), ("a", "closed")]
    admin.post(f"{path}cause/", {"cause": second["id"]}, "json")
    assert named(page(admin, evaluation, cause=first["id"])["rows"]) == [("a", "closed")]
    assert admin.post(f"{path}cause/", {"cause": None}, "json").json()["cause"] is None
    assert [(each["name"], each["n"]) for each in admin.get(causes).json()] == [("Irony", 1), ("Too short", 0)]
    # Each naming stays on record.
    assert ErrorMark.objects.count() == 4
    events = Event.objects.filter(verb="error_marked").order_by("pk")
    assert [event.data["cause"] for event in events] == ["Irony", "Irony", "Too short", None]


def test_only_an_error_has_a_cause_and_only_one_of_the_project(
    admin: APIClient, people: People, evaluation: Evaluation
) -> None:
    cause = people.project.error_causes.create(name="Irony")
    for system, item in (("a", "context"), ("b", "pool_0_1")):
        refused = admin.post(f"{one(admin, evaluation, system, item)}cause/", {"cause": str(cause.uuid)}, "json")
        assert (refused.status_code, refused.json()["code"]) == (409, "not_wrong")
    elsewhere = people.outsider.project.error_causes.create(name="Irony")
    path = f"{one(admin, evaluation, 'a', 'unanimous')}cause/"
    assert admin.post(path, {"cause": str(elsewhere.uuid)}, "json").status_code == 400
    assert not ErrorMark.objects.exists()


def test_the_error_table_has_the_most_confident_in_each_direction(
    admin: APIClient, people: People, evaluation: Evaluation
) -> None:
    cause = people.project.error_causes.create(name="Irony & wit")
    path = one(admin, evaluation, "a", "unanimous")
    admin.post(f"{path}cause/", {"cause": str(cause.uuid)}, "json")
    asked = {"system": "a", "stage": "opinion", "k": 1}
    table = admin.get(f"/api/evaluations/{evaluation.uuid}/error-table/csv/", asked)
    assert table["Content-Disposition"] == 'attachment; filename="evaluation-1-errors.csv"'
    assert table.content.decode().splitlines() == [
        "gold,predicted,item,text,confidence,votes,explanation,cause",
        "no,yes,closed,Text of closed.,0.7,no 3,Why closed.,",
        "yes,no,unanimous,Text of unanimous.,0.9,yes 3,Why unanimous.,Irony & wit",
    ]
    wider = admin.get(f"/api/evaluations/{evaluation.uuid}/error-table/csv/", {**asked, "k": 5})
    assert [line.split(",")[2] for line in wider.content.decode().splitlines()[1:]] == [
        "closed",
        "unanimous",
        "majority",
    ]
    latex = admin.get(f"/api/evaluations/{evaluation.uuid}/error-table/tex/", asked).content.decode()
    assert r"Irony \& wit" in latex and r"\begin{tabular}" in latex
    wrong = admin.get(f"/api/evaluations/{evaluation.uuid}/error-table/csv/", {**asked, "system": "z"})
    assert (wrong.status_code, list(wrong.json()["errors"])) == (400, ["system"])
