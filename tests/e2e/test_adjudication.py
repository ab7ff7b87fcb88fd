"""Disagreements in a browser: an adjudicator by keyboard, a second look, a consensus, and what the export says."""

import json
import re
import uuid
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.axe import violations
from tests.e2e.conftest import Study
from tests.e2e.people import fits_width, opened, picture, signed_in
from tests.loop.client import Person
from tests.loop.run import round_start, round_wait
from tests.stack import PASSWORD

pytestmark = pytest.mark.e2e
SIZE = 8
NO = {"opinion": "no"}
YES_NO = {"opinion": "yes", "mp": "no"}
MAYBE = {"opinion": "ambiguous"}
YES_YES = {
    "opinion": "yes",
    "mp": "yes",
    "mp_context": "sentence",
    "stance_nli": "neutral",
    "stance_nli_context": "sentence",
}
# What the three say of the first, second, third and fourth of every four items: agreed, two to one, a tie at the first
# stage, a tie at the second.
SAID = [(NO, NO, NO), (YES_NO, YES_NO, NO), (YES_NO, NO, MAYBE), (YES_YES, YES_NO, NO)]
N_OPEN, N_DIFFER = SIZE // 2, 3 * SIZE // 4


@pytest.mark.timeout(300)
def test_it_settles_disagreements(browser: Browser, study: Study) -> None:
    row = round_wait(study.admin, round_start(study.admin, study.id, "random", SIZE)["id"])
    labelled(study)
    before = agreement(study)
    judge = judge_joins(study)
    judged(browser, study, judge)
    assert agreement(study) == before
    second_look_opened(browser, study)
    looked_again(browser, study)
    consensus(browser, study)
    exported(study)
    assert study.admin.get(f"rounds/{row['id']}/")["state"] == "complete"


def labelled(study: Study) -> None:
    """By the place of the item among all, so that everyone knows which case it is."""
    windows = [person.get(f"projects/{study.id}/next/?ahead=10")["assignments"] for person in study.annotators]
    names = sorted(each["item"]["external_id"] for each in windows[0])
    assert len(names) == SIZE
    for person, window, who in zip(study.annotators, windows, range(3), strict=True):
        for each in window:
            case = SAID[names.index(each["item"]["external_id"]) % len(SAID)]
            answered(person, each["id"], case[who], comment="Who is meant?" if case[who] == MAYBE else "")


def answered(person: Person, assignment: str, answers: dict[str, str], comment: str = "") -> None:
    body: dict[str, Any] = {
        "client_id": str(uuid.uuid4()),
        "base_revision": 0,
        "answers": answers,
        "spans": [],
        "comment": comment,
        "context_opened": "sentence",
        "active_ms": 4000,
        "wall_ms": 5000,
    }
    person.post(f"assignments/{assignment}/annotations/", body)


def agreement(study: Study, phase: int = 1) -> list[dict[str, Any]]:
    return list(study.admin.get(f"projects/{study.id}/agreement/?phase={phase}")["rows"])


def judge_joins(study: Study) -> str:
    study.stack.manage("create_user", "judith", "--display-name", "Judith")
    url = study.admin.post(f"projects/{study.id}/invites/", {"role": "adjudicator"})["url"]
    Person(study.stack.url, "judith", PASSWORD).post("invites/accept/", {"token": url.rsplit("/", 1)[1]})
    return "judith"


def judged(browser: Browser, study: Study, judge: str) -> None:
    """From the list through all that is open, by keyboard alone."""
    page = signed_in(browser, study.stack, judge)
    opened(page, study.name)
    expect(page.get_by_role("button", name=f"To decide ({N_OPEN})")).to_be_visible()
    shown(page)
    assert violations(page) == []
    pictures(page, "disagreements")
    page.keyboard.press("Enter")
    sentence = page.get_by_test_id("sentence")
    expect(sentence).to_be_visible()
    expect(page.get_by_text(f"1 of {N_OPEN}")).to_be_visible()
    for name in ("Ann", "Ben", "Cleo"):
        expect(page.get_by_text(name, exact=True)).to_have_count(0)
    stays_above(study, page)
    no_pressed(page)
    page.keyboard.press("c")
    assert violations(page) == []
    pictures(page, "disagreement")
    page.keyboard.press("m")
    for seen, coming in pairwise(range(N_OPEN + 1)):
        text = sentence.inner_text()
        if seen:
            no_pressed(page)
            page.keyboard.press("m")
        page.keyboard.type("By the guidelines, rule 2.")
        page.keyboard.press("Enter")
        if coming < N_OPEN:
            expect(sentence).not_to_have_text(text)
    expect(page.get_by_text(re.compile("^You decided: "))).to_be_visible()
    page.keyboard.press("Escape")
    page.keyboard.press("x")
    expect(page.get_by_text("You took the decision back.")).to_be_visible()
    page.get_by_role("link", name="All disagreements").click()
    expect(page.get_by_role("button", name="To decide (1)")).to_be_visible()
    expect(page.get_by_role("button", name=f"Decided ({N_OPEN - 1})")).to_be_visible()
    page.context.close()


def no_pressed(page: Page) -> None:
    """Answer "no" to the question that is open, the first or the second: each has keys of its own."""
    page.keyboard.press("w")
    page.keyboard.press("s")


def second_look_opened(browser: Browser, study: Study) -> None:
    page = signed_in(browser, study.stack, "admin")
    opened(page, study.name, "Disagreements")
    expect(page.get_by_text(f"answers differ on {N_DIFFER} of {SIZE} items")).to_be_visible()
    page.get_by_role("button", name="Open a second look").click()
    expect(page.get_by_role("dialog")).to_contain_text("One exception to blindness")
    picture(page, "second-look-open")
    page.get_by_role("button", name="Freeze and open it").click()
    expect(page.get_by_text(f"Second look at {N_DIFFER} items: 0 of {3 * N_DIFFER} done")).to_be_visible()
    page.context.close()


def looked_again(browser: Browser, study: Study) -> None:
    """Ann confirms everything in the browser; the others come over to no."""
    page = signed_in(browser, study.stack, "ann")
    opened(page, study.name)
    expect(page.get_by_text("Second look.", exact=True)).to_be_visible()
    assert violations(page) == []
    pictures(page, "second-look")
    for done in range(N_DIFFER):
        expect(page.get_by_test_id("progress")).to_contain_text(f"{done} of {N_DIFFER}")
        # A busy server may have to bring the next one first.
        expect(page.get_by_test_id("sentence")).to_be_visible()
        page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name=re.compile("You are done|is complete"))).to_be_visible()
    page.goto(f"{study.stack.url}/projects/{study.id}/adjudication")
    expect(page.get_by_role("heading", name="This page is for those who adjudicate")).to_be_visible()
    page.context.close()
    for person in study.annotators[1:]:
        for each in person.get(f"projects/{study.id}/next/?ahead=10")["assignments"]:
            assert each["first_look"]["differs"]
            answered(person, each["id"], NO)


def consensus(browser: Browser, study: Study) -> None:
    """Two of three say no now, everywhere: nothing is left without a majority."""
    page = signed_in(browser, study.stack, "admin")
    opened(page, study.name, "Agreement")
    page.get_by_role("button", name="Phase 2: after second looks").click()
    expect(page.get_by_role("table")).to_be_visible()
    assert violations(page) == []
    picture(page, "agreement-phases")
    assert agreement(study, 2) != agreement(study, 1)
    page.get_by_role("link", name="Disagreements", exact=True).click()
    page.get_by_role("button", name="Record a consensus after the second look").click()
    expect(page.get_by_text("Nothing is left to decide here.")).to_be_visible()
    page.get_by_role("button", name=f"Any disagreement ({N_DIFFER})").click()
    page.keyboard.press("Escape")
    page.get_by_role("link", name="Begin with the first").click()
    expect(page.get_by_text("Record what the annotators agreed on after the second look.")).to_be_visible()
    shown(page)
    pictures(page, "consensus")
    page.keyboard.press("1")
    page.keyboard.press("e")
    page.keyboard.press("m")
    page.keyboard.type("Talked over.")
    page.keyboard.press("Enter")
    expect(page.get_by_text(f"2 of {N_DIFFER}")).to_be_visible()
    page.keyboard.press("ArrowLeft")
    page.get_by_text("You recorded as agreed: ").wait_for()
    page.context.close()


def exported(study: Study) -> None:
    lines = study.admin.lines(f"projects/{study.id}/export/?kind=aggregated&format=jsonl")
    labels = [json.loads(line)["labels"]["opinion"] for line in lines]
    sources = [each["source"] for each in labels if each["state"] == "adjudicated"]
    assert sources.count("consensus") == 1
    assert {len(each["raw"]) for each in labels} == {3}
    assert not any("ann" in each["raw"] for each in labels)


def stays_above(study: Study, page: Page) -> None:
    """On a phone the sentence is seen with the question, however many columns stand beside it."""
    columns = [each["path"] for each in study.admin.get(f"projects/{study.id}/columns/")["columns"]]
    study.admin.call("PUT", f"projects/{study.id}/columns/", json={"shown": columns})
    size = page.viewport_size
    page.set_viewport_size({"width": 390, "height": 844})
    page.reload()
    sentence = page.get_by_test_id("sentence")
    expect(sentence).to_be_in_viewport(ratio=1)
    page.get_by_role("button", name="Can’t tell").scroll_into_view_if_needed()
    expect(sentence).to_be_in_viewport(ratio=1)
    picture(page, "disagreement-columns-390")
    if size:
        page.set_viewport_size(size)
    study.admin.call("PUT", f"projects/{study.id}/columns/", json={"shown": []})
    page.reload()
    expect(sentence).to_be_in_viewport(ratio=1)


def shown(page: Page) -> None:
    """Nothing is loading any more."""
    expect(page.get_by_text(re.compile("^Loading"))).to_have_count(0)


def pictures(page: Page, name: str) -> None:
    """The page as it is, in light and dark, wide and as on a phone."""
    size = page.viewport_size
    for scheme, width in looks():
        page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        page.set_viewport_size({"width": width, "height": 860})
        picture(page, f"{name}-{scheme}-{width}")
        fits_width(page)
    page.emulate_media(color_scheme="light")
    if size:
        page.set_viewport_size(size)


def looks() -> Iterator[tuple[str, int]]:
    return ((scheme, width) for scheme in ("light", "dark") for width in (1280, 390))
