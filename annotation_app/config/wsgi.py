"""Define the web server's entry point."""

import logging
import os
from collections.abc import Iterable
from importlib import import_module
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.core.wsgi import get_wsgi_application

from annotation_app.monitoring.processes import folder_prepare

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "annotation_app.config.settings")


def below(path: str, inner: "WSGIApplication") -> "WSGIApplication":
    """Return `inner` for requests with or without `path` in front: some proxies strip the path, others do not."""

    def outer(environ: dict[str, Any], start_response: "StartResponse") -> Iterable[bytes]:
        asked = environ.get("PATH_INFO", "")
        if asked == path or asked.startswith(f"{path}/"):
            environ["PATH_INFO"] = asked[len(path) :] or "/"
        return inner(environ, start_response)

    return outer if path else inner


if settings.METRICS_TOKEN:
    folder_prepare()
if settings.LOG_FORMAT == "json":
    # gunicorn's own lines go the same way as all others.
    gunicorn = logging.getLogger("gunicorn.error")
    gunicorn.handlers, gunicorn.propagate = [], True
application = below(settings.ADDRESS.path, get_wsgi_application())

# Routes and the library of intervals are loaded before the server forks: once for all its processes, and never while
# the first person waits.
import_module(settings.ROOT_URLCONF)
import_module("scipy.stats")
