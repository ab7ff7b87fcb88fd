"""The built front end's files: names with a hash for a year, all others asked for again each time."""

import re
from wsgiref.headers import Headers

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware
from whitenoise.middleware import WhiteNoiseMiddleware

# As the front end's build names them: label-Bx02SIBi.css.
HASHED = re.compile(r"^/assets/.+-[A-Za-z0-9_-]{8}\.[a-z0-9]+$")
YEAR = 365 * 24 * 3600
TEXT = re.compile(r"text/|application/(json|x-ndjson|jsonl|ld\+json|yaml|vnd\.oai\.openapi)|image/svg\+xml")


class StaticFiles(WhiteNoiseMiddleware):
    """Serves what was built, but for the page itself, which is written anew for each answer, and the build's notes."""

    def add_file_to_dictionary(self, url: str, path: str, stat_cache: object = None) -> None:
        if url != "/index.html" and not url.startswith("/."):
            super().add_file_to_dictionary(url, path, stat_cache=stat_cache)

    def add_cache_headers(self, headers: Headers, path: str, url: str) -> None:
        headers["Cache-Control"] = f"public, max-age={YEAR}, immutable" if HASHED.search(url) else "no-cache"


class CompressText(GZipMiddleware):
    """Compresses answers of text, streamed ones too, a piece at a time; archives and pictures are compressed already.

    What an attacker could learn from an answer's length (BREACH) is little: no answer to a GET holds a secret, session
    and CSRF token travel in headers alone, cookies do not come with other sites' requests (SameSite), and Django adds
    a random number of bytes.
    """

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        if TEXT.match(response.get("Content-Type", "")):
            return super().process_response(request, response)
        return response
