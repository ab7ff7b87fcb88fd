"""The page below a path, and refusals that tell what to set."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from annotation_app.config.address import address_parse
from annotation_app.config.wsgi import below

BUILT = """<meta name="quorum-base" content="/" /><link rel="icon" href="./assets/favicon.svg" />
<script type="module" src="./assets/index-BmoAy9XR.js"></script>"""


@pytest.fixture
def dist(tmp_path: Path, settings: Any) -> Path:
    (tmp_path / "index.html").write_text(BUILT)
    settings.FRONTEND_DIST = tmp_path
    return tmp_path


@pytest.mark.parametrize(("url", "base"), [("", "/"), ("https://a.example/lab/quorum/", "/lab/quorum/")])
def test_the_page_knows_where_it_stands(url: str, base: str, dist: Path, settings: Any) -> None:
    settings.ADDRESS = address_parse(url)
    answer = Client().get("/projects/1/label", headers={"X-Forwarded-Proto": "https"})
    html = answer.content.decode()
    assert f'content="{base}"' in html
    assert (html.count(f'"{base}assets/'), '"./' in html) == (2, False)
    assert "no-store" in answer["Cache-Control"]


@pytest.mark.parametrize("asked", ["/", "/projects/1/label"])
def test_a_host_it_does_not_know_is_told_on_a_page_what_to_set(asked: str, dist: Path) -> None:
    answer = Client().get(asked, headers={"Host": "192.168.1.20:8000", "Accept": "text/html,*/*"})
    html = answer.content.decode()
    assert (answer.status_code, answer["Content-Type"]) == (400, "text/html; charset=utf-8")
    assert "does not answer to 192.168.1.20:8000" in html
    assert "<code>QUORUM_HOSTS=192.168.1.20</code>" in html
    assert "<code>QUORUM_URL</code>" in html


def test_a_program_is_told_in_json(db: None) -> None:
    answer = Client().get("/api/me/", headers={"Host": "quorum.lan", "Accept": "text/html"})
    assert (answer.status_code, "QUORUM_HOSTS=quorum.lan" in answer.json()["detail"]) == (400, True)


@pytest.mark.parametrize("host", ["<script>alert(1)</script>", "a b", "x" * 300, "[::1", 'a"b'])
def test_no_name_that_cannot_be_one_is_repeated(host: str, dist: Path) -> None:
    answer = Client().get("/", headers={"Host": host, "Accept": "text/html"})
    assert answer.status_code == 400
    assert host not in answer.content.decode()


def test_the_path_is_taken_off_where_a_proxy_left_it() -> None:
    seen: list[str] = []

    def inner(environ: dict[str, Any], start_response: Callable[..., Any]) -> list[bytes]:
        seen.append(environ["PATH_INFO"])
        return []

    application = below("/quorum", inner)
    for path in ("/quorum/api/me/", "/api/me/", "/quorum", "/quorum/", "/quorumx", "/"):
        application({"PATH_INFO": path}, lambda *_: None)
    assert seen == ["/api/me/", "/api/me/", "/", "/", "/quorumx", "/"]
    assert below("", inner) is inner


@pytest.mark.parametrize(
    ("header", "status", "says"),
    [
        ({}, 400, "X-Forwarded-Proto"),
        ({"X-Forwarded-Proto": "http"}, 301, ""),
        ({"X-Forwarded-Proto": "https"}, 401, "credentials"),
    ],
)
def test_behind_tls_a_request_past_the_proxy_is_told_so_and_plain_http_sent_on(
    header: dict[str, str], status: int, says: str, settings: Any, db: None
) -> None:
    settings.ADDRESS = address_parse("https://a.example/")
    settings.PUBLIC_URL = "https://a.example/"
    settings.ALLOWED_HOSTS = ["a.example"]
    settings.SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    settings.SECURE_SSL_REDIRECT = True
    settings.SECURE_HSTS_SECONDS = 3600
    answer = Client().get("/api/me/", headers={"Host": "a.example", **header})
    assert answer.status_code == status
    assert says in json.dumps(answer.json()) if says else answer["Location"] == "https://a.example/api/me/"
    assert ("Strict-Transport-Security" in answer) == (status == 401)


def test_health_is_answered_past_the_proxy(settings: Any, db: None) -> None:
    settings.ADDRESS = address_parse("https://a.example/")
    settings.SECURE_SSL_REDIRECT = True
    settings.SECURE_REDIRECT_EXEMPT = [r"^api/health/$"]
    assert Client().get("/api/health/").status_code == 200


def test_every_answer_says_what_the_page_may_do(dist: Path, db: None) -> None:
    for path in ("/", "/api/me/", "/api/nothing", "/assets/gone.js"):
        answer = Client().get(path)
        assert "default-src 'self'" in answer["Content-Security-Policy"], path
        assert "camera=()" in answer["Permissions-Policy"], path
