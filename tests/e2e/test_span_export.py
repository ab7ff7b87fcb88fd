"""Spans marked over HTTP, their files downloaded in a browser and read back, and the data set's tables."""

import json
from typing import Any
from uuid import uuid4

import pytest
from playwright.sync_api import Browser, Page, expect

from al_worker.formats.text_form import parse
from annotation_app.demo.paths import CODEBOOK
from tests.e2e.axe import violations
from tests.e2e.conftest import Study
from tests.e2e.people import opened, picture, signed_in
from tests.loop.client import Person
from tests.loop.run import round_start, round_wait

pytestmark = pytest.mark.e2e
SIZE = 10
LAYER = {
    "target": "claim",
    "categories": [{"key": "claim", "name": "Claim"}, {"key": "word", "name": "First word", "within": "claim"}],
}


@pytest.mark.timeout(300)
def test_it_brings_out_what_was_marked(browser: Browser, study: Study) -> None:
    sent = marked_by_all(study)
    page = signed_in(browser, study.stack, "admin")
    opened(page, study.name, "Export")
    assert texts_downloaded(page) == sent
    assert violations(page) == []
    picture(page, "export-spans")
    dataset_seen(page)
    assert violations(page) == []
    picture(page, "dataset")


def marked_by_all(study: Study) -> set[tuple[str, str]]:
    """Everyone marks the whole sentence and its first word; (text, comment) of what was sent."""
    definition = json.loads(CODEBOOK.read_text(encoding="utf-8")) | {"span_layer": LAYER}
    draft = study.admin.post(f"projects/{study.id}/codebooks/", {"definition": definition})
    study.admin.post(f"codebooks/{draft['id']}/publish/")
    round_wait(study.admin, round_start(study.admin, study.id, "random", SIZE)["id"])
    return {found for person in study.annotators for found in marked_by(person, study.id)}


def marked_by(person: Person, project: str) -> list[tuple[str, str]]:
    sent = []
    while waiting := person.get(f"projects/{project}/next/?ahead=3")["assignments"]:
        for assignment in waiting:
            text = assignment["item"]["text"]
            comment = f"({person.me['username']}) [CLAIM END]"
            body = {
                "client_id": str(uuid4()),
                "base_revision": 0,
                "answers": {"opinion": "no"},
                "spans": [span(text, "claim", len(text), comment), span(text, "word", len(text.split()[0]))],
                "comment": "",
                "context_opened": "sentence",
                "active_ms": 10,
                "wall_ms": 20,
            }
            person.post(f"assignments/{assignment['id']}/annotations/", body)
            sent.append((text, comment))
    return sent


def span(text: str, category: str, end: int, comment: str | None = None) -> dict[str, Any]:
    return {"start": 0, "end": end, "quote": text[:end], "category": category, "comment": comment, "source": None}


def texts_downloaded(page: Page) -> set[tuple[str, str]]:
    """In angle brackets: the text and the claim's comment as the text form says them."""
    page.get_by_label("In angle brackets").check()
    with page.expect_download() as download:
        page.get_by_role("link", name="Download JSONL: Text form").click()
    lines = [json.loads(line) for line in download.value.path().read_text(encoding="utf-8").splitlines()]
    assert len(lines) == 3 * SIZE
    found = set()
    for line in lines:
        parsed = parse(line["linear"], line["style"])
        claim, word = sorted(parsed.spans, key=lambda each: -each.end)
        assert (claim.start, claim.end, claim.category, parsed.faults) == (0, len(parsed.text), "CLAIM", ())
        assert (word.end, word.category) == (len(parsed.text.split()[0]), "FIRST WORD")
        found.add((parsed.text, claim.comment or ""))
    return found


def dataset_seen(page: Page) -> None:
    page.get_by_role("link", name="What the data set comes to").click()
    expect(page.get_by_text(f"0 of {SIZE} items given out are validated; only these are counted.")).to_be_visible()
    page.get_by_role("button", name="Annotators’").click()
    splits = page.get_by_role("group", name="Sources and targets by split")
    expect(splits.get_by_role("row", name=f"All {SIZE} {3 * SIZE} 3.00 3")).to_be_visible()
    expect(splits.get_by_role("row", name="Training 8 24 3.00 3")).to_be_visible()
    counts = page.get_by_role("group", name="Categories in a target")
    expect(counts.get_by_role("row", name=f"Closed correctly 100.0 % {3 * SIZE}")).to_be_visible()
