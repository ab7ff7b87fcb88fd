"""Measure how fast the span screen responds on a long document, from a key's event to the paint that shows it.

    make frontend
    .venv/bin/python -m bench.span_screen                 20,000 words with 2,000 spans, and 200 with 20
    .venv/bin/python -m bench.span_screen --builds A B    the same of two builds of the front end, in turns
    .venv/bin/python -m bench.span_screen --one-line      the whole text is one line

It starts servers of its own, imports both documents with their spans, and opens each in a real, headless Chromium.
Every action is pressed several times, at places all over the document. `bench/key_timings.py` explains the columns.
"""

import argparse
import os
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Route, expect, sync_playwright

from bench.key_timings import WATCH, Screen, Timings, report
from tests.e2e.browser import FLAGS, chromium_find
from tests.e2e.marking import marking_project
from tests.e2e.people import signed_in
from tests.loop.run import people_make
from tests.stack import ROOT, Stack, running_stack

WORDS = ("the", "committee", "noted", "lamps", "along", "its", "river", "dimmed", "because", "members", "wished")
CATEGORIES: list[dict[str, Any]] = [
    {"key": "sentence", "name": "Sentence", "color": "ochre", "comment": "none", "shortcut": "1"},
    *(
        {"key": key, "name": key.title(), "color": color, "within": "sentence", "shortcut": str(place)}
        for place, (key, color) in enumerate(
            [("act", "orange"), ("actor", "blue"), ("motive", "green"), ("scope", "purple")], start=2
        )
    ),
    {"key": "evidence", "name": "Evidence", "color": "teal", "comment": "required", "shortcut": "6"},
]
PLACES = 6
LETTERS = "several"


def document(n_words: int, one_line: bool) -> dict[str, Any]:
    """Return a document of sentences of 20 words, five a line. Every second one is marked, whole and in three parts."""
    text, spans = "", []
    for number in range(n_words // 20):
        words = [f"{WORDS[(number + place) % len(WORDS)]}{number}" for place in range(20)]
        start, sentence = len(text), " ".join(words).capitalize() + "."
        text += sentence + (" " if one_line or number % 5 != 4 else "\n")
        if number % 2:
            continue
        ends = [start + len(" ".join(words[:place])) for place in (3, 8, 14)]
        spans.append({"start": start, "end": start + len(sentence), "category": "sentence", "comment": None})
        spans += [
            {"start": begin, "end": end, "category": key, "comment": None}
            for key, begin, end in zip(("actor", "act"), (start, ends[0] + 1), ends[:2], strict=True)
        ]
        comment = None if number % 20 == 0 else f"as the table of {number} says"
        spans.append({"start": ends[2] + 1, "end": start + len(sentence), "category": "evidence", "comment": comment})
    return {"text": text, "spans": spans}


SELECT = """share => {
  const root = document.querySelector(".span-text");
  const pieces = [...root.querySelectorAll("[data-from]:not([style])")].filter(each => each.textContent.length > 40);
  const piece = pieces[Math.floor(share * (pieces.length - 1))];
  piece.scrollIntoView({ block: "center" });
  root.focus();
  document.getSelection().setBaseAndExtent(piece.firstChild, 5, piece.firstChild, 30);
}"""


def exercise(screen: Screen) -> None:
    """Do every action at places spread over the document."""
    for place in range(PLACES):
        screen.page.evaluate(SELECT, place / (PLACES - 1))
        time.sleep(0.5)
        screen.press("select a word more", "Control+Shift+ArrowRight")
        screen.press("mark", "6")
        screen.press("move an end", "j")
        screen.press("recategorise", "3")
        screen.press("recategorise", "6")
        screen.page.keyboard.press("m")
        time.sleep(0.3)
        for letter in LETTERS:
            screen.press("type a letter", letter)
        screen.page.keyboard.press("Escape")
        time.sleep(0.3)
        screen.press("caret a word on", "Control+ArrowRight")
        screen.press("next span", "n")
        screen.press("undo", "Control+z")
        screen.press("redo", "Control+Shift+z")
        screen.press("delete", "Delete")


@dataclass(frozen=True)
class Case:
    name: str
    build: Path
    address: str


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--builds", nargs="+", type=Path, default=[ROOT / "frontend" / "dist"])
    parser.add_argument("--words", nargs="+", type=int, default=[20_000, 200])
    parser.add_argument("--one-line", action="store_true")
    parser.add_argument("--turns", type=int, default=1, help="how often each case is gone through")
    arguments = parser.parse_args()
    with running_stack() as stack, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium_find(), args=FLAGS)
        cases = list(cases_make(stack, arguments.words, arguments.builds, arguments.one_line))
        found: dict[str, list[dict[str, Timings]]] = {case.name: [] for case in cases}
        for _ in range(arguments.turns):
            for case in cases:
                found[case.name].append(measured(browser, stack, case))
        browser.close()
    print(f"Machine load of the last minute: {os.getloadavg()[0]:.1f}")
    for name, rounds in found.items():
        report(name, rounds)


def cases_make(stack: Stack, words: Sequence[int], builds: Sequence[Path], one_line: bool) -> Iterator[Case]:
    admin, (ann, *_) = people_make(stack)
    for n_words in words:
        made = document(n_words, one_line)
        name = f"{n_words:,} words, {len(made['spans']):,} spans"
        row = {"spans": made["spans"]}
        project = marking_project(admin, ann, name, made["text"], CATEGORIES, row)
        for build in builds:
            yield Case(f"{name}, {build}", build.resolve(), f"{stack.url}/projects/{project}/label")


def measured(browser: Browser, stack: Stack, case: Case) -> dict[str, Timings]:
    """Measure one case with a fresh browser profile."""
    context = browser.new_context(viewport={"width": 1280, "height": 860})
    context.add_init_script(WATCH)
    context.route("**/*", served_from(case.build, stack.url))
    page = signed_in(browser, stack, "ann", context)
    page.goto(case.address)
    expect(page.get_by_test_id("span-text")).to_be_visible(timeout=60_000)
    page.get_by_role("button", name="Start from the").click()
    expect(page.get_by_role("list", name="Spans")).to_be_visible()
    screen = Screen(page)
    exercise(screen)
    context.close()
    return screen.timings


def served_from(build: Path, url: str) -> Callable[[Route], None]:
    """Return a route handler that takes the page and its assets from this build, and the rest from the server."""

    def serve(route: Route) -> None:
        path = route.request.url.removeprefix(url).split("?")[0].lstrip("/")
        if path.startswith("api/"):
            return route.continue_()
        wanted = build / path
        return route.fulfill(path=wanted if wanted.is_file() else build / "index.html")

    return serve


if __name__ == "__main__":
    main()
