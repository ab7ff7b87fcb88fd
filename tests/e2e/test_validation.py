"""Two people mark the same texts, a third settles them without knowing who they are."""

import json
import re
import uuid
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.e2e.axe import serious
from tests.e2e.marking import EDGES
from tests.e2e.people import fits_width, heard, opened, picture, signed_in
from tests.loop.client import Person
from tests.loop.run import import_file, join, round_start, round_wait
from tests.spans import category, span
from tests.stack import PASSWORD, Stack

pytestmark = pytest.mark.e2e

NEWS = {
    "news-1": "Rates fall again\n\nThe board cut its rate on Tuesday, as trade had weakened. "
    "“We had no choice,” said the governor 👩‍💼. Shops hope for a better summer.",
    "news-2": "The board left its rate where it was because prices had calmed. Nobody had expected it.",
    "news-3": "The minutes came out late. They say nothing of the vote.",
}
RELEASE = {"id": "release", "title": "Press release", "text": "The board cut its rate.\n\nTrade had weakened."}
CODEBOOK = {
    "name": "What the board did",
    "span_layer": {
        "target": "sentence",
        "categories": [
            category("sentence", color="ochre", at_least=1, comment="none"),
            category("act", color="orange", at_least=1, at_most=1, within="sentence"),
            category("motive", color="green", within="sentence"),
            category("actor", color="blue", within="sentence"),
        ],
    },
}


Marked = Callable[[int, str], list[dict[str, Any]]]


@dataclass(frozen=True)
class Desk:
    """A project in which three texts wait for a validator; `judge` is at the list."""

    project: str
    annotators: list[Person]
    admin: Person
    page: Page

    def states(self) -> dict[str, str]:
        rows = self.admin.get(f"projects/{self.project}/validation/?state=all")["items"]
        return {row["external_id"]: row["state"] for row in rows}


def marks(person: int, text: str) -> list[dict[str, Any]]:
    """Both mark a sentence and the board in it; the act and the motive they see differently."""
    sentence = next(one for one in re.findall(r"[^\n.]+\.", text) if "board" in one or "minutes" in one)
    found = [span(text, sentence, "sentence")]
    if "board" in sentence:
        act = re.search(r"(cut|left) its rate", sentence)
        assert act
        found += [
            span(text, "The board", "actor", "the seven of them"),
            span(text, act[0] if person == 0 else act[0].split()[0], "act", "lowers" if "cut" in text else "holds"),
        ]
        if person == 1:
            found.append(span(text, re.search(r"(as|because) [^.]+", sentence)[0], "motive"))  # type: ignore[index]
    else:
        found += [span(text, "came out", "act"), span(text, "The minutes", "actor")]
    return found


def annotate(person: Person, place: int, project: str, marked: Marked) -> None:
    while waiting := person.get(f"projects/{project}/next/")["assignments"]:
        for row in waiting:
            submit(person, row["id"], marked(place, row["item"]["text"]), 0)


def submit(person: Person, assignment: str, spans: list[dict[str, Any]], base: int) -> None:
    body = {
        "client_id": str(uuid.uuid4()),
        "base_revision": base,
        "answers": {},
        "spans": spans,
        "comment": "",
        "context_opened": "sentence",
        "active_ms": 900,
        "wall_ms": 1_000,
    }
    person.post(f"assignments/{assignment}/annotations/", body)


@pytest.fixture
def desk(stack: Stack, people: tuple[Person, list[Person]], browser: Browser) -> Desk:
    return desk_open(stack, people, browser, "Board news", CODEBOOK, NEWS, marks)


def desk_open(
    stack: Stack,
    people: tuple[Person, list[Person]],
    browser: Browser,
    name: str,
    codebook: dict[str, Any],
    texts: dict[str, str],
    marked: Marked,
) -> Desk:
    """Texts that two people have marked, each in a way of their own, and a judge of this project at its list."""
    admin, annotators = people[0], people[1][:2]
    project = admin.post("projects/", {"name": name, "codebook": "none"})["id"]
    version = admin.post(f"projects/{project}/codebooks/", {"definition": codebook})["id"]
    admin.post(f"codebooks/{version}/publish/")
    judge = "judge-" + name.split()[0].lower()
    stack.manage("create_user", judge, "--display-name", "Judge")
    join(admin, annotators, project)
    join(admin, [Person(stack.url, judge, PASSWORD)], project, role="adjudicator")
    lines = [json.dumps({"id": key, "text": text, "title": name}) for key, text in texts.items()]
    import_file(admin, project, "news.jsonl", "\n".join(lines).encode(), unit="document", min_tokens="1")
    round_wait(admin, round_start(admin, project, "random", query_size=len(texts), stages=[])["id"])
    for place, person in enumerate(annotators):
        annotate(person, place, project, marked)
    context = browser.new_context(viewport={"width": 1280, "height": 860}, bypass_csp=True)
    page = signed_in(browser, stack, judge, context)
    opened(page, name)
    return Desk(project, annotators, admin, page)


@pytest.mark.timeout(900)
def test_it_settles_items_side_by_side(desk: Desk) -> None:
    page = desk.page
    expect(page.get_by_text("3 ready to validate, 0 waiting for annotations, 0 decided.")).to_be_visible()
    picture(page, "validation-list")
    assert serious(page) == []
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Annotation A")).to_be_visible()
    page.go_back()
    first = edits(desk)
    page.keyboard.press("Enter")
    accepts(desk, first)
    page.keyboard.press("Enter")
    rejects_and_reopens(desk)
    page.get_by_role("link", name="All items").click()
    page.get_by_role("button", name="Decided (2)").click()
    expect(page.get_by_text("an annotation was revised since")).to_be_visible()


def edits(desk: Desk) -> str:
    """Corrects an annotation by keyboard, over a reload; gives the item's name."""
    page = desk.page
    page.get_by_role("link", name="news-1").click()
    expect(page.get_by_role("heading", name="Annotation A")).to_be_visible()
    expect(page.get_by_role("heading", name="Annotation B")).to_be_visible()
    expect(page.get_by_text("2 spans in common, 3 not.")).to_be_visible()
    seen = page.content()
    for name in ("Ann<", "Ben<", ">ann<", ">ben<", "annotator 1", "annotator 2"):
        assert name not in seen
    looked_at(page, "validation-item")
    underlined_in_forced_colours(page)
    keys_say(page, "1: Go to A; Enter accepts it")
    longer = with_motive(page)
    page.keyboard.press("1" if longer == "A" else "2")
    expect(page.get_by_role("button", name=f"Accept {longer}")).to_be_focused()
    page.keyboard.press("e")
    edit = page.get_by_role("region", name="Your edit")
    expect(edit.get_by_role("heading", name=f"Your edit, from {longer}")).to_be_visible()
    keys_say(page, "enter: Store as aggregated annotation")
    selects_by_mouse(page, edit)
    edit.get_by_role("button", name=re.compile("^Act: cut$")).click()
    page.keyboard.press("l")
    page.keyboard.press("l")
    page.keyboard.press("m")
    page.keyboard.type(" by a quarter")
    page.keyboard.press("Escape")
    looked_at(page, "validation-edit")
    page.reload()
    expect(edit.get_by_role("button", name="Act: cut its rate")).to_be_visible()
    page.keyboard.press("Enter")
    expect(page.get_by_text(f"Edited, from {longer}.")).to_be_visible()
    keys_say(page, "enter: Next item that is ready")
    settled = page.get_by_role("article", name="Decided")
    expect(settled.get_by_text("lowers by a quarter")).to_be_visible()
    assert desk.states()["news-1"] == "edited"
    looked_at(page, "validation-settled")
    return "news-1"


def keys_say(page: Page, line: str) -> None:
    """The list of keys has this line, which is not grey: the key acts now."""
    page.keyboard.press("?")
    sheet = page.get_by_role("dialog", name="Keys")
    (said,) = [one for one in sheet.locator("li:not(.off)").all() if line in one.inner_text().replace("\n", " ")]
    expect(said).to_be_visible()
    page.keyboard.press("Escape")
    expect(sheet).to_have_count(0)


def selects_by_mouse(page: Page, edit: Locator) -> None:
    """Selects whole words, and with Alt the very characters, which become a span."""
    for words, key, selected in (("rad", None, "trade"), ("uesd", "Alt", "uesd")):
        box = page.evaluate(EDGES, words)
        page.mouse.move(box["x1"], box["y1"])
        if key:
            page.keyboard.down(key)
        page.mouse.down()
        page.mouse.move(box["x2"], box["y2"], steps=4)
        page.mouse.up()
        if key:
            page.keyboard.up(key)
        heard(page)
        assert page.evaluate("getSelection().toString()") == selected
    edit.get_by_role("button", name="Actor", exact=True).click()
    expect(edit.get_by_role("button", name="Actor: uesd")).to_be_visible()
    page.keyboard.press("Delete")
    expect(edit.get_by_role("button", name="Actor: uesd")).to_have_count(0)


def with_motive(page: Page) -> str:
    """The letter of the annotation that marks a motive."""
    columns = page.get_by_role("article")
    (found,) = [column for column in columns.all() if column.get_by_role("button", name="Motive: ").count()]
    return heading(found).removeprefix("Annotation ")


def heading(column: Locator) -> str:
    return column.get_by_role("heading").inner_text()


def accepts(desk: Desk, before: str) -> None:
    """Accepts one by its key; its author changes it afterwards, and the page says so."""
    page = desk.page
    expect(page.get_by_text("Nothing is decided yet.")).to_be_visible()
    page.keyboard.press("a")
    page.keyboard.press("1")
    expect(page.get_by_role("button", name="Accept A")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_text("Accepted: A.")).to_be_visible()
    (name,) = [name for name, state in desk.states().items() if state == "accepted"]
    assert name != before
    for place, person in enumerate(desk.annotators):
        done = person.get(f"projects/{desk.project}/assignments/?mine=done")["assignments"]
        (row,) = [each["id"] for each in done if each["text"] == NEWS[name]]
        submit(person, row, marks(1 - place, NEWS[name]), 1)
    page.reload()
    expect(page.get_by_text(re.compile("A and B were revised since this decision"))).to_be_visible()
    expect(page.get_by_role("article", name="Decided")).to_be_visible()


def rejects_and_reopens(desk: Desk) -> None:
    page = desk.page
    expect(page.get_by_text("Nothing is decided yet.")).to_be_visible()
    page.keyboard.press("x")
    page.get_by_label("Why?").fill("The text is cut off")
    page.get_by_role("dialog").get_by_role("button", name="Reject all").click()
    expect(page.get_by_text("Rejected: The text is cut off")).to_be_visible()
    # While a decision is being stored, and the item loaded anew, the page takes no other.
    expect(page.get_by_text("Storing")).to_have_count(0)
    assert sorted(desk.states().values()) == ["accepted", "edited", "rejected"]
    page.keyboard.press("Control+z")
    expect(page.get_by_text("Reopened. Before that: Rejected: The text is cut off")).to_be_visible()
    assert sorted(desk.states().values()) == ["accepted", "edited", "open"]


def looked_at(page: Page, name: str) -> None:
    """Pictures in light and dark, wide and narrow; nothing that axe finds in either, nothing that scrolls sideways."""
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        assert serious(page) == []
        for width in (1280, 390):
            page.set_viewport_size({"width": width, "height": 860})
            picture(page, f"{name}-{scheme}-{width}")
            fits_width(page)
    page.emulate_media(color_scheme="light")
    page.set_viewport_size({"width": 1280, "height": 860})


def underlined_in_forced_colours(page: Page) -> None:
    """How far a span goes is drawn as a background, which a system with colours of its own would take away."""
    page.emulate_media(forced_colors="active")
    picture(page, "validation-item-forced")
    drawn = page.locator(".piece[style]").evaluate_all("all => all.map(one => getComputedStyle(one).backgroundImage)")
    assert drawn
    assert all("linear-gradient" in each for each in drawn)
    page.emulate_media(forced_colors="none")


WORDS = [f"w{place:03}" for place in range(300)]
LOOSE = {"name": "Loose", "span_layer": {"categories": [category("a", color="blue"), category("b", color="orange")]}}


def marks_of_words(person: int, text: str) -> list[dict[str, Any]]:
    """Every word; the second person sees the last one differently."""
    return [span(text, word, "b" if person and word == "w299" else "a") for word in WORDS]


@pytest.mark.timeout(600)
def test_it_edits_hundreds_of_spans_within_the_window(
    stack: Stack, people: tuple[Person, list[Person]], browser: Browser
) -> None:
    text = "\n\n".join(WORDS)
    desk = desk_open(stack, people, browser, "Long news", LOOSE, {"long-1": text}, marks_of_words)
    page = desk.page
    page.get_by_role("link", name="long-1").click()
    differing = page.get_by_role("button", name="List only differences")
    differing.click()
    line = page.locator(".beside-line").first
    expect(differing).to_be_in_viewport(ratio=1)
    expect(line).to_be_in_viewport(ratio=1)
    line.click()
    expect(page.locator(".span-tag[aria-pressed=true]").first).to_be_in_viewport(ratio=1)
    picture(page, "validation-long")
    page.keyboard.press("1")
    page.keyboard.press("e")
    store = page.get_by_role("button", name="Store as aggregated annotation")
    expect(store).to_be_in_viewport(ratio=1)
    edit = page.get_by_role("region", name="Your edit")
    edit.locator(".piece", has_text="w150").click()
    edit.locator(".span-tag.held").scroll_into_view_if_needed()
    heard(page)
    before = page.evaluate("scrollY")
    page.keyboard.press("m")
    page.keyboard.type("far down")
    expect(edit.get_by_role("textbox")).to_be_in_viewport(ratio=1)
    expect(edit.locator(".span-tag.held")).to_be_in_viewport(ratio=1)
    picture(page, "validation-long-edit")
    assert edit.get_by_role("list", name="Spans").evaluate("list => list.children.length") < 60
    page.keyboard.press("Escape")
    expect(edit.get_by_test_id("span-text")).to_be_focused()
    assert page.evaluate("scrollY") == before
    page.keyboard.press("p")
    page.keyboard.press("Delete")
    expect(store).to_be_in_viewport(ratio=1)
    page.keyboard.press("Enter")
    expect(page.get_by_text("Edited, from A.")).to_be_visible()
    row = desk.admin.get(f"projects/{desk.project}/validation/?state=all")["items"][0]
    settled = desk.admin.get(f"projects/{desk.project}/validation/{row['id']}/")["decision"]["spans"]
    assert [one["quote"] for one in settled] == [word for word in WORDS if word != "w149"]
    assert [one["quote"] for one in settled if one["comment"] == "far down"] == ["w150"]
