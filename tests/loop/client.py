"""A person at the API, as the browser is: session cookie, CSRF token, nothing else."""

from pathlib import Path
from typing import Any

import requests


class Refused(AssertionError):
    """The server's answer was not the expected one; the text shows it whole."""


class Person:
    def __init__(self, url: str, username: str = "", password: str = "", certificate: Path | None = None) -> None:
        self.url = url
        self.http = requests.Session()
        if certificate is not None:
            # Authorities that the environment names would take the place of this one.
            self.http.trust_env, self.http.verify = False, str(certificate)
        self.call("GET", "session/")
        if username:
            self.me = self.call("POST", "session/", json={"username": username, "password": password})

    def call(self, method: str, path: str, **options: Any) -> Any:
        """JSON in, JSON out; raises Refused on any error status."""
        response = self.send(method, path, **options)
        if not response.ok:
            raise Refused(f"{method} {path} -> {response.status_code}: {response.text[:2000]}")
        return response.json() if response.content else None

    def send(self, method: str, path: str, **options: Any) -> requests.Response:
        tokens = [cookie.value for cookie in self.http.cookies if cookie.name.startswith("csrftoken")]
        headers = {"X-CSRFToken": tokens[0] if tokens else "", "Referer": self.url}
        return self.http.request(method, f"{self.url}/api/{path}", headers=headers, timeout=60, **options)

    def get(self, path: str) -> Any:
        return self.call("GET", path)

    def post(self, path: str, body: Any = None) -> Any:
        return self.call("POST", path, json=body)

    def lines(self, path: str) -> list[str]:
        """A streamed download, whole, split at newlines only."""
        response = self.send("GET", path)
        if not response.ok:
            raise Refused(f"GET {path} -> {response.status_code}: {response.text[:2000]}")
        text = response.content.decode("utf-8")
        assert text == "" or text.endswith("\n"), "the last line has no end"
        return text.split("\n")[:-1]
