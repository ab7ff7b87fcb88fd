"""Every route: the API, and the one page that the browser's own router takes over."""

from django.conf import settings
from django.http import FileResponse, HttpRequest, HttpResponse, JsonResponse
from django.urls import include, path, re_path
from django.views.decorators.cache import never_cache


@never_cache
def page(request: HttpRequest) -> HttpResponse | FileResponse:
    index = settings.FRONTEND_DIST / "index.html"
    if not index.is_file():
        return HttpResponse("The front end is not built yet: run `make build`.", status=503, content_type="text/plain")
    return FileResponse(index.open("rb"), content_type="text/html")


def no_such_route(request: HttpRequest, rest: str) -> JsonResponse:
    return JsonResponse({"detail": "Not found."}, status=404)


def failed(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """A fault of the server's, or a request that did not get as far as a view; the log has the reason."""
    status = 500 if exception is None else 400
    detail = "The server failed; the log says why." if exception is None else f"Bad: {type(exception).__name__}."
    return JsonResponse({"detail": detail}, status=status)


handler400 = handler500 = "annotation_app.config.urls.failed"

urlpatterns = [
    path("api/", include("annotation_app.api.urls")),
    path("api/<path:rest>", no_such_route),
    # A tab left open over an upgrade asks for files that are gone: it must hear so, not get a page.
    path("assets/<path:rest>", no_such_route),
    re_path(r"^.*$", page),
]
