"""A project whose texts have sources, settled spans and equivalence classes, and a small model on the server's list."""

import json
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from uuid import uuid4

from tests.loop.client import Person
from tests.loop.run import import_file, join, people_sign_in, round_start, round_wait
from tests.spans import category, span
from tests.stack import Stack, passable_folder, running_stack

NAME = "Board news and its minutes"
# Split by source: 32 to train, 4 to validate, 4 to test.
SOURCES = 40
MODEL = "tiny"
CUTS = ("cut its rate", "lowered its rate", "eased its policy")
HOLDS = ("held its rate", "kept its rate", "left its policy")
MOTIVES = ("because prices had calmed", "because growth was weak", "as inflation rose")
CODEBOOK = {
    "name": "What the board did",
    "span_layer": {
        "target": "sentence",
        "categories": [
            category("sentence", color="ochre", at_least=1, comment="none"),
            category("act", color="orange", at_least=1, at_most=1, within="sentence"),
            category("motive", color="green", within="sentence"),
        ],
    },
}


def act_of(number: int) -> str:
    return (*CUTS, *HOLDS)[number % 6]


def text_of(number: int) -> str:
    return f"On Tuesday the board {act_of(number)} {MOTIVES[number % 3]}. Shops waited."


def source_of(number: int) -> str:
    motive = MOTIVES[number % 3].split(" ", 1)[1].capitalize()
    did = "lower" if act_of(number) in CUTS else "hold"
    return f"Minutes of meeting {number}. {motive}. Members agreed to {did} the rate. Nobody spoke against it."


def marks(text: str) -> list[dict[str, Any]]:
    number = next(number for number in range(6) if text == text_of(number))
    act = act_of(number)
    return [
        span(text, text.split(".")[0] + ".", "sentence"),
        span(text, act, "act", "Loosened policy" if act in CUTS else "Did nothing"),
        span(text, MOTIVES[number % 3], "motive"),
    ]


@contextmanager
def interpreting_stack(prepared: Path, model: Path) -> Iterator[Stack]:
    """A stack on a copy of the prepared state that offers the model in this folder, and no other."""
    with passable_folder() as folder:
        shutil.copytree(model, folder / MODEL)
        for path in (folder / MODEL, *(folder / MODEL).iterdir()):
            path.chmod(0o755 if path.is_dir() else 0o644)
        with running_stack(prepared, QUORUM_MODELS=f"{MODEL}={folder / MODEL}") as stack:
            yield stack


def interpreting_project(stack: Stack) -> str:
    """One person marks every text, the admin accepts every annotation and groups the acts into two classes."""
    admin, (ann, *_) = people_sign_in(stack)
    project = str(admin.post("projects/", {"name": NAME, "codebook": "none"})["id"])
    version = admin.post(f"projects/{project}/codebooks/", {"definition": CODEBOOK})["id"]
    admin.post(f"codebooks/{version}/publish/")
    join(admin, [ann], project)
    rows = [
        {
            "id": f"news-{number}",
            "text": text_of(number),
            "sources": [{"id": f"minutes-{number}", "title": f"Minutes {number}", "text": source_of(number)}],
        }
        for number in range(SOURCES)
    ]
    file = "\n".join(map(json.dumps, rows)).encode()
    import_file(admin, project, "news.jsonl", file, unit="document", min_tokens="1")
    round_wait(admin, round_start(admin, project, "random", SOURCES, stages=[])["id"])
    annotate(ann, project)
    accept(admin, project)
    group(admin, project)
    return project


def annotate(ann: Person, project: str) -> None:
    while waiting := ann.get(f"projects/{project}/next/?ahead=20")["assignments"]:
        for row in waiting:
            body = {
                "client_id": str(uuid4()),
                "base_revision": 0,
                "answers": {},
                "spans": marks(row["item"]["text"]),
                "comment": "",
                "context_opened": "sentence",
                "active_ms": 900,
                "wall_ms": 1_000,
            }
            ann.post(f"assignments/{row['id']}/annotations/", body)


def accept(admin: Person, project: str) -> None:
    while waiting := admin.get(f"projects/{project}/validation/?state=open")["items"]:
        for item in waiting:
            place = f"projects/{project}/validation/{item['id']}/"
            annotation = admin.get(place)["annotations"][0]["id"]
            decision = {"decision": "accepted", "annotation": annotation}
            admin.post(place, {"client_id": str(uuid4()), "base_revision": 0, **decision})


def group(admin: Person, project: str) -> None:
    base = f"projects/{project}/equivalence/"
    about = {"category": "act", "name": "act", "part": "words", "in_depth": False}
    made = admin.post(base, {**about, "client_id": str(uuid4())})
    classes = [
        {"key": str(uuid4()), "name": "Cuts", "members": list(CUTS)},
        {"key": str(uuid4()), "name": "", "members": list(HOLDS)},
    ]
    change = {"base_revision": made["revision"], "client_id": str(uuid4()), "action": "Made two classes"}
    admin.call("PUT", f"{base}{made['id']}/", json={**about, **change, "classes": classes})
