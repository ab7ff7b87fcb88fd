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


urlpatterns = [
    path("api/", include("annotation_app.api.urls")),
    path("api/<path:rest>", no_such_route),
    # A tab left open over an upgrade asks for files that are gone: it must hear so, not get a page.
    path("assets/<path:rest>", no_such_route),
    re_path(r"^.*$", page),
]
