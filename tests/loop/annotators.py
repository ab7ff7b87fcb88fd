"""Simulated annotators over HTTP, who answer by the demo's rules."""

import uuid

from annotation_app.demo.coders import TASTES, Taste, answers
from tests.loop.client import Person

__all__ = ["TASTES", "answers", "label_all"]


def label_all(person: Person, project: str, taste: Taste) -> int:
    """Labels until the window is empty, one request an item. Returns how many items were submitted."""
    window = person.get(f"projects/{project}/next/?ahead=3")
    done = 0
    while window["assignments"]:
        assignment = window["assignments"][0]
        body = {
            "client_id": str(uuid.uuid4()),
            "base_revision": 0,
            "answers": answers(taste, assignment["item"]),
            "spans": [],
            "comment": "",
            "context_opened": "utterance",
            "active_ms": 4000,
            "wall_ms": 5000,
        }
        window = person.post(f"assignments/{assignment['id']}/annotations/", body)["refill"]
        done += 1
    assert window["state"] in ("waiting", "finished"), window
    return done
