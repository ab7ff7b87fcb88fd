"""Serve the one page that the browser's router takes over, and the pages that refuse what never reaches a view."""

import re
from html import escape

from django.conf import settings
from django.core.exceptions import DisallowedHost
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

ROOT = '<meta name="quorum-base" content="/" />'
# Matches a name or an address in brackets, with an optional port. Any other host is not repeated in a message.
HOST = re.compile(r"[A-Za-z0-9._-]{1,253}(:\d{1,5})?|\[[0-9A-Fa-f:.]{2,45}\](:\d{1,5})?")
CODE, MARKED = re.compile("`([^`]+)`"), r"<code>\1</code>"
REFUSAL = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><title>{title} · Quorum</title>
<style>body {{ font: 1rem/1.5 system-ui, sans-serif; max-width: 38rem; margin: 3rem auto; padding: 0 1rem }}
code {{ overflow-wrap: anywhere }}</style></head>
<body><main><h1>{title}</h1>{paragraphs}</main></body></html>
"""


@require_safe
@never_cache
def page(request: HttpRequest) -> HttpResponse:
    """Return the built page, with this installation's path written into it."""
    index = settings.FRONTEND_DIST / "index.html"
    if not index.is_file():
        told = "The front end is not built yet: run `make frontend`."
        return HttpResponse(told, status=503, content_type="text/plain")
    base = f"{settings.ADDRESS.path}/"
    text = index.read_text(encoding="utf-8")
    return HttpResponse(text.replace(ROOT, ROOT.replace('"/"', f'"{base}"')).replace('"./', f'"{base}'))


def refuse(request: HttpRequest, title: str, *paragraphs: str) -> HttpResponse:
    """Return status 400 with an explanation: JSON for the API and for programs, a page for a person's browser."""
    if request.path_info.startswith("/api/") or "text/html" not in request.headers.get("Accept", ""):
        return JsonResponse({"detail": " ".join((f"{title}.", *paragraphs))}, status=400)
    marked = "".join(f"<p>{CODE.sub(MARKED, escape(each))}</p>" for each in paragraphs)
    return HttpResponse(REFUSAL.format(title=escape(title), paragraphs=marked), status=400)


def host_refused(request: HttpRequest) -> HttpResponse:
    """Refuse an unknown host. The answer names the host and the setting that would allow it."""
    asked = request.META.get("HTTP_HOST", "")
    shown = asked if HOST.fullmatch(asked) else "(a name that is not valid)"
    name = asked.rpartition(":")[0] if re.search(r":\d+$", asked) else asked
    return refuse(
        request,
        f"Quorum does not answer to {shown}",
        "It answers only to the names that it was started with, so that no other site can pass itself off as it.",
        f"Whoever runs it sets `QUORUM_HOSTS={name if HOST.fullmatch(name) else 'NAME'}` where it is started "
        "(several names with commas between them), and starts it again.",
        "Where a proxy stands before it, `QUORUM_URL` is set instead, to the address that people type, "
        "such as `https://example.org/quorum/`.",
    )


def failed(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """Return the answer to a server error, or to a bad request that reached no view. The log has the reason."""
    if isinstance(exception, DisallowedHost):
        return host_refused(request)
    status = 500 if exception is None else 400
    detail = "The server failed; the log says why." if exception is None else f"Bad: {type(exception).__name__}."
    return JsonResponse({"detail": detail}, status=status)
