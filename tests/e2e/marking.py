"""Projects whose people mark spans in a browser, and the page on which they do."""

import json
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from playwright.sync_api import Page, expect

from tests.e2e.people import HEARD, heard
from tests.loop.client import Person
from tests.loop.run import join, round_wait
from tests.spans import category

EDGES = """words => {
  const root = document.querySelector(".span-text");
  const start = root.textContent.indexOf(words), end = start + words.length;
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  let seen = 0;
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const next = seen + node.data.length;
    if (start >= seen && start < next) range.setStart(node, start - seen);
    if (end > seen && end <= next) range.setEnd(node, end - seen);
    seen = next;
  }
  const boxes = [...range.getClientRects()].filter(box => box.width > 0);
  const first = boxes[0], last = boxes[boxes.length - 1];
  const middle = box => box.top + box.height / 2;
  return { x1: first.left + 1, y1: middle(first), x2: last.right - 1, y2: middle(last) };
}"""


# The page hears of it in a task of its own: no key may come before.
SELECT = """async words => {
  const root = document.querySelector(".span-text");
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const at = node.data.indexOf(words);
    if (at === -1) continue;
    root.focus();
    document.getSelection().setBaseAndExtent(node, at, node, at + words.length);
    await (HEARD)();
    return document.getSelection().toString();
  }
}""".replace("HEARD", HEARD)

Stored = tuple[int, int, str, str, str | None]

LAMPS = (
    "The committee on lighting met. According to its minutes, four members agreed to dim the lamps "
    "so that the bats return to the river. They cited two surveys.\n"
    "Two shopkeepers spoke against it."
)
SENTENCE = "According to its minutes, four members agreed to dim the lamps so that the bats return to the river."
MINUTES = {
    "id": "min-18",
    "title": "Minutes, 18 March",
    "text": "The lamps are dimmed at midnight.\nThe lamps were old.",
}
RULED = [
    category("sentence", color="ochre", comment="none", at_least=1),
    category("act", color="orange", within="sentence", at_least=1, at_most=1, comment="required"),
    category("actor", color="blue", within="sentence"),
    category("motive", color="green", within="sentence"),
    category("reference", color="purple", refers=True),
]
FREE = [category(key, color=color) for key, color in (("a", "blue"), ("b", "orange"), ("c", "green"), ("d", "purple"))]


@dataclass(frozen=True)
class Marking:
    """Ann at the first item of a project that only marks spans."""

    page: Page
    ann: Person
    project: str

    @property
    def text(self) -> str:
        return str(self.page.get_by_test_id("span-text").text_content())

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def drag(self, words: str) -> None:
        """Selects by mouse, from the first letter's left edge to the last one's right."""
        box = self.page.evaluate(EDGES, words)
        self.page.mouse.move(box["x1"], box["y1"])
        self.page.mouse.down()
        self.page.mouse.move((box["x1"] + box["x2"]) / 2, box["y2"])
        self.page.mouse.move(box["x2"], box["y2"])
        self.page.mouse.up()
        heard(self.page)

    def submit(self) -> list[Stored]:
        self.page.get_by_role("button", name="Submit and next").click()
        expect(self.page.get_by_role("heading", name="Batch 1 is complete")).to_be_visible()
        expect(self.page.get_by_test_id("save-status")).to_have_text("All saved")
        return self.stored()

    def stored(self) -> list[Stored]:
        (done,) = self.ann.get(f"projects/{self.project}/assignments/?mine=done")["assignments"]
        spans = self.ann.get(f"assignments/{done['id']}/")["current"]["spans"]
        return [(one["start"], one["end"], one["quote"], one["category"], one["comment"]) for one in spans]


Begin = Callable[..., Marking]


def marking_project(
    admin: Person, ann: Person, name: str, text: str, categories: list[dict[str, Any]], row: dict[str, Any]
) -> str:
    """One document of this very text, given to Ann alone."""
    project = str(admin.post("projects/", {"name": name, "codebook": "none"})["id"])
    join(admin, [ann], project)
    definition = {"name": "Marking", "span_layer": {"categories": categories}}
    draft = admin.post(f"projects/{project}/codebooks/", {"definition": definition})
    admin.post(f"codebooks/{draft['id']}/publish/")
    line = json.dumps({"id": "one", "text": text, **row}).encode()
    options = {"format": "jsonl", "unit": "document"}
    job = admin.call("POST", f"projects/{project}/imports/", data=options, files={"file": ("one.jsonl", line)})
    while job["state"] in ("queued", "running"):
        time.sleep(0.2)
        job = admin.get(f"imports/{job['id']}/")
    assert job["state"] == "done", job
    members = [
        one["id"] for one in admin.get(f"projects/{project}/rounds/")["annotators"] if one["role"] == "annotator"
    ]
    body = {
        "strategy": "random",
        "options": {},
        "query_size": 1,
        "random_state": 13,
        "learning_stages": [],
        "annotators": members,
        "annotators_per_item": 1,
    }
    round_wait(admin, admin.post(f"projects/{project}/rounds/", body)["id"])
    return project
