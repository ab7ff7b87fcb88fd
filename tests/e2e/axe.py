"""What axe-core finds wrong with a page for people who use it without a mouse, or without seeing it."""

from playwright.sync_api import Page

from tests.stack import ROOT

AXE = ROOT / "frontend" / "node_modules" / "axe-core" / "axe.min.js"
# Colours on their way from one state to the next are nobody's contrast.
SETTLED = "Promise.allSettled(document.getAnimations().map(one => one.finished))"


def violations(page: Page, impacts: tuple[str, ...] = ("minor", "moderate", "serious", "critical")) -> list[str]:
    """One line a rule that is broken with one of these impacts, with the first element that breaks it."""
    page.evaluate(AXE.read_text(encoding="utf-8"))
    page.evaluate(SETTLED)
    found = page.evaluate("axe.run().then(r => r.violations)")
    return [f"{each['id']}: {each['nodes'][0]['html'][:200]}" for each in found if each["impact"] in impacts]


def serious(page: Page) -> list[str]:
    return violations(page, ("serious", "critical"))
