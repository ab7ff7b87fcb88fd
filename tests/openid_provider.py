"""A provider of OpenID Connect on a port of its own, and people who sign in there."""

from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import urlsplit

import oidc_provider_mock
import requests
from django.test import Client
from oidc_provider_mock import User as Account


@contextmanager
def provider_running(*accounts: Account) -> Iterator[str]:
    """Run the provider; give its issuer."""
    with oidc_provider_mock.run_server_in_thread(require_nonce=True, user_claims=accounts) as server:
        yield f"http://localhost:{server.server_port}"


def came_back(url: str, subject: str) -> str:
    """Sign in at the provider as this account, or refuse to where it is "". Return the path that it leads back to."""
    form = {"sub": subject} if subject else {"action": "deny"}
    answer = requests.post(url, data=form, allow_redirects=False, timeout=10)
    assert answer.status_code == 302, answer.text
    parts = urlsplit(answer.headers["Location"])
    return f"{parts.path}?{parts.query}"


def ended(client: Client, url: str, subject: str) -> str:
    """Go through the provider and back. Return where the browser ends."""
    answer = client.get(came_back(url, subject))
    assert answer.status_code == 302, answer.content
    return str(answer["Location"])
