"""Define every route: the API, and the one page that the browser's router takes over."""

from django.http import HttpRequest, JsonResponse
from django.urls import include, path, re_path

from annotation_app.config.page import page


def no_such_route(request: HttpRequest, rest: str) -> JsonResponse:
    return JsonResponse({"detail": "Not found."}, status=404)


handler400 = handler500 = "annotation_app.config.page.failed"

urlpatterns = [
    path("api/", include("annotation_app.api.urls")),
    path("api/<path:rest>", no_such_route),
    # A tab left open during an upgrade requests files that are gone. It must get status 404, not the page.
    path("assets/<path:rest>", no_such_route),
    re_path(r"^.*$", page),
]
