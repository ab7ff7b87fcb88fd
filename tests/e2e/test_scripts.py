"""A script that reaches a project with a token, as the guide says it, and what follows from a batch."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from annotation_app.embedded.state import without_servers
from tests.e2e.axe import violations
from tests.e2e.conftest import Study
from tests.e2e.people import opened, picture, signed_in
from tests.loop.client import Person
from tests.stack import PASSWORD

pytestmark = pytest.mark.e2e
GUIDE = Path(__file__).parents[2] / "docs" / "guide" / "scripts.md"


@pytest.mark.timeout(600)
def test_the_script_of_the_guide_works_with_a_token_until_it_is_revoked(
    browser: Browser, study: Study, tmp_path: Path
) -> None:
    page = signed_in(browser, study.stack, "admin")
    page.goto(f"{study.stack.url}/account")
    expect(page.get_by_text("You have none.")).to_be_visible()
    page.get_by_role("button", name="Make a token").click()
    form = page.get_by_role("form", name="Make a token")
    form.get_by_label("Project").select_option(study.name)
    form.get_by_label("What it is for").fill("The guide's script")
    form.get_by_label("It may").select_option("manage")
    form.get_by_label("Your password").fill(PASSWORD)
    form.get_by_role("button", name="Make the token").click()
    shown = page.get_by_text(re.compile("^quorum_"))
    expect(shown).to_be_visible()
    seen(page, "token")
    token = str(shown.text_content())
    page.set_viewport_size({"width": 390, "height": 800})
    seen(page, "token-phone")
    said = script_run(study.stack.url, token, tmp_path)
    assert re.search(r"^Imported 3 items\.$", said, re.MULTILINE), said
    assert "Opened a prototype batch of 2 items." in said
    lines = (tmp_path / "items.jsonl").read_text().splitlines()
    assert f"Exported {len(lines)} lines." in said and len(lines) >= 3
    page.set_viewport_size({"width": 1280, "height": 860})
    page.goto(f"{study.stack.url}/")
    opened(page, study.name, "Settings")
    expect(page.get_by_text("The guide's script")).to_be_visible()
    expect(page.get_by_text(re.compile("^Last used"))).to_be_visible()
    seen(page, "settings")
    page.get_by_role("button", name="Revoke the token The guide's script").click()
    page.get_by_role("button", name="Revoke the token", exact=True).click()
    expect(page.get_by_text("Nobody has one.")).to_be_visible()
    assert bearer(study.stack.url, token) == 401


@pytest.mark.timeout(600)
def test_a_webhook_is_made_and_tried(browser: Browser, study: Study) -> None:
    page = signed_in(browser, study.stack, "admin")
    opened(page, study.name, "Settings")
    page.get_by_role("button", name="Make a webhook").click()
    form = page.get_by_role("form", name="Make a webhook")
    form.get_by_label("Address").fill(f"{study.stack.url}/")
    form.get_by_role("button", name="Make the webhook").click()
    expect(form.get_by_text("own network")).to_be_visible()
    # A public address at which nobody listens: what is sent there fails in words.
    form.get_by_label("Address").fill("http://192.88.99.1:9/quorum")
    form.get_by_role("button", name="Make the webhook").click()
    expect(page.get_by_text("Copy the secret now")).to_be_visible()
    page.get_by_role("button", name="Send a test to http://192.88.99.1:9/quorum").click()
    expect(page.get_by_text(re.compile("^Not sent .* Next try"))).to_be_visible()
    seen(page, "webhook")
    page.set_viewport_size({"width": 390, "height": 800})
    seen(page, "webhook-phone")
    page.get_by_role("button", name="Remove the webhook to http://192.88.99.1:9/quorum").click()
    page.get_by_role("button", name="Remove the webhook", exact=True).click()
    expect(page.get_by_text("There is none.")).to_be_visible()


def script_run(url: str, token: str, folder: Path) -> str:
    """Run the guide's script on a file of three sentences, as it stands there."""
    blocks = re.findall(r"```python\n(.*?)```", GUIDE.read_text(), re.DOTALL)
    (folder / "script.py").write_text(blocks[0])
    (folder / "texts.csv").write_text("id,text\na,The first one is here.\nb,The second one is.\nc,A third one comes.\n")
    env = {**without_servers(os.environ), "QUORUM": url, "QUORUM_TOKEN": token}
    command = [sys.executable, "script.py", "texts.csv"]
    done = subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def bearer(url: str, token: str) -> int:
    person = Person(url)
    person.http.headers["Authorization"] = f"Bearer {token}"
    return person.send("GET", "projects/").status_code


def seen(page: Page, name: str) -> None:
    """Accessible and pictured, in light and dark."""
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        assert violations(page) == []
        picture(page, f"scripts-{name}-{scheme}")
    page.emulate_media(color_scheme="light")
