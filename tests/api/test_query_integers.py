"""Every route that takes an integer in its address, by the schema: what no column can hold is refused by name."""

from collections.abc import Callable
from typing import Any

import pytest
from drf_spectacular.generators import SchemaGenerator
from rest_framework.test import APIClient

from annotation_app.models import Membership
from tests.agreement.tables import Said, fill
from tests.api.routes import equivalence_make, interpretation_make, prediction_make
from tests.conftest import People
from tests.factoids.rows import make_phase, make_short_set

# What these parameters need beside them.
NEEDED = {
    ("projects/{project_id}/agreement/details/", "round"): {"stage": "opinion"},
    ("projects/{project_id}/agreement/details/", "phase"): {"stage": "opinion"},
    **{
        (f"projects/{{project_id}}/interpretations/{{interpretation_id}}/{part}/", name): {"system": "minilm"}
        for part in ("generations", "instances")
        for name in ("limit", "offset", "positive_class", "negative_class")
    },
    ("evaluations/{evaluation_id}/error-table/{name}/", "k"): {"system": "majority", "stage": "opinion"},
    ("projects/{project_id}/export/", "random_state"): {"kind": "targets"},
    ("projects/{project_id}/equivalence/{equivalence_id}/places/", "page"): {"text": "cut rates"},
    ("projects/{project_id}/codebooks/changes/", "old"): {"new": 1},
    ("projects/{project_id}/codebooks/changes/", "new"): {"old": 1},
    ("projects/{project_id}/export/", "phase"): {"kind": "aggregated"},
}
BEYOND_ANY_COLUMN = 10**20


def integers() -> list[tuple[str, str, dict[str, Any]]]:
    """(path, parameter, its schema) of each GET parameter that is an integer or a list of them."""
    paths = SchemaGenerator().get_schema(public=True)["paths"]
    return [
        (path.removeprefix("/api/"), each["name"], each["schema"].get("items", each["schema"]))
        for path, methods in paths.items()
        for each in methods.get("get", {}).get("parameters", [])
        if each["in"] == "query" and each["schema"].get("items", each["schema"]).get("type") == "integer"
    ]


INTEGERS = integers()


def test_there_are_such_routes() -> None:
    assert {("projects/{project_id}/agreement/", "round"), ("projects/{project_id}/report/", "annotator")} <= {
        (path, name) for path, name, _ in INTEGERS
    }


@pytest.mark.parametrize(("path", "name", "schema"), INTEGERS, ids=[f"{path}?{name}" for path, name, _ in INTEGERS])
def test_it_refuses_what_is_out_of_range(
    people: People,
    client_of: Callable[[Membership], APIClient],
    path: str,
    name: str,
    schema: dict[str, Any],
) -> None:
    said = [Said({"opinion": label}) for label in ("yes", "no", "no")]
    batch = fill(people.project, people.annotators, {"split": said})
    item = batch.batch_items.get().item
    evaluation = prediction_make(people, item).evaluation
    ids = {"project_id": people.project.uuid, "item_id": item.uuid, "evaluation_id": evaluation.uuid, "name": "csv"}
    needed = NEEDED.get((path, name), {})
    if "interpretation_id" in path:
        ids["interpretation_id"] = interpretation_make(people).uuid
    if "equivalence_id" in path:
        ids["equivalence_id"] = equivalence_make(people).uuid
    if path.startswith(("text-sets/", "factoid-")):
        ids |= factoid_ids(people)
        needed = {"list": ids["list_id"]} if "files" in path else {}
    client, url = client_of(people.admin), f"/api/{path.format(**ids)}"
    least, most = ends(schema)
    for value in (least - 1, most + 1, BEYOND_ANY_COLUMN):
        answer = client.get(url, {**needed, name: value})
        assert answer.status_code == 400, value
        assert [field.split(".")[0] for field in answer.json()["errors"]] == [name]
    # Nobody has the largest number of an annotator, which the report says.
    if name != "annotator":
        answer = client.get(url, {**needed, name: most})
        b"".join(answer)
        assert answer.status_code in (200, 409)


def factoid_ids(people: People) -> dict[str, Any]:
    """The rows of a text set on which two people annotated a published list."""
    text_set = make_short_set(people.project, ["M01", "M02"])
    own = {"P1": ["M01-001"]}
    phase = make_phase(text_set, "annotation", dict.fromkeys(people.annotators[:2], own))
    assert phase.given is not None
    of_list = {"list_id": phase.given.uuid, "draft_id": phase.given.uuid}
    return {"text_set_id": text_set.uuid, "phase_id": phase.uuid, "name": "stability.csv", **of_list}


def ends(schema: dict[str, Any]) -> tuple[int, int]:
    """The least and the largest value that the schema allows: a bigint at most."""
    if "enum" in schema:
        return min(schema["enum"]), max(schema["enum"])
    assert schema["minimum"] >= -(2**63)
    assert schema["maximum"] < 2**63
    return schema["minimum"], schema["maximum"]
