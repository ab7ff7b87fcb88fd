"""Serve the built front end. Browsers keep files with a hash in the name for a year, and revalidate all others."""

import re
from wsgiref.headers import Headers

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware
from whitenoise.middleware import WhiteNoiseMiddleware

# Matches the names that the front end's build gives, such as label-Bx02SIBi.css.
HASHED = re.compile(r"^/assets/.+-[A-Za-z0-9_-]{8}\.[a-z0-9]+$")
YEAR = 365 * 24 * 3600
TEXT = re.compile(r"text/|application/(json|x-ndjson|jsonl|ld\+json|yaml|vnd\.oai\.openapi)|image/svg\+xml")


class StaticFiles(WhiteNoiseMiddleware):
    """Serve the built files, but not the page itself, which a view writes, nor the build's hidden files."""

    def add_file_to_dictionary(self, url: str, path: str, stat_cache: object = None) -> None:
        if url != "/index.html" and not url.startswith("/."):
            super().add_file_to_dictionary(url, path, stat_cache=stat_cache)

    def add_cache_headers(self, headers: Headers, path: str, url: str) -> None:
        headers["Cache-Control"] = f"public, max-age={YEAR}, immutable" if HASHED.search(url) else "no-cache"


class CompressText(GZipMiddleware):
    """Compress text responses, streamed ones piece by piece. Archives and pictures are compressed already.

    An attacker could learn little from a response's length (BREACH):

    - no response to a GET holds a secret;
    - session and CSRF token travel in headers only;
    - cookies do not come with other sites' requests (SameSite);
    - Django adds a random number of bytes.
    """

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        if TEXT.match(response.get("Content-Type", "")):
            return super().process_response(request, response)
        return response
