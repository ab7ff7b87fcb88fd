"""Tell the address that people type."""

import os

from django.conf import settings


def address() -> str:
    """Return the address that people type: QUORUM_URL, else where `make up` listens."""
    if settings.PUBLIC_URL:
        return str(settings.PUBLIC_URL)
    host, port = os.environ.get("QUORUM_HOST", "127.0.0.1"), os.environ.get("QUORUM_PORT", "8000")
    names = [name for name in settings.HOSTS if name] if host in ("0.0.0.0", "::") else [host]
    return f"http://{names[0] if names else '127.0.0.1'}:{port}/"
