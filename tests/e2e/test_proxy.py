"""The whole service behind a real nginx, with TLS and below a path, in a real browser."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
import requests
from playwright.sync_api import Browser, BrowserContext, Page, expect

from annotation_app.demo.paths import CORPUS
from tests.e2e.people import THEN_NO, YES, opened, picture, sign_in
from tests.e2e.proxy import PATH, Proxy, free_port, running_proxy
from tests.loop.client import Person
from tests.loop.run import import_corpus, round_start
from tests.stack import PASSWORD, Stack, running_stack

pytestmark = pytest.mark.e2e
PAGES = ("overview", "import", "codebook", "rounds", "agreement", "report", "export", "releases", "members", "log")


@pytest.fixture(scope="module")
def proxy(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Stack, Proxy]]:
    strips, leaves = free_port(), free_port()
    with (
        running_stack(QUORUM_URL=f"https://localhost:{strips}{PATH}/") as stack,
        running_proxy(tmp_path_factory.mktemp("nginx"), stack.url, strips, leaves) as proxy,
    ):
        stack.manage("create_user", "admin", "--may-create-projects", "--display-name", "Admin")
        yield stack, proxy


@pytest.fixture(scope="module")
def admin(proxy: tuple[Stack, Proxy]) -> Person:
    return Person(proxy[1].strips, "admin", PASSWORD, certificate=proxy[1].certificate)


@pytest.fixture
def context(browser: Browser) -> BrowserContext:
    return browser.new_context(ignore_https_errors=True, viewport={"width": 1280, "height": 860})


def visited(context: BrowserContext, url: str) -> tuple[Page, list[str]]:
    """A page, and a list that fills with what went wrong on it."""
    page, wrong = context.new_page(), []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("websocket", lambda socket: wrong.append(f"websocket {socket.url}"))
    page.on("response", lambda answer: wrong.append(f"{answer.status} {answer.url}") if is_fault(answer) else None)
    page.goto(url)
    return page, wrong


def is_fault(answer: object) -> bool:
    status, url = answer.status, answer.url  # type: ignore[attr-defined]
    return status >= 400 and not (status == 401 and url.endswith("/api/me/"))


@pytest.mark.timeout(600)
@pytest.mark.parametrize("way", ["strips", "leaves"])
def test_it_works_below_a_path_with_tls(
    way: str, proxy: tuple[Stack, Proxy], admin: Person, browser: Browser, context: BrowserContext, tmp_path: Path
) -> None:
    _, nginx = proxy
    base = nginx.strips if way == "strips" else nginx.leaves
    name = f"Proxy that {way}"
    project = admin.post("projects/", {"name": name})["id"]
    import_corpus(admin, project, CORPUS, say=lambda line: None)

    page, wrong = visited(context, f"{base}/")
    sign_in(page, "admin")
    link = invitation(page, base, name)
    assert link.startswith(f"{nginx.strips}/invite/"), "the address that QUORUM_URL names"
    annotator = joined(browser, link.replace(nginx.strips, base), f"ann-{way}")
    round_start(admin, project, "random", 3)
    one_item_labelled(annotator, base, project)
    picture(annotator, f"proxy-{way}-label")

    page.goto(f"{base}/projects/{project}/export")
    with page.expect_download() as waited:
        page.get_by_role("link", name="Annotations").first.click()
    waited.value.save_as(tmp_path / "lines.jsonl")
    lines = [json.loads(line) for line in (tmp_path / "lines.jsonl").read_text().splitlines()]
    assert len(lines) == 1
    for screen in PAGES:
        page.goto(f"{base}/projects/{project}/{screen}")
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        assert (
            page.locator('a[href^="/"]').evaluate_all(
                "(links, path) => links.map(a => a.getAttribute('href')).filter(to => !to.startsWith(path + '/'))", PATH
            )
            == []
        ), f"links that leave the path on {screen}"
    assert wrong == []
    cookies = {cookie["name"]: cookie for cookie in context.cookies()}
    assert set(cookies) == {"sessionid_lab_quorum", "csrftoken_lab_quorum"}
    assert {(each["path"], each["secure"], each["sameSite"]) for each in cookies.values()} == {
        (f"{PATH}/", True, "Lax")
    }


def invitation(page: Page, base: str, project: str) -> str:
    opened(page, project, "Members")
    page.get_by_role("button", name="Make a link").click()
    return page.get_by_role("textbox", name="Link for one annotator").input_value()


def joined(browser: Browser, link: str, username: str) -> Page:
    context = browser.new_context(ignore_https_errors=True, viewport={"width": 1280, "height": 860})
    page, _ = visited(context, link)
    page.get_by_label("User name").fill(username)
    page.get_by_label("Your name").fill(username)
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_role("button", name="Make the account and join").click()
    expect(page.get_by_role("heading", name="Your projects")).to_be_visible()
    return page


def one_item_labelled(page: Page, base: str, project: str) -> None:
    """Waits for the batch on a deep link, labels one item, and reloads there."""
    page.goto(f"{base}/projects/{project}/label")
    expect(page.get_by_test_id("progress")).to_contain_text("0 of 3", timeout=180_000)
    for key in (YES, THEN_NO, "Enter"):
        page.keyboard.press(key)
    expect(page.get_by_test_id("progress")).to_contain_text("1 of 3")
    page.reload()
    expect(page.get_by_test_id("progress")).to_contain_text("1 of 3")
    assert page.url == f"{base}/projects/{project}/label"


def test_it_says_what_is_wrong_where_the_proxy_is_passed_by(proxy: tuple[Stack, Proxy]) -> None:
    stack, _ = proxy
    past = requests.get(f"{stack.url}/", headers={"Accept": "text/html"}, timeout=30)
    assert (past.status_code, "X-Forwarded-Proto" in past.text) == (400, True)
    assert requests.get(f"{stack.url}/api/health/", timeout=30).status_code == 200


def test_it_sends_plain_http_on_and_keeps_browsers_to_tls(proxy: tuple[Stack, Proxy]) -> None:
    stack, nginx = proxy
    plain = requests.get(
        f"{stack.url}/projects", headers={"X-Forwarded-Proto": "http"}, timeout=30, allow_redirects=False
    )
    assert plain.status_code == 301
    assert plain.headers["Location"].startswith("https://127.0.0.1")
    assert plain.headers["Location"].endswith(f"{PATH}/projects")
    secure = requests.get(f"{nginx.strips}/", timeout=30, verify=nginx.certificate)
    assert secure.headers["Strict-Transport-Security"].startswith("max-age=31536000")


def test_the_schema_names_the_path(proxy: tuple[Stack, Proxy]) -> None:
    answer = requests.get(f"{proxy[1].leaves}/api/schema/?format=json", timeout=30, verify=proxy[1].certificate)
    schema = answer.json()
    assert schema["servers"] == [{"url": PATH}]
    assert "/api/me/" in schema["paths"]
    assert schema["components"]["securitySchemes"]["session"]["name"] == "sessionid_lab_quorum"
