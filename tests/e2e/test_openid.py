"""People link their account with a provider of OpenID Connect, and sign in by it, in a browser."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from oidc_provider_mock import User as Account
from playwright.sync_api import Browser, Page, expect

from tests.e2e.axe import violations
from tests.e2e.people import picture, sign_in
from tests.openid_provider import provider_running
from tests.stack import PASSWORD, Stack, running_stack

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(600)]
BUTTON = "Sign in with Example University"
ACCOUNTS = [
    Account(sub="s-admin", claims={"name": "Ada of Example"}),
    Account(sub="s-nobody", claims={"name": "Nobody"}),
]


@pytest.fixture(scope="module")
def stack(prepared: Path) -> Iterator[Stack]:
    with provider_running(*ACCOUNTS) as issuer:
        env = {"ISSUER": issuer, "CLIENT_ID": "quorum", "CLIENT_SECRET": "only-for-this-test", "BUTTON": BUTTON}
        with running_stack(prepared, **{f"QUORUM_OPENID_{name}": value for name, value in env.items()}) as stack:
            yield stack


def at_provider(page: Page, subject: str) -> None:
    page.wait_for_url(re.compile("/oauth2/authorize"))
    page.locator(f"button[value='{subject}'], input[value='{subject}']").first.click()


def test_it_links_an_account_and_signs_in_by_it(browser: Browser, stack: Stack) -> None:
    page = browser.new_page(viewport={"width": 1280, "height": 860})
    page.goto(f"{stack.url}/account")
    expect(page.get_by_role("button", name=BUTTON)).to_be_visible()
    picture(page, "openid-sign-in")
    assert violations(page) == []
    page.get_by_role("button", name=BUTTON).click()
    at_provider(page, "s-nobody")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    expect(page.get_by_text(re.compile("No account|not linked|no account", re.IGNORECASE)).first).to_be_visible()
    picture(page, "openid-nobody")
    assert violations(page) == []
    page.get_by_role("link", name="Go to the sign-in page").click()
    sign_in(page, "admin")
    page.goto(f"{stack.url}/account")
    card = page.locator("section", has=page.get_by_role("heading", name="Sign-in by your institution"))
    card.get_by_label(re.compile("password", re.IGNORECASE)).first.fill(PASSWORD)
    card.get_by_role("button", name=re.compile("^Link")).click()
    at_provider(page, "s-admin")
    expect(card).to_contain_text("Your account is linked as Ada of Example")
    card.scroll_into_view_if_needed()
    picture(page, "openid-linked")
    assert violations(page) == []
    other = browser.new_page(viewport={"width": 390, "height": 800})
    other.goto(f"{stack.url}/account")
    other.get_by_role("button", name=BUTTON).click()
    at_provider(other, "s-admin")
    expect(other.get_by_role("heading", name="Sign-in by your institution")).to_be_visible()
    picture(other, "openid-phone")
