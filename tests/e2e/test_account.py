"""A forgotten password, a changed one, and where one is signed in, as people do it in browsers."""

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.axe import violations
from tests.e2e.conftest import Study
from tests.e2e.people import opened, picture, sign_in, signed_in
from tests.loop.client import Person
from tests.mail_server import Kept
from tests.stack import PASSWORD

pytestmark = pytest.mark.e2e
NEW, NEXT = "four unrelated words", "other unrelated words"


@pytest.mark.timeout(600)
def test_it_lets_a_person_back_in_who_forgot_the_password(browser: Browser, study: Study) -> None:
    forgot = join_alone(study, "forgetful")
    link = link_made(browser, study)
    page = browser.new_page(viewport={"width": 375, "height": 740})
    page.goto(link)
    expect(page.get_by_text("forgetful")).to_be_visible()
    seen(page, "password-link")
    page.get_by_label("New password", exact=True).fill("short")
    page.get_by_role("button", name="Set the password and sign in").click()
    expect(page.get_by_text(re.compile("too short"))).to_be_visible()
    page.get_by_label("New password", exact=True).fill(NEW)
    page.get_by_role("button", name="Set the password and sign in").click()
    expect(page.get_by_role("heading", name="Your projects")).to_be_visible()
    assert forgot.send("GET", "me/").status_code == 401, "signed out elsewhere"
    page.goto(link)
    page.reload()
    expect(page.get_by_role("heading", name="This link no longer sets a password")).to_be_visible()
    page.goto(f"{study.stack.url}/account")
    expect(page.get_by_role("heading", name="Where you are signed in")).to_be_visible()
    seen(page, "account-phone")


@pytest.mark.timeout(600)
def test_it_changes_a_password_and_ends_sign_ins(browser: Browser, study: Study) -> None:
    elsewhere = join_alone(study, "careful")
    page = browser.new_page(viewport={"width": 1280, "height": 860})
    page.goto(f"{study.stack.url}/")
    page.get_by_role("button", name="Forgotten your password?").click()
    expect(page.get_by_text("Ask an admin of your project")).to_be_visible()
    seen(page, "sign-in")
    sign_in(page, "careful")
    page.get_by_role("link", name="Your account").click()
    expect(page.get_by_text("python-requests")).to_be_visible()
    seen(page, "account")
    page.get_by_role("button", name=re.compile("^End the sign-in by python-requests")).click()
    expect(page.get_by_text("python-requests")).to_have_count(0)
    assert elsewhere.send("GET", "me/").status_code == 401
    page.get_by_label("Colours", exact=True).select_option("Dark")
    page.get_by_label("Time zone", exact=True).select_option("Asia/Tokyo")
    expect(page.get_by_label("Time zone", exact=True)).to_be_enabled()
    page.reload()
    expect(page.get_by_label("Colours", exact=True)).to_have_value("dark")
    expect(page.get_by_label("Time zone", exact=True)).to_have_value("Asia/Tokyo")
    # The device asks for light: what the person chose counts.
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(21, 23, 26)"
    picture(page, "account-chosen-dark")
    other = signed_in(browser, study.stack, "careful")
    page.get_by_label("Current password").fill(PASSWORD)
    page.get_by_label("New password", exact=True).fill(NEXT)
    page.get_by_role("button", name="Change password").click()
    expect(page.get_by_text("Your password is changed.")).to_be_visible()
    page.reload()
    expect(page.get_by_role("heading", name="Your account")).to_be_visible()
    other.reload()
    expect(other.get_by_role("button", name="Sign in", exact=True)).to_be_visible()


@pytest.mark.timeout(600)
def test_it_sends_a_new_password_to_a_confirmed_address(browser: Browser, study: Study, mail: tuple[Kept, int]) -> None:
    """The light worker sends the mails, to a real server."""
    address = "absent@example.org"
    join_alone(study, "absent")
    page = signed_in(browser, study.stack, "absent")
    page.goto(f"{study.stack.url}/account")
    page.get_by_label("Address", exact=True).fill(address)
    page.get_by_label("Your password", exact=True).fill(PASSWORD)
    page.get_by_role("button", name="Send the link").click()
    expect(page.get_by_text(f"A mail is on its way to {address}")).to_be_visible()
    seen(page, "address")
    page.goto(mail[0].link_to(address))
    expect(page.get_by_role("button", name="Confirm the address")).to_be_visible()
    seen(page, "confirm-address")
    page.get_by_role("button", name="Confirm the address").click()
    expect(page.get_by_role("heading", name="The address is confirmed")).to_be_visible()
    mail[0].mails.clear()
    phone = browser.new_page(viewport={"width": 390, "height": 800})
    phone.goto(f"{study.stack.url}/")
    phone.get_by_role("button", name="Forgotten your password?").click()
    phone.get_by_label("Your mail address").fill(address)
    phone.get_by_role("button", name="Send a link").click()
    expect(phone.get_by_text(re.compile("a mail with a link is on its way"))).to_be_visible()
    seen(phone, "forgotten-phone")
    phone.goto(mail[0].link_to(address))
    phone.get_by_label("New password", exact=True).fill(NEW)
    phone.get_by_role("button", name="Set the password and sign in").click()
    expect(phone.get_by_role("heading", name="Your projects")).to_be_visible()


@pytest.mark.timeout(600)
def test_it_invites_an_address(browser: Browser, study: Study, mail: tuple[Kept, int]) -> None:
    address = "invited@example.org"
    admin = signed_in(browser, study.stack, "admin")
    opened(admin, study.name, "Members")
    admin.get_by_label("Mail address").fill(address)
    admin.get_by_role("button", name="Send the link").click()
    expect(admin.get_by_text(f"is on its way to {address}")).to_be_visible()
    seen(admin, "members-mailed")
    admin.set_viewport_size({"width": 390, "height": 800})
    seen(admin, "members-mailed-phone")
    page = browser.new_page()
    page.goto(mail[0].link_to(address))
    page.get_by_label("User name").fill("invited")
    page.get_by_label("Your name").fill("Invited")
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_role("button", name="Create the account and join").click()
    expect(page.get_by_role("heading", name="Your projects")).to_be_visible()
    expect(page.get_by_text(study.name)).to_be_visible()
    page.goto(f"{study.stack.url}/account")
    expect(page.get_by_text(address, exact=True)).to_be_visible()


def join_alone(study: Study, username: str) -> Person:
    """A new account, in this project only."""
    token = study.admin.post(f"projects/{study.id}/invites/", {"role": "annotator"})["url"].rsplit("/", 1)[1]
    person = Person(study.stack.url)
    account = {"token": token, "username": username, "display_name": username.title(), "password": PASSWORD}
    person.post("invites/accept/", account)
    return person


def link_made(browser: Browser, study: Study) -> str:
    admin = signed_in(browser, study.stack, "admin")
    opened(admin, study.name, "Members")
    expect(admin.get_by_role("button", name="Make a password link for Forgetful")).to_be_visible()
    seen(admin, "members")
    admin.set_viewport_size({"width": 375, "height": 740})
    seen(admin, "members-phone")
    admin.get_by_role("button", name="Make a password link for Forgetful").click()
    admin.get_by_role("button", name="Make the link").click()
    shown = admin.get_by_text("/password#")
    expect(shown).to_be_visible()
    seen(admin, "members-password-link")
    return str(shown.text_content())


def seen(page: Page, name: str) -> None:
    """Accessible and pictured, in light and dark."""
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        assert violations(page) == []
        picture(page, f"account-{name}-{scheme}")
    page.emulate_media(color_scheme="light")
