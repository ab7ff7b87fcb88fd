"""A text set that people have worked on, through the API, and its export."""

import io
import re
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import Any
from zipfile import ZipFile

from rest_framework.test import APIClient

from annotation_app.models import Membership, TextSet
from tests.conftest import People
from tests.factoids.api import change, close, define, factoid, get_list, import_set, list_in, open_phase, send, step

Client = Callable[[Membership], APIClient]
TEXTS = {name: ["One – “quoted”.", "Two.\nThree | four."] for name in ("M01", "M02", "M03")}
ALICE = [
    factoid("P1", "M01-001", "M02-001", description="A 🎉 ferry\nsank"),
    factoid("P2", "M03-002", description="2026-11-29"),
    factoid("P10", description="in no text"),
]
BOB = [factoid("F1", "M01-001", "M02-001", "M03-001", description="| pipes | and `ticks`")]


class Worked:
    """A set whose definition was paired and judged, published as version 1, and annotated with a second look."""

    def __init__(self, people: People, client_of: Client) -> None:
        self.people, self.client, self.client_of = people, client_of(people.admin), client_of
        self.set: TextSet = import_set(self.client, people.project, TEXTS, "Ferry & Co")
        self.alice, self.bob = people.annotators[:2]
        self.definition = self.phase("definition", members=[self.alice, self.bob])
        keys = [
            define(client_of(member), list_in(self.definition, member), *own)
            for member, own in ((self.alice, ALICE), (self.bob, BOB))
        ]
        close(self.client, self.definition)
        pairing = self.post(
            f"text-sets/{self.set.uuid}/pairings/",
            {"first": list_in(self.definition, self.alice), "second": list_in(self.definition, self.bob)},
        )
        for relation in ("related", "equal"):
            body = {"client_id": str(uuid.uuid4()), "a": keys[0][0], "b": keys[1][0], "relation": relation}
            self.post(f"factoid-pairings/{pairing['id']}/relations/", body)
        self.draft = self.post(f"text-sets/{self.set.uuid}/consensus/", {"pairing": pairing["id"]})
        self.post(f"factoid-lists/{self.draft['id']}/publish/", {}, 200)
        self.annotate()

    def annotate(self) -> None:
        phase = self.phase("annotation", members=[self.alice, self.bob], given=self.draft["id"])
        self.mark(phase, self.alice, "P1", "M01-001", absent=["M02", "M03"])
        self.mark(phase, self.bob, "P1", "M01-001", "M02-001", absent=["M03"])
        close(self.client, phase)
        look = self.phase("annotation", step="second_look", follows=phase["id"])
        self.stands(look, self.alice, "Nobody went aboard.", "")
        close(self.client, look)

    def mark(self, phase: dict[str, Any], member: Membership, name: str, *sentences: str, absent: list[str]) -> None:
        client, of = self.client_of(member), list_in(phase, member)
        before = get_list(client, of)
        given = {each["id"]: each for each in before["factoids"]}[name]
        after = factoid(name, *sentences, description=given["description"], absent=absent)
        answer = send(client, of, step(before["revision"], "link", change(after, given["key"])))
        assert answer.status_code == 201, answer.json()

    def stands(self, phase: dict[str, Any], member: Membership, *notes: str) -> None:
        """Confirm the one item of a member once for each note: the factoid is not there."""
        client, of = self.client_of(member), list_in(phase, member)
        (item,) = get_list(client, of)["items"]
        for revision, note in enumerate(notes):
            decided = {"id": item["id"], "is_there": False, "note": note}
            answer = send(client, of, step(revision, "decide", item=decided))
            assert answer.status_code == 201, answer.json()

    def phase(self, kind: str, **given: Any) -> dict[str, Any]:
        return open_phase(self.client, self.set, kind, **given)

    def post(self, path: str, body: dict[str, Any], status: int = 201) -> dict[str, Any]:
        answer = self.client.post(f"/api/{path}", body, format="json")
        assert answer.status_code == status, answer.content
        return dict(answer.json())

    def named_in(self, folder: Path) -> set[str]:
        """Return the names of people that stand as words in a folder's files: hashes and ids have their letters too."""
        everything = "".join(path.read_text(encoding="utf-8") for path in folder.rglob("*") if path.is_file())
        people = [member.user for member in (self.people.admin, self.alice, self.bob)]
        names = {name for user in people for name in (user.username, user.display_name)}
        return names & set(re.findall(r"\w+", everything))

    def exported(self, at: Path) -> Path:
        """Unpack the export, and return its folder."""
        answer = self.client.get(f"/api/text-sets/{self.set.uuid}/export/")
        assert (answer.status_code, answer["Content-Type"]) == (200, "application/zip")
        assert answer["Content-Disposition"] == 'attachment; filename="ferry-co-factoids.zip"'
        with ZipFile(io.BytesIO(b"".join(answer.streaming_content))) as packed:  # type: ignore[attr-defined]
            packed.extractall(at)
        return at / "ferry-co-factoids"
