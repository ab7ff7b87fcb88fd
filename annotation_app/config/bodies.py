"""Nothing reads a request's body before it is known who sends it, and how much."""

from collections.abc import Callable
from typing import cast

from django.http import HttpRequest, HttpResponse, JsonResponse, QueryDict


class BodiesUnread:
    """Stands before Django's CSRF check, which looks for its token in a form's fields and so reads the whole form.

    The token comes in a header here. Forms are read by the views that take them, once session and role are known.
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
