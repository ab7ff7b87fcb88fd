"""Measure how fast the screens of a factoid list respond to keys, after `make frontend`: `-m bench.factoid_screen`.

It starts servers of its own, and imports 50 texts of 20 sentences and a list of 300 factoids. A real, headless Chromium
opens the list once as a person's own, and once as a given list that they mark. Every action is pressed
`--times` times, each in another text. `bench/key_timings.py` explains the columns.
"""

import argparse
import json
import os
import random
from typing import Any

from playwright.sync_api import Browser, expect, sync_playwright

from bench.key_timings import WATCH, Screen, Timings, report
from tests.e2e.browser import FLAGS, chromium_find
from tests.e2e.people import signed_in
from tests.loop.client import Person
from tests.loop.run import join, people_make
from tests.stack import Stack, running_stack

WORDS = ("the", "committee", "noted", "lamps", "along", "its", "river", "dimmed", "because", "members", "wished")
CLIENT = "00000000-0000-4000-8000-000000000000"
DEFINING = (
    ("next text", "ArrowRight"),
    ("next sentence", "ArrowDown"),
    ("next factoid", "j"),
    ("link or unlink", "l"),
    ("undo", "Control+z"),
    ("redo", "Control+Shift+z"),
    ("new factoid", "n"),
    ("type a letter", "a"),
    ("type a letter", "b"),
    ("keep the words", "Enter"),
    ("delete", "Delete"),
    ("search the list", "f"),
    ("type what is sought", "1"),
    ("leave the search", "Escape"),
)
MARKING = (
    ("next text", "ArrowRight"),
    ("next sentence", "ArrowDown"),
    ("next undecided", "u"),
    ("it is here", "l"),
    ("next factoid", "j"),
    ("it is not here", "x"),
    ("undo", "Control+z"),
    ("redo", "Control+Shift+z"),
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--texts", type=int, default=50)
    parser.add_argument("--sentences", type=int, default=20)
    parser.add_argument("--factoids", type=int, default=300)
    parser.add_argument("--times", type=int, default=10)
    arguments = parser.parse_args()
    texts = made_texts(arguments.texts, arguments.sentences)
    factoids = made_factoids(texts, arguments.factoids)
    with running_stack() as stack, sync_playwright() as playwright:
        project, lists = lists_make(stack, texts, factoids)
        browser = playwright.chromium.launch(executable_path=chromium_find(), args=FLAGS)
        found = {
            name: measured(browser, stack, f"{project}/factoids/lists/{factoid_list}", keys, arguments.times)
            for (name, factoid_list), keys in zip(lists.items(), (DEFINING, MARKING), strict=True)
        }
        browser.close()
    print(f"Machine load of the last minute: {os.getloadavg()[0]:.1f}")
    for name, timings in found.items():
        report(f"{name}: {len(factoids)} factoids, {len(texts)} texts of {arguments.sentences} sentences", [timings])


def made_texts(texts: int, sentences: int) -> list[dict[str, Any]]:
    draw = random.Random(0)
    return [
        {
            "id": f"M{text:02}",
            "sentences": [
                {"id": f"M{text:02}-{number:03}", "text": " ".join(draw.choices(WORDS, k=18)).capitalize() + "."}
                for number in range(1, sentences + 1)
            ],
        }
        for text in range(1, texts + 1)
    ]


def made_factoids(texts: list[dict[str, Any]], factoids: int) -> list[dict[str, Any]]:
    draw = random.Random(1)
    names = [sentence["id"] for text in texts for sentence in text["sentences"]]
    return [
        {
            "id": f"P{number}",
            "description": " ".join(draw.choices(WORDS, k=8)),
            "sentences": draw.sample(names, draw.randint(1, 25)),
        }
        for number in range(1, factoids + 1)
    ]


def lists_make(stack: Stack, texts: list[dict[str, Any]], factoids: list[dict[str, Any]]) -> tuple[str, dict[str, str]]:
    """Return the project, and Ann's list of a definition and of an annotation."""
    admin, (ann, *_) = people_make(stack)
    project = admin.post("projects/", {"name": "Factoids"})["id"]
    join(admin, [ann], project)
    jsonl = "".join(json.dumps(text) + "\n" for text in texts)
    sent = {"files": ("texts.jsonl", jsonl.encode())}
    text_set = admin.call("POST", f"projects/{project}/text-sets/", data={"name": "Many"}, files=sent)["id"]
    (member,) = (each["id"] for each in admin.get(f"projects/{project}/members/") if each["username"] == "ann")
    own = phase_open(admin, text_set, member, kind="definition")
    made = {"annotator": "Ann", "texts": [text["id"] for text in texts], "factoids": factoids}
    admin.call(
        "POST",
        f"text-sets/{text_set}/lists/",
        data={"phase": own["id"], "member": member},
        files={"file": ("list.json", json.dumps(made).encode())},
    )
    draft = admin.post(f"text-sets/{text_set}/consensus/", {"pairing": None, "from": None})["id"]
    changes = [
        {"key": f"00000000-0000-4000-8000-{number:012}", "after": {**each, "absent": []}}
        for number, each in enumerate(factoids)
    ]
    step = {"client_id": CLIENT, "base_revision": 0, "kind": "new", "changes": changes, "item": None}
    admin.post(f"factoid-lists/{draft}/revisions/", step)
    admin.post(f"factoid-lists/{draft}/publish/")
    marked = phase_open(admin, text_set, member, kind="annotation", given=draft)
    return project, {"Define": own["people"][0]["list"], "Annotate": marked["people"][0]["list"]}


def phase_open(admin: Person, text_set: str, member: str, **more: str) -> dict[str, Any]:
    body = {"step": "independent", "members": [member], **more}
    opened: dict[str, Any] = admin.post(f"text-sets/{text_set}/phases/", body)
    return opened


def measured(
    browser: Browser, stack: Stack, path: str, keys: tuple[tuple[str, str], ...], times: int
) -> dict[str, Timings]:
    """Measure one list with a fresh browser profile."""
    context = browser.new_context(viewport={"width": 1280, "height": 860})
    context.add_init_script(WATCH)
    page = signed_in(browser, stack, "ann", context)
    page.goto(f"{stack.url}/projects/{path}")
    expect(page.locator(".sentence:focus")).to_be_visible(timeout=60_000)
    screen = Screen(page)
    for _ in range(times):
        for action, key in keys:
            screen.press(action, key)
    expect(page.get_by_test_id("save-status")).to_have_text("All saved")
    context.close()
    return screen.timings


if __name__ == "__main__":
    main()
