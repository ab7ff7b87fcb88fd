"""QUORUM_URL: what follows from it, and what is refused."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured

from annotation_app.config.address import OWN_PATHS, address_parse

ROOT = Path(__file__).resolve().parent.parent.parent
ASKED = [
    "ALLOWED_HOSTS",
    "CSRF_TRUSTED_ORIGINS",
    "FORCE_SCRIPT_NAME",
    "SESSION_COOKIE_PATH",
    "CSRF_COOKIE_NAME",
    "SESSION_COOKIE_NAME",
    "SESSION_COOKIE_SECURE",
    "CSRF_COOKIE_SECURE",
    "SECURE_PROXY_SSL_HEADER",
    "SECURE_SSL_REDIRECT",
    "PUBLIC_URL",
]


def settings_of(**env: str) -> dict[str, object]:
    """The settings that a process with these variables has."""
    code = f"import annotation_app.config.settings as s; print({{n: getattr(s, n) for n in {ASKED}}})"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, env={**os.environ, **env}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return dict(eval(done.stdout))


def test_one_address_gives_hosts_path_cookies_and_tls() -> None:
    got = settings_of(QUORUM_URL="https://Uni.example:8443/lab/quorum/", QUORUM_HOSTS="10.0.0.7,lab.local")
    assert got == {
        "ALLOWED_HOSTS": ["localhost", "127.0.0.1", "[::1]", "uni.example", "10.0.0.7", "lab.local"],
        "CSRF_TRUSTED_ORIGINS": ["https://uni.example:8443"],
        "FORCE_SCRIPT_NAME": "/lab/quorum",
        "SESSION_COOKIE_PATH": "/lab/quorum/",
        "CSRF_COOKIE_NAME": "csrftoken_lab_quorum",
        "SESSION_COOKIE_NAME": "sessionid_lab_quorum",
        "SESSION_COOKIE_SECURE": True,
        "CSRF_COOKIE_SECURE": True,
        "SECURE_PROXY_SSL_HEADER": ("HTTP_X_FORWARDED_PROTO", "https"),
        "SECURE_SSL_REDIRECT": True,
        "PUBLIC_URL": "https://uni.example:8443/lab/quorum/",
    }


def test_without_an_address_it_serves_this_machine_alone() -> None:
    got = settings_of(QUORUM_URL="")
    assert got["ALLOWED_HOSTS"] == ["localhost", "127.0.0.1", "[::1]"]
    assert (got["SESSION_COOKIE_PATH"], got["CSRF_COOKIE_NAME"], got["SESSION_COOKIE_SECURE"]) == (
        "/",
        "csrftoken",
        False,
    )
    assert (got["SECURE_PROXY_SSL_HEADER"], got["FORCE_SCRIPT_NAME"]) == (None, None)


@pytest.mark.parametrize(
    ("url", "origin", "path"),
    [
        ("http://192.168.0.9:8000", "http://192.168.0.9:8000", ""),
        ("https://a.example:443/", "https://a.example", ""),
        ("http://[2001:db8::1]:8000/q/", "http://[2001:db8::1]:8000", "/q"),
        ("https://a.example/api/quorum/", "https://a.example", "/api/quorum"),
    ],
)
def test_it_takes_addresses_as_people_type_them(url: str, origin: str, path: str) -> None:
    address = address_parse(url)
    assert (address.origin, address.path) == (origin, path)


@pytest.mark.parametrize(
    "url",
    [
        "labels.example.org",
        "ftp://a.example/",
        "https:///quorum/",
        "https://a.example/?q=1",
        "https://me:secret@a.example/",
        "https://a.example:x/",
        "https://a.example/a b/",
        "https://a.example/../",
        "https://a.example//q/",
        *(f"https://a.example/{path}/" for path in OWN_PATHS),
    ],
)
def test_it_refuses_what_is_no_address_and_names_the_variable(url: str) -> None:
    with pytest.raises(ImproperlyConfigured, match="QUORUM_URL"):
        address_parse(url)


def test_no_installation_stands_below_a_path_of_the_application() -> None:
    """The first parts of the browser's routes and of the server's."""
    import re

    from annotation_app.config.urls import urlpatterns

    router = (ROOT / "frontend" / "src" / "app" / "router.tsx").read_text()
    browser = set(re.findall(r'"/([a-z-]+)[/:"]', router))
    server = {str(pattern.pattern).split("/")[0] for pattern in urlpatterns[:-1]}
    assert browser
    assert browser | server <= set(OWN_PATHS)
