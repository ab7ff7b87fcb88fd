"""People define factoids by keys, offline too, mark a given list, and look a second time at what differs."""

import json
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from annotation_app.demo.paths import FACTOIDS
from tests.e2e.axe import serious
from tests.e2e.conftest import Study
from tests.e2e.people import eventually, fits_width, picture, signed_in
from tests.loop.client import Person

pytestmark = pytest.mark.e2e

TEXTS, GIVEN = FACTOIDS / "texts.jsonl", FACTOIDS / "list_a.json"


class Sets:
    """A text set of the study and its phases, as an admin opens and closes them over HTTP."""

    def __init__(self, study: Study) -> None:
        self.study, self.admin = study, study.admin
        sent = {"files": (TEXTS.name, TEXTS.read_bytes())}
        self.id = study.admin.call("POST", f"projects/{study.id}/text-sets/", data={"name": "Ferry"}, files=sent)["id"]
        members = study.admin.get(f"projects/{study.id}/members/")
        self.members = {each["username"]: each["id"] for each in members}

    def open(self, kind: str, **more: Any) -> dict[str, Any]:
        return self.admin.post(f"text-sets/{self.id}/phases/", {"kind": kind, **more})

    def independent(self, kind: str, *people: str, **more: Any) -> dict[str, Any]:
        return self.open(kind, step="independent", members=[self.members[name] for name in people], **more)

    def close(self, phase: dict[str, Any]) -> None:
        self.admin.post(f"factoid-phases/{phase['id']}/close/")

    def published(self, path: Path) -> str:
        """A version of the consensus list with the factoids of a file, without pairing anything."""
        draft = self.admin.post(f"text-sets/{self.id}/consensus/", {"pairing": None, "from": None})
        changes = [
            {"key": f"00000000-0000-4000-8000-{number:012}", "after": {**each, "absent": []}}
            for number, each in enumerate(json.loads(path.read_text(encoding="utf-8"))["factoids"])
        ]
        step = {"client_id": "00000000-0000-4000-8000-00000000c1ad", "base_revision": 0, "kind": "new"}
        self.admin.post(f"factoid-lists/{draft['id']}/revisions/", {**step, "changes": changes, "item": None})
        self.admin.post(f"factoid-lists/{draft['id']}/publish/")
        return str(draft["id"])

    def imported(self, phase: dict[str, Any], name: str, factoids: list[dict[str, Any]]) -> str:
        """Give a person's empty list the factoids of a file."""
        made = {"annotator": name, "texts": [f"H0{number}" for number in range(1, 7)], "factoids": factoids}
        data = {"phase": phase["id"], "member": self.members[name]}
        sent = {"file": ("list.json", json.dumps(made).encode())}
        self.admin.call("POST", f"text-sets/{self.id}/lists/", data=data, files=sent)
        return self.list_of(phase, name)

    def list_of(self, phase: dict[str, Any], name: str) -> str:
        return str(next(each["list"] for each in phase["people"] if each["member"] == self.members[name]))


def shown(browser: Browser, study: Study, name: str, factoid_list: str, **window: Any) -> Page:
    context = browser.new_context(**{"viewport": {"width": 1280, "height": 860}, **window})
    page = signed_in(browser, study.stack, name, context)
    page.goto(f"{study.stack.url}/projects/{study.id}/factoids/lists/{factoid_list}")
    expect(page.locator(".sentence:focus")).to_be_visible()
    return page


def press(page: Page, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


def said(page: Page, words: str) -> None:
    """Types a description and keeps it."""
    expect(page.get_by_role("textbox", name="Description")).to_be_focused()
    page.keyboard.type(words)
    page.keyboard.press("Enter")
    expect(page.locator(".sentence:focus")).to_be_visible()


def saved(page: Page) -> None:
    expect(page.get_by_test_id("save-status")).to_have_text("All saved")


def factoids(person: Person, factoid_list: str) -> list[tuple[str, str, list[str]]]:
    found = person.get(f"factoid-lists/{factoid_list}/")["factoids"]
    return [(each["id"], each["description"], each["sentences"]) for each in found]


def kinds(person: Person, factoid_list: str) -> list[str]:
    """Return what was done to a list, the first step first."""
    return [each["kind"] for each in reversed(person.get(f"factoid-lists/{factoid_list}/revisions/")["revisions"])]


def test_it_lets_two_people_define_lists_by_keys_offline_too(browser: Browser, study: Study) -> None:
    sets = Sets(study)
    phase = sets.independent("definition", "ann", "ben")
    ann, ben = study.annotators[:2]
    anns, bens = sets.list_of(phase, "ann"), sets.list_of(phase, "ben")
    page = shown(browser, study, "ann", anns)
    press(page, "n")
    said(page, "a ferry ran aground")
    press(page, "ArrowRight", "l", "ArrowRight", "l")
    press(page, "ArrowLeft", "ArrowLeft", "ArrowDown", "n")
    said(page, "lifeboats took passengers ashore")
    saved(page)
    first = [
        ("F1", "a ferry ran aground", ["H01-001", "H02-001", "H03-001"]),
        ("F2", "lifeboats took passengers ashore", ["H01-002"]),
    ]
    assert factoids(ann, anns) == first
    picture(page, "factoids-define", whole=False)
    assert serious(page) == []

    # Without a network the work goes on, over a reload too, and each step is sent once.
    page.context.set_offline(True)
    press(page, "ArrowRight", "ArrowDown", "l", "k", "ArrowDown", "l")
    expect(page.get_by_test_id("save-status")).to_contain_text("2 saved on this device")
    assert factoids(ann, anns) == first
    page.reload()
    expect(page.locator(".sentence:focus")).to_be_visible()
    expect(page.locator(".factoid-row").nth(1)).to_contain_text("in 2 of 6")
    picture(page, "factoids-offline", whole=False)
    page.context.set_offline(False)
    saved(page)
    after = [
        ("F1", "a ferry ran aground", ["H01-001", "H02-001"]),
        ("F2", "lifeboats took passengers ashore", ["H01-002", "H02-002"]),
    ]
    assert factoids(ann, anns) == after

    # A split and its undo are one step each.
    press(page, "j", "s")
    page.get_by_role("button", name="Split:").click()
    expect(page.locator(".factoid-row")).to_have_count(3)
    press(page, "ControlOrMeta+z")
    expect(page.locator(".factoid-row")).to_have_count(2)
    saved(page)
    assert kinds(ann, anns)[-2:] == ["split", "undo"]

    # Ben sees nothing of it, and Ann's list is not there for him.
    other = shown(browser, study, "ben", bens)
    expect(other.locator(".factoid-row")).to_have_count(0)
    press(other, "n")
    said(other, "the Marta is aground")
    saved(other)
    assert [each[1] for each in factoids(ben, bens)] == ["the Marta is aground"]
    other.goto(f"{study.stack.url}/projects/{study.id}/factoids/lists/{anns}")
    expect(other.get_by_role("heading", name="Nothing here")).to_be_visible()

    # Once the phase is closed, what comes too late is refused, and kept.
    sets.close(phase)
    press(page, "l")
    notice = page.get_by_role("alert", name="Not sent")
    expect(notice).to_contain_text("1 step not sent")
    picture(page, "factoids-closed-meanwhile", whole=False)
    notice.get_by_role("button", name="Give my steps up").click()
    page.get_by_role("button", name="Give them up").click()
    expect(page.get_by_text("This phase is closed.")).to_be_visible()
    assert serious(page) == []


def test_it_shows_both_where_a_list_was_changed_on_another_device(browser: Browser, study: Study) -> None:
    sets = Sets(study)
    own = sets.list_of(sets.independent("definition", "ann"), "ann")
    here, there = shown(browser, study, "ann", own), shown(browser, study, "ann", own)
    press(here, "n")
    said(here, "the first")
    saved(here)
    press(there, "n")
    notice = there.get_by_role("alert", name="Not sent")
    expect(notice.get_by_text("Described F1: the first")).to_be_visible()
    expect(notice.get_by_text("New factoid F1").first).to_be_visible()
    picture(there, "factoids-stale", whole=False)
    assert serious(there) == []
    notice.get_by_role("button", name="Put my steps on top").click()
    expect(notice).to_have_count(0)
    saved(there)
    assert [each[:2] for each in factoids(study.annotators[0], own)] == [("F1", "the first"), ("F2", "")]


def test_it_takes_an_annotation_to_the_second_look_and_to_consensus(browser: Browser, study: Study) -> None:
    sets = Sets(study)
    given = sets.published(GIVEN)
    phase = sets.independent("annotation", "ann", "ben", given=given)
    lists = {name: sets.list_of(phase, name) for name in ("ann", "ben")}
    for name in ("ann", "ben"):
        page = shown(browser, study, name, lists[name])
        # P1 is in the first sentence of every text; all else is in none, but P2 for Ann in the first text.
        for number in range(6):
            press(page, "u", "l")
            if number == 0 and name == "ann":
                press(page, "u", "l")
            page.get_by_role("button", name="are not here").click()
            page.get_by_role("button", name="Not here", exact=True).last.click()
            expect(page.locator(".text-head")).to_contain_text("9 of 9 factoids answered")
            if number == 2 and name == "ann":
                picture(page, "factoids-annotate", whole=False)
                assert serious(page) == []
            press(page, "Escape", "ArrowRight")
        saved(page)
        page.get_by_role("button", name="Mark as done").click()
        expect(page.get_by_text("You marked this list as done.")).to_be_visible()
        page.context.close()
    sets.close(phase)

    second = sets.open("annotation", step="second_look", follows=phase["id"])
    page = shown(browser, study, "ben", sets.list_of(second, "ben"), viewport={"width": 768, "height": 1024})
    expect(page.get_by_role("heading", name="Is P2 in H01?")).to_be_visible()
    expect(page.get_by_text("You said that it is not there.")).to_be_visible()
    assert "Ann" not in page.locator("main").inner_text()
    press(page, "y")
    expect(page.get_by_role("alert")).to_contain_text("Choose the sentence")
    picture(page, "factoids-second-look-768", whole=False)
    assert serious(page) == []
    press(page, "n")
    expect(page.get_by_text("No item is open any more")).to_be_visible()
    saved(page)
    page = shown(browser, study, "ann", sets.list_of(second, "ann"))
    press(page, "y")
    saved(page)
    items = study.annotators[0].get(f"factoid-lists/{sets.list_of(second, 'ann')}/")["items"]
    assert [(each["was_there"], each["is_there"]) for each in items] == [(True, True)]
    sets.close(second)

    last = sets.open("annotation", step="consensus", follows=second["id"])
    consensus = last["people"][0]["list"]
    page = shown(browser, study, "admin", consensus, color_scheme="dark")
    expect(page.locator(".item-answers")).to_contain_text("there, in H01-001")
    press(page, "l", "m")
    page.keyboard.type("Kallsund is named there.")
    press(page, "Enter", "y")
    saved(page)
    picture(page, "factoids-consensus-dark", whole=False)
    assert serious(page) == []

    def decided() -> bool:
        (item,) = sets.admin.get(f"factoid-lists/{consensus}/")["items"]
        return (item["is_there"], item["note"]) == (True, "Kallsund is named there.")

    eventually(decided, "the decision with its note")


def test_it_asks_for_what_differs_between_factoids_that_are_equal(browser: Browser, study: Study) -> None:
    sets = Sets(study)
    phase = sets.independent("definition", "ann", "ben")
    anns = sets.imported(phase, "ann", [{"id": "A1", "description": "fog", "sentences": ["H02-001", "H04-001"]}])
    bens = sets.imported(phase, "ben", [{"id": "B1", "description": "it was foggy", "sentences": ["H02-001"]}])
    sets.close(phase)
    keys = {name: sets.admin.get(f"factoid-lists/{name}/")["factoids"][0]["key"] for name in (anns, bens)}
    pairing = sets.admin.post(f"text-sets/{sets.id}/pairings/", {"first": anns, "second": bens})["id"]
    judged = {"client_id": "00000000-0000-4000-8000-0000000000e9", "a": keys[anns], "b": keys[bens]}
    sets.admin.post(f"factoid-pairings/{pairing}/relations/", {**judged, "relation": "equal"})
    second = sets.open("definition", step="second_look", follows=phase["id"])
    page = shown(browser, study, "ben", sets.list_of(second, "ben"))
    expect(page.get_by_role("heading", name="Is B1 in H04?")).to_be_visible()
    press(page, "l", "y")
    saved(page)
    expect(page.get_by_text("No item is open any more")).to_be_visible()
    assert factoids(study.annotators[1], sets.list_of(second, "ben"))[0][2] == ["H02-001", "H04-001"]
    # Opened again by an undo, and answered as before.
    press(page, "ControlOrMeta+z")
    expect(page.get_by_test_id("progress")).to_have_text("0 of 1 item")
    press(page, "n")
    saved(page)
    eventually(
        lambda: factoids(study.annotators[1], sets.list_of(second, "ben"))[0][2] == ["H02-001"],
        "the answer that stands",
    )


@pytest.mark.parametrize(("width", "scheme"), [(1280, "dark"), (768, "light"), (390, "dark")])
def test_it_fits_every_window(browser: Browser, study: Study, width: int, scheme: Any) -> None:
    sets = Sets(study)
    phase = sets.independent("definition", "ann")
    own = sets.imported(phase, "ann", json.loads(GIVEN.read_text(encoding="utf-8"))["factoids"])
    window = {"viewport": {"width": width, "height": 900}, "color_scheme": scheme}
    page = shown(browser, study, "ann", own, **window)
    press(page, "j", "ArrowRight", "g")
    expect(page.get_by_role("list", name="Sentences of P1")).to_be_visible()
    fits_width(page)
    picture(page, f"factoids-{width}-{scheme}", whole=False)
    assert serious(page) == []
