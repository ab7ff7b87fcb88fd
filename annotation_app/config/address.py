"""Parse QUORUM_URL, the address that people type, and derive what follows from it."""

import re
from dataclasses import dataclass
from urllib.parse import urlsplit

from django.core.exceptions import ImproperlyConfigured

LOOPBACK = ("localhost", "127.0.0.1", "[::1]")
# First parts of Quorum's own addresses. A proxy that strips the path leaves these, so the path must be none of them.
OWN_PATHS = (
    "account",
    "api",
    "assets",
    "confirm-address",
    "first-account",
    "invite",
    "notice-mails-off",
    "openid",
    "password",
    "projects",
    "sign-in",
)
PATH = re.compile(r"(/[A-Za-z0-9][A-Za-z0-9._~-]*)+")
EXAMPLE = "give it as people type it: https://labels.example.org/ or https://example.org/quorum/."


@dataclass(frozen=True)
class Address:
    """Hold the address at which people reach this installation. All parts are empty where QUORUM_URL is not set."""

    scheme: str = ""
    netloc: str = ""
    host: str = ""
    # Has no slash at its end: "" at the root of a host, else for example "/quorum".
    path: str = ""

    @property
    def origin(self) -> str:
        return f"{self.scheme}://{self.netloc}" if self.netloc else ""

    @property
    def is_tls(self) -> bool:
        return self.scheme == "https"

    @property
    def is_proxied(self) -> bool:
        """Return whether Quorum needs a proxy in front, since Quorum speaks no TLS and serves no path of its own."""
        return self.is_tls or bool(self.path)

    def named(self, name: str) -> str:
        """Return a cookie's name, unique to this installation on its host. The browser's `ownName` returns the same."""
        return name + self.path.replace("/", "_")


def address_parse(url: str) -> Address:
    """Parse a QUORUM_URL. Raises ImproperlyConfigured, which names the variable, for an invalid address."""
    if not url:
        return Address()
    try:
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port
    except ValueError as error:
        raise ImproperlyConfigured(f"QUORUM_URL={url} is no address ({error}): {EXAMPLE}") from error
    if parts.scheme not in ("http", "https") or not host or parts.username is not None or parts.query or parts.fragment:
        raise ImproperlyConfigured(f"QUORUM_URL={url} is no address of a website: {EXAMPLE}")
    path = parts.path.rstrip("/")
    if path and not PATH.fullmatch(path):
        raise ImproperlyConfigured(f"QUORUM_URL={url}: its path may hold letters, digits, '.', '_', '~' and '-' only.")
    if path.count("/") == 1 and path[1:] in OWN_PATHS:
        raise ImproperlyConfigured(f"QUORUM_URL={url}: {path} is a path of Quorum's own; choose another.")
    bracketed = f"[{host}]" if ":" in host else host
    shown = bracketed if port is None or port == {"http": 80, "https": 443}[parts.scheme] else f"{bracketed}:{port}"
    return Address(parts.scheme, shown, bracketed, path)
