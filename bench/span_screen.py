"""Measure how fast the span screen responds on a long document, from a key's event to the paint that shows it.

    make frontend
    .venv/bin/python -m bench.span_screen                 20,000 words with 2,000 spans, and 200 with 20
    .venv/bin/python -m bench.span_screen --builds A B    the same of two builds of the front end, in turns
    .venv/bin/python -m bench.span_screen --one-line      the whole text is one line

It starts servers of its own, imports both documents with their spans, and opens each in a real, headless Chromium.
Every action is pressed several times, at places all over the document. The columns of an action are:

- milliseconds from the event to the end of the frame that follows it (`median`, `p95`, `most`);
- until then, processor time of the page's main thread for `script` and for `layout` with style (medians);
- the same for everything (`main` as a median, and `most`);
- `after`, the time of script from there until half a second later, such as writing the draft.

Processor time grows little by what other programs use.
"""

import argparse
import os
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, CDPSession, Page, Route, expect, sync_playwright

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


@dataclass
class Timings:
    paint: list[float] = field(default_factory=list)
    script: list[float] = field(default_factory=list)
    layout: list[float] = field(default_factory=list)
    main: list[float] = field(default_factory=list)
    after: list[float] = field(default_factory=list)


# The paint is over when a message that the frame's callback sent has arrived.
WATCH = """
window.__painted = new Promise(() => {});
window.__watch = () => {
  window.__painted = new Promise(done => {
    addEventListener("keydown", event => {
      if (["Control", "Shift"].includes(event.key)) return window.__watch();
      requestAnimationFrame(() => {
        const channel = new MessageChannel();
        channel.port1.onmessage = () => done(performance.now() - event.timeStamp);
        channel.port2.postMessage(null);
      });
    }, { capture: true, once: true });
  });
};
"""

SELECT = """share => {
  const root = document.querySelector(".span-text");
  const pieces = [...root.querySelectorAll("[data-from]:not([style])")].filter(each => each.textContent.length > 40);
  const piece = pieces[Math.floor(share * (pieces.length - 1))];
  piece.scrollIntoView({ block: "center" });
  root.focus();
  document.getSelection().setBaseAndExtent(piece.firstChild, 5, piece.firstChild, 30);
}"""


class Screen:
    """Drive the marking screen of one document; `press` measures."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.cdp: CDPSession = page.context.new_cdp_session(page)
        self.cdp.send("Performance.enable", {"timeDomain": "threadTicks"})
        self.timings: dict[str, Timings] = {}

    def spent(self) -> tuple[float, float, float]:
        """Return the milliseconds of script, of style and layout, and of all tasks, since the page began."""
        figures = {each["name"]: each["value"] for each in self.cdp.send("Performance.getMetrics")["metrics"]}
        layout = figures["LayoutDuration"] + figures["RecalcStyleDuration"]
        return figures["ScriptDuration"] * 1e3, layout * 1e3, figures["TaskDuration"] * 1e3

    def press(self, action: str, key: str) -> None:
        timings = self.timings.setdefault(action, Timings())
        self.page.evaluate("window.__watch()")
        before = self.spent()
        self.page.keyboard.press(key)
        timings.paint.append(self.page.evaluate("window.__painted"))
        then = self.spent()
        time.sleep(0.5)
        timings.script.append(then[0] - before[0])
        timings.layout.append(then[1] - before[1])
        timings.main.append(then[2] - before[2])
        timings.after.append(self.spent()[0] - then[0])


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


COLUMNS = ("n", "median", "p95", "most", "script", "layout", "main", "most", "after")


def report(name: str, rounds: Sequence[dict[str, Timings]]) -> None:
    print(f"\n{name}\n  {'':20} {COLUMNS[0]:>3} " + " ".join(f"{column:>7}" for column in COLUMNS[1:]))
    for action in rounds[0]:
        every = [timings[action] for timings in rounds]
        paint, script, layout, whole, after = (
            sorted(value for timings in every for value in getattr(timings, part))
            for part in ("paint", "script", "layout", "main", "after")
        )
        p95 = paint[min(len(paint) - 1, int(0.95 * len(paint)))]
        medians = [statistics.median(part) for part in (script, layout, whole)]
        figures = [statistics.median(paint), p95, paint[-1], *medians, whole[-1], statistics.median(after)]
        print(f"  {action:20} {len(paint):3} " + " ".join(f"{figure:7.1f}" for figure in figures))


if __name__ == "__main__":
    main()
