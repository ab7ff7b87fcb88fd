"""Name, time, count and log every request, without anything that it carries."""

import logging
import time
from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.views import View

from annotation_app.models import User
from annotation_app.monitoring.counters import REQUESTS, SECONDS
from annotation_app.request_ids import HEADER, id_of, named

logger = logging.getLogger("quorum.requests")

# A request that takes longer is logged whatever the format of the logs is.
SLOW_SECONDS = 1.0
METHODS = frozenset(method.upper() for method in View.http_method_names)


class WatchRequests:
    """Stand first of all middleware. The route is the pattern, not the address, so that no id of a row gets into it."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        identity, began = id_of(request.headers.get(HEADER, "")), time.monotonic()
        with named(identity):
            response = self.get_response(request)
            noted(request, response.status_code, time.monotonic() - began)
        response.headers.setdefault(HEADER, identity)
        return response


def noted(request: HttpRequest, status: int, seconds: float) -> None:
    route = route_of(request)
    # A client may send any word, and each would begin a figure of its own.
    method = request.method if request.method in METHODS else "other"
    REQUESTS.labels(method, route, status).inc()
    SECONDS.labels(method, route).observe(seconds)
    if seconds >= SLOW_SECONDS or settings.LOG_FORMAT == "json":
        # The person, where the request asked who it is: a lazy object that nobody asked would read the database now.
        user = getattr(request, "_cached_user", request.__dict__.get("user"))
        known = user.pk if type(user) is User else None
        fields = {
            "method": method,
            "route": route,
            "status": status,
            "ms": round(1000 * seconds),
            "user": known,
        }
        logger.info("%s %s %s in %s ms", method, route, status, fields["ms"], extra=fields)


def route_of(request: HttpRequest) -> str:
    """Return the pattern of an API route; `page` for the page and the built files, `none` for what no route takes."""
    if request.resolver_match is None:
        return "page"
    route = request.resolver_match.route
    if not route.startswith("api/"):
        return "page"
    return "none" if route == "api/<path:rest>" else route
