"""Projects whose people mark spans in a browser."""

import json
import time
from typing import Any

from tests.loop.client import Person
from tests.loop.run import join, round_wait

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
