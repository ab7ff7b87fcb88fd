"""Marking spans, as people with a mouse and people without one meet it; what is stored is read over the API."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.axe import serious
from tests.e2e.marking import EDGES, marking_project
from tests.e2e.people import DRAFTS, HEARD, eventually, heard, opened, picture, signed_in
from tests.loop.client import Person
from tests.stack import Stack

pytestmark = pytest.mark.e2e

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


def category(key: str, color: str, **part: Any) -> dict[str, Any]:
    return {"key": key, "name": key.title(), "color": color, **part}


RULED = [
    category("sentence", "ochre", comment="none", at_least=1),
    category("act", "orange", within="sentence", at_least=1, at_most=1, comment="required"),
    category("actor", "blue", within="sentence"),
    category("motive", "green", within="sentence"),
    category("reference", "purple", refers=True),
]
FREE = [category(key, color) for key, color in (("a", "blue"), ("b", "orange"), ("c", "green"), ("d", "purple"))]


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


@pytest.fixture
def begin(browser: Browser, stack: Stack, people: tuple[Person, list[Person]], request: pytest.FixtureRequest) -> Begin:
    admin, (ann, *_) = people

    def start(text: str, categories: list[dict[str, Any]], row: dict[str, Any] | None = None, **window: Any) -> Marking:
        name = f"{request.node.name} {time.monotonic()}"
        project = marking_project(admin, ann, name, text, categories, row or {})
        context = browser.new_context(**{"viewport": {"width": 1280, "height": 860}, **window})
        page = signed_in(browser, stack, "ann", context)
        opened(page, name)
        # Once it is there, the page goes to its top and puts the caret.
        expect(page.get_by_test_id("span-text")).to_be_focused()
        return Marking(page, ann, project)

    return start


def test_it_marks_by_mouse_undoes_and_blocks_what_is_incomplete(begin: Begin) -> None:
    marking = begin(LAMPS, RULED)
    page = marking.page
    marking.drag(SENTENCE)
    page.get_by_role("button", name="Sentence", exact=True).click()
    missing = page.get_by_role("region", name="Not complete yet")
    expect(missing).to_contain_text("has no Act yet")
    marking.press("Enter")
    expect(page.locator(".notice.warn")).to_contain_text("has no Act yet")
    marking.drag("agreed to dim the lamps")
    page.get_by_role("button", name="Act", exact=True).click()
    page.get_by_role("textbox", name="Comment (needed)").fill("Dimmed the lamps")
    marking.drag("four members")
    page.get_by_role("button", name="Actor", exact=True).click()
    marking.drag("dim the lamps so that the bats return")
    page.get_by_role("button", name="Motive", exact=True).click()
    expect(missing).to_have_count(0)
    picture(page, "spans-light-1280")
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_role("list", name="Spans").get_by_role("listitem")).to_have_count(3)
    page.get_by_role("button", name="Redo").click()
    assert marking.submit() == [
        (31, 131, SENTENCE, "sentence", None),
        (57, 69, "four members", "actor", None),
        (70, 93, "agreed to dim the lamps", "act", "Dimmed the lamps"),
        (80, 117, "dim the lamps so that the bats return", "motive", None),
    ]


def test_it_marks_wholly_by_keyboard(begin: Begin) -> None:
    marking = begin(LAMPS, RULED)
    page = marking.page
    marking.press(*["Control+ArrowRight"] * 5, *["Shift+Control+ArrowRight"] * 19)
    marking.press("Shift+ArrowRight", "1")
    marking.press("Home", *["Control+ArrowRight"] * 11, *["Control+Shift+ArrowRight"] * 5, "2")
    marking.press("g")
    page.keyboard.type("Dimmed 1n2x, did they?")
    marking.press("Escape", "ArrowDown", "Control+End", "Shift+Home", "5", "p", "Enter")
    expect(page.get_by_role("heading", name="Batch 1 is complete")).to_be_visible()
    expect(page.get_by_test_id("save-status")).to_have_text("All saved")
    assert marking.stored() == [
        (31, 131, SENTENCE, "sentence", None),
        (70, 93, "agreed to dim the lamps", "act", "Dimmed 1n2x, did they?"),
        (156, 189, "Two shopkeepers spoke against it.", "reference", None),
    ]


def test_it_reaches_every_span_of_one_place_and_moves_it(begin: Begin) -> None:
    marking = begin("One two three four five six seven eight.\nNext.", FREE)
    page = marking.page
    for words, key in (("One two three four five six", "1"), ("two three", "2"), ("five six seven eight", "3")):
        marking.drag(words)
        marking.press(key)
    marking.press("p", "p", "s", "4")
    expect(page.get_by_role("list", name="Spans").get_by_role("listitem")).to_have_count(4)
    marking.press("Escape", "Escape")
    seen = set()
    for _ in range(3):
        page.get_by_test_id("span-text").get_by_text("two three", exact=True).click(position={"x": 4, "y": 8})
        heard(page)
        seen.add(page.locator(".span-tag.held").get_attribute("data-name"))
    assert seen == {"A", "B", "D"}
    page.locator(".span-tag[data-name=C]").click()
    marking.press("u", "Shift+L")
    picture(page, "spans-crossing")
    assert marking.submit() == [
        (0, 27, "One two three four five six", "a", None),
        (0, 27, "One two three four five six", "d", None),
        (4, 13, "two three", "b", None),
        (14, 40, "four five six seven eight.", "c", None),
    ]


@pytest.mark.parametrize(
    ("text", "words", "start"),
    [
        ("Nice 👩‍🔬 work 🎉 but the grant was cut", "grant", 24),
        ("First\tpoint.  \r\n\r\nSecond point: costs rise.", "costs rise", 32),
        ("e\u0301te\u0301 in 日本語, done", "in", 6),
        ("שלום עולם, done", "עולם", 5),
    ],
    ids=["emoji", "windows", "combining", "right-to-left"],
)
def test_it_stores_code_points(begin: Begin, text: str, words: str, start: int) -> None:
    marking = begin(text, FREE)
    assert marking.text == text
    place = marking.page.evaluate(SELECT, words)
    assert place == words
    marking.press("1")
    assert marking.submit() == [(start, start + len(words), words, "a", None)]
    assert text[start : start + len(words)] == words


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


def test_it_keeps_a_draft_and_copies_the_text_without_labels(begin: Begin) -> None:
    marking = begin(LAMPS, RULED)
    page = marking.page
    marking.drag("Two shopkeepers")
    marking.press("3", "m")
    page.keyboard.type("who?")
    eventually(lambda: "who?" in page.evaluate(DRAFTS), "the draft is kept")
    page.reload()
    expect(page.get_by_role("list", name="Spans")).to_contain_text("who?")
    copied = page.evaluate(
        "getSelection().selectAllChildren(document.querySelector('.span-text')); getSelection().toString()"
    )
    assert "ACTOR" not in copied
    assert "Two shopkeepers spoke" in copied


def test_it_keeps_what_is_done_just_before_the_page_is_loaded_anew(begin: Begin) -> None:
    marking = begin(LAMPS, FREE)
    page = marking.page
    spans = page.get_by_role("list", name="Spans").get_by_role("listitem")
    kept = []
    for words, key, wait in (("four members", "1", 50), ("the lamps", "2", 0), ("two surveys", "3", 20)):
        marking.drag(words)
        marking.press(key)
        page.wait_for_timeout(wait)
        page.reload()
        kept.append(words)
        expect(spans).to_have_count(len(kept))
        expect(page.get_by_test_id("span-text")).to_be_focused()
    # A comment, and a span that is taken away.
    marking.press("p", "m")
    page.keyboard.type("who asked?")
    page.wait_for_timeout(50)
    page.reload()
    expect(page.get_by_role("list", name="Spans")).to_contain_text("who asked?")
    expect(page.get_by_test_id("span-text")).to_be_focused()
    marking.press("p", "Delete")
    page.wait_for_timeout(50)
    page.reload()
    expect(spans).to_have_count(2)
    expect(page.get_by_test_id("span-text")).to_be_focused()
    assert [(quote, key) for _, _, quote, key, _ in marking.submit()] == [("four members", "a"), ("the lamps", "b")]


def test_the_caret_is_seen_behind_a_last_line_break(begin: Begin) -> None:
    marking = begin("A line of the text.\n" * 80, FREE)
    page = marking.page
    marking.press("Control+End")
    expect(page.locator(".span-caret")).to_be_in_viewport(ratio=1)
    assert page.evaluate("scrollY") > 0
    marking.press("Control+Home")
    expect(page.locator(".span-caret")).to_be_in_viewport(ratio=1)
    marking.press("Control+End", "Shift+Home", "1")
    assert marking.submit() == [(79 * 20, 80 * 20 - 1, "A line of the text.", "a", None)]


@pytest.mark.parametrize("size", [(390, 700), (640, 400)])
def test_a_tapped_span_leaves_a_narrow_page_where_it_is(begin: Begin, size: tuple[int, int]) -> None:
    marking = begin("A line of the text.\n" * 60, FREE, viewport={"width": size[0], "height": size[1]})
    page = marking.page
    assert page.evaluate(SELECT, "line") == "line"
    marking.press("1", "Escape")
    page.locator(".span-tag").click()
    heard(page)
    assert page.evaluate("scrollY") == 0
    page.get_by_role("button", name="Its card").click()
    expect(page.locator(".span-card").get_by_role("textbox")).to_be_in_viewport(ratio=1)
    bar = page.locator(".span-categories").bounding_box()
    assert bar is not None
    assert bar["y"] == 0
    page.get_by_role("button", name="Back to the text").click()
    heard(page)
    assert page.evaluate("scrollY") == 0


def test_what_is_highlighted_is_what_would_be_marked(begin: Begin) -> None:
    marking = begin(LAMPS, FREE, {"sources": [MINUTES]})
    page = marking.page
    expect(page.get_by_text("The lamps are dimmed")).to_be_visible()
    box = page.evaluate(EDGES, "They cited two surveys.")
    beside = page.get_by_role("complementary", name="Sources").bounding_box()
    assert beside is not None
    page.mouse.move(box["x1"], box["y1"])
    page.mouse.down()
    page.mouse.move(box["x1"] + 40, box["y1"], steps=3)
    page.mouse.move(beside["x"] + 40, box["y1"], steps=5)
    page.mouse.move(beside["x"] + 40, beside["y"] + beside["height"] - 5, steps=5)
    page.mouse.move(beside["x"] + 40, box["y1"], steps=5)
    page.mouse.up()
    heard(page)
    highlighted = str(page.evaluate("getSelection().toString()"))
    assert highlighted.startswith("They cited")
    assert highlighted in LAMPS
    marking.press("1", "Control+a")
    heard(page)
    assert page.evaluate("getSelection().toString().length") == len(LAMPS)
    marking.press("2")
    assert [quote for _, _, quote, _, _ in marking.submit()] == [LAMPS, highlighted.strip()]


def test_a_tag_stays_with_the_first_word_of_its_span(begin: Begin) -> None:
    starts = [place for place in range(len(LAMPS)) if LAMPS[place - 1 : place] in (" ", "\n") or place == 0]
    given = [{"start": place, "end": place + 3, "category": key} for place in starts for key in ("a", "b")]
    marking = begin(LAMPS, FREE, {"spans": given})
    page = marking.page
    marking.press("i")
    expect(page.locator(".span-tag")).to_have_count(len(given))
    for width in range(400, 1300, 50):
        page.set_viewport_size({"width": width, "height": 860})
        assert page.evaluate(PARTED) == [], f"at {width} px"
    copied = page.evaluate(
        "getSelection().selectAllChildren(document.querySelector('.span-text')); getSelection().toString()"
    )
    assert copied.rstrip("\n") == LAMPS


# Tags whose middle is not within the line that their word's first letter stands in.
PARTED = """() => [...document.querySelectorAll(".span-tag")].filter(tag => {
  const range = document.createRange();
  const words = tag.parentElement.nextElementSibling.firstChild;
  range.setStart(words, 0);
  range.setEnd(words, 1);
  const letter = range.getClientRects()[0], box = tag.getBoundingClientRect();
  const middle = (box.top + box.bottom) / 2;
  return middle < letter.top - 8 || middle > letter.bottom;
}).map(tag => tag.getAttribute("aria-label"))"""


def test_the_list_of_keys_leaves_the_page_where_it_was(begin: Begin) -> None:
    marking = begin("A line of the text.\n" * 80, FREE)
    page = marking.page
    page.evaluate("scrollTo(0, 280)")
    heard(page)
    marking.press("?")
    expect(page.get_by_role("dialog", name="Keys")).to_be_visible()
    marking.press("Escape")
    expect(page.get_by_test_id("span-text")).to_be_focused()
    assert page.evaluate("scrollY") == 280


def test_the_caret_stands_behind_the_last_letter_of_a_long_text(begin: Begin) -> None:
    text = "\n".join("one two three " * (5 + place % 31) + "end." for place in range(600))
    given = [{"start": 60 * place, "end": 60 * place + 3, "category": "a"} for place in range(1500)]
    marking = begin(text, FREE, {"spans": given})
    page = marking.page
    marking.press("i")
    eventually(lambda: '"start":89940' in page.evaluate(DRAFTS), "the draft is kept")
    page.reload()
    expect(page.get_by_test_id("span-text")).to_be_focused()
    marking.press("Control+End")
    eventually(lambda: page.evaluate(BEHIND), "the caret stands where the text ends")
    expect(page.locator(".span-caret")).to_be_in_viewport(ratio=1)


BEHIND = """() => {
  const pieces = document.querySelectorAll(".piece");
  const words = pieces[pieces.length - 1].firstChild;
  const range = document.createRange();
  range.setStart(words, words.length - 1);
  range.setEnd(words, words.length);
  const end = range.getBoundingClientRect(), caret = document.querySelector(".span-caret").getBoundingClientRect();
  return Math.abs(caret.top - end.top) < 3 && Math.abs(caret.left - end.right) < 3;
}"""


def test_the_card_stays_in_sight_beside_sources_and_help(begin: Begin) -> None:
    title = "Minutes of the committee on lighting and on the river, 18 March, as approved"
    given = [{"start": place, "end": place + 2, "category": "actor"} for place in range(0, 60, 3)]
    marking = begin(LAMPS, RULED, {"sources": [{**MINUTES, "title": title}], "spans": given})
    page = marking.page
    marking.press("i", "p", "h")
    expect(page.locator(".span-card").get_by_role("textbox")).to_be_in_viewport(ratio=1)
    head = page.get_by_role("heading", name=title).bounding_box()
    assert head is not None
    assert head["height"] < 120
    boxes = [page.get_by_role("searchbox").bounding_box()]
    boxes += [page.get_by_role("button", name=f"{way} one found").bounding_box() for way in ("Previous", "Next")]
    middles = [box["y"] + box["height"] / 2 for box in boxes if box]
    assert len(middles) == 3
    assert max(middles) - min(middles) < 2
    picture(page, "spans-help-1280")


WORDS = [f"w{place:03}" for place in range(120)]


def test_a_list_longer_than_the_page_follows_the_span_in_hand(begin: Begin) -> None:
    given = [{"start": 5 * place, "end": 5 * place + 4, "category": "a"} for place in range(120)]
    marking = begin(" ".join(WORDS), FREE, {"spans": given})
    page = marking.page
    page.get_by_role("button", name="Start from the 120 imported marks").click()
    marking.press("p")
    commented(marking, "w119", "from the end")
    page.locator(".piece", has_text="w060").click()
    commented(marking, "w060", "in the middle")
    page.get_by_role("list", name="Spans").evaluate("list => { list.scrollTop = 0 }")
    page.get_by_role("list", name="Spans").get_by_role("button", name="w003").click()
    marking.press("Delete")
    commented(marking, "w004", "next to it")
    said = {quote: comment for _, _, quote, _, comment in marking.submit() if comment}
    assert said == {"w004": "next to it", "w060": "in the middle", "w119": "from the end"}
    assert [one[2] for one in marking.stored()] == [word for word in WORDS if word != "w003"]


def commented(marking: Marking, words: str, comment: str) -> None:
    """Types into the one card, which is of these words and wholly inside the list's box."""
    card = marking.page.locator(".span-card")
    expect(card).to_have_count(1)
    expect(card).to_contain_text(words)
    expect(card.get_by_role("textbox")).to_have_value("")
    marking.press("m")
    marking.page.keyboard.type(comment)
    marking.press("Escape")
    inner = card.bounding_box()
    outer = marking.page.get_by_role("list", name="Spans").bounding_box()
    assert inner is not None
    assert outer is not None
    # Scrolling stops at whole pixels.
    assert outer["y"] <= inner["y"] + 1
    assert inner["y"] + inner["height"] <= outer["y"] + outer["height"] + 1


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
def test_it_shows_sources_and_has_no_serious_fault(begin: Begin, scheme: str, width: int) -> None:
    given = [{"start": 31, "end": 131, "category": "sentence"}]
    row = {"sources": [MINUTES], "spans": given}
    size = {"width": width, "height": 860}
    marking = begin(LAMPS, RULED, row, viewport=size, color_scheme=scheme, bypass_csp=True, reduced_motion="reduce")
    page = marking.page
    expect(page.get_by_text("The lamps are dimmed")).to_be_visible()
    faults = serious(page)
    page.get_by_role("button", name="Start from the 1 imported mark").click()
    for words, key in (("its minutes", "5"), ("agreed to dim the lamps", "2"), ("four members", "3")):
        page.evaluate(SELECT, words)
        marking.press(key)
    page.evaluate(SELECT, "the bats")
    marking.press("4", "/")
    page.keyboard.type("the lamps")
    expect(page.get_by_text("1 of 2")).to_be_visible()
    faults += serious(page)
    picture(page, f"spans-sources-{scheme}-{width}")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert faults == []
