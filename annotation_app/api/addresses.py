"""Make the addresses of pages that people are given."""

from django.conf import settings
from rest_framework.request import Request


def public_link(request: Request, path: str) -> str:
    """Return the whole address of a page: by QUORUM_URL where it is set, else by the name in the request.

    `path` has no slash in front: "invite/TOKEN".
    """
    return settings.PUBLIC_URL + path if settings.PUBLIC_URL else request.build_absolute_uri(f"/{path}")
