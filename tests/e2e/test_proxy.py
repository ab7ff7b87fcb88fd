"""The whole service behind a real nginx, with TLS and below a path, in a real browser."""

import json
import os
import signal
import socket
import ssl
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
import requests
from playwright.sync_api import Browser, BrowserContext, BrowserType, Page, expect
from playwright.sync_api import Error as PlaywrightError

from annotation_app.demo.paths import CORPUS
from tests.e2e.builds import build_copied, build_renew, scripts_and_styles, worker_build
from tests.e2e.people import THEN_NO, YES, eventually, opened, picture, sign_in
from tests.e2e.proxy import PATH, Proxy, free_port, running_proxy
from tests.loop.client import Person
from tests.loop.run import import_corpus, join, round_start, round_wait
from tests.stack import PASSWORD, Stack, running_stack

pytestmark = pytest.mark.e2e
PAGES = ("overview", "import", "codebook", "rounds", "agreement", "report", "export", "releases", "members", "log")


@pytest.fixture(scope="module")
def proxy(prepared: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Stack, Proxy]]:
    ports = free_port(), free_port(), free_port()
    dist = build_copied(tmp_path_factory.mktemp("build"))
    own_build = {"DJANGO_SETTINGS_MODULE": "tests.e2e.own_build", "QUORUM_TEST_DIST": str(dist)}
    with (
        running_stack(prepared, QUORUM_URL=f"https://localhost:{ports[0]}{PATH}/", **own_build) as stack,
        running_proxy(tmp_path_factory.mktemp("nginx"), stack.url, *ports) as proxy,
    ):
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
    page.get_by_role("button", name="Create the account and join").click()
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


@pytest.fixture
def worked(browser_type: BrowserType, browser_type_launch_args: dict[str, Any]) -> Iterator[BrowserContext]:
    """Chromium takes a service worker from a certificate that nobody vouches for only where it is started so."""
    flags = [*browser_type_launch_args["args"], "--ignore-certificate-errors"]
    browser = browser_type.launch(**{**browser_type_launch_args, "args": flags})
    yield browser.new_context(ignore_https_errors=True, viewport={"width": 1280, "height": 860})
    browser.close()


@pytest.mark.timeout(600)
def test_it_is_loaded_anew_without_a_network_and_mixes_no_versions(
    proxy: tuple[Stack, Proxy], admin: Person, worked: BrowserContext
) -> None:
    stack, nginx = proxy
    base = nginx.strips
    project = admin.post("projects/", {"name": "Away"})["id"]
    import_corpus(admin, project, CORPUS, say=lambda line: None)
    stack.manage("create_user", "walker")
    join(admin, [Person(base, "walker", PASSWORD, certificate=nginx.certificate)], project)
    round_wait(admin, round_start(admin, project, "random", 6)["id"])

    page, wrong = visited(worked, f"{base}/")
    sign_in(page, "walker")
    opened(page, "Away")
    labelled(page, 0)
    # An answer that the server has and this device still holds would count twice without a network.
    expect(page.get_by_test_id("save-status")).to_have_text("All saved")
    page.evaluate("async () => { await navigator.serviceWorker.ready; }")
    worked.set_offline(True)
    page.reload()
    labelled(page, 1)
    page.reload()
    expect(page.get_by_test_id("progress")).to_contain_text("2 of 6")
    assert page.url == f"{base}/projects/{project}/label"
    worked.set_offline(False)
    expect(page.get_by_test_id("save-status")).to_have_text("All saved")
    # A tab that has not opened the labelling screen yet.
    early, early_wrong = visited(worked, f"{base}/")
    expect(early.get_by_role("link", name="Away").first).to_be_visible()

    first, second = deploy(stack)
    worked.set_offline(True)
    page.reload()
    expect(page.get_by_test_id("progress")).to_contain_text("2 of 6")
    # The browser may have fetched the new worker before the network went away.
    assert is_made_of(page, first) or is_made_of(page, second)
    worked.set_offline(False)
    page.reload()
    expect(page.get_by_test_id("progress")).to_contain_text("2 of 6")
    assert is_made_of(page, second)
    eventually(lambda: is_at_work(worked, stack), "the new version is kept, and its worker at work")
    worked.set_offline(True)
    page.reload()
    labelled(page, 2)
    assert is_made_of(page, second)
    # The tab of the old version goes on with it, without a network and with one.
    opened(early, "Away")
    expect(early.get_by_test_id("sentence")).to_be_visible()
    assert is_made_of(early, first)
    worked.set_offline(False)
    expect(early.get_by_test_id("save-status")).to_have_text("All saved")
    assert [each for each in (*wrong, *early_wrong) if "/api/" not in each] == []
    # What no browser keeps is gone with the old version: the page says so.
    early.get_by_role("link", name="Quorum").click()
    early.get_by_role("link", name="Your account").click()
    expect(early.get_by_text("Quorum was renewed since you opened it")).to_be_visible()
    picture(early, "renewed")
    # The page that was there before goes on for a moment.
    with early.expect_navigation():
        early.get_by_role("button", name="Load the page again").click()
    expect(early.get_by_role("heading", name="Your account")).to_be_visible()
    assert is_made_of(early, second)


def labelled(page: Page, done: int) -> None:
    """Labels one more item of the six."""
    expect(page.get_by_test_id("progress")).to_contain_text(f"{done} of 6")
    expect(page.get_by_test_id("sentence")).to_be_visible()
    for key in (YES, THEN_NO, "Enter"):
        page.keyboard.press(key)
    expect(page.get_by_test_id("progress")).to_contain_text(f"{done + 1} of 6")


def is_made_of(page: Page, version: set[str]) -> bool:
    """Whether all scripts and styles that the page has loaded so far are of the version."""
    names = page.evaluate("performance.getEntriesByType('resource').map(each => each.name)")
    loaded = {name.rsplit("/", 1)[1] for name in names if name.endswith((".js", ".css"))}
    return bool(loaded) and loaded <= version


def is_at_work(context: BrowserContext, stack: Stack) -> bool:
    """Whether the service worker of the version that is served answers for the pages."""
    build = worker_build(Path(stack.env["QUORUM_TEST_DIST"]))
    try:
        return [build, True] in [worker.evaluate(WORKER) for worker in context.service_workers]
    except PlaywrightError:
        # The worker of the version before ends while it is asked.
        return False


WORKER = "[BUILD, self.serviceWorker.state === 'activated' && self.registration.active?.state === 'activated']"


def deploy(stack: Stack) -> tuple[set[str], set[str]]:
    """Another version of the front end, and the web server started anew, while people work: the files of both."""
    dist = Path(stack.env["QUORUM_TEST_DIST"])
    first = scripts_and_styles(dist)
    build_renew(dist)
    (master, *_) = stack.pids("gunicorn")
    os.kill(master, signal.SIGTERM)
    second = scripts_and_styles(dist)
    new = next(name for name in second if name.startswith("index-") and name.endswith(".js"))
    eventually(lambda: is_served(stack, f"assets/{new}"), "the web server is there again")
    return first, second


def is_served(stack: Stack, file: str) -> bool:
    try:
        return requests.head(f"{stack.url}/{file}", headers={"X-Forwarded-Proto": "https"}, timeout=5).ok
    except (requests.ConnectionError, requests.Timeout):
        return False


def test_the_documented_limit_keeps_connections_of_one_address_from_the_others(proxy: tuple[Stack, Proxy]) -> None:
    _, nginx = proxy
    with ExitStack() as held:
        # Whose request does not come to its end: nginx waits for the rest.
        slow = [held.enter_context(connected(nginx, "127.0.0.1", SLOW)) for _ in range(40)]
        eventually(lambda: status(nginx, "127.0.0.1") == 503, "the address has as many as it may")
        assert status(nginx, "127.0.0.2") == 200
        assert all(is_waiting(each) for each in slow)
    eventually(lambda: status(nginx, "127.0.0.1") == 200, "they were closed")


HEALTH = f"GET {PATH}/api/health/ HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
SLOW = f"POST {PATH}/api/session/ HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n"


@contextmanager
def connected(nginx: Proxy, source: str, request: str) -> Iterator[ssl.SSLSocket]:
    """A connection from an address of this machine that has sent `request`."""
    port = urlsplit(nginx.limits).port
    context = ssl.create_default_context(cafile=str(nginx.certificate))
    with (
        socket.create_connection(("127.0.0.1", port), 30, source_address=(source, 0)) as plain,
        context.wrap_socket(plain, server_hostname="localhost") as tls,
    ):
        tls.sendall(request.encode())
        yield tls


def status(nginx: Proxy, source: str) -> int:
    with connected(nginx, source, HEALTH) as tls:
        return int(tls.recv(64).split()[1])


def is_waiting(tls: ssl.SSLSocket) -> bool:
    """Nothing came back, no refusal either."""
    tls.setblocking(False)
    try:
        return tls.recv(1) == b"never"
    except ssl.SSLWantReadError:
        return True
