"""Keep a request's body unread until it is known who sends it, and how much."""

from collections.abc import Callable
from typing import cast

from django.http import HttpRequest, HttpResponse, JsonResponse, QueryDict


class BodiesUnread:
    """Keep Django's CSRF check, which follows, from reading the whole form to look for its token there.

    In Quorum the token comes in a header. The views that accept forms read them, once session and role are known.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        request.POST = cast("QueryDict", QueryDict())  # type: ignore[assignment]
        if request.headers.get("Transfer-Encoding"):
            detail = "Send the body's length (Content-Length): a body in chunks has no end that is known before."
            return JsonResponse({"detail": detail}, status=411)
        if request.headers.get("Content-Encoding", "identity").strip().lower() not in ("", "identity"):
            detail = "Send the body as it is, without Content-Encoding; files may be gzip files."
            return JsonResponse({"detail": detail}, status=415)
        return self.get_response(request)
